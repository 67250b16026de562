//! The worker that takes in what a person drops into the watch folder.
//!
//! A file is claimed, then accepted, then filed away: whatever ends the process in
//! between leaves a claim, and taking that in again finds the same download.

mod contents;
mod memory;

use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::spawn_blocking;
use tracing::{error, info, warn};
use tracker_domain::health::{Check, Level};
use tracker_domain::ports::{Drawer, Dropped, FilesError, Held, WatchFolder};
use tracker_domain::torrent::MAX_TORRENT_BYTES;
use tracker_domain::{Actor, UnixMillis};
use tracker_ingest::{NewIntake, accept};
use tracker_store::StoreError;

use crate::Pipeline;
use crate::stage::Stage;
use contents::{Contents, Sort, Source};
use memory::Memory;

/// The code of its checks.
const CODE: &str = "watch-folder";

/// So many files are named in health; the others are counted.
const MOST_NAMED: usize = 5;

/// The stage.
pub(crate) struct WatchFolderStage {
    pipeline: Pipeline,
    folder: Arc<dyn WatchFolder>,
    memory: Mutex<Memory>,
}

impl Stage for WatchFolderStage {
    const NAME: &'static str = "watch-folder";

    async fn pass(&self) -> Result<(), StoreError> {
        let now = self.pipeline.db.clock().now_ms();
        if !self.with_memory(|memory| memory.may_look(now)) {
            return Ok(());
        }
        let found = match look(&self.pipeline, &self.folder).await {
            Ok(found) => found,
            Err(cause) => {
                if self.with_memory(|memory| memory.folder_is_away(&cause)) {
                    warn!(error = cause, "the watch folder cannot be used");
                }
                return Ok(());
            }
        };
        for file in self.with_memory(|memory| memory.ready(&found, now)) {
            self.one(&file, now).await;
        }
        self.tell_what_is_left();
        Ok(())
    }
}

impl WatchFolderStage {
    pub fn new(pipeline: Pipeline, folder: Arc<dyn WatchFolder>) -> Self {
        WatchFolderStage { pipeline, folder, memory: Mutex::default() }
    }

    fn with_memory<T>(&self, body: impl FnOnce(&mut Memory) -> T) -> T {
        body(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// One file, from its opening to its drawer. What goes wrong is told once and
    /// keeps none of the others waiting.
    async fn one(&self, file: &Dropped, now: UnixMillis) {
        let trouble = match self.take(file, now).await {
            Ok(()) => return,
            Err(Trouble::Folder(cause)) => cause.to_string(),
            Err(Trouble::Store(cause)) => {
                error!(file = ?file.name, error = %cause, "a dropped file could not be accepted");
                cause.to_string()
            }
            Err(Trouble::BrokeOff) => "looking at it broke off".to_owned(),
        };
        if self.with_memory(|memory| memory.put_off(file, &trouble, now)) {
            warn!(file = ?file.name, error = trouble, "a dropped file is left where it is");
        }
    }

    async fn take(&self, file: &Dropped, now: UnixMillis) -> Result<(), Trouble> {
        let folder = Arc::clone(&self.folder);
        let opening = file.clone();
        let opened = on_disk(move || folder.open(&opening, MAX_TORRENT_BYTES)).await?;
        let Some(mut held) = opened else { return Ok(()) };
        let Some(sort) = Sort::of(&file.name) else { return Ok(()) };
        let contents = Contents::read(sort, held.bytes());
        // A claim was found whole or waited for before it was made.
        if contents.may_grow() && !file.claimed && self.with_memory(|m| m.may_grow(file, now)) {
            return Ok(());
        }
        let (held, claimed) = on_disk(move || {
            let claimed = held.claim()?;
            Ok((held, claimed))
        })
        .await?;
        if claimed { self.accept(held, contents, file).await } else { Ok(()) }
    }

    /// Accepts what is in a claimed file, and files it away.
    async fn accept(
        &self,
        held: Box<dyn Held>,
        contents: Contents,
        file: &Dropped,
    ) -> Result<(), Trouble> {
        // What was accepted and could not be filed away is not accepted again: the
        // download may have ended since.
        let sources = if self.with_memory(|memory| memory.is_accepted(file)) {
            Vec::new()
        } else {
            contents.sources()
        };
        for source in sources {
            let mut intake = match source {
                Source::Torrent(torrent) => NewIntake::of_torrent(torrent),
                Source::Link(magnet) => NewIntake::of_magnet(magnet),
            };
            intake.dropped_file = Some(file.name.to_string_lossy().into_owned());
            let default = self.pipeline.clients.default_client();
            intake.default_client = default.map(|entry| entry.name.clone());
            accept(&self.pipeline.db, intake, &Actor::System).await.map_err(Trouble::Store)?;
        }
        self.with_memory(|memory| memory.accepted(file));
        let reason = contents.reason();
        let told = reason.clone();
        let place = on_disk(move || {
            held.file_away(told.as_deref().map_or(Drawer::Processed, Drawer::Rejected))
        })
        .await?;
        match reason {
            None => info!(file = ?file.name, place, "a dropped file was taken in"),
            Some(reason) => {
                warn!(file = ?file.name, place, reason = reason.trim_end(),
                    "a dropped file was rejected");
            }
        }
        Ok(())
    }

    /// Puts the files that cannot be taken in on the board.
    fn tell_what_is_left(&self) {
        let left = self.with_memory(|memory| memory.left());
        if left.is_empty() {
            return;
        }
        let named: Vec<String> =
            left.iter().take(MOST_NAMED).map(|(name, why)| format!("{name:?}: {why}")).collect();
        let check = Check {
            code: CODE,
            subject: self.folder.place(),
            level: Level::Warning,
            detail: format!("{} files cannot be taken in: {}", left.len(), named.join("; ")),
            remedy: "let the user that runs tracker read and move the files".to_owned(),
            checked_at: self.pipeline.db.clock().now(),
        };
        self.pipeline.board.set_checks(CODE, "", vec![check]);
    }
}

/// Why a file stays where it is.
enum Trouble {
    Folder(FilesError),
    Store(StoreError),
    BrokeOff,
}

/// Work on files off the async threads.
async fn on_disk<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, FilesError> + Send + 'static,
) -> Result<T, Trouble> {
    match spawn_blocking(job).await {
        Ok(done) => done.map_err(Trouble::Folder),
        Err(_) => Err(Trouble::BrokeOff),
    }
}

/// Looks at the folder alone, for health.
pub(crate) async fn examine(pipeline: &Pipeline) {
    if let Some(folder) = &pipeline.policy.watch_folder {
        // What is wrong with it stands on the board.
        let _ = look(pipeline, folder).await;
    }
}

/// The files in the folder; what is wrong with the folder goes on the board.
async fn look(pipeline: &Pipeline, folder: &Arc<dyn WatchFolder>) -> Result<Vec<Dropped>, String> {
    let looking = Arc::clone(folder);
    let wanted = |name: &OsStr| Sort::of(name).is_some();
    let found = match on_disk(move || looking.look(&wanted)).await {
        Ok(found) => Ok(found),
        Err(Trouble::Folder(cause)) => Err(cause.to_string()),
        Err(Trouble::Store(_) | Trouble::BrokeOff) => Err("looking at it broke off".to_owned()),
    };
    let checks = found.as_ref().err().map(|cause| Check {
        code: CODE,
        subject: folder.place(),
        level: Level::Error,
        detail: cause.clone(),
        remedy: "mount the disk or make the folder, and let the user that runs tracker write \
                 into it; it is never made by itself"
            .to_owned(),
        checked_at: pipeline.db.clock().now(),
    });
    pipeline.board.set_checks(CODE, "", checks.into_iter().collect());
    found
}
