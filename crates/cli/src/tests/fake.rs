//! Services without a database: answers are prepared, calls are kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tempfile::TempDir;
use tracker_app::{DownloadQuery, EventQuery, IngestOptions, PageQuery};
use tracker_domain::access::Scope;
use tracker_domain::ask::AskScope;
use tracker_domain::entity::{CandidateId, RememberedId};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{BackupId, BatchId, DownloadId, EventId, Infohash, JobId, Secret};
use tracker_ident::AnyId;
use tracker_wire::{
    AdoptedDto, AdoptionDto, ApplyBody, BackupDto, BatchDto, CancelBody, CandidateDto,
    ChosenFileDto, DeadLetterDto, DiscoveredDto, DownloadDto, EntityDto, EntityRefDto, ErrorDto,
    EventDto, HealthDto, HintDto, IngestDto, JobDto, LeftDto, LinkLookDto, LogDto, LoginLinkDto,
    OverrideBody, OverrideDto, Page, PlanDto, ReceiverDto, RecognitionDto, ReconciledDto,
    RememberedDto, RemoveBody, RemovedDto, SearchDto, SeedingDto, TokenDto, UserDto,
};

mod program;

pub(crate) use super::shapes::{
    HASH, ID, candidate, download, event, hint, recognition, remembered, set,
};
use super::shapes::{batch, token};
use crate::{Api, ApiFailure, Backends, CheckFinding, Input, People, RestoreReport, Tokens};

/// What the fake holds and what was asked of it.
#[derive(Default)]
pub(crate) struct State {
    pub calls: Vec<String>,
    /// Answered to the next calls of any kind, one each; then all goes well.
    pub failures: VecDeque<Option<ApiFailure>>,
    pub events: Vec<EventDto>,
    pub downloads: Vec<DownloadDto>,
    /// What a search finds.
    pub found: SearchDto,
    pub discovered: Vec<DiscoveredDto>,
    pub files: Vec<ChosenFileDto>,
    /// Clients that do not answer.
    pub away: Vec<AdoptionDto>,
    pub seeding: Vec<SeedingDto>,
    /// The job that is asked for next, as each look at it shows it; the last one stays.
    pub jobs: VecDeque<JobDto>,
    pub backups: Vec<BackupDto>,
    pub reconciled: ReconciledDto,
    pub restore: RestoreReport,
    pub receivers: Vec<ReceiverDto>,
    pub dead_letters: Vec<DeadLetterDto>,
    /// Why a receiver does not take a test.
    pub not_taken: Option<String>,
    pub kind: Option<&'static str>,
    /// The state of the recognition; `proposed` when empty.
    pub recognition: &'static str,
    pub candidates: Vec<CandidateDto>,
    /// What is different in each recognition.
    pub shape: Option<fn(&mut RecognitionDto)>,
    /// What is different in the download that is asked for by its id.
    pub look: Option<fn(&mut DownloadDto)>,
    pub health: &'static str,
    /// What would be linked.
    pub plan: PlanDto,
    /// What is found of each link.
    pub healths: Vec<&'static str>,
    pub findings: Vec<CheckFinding>,
    /// Entries that turn up with each look at the journal.
    pub arriving: VecDeque<Vec<EventDto>>,
    /// What changes with each look at the download; the last one stays.
    pub steps: VecDeque<fn(&mut DownloadDto)>,
    /// What a person types when asked for a secret; nothing is no terminal.
    pub typed: VecDeque<String>,
    /// Tries to begin work that find another process at it.
    pub others_looks: u32,
}

/// The program around the command line.
#[derive(Clone)]
pub(crate) struct Fake {
    pub state: Arc<Mutex<State>>,
    pub dir: Arc<TempDir>,
}

impl Fake {
    pub fn new() -> Self {
        let state = State { health: "ok", ..State::default() };
        Fake { state: Arc::new(Mutex::new(state)), dir: Arc::new(tempfile::tempdir().unwrap()) }
    }

    pub fn failing(failure: ApiFailure) -> Self {
        let fake = Fake::new();
        fake.state.lock().unwrap().failures.push_back(Some(failure));
        fake
    }

    pub fn calls(&self) -> Vec<String> {
        self.state.lock().unwrap().calls.clone()
    }

    fn recognised(&self, id: DownloadId) -> RecognitionDto {
        let state = self.state.lock().unwrap();
        let word = if state.recognition.is_empty() { "proposed" } else { state.recognition };
        let mut found = recognition(&id.to_string(), word);
        if let Some(change) = state.shape {
            change(&mut found);
        }
        found
    }

    fn decided(&self, state: &'static str) {
        self.state.lock().unwrap().recognition = state;
    }

    pub(super) fn called(&self, call: String) -> Result<(), ApiFailure> {
        let mut state = self.state.lock().unwrap();
        state.calls.push(call);
        state.failures.pop_front().flatten().map_or(Ok(()), Err)
    }
}

#[async_trait]
impl Api for Fake {
    async fn ingest(&self, input: Input, options: IngestOptions) -> Result<IngestDto, ApiFailure> {
        let what = match &input {
            Input::Link { magnet, .. } => {
                magnet.infohashes().iter().map(|h| h.to_string()).collect()
            }
            Input::Torrent(torrent) => format!("torrent {}", torrent.name()),
        };
        self.called(format!("ingest {what} {:?}", options.hint))?;
        let before = self.calls().iter().filter(|call| call.starts_with("ingest ")).count();
        let created = before == 1;
        Ok(IngestDto { created, download: download(ID) })
    }

    async fn list(&self, query: DownloadQuery) -> Result<Page<DownloadDto>, ApiFailure> {
        self.called(format!("list {query:?}"))?;
        let items = self.state.lock().unwrap().downloads.clone();
        let next = items.last().map(|item| item.id.clone());
        Ok(Page { items, next })
    }

    async fn search(&self, text: &str) -> Result<SearchDto, ApiFailure> {
        self.called(format!("search {text}"))?;
        Ok(self.state.lock().unwrap().found.clone())
    }

    async fn download(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("download {id}"))?;
        let mut found = download(&id.to_string());
        let mut state = self.state.lock().unwrap();
        if let Some(change) = state.look {
            change(&mut found);
        }
        if let Some(change) = state.steps.front().copied() {
            change(&mut found);
            if state.steps.len() > 1 {
                state.steps.pop_front();
            }
        }
        Ok(found)
    }

    async fn retry(
        &self,
        id: DownloadId,
        client: Option<String>,
    ) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("retry {id} {client:?}"))?;
        Ok(download(&id.to_string()))
    }

    async fn move_to(&self, id: DownloadId, client: String) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("move {id} {client}"))?;
        Ok(download(&id.to_string()))
    }

    async fn cancel(&self, id: DownloadId, body: CancelBody) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("cancel {id} {} {}", body.remove_torrent, body.delete_data))?;
        Ok(download(&id.to_string()))
    }

    async fn remove(&self, id: DownloadId, body: RemoveBody) -> Result<RemovedDto, ApiFailure> {
        let RemoveBody { links, remove_torrent, delete_data } = body;
        self.called(format!("remove {id} {links} {remove_torrent} {delete_data}"))?;
        let left = LeftDto { target: "/lib/Film.mkv".to_owned(), reason: "shared".to_owned() };
        let left = if links { vec![left] } else { Vec::new() };
        Ok(RemovedDto { download: download(&id.to_string()), left })
    }

    async fn prioritise(&self, id: DownloadId, end: QueueEnd) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("prioritise {id} {end}"))?;
        Ok(download(&id.to_string()))
    }

    async fn pause(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("pause {id}"))?;
        Ok(DownloadDto { paused: true, ..download(&id.to_string()) })
    }

    async fn resume(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.called(format!("resume {id}"))?;
        Ok(download(&id.to_string()))
    }

    async fn files(&self, id: DownloadId) -> Result<Page<ChosenFileDto>, ApiFailure> {
        self.called(format!("files {id}"))?;
        Ok(Page { items: self.state.lock().unwrap().files.clone(), next: None })
    }

    async fn choose(
        &self,
        id: DownloadId,
        skip: Vec<u32>,
    ) -> Result<Page<ChosenFileDto>, ApiFailure> {
        self.called(format!("choose {id} {skip:?}"))?;
        let mut items = self.state.lock().unwrap().files.clone();
        for file in &mut items {
            file.wanted = !skip.contains(&file.index);
        }
        Ok(Page { items, next: None })
    }

    async fn recognition(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("recognition {id}"))?;
        Ok(self.recognised(id))
    }

    async fn candidates(&self, id: DownloadId) -> Result<Page<CandidateDto>, ApiFailure> {
        self.called(format!("candidates {id}"))?;
        Ok(Page { items: self.state.lock().unwrap().candidates.clone(), next: None })
    }

    async fn accept(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
    ) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("accept {id} {:?}", candidate.map(|id| id.to_string())))?;
        self.decided("accepted");
        Ok(self.recognised(id))
    }

    async fn reject(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("reject {id}"))?;
        self.decided("rejected");
        Ok(self.recognised(id))
    }

    async fn rerun(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("rerun {id}"))?;
        self.decided("pending");
        Ok(self.recognised(id))
    }

    async fn hint(&self, id: DownloadId, text: String) -> Result<HintDto, ApiFailure> {
        self.called(format!("hint {id} {text}"))?;
        Ok(hint(&text))
    }

    async fn set_override(
        &self,
        id: DownloadId,
        field: &str,
        body: OverrideBody,
    ) -> Result<OverrideDto, ApiFailure> {
        let OverrideBody { value, remember } = body;
        let remembered = if remember { ", remembered" } else { "" };
        self.called(format!("override {id} {field} {value}{remembered}"))?;
        Ok(set(field, &value))
    }

    async fn remembered(&self) -> Result<Page<RememberedDto>, ApiFailure> {
        self.called("remembered".to_owned())?;
        Ok(Page { items: vec![remembered()], next: None })
    }

    async fn forget(&self, id: RememberedId) -> Result<(), ApiFailure> {
        self.called(format!("forget {id}"))
    }

    async fn remove_override(&self, id: DownloadId, field: &str) -> Result<(), ApiFailure> {
        self.called(format!("remove {id} {field}"))
    }

    async fn ask(&self, id: DownloadId, scope: AskScope) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("ask {id} {scope}"))?;
        let asks = scope.as_str().to_owned();
        Ok(RecognitionDto { asks, ..self.recognised(id) })
    }

    async fn ask_no_more(
        &self,
        id: DownloadId,
        scope: AskScope,
    ) -> Result<RecognitionDto, ApiFailure> {
        self.called(format!("ask no more {id} {scope}"))?;
        Ok(self.recognised(id))
    }

    async fn plan(&self, id: DownloadId) -> Result<PlanDto, ApiFailure> {
        self.called(format!("plan {id}"))?;
        Ok(self.state.lock().unwrap().plan.clone())
    }

    async fn apply(&self, id: DownloadId, body: ApplyBody) -> Result<BatchDto, ApiFailure> {
        self.called(format!("apply {id} {}", serde_json::to_string(&body).unwrap()))?;
        Ok(batch("applied"))
    }

    async fn relink(&self, id: DownloadId) -> Result<BatchDto, ApiFailure> {
        self.called(format!("relink {id}"))?;
        Ok(batch("applied"))
    }

    async fn batch(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.called(format!("batch {id}"))?;
        Ok(batch("applied"))
    }

    async fn undo(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.called(format!("undo {id}"))?;
        Ok(batch("undone"))
    }

    async fn verify(&self, id: Option<DownloadId>) -> Result<Page<LinkLookDto>, ApiFailure> {
        self.called(format!("verify {id:?}"))?;
        let look = |health: &&str| LinkLookDto {
            id: ID.to_owned(),
            batch_id: ID.to_owned(),
            download_id: ID.to_owned(),
            source: "/downloads/a.mkv".to_owned(),
            target: "/media/A (2020)/A (2020).mkv".to_owned(),
            health: (*health).to_owned(),
        };
        let items = self.state.lock().unwrap().healths.iter().map(look).collect();
        Ok(Page { items, next: None })
    }

    async fn jobs(&self, query: PageQuery) -> Result<Page<JobDto>, ApiFailure> {
        self.called(format!("jobs {query:?}"))?;
        Ok(Page { items: self.state.lock().unwrap().jobs.iter().cloned().collect(), next: None })
    }

    async fn job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.called(format!("job {id}"))?;
        let mut state = self.state.lock().unwrap();
        let last = state.jobs.len() == 1;
        let job = if last { state.jobs.front().cloned() } else { state.jobs.pop_front() };
        job.ok_or_else(|| ApiFailure::not_found("no job"))
    }

    async fn cancel_job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.called(format!("cancel_job {id}"))?;
        self.job(id).await
    }

    async fn backups(&self, query: PageQuery) -> Result<Page<BackupDto>, ApiFailure> {
        self.called(format!("backups {query:?}"))?;
        Ok(Page { items: self.state.lock().unwrap().backups.clone(), next: None })
    }

    async fn make_backup(&self) -> Result<JobDto, ApiFailure> {
        self.called("make_backup".to_owned())?;
        let job = self.state.lock().unwrap().jobs.pop_front();
        job.ok_or_else(|| ApiFailure::not_found("no job"))
    }

    async fn verify_backup(&self, id: Option<BackupId>) -> Result<JobDto, ApiFailure> {
        self.called(format!("verify_backup {id:?}"))?;
        let job = self.state.lock().unwrap().jobs.pop_front();
        job.ok_or_else(|| ApiFailure::not_found("no job"))
    }

    async fn delete_backup(&self, id: BackupId) -> Result<BackupDto, ApiFailure> {
        self.called(format!("delete_backup {id}"))?;
        let backup = self.state.lock().unwrap().backups.first().cloned();
        backup.ok_or_else(|| ApiFailure::not_found("no backup"))
    }

    async fn reconcile_backups(&self) -> Result<ReconciledDto, ApiFailure> {
        self.called("reconcile_backups".to_owned())?;
        Ok(self.state.lock().unwrap().reconciled.clone())
    }

    async fn seeding(&self) -> Result<Page<SeedingDto>, ApiFailure> {
        self.called("seeding".to_owned())?;
        Ok(Page { items: self.state.lock().unwrap().seeding.clone(), next: None })
    }

    async fn discovered(&self) -> Result<Page<DiscoveredDto>, ApiFailure> {
        self.called("discovered".to_owned())?;
        Ok(Page { items: self.state.lock().unwrap().discovered.clone(), next: None })
    }

    async fn adopt(
        &self,
        client: Option<String>,
        infohash: Infohash,
    ) -> Result<IngestDto, ApiFailure> {
        self.called(format!("adopt {client:?} {infohash}"))?;
        Ok(IngestDto { created: true, download: download(ID) })
    }

    async fn adoption(&self, client: Option<String>) -> Result<Page<AdoptionDto>, ApiFailure> {
        self.called(format!("adoption {client:?}"))?;
        let state = self.state.lock().unwrap();
        let mut items: Vec<AdoptionDto> = Vec::new();
        for one in &state.discovered {
            if client.as_ref().is_some_and(|wanted| *wanted != one.client) {
                continue;
            }
            match items.iter_mut().find(|item| item.client == one.client) {
                Some(item) => item.torrents.push(one.clone()),
                None => items.push(AdoptionDto {
                    client: one.client.clone(),
                    error: None,
                    known: 2,
                    twins: Vec::new(),
                    torrents: vec![one.clone()],
                }),
            }
        }
        items.extend(state.away.clone());
        Ok(Page { items, next: None })
    }

    async fn adopt_many(
        &self,
        client: String,
        infohashes: Vec<Infohash>,
    ) -> Result<Page<AdoptedDto>, ApiFailure> {
        self.called(format!("adopt {client} {}", infohashes.len()))?;
        let mut items = Vec::new();
        for infohash in infohashes {
            let failure = self.state.lock().unwrap().failures.pop_front().flatten();
            items.push(AdoptedDto {
                infohash: infohash.to_string(),
                created: failure.is_none(),
                download: failure.is_none().then(|| download(ID)),
                error: failure.map(|failure| ErrorDto {
                    code: failure.problem.code.clone(),
                    detail: failure.to_string(),
                }),
            });
        }
        Ok(Page { items, next: None })
    }

    async fn events(&self, query: EventQuery) -> Result<Page<EventDto>, ApiFailure> {
        self.called(format!(
            "events {:?} {:?}",
            query.limit,
            query.before.map(|id| id.to_string())
        ))?;
        let mut state = self.state.lock().unwrap();
        if query.before.is_none()
            && let Some(more) = state.arriving.pop_front()
        {
            state.events.extend(more);
        }
        let before = query.before.map(|id| id.to_string());
        let limit = query.limit.unwrap_or(50) as usize;
        let mut items: Vec<EventDto> = state.events.iter().rev().cloned().collect();
        items.retain(|event| before.as_ref().is_none_or(|before| event.id < *before));
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(|event| event.id.clone());
        Ok(Page { items, next })
    }

    async fn event(&self, id: EventId) -> Result<EventDto, ApiFailure> {
        self.called(format!("event {id}"))?;
        Ok(event(1))
    }

    async fn entity(&self, id: AnyId) -> Result<EntityDto, ApiFailure> {
        self.called(format!("entity {id}"))?;
        let kind = self.state.lock().unwrap().kind.unwrap_or("download").to_owned();
        Ok(EntityDto {
            kind,
            id: id.to_string(),
            download_id: None,
            url: format!("/api/v1/x/{id}"),
            related: vec![EntityRefDto {
                kind: "apply_batch".to_owned(),
                id: ID.to_owned(),
                url: format!("/api/v1/batches/{ID}"),
            }],
            events: self.state.lock().unwrap().events.iter().rev().cloned().collect(),
            log: LogDto {
                search: id.to_string(),
                since: Some("2026-01-02T03:04:05Z".to_owned()),
                until: Some("2026-01-02T03:05:00Z".to_owned()),
            },
        })
    }

    async fn health(&self) -> Result<HealthDto, ApiFailure> {
        self.called("health".to_owned())?;
        self.doctor().await
    }
}

#[async_trait]
impl Tokens for Fake {
    async fn token_new(&self, name: &str, scope: Scope) -> Result<(TokenDto, String), ApiFailure> {
        self.called(format!("token new {name} {scope}"))?;
        Ok((token(name), "the-secret".to_owned()))
    }

    async fn tokens(&self) -> Result<Vec<TokenDto>, ApiFailure> {
        self.called("token list".to_owned())?;
        Ok(vec![token("local")])
    }

    async fn token_revoke(&self, name: &str) -> Result<TokenDto, ApiFailure> {
        self.called(format!("token revoke {name}"))?;
        Ok(token(name))
    }
}

fn user(name: &str) -> UserDto {
    UserDto {
        id: ID.to_owned(),
        name: name.to_owned(),
        has_password: true,
        created_at: "2026-12-01T09:30:00Z".to_owned(),
        disabled_at: None,
    }
}

#[async_trait]
impl People for Fake {
    async fn user_add(&self, name: &str, password: Option<Secret>) -> Result<UserDto, ApiFailure> {
        let password = password.map(|password| password.expose().to_owned());
        self.called(format!("user add {name} {password:?}"))?;
        Ok(user(name))
    }

    async fn user_passwd(&self, name: &str, password: Secret) -> Result<UserDto, ApiFailure> {
        self.called(format!("user passwd {name} {}", password.expose()))?;
        Ok(user(name))
    }

    async fn user_disable(&self, name: &str, disabled: bool) -> Result<UserDto, ApiFailure> {
        self.called(format!("user disable {name} {disabled}"))?;
        Ok(user(name))
    }

    async fn users(&self) -> Result<Vec<UserDto>, ApiFailure> {
        self.called("user list".to_owned())?;
        Ok(vec![user("anna")])
    }

    async fn login_link(&self, name: Option<&str>) -> Result<(LoginLinkDto, Secret), ApiFailure> {
        self.called(format!("user login-link {name:?}"))?;
        let link = LoginLinkDto {
            id: ID.to_owned(),
            user: name.map(str::to_owned),
            expires_at: "2026-12-01T09:45:00Z".to_owned(),
        };
        Ok((link, Secret::new("the-secret")))
    }
}
