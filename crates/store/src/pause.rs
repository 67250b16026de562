//! A person's wish that a download stands still. It is part of the row and no
//! state: where a download is does not change with it.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{DownloadId, DownloadState, Pause};

use crate::journal::NewEvent;
use crate::row::text;
use crate::tasks::TaskKind;
use crate::{StoreError, WriteTx};

/// A wish that is still to be carried out says that what the client shows is older.
const HOLD: &str = "
    UPDATE download SET pause = 'held'
    WHERE id = ?1 AND pause = 'wished'
      AND NOT EXISTS (SELECT 1 FROM client_task
                      WHERE download_id = ?1 AND kind = 'stop' AND done_at IS NULL)";

const SET_PAUSE: &str = "
    UPDATE download SET pause = ?2, revision = revision + 1, updated_at = ?3
    WHERE id = ?1 AND pause IS NOT ?2";

impl WriteTx<'_> {
    /// Writes down that a person has paused it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn pause(&mut self, id: DownloadId) -> Result<(), StoreError> {
        if self.set_pause(id, Some(Pause::Wished))? {
            self.append_event(NewEvent::of_download(
                EventType::DownloadPaused,
                id,
                "download paused",
            ))?;
        }
        Ok(())
    }

    /// Ends a pause; `why` says by what. Nothing is written where there is none.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn end_pause(&mut self, id: DownloadId, why: &str) -> Result<(), StoreError> {
        if self.set_pause(id, None)? {
            self.append_event(
                NewEvent::of_download(EventType::DownloadResumed, id, "pause ended")
                    .with(json!({ "why": why })),
            )?;
        }
        Ok(())
    }

    /// Ends a pause that no client has carried out and that none is asked for any
    /// more; `why` says what became of the wish.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn drop_pause_wish(&mut self, id: DownloadId, why: &str) -> Result<(), StoreError> {
        let wished = self.download(id)?.is_some_and(|row| row.pause == Some(Pause::Wished));
        if wished && !self.has_open_task(id, TaskKind::Stop)? {
            self.end_pause(id, why)?;
        }
        Ok(())
    }

    /// Writes down that the client has stopped it as wished, unless the wish is
    /// still on its way.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn hold_pause(&mut self, id: DownloadId) -> Result<(), StoreError> {
        self.conn().prepare_cached(HOLD)?.execute([text(id)])?;
        Ok(())
    }

    /// What becomes of a pause when a download moves: one that a client has got
    /// meanwhile is stopped there, and one that ended or begins anew has none.
    pub(crate) fn carry_pause(
        &mut self,
        id: DownloadId,
        pause: Pause,
        next: DownloadState,
    ) -> Result<(), StoreError> {
        let stays = next.is_active() && next != DownloadState::Queued;
        if !stays && next != DownloadState::Done {
            return self.set_pause(id, None).map(drop);
        }
        if next == DownloadState::Downloading && pause == Pause::Wished {
            self.add_task(id, TaskKind::Stop)?;
        }
        Ok(())
    }

    /// The winner of a merge has the torrent that the loser's pause is about.
    pub(crate) fn inherit_pause(&mut self, winner: DownloadId) -> Result<(), StoreError> {
        self.pause(winner)?;
        self.add_task(winner, TaskKind::Stop)?;
        Ok(())
    }

    fn set_pause(&mut self, id: DownloadId, pause: Option<Pause>) -> Result<bool, StoreError> {
        let now = self.now().to_string();
        let word = pause.map(Pause::as_str);
        let changed =
            self.conn().prepare_cached(SET_PAUSE)?.execute(params![text(id), word, now])?;
        Ok(changed > 0)
    }
}
