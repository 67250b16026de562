//! The journal and the entities it speaks of.

mod tail;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tracker_domain::{DownloadId, EntityKind, EventId};
use tracker_ident::AnyId;
use tracker_store::{Db, Entity, EventFilter, StoreError};

use self::tail::Tail;
use crate::convert::{absent, entity_view, event_view};
use crate::error::AppError;
use crate::intake::{checked_limit, page_of};
use crate::requests::EventQuery;
use crate::views::{EventView, Page, StoryView};

/// So much of what belongs to an entity is told with it.
const RELATED: usize = 100;

/// So many of its entries are told with it.
const STORY: u32 = 50;

/// The entries that tell of an entity: of a download all that belong to it.
fn filter_of(entity: Entity) -> EventFilter {
    let all = EventFilter::default();
    match entity.kind {
        EntityKind::Download => EventFilter { download_id: entity.download, ..all },
        EntityKind::Job => EventFilter { job_id: Some(entity.id.typed()), ..all },
        _ => EventFilter { entity_id: Some(entity.id), ..all },
    }
}

/// The service for the journal.
#[derive(Clone)]
pub struct Journal {
    db: Db,
    /// Held by who follows, for as long as a look takes.
    tail: Arc<Mutex<Tail>>,
}

impl Journal {
    pub(crate) fn new(db: Db) -> Self {
        Journal { db, tail: Arc::default() }
    }

    /// Entries by filter, newest first.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn events(&self, query: EventQuery) -> Result<Page<EventView>, AppError> {
        let limit = checked_limit(query.limit)?;
        let filter = EventFilter {
            entity_id: query.entity_id,
            types: query.types,
            download_id: query.download_id,
            job_id: query.job_id,
            before: query.before,
            after: None,
            limit: limit + 1,
        };
        let rows = self.db.read(move |tx| tx.events(&filter)).await?;
        Ok(page_of(rows, limit, |row| row.id.any(), event_view))
    }

    /// Entries after a cursor, oldest first. Without one, nothing yet: the
    /// cursor of now is [`Journal::newest`].
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn events_after(
        &self,
        after: Option<AnyId>,
        limit: u32,
    ) -> Result<Vec<EventView>, AppError> {
        let Some(after) = after else { return Ok(Vec::new()) };
        let kept = {
            let mut tail = self.tail.lock().await;
            tail.look(&self.db).await?;
            tail.after(after, limit)
        };
        match kept {
            Some(rows) => Ok(rows),
            None => tail::after(&self.db, after, limit).await,
        }
    }

    /// A number that is another one after each entry by which somebody who was let in may
    /// be here no more ([`Access::lasts`](crate::Access::lasts)). Ask before looking at
    /// that, or an end that lands in between is missed.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn ends(&self) -> Result<u64, AppError> {
        let mut tail = self.tail.lock().await;
        tail.look(&self.db).await?;
        Ok(tail.ends())
    }

    /// The id of the newest entry.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn newest(&self) -> Result<Option<AnyId>, AppError> {
        let id = self.db.read(|tx| tx.newest_event()).await?;
        Ok(id.map(EventId::any))
    }

    /// One entry.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn event(&self, id: EventId) -> Result<EventView, AppError> {
        self.db
            .read(move |tx| match tx.event(id)? {
                Some(row) => Ok(event_view(row)),
                None => Err(absent(tx, EntityKind::Event, id)?),
            })
            .await
    }

    /// Where the entity of an id is found, with its story: the newest of what belongs
    /// to it and of what happened to it.
    ///
    /// # Errors
    /// When nothing has this id.
    pub async fn story(&self, id: AnyId) -> Result<StoryView, AppError> {
        let found = self
            .db
            .read(move |tx| {
                let Some(entity) = tx.entity(id)? else { return Ok(None) };
                let related = tx.related(entity, RELATED)?;
                let of = filter_of(entity);
                let events = tx.events(&EventFilter { limit: STORY, ..of.clone() })?;
                let first = tx.first_event(&of)?;
                Ok::<_, StoreError>(Some((entity, related, events, first)))
            })
            .await?;
        let (entity, related, events, first) = found.ok_or(AppError::NoEntity(id))?;
        Ok(StoryView {
            log_id: entity.download.map_or(entity.id, DownloadId::any),
            since: first.map(|event| event.created_at),
            until: events.first().map(|event| event.created_at),
            entity: entity_view(entity),
            related: related.into_iter().map(entity_view).collect(),
            events: events.into_iter().map(event_view).collect(),
        })
    }

    /// Returns when this process may have written something, or after `patience`, which
    /// is how long what another one writes may stay unseen.
    pub async fn changed(&self, patience: Duration) {
        let mut changes = self.db.changes();
        changes.borrow_and_update();
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep(patience) => {}
        }
    }
}
