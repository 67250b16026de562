//! The services of this process.

use async_trait::async_trait;
use tracker_app::{
    App, ApplyRequest, CancelRequest, DownloadQuery, EventQuery, IngestOptions, IngestRequest,
    JobView, PageQuery, ParseActionError, Resolution, Source,
};
use tracker_domain::access::Scope;
use tracker_domain::ask::AskScope;
use tracker_domain::entity::{CandidateId, RememberedId};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, BackupId, BatchId, DownloadId, EventId, Infohash, JobId, Secret};
use tracker_ident::AnyId;
use tracker_wire::{
    AdoptedDto, AdoptionDto, ApplyBody, BackupDto, BatchDto, CancelBody, CandidateDto,
    ChosenFileDto, DiscoveredDto, DownloadDto, EntityDto, EventDto, HealthDto, HintDto, IngestDto,
    JobDto, LinkLookDto, LoginLinkDto, OverrideBody, OverrideDto, Page, PlanDto, RecognitionDto,
    ReconciledDto, RememberedDto, RemoveBody, RemovedDto, ResolveBody, SearchDto, SeedingDto,
    TokenDto, UserDto,
};

use crate::api::{Api, Input, People, Tokens};
use crate::failure::{ApiFailure, failure_of};

/// The half of [`Api`] that calls the services directly.
pub struct LocalApi {
    pub(crate) app: App,
    pub(crate) actor: Actor,
}

impl LocalApi {
    /// The services, and who calls them.
    #[must_use]
    pub fn new(app: App, actor: Actor) -> Self {
        LocalApi { app, actor }
    }
}

impl LocalApi {
    /// Does a job here: no daemon runs that would.
    async fn carried_out(&self, job: JobView) -> Result<JobDto, ApiFailure> {
        let done = self.app.backups.carry_out(job.id, &self.actor).await;
        done.map(Into::into).map_err(failure_of)
    }
}

#[async_trait]
impl Api for LocalApi {
    async fn ingest(&self, input: Input, options: IngestOptions) -> Result<IngestDto, ApiFailure> {
        let source = match input {
            Input::Link { magnet, .. } => Source::Magnet(magnet),
            Input::Torrent(torrent) => Source::Torrent(torrent),
        };
        let request = IngestRequest { source, options };
        let answer = self.app.intake.ingest(request, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn list(&self, query: DownloadQuery) -> Result<Page<DownloadDto>, ApiFailure> {
        self.app.intake.list(query).await.map(Into::into).map_err(failure_of)
    }

    async fn search(&self, text: &str) -> Result<SearchDto, ApiFailure> {
        self.app.search.find(text).await.map(Into::into).map_err(failure_of)
    }

    async fn download(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.app.intake.show(id).await.map(Into::into).map_err(failure_of)
    }

    async fn retry(
        &self,
        id: DownloadId,
        client: Option<String>,
    ) -> Result<DownloadDto, ApiFailure> {
        let answer = self.app.intake.retry(id, client, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn move_to(&self, id: DownloadId, client: String) -> Result<DownloadDto, ApiFailure> {
        let answer = self.app.intake.move_to(id, client, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn cancel(&self, id: DownloadId, body: CancelBody) -> Result<DownloadDto, ApiFailure> {
        let request =
            CancelRequest { remove_torrent: body.remove_torrent, delete_data: body.delete_data };
        let answer = self.app.intake.cancel(id, request, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn remove(&self, id: DownloadId, body: RemoveBody) -> Result<RemovedDto, ApiFailure> {
        let answer = self.app.removal.remove(id, body.into(), None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn prioritise(&self, id: DownloadId, end: QueueEnd) -> Result<DownloadDto, ApiFailure> {
        let outcome = self.app.intake.prioritise(id, end, None, &self.actor).await;
        outcome.map(Into::into).map_err(failure_of)
    }

    async fn pause(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.app.intake.pause(id, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn resume(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.app.intake.resume(id, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn files(&self, id: DownloadId) -> Result<Page<ChosenFileDto>, ApiFailure> {
        self.app.intake.files(id).await.map(Into::into).map_err(failure_of)
    }

    async fn choose(
        &self,
        id: DownloadId,
        skip: Vec<u32>,
    ) -> Result<Page<ChosenFileDto>, ApiFailure> {
        let skip = skip.into_iter().collect();
        let answer = self.app.intake.choose(id, skip, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn recognition(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.app.review.recognition(id).await.map(Into::into).map_err(failure_of)
    }

    async fn candidates(&self, id: DownloadId) -> Result<Page<CandidateDto>, ApiFailure> {
        self.app.review.candidates(id).await.map(Into::into).map_err(failure_of)
    }

    async fn accept(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
    ) -> Result<RecognitionDto, ApiFailure> {
        let answer = self.app.review.accept(id, candidate, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn reject(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.app.review.reject(id, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn rerun(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.app.review.rerun(id, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn hint(&self, id: DownloadId, text: String) -> Result<HintDto, ApiFailure> {
        let answer = self.app.review.hint(id, &text, None, &self.actor).await;
        answer.map(|(_, hint)| hint.into()).map_err(failure_of)
    }

    async fn set_override(
        &self,
        id: DownloadId,
        field: &str,
        body: OverrideBody,
    ) -> Result<OverrideDto, ApiFailure> {
        let (review, value) = (&self.app.review, body.value.as_str());
        let answer = match body.remember {
            true => review.set_and_remember(id, field, value, None, &self.actor).await,
            false => review.set_override(id, field, value, None, &self.actor).await,
        };
        answer.map(Into::into).map_err(failure_of)
    }

    async fn remembered(&self) -> Result<Page<RememberedDto>, ApiFailure> {
        self.app.review.remembered().await.map(Into::into).map_err(failure_of)
    }

    async fn forget(&self, id: RememberedId) -> Result<(), ApiFailure> {
        self.app.review.forget(id, &self.actor).await.map_err(failure_of)
    }

    async fn remove_override(&self, id: DownloadId, field: &str) -> Result<(), ApiFailure> {
        let answer = self.app.review.remove_override(id, field, None, &self.actor).await;
        answer.map_err(failure_of)
    }

    async fn ask(&self, id: DownloadId, scope: AskScope) -> Result<RecognitionDto, ApiFailure> {
        self.app.review.ask(id, scope, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn ask_no_more(
        &self,
        id: DownloadId,
        scope: AskScope,
    ) -> Result<RecognitionDto, ApiFailure> {
        let answer = self.app.review.ask_no_more(id, scope, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn plan(&self, id: DownloadId) -> Result<PlanDto, ApiFailure> {
        self.app.library.plan(id).await.map(Into::into).map_err(failure_of)
    }

    async fn apply(&self, id: DownloadId, body: ApplyBody) -> Result<BatchDto, ApiFailure> {
        let mut resolve = Vec::with_capacity(body.resolve.len());
        for ResolveBody { target, action } in body.resolve {
            let action = action
                .parse()
                .map_err(|error: ParseActionError| ApiFailure::usage(error.to_string()))?;
            resolve.push(Resolution { target: target.into(), action });
        }
        let request = ApplyRequest { plan: body.plan, resolve, take: false };
        let answer = self.app.library.apply(id, request, None, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn relink(&self, id: DownloadId) -> Result<BatchDto, ApiFailure> {
        self.app.library.relink(id, None, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn batch(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.app.library.batch(id).await.map(Into::into).map_err(failure_of)
    }

    async fn undo(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.app.library.undo(id, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn verify(&self, id: Option<DownloadId>) -> Result<Page<LinkLookDto>, ApiFailure> {
        self.app.library.verify(id).await.map(Into::into).map_err(failure_of)
    }

    async fn seeding(&self) -> Result<Page<SeedingDto>, ApiFailure> {
        self.app.seeding.list().await.map(Into::into).map_err(failure_of)
    }

    async fn discovered(&self) -> Result<Page<DiscoveredDto>, ApiFailure> {
        self.app.intake.discovered().await.map(Into::into).map_err(failure_of)
    }

    async fn adopt(
        &self,
        client: Option<String>,
        infohash: Infohash,
    ) -> Result<IngestDto, ApiFailure> {
        let answer = self.app.intake.adopt(client, infohash, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn adoption(&self, client: Option<String>) -> Result<Page<AdoptionDto>, ApiFailure> {
        self.app.intake.adoption(client).await.map(Into::into).map_err(failure_of)
    }

    async fn adopt_many(
        &self,
        client: String,
        infohashes: Vec<Infohash>,
    ) -> Result<Page<AdoptedDto>, ApiFailure> {
        let answer = self.app.intake.adopt_many(Some(client), infohashes, &self.actor).await;
        answer.map(Into::into).map_err(failure_of)
    }

    async fn events(&self, query: EventQuery) -> Result<Page<EventDto>, ApiFailure> {
        self.app.journal.events(query).await.map(Into::into).map_err(failure_of)
    }

    async fn event(&self, id: EventId) -> Result<EventDto, ApiFailure> {
        self.app.journal.event(id).await.map(Into::into).map_err(failure_of)
    }

    async fn entity(&self, id: AnyId) -> Result<EntityDto, ApiFailure> {
        self.app.journal.story(id).await.map(Into::into).map_err(failure_of)
    }

    async fn jobs(&self, query: PageQuery) -> Result<Page<JobDto>, ApiFailure> {
        self.app.jobs.list(query).await.map(Into::into).map_err(failure_of)
    }

    async fn job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.app.jobs.show(id).await.map(Into::into).map_err(failure_of)
    }

    async fn cancel_job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.app.jobs.cancel(id, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn backups(&self, query: PageQuery) -> Result<Page<BackupDto>, ApiFailure> {
        self.app.backups.list(query).await.map(Into::into).map_err(failure_of)
    }

    async fn make_backup(&self) -> Result<JobDto, ApiFailure> {
        self.app.backups.recover().await.map_err(failure_of)?;
        let (job, _) = self.app.backups.make(&self.actor).await.map_err(failure_of)?;
        self.carried_out(job).await
    }

    async fn verify_backup(&self, id: Option<BackupId>) -> Result<JobDto, ApiFailure> {
        self.app.backups.recover().await.map_err(failure_of)?;
        let (job, _) = self.app.backups.verify(id, &self.actor).await.map_err(failure_of)?;
        self.carried_out(job).await
    }

    async fn delete_backup(&self, id: BackupId) -> Result<BackupDto, ApiFailure> {
        self.app.backups.delete(id, &self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn reconcile_backups(&self) -> Result<ReconciledDto, ApiFailure> {
        self.app.backups.reconcile(&self.actor).await.map(Into::into).map_err(failure_of)
    }

    async fn health(&self) -> Result<HealthDto, ApiFailure> {
        Ok(self.app.ops.health().await.into())
    }
}

#[async_trait]
impl Tokens for LocalApi {
    async fn token_new(&self, name: &str, scope: Scope) -> Result<(TokenDto, String), ApiFailure> {
        let made = self.app.access.token_new(name, scope, &self.actor).await;
        let (token, secret) = made.map_err(failure_of)?;
        Ok((token.into(), secret))
    }

    async fn tokens(&self) -> Result<Vec<TokenDto>, ApiFailure> {
        let tokens = self.app.access.tokens().await.map_err(failure_of)?;
        Ok(tokens.into_iter().map(Into::into).collect())
    }

    async fn token_revoke(&self, name: &str) -> Result<TokenDto, ApiFailure> {
        self.app.access.token_revoke(name, &self.actor).await.map(Into::into).map_err(failure_of)
    }
}

#[async_trait]
impl People for LocalApi {
    async fn user_add(&self, name: &str, password: Option<Secret>) -> Result<UserDto, ApiFailure> {
        let made = self.app.access.user_add(name, password.as_ref(), &self.actor).await;
        made.map(Into::into).map_err(failure_of)
    }

    async fn user_passwd(&self, name: &str, password: Secret) -> Result<UserDto, ApiFailure> {
        let changed = self.app.access.user_passwd(name, &password, &self.actor).await;
        changed.map(Into::into).map_err(failure_of)
    }

    async fn user_disable(&self, name: &str, disabled: bool) -> Result<UserDto, ApiFailure> {
        let changed = self.app.access.user_disable(name, disabled, &self.actor).await;
        changed.map(Into::into).map_err(failure_of)
    }

    async fn users(&self) -> Result<Vec<UserDto>, ApiFailure> {
        let users = self.app.access.users().await.map_err(failure_of)?;
        Ok(users.into_iter().map(Into::into).collect())
    }

    async fn login_link(&self, name: Option<&str>) -> Result<(LoginLinkDto, Secret), ApiFailure> {
        let made = self.app.access.login_link(name, &self.actor).await;
        made.map(|(link, secret)| (link.into(), secret)).map_err(failure_of)
    }
}
