//! The journal as it grows: server-sent events.
//!
//! What is sent are rows, read by their id after the last one sent; the wake-up
//! only says that looking is worth it. So nothing is lost when a wake-up is, and
//! a reader that comes back with its last id meets no gap and no duplicate.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use futures::stream::unfold;
use tracing::error;
use tracker_app::{Admission, AppError, EventView, FieldError, Journal, Lasts};
use tracker_domain::observed::Progress;
use tracker_domain::{DownloadId, Timestamp};
use tracker_ident::AnyId;
use tracker_wire::{EventDto, TickDto};

use crate::extract::Params;
use crate::openapi::{LastEventId, StreamRefusals};
use crate::problem::Problem;
use crate::queries::NoQuery;
use crate::shared::Shared;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Rows read at once; a reader that is slow holds no more than these.
const BATCH: u32 = 200;
/// How long a lost wake-up may delay an event.
const PATIENCE: Duration = Duration::from_secs(1);
/// Comments that tell proxies and readers that the connection lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Entries of the journal as they are written, oldest first.
///
/// `id` is the id of the entry, `event` its type, `data` the entry as JSON. With
/// `Last-Event-ID` it goes on after that one, else it starts now. In between, an
/// event `progress` without an id tells the transfers that moved since the last one: a
/// list of `download_id` and `progress`. It is of the moment and never sent again.
#[utoipa::path(
    get,
    path = "/api/v1/events/stream",
    operation_id = "stream_events",
    tag = "events",
    params(LastEventId),
    responses(
        (
            status = 200,
            description = "Ends when the program does, and with the access that it was opened by.",
            body = String,
            content_type = "text/event-stream"
        ),
        StreamRefusals
    )
)]
pub(crate) async fn stream(
    State(shared): State<Shared>,
    Extension(admission): Extension<Admission>,
    Params(NoQuery): Params<NoQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    streamed(shared, admission, &headers, Name::Type).await
}

/// The same for pages, which look again at whatever happened: every entry is a `fact`.
pub(crate) async fn facts(
    State(shared): State<Shared>,
    Extension(admission): Extension<Admission>,
    Params(NoQuery): Params<NoQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    streamed(shared, admission, &headers, Name::Fact).await
}

/// What an entry is called in a stream.
#[derive(Clone, Copy)]
enum Name {
    /// Its type.
    Type,
    /// One word for all.
    Fact,
}

async fn streamed(
    shared: Shared,
    admission: Admission,
    headers: &HeaderMap,
    name: Name,
) -> Result<Response, Problem> {
    let after = match last_event_id(headers)? {
        Some(id) => id,
        None => shared.app.journal.newest().await?.unwrap_or_else(before_all),
    };
    let start = Reading {
        stay: Stay { admission, ends: None, until: None },
        shared,
        after,
        rows: VecDeque::new(),
        greeted: false,
        shown: HashMap::new(),
    };
    let alive = KeepAlive::new().interval(HEARTBEAT).text("alive");
    let unbuffered = [(HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((unbuffered, Sse::new(entries(start, name)).keep_alive(alive)).into_response())
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<AnyId>, Problem> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    text.parse().map(Some).map_err(|error| {
        let detail = format!("this is no id: {error}");
        Problem::fields(vec![FieldError::query("Last-Event-ID", detail)])
    })
}

/// The id below every other: where the reader of an empty journal stands.
fn before_all() -> AnyId {
    "0".repeat(26).parse().expect("26 zeros are an id")
}

/// Where a reader is.
struct Reading {
    stay: Stay,
    shared: Shared,
    after: AnyId,
    rows: VecDeque<EventView>,
    greeted: bool,
    /// The progress that was shown last.
    shown: HashMap<DownloadId, Progress>,
}

/// What is sent next.
enum Next {
    Row(Box<EventView>),
    Ticks(Vec<TickDto>),
}

fn entries(start: Reading, name: Name) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    unfold(start, move |mut reading| async move {
        if !reading.greeted {
            // Gets the headers through proxies that wait for a first byte.
            reading.greeted = true;
            return Some((Ok(Event::default().comment("open")), reading));
        }
        let event = match reading.next().await? {
            Next::Row(row) => {
                reading.after = row.id.any();
                written(*row, name)?
            }
            Next::Ticks(ticks) => told(&ticks)?,
        };
        Some((Ok(event), reading))
    })
}

/// How long a reader may stay. Whether it may is asked again when the journal tells that
/// somebody may not, and when its time is over: most looks cost the database nothing.
struct Stay {
    admission: Admission,
    /// The mark of the journal at the last look; `None` before the first one.
    ends: Option<u64>,
    until: Option<Timestamp>,
}

impl Stay {
    /// Whether the reader may still be here.
    async fn lasts(&mut self, shared: &Shared) -> Result<bool, AppError> {
        let ends = shared.app.journal.ends().await?;
        let is_over = self.until.is_some_and(|until| shared.clock.now() >= until);
        if self.ends == Some(ends) && !is_over {
            return Ok(true);
        }
        self.until = match shared.app.access.lasts(self.admission).await? {
            Lasts::NoMore => return Ok(false),
            Lasts::Until(until) => Some(until),
            Lasts::UntilEnded => None,
        };
        self.ends = Some(ends);
        Ok(true)
    }
}

impl Reading {
    /// What is next; `None` at the stop, at the end of the access, or when the journal
    /// cannot be read.
    async fn next(&mut self) -> Option<Next> {
        let stop = self.shared.stop.clone();
        loop {
            if stop.is_cancelled() || !self.may_stay().await {
                return None;
            }
            if let Some(row) = self.rows.pop_front() {
                return Some(Next::Row(Box::new(row)));
            }
            // Only when all that is written was sent: an entry goes before a tick.
            let ticks = self.moved();
            if !ticks.is_empty() {
                return Some(Next::Ticks(ticks));
            }
            tokio::select! {
                () = stop.cancelled() => return None,
                more = more(&self.shared.app.journal, self.after) => self.rows = more?.into(),
            }
        }
    }
}

impl Reading {
    async fn may_stay(&mut self) -> bool {
        self.stay.lasts(&self.shared).await.unwrap_or_else(|error| {
            error!(error = %error, "whether a reader may stay cannot be read");
            false
        })
    }

    /// The transfers that moved since they were shown.
    fn moved(&mut self) -> Vec<TickDto> {
        let now = self.shared.app.ops.progress();
        let moved = now.iter().filter(|(id, progress)| self.shown.get(id) != Some(progress));
        let ticks = moved
            .map(|(id, progress)| TickDto {
                download_id: id.to_string(),
                progress: (*progress).into(),
            })
            .collect();
        self.shown = now.into_iter().collect();
        ticks
    }
}

/// The rows after `after`, when there are some; else whatever there is once
/// something was written.
async fn more(journal: &Journal, after: AnyId) -> Option<Vec<EventView>> {
    let mut changed = pin!(journal.changed(PATIENCE));
    // Registers before looking, or a row that lands in between is seen late.
    let pending = futures::poll!(changed.as_mut()).is_pending();
    let rows = journal.events_after(Some(after), BATCH).await;
    match rows {
        Ok(rows) => {
            if rows.is_empty() && pending {
                changed.await;
            }
            Some(rows)
        }
        Err(error) => {
            error!(error = %error, "the journal cannot be read for a stream");
            None
        }
    }
}

fn written(row: EventView, name: Name) -> Option<Event> {
    let name = match name {
        Name::Type => row.event_type.as_str(),
        Name::Fact => "fact",
    };
    let event = Event::default().id(row.id.to_string()).event(name);
    event
        .json_data(EventDto::from(row))
        .inspect_err(|error| error!(%error, "an event cannot be written as JSON"))
        .ok()
}

/// Without an id: a reader that comes back is told of the moment then.
fn told(ticks: &[TickDto]) -> Option<Event> {
    let event = Event::default().event("progress");
    event
        .json_data(ticks)
        .inspect_err(|error| error!(%error, "progress cannot be written as JSON"))
        .ok()
}
