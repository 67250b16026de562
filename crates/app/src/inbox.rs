//! Downloads by who must act, as lists show them.
//!
//! Every open page asks for the first look again at each fact, so what it read is
//! kept until something is written: of many that ask at once one reads.

use std::sync::Arc;

use tokio::sync::Mutex;
use tracker_domain::ports::{Live, NobodyWatches};
use tracker_domain::recognised::{Fields, RecognitionState};
use tracker_domain::{BatchId, DownloadId};
use tracker_ingest::Clients;
use tracker_store::{Db, InboxGroup, InboxQuery, InboxRow, InboxTotals};

use crate::convert::{download_view, followed};
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
    /// Its rows, in the order that was asked for.
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
    kept: Arc<Mutex<Option<Kept>>>,
}

/// The first look, and the version of the database that told it.
struct Kept {
    version: u64,
    view: InboxView,
}

impl Inbox {
    pub(crate) fn new(db: Db, clients: Clients, live: Arc<dyn Live>) -> Self {
        let languages = ["en", "ru"].map(str::to_owned).into();
        Inbox { db, clients, live, languages, kept: Arc::default() }
    }

    pub(crate) fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages.into();
        // What was read is in the languages it was read for.
        self.kept = Arc::default();
        self
    }

    /// The first rows of every group, as they are at one moment.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn overview(&self) -> Result<InboxView, AppError> {
        // Held while it reads: whoever asks meanwhile gets the same.
        let mut kept = self.kept.lock().await;
        // Asked before it reads, so that what is written meanwhile is read the next time.
        let version = self.db.version().await?;
        let view = match kept.as_ref().filter(|kept| kept.version == version) {
            Some(kept) => kept.view.clone(),
            None => {
                let view = self.read_overview().await?;
                *kept = Some(Kept { version, view: view.clone() });
                view
            }
        };
        drop(kept);
        Ok(InboxView {
            needs_you: self.as_of_now(view.needs_you),
            active: self.as_of_now(view.active),
            done: self.as_of_now(view.done),
        })
    }

    async fn read_overview(&self) -> Result<InboxView, AppError> {
        let view = self.stored_view();
        self.db
            .read(move |tx| {
                let totals = tx.inbox_totals()?;
                let group = |group, limit: u32| {
                    let rows = tx.inbox(group, &InboxQuery::default(), limit + 1)?;
                    Ok::<_, AppError>(paged(rows, limit, total_of(group, totals), &view))
                };
                Ok(InboxView {
                    needs_you: group(InboxGroup::NeedsYou, OVERVIEW)?,
                    active: group(InboxGroup::Active, OVERVIEW)?,
                    done: group(InboxGroup::Done, RECENT)?,
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
        wanted: InboxQuery,
        limit: Option<u32>,
    ) -> Result<GroupView, AppError> {
        let limit = checked_limit(limit)?;
        let view = self.stored_view();
        let found = self
            .db
            .read(move |tx| {
                // How many of them a word tells nobody counts.
                let total = match wanted.only {
                    Some(_) => None,
                    None => total_of(group, tx.inbox_totals()?),
                };
                let rows = tx.inbox(group, &wanted, limit + 1)?;
                Ok::<_, AppError>(paged(rows, limit, total, &view))
            })
            .await?;
        Ok(self.as_of_now(found))
    }

    /// How many downloads wait for a person.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn needs_you(&self) -> Result<u64, AppError> {
        let version = self.db.version().await?;
        let kept = self.kept.lock().await;
        let kept = kept.as_ref().filter(|kept| kept.version == version);
        match kept.and_then(|kept| kept.view.needs_you.total) {
            Some(total) => Ok(total),
            None => Ok(self.db.read(|tx| tx.inbox_totals()).await?.needs_you),
        }
    }

    /// A row as the database tells it.
    fn stored_view(&self) -> impl Fn(InboxRow) -> RowView + Send + use<> {
        let clients = self.clients.clone();
        let languages = Arc::clone(&self.languages);
        move |row| {
            let holds = held(&row, &languages);
            row_view(row, holds, &clients)
        }
    }

    /// With how far transfers are, which is not in the database.
    fn as_of_now(&self, stored: GroupView) -> GroupView {
        let follow =
            |row: RowView| RowView { download: followed(row.download, &*self.live), ..row };
        GroupView { rows: stored.rows.into_iter().map(follow).collect(), ..stored }
    }
}

/// How many a group holds, where it is counted.
const fn total_of(group: InboxGroup, totals: InboxTotals) -> Option<u64> {
    match group {
        InboxGroup::NeedsYou => Some(totals.needs_you),
        InboxGroup::Active => Some(totals.active),
        InboxGroup::Done => None,
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

fn row_view(row: InboxRow, holds: Fields, clients: &Clients) -> RowView {
    let InboxRow { download, taken, links, batch, .. } = row;
    let mut view = RowView {
        download: download_view(download, clients, &NobodyWatches),
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
