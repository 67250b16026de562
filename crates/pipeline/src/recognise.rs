//! The worker that finds out what a torrent is: what it may be as long as only
//! its name is known, and what it is as soon as its file list is.
//!
//! One download at a time asks the metadata sources. What a person says
//! meanwhile wins: then nothing is written, and the next turn does it anew.

mod ask;
mod carried;
mod decide;
mod pin;
mod remembered;
mod search;
mod wait;
mod wake;

use std::collections::BTreeSet;

use tracing::{Instrument, debug, info, info_span};
use tracker_domain::entity::CandidateId;
use tracker_domain::observed::{RemoteFile, choose};
use tracker_domain::recognised::{Recognised, RecognitionState};
use tracker_domain::{
    Actor, Attention, DownloadId, DownloadState, Magnet, RecognitionId, Timestamp,
};
use tracker_recognize::{Names, recognise};
use tracker_store::{
    Download, Hint, NewRecognition, Override, Recognition, Recorded, StoreError, TaskKind, WriteTx,
};

use crate::Pipeline;
use crate::stage::{Stage, survive};
use ask::{FRESH_S, Round};
use carried::AcceptedNames;
use decide::{Decision, Heard, decide};
use remembered::Memory;
use wait::Causes;
pub(crate) use wait::PutOff;
pub(crate) use wake::Wake;

/// The stage.
pub(crate) struct RecogniseStage {
    pub pipeline: Pipeline,
}

impl Stage for RecogniseStage {
    const NAME: &'static str = "recognise";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    let now = pipeline.db.clock().now_ms();
    pipeline.source_health.end_limits(&pipeline.board, now);
    if pipeline.source_health.sweep_due(now) {
        sweep(pipeline).await?;
    }
    let mut round = Round::new(pipeline);
    for id in due(pipeline, now.into()).await? {
        let span = info_span!("download", download_id = %id);
        let outcome = recognise_one(pipeline, &mut round, id).instrument(span).await;
        survive(RecogniseStage::NAME, id, outcome);
    }
    Ok(())
}

/// What there is to do, the urgent first: what is known to the last file, what
/// waited for a source, and what can only be foreseen.
async fn due(pipeline: &Pipeline, now: Timestamp) -> Result<Vec<DownloadId>, StoreError> {
    let woken = pipeline.wake.take();
    let who = woken.clone();
    let lists = pipeline.db.read(move |tx| {
        let (known, early) = (tx.downloads_to_recognise()?, who.downloads(tx)?);
        let waiting = tx.waiting_due(now)?;
        Ok::<_, StoreError>((known, waiting, early, tx.downloads_to_foresee()?))
    });
    let (known, mut waiting, early, named) = match lists.await {
        Ok(lists) => lists,
        Err(failure) => {
            pipeline.wake.give_back(woken);
            return Err(failure);
        }
    };
    waiting.retain(|id| !pipeline.put_off.holds(*id, now));
    let mut seen = BTreeSet::new();
    let all = known.into_iter().chain(waiting).chain(early).chain(named);
    Ok(all.filter(|id| seen.insert(*id)).collect())
}

/// Drops answers that nobody would use any more.
async fn sweep(pipeline: &Pipeline) -> Result<(), StoreError> {
    let dropped = pipeline.db.write(&Actor::Worker, |tx| {
        let oldest = tx.now().plus_seconds(-FRESH_S);
        tx.drop_cached_before(oldest)
    });
    let dropped = dropped.await?;
    if dropped > 0 {
        debug!(dropped, "old answers of the sources dropped");
    }
    Ok(())
}

/// What people have said of a download.
#[derive(PartialEq, Eq)]
struct Words {
    hints: Vec<Hint>,
    overrides: Vec<Override>,
}

impl Words {
    fn hints(&self) -> Vec<String> {
        self.hints.iter().map(|hint| hint.text.clone()).collect()
    }

    /// What acted on the last recognition.
    fn overrides(&self) -> Vec<(String, String)> {
        self.overrides.iter().map(|row| (row.field.clone(), row.value.clone())).collect()
    }

    /// What acts on the next one: what is remembered, and what was said of it itself.
    fn with(&self, memory: &Memory) -> Vec<(String, String)> {
        let own = self.overrides.iter().filter(|row| row.remembered_at.is_none());
        let own = own.map(|row| (row.field.clone(), row.value.clone()));
        let remembered = memory.words.iter().map(|word| (word.field.clone(), word.value.clone()));
        remembered.chain(own).collect()
    }
}

/// What the database knows of a download.
struct Subject {
    row: Download,
    words: Words,
    former: Option<Recognition>,
    stored: Vec<RemoteFile>,
}

async fn subject(pipeline: &Pipeline, id: DownloadId) -> Result<Option<Subject>, StoreError> {
    let read = pipeline.db.read(move |tx| {
        let Some(row) = tx.download(id)? else { return Ok::<_, StoreError>(None) };
        let words = Words { hints: tx.hint_rows(id)?, overrides: tx.override_rows(id)? };
        let (former, stored) = (tx.recognition_of(id)?, tx.download_files(id)?);
        Ok(Some(Subject { row, words, former, stored }))
    });
    read.await
}

/// The files of a torrent, and whether they are news.
enum Files {
    Stored(Vec<RemoteFile>),
    Fresh(Vec<RemoteFile>),
    /// Only the name is known.
    None,
}

impl Files {
    fn list(&self) -> &[RemoteFile] {
        match self {
            Files::Stored(files) | Files::Fresh(files) => files,
            Files::None => &[],
        }
    }
}

async fn recognise_one(
    pipeline: &Pipeline,
    round: &mut Round<'_>,
    id: DownloadId,
) -> Result<(), StoreError> {
    let Some(subject) = subject(pipeline, id).await? else { return Ok(()) };
    let Some(files) = files_of(pipeline, &subject).await else { return Ok(()) };
    let provisional = matches!(files, Files::None);
    let raw = read_names(&subject, files.list());
    let memory = Memory::of(pipeline, &subject, files.list()).await?;
    let overrides = subject.words.with(&memory);
    let accepted = accepted_names(&subject, provisional);
    let heard = Heard { overrides: &overrides, accepted: accepted.as_ref() };
    let decision = decide(&pipeline.policy, round, raw, heard, provisional).await?;
    let (state, verdict) = (decision.state, decision.found.verdict.as_str());
    let (title, candidates) = (decision.found.fields.title.as_deref(), decision.candidates.len());
    if provisional {
        info!(download_id = %id, %state, verdict, title, candidates, "foreseen from its name");
    } else {
        info!(download_id = %id, %state, verdict, title, candidates, "recognised");
    }
    record(pipeline, subject, (files, memory), decision).await
}

/// The name in the magnet.
fn dn_of(row: &Download) -> Option<String> {
    Magnet::parse(&row.magnet).ok().and_then(|magnet| magnet.name().map(str::to_owned))
}

fn read_names(subject: &Subject, files: &[RemoteFile]) -> Recognised {
    let row = &subject.row;
    let dn = dn_of(row);
    let hints = subject.words.hints();
    let names = Names { torrent: None, dn: dn.as_deref(), client: Some(&row.name), hints: &hints };
    recognise(&names, files)
}

/// What a person accepted before the file list was known.
fn accepted_names(subject: &Subject, provisional: bool) -> Option<AcceptedNames> {
    let former = subject.former.as_ref().filter(|former| former.is_accepted_names());
    let former = former.filter(|_| !provisional)?;
    let overrides = subject.words.overrides();
    Some(AcceptedNames::new(former, read_names(subject, &[]), &overrides))
}

/// The files, as the client lists them now or as it did before. `None` when it
/// has to be asked and does not answer: it is asked again at the next turn.
async fn files_of(pipeline: &Pipeline, subject: &Subject) -> Option<Files> {
    let row = &subject.row;
    if row.metadata_at.is_none() {
        return Some(Files::None);
    }
    let stored = || Some(subject.stored.clone()).filter(|files| !files.is_empty());
    let waited =
        |former: &Recognition| former.state == RecognitionState::Waiting && !former.provisional;
    // One that waits for a source has not changed by that.
    if subject.former.as_ref().is_some_and(waited)
        && let Some(files) = stored()
    {
        return Some(Files::Stored(files));
    }
    if let Some(files) = ask_client(pipeline, row).await {
        return Some(Files::Fresh(files));
    }
    // The torrent of one that is done may have left the client.
    let done = row.state == DownloadState::Done;
    stored().filter(|_| done).map(Files::Stored)
}

async fn ask_client(pipeline: &Pipeline, row: &Download) -> Option<Vec<RemoteFile>> {
    if !pipeline.answers(row) {
        return None;
    }
    let entry = pipeline.clients.of(row.client.as_deref())?;
    // A client that does not answer is the watcher's business.
    let mut files = entry.client.files(row.handle.as_ref()?).await.ok()?;
    if let Some(unwanted) = &row.unwanted {
        let id = row.id;
        let open = pipeline.db.read(move |tx| tx.has_open_task(id, TaskKind::Select)).await;
        choose(&mut files, unwanted, !open.ok()?);
    }
    Some(files).filter(|files| !files.is_empty())
}

async fn record(
    pipeline: &Pipeline,
    subject: Subject,
    (files, memory): (Files, Memory),
    decision: Decision,
) -> Result<(), StoreError> {
    let Subject { row, words, former, .. } = subject;
    let id = row.id;
    let provisional = matches!(files, Files::None);
    let now = pipeline.db.clock().now();
    match still(former.as_ref(), &decision, provisional, now) {
        Still::Told => {}
        Still::Early => return Ok(()),
        Still::PutOff => {
            let at = decision.causes.next_look(id, former.as_ref(), now);
            pipeline.put_off.until(id, at);
            return Ok(());
        }
    }
    pipeline.put_off.forget(id);
    let next_look =
        (!decision.causes.is_empty()).then(|| decision.causes.next_look(id, former.as_ref(), now));
    let write = move |tx: &mut WriteTx<'_>| {
        // It may have moved on while the client and the sources were asked.
        let meant = |row: &Download| is_open(row, provisional);
        let Some(row) = tx.download(id)?.filter(meant) else { return Ok(()) };
        let said = Words { hints: tx.hint_rows(id)?, overrides: tx.override_rows(id)? };
        let stands = tx.recognition_of(id)?;
        let other = said != words || !memory.still_holds(tx, id)?;
        if other || decided(stands.as_ref()) != decided(former.as_ref()) {
            debug!(download_id = %id, "somebody said something meanwhile; it is done anew");
            return Ok(());
        }
        if let Files::Fresh(files) = &files {
            tx.set_files(id, files)?;
        }
        let new = NewRecognition {
            found: &decision.found,
            state: decision.state,
            candidates: &decision.candidates,
            candidate: decision.candidate,
            causes: decision.causes.list(),
            next_look_at: next_look,
            provisional,
            carries_over: decision.carries_over,
        };
        let recorded = tx.record_recognition(id, &new)?;
        if !matches!(recorded, Recorded::Kept(_)) {
            tx.take_over(id, &memory.words)?;
        }
        match recorded {
            Recorded::Written(_) => set_mark(tx, &row, decision.state, decision.mark.as_ref()),
            Recorded::HeldBack { why, .. } => {
                info!(download_id = %id, %why, "a person decides on it, so it is a proposal");
                let mark = (Attention::NeedsReview, why.to_string());
                set_mark(tx, &row, RecognitionState::Proposed, Some(&mark))
            }
            Recorded::Kept(_) => Ok(()),
        }
    };
    pipeline.db.write(&Actor::Worker, write).await
}

/// What tells one decision from another.
fn decided(
    row: Option<&Recognition>,
) -> Option<(RecognitionId, RecognitionState, Option<CandidateId>, Option<&Actor>)> {
    row.map(|row| (row.id, row.state, row.candidate, row.chosen_by.as_ref()))
}

/// What to do about one that waits for the same as before.
enum Still {
    /// It is written down once more, with a longer pause.
    Told,
    /// Its pauses grow no longer, so nothing is written.
    PutOff,
    /// It was tried before its time: that stands.
    Early,
}

fn still(
    former: Option<&Recognition>,
    decision: &Decision,
    provisional: bool,
    now: Timestamp,
) -> Still {
    let Decision { found, causes, .. } = decision;
    let same = |former: &&Recognition| {
        causes.are_known_of(former)
            && former.provisional == provisional
            && (&former.fields, &former.files) == (&found.fields, &found.files)
    };
    match former.filter(same) {
        _ if causes.is_empty() => Still::Told,
        Some(former) if causes.leave_time_to(former, now) => Still::Early,
        Some(former) if Causes::pause_is_longest(former) => Still::PutOff,
        _ => Still::Told,
    }
}

/// Whether a recognition still matters.
const fn is_open(row: &Download, provisional: bool) -> bool {
    use DownloadState::{Done, Downloaded, Downloading, Queued};
    if provisional {
        return matches!(row.state, Queued | Downloading) && row.metadata_at.is_none();
    }
    matches!(row.state, Downloading | Downloaded | Done)
}

/// The marks that come from a recognition; another one gives another.
const OURS: &[Attention] = &[
    Attention::NeedsReview,
    Attention::MetadataUnavailable,
    Attention::UnsafeContent,
    Attention::Archive,
    Attention::NotMedia,
];

/// Marks what is to be looked at, unless something else is to be looked at
/// first: linking asks again when that is settled.
fn set_mark(
    tx: &mut WriteTx<'_>,
    row: &Download,
    state: RecognitionState,
    mark: Option<&(Attention, String)>,
) -> Result<(), StoreError> {
    if row.attention.is_some_and(|mark| !OURS.contains(&mark)) {
        return Ok(());
    }
    match mark {
        Some((mark, detail)) => tx.raise_attention(row.id, *mark, detail)?.ok(),
        None if state == RecognitionState::Accepted => tx.clear_attention(row.id, None)?.ok(),
        None => None,
    };
    Ok(())
}
