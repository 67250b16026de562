//! What people said of a download: hints and overrides. Each is a change of the
//! download, so its revision rises.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::entity::{HintId, OverrideId};
use tracker_domain::event::EventType;
use tracker_domain::{Actor, DownloadId, EntityKind, Timestamp};

use crate::journal::NewEvent;
use crate::remembered::RememberedWord;
use crate::row::{Columns, collect, maybe_time, parse, text};
use crate::{ReadTx, StoreError, WriteTx};

/// The override that names the work: a pin, an override and the choice of a
/// candidate are one and the same row, so the latest word wins.
pub(crate) const CANDIDATE: &str = "candidate";

/// The override that gives a title, also where the names have none.
pub(crate) const TITLE: &str = "title";

/// The override that says where the links go, and nothing of what it is.
const LIBRARY: &str = "library";

/// One row of `hint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Its id.
    pub id: HintId,
    /// The words.
    pub text: String,
    /// Who said them; the system, where nobody wrote that down.
    pub author: Actor,
    /// When.
    pub created_at: Timestamp,
}

/// One row of `override`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Its id.
    pub id: OverrideId,
    /// The field that is set.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so last; the system, where nobody wrote that down.
    pub author: Actor,
    /// When the field was set first.
    pub created_at: Timestamp,
    /// When it was set last.
    pub updated_at: Timestamp,
    /// When the author said so of another release of the same group and title;
    /// `None` where it was said of this download.
    pub remembered_at: Option<Timestamp>,
}

const OVERRIDES: &str = "SELECT * FROM override WHERE download_id = ?1 ORDER BY field";

const OVERRIDE: &str = "SELECT * FROM override WHERE download_id = ?1 AND field = ?2";

const SET_OVERRIDE: &str = "
    INSERT INTO override (id, download_id, field, value, author, created_at, updated_at,
        remembered_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
    ON CONFLICT (download_id, field) DO UPDATE
        SET value = excluded.value, author = excluded.author, updated_at = excluded.updated_at,
            remembered_at = excluded.remembered_at
    RETURNING id";

impl ReadTx<'_> {
    /// The words of the hints of a download, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn hints(&self, id: DownloadId) -> Result<Vec<String>, StoreError> {
        Ok(self.hint_rows(id)?.into_iter().map(|hint| hint.text).collect())
    }

    /// The hints of a download with who gave them, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn hint_rows(&self, id: DownloadId) -> Result<Vec<Hint>, StoreError> {
        let mut statement =
            self.conn().prepare_cached("SELECT * FROM hint WHERE download_id = ?1 ORDER BY id")?;
        collect("hint", statement.query([text(id)])?, read_hint)
    }

    /// The fields and values of the overrides of a download, by field.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn overrides(&self, id: DownloadId) -> Result<Vec<(String, String)>, StoreError> {
        Ok(self.override_rows(id)?.into_iter().map(|row| (row.field, row.value)).collect())
    }

    /// The overrides of a download with who set them, by field.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn override_rows(&self, id: DownloadId) -> Result<Vec<Override>, StoreError> {
        let mut statement = self.conn().prepare_cached(OVERRIDES)?;
        collect("override", statement.query([text(id)])?, read_override)
    }

    /// The override of one field.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn override_of(&self, id: DownloadId, field: &str) -> Result<Option<Override>, StoreError> {
        let mut statement = self.conn().prepare_cached(OVERRIDE)?;
        let rows = statement.query(params![text(id), field])?;
        Ok(collect("override", rows, read_override)?.pop())
    }
}

impl WriteTx<'_> {
    /// Adds a hint; its author is who the transaction is of.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_hint(&mut self, download: DownloadId, words: &str) -> Result<HintId, StoreError> {
        let author = self.actor().clone();
        self.add_hint_of(download, words, &author)
    }

    fn add_hint_of(
        &mut self,
        download: DownloadId,
        words: &str,
        author: &Actor,
    ) -> Result<HintId, StoreError> {
        let id: HintId = self.new_id();
        self.conn()
            .prepare_cached(
                "INSERT INTO hint (id, download_id, text, author, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                text(id),
                text(download),
                words,
                author.to_string(),
                self.now().to_string()
            ])?;
        self.touch(download)?;
        self.append_event(
            NewEvent::new(EventType::HintAdded, "hint added")
                .about(EntityKind::Hint, id)
                .in_download(download)
                .with(json!({ "text": words, "author": author.to_string() })),
        )?;
        Ok(id)
    }

    /// Sets an override; the latest word wins, and its author is who the
    /// transaction is of.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_override(
        &mut self,
        download: DownloadId,
        field: &str,
        value: &str,
    ) -> Result<(), StoreError> {
        let author = self.actor().clone();
        self.set_override_of(download, field, value, &author)
    }

    fn set_override_of(
        &mut self,
        download: DownloadId,
        field: &str,
        value: &str,
        author: &Actor,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "DELETE FROM remembered_declined WHERE download_id = ?1 AND field = ?2",
            )?
            .execute(params![text(download), field])?;
        let told = NewEvent::new(EventType::OverrideSet, "override set");
        let data = json!({ "field": field, "value": value, "author": author.to_string() });
        self.write_override(download, (field, value, author), None, told.with(data))
    }

    /// Sets an override to what is remembered of another release.
    pub(crate) fn set_remembered(
        &mut self,
        download: DownloadId,
        word: &RememberedWord,
    ) -> Result<(), StoreError> {
        let RememberedWord { field, value, author, said_at } = word;
        let told = NewEvent::new(EventType::OverrideSet, "override set as it is remembered");
        let data = json!({
            "field": field, "value": value, "author": author.to_string(),
            "remembered_at": said_at.to_string(),
        });
        self.write_override(download, (field, value, author), Some(*said_at), told.with(data))
    }

    fn write_override(
        &mut self,
        download: DownloadId,
        (field, value, author): (&str, &str, &Actor),
        remembered_at: Option<Timestamp>,
        event: NewEvent,
    ) -> Result<(), StoreError> {
        let fresh: OverrideId = self.new_id();
        let id: String = self.conn().prepare_cached(SET_OVERRIDE)?.query_row(
            params![
                text(fresh),
                text(download),
                field,
                value,
                author.to_string(),
                self.now().to_string(),
                maybe_time(remembered_at),
            ],
            |row| row.get(0),
        )?;
        let id: OverrideId = parse("override", "id", &id)?;
        self.touch(download)?;
        self.append_event(event.about(EntityKind::Override, id).in_download(download))?;
        Ok(())
    }

    /// Takes an override away. Tells whether there was one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remove_override(
        &mut self,
        download: DownloadId,
        field: &str,
    ) -> Result<bool, StoreError> {
        let removed: Option<(String, String)> = self
            .conn()
            .prepare_cached(
                "DELETE FROM override WHERE download_id = ?1 AND field = ?2 RETURNING id, value",
            )?
            .query_row(params![text(download), field], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((id, value)) = removed else { return Ok(false) };
        let id: OverrideId = parse("override", "id", &id)?;
        self.touch(download)?;
        self.append_event(
            NewEvent::new(EventType::OverrideRemoved, "override removed")
                .about(EntityKind::Override, id)
                .in_download(download)
                .with(json!({ "field": field, "value": value })),
        )?;
        Ok(true)
    }

    /// Gives the winner of a merge the loser's hints, and the overrides that it
    /// lacks, each with its author. What it was taken for without them is asked
    /// again, unless a person decided on it. Tells the fields in which the two
    /// differ.
    pub(crate) fn take_words_of(
        &mut self,
        winner: DownloadId,
        loser: DownloadId,
    ) -> Result<Vec<String>, StoreError> {
        let known = self.hints(winner)?;
        let mut learned = false;
        for hint in self.hint_rows(loser)? {
            if !known.contains(&hint.text) {
                self.add_hint_of(winner, &hint.text, &hint.author)?;
                learned = true;
            }
        }
        let said_of = |row: &Override| row.remembered_at.is_none();
        let mine: Vec<_> = self.override_rows(winner)?.into_iter().filter(said_of).collect();
        let mut differing = Vec::new();
        let theirs = self.override_rows(loser)?.into_iter().filter(said_of);
        for Override { field, value, author, .. } in theirs {
            match mine.iter().find(|row| row.field == field).map(|row| &row.value) {
                None => {
                    self.set_override_of(winner, &field, &value, &author)?;
                    learned |= field != LIBRARY;
                }
                Some(kept) if *kept != value => differing.push(field),
                Some(_) => {}
            }
        }
        if learned && self.recognition_of(winner)?.is_some() {
            self.supersede_recognitions(winner)?;
        }
        Ok(differing)
    }
}

fn read_hint(row: &Columns<'_, '_>) -> Result<Hint, StoreError> {
    Ok(Hint {
        id: row.parsed("id")?,
        text: row.plain("text")?,
        author: row.maybe("author")?.unwrap_or(Actor::System),
        created_at: row.parsed("created_at")?,
    })
}

fn read_override(row: &Columns<'_, '_>) -> Result<Override, StoreError> {
    let created_at: Timestamp = row.parsed("created_at")?;
    Ok(Override {
        id: row.parsed("id")?,
        field: row.plain("field")?,
        value: row.plain("value")?,
        author: row.maybe("author")?.unwrap_or(Actor::System),
        created_at,
        updated_at: row.maybe("updated_at")?.unwrap_or(created_at),
        remembered_at: row.maybe("remembered_at")?,
    })
}
