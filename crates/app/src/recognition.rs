//! From the rows of a recognition to what holds: the names, then what people
//! said, then the work that was chosen.

use std::collections::BTreeMap;

use tracker_domain::metadata::Pin;
use tracker_domain::recognised::{Fields, FileRole, Recognised, RecognitionState, Role, Verdict};
use tracker_domain::{DownloadId, Remark};
use tracker_recognize::matching::{can_be_included, effective};
use tracker_store::{
    Candidate, Hint, Override, ReadTx, Recognition, Remembered, StoreError, WaitCause,
};

use crate::holding::of_names;
use crate::review_views::{
    CandidateView, CauseView, FileView, HintView, OverrideView, RecognitionView, RememberedView,
};

/// What a download is taken for now.
pub(crate) fn recognition_view(
    tx: &ReadTx<'_>,
    download: DownloadId,
    languages: &[String],
) -> Result<RecognitionView, StoreError> {
    let asks_of = tx.work_in_question(download)?;
    let asks = tx.asks(download, asks_of.as_deref())?;
    let ruled = |view| RecognitionView { asks, asks_of, ..view };
    let Some(row) = tx.recognition_of(download)? else {
        return Ok(ruled(awaited(tx, download, languages)?));
    };
    let chosen = match row.candidate {
        Some(id) => tx.candidate(id)?,
        None => None,
    };
    let work = chosen.and_then(|candidate| candidate.work);
    // What could not act stands among the doubts.
    let (mut holds, _told) =
        effective(raw(&row), &tx.overrides(download)?, work.as_ref(), languages);
    let files = files(tx, download, std::mem::take(&mut holds.files))?;
    Ok(ruled(view(row, holds, files)))
}

/// Each file of the torrent with what was found of it. One that was found and
/// is not in the list, which a row of a former version may have, is told too.
fn files(
    tx: &ReadTx<'_>,
    download: DownloadId,
    found: Vec<FileRole>,
) -> Result<Vec<FileView>, StoreError> {
    let mut views: BTreeMap<u32, FileView> = BTreeMap::new();
    for file in found {
        let FileRole { index, role, fields } = file;
        let can_be_included = can_be_included(role, &fields);
        let view = FileView { index, path: None, size_bytes: None, role, fields, can_be_included };
        views.insert(index, view);
    }
    for file in tx.download_files(download)? {
        let view = views.entry(file.index).or_insert_with(|| FileView {
            index: file.index,
            path: None,
            size_bytes: None,
            role: Role::Unknown,
            fields: Fields::default(),
            can_be_included: false,
        });
        view.path = Some(file.path);
        view.size_bytes = Some(file.size_bytes);
    }
    Ok(views.into_values().collect())
}

/// The answer before anything was read, or while another recognition is asked for:
/// what the names said last, with the words of people. No work holds then.
fn awaited(
    tx: &ReadTx<'_>,
    download: DownloadId,
    languages: &[String],
) -> Result<RecognitionView, StoreError> {
    let names =
        tx.last_recognition_of(download)?.as_ref().map_or_else(|| of_names(Fields::default()), raw);
    let (mut holds, _told) = effective(names, &tx.overrides(download)?, None, languages);
    let files = files(tx, download, std::mem::take(&mut holds.files))?;
    Ok(RecognitionView::nothing_yet(download, holds.fields, files))
}

impl RecognitionView {
    /// That of a download that was not looked at.
    #[must_use]
    pub fn nothing_yet(download_id: DownloadId, fields: Fields, files: Vec<FileView>) -> Self {
        RecognitionView {
            id: None,
            download_id,
            state: RecognitionState::Pending,
            verdict: Verdict::Unknown,
            confidence: None,
            fields,
            files,
            evidence: Vec::new(),
            doubts: Vec::new(),
            waiting: Vec::new(),
            next_look_at: None,
            candidate_id: None,
            chosen_by: None,
            provisional: false,
            asks: None,
            asks_of: None,
            created_at: None,
            updated_at: None,
        }
    }
}

/// What the names said, as it was written down.
pub(crate) fn raw(row: &Recognition) -> Recognised {
    let verdict = match row.verdict.as_deref() {
        Some("sure") => Verdict::Sure,
        Some("doubt") => Verdict::Doubt,
        _ => Verdict::Unknown,
    };
    let doubts = row.detail.as_deref().unwrap_or_default();
    Recognised {
        fields: row.fields.clone(),
        files: row.files.clone(),
        evidence: row.evidence.clone(),
        verdict,
        confidence: row.confidence.unwrap_or_default(),
        doubts: Remark::read_list(doubts),
    }
}

fn view(row: Recognition, holds: Recognised, files: Vec<FileView>) -> RecognitionView {
    let foreseen = row.provisional
        && matches!(row.state, RecognitionState::Proposed | RecognitionState::Waiting);
    RecognitionView {
        id: Some(row.id),
        download_id: row.download_id,
        state: if foreseen { RecognitionState::Pending } else { row.state },
        verdict: holds.verdict,
        confidence: row.confidence,
        fields: holds.fields,
        files,
        evidence: holds.evidence,
        doubts: holds.doubts,
        waiting: row.causes.into_iter().map(cause_view).collect(),
        next_look_at: row.next_look_at,
        candidate_id: row.candidate,
        chosen_by: row.chosen_by,
        provisional: row.provisional,
        asks: None,
        asks_of: None,
        created_at: Some(row.created_at),
        updated_at: Some(row.updated_at),
    }
}

fn cause_view(cause: WaitCause) -> CauseView {
    CauseView { source: cause.source, cause: cause.cause, detail: cause.detail }
}

pub(crate) fn candidate_view(row: Candidate) -> CandidateView {
    let work = row.word();
    let kind = row.work.as_ref().map(|work| work.id.kind);
    let named = || work.as_deref().and_then(|word| word.parse().ok());
    let kind = kind.or_else(|| match named() {
        Some(Pin::Work(id)) => Some(id.kind),
        _ => None,
    });
    let (original_title, overview, imdb) = match row.work {
        Some(work) => (work.original_title, work.overview, work.imdb),
        None => (None, None, None),
    };
    CandidateView {
        id: row.id,
        work,
        provider: row.source,
        kind,
        title: row.title,
        original_title,
        year: row.year,
        overview,
        imdb,
        score: row.score,
        parts: row.parts,
        excluded: row.excluded,
    }
}

pub(crate) fn hint_view(row: Hint) -> HintView {
    HintView { id: row.id, text: row.text, author: row.author, created_at: row.created_at }
}

pub(crate) fn override_view(row: Override) -> OverrideView {
    OverrideView {
        id: row.id,
        field: row.field,
        value: row.value,
        author: row.author,
        created_at: row.created_at,
        updated_at: row.updated_at,
        remembered_at: row.remembered_at,
    }
}

pub(crate) fn remembered_view(row: Remembered) -> RememberedView {
    RememberedView {
        id: row.id,
        group: row.group,
        title: row.title,
        field: row.field,
        value: row.value,
        author: row.author,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
