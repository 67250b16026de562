//! The library: what would be linked, carrying it out, undoing it, and looking
//! whether it still stands.

use std::sync::Arc;

use tracker_domain::ports::Live;
use tracker_domain::{Actor, BatchId, DownloadId, EntityKind};
use tracker_ingest::Clients;
use tracker_layout::{ApplyWish, LayError, Laying, Left, Looked, OtherNames, Plan};
use tracker_store::{Batch, Db, ReadTx, Refusal, StandingTitle, StoreError};

use crate::convert::{absent, download_view, refused};
use crate::error::{AppError, FieldError};
use crate::holding::holding;
use crate::intake::{checked_limit, page_of};
use crate::library_views::{BatchLinkView, BatchView, LeftView, LinkLookView, PlanView, TitleView};
use crate::requests::{ApplyRequest, Expected};
use crate::views::Page;

/// The service for what is linked.
#[derive(Clone)]
pub struct Library {
    db: Db,
    clients: Clients,
    live: Arc<dyn Live>,
    laying: Arc<dyn Laying>,
    languages: Arc<[String]>,
}

impl Library {
    pub(crate) fn new(
        db: Db,
        clients: Clients,
        live: Arc<dyn Live>,
        laying: Arc<dyn Laying>,
    ) -> Self {
        let languages: Vec<String> = vec!["en".to_owned(), "ru".to_owned()];
        Library { db, clients, live, laying, languages: languages.into() }
    }

    pub(crate) fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages.into();
        self
    }

    /// What stands in the libraries: a work once, the one with the newest batch
    /// first. Nothing is on two pages; a title that gets a newer batch meanwhile moves
    /// to the front.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn titles(
        &self,
        before: Option<BatchId>,
        limit: Option<u32>,
    ) -> Result<Page<TitleView>, AppError> {
        let limit = checked_limit(limit)?;
        let languages = Arc::clone(&self.languages);
        self.db
            .read(move |tx| {
                let titles = tx.titles(before, limit + 1)?;
                let page = page_of(titles, limit, |title| title.batch.any(), |title| title);
                let views = page.items.into_iter().map(|title| title_view(tx, title, &languages));
                Ok(Page { items: views.collect::<Result<_, StoreError>>()?, next: page.next })
            })
            .await
    }

    /// What would be linked as things stand. Nothing is written.
    ///
    /// # Errors
    /// When there is no such download, or its files are not known yet.
    pub async fn plan(&self, id: DownloadId) -> Result<PlanView, AppError> {
        match self.laying.plan_of(id).await {
            Ok(plan) => Ok(plan_view(&plan)),
            Err(error) => Err(self.of_download(id, error).await?),
        }
    }

    /// Carries a plan out.
    ///
    /// # Errors
    /// When the plan is another one by now, something is in the way, the match cannot be
    /// taken, or the state does not allow it; nothing happened then.
    pub async fn apply(
        &self,
        id: DownloadId,
        request: ApplyRequest,
        expected: Expected,
        actor: &Actor,
    ) -> Result<BatchView, AppError> {
        let ApplyRequest { plan, resolve, take } = request;
        let wish = ApplyWish { plan, resolve, take, revision: expected };
        match self.laying.apply(id, wish, actor).await {
            Ok(batch) => self.batch(batch).await,
            Err(error) => Err(self.of_download(id, error).await?),
        }
    }

    /// Links it anew after a correction; the older links go.
    ///
    /// # Errors
    /// As [`Library::apply`].
    pub async fn relink(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
    ) -> Result<BatchView, AppError> {
        self.apply(id, ApplyRequest::default(), expected, actor).await
    }

    /// One batch.
    ///
    /// # Errors
    /// When there is no such batch.
    pub async fn batch(&self, id: BatchId) -> Result<BatchView, AppError> {
        self.db
            .read(move |tx| match tx.batch(id)? {
                Some(batch) => Ok(batch_view(tx, batch)?),
                None => Err(absent(tx, EntityKind::ApplyBatch, id)?),
            })
            .await
    }

    /// The batches of a download, newest first; none where there is no such download.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn batches(&self, id: DownloadId) -> Result<Vec<BatchView>, AppError> {
        self.db
            .read(move |tx| {
                let batches = tx.batches_of(id)?.into_iter();
                Ok(batches.map(|batch| batch_view(tx, batch)).collect::<Result<_, _>>()?)
            })
            .await
    }

    /// Undoes a batch, and tells what it left.
    ///
    /// # Errors
    /// When there is no such batch, it is being made, or a newer one stands.
    pub async fn undo(&self, id: BatchId, actor: &Actor) -> Result<BatchView, AppError> {
        match self.laying.undo(id, actor).await {
            Ok(undone) => {
                let left = undone.left.into_iter().map(left_view).collect();
                Ok(BatchView { left, ..self.batch(id).await? })
            }
            Err(LayError::NotFound(_)) => {
                self.db.read(move |tx| Err(absent(tx, EntityKind::ApplyBatch, id)?)).await
            }
            Err(error) => Err(plain(error)),
        }
    }

    /// Looks whether links still stand: those of one download, or all. There is
    /// one page.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn verify(&self, id: Option<DownloadId>) -> Result<Page<LinkLookView>, AppError> {
        let looked = match (self.laying.verify(id).await, id) {
            (Ok(looked), _) => looked,
            (Err(error), Some(id)) => return Err(self.of_download(id, error).await?),
            (Err(error), None) => return Err(plain(error)),
        };
        Ok(Page { items: looked.into_iter().map(look_view).collect(), next: None })
    }

    /// The other names that the files of a download have. `None` where it cannot be
    /// told.
    pub(crate) async fn names(&self, id: DownloadId) -> Result<Option<OtherNames>, AppError> {
        match self.laying.names(id).await {
            Ok(names) => Ok(names),
            Err(error) => Err(self.of_download(id, error).await?),
        }
    }

    /// A refusal about a download, with what a transport needs to say it well.
    async fn of_download(&self, id: DownloadId, error: LayError) -> Result<AppError, AppError> {
        let refusal = match error {
            LayError::NotFound(_) => Refusal::NotFound,
            LayError::Stale(revision) => Refusal::Stale(revision),
            LayError::OwnedBy(owner) => Refusal::OwnedBy(owner),
            other => return Ok(plain(other)),
        };
        let (clients, live) = (self.clients.clone(), Arc::clone(&self.live));
        let view = move |row| download_view(row, &clients, &*live);
        self.db.read(move |tx| Ok(refused(tx, id, refusal, "linked", view)?)).await
    }
}

/// A title as it holds now: the words of people count for what is linked as well.
fn title_view(
    tx: &ReadTx<'_>,
    title: StandingTitle,
    languages: &[String],
) -> Result<TitleView, StoreError> {
    let batches = tx.batches_of_title(&title)?;
    let links = batches.iter().map(|batch| batch.links).sum();
    let mut downloads: Vec<(DownloadId, String)> = Vec::new();
    for batch in batches {
        // One may have an older batch that has not ended yet.
        if downloads.iter().all(|(known, _)| *known != batch.download) {
            downloads.push((batch.download, batch.name));
        }
    }
    let StandingTitle { batch, created_at, library, overrides, fields, candidate, work, .. } =
        title;
    let holds = holding(fields, &overrides, work.as_ref(), languages);
    let unnamed = || downloads.first().map(|(_, name)| name.clone()).unwrap_or_default();
    Ok(TitleView {
        title: holds.title.unwrap_or_else(unnamed),
        year: holds.year,
        kind: holds.kind,
        library,
        work: work.map(|work| work.id.to_string()),
        candidate,
        links,
        downloads,
        batch,
        newest_at: created_at,
    })
}

/// A refusal that needs no look at the database.
fn plain(error: LayError) -> AppError {
    let detail = error.to_string();
    match error {
        LayError::Illegal { state, .. }
        | LayError::Held { state, .. }
        | LayError::NotMade { state, .. } => AppError::IllegalTransition { state, detail },
        LayError::PlanChanged(plan) => AppError::PlanChanged(Box::new(plan_view(&plan))),
        LayError::Conflict(conflicts) => {
            AppError::Conflict(conflicts.iter().map(Into::into).collect())
        }
        LayError::Resolve(error) => {
            AppError::InvalidRequest(vec![FieldError::body("/resolve", error.to_string())])
        }
        LayError::Superseded { by } => AppError::SupersededBatch(by),
        LayError::Unreachable { client, detail } => AppError::ClientUnreachable { client, detail },
        LayError::NotFound(_) | LayError::Stale(_) | LayError::OwnedBy(_) | LayError::BrokenOff => {
            AppError::Internal(Box::new(error))
        }
        LayError::Fault(error) => match error.downcast::<StoreError>() {
            Ok(error) => (*error).into(),
            Err(error) => AppError::Internal(error),
        },
    }
}

fn plan_view(plan: &Plan) -> PlanView {
    PlanView {
        id: plan.id(),
        links: plan.links.iter().map(Into::into).collect(),
        skipped: plan.skipped.iter().map(Into::into).collect(),
        conflicts: plan.conflicts.iter().map(Into::into).collect(),
    }
}

fn batch_view(tx: &ReadTx<'_>, batch: Batch) -> Result<BatchView, StoreError> {
    let links = tx.links_of(batch.id)?.into_iter().map(|link| BatchLinkView {
        id: link.id,
        source: link.source,
        target: link.target,
        mode: link.mode,
        state: link.state,
        health: link.health,
    });
    Ok(BatchView {
        id: batch.id,
        download_id: batch.download,
        state: batch.state,
        plan: batch.plan_id,
        library: batch.library,
        detail: batch.detail,
        superseded_by: batch.superseded_by,
        created_at: batch.created_at,
        links: links.collect(),
        left: Vec::new(),
    })
}

fn left_view(left: Left) -> LeftView {
    LeftView { target: left.target, reason: left.reason }
}

fn look_view(looked: Looked) -> LinkLookView {
    LinkLookView {
        id: looked.link,
        batch_id: looked.batch,
        download_id: looked.download,
        source: looked.source,
        target: looked.target,
        health: looked.health,
    }
}
