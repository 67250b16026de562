//! What people said of a download: hints and overrides.

use rusqlite::params;
use serde_json::json;
use tracker_domain::entity::{HintId, OverrideId};
use tracker_domain::event::EventType;
use tracker_domain::{DownloadId, EntityKind};

use crate::journal::NewEvent;
use crate::row::text;
use crate::{ReadTx, StoreError, WriteTx};

impl ReadTx<'_> {
    /// The hints of a download, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn hints(&self, id: DownloadId) -> Result<Vec<String>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT text FROM hint WHERE download_id = ?1 ORDER BY id")?;
        let rows = statement.query_map([text(id)], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The overrides of a download, by field.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn overrides(&self, id: DownloadId) -> Result<Vec<(String, String)>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT field, value FROM override WHERE download_id = ?1 ORDER BY field",
        )?;
        let rows = statement.query_map([text(id)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl WriteTx<'_> {
    /// Adds a hint.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_hint(&mut self, download: DownloadId, words: &str) -> Result<HintId, StoreError> {
        let id: HintId = self.new_id();
        self.conn()
            .prepare_cached(
                "INSERT INTO hint (id, download_id, text, created_at) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![text(id), text(download), words, self.now().to_string()])?;
        self.append_event(
            NewEvent::new(EventType::HintAdded, "hint added")
                .about(EntityKind::Hint, id)
                .in_download(download)
                .with(json!({ "text": words })),
        )?;
        Ok(id)
    }

    /// Sets an override; the latest word wins.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_override(
        &mut self,
        download: DownloadId,
        field: &str,
        value: &str,
    ) -> Result<(), StoreError> {
        let fresh: OverrideId = self.new_id();
        let id: String = self
            .conn()
            .prepare_cached(
                "INSERT INTO override (id, download_id, field, value, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (download_id, field) DO UPDATE SET value = excluded.value
                 RETURNING id",
            )?
            .query_row(
                params![text(fresh), text(download), field, value, self.now().to_string()],
                |row| row.get(0),
            )?;
        let id: OverrideId = crate::row::parse("override", "id", &id)?;
        self.append_event(
            NewEvent::new(EventType::OverrideSet, "override set")
                .about(EntityKind::Override, id)
                .in_download(download)
                .with(json!({ "field": field, "value": value })),
        )?;
        Ok(())
    }

    /// Gives the winner of a merge the loser's hints, and the overrides that it
    /// lacks. Tells the fields in which the two differ.
    pub(crate) fn take_words_of(
        &mut self,
        winner: DownloadId,
        loser: DownloadId,
    ) -> Result<Vec<String>, StoreError> {
        let known = self.hints(winner)?;
        for hint in self.hints(loser)? {
            if !known.contains(&hint) {
                self.add_hint(winner, &hint)?;
            }
        }
        let mine = self.overrides(winner)?;
        let mut differing = Vec::new();
        for (field, value) in self.overrides(loser)? {
            match mine.iter().find(|(name, _)| *name == field) {
                None => self.set_override(winner, &field, &value)?,
                Some((_, kept)) if *kept != value => differing.push(field),
                Some(_) => {}
            }
        }
        Ok(differing)
    }
}
