//! The workers that tell media servers what has changed in the libraries, one for
//! each server, so that none waits for another.
//!
//! All of it is in memory: a restart loses what was about to be told, and the
//! server's own scan finds it. Nothing here ever keeps a batch from being applied.

mod folders;
mod health;
mod queue;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;
use tracing::{info, warn};
use tracker_domain::event::EventType;
use tracker_domain::ports::{Clock, MediaServer, MediaServerError};
use tracker_domain::{Actor, BatchId, DownloadId, EntityKind, Timestamp};
use tracker_store::{NewEvent, StoreError};

use crate::stage::Stage;
use crate::{Board, Pipeline};
pub(crate) use queue::ServerQueue;
use queue::{Due, Waiting};

/// How many folders an entry of the journal names.
const TOLD_FOLDERS: usize = 50;

/// The media servers that are told.
#[derive(Clone, Default)]
pub struct MediaServers {
    told: Vec<Arc<dyn MediaServer>>,
    /// Those that are configured and cannot be told, and why.
    faults: Vec<(String, String)>,
}

impl MediaServers {
    /// These and no others; each has a name of its own.
    #[must_use]
    pub fn new(told: Vec<Arc<dyn MediaServer>>) -> Self {
        MediaServers { told, faults: Vec::new() }
    }

    /// With one that is configured and cannot be told; health says why.
    #[must_use]
    pub fn with_fault(mut self, name: String, why: String) -> Self {
        self.faults.push((name, why));
        self
    }

    /// Tells health of those that cannot be told.
    pub(crate) fn tell_faults(&self, board: &Board, at: Timestamp) {
        for (name, why) in &self.faults {
            health::tell_fault(board, name, why, at);
        }
    }
}

impl fmt::Debug for MediaServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<&str> = self.told.iter().map(|server| server.name()).collect();
        f.debug_struct("MediaServers").field("told", &told).field("faults", &self.faults).finish()
    }
}

/// What the media servers are still to be told.
pub(crate) struct Refresh {
    queues: Vec<Arc<ServerQueue>>,
    clock: Arc<dyn Clock>,
}

impl Refresh {
    pub(crate) fn new(servers: &MediaServers, clock: Arc<dyn Clock>) -> Self {
        let queues = servers.told.iter().map(|server| Arc::new(ServerQueue::new(server.clone())));
        Refresh { queues: queues.collect(), clock }
    }

    /// Takes note that links in these folders were made or taken away; the folders
    /// are the parents of the links, in any order and number. Returns at once.
    pub(crate) fn note(
        &self,
        batch: BatchId,
        download: DownloadId,
        folders: impl IntoIterator<Item = PathBuf>,
    ) {
        if self.queues.is_empty() {
            return;
        }
        let folders = folders::to_scan(folders);
        let now = self.clock.now_ms();
        for queue in &self.queues {
            queue.note(batch, download, &folders, now);
        }
    }

    /// One queue for each server.
    pub(crate) fn queues(&self) -> impl Iterator<Item = &Arc<ServerQueue>> {
        self.queues.iter()
    }
}

/// The stage of one server.
pub(crate) struct RefreshStage {
    pub pipeline: Pipeline,
    pub queue: Arc<ServerQueue>,
}

impl Stage for RefreshStage {
    const NAME: &'static str = "refresh";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline, &self.queue).await
    }
}

/// Tells one server what is due, or looks how it does where that is not known.
pub(crate) async fn pass(pipeline: &Pipeline, queue: &ServerQueue) -> Result<(), StoreError> {
    while let Some(due) = queue.due(pipeline.db.clock().now_ms()) {
        tell(pipeline, queue, due).await?;
    }
    if queue.look_is_due(pipeline.db.clock().now_ms()) {
        look(pipeline, queue).await;
    }
    Ok(())
}

/// Asks each server for its sections once, here and now.
pub(crate) async fn examine(pipeline: &Pipeline) {
    for queue in pipeline.refresh.queues() {
        look(pipeline, queue).await;
    }
}

/// Asks for the sections and puts on the board what they show.
async fn look(pipeline: &Pipeline, queue: &ServerQueue) {
    let found = queue.server.sections().await;
    let now = pipeline.db.clock().now_ms();
    match found {
        Ok(sections) => {
            queue.looked(sections, &pipeline.libraries, now);
            health::tell_libraries(pipeline);
        }
        Err(error) => give_up(queue, queue.failed(&error, now), &error),
    }
    health::tell(&pipeline.board, queue, now.into());
}

/// One call for one batch.
async fn tell(pipeline: &Pipeline, queue: &ServerQueue, due: Due) -> Result<(), StoreError> {
    let result = queue.server.refresh(&due.folders).await;
    let now = pipeline.db.clock().now_ms();
    let outside = match result {
        Ok(()) => Vec::new(),
        Err(MediaServerError::OutsideSections { folders, roots }) => {
            let (server, folder) = (queue.server.name(), folders.first().map(|it| &it.folder));
            warn!(download_id = %due.download, batch_id = %due.batch, server, ?folder, ?roots,
                "a folder lies in no library of a media server");
            let error = MediaServerError::OutsideSections { folders: folders.clone(), roots };
            queue.found_outside(&error, &folders, now);
            folders.into_iter().map(|it| it.folder).collect()
        }
        Err(error) => {
            give_up(queue, queue.failed(&error, now), &error);
            health::tell(&pipeline.board, queue, now.into());
            return Ok(());
        }
    };
    let told = queue.told(&due, &outside);
    health::tell(&pipeline.board, queue, now.into());
    for batch in told.into_iter().filter(|batch| !batch.folders.is_empty()) {
        info!(download_id = %batch.download, batch_id = %batch.batch,
            server = queue.server.name(), folders = batch.folders.len(), "media server told");
        record(pipeline, queue.server.name(), batch).await?;
    }
    Ok(())
}

/// Says which batches the server will not be told of any more.
fn give_up(queue: &ServerQueue, lost: Vec<Waiting>, error: &MediaServerError) {
    for batch in lost {
        warn!(download_id = %batch.download, batch_id = %batch.batch,
            server = queue.server.name(), %error,
            "a media server is not told of a batch; its own scan finds it");
    }
}

/// Writes into the journal that a server was told.
async fn record(pipeline: &Pipeline, server: &str, told: Waiting) -> Result<(), StoreError> {
    let folders: Vec<&PathBuf> = told.folders.iter().take(TOLD_FOLDERS).collect();
    let data = json!({ "server": server, "folders": folders });
    let event = NewEvent::new(EventType::LibraryRefreshed, "media server told")
        .about(EntityKind::ApplyBatch, told.batch)
        .in_download(told.download)
        .with(data);
    let write = pipeline.db.write(&Actor::Worker, move |tx| tx.append_event(event));
    write.await.map(|_| ())
}
