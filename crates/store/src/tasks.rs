//! Wishes towards a client: written with the change that caused them, carried
//! out by a worker until they are done.

use std::str::FromStr;

use rusqlite::params;
use serde_json::json;
use tracker_domain::entity::ClientTaskId;
use tracker_domain::event::EventType;
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, DownloadId, EntityKind, Timestamp};

use crate::downloads::{UnknownWord, longest_wait};
use crate::journal::NewEvent;
use crate::row::{Columns, collect, maybe_time, signed, text};
use crate::{ReadTx, StoreError, WriteTx};

/// What a client is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Take the mark of an active download off, and delete it.
    Release,
    /// Put the mark of an active download on.
    Claim,
    /// Stop the torrent.
    Stop,
    /// Start the torrent.
    Start,
    /// Want the files that a person has chosen.
    Select,
    /// Put the torrent at an end of the client's queue.
    Queue(QueueEnd),
    /// Remove the torrent and keep its data.
    Remove,
    /// Remove the torrent and its data.
    RemoveData,
    /// Remove the torrent, and its data if libraries hold all of it at that moment.
    RemoveHeld,
}

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientTask {
    /// Its id.
    pub id: ClientTaskId,
    /// The download it is about.
    pub download: DownloadId,
    /// What to do.
    pub kind: TaskKind,
    /// How often it was tried.
    pub attempts: u64,
    /// Who wished it.
    pub actor: Actor,
}

impl TaskKind {
    /// The word of the column.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskKind::Release => "release",
            TaskKind::Claim => "claim",
            TaskKind::Stop => "stop",
            TaskKind::Start => "start",
            TaskKind::Select => "select",
            TaskKind::Queue(end) => end.as_str(),
            TaskKind::Remove => "remove",
            TaskKind::RemoveData => "remove-data",
            TaskKind::RemoveHeld => "remove-held",
        }
    }
}

impl FromStr for TaskKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        [
            TaskKind::Release,
            TaskKind::Claim,
            TaskKind::Stop,
            TaskKind::Start,
            TaskKind::Select,
            TaskKind::Queue(QueueEnd::First),
            TaskKind::Queue(QueueEnd::Last),
            TaskKind::Remove,
            TaskKind::RemoveData,
            TaskKind::RemoveHeld,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == text)
        .ok_or(UnknownWord)
    }
}

impl ReadTx<'_> {
    /// The wishes that may be tried now, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn due_tasks(&self, now: Timestamp) -> Result<Vec<ClientTask>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM client_task
             WHERE done_at IS NULL AND (next_attempt_at IS NULL OR next_attempt_at <= ?1
                                        OR next_attempt_at > ?2)
             ORDER BY id",
        )?;
        let rows = statement.query([now.to_string(), longest_wait(now).to_string()])?;
        collect("client_task", rows, read_task)
    }

    /// The wishes of a download that are still to be carried out, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn open_tasks(&self, id: DownloadId) -> Result<Vec<ClientTask>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM client_task WHERE download_id = ?1 AND done_at IS NULL ORDER BY id",
        )?;
        let rows = statement.query([text(id)])?;
        collect("client_task", rows, read_task)
    }

    /// Whether such a wish of a download is still to be carried out.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn has_open_task(&self, id: DownloadId, kind: TaskKind) -> Result<bool, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM client_task
             WHERE download_id = ?1 AND kind = ?2 AND done_at IS NULL)",
        )?;
        Ok(statement.query_row([text(id), kind.as_str().to_owned()], |row| row.get(0))?)
    }
}

impl WriteTx<'_> {
    /// Writes a wish down.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_task(
        &mut self,
        download: DownloadId,
        kind: TaskKind,
    ) -> Result<ClientTaskId, StoreError> {
        let id: ClientTaskId = self.new_id();
        self.conn()
            .prepare_cached(
                "INSERT INTO client_task (id, download_id, kind, delete_data, attempts, actor,
                                          created_at)
                 VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6)",
            )?
            .execute(params![
                text(id),
                text(download),
                kind.as_str(),
                matches!(kind, TaskKind::RemoveData | TaskKind::RemoveHeld),
                self.actor().to_string(),
                self.now().to_string(),
            ])?;
        // The mark is bookkeeping; what a person would notice is journalled.
        if !matches!(kind, TaskKind::Release | TaskKind::Claim) {
            self.append_event(
                NewEvent::new(EventType::ClientTaskCreated, "wish to the client written")
                    .about(EntityKind::ClientTask, id)
                    .in_download(download)
                    .with(json!({ "kind": kind.as_str() })),
            )?;
        }
        Ok(id)
    }

    /// Marks a wish as carried out, or as given up with a reason.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn finish_task(
        &mut self,
        task: &ClientTask,
        given_up: Option<&str>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE client_task SET done_at = ?2, detail = ?3 WHERE id = ?1")?
            .execute(params![text(task.id), self.now().to_string(), given_up])?;
        if matches!(task.kind, TaskKind::Release | TaskKind::Claim) && given_up.is_none() {
            return Ok(());
        }
        let (kind, message) = if given_up.is_none() {
            (EventType::ClientTaskDone, "wish to the client carried out")
        } else {
            (EventType::ClientTaskFailed, "wish to the client given up")
        };
        self.append_event(
            NewEvent::new(kind, message)
                .about(EntityKind::ClientTask, task.id)
                .in_download(task.download)
                .with(json!({ "kind": task.kind.as_str(), "detail": given_up })),
        )?;
        Ok(())
    }

    /// Puts a wish off.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn delay_task(
        &mut self,
        id: ClientTaskId,
        attempts: u64,
        until: Timestamp,
        detail: &str,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE client_task SET attempts = ?2, next_attempt_at = ?3, detail = ?4
                 WHERE id = ?1",
            )?
            .execute(params![text(id), signed(attempts), maybe_time(Some(until)), detail])?;
        Ok(())
    }
}

fn read_task(row: &Columns<'_, '_>) -> Result<ClientTask, StoreError> {
    Ok(ClientTask {
        id: row.parsed("id")?,
        download: row.parsed("download_id")?,
        kind: row.parsed("kind")?,
        attempts: row.unsigned("attempts")?,
        actor: row.parsed("actor")?,
    })
}
