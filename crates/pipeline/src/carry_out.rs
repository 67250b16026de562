//! The worker that carries out wishes towards one client, until they are done.

use std::sync::Arc;

use tracing::{Instrument, info, info_span, warn};
use tracker_domain::observed::{Handle, Scope, Seen};
use tracker_domain::ports::{ClientError, Removal};
use tracker_domain::{Actor, Attention, DownloadState, InfohashSet};
use tracker_ingest::{
    MARK, Room, is_own_folder, mark_of, pause_after, room_for, still_needed, tags_of,
};
use tracker_store::{ClientTask, Download, Origin, Placement, ReadTx, StoreError, TaskKind};

use crate::Pipeline;
use crate::clients::ClientStatus;
use crate::seeding::{Holding, holding};
use crate::stage::{Stage, survive};

/// A wish that no client took for this often is given up, with a word.
const MAX_ATTEMPTS: u64 = 50;

/// So often a torrent is looked for that was sent and given up before the client
/// has shown it.
const LATE_LOOKS: u64 = 5;

/// The stage.
pub(crate) struct CarryOutStage {
    pub pipeline: Pipeline,
    pub status: Arc<ClientStatus>,
}

impl Stage for CarryOutStage {
    const NAME: &'static str = "wishes";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline, &self.status).await
    }
}

/// What a try came to.
enum Outcome {
    /// It is as wished.
    Done,
    /// What happened since has answered it; in words.
    Void(&'static str),
    /// Done but for a part that must not be; in words.
    Partly(String),
    /// Try again later; in words.
    Again(String),
}

impl From<ClientError> for Outcome {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::NotFound => Outcome::Done,
            other => Outcome::Again(other.to_string()),
        }
    }
}

pub(crate) async fn pass(pipeline: &Pipeline, status: &ClientStatus) -> Result<(), StoreError> {
    if status.online_since().is_none() {
        return Ok(());
    }
    let now = pipeline.db.clock().now();
    let due = pipeline.db.read(move |tx| tx.due_tasks(now)).await?;
    for task in due {
        let id = task.download;
        let span = info_span!("download", download_id = %id);
        let outcome = one(pipeline, status, task).instrument(span).await;
        survive(CarryOutStage::NAME, id, outcome);
    }
    Ok(())
}

async fn one(
    pipeline: &Pipeline,
    status: &ClientStatus,
    task: ClientTask,
) -> Result<(), StoreError> {
    let id = task.download;
    let (row, owned_by_another) = pipeline
        .db
        .read(move |tx| {
            let Some(row) = tx.download(id)? else { return Ok((None, false)) };
            let owned = is_owned_by_another(tx, &row)?;
            Ok::<_, StoreError>((Some(row), owned))
        })
        .await?;
    let Some(row) = row.filter(|row| status.owns(row, pipeline)) else { return Ok(()) };
    if matches!(task.kind, TaskKind::Queue(_)) && row.state == DownloadState::Queued {
        // It says who is handed over first, and the client is told after that.
        return Ok(());
    }
    let outcome = match outdated(&task, &row, owned_by_another) {
        Some(why) => Outcome::Void(why),
        None => carry_out(pipeline, status, &task, &row).await?,
    };
    settle(pipeline, task, outcome).await
}

/// Whether its torrent is another download's by now. A download that was taken out of
/// the lists goes back behind one that is done as well.
fn is_owned_by_another(tx: &ReadTx<'_>, row: &Download) -> Result<bool, StoreError> {
    let hashes: Vec<_> = row.infohashes.iter().flat_map(InfohashSet::iter).collect();
    if row.hidden_at.is_some() {
        return Ok(tx.holder_beside(row.id, hashes)?.is_some());
    }
    Ok(tx.active_owners(hashes)?.into_iter().any(|owner| owner != row.id))
}

async fn settle(pipeline: &Pipeline, task: ClientTask, outcome: Outcome) -> Result<(), StoreError> {
    // Who wished it is who causes what becomes of it.
    let actor = task.actor.clone();
    let wish = task.kind.as_str();
    match outcome {
        Outcome::Done => {
            info!(download_id = %task.download, wish, "wish carried out");
            pipeline.db.write(&actor, move |tx| tx.finish_task(&task, None)).await
        }
        Outcome::Void(why) => {
            info!(download_id = %task.download, wish, why, "wish is void");
            let told = (!is_tagging(task.kind)).then_some(why);
            end_void(pipeline, &actor, task, told.map(str::to_owned)).await
        }
        Outcome::Partly(detail) => {
            warn!(download_id = %task.download, wish, detail, "wish carried out in part");
            pipeline.db.write(&actor, move |tx| tx.finish_task(&task, Some(&detail))).await
        }
        Outcome::Again(detail) if gives_up(&task) => {
            warn!(download_id = %task.download, wish, detail, "wish given up");
            end_void(pipeline, &actor, task, Some(detail)).await
        }
        Outcome::Again(detail) => {
            pipeline
                .db
                .write(&Actor::Worker, move |tx| {
                    let attempts = task.attempts + 1;
                    let until = tx.now().plus_seconds(pause_after(attempts));
                    tx.delay_task(task.id, attempts, until, &detail)
                })
                .await
        }
    }
}

/// A choice of files waits for their list as long as the download lives.
fn gives_up(task: &ClientTask) -> bool {
    task.kind != TaskKind::Select && task.attempts + 1 >= MAX_ATTEMPTS
}

/// Ends a wish that nothing came of. One of the seeding policy is open again, and a
/// download whose torrent was not stopped is not paused either, whoever asked for it.
async fn end_void(
    pipeline: &Pipeline,
    actor: &Actor,
    task: ClientTask,
    told: Option<String>,
) -> Result<(), StoreError> {
    pipeline
        .db
        .write(actor, move |tx| {
            if is_ending(&task) {
                tx.reopen_seeding(task.download)?;
            }
            tx.finish_task(&task, told.as_deref())?;
            match told {
                Some(why) if task.kind == TaskKind::Stop => tx.drop_pause_wish(task.download, &why),
                _ => Ok(()),
            }
        })
        .await
}

const fn is_tagging(kind: TaskKind) -> bool {
    matches!(kind, TaskKind::Release | TaskKind::Claim)
}

/// Whether the wish may be one of the seeding policy: those of people have their
/// names.
fn is_ending(task: &ClientTask) -> bool {
    let ends = matches!(task.kind, TaskKind::Stop | TaskKind::Remove | TaskKind::RemoveHeld);
    ends && task.actor == Actor::Worker
}

/// Whether the world has moved on since the wish was written: a download that
/// is active again keeps its torrent, and so does a later one of the same hash.
fn outdated(task: &ClientTask, row: &Download, owned_by_another: bool) -> Option<&'static str> {
    let active = row.state.is_active();
    let done = row.state == DownloadState::Done;
    let again = Some("the download is active again");
    match task.kind {
        TaskKind::Release if active => again,
        TaskKind::Select if row.unwanted.is_none() => Some("nothing is chosen"),
        TaskKind::Claim | TaskKind::Select if !active => Some("the download has ended"),
        TaskKind::Queue(_) if row.state != DownloadState::Downloading => {
            Some("it waits for no turn any more")
        }
        // What is done may still seed.
        TaskKind::Start if !active && !done => Some("the download has ended"),
        TaskKind::Start if row.pause.is_some() => Some("the download is paused"),
        TaskKind::Stop if done && row.pause.is_none() && !is_ending(task) => {
            Some("it is not paused any more")
        }
        // An active one is stopped only by a person, or while it waits for space.
        TaskKind::Stop if active && row.pause.is_some() => None,
        TaskKind::Stop if active && row.attention == Some(Attention::DiskFull) => None,
        TaskKind::Release
        | TaskKind::Claim
        | TaskKind::Select
        | TaskKind::Queue(_)
        | TaskKind::Start => None,
        // Each kind has its line: what ends a torrent must not be the rest.
        TaskKind::Stop | TaskKind::Remove | TaskKind::RemoveData | TaskKind::RemoveHeld => {
            if active {
                again
            } else {
                owned_by_another.then_some("another download has the torrent")
            }
        }
    }
}

async fn carry_out(
    pipeline: &Pipeline,
    status: &ClientStatus,
    task: &ClientTask,
    row: &Download,
) -> Result<Outcome, StoreError> {
    let client = &status.entry.client;
    if is_tagging(task.kind) && !status.entry.policy.tags {
        return Ok(Outcome::Done);
    }
    let seen = match find(status, row).await {
        Ok(Some(seen)) => seen,
        Ok(None) if may_come(task, row) => {
            return Ok(Outcome::Again("the client does not show the torrent yet".to_owned()));
        }
        Ok(None) if task.kind == TaskKind::Release => {
            // The torrent is gone; its tag is still in the client's list.
            let dropped = client.drop_tags(&last_handle(row), &[mark_of(row.id)]).await;
            return Ok(dropped.map_or_else(Outcome::from, |()| Outcome::Done));
        }
        Ok(None) if matches!(task.kind, TaskKind::Select | TaskKind::Queue(_)) => {
            return Ok(Outcome::Again("the client does not show the torrent".to_owned()));
        }
        Ok(None) => return Ok(Outcome::Done),
        Err(error) => return Ok(error.into()),
    };
    let paused = row.pause.is_some();
    if task.kind == TaskKind::Stop && !paused && !may_stop(status, row, &seen) {
        return Ok(Outcome::Void("the torrent was in the client before"));
    }
    if task.kind == TaskKind::Start && !fits(pipeline, status, row, &seen).await? {
        return Ok(Outcome::Void("there is still too little space"));
    }
    let handle = &seen.handle;
    let unwanted = row.unwanted.clone().unwrap_or_default();
    if task.kind == TaskKind::Select && !seen.has_metadata {
        return Ok(Outcome::Again("the file list is not known yet".to_owned()));
    }
    let answer = match task.kind {
        TaskKind::Queue(end) => match client.queue(handle, end).await {
            Err(ClientError::Rejected(why)) => return Ok(Outcome::Partly(why)),
            answer => answer,
        },
        TaskKind::Select => client.select_files(handle, &unwanted).await,
        TaskKind::Release => client.drop_tags(handle, &[mark_of(row.id)]).await,
        TaskKind::Claim => client.add_tags(handle, &tags_of(row.id)).await,
        TaskKind::Stop => client.stop(handle).await,
        TaskKind::Start => client.start(handle).await,
        TaskKind::Remove => client.remove(handle, Removal::KeepData).await,
        TaskKind::RemoveData => client.remove(handle, Removal::DeleteData).await,
        TaskKind::RemoveHeld => return remove_held(pipeline, status, row, &seen).await,
    };
    Ok(answer.map_or_else(Outcome::from, |()| Outcome::Done))
}

/// Removes a torrent, and its data where libraries hold all of it now. Nobody makes
/// or removes links in between.
async fn remove_held(
    pipeline: &Pipeline,
    status: &ClientStatus,
    row: &Download,
    seen: &Seen,
) -> Result<Outcome, StoreError> {
    let _alone = pipeline.laying.lock().await;
    let (data, outcome) = match holding(pipeline, status, row, seen).await? {
        Holding::All => (Removal::DeleteData, Outcome::Done),
        Holding::Not(why) => {
            let detail = format!("the torrent was removed and its data stays: {why}");
            (Removal::KeepData, Outcome::Partly(detail))
        }
        Holding::Unknown(why) => return Ok(Outcome::Again(why)),
    };
    let answer = status.entry.client.remove(&seen.handle, data).await;
    Ok(answer.map_or_else(Outcome::from, |()| outcome))
}

/// It was sent and given up before the client has shown it: it may come yet.
fn may_come(task: &ClientTask, row: &Download) -> bool {
    let sent = row.state == DownloadState::Cancelled && row.handle.is_none() && row.attempts > 0;
    sent && task.attempts < LATE_LOOKS
}

/// What the client called the torrent when it was last seen, or would have.
fn last_handle(row: &Download) -> Handle {
    let hashes = row.infohashes.as_ref();
    let v2 = hashes.and_then(|set| set.v2()).map(|v2| v2.truncated().to_string());
    let v1 = || hashes.and_then(|set| set.v1()).map(|v1| v1.to_string());
    row.handle.clone().unwrap_or_else(|| Handle(v2.or_else(v1).unwrap_or_default()))
}

/// Only what we added is stopped, unless a person has paused it. As long as nobody
/// has looked, the torrent has to show it.
fn may_stop(status: &ClientStatus, row: &Download, seen: &Seen) -> bool {
    let policy = &status.entry.policy;
    match row.placement {
        Some(placement) => placement == Placement::Added,
        None => {
            seen.tags.iter().any(|tag| tag == MARK)
                || is_own_folder(row.id, &seen.save_path)
                || !policy.tags && !policy.own_folder
        }
    }
}

/// Whether the rest of a torrent fits; where not, the mark comes back.
async fn fits(
    pipeline: &Pipeline,
    status: &ClientStatus,
    row: &Download,
    seen: &Seen,
) -> Result<bool, StoreError> {
    let client = &*status.entry.client;
    let room = room_for(client, &pipeline.files, &seen.save_path, still_needed(seen)).await;
    let Room::Short { needed, free } = room else { return Ok(true) };
    let detail = format!("it needs {needed} bytes and {free} are free; make room and retry");
    let id = row.id;
    pipeline
        .db
        .write(&Actor::Worker, move |tx| tx.raise_attention(id, Attention::DiskFull, &detail))
        .await?
        .ok();
    Ok(false)
}

/// The torrent as the client shows it now: a stored handle may be outdated.
async fn find(status: &ClientStatus, row: &Download) -> Result<Option<Seen>, ClientError> {
    let Some(hashes) = &row.infohashes else { return Ok(None) };
    let is_it = |seen: &Seen| {
        let by_front = row.origin == Origin::Infohash
            && hashes.v1().is_some_and(|v1| seen.infohashes.is_handle(&v1));
        seen.infohashes.intersects(hashes) || by_front
    };
    let by_hash = Scope::Infohashes(hashes.iter().collect());
    let all = if status.entry.policy.tags { Scope::Ours } else { Scope::Everything };
    for scope in [by_hash, all] {
        let seen = status.entry.client.observe(&scope).await?;
        if let Some(seen) = seen.into_iter().find(is_it) {
            return Ok(Some(seen));
        }
    }
    Ok(None)
}
