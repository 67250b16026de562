//! Downloads by who must act, as lists show them.

use std::sync::Arc;

use tracker_domain::ports::Live;
use tracker_domain::recognised::{Fields, RecognitionState};
use tracker_domain::{BatchId, DownloadId};
use tracker_ingest::Clients;
use tracker_store::{Db, InboxGroup, InboxRow};

use crate::convert::download_view;
use crate::error::AppError;
use crate::holding::holding;
use crate::intake::checked_limit;
use crate::views::DownloadView;

/// How many rows of a group are seen at once.
const OVERVIEW: u32 = 50;
/// How many of those that ended.
const RECENT: u32 = 20;

/// A download, and what a row of a list tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowView {
    /// The download.
    pub download: DownloadView,
    /// How far its recognition is; `None` while nothing was read.
    pub recognition: Option<RecognitionState>,
    /// From 0 to 1: of the candidate that was chosen, else of the best.
    pub score: Option<f64>,
    /// What it is taken for, with the words of people.
    pub title: Option<String>,
    /// The year of that.
    pub year: Option<i32>,
    /// The work as a pin names it.
    pub work: Option<String>,
    /// How many links of it stand.
    pub links: u64,
    /// The newest batch that stands.
    pub batch: Option<BatchId>,
}

/// One group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupView {
    /// Its rows, newest first.
    pub rows: Vec<RowView>,
    /// How many there are in all; `None` of those that ended, which nobody counts.
    pub total: Option<u64>,
    /// What comes before the next page; `None` on the last one.
    pub next: Option<DownloadId>,
}

/// The whole inbox at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct InboxView {
    /// What a person has to look at.
    pub needs_you: GroupView,
    /// What goes on by itself.
    pub active: GroupView,
    /// What ended last.
    pub done: GroupView,
}

/// The service for the first look.
#[derive(Clone)]
pub struct Inbox {
    db: Db,
    clients: Clients,
    live: Arc<dyn Live>,
    languages: Arc<[String]>,
}

impl Inbox {
    pub(crate) fn new(db: Db, clients: Clients, live: Arc<dyn Live>) -> Self {
        let languages = ["en", "ru"].map(str::to_owned).into();
        Inbox { db, clients, live, languages }
    }

    pub(crate) fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages.into();
        self
    }

    /// The first rows of every group, as they are at one moment.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn overview(&self) -> Result<InboxView, AppError> {
        let view = self.view();
        self.db
            .read(move |tx| {
                let totals = tx.inbox_totals()?;
                let group = |group, limit: u32, total| {
                    let rows = tx.inbox(group, None, limit + 1)?;
                    Ok::<_, AppError>(paged(rows, limit, total, &view))
                };
                Ok(InboxView {
                    needs_you: group(InboxGroup::NeedsYou, OVERVIEW, Some(totals.needs_you))?,
                    active: group(InboxGroup::Active, OVERVIEW, Some(totals.active))?,
                    done: group(InboxGroup::Done, RECENT, None)?,
                })
            })
            .await
    }

    /// One page of a group.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn page(
        &self,
        group: InboxGroup,
        before: Option<DownloadId>,
        limit: Option<u32>,
    ) -> Result<GroupView, AppError> {
        let limit = checked_limit(limit)?;
        let view = self.view();
        self.db
            .read(move |tx| {
                let totals = tx.inbox_totals()?;
                let total = match group {
                    InboxGroup::NeedsYou => Some(totals.needs_you),
                    InboxGroup::Active => Some(totals.active),
                    InboxGroup::Done => None,
                };
                let rows = tx.inbox(group, before, limit + 1)?;
                Ok(paged(rows, limit, total, &view))
            })
            .await
    }

    /// How many downloads wait for a person.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn needs_you(&self) -> Result<u64, AppError> {
        Ok(self.db.read(|tx| tx.inbox_totals()).await?.needs_you)
    }

    fn view(&self) -> impl Fn(InboxRow) -> RowView + Send + use<> {
        let (clients, live) = (self.clients.clone(), Arc::clone(&self.live));
        let languages = Arc::clone(&self.languages);
        move |row| {
            let holds = held(&row, &languages);
            row_view(row, holds, &clients, &*live)
        }
    }
}

fn paged(
    mut rows: Vec<InboxRow>,
    limit: u32,
    total: Option<u64>,
    view: &impl Fn(InboxRow) -> RowView,
) -> GroupView {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| last.download.id);
    GroupView { rows: rows.into_iter().map(view).collect(), total, next }
}

/// What it is taken for as every page tells it, also while another recognition is
/// awaited.
fn held(row: &InboxRow, languages: &[String]) -> Fields {
    let work = row.taken.as_ref().and_then(|taken| taken.work.as_ref());
    holding(row.fields.clone(), &row.overrides, work, languages)
}

fn row_view(row: InboxRow, holds: Fields, clients: &Clients, live: &dyn Live) -> RowView {
    let InboxRow { download, taken, links, batch, .. } = row;
    let mut view = RowView {
        download: download_view(download, clients, live),
        recognition: None,
        score: None,
        title: holds.title,
        year: holds.year,
        work: None,
        links,
        batch,
    };
    if let Some(taken) = taken {
        // What the name of the link alone says is not proposed to anybody.
        let state = if taken.provisional { RecognitionState::Pending } else { taken.state };
        view.recognition = Some(state);
        view.score = taken.best_score.or(taken.confidence);
        view.work = taken.word;
    }
    view
}
