//! Words of people that hold for every release of one group and one title.
//!
//! They act only through a recognition, which takes them over as overrides of its
//! download. So what holds for a download is in its own rows, and neither a new
//! word nor a forgotten one changes what was recognised before. What a person says
//! of a download itself wins, and what they take back there is declined for good.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::entity::RememberedId;
use tracker_domain::event::EventType;
use tracker_domain::{Actor, DownloadId, EntityKind, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, parse, text};
use crate::{ReadTx, StoreError, WriteTx};

/// What the names of a release say it is one of.
#[derive(Clone, Copy, Debug)]
pub struct ReleaseKeys<'a> {
    /// Equal for releases of one group.
    pub group_key: &'a str,
    /// Equal for releases of one title.
    pub title_key: &'a str,
}

/// One row of `remembered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Its id.
    pub id: RememberedId,
    /// The group as it is written.
    pub group: String,
    /// The title as it is written.
    pub title: String,
    /// The field that is set.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so last.
    pub author: Actor,
    /// When it was remembered first.
    pub created_at: Timestamp,
    /// When it was said last.
    pub updated_at: Timestamp,
}

/// A word that is taken over for a download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedWord {
    /// The field.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so.
    pub author: Actor,
    /// When.
    pub said_at: Timestamp,
}

/// What came of remembering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remembering {
    /// How many words stand for the release now, of those that were to be.
    pub words: usize,
    /// How many are forgotten, since a person took them back.
    pub forgotten: usize,
}

pub(crate) const ALL: &str = "SELECT * FROM remembered ORDER BY group_key, title_key, field";

/// A hint may say any of what the first four fields do, in other words.
pub(crate) const OF_RELEASE: &str = "
    SELECT field, value, author, updated_at FROM remembered
    WHERE group_key = ?1 AND title_key = ?2
      AND NOT EXISTS (SELECT 1 FROM remembered_declined d
                      WHERE d.download_id = ?3 AND d.field = remembered.field)
      AND NOT EXISTS (SELECT 1 FROM override o
                      WHERE o.download_id = ?3 AND o.field = remembered.field
                        AND o.remembered_at IS NULL)
      AND NOT (field IN ('title', 'year', 'kind', 'candidate')
               AND EXISTS (SELECT 1 FROM hint h WHERE h.download_id = ?3))
    ORDER BY field";

/// Says nothing where the same is remembered already.
const SET: &str = "
    INSERT INTO remembered (id, group_key, title_key, field, value, release_group, title,
        author, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
    ON CONFLICT (group_key, title_key, field) DO UPDATE
        SET value = excluded.value, release_group = excluded.release_group,
            title = excluded.title, author = excluded.author, updated_at = excluded.updated_at
        WHERE value <> excluded.value
    RETURNING id";

impl ReadTx<'_> {
    /// Everything that is remembered, by group, title and field.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remembered(&self) -> Result<Vec<Remembered>, StoreError> {
        let mut statement = self.conn().prepare_cached(ALL)?;
        collect("remembered", statement.query([])?, read_remembered)
    }

    /// What is remembered for a release and holds for a download of it: not what a
    /// person said otherwise of the download, nor what they took back there. Who gave a
    /// hint has said what it is.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remembered_for(
        &self,
        download: DownloadId,
        release: ReleaseKeys<'_>,
    ) -> Result<Vec<RememberedWord>, StoreError> {
        let mut statement = self.conn().prepare_cached(OF_RELEASE)?;
        let keys = params![release.group_key, release.title_key, text(download)];
        collect("remembered", statement.query(keys)?, |row| {
            Ok(RememberedWord {
                field: row.plain("field")?,
                value: row.plain("value")?,
                author: row.parsed("author")?,
                said_at: row.parsed("updated_at")?,
            })
        })
    }

    /// What a download has taken over.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn taken_over(&self, download: DownloadId) -> Result<Vec<RememberedWord>, StoreError> {
        let rows = self.override_rows(download)?.into_iter();
        let taken = rows.filter_map(|row| {
            let said_at = row.remembered_at?;
            Some(RememberedWord { field: row.field, value: row.value, author: row.author, said_at })
        });
        Ok(taken.collect())
    }

    fn is_declined(&self, download: DownloadId, field: &str) -> Result<bool, StoreError> {
        let found = self
            .conn()
            .prepare_cached(
                "SELECT 1 FROM remembered_declined WHERE download_id = ?1 AND field = ?2",
            )?
            .query_row(params![text(download), field], |_| Ok(()))
            .optional()?;
        Ok(found.is_some())
    }
}

impl WriteTx<'_> {
    /// Remembers for a release what is set for a download in these fields, and forgets
    /// those of them that a person took back there. `group` and `title` are how the
    /// names write them.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn remember(
        &mut self,
        download: DownloadId,
        release: ReleaseKeys<'_>,
        (group, title): (&str, &str),
        fields: &[&str],
    ) -> Result<Remembering, StoreError> {
        let mut came_of = Remembering::default();
        for field in fields {
            if let Some(row) = self.override_of(download, field)? {
                came_of.words += 1;
                let fresh: RememberedId = self.new_id();
                let values = params![
                    text(fresh),
                    release.group_key,
                    release.title_key,
                    field,
                    row.value,
                    group,
                    title,
                    self.actor().to_string(),
                    self.now().to_string(),
                ];
                let set: Option<String> = self
                    .conn()
                    .prepare_cached(SET)?
                    .query_row(values, |row| row.get(0))
                    .optional()?;
                let Some(id) = set else { continue };
                let event = told(
                    EventType::RememberedSet,
                    "remembered for a release group",
                    parse("remembered", "id", &id)?,
                    [group, title, field, &row.value],
                );
                self.append_event(event.in_download(download))?;
            } else if self.is_declined(download, field)? {
                let known = self.remembered_field(release, field)?;
                for row in &known {
                    self.remove_remembered(row, Some(download))?;
                }
                came_of.forgotten += known.len();
            }
        }
        if came_of != Remembering::default() {
            self.touch(download)?;
        }
        Ok(came_of)
    }

    /// Forgets one word. What took it over before keeps it. Tells whether there was one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn forget(&mut self, id: RememberedId) -> Result<bool, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM remembered WHERE id = ?1")?;
        let row = collect("remembered", statement.query([text(id)])?, read_remembered)?.pop();
        drop(statement);
        let Some(row) = row else { return Ok(false) };
        self.remove_remembered(&row, None)?;
        Ok(true)
    }

    /// Makes the words that a download has taken over these, and no others.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn take_over(
        &mut self,
        download: DownloadId,
        words: &[RememberedWord],
    ) -> Result<(), StoreError> {
        let before = self.taken_over(download)?;
        for old in &before {
            if !words.iter().any(|word| word.field == old.field) {
                self.remove_override(download, &old.field)?;
            }
        }
        for word in words.iter().filter(|word| !before.contains(word)) {
            self.set_remembered(download, word)?;
        }
        Ok(())
    }

    /// Takes an override away, as a person does: what is remembered does not take its
    /// place. Tells whether there was one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn take_back_override(
        &mut self,
        download: DownloadId,
        field: &str,
    ) -> Result<bool, StoreError> {
        let removed = self.remove_override(download, field)?;
        if removed {
            self.decline(download, field)?;
        }
        Ok(removed)
    }

    /// Keeps what is remembered for a field from being taken over for a download.
    pub(crate) fn decline(&mut self, download: DownloadId, field: &str) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "INSERT INTO remembered_declined (download_id, field, created_at)
                 VALUES (?1, ?2, ?3) ON CONFLICT (download_id, field) DO NOTHING",
            )?
            .execute(params![text(download), field, self.now().to_string()])?;
        Ok(())
    }

    fn remembered_field(
        &self,
        release: ReleaseKeys<'_>,
        field: &str,
    ) -> Result<Vec<Remembered>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM remembered WHERE group_key = ?1 AND title_key = ?2 AND field = ?3",
        )?;
        let rows = statement.query([release.group_key, release.title_key, field])?;
        collect("remembered", rows, read_remembered)
    }

    fn remove_remembered(
        &mut self,
        row: &Remembered,
        download: Option<DownloadId>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("DELETE FROM remembered WHERE id = ?1")?
            .execute([text(row.id)])?;
        let event = told(
            EventType::RememberedRemoved,
            "no longer remembered for a release group",
            row.id,
            [&row.group, &row.title, &row.field, &row.value],
        );
        self.append_event(match download {
            Some(download) => event.in_download(download),
            None => event,
        })?;
        Ok(())
    }
}

fn told(
    kind: EventType,
    message: &str,
    id: RememberedId,
    [group, title, field, value]: [&str; 4],
) -> NewEvent {
    NewEvent::new(kind, message).about(EntityKind::Remembered, id).with(json!({
        "release_group": group, "title": title, "field": field, "value": value,
    }))
}

fn read_remembered(row: &Columns<'_, '_>) -> Result<Remembered, StoreError> {
    Ok(Remembered {
        id: row.parsed("id")?,
        group: row.plain("release_group")?,
        title: row.plain("title")?,
        field: row.plain("field")?,
        value: row.plain("value")?,
        author: row.parsed("author")?,
        created_at: row.parsed("created_at")?,
        updated_at: row.parsed("updated_at")?,
    })
}
