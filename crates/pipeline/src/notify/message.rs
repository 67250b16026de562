//! From the journal to the next message of a receiver: by type, then quiet hours,
//! then grouping.

use tracker_domain::event::EventType;
use tracker_domain::notify::NotifyRules;
use tracker_domain::ports::Notice;
use tracker_domain::{DownloadId, EventId};
use tracker_store::{EventRow, ReadTx, StoreError};

use super::behind;
use crate::Pipeline;

/// What a receiver is told next.
pub(super) enum Next {
    /// Nothing up to this entry; `None` at the end of the journal.
    Nothing { until: Option<EventId> },
    /// Something, but not now.
    Later,
    /// This.
    Found(Found),
}

/// A message, and the last entry that it settles.
pub(super) struct Found {
    pub notice: Notice,
    pub until: EventId,
}

/// A wanted entry, and the season that it is about.
struct Wanted {
    event: EventRow,
    season: Option<String>,
}

pub(super) async fn next(
    pipeline: &Pipeline,
    name: &str,
    rules: &NotifyRules,
    from: EventId,
) -> Result<Next, StoreError> {
    let (own, rules) = (name.to_owned(), rules.clone());
    let groups = rules.group_seconds > 0;
    let wants = rules.clone();
    let (until, wanted) = pipeline
        .db
        .read(move |tx| {
            let events = tx.events(&behind(from))?;
            let until = events.last().map(|event| event.id);
            let mut wanted: Vec<Wanted> = Vec::new();
            for event in events.into_iter().filter(|event| wants.want(event.event_type)) {
                let is_about_us = event.entity_name.as_deref() == Some(own.as_str());
                if is_about_us && is_of_telling(event.event_type) {
                    continue;
                }
                let season = match event.download_id {
                    Some(id) if groups => season_of(tx, id)?,
                    _ => None,
                };
                let joins = wanted.first().is_none_or(|first| {
                    first.season.is_some()
                        && first.season == season
                        && first.event.event_type == event.event_type
                });
                if !joins {
                    break;
                }
                wanted.push(Wanted { event, season });
                if !groups {
                    break;
                }
            }
            Ok::<_, StoreError>((until, wanted))
        })
        .await?;
    let now = pipeline.db.clock().now();
    let Some(first) = wanted.first() else { return Ok(Next::Nothing { until }) };
    if rules.are_quiet(now) {
        return Ok(Next::Later);
    }
    if first.season.is_some() && rules.gather(first.event.created_at, now) {
        return Ok(Next::Later);
    }
    let until = wanted.last().map_or(first.event.id, |last| last.event.id);
    Ok(Next::Found(Found { notice: together(&wanted, first), until }))
}

/// Whether it is about a receiver. It cannot be told that it cannot be told, and of a
/// test it knows.
fn is_of_telling(kind: EventType) -> bool {
    matches!(
        kind,
        EventType::NotificationFailed
            | EventType::NotificationRetried
            | EventType::NotificationTested
    )
}

/// The message about one entry.
pub(super) fn of(event: &EventRow) -> Notice {
    Notice {
        first: event.id,
        rest: Vec::new(),
        kind: event.event_type,
        at: event.created_at,
        entity: event.entity_kind.zip(event.entity_id),
        download_id: event.download_id,
        name: event.entity_name.clone(),
        message: event.message.clone(),
    }
}

fn together(wanted: &[Wanted], first: &Wanted) -> Notice {
    let mut notice = of(&first.event);
    notice.rest = wanted.iter().skip(1).map(|one| one.event.id).collect();
    if let (Some(season), false) = (&first.season, notice.rest.is_empty()) {
        notice.name = Some(season.clone());
        notice.message = format!("{} ({} times)", notice.message, notice.count());
    }
    notice
}

/// The season of a series that a download is taken for, in words.
fn season_of(tx: &ReadTx<'_>, id: DownloadId) -> Result<Option<String>, StoreError> {
    let Some(recognition) = tx.recognition_of(id)? else { return Ok(None) };
    let fields = recognition.fields;
    let (Some(title), [season]) = (fields.title, fields.seasons.as_slice()) else {
        return Ok(None);
    };
    Ok(Some(format!("{title} S{season:02}")))
}
