//! The journal: written in the transaction of the change it tells of, read by a
//! cursor on its ids.

mod pages;

use rusqlite::{OptionalExtension, params};
use serde_json::Value;
use tracker_domain::entity::{Event, JobId};
use tracker_domain::event::EventType;
use tracker_domain::{Actor, DownloadId, EntityKind, EventId, Timestamp};
use tracker_ident::AnyId;

use crate::row::{Columns, collect, maybe_text, text, to_json};
use crate::{ReadTx, StoreError, WriteTx};

/// One entry of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Its id; sorts by commit.
    pub id: EventId,
    /// When.
    pub created_at: Timestamp,
    /// What happened.
    pub event_type: EventType,
    /// The kind of the entity it is about.
    pub entity_kind: Option<EntityKind>,
    /// The entity it is about.
    pub entity_id: Option<AnyId>,
    /// What the entity was called then: the story outlives its entity.
    pub entity_name: Option<String>,
    /// The download it belongs to.
    pub download_id: Option<DownloadId>,
    /// The job it belongs to.
    pub job_id: Option<JobId>,
    /// Who caused it.
    pub actor: String,
    /// In words.
    pub message: String,
    /// Details, an object.
    pub data: Value,
}

/// An entry to write; the transaction gives id, time and actor.
#[derive(Clone, Debug)]
pub struct NewEvent {
    kind: EventType,
    entity: Option<(EntityKind, AnyId)>,
    entity_name: Option<String>,
    download: Option<DownloadId>,
    job: Option<JobId>,
    message: String,
    data: Value,
}

/// Which entries to read.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Only about this entity.
    pub entity_id: Option<AnyId>,
    /// Only of these types; empty is all.
    pub types: Vec<EventType>,
    /// Only of this download.
    pub download_id: Option<DownloadId>,
    /// Only of this job.
    pub job_id: Option<JobId>,
    /// Only before this id.
    pub before: Option<AnyId>,
    /// Only after this id; the answer is then oldest first.
    pub after: Option<AnyId>,
    /// At most so many.
    pub limit: u32,
}

impl NewEvent {
    /// An entry about no entity.
    #[must_use]
    pub fn new(kind: EventType, message: impl Into<String>) -> Self {
        NewEvent {
            kind,
            entity: None,
            entity_name: None,
            download: None,
            job: None,
            message: message.into(),
            data: Value::Object(serde_json::Map::new()),
        }
    }

    /// An entry about a download.
    #[must_use]
    pub fn of_download(kind: EventType, id: DownloadId, message: impl Into<String>) -> Self {
        NewEvent::new(kind, message).about(EntityKind::Download, id).in_download(id)
    }

    /// Says which entity it is about.
    #[must_use]
    pub fn about(mut self, kind: EntityKind, id: impl Into<AnyId>) -> Self {
        self.entity = Some((kind, id.into()));
        self
    }

    /// Says which download it belongs to.
    #[must_use]
    pub fn in_download(mut self, id: DownloadId) -> Self {
        self.download = Some(id);
        self
    }

    /// Says which job it belongs to.
    #[must_use]
    pub fn in_job(mut self, id: JobId) -> Self {
        self.job = Some(id);
        self
    }

    /// Keeps what the entity is called now.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.entity_name = Some(name.into());
        self
    }

    /// Adds details.
    #[must_use]
    pub fn with(mut self, data: Value) -> Self {
        self.data = data;
        self
    }
}

const INSERT: &str = "
    INSERT INTO event (id, created_at, type, entity_kind, entity_id, entity_name, download_id,
                       job_id, actor, message, data)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

/// The snapshot of a name: a subquery would hide that it is one.
const NAME_OF_DOWNLOAD: &str = "SELECT name FROM download WHERE id = ?1";

impl WriteTx<'_> {
    /// Appends an entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn append_event(&mut self, event: NewEvent) -> Result<EventId, StoreError> {
        let id: EventId = self.new_id::<Event>();
        let name = match (&event.entity_name, event.download) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(download)) => self
                .conn()
                .prepare_cached(NAME_OF_DOWNLOAD)?
                .query_row([download.to_string()], |row| row.get(0))
                .optional()?,
            (None, None) => None,
        };
        self.conn().prepare_cached(INSERT)?.execute(params![
            id.to_string(),
            self.now().to_string(),
            event.kind.as_str(),
            event.entity.map(|(kind, _)| kind.as_str()),
            event.entity.map(|(_, id)| id.to_string()),
            name,
            maybe_text(event.download),
            event.job.map(text),
            self.actor().to_string(),
            event.message,
            to_json("event.data", &event.data)?,
        ])?;
        Ok(id)
    }
}

impl ReadTx<'_> {
    /// One entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn event(&self, id: EventId) -> Result<Option<EventRow>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT * FROM event WHERE id = ?1")?;
        let rows = statement.query([id.to_string()])?;
        Ok(collect("event", rows, read_event)?.pop())
    }

    /// Who caused the last move of a download: what follows from it in the
    /// background is theirs too.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn last_mover(&self, id: DownloadId) -> Result<Option<Actor>, StoreError> {
        let actor: Option<String> = self
            .conn()
            .prepare_cached(
                "SELECT actor FROM event
                 WHERE download_id = ?1 AND entity_id = ?1 AND type = 'download.state_changed'
                 ORDER BY id DESC LIMIT 1",
            )?
            .query_row([id.to_string()], |row| row.get(0))
            .optional()?;
        actor.map(|word| crate::row::parse("event", "actor", &word)).transpose()
    }

    /// The first entry that a filter lets through.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn first_event(&self, filter: &EventFilter) -> Result<Option<EventRow>, StoreError> {
        let first = EventFilter { after: Some(AnyId::MIN), limit: 1, ..filter.clone() };
        Ok(self.events(&first)?.pop())
    }

    /// The id of the newest entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        let mut statement = self.conn().prepare_cached("SELECT max(id) FROM event")?;
        let id: Option<String> = statement.query_row([], |row| row.get(0))?;
        id.map(|found| crate::row::parse("event", "id", &found)).transpose()
    }

    /// The time of the oldest entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn oldest_entry(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut statement =
            self.conn().prepare_cached("SELECT created_at FROM event ORDER BY id LIMIT 1")?;
        let times = collect("event", statement.query([])?, |row| row.parsed("created_at"))?;
        Ok(times.into_iter().next())
    }

    /// The ids of all entries in the order in which they were committed, for
    /// checks: it reads the whole table.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn event_ids_by_commit(&self) -> Result<Vec<EventId>, StoreError> {
        // Rows are never updated or deleted in between, so the row number is
        // the order of insertion.
        let mut statement = self.conn().prepare_cached("SELECT id FROM event ORDER BY rowid")?;
        collect("event", statement.query([])?, |row| row.parsed("id"))
    }
}

fn read_event(row: &Columns<'_, '_>) -> Result<EventRow, StoreError> {
    Ok(EventRow {
        id: row.parsed("id")?,
        created_at: row.parsed("created_at")?,
        event_type: row.parsed("type")?,
        entity_kind: row.maybe("entity_kind")?,
        entity_id: row.maybe("entity_id")?,
        entity_name: row.plain("entity_name")?,
        download_id: row.maybe("download_id")?,
        job_id: row.maybe("job_id")?,
        actor: row.plain("actor")?,
        message: row.plain("message")?,
        data: row.json("data")?,
    })
}
