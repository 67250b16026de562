//! A daemon, over REST.

use async_trait::async_trait;
use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracker_app::{AttentionFilter, DownloadQuery, EventQuery, IngestOptions, PageQuery};
use tracker_domain::ask::AskScope;
use tracker_domain::entity::{CandidateId, RememberedId};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{BackupId, BatchId, DownloadId, EventId, Infohash, JobId};
use tracker_ident::AnyId;
use tracker_wire::{
    AdoptBody, AdoptManyBody, AdoptedDto, AdoptionDto, ApplyBody, AskBody, BackupDto, BatchDto,
    CancelBody, CandidateDto, ChooseBody, ChosenFileDto, DiscoveredDto, DownloadDto, EntityDto,
    EventDto, HealthDto, HintBody, HintDto, IngestBody, IngestDto, JobDto, LinkLookDto, MoveBody,
    OverrideBody, OverrideDto, Page, PlanDto, PriorityBody, Problem, RecognitionDto, ReconciledDto,
    RememberedDto, RemoveBody, RemovedDto, RetryBody, SearchDto, SeedingDto,
};

use crate::api::{Api, Input};
use crate::call::{Answer, Caller, Fields, Payload};
use crate::failure::ApiFailure;
use crate::target::Token;

/// The half of [`Api`] that asks a daemon.
pub struct RemoteApi {
    caller: Caller,
}

impl RemoteApi {
    /// A daemon at an address. `nearby` says that it is on this machine.
    ///
    /// # Errors
    /// The address or the token cannot be used.
    pub fn new(url: &str, token: Option<&Token>, nearby: bool) -> Result<Self, ApiFailure> {
        Ok(RemoteApi { caller: Caller::new(url, token, nearby)? })
    }

    /// Whether it answers `GET /healthz`.
    pub async fn is_alive(&self) -> bool {
        self.caller.is_alive().await
    }

    /// Has every health check run now.
    pub(crate) async fn examine(&self) -> Result<HealthDto, ApiFailure> {
        self.act("health").await
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: Fields,
    ) -> Result<T, ApiFailure> {
        let path = format!("api/v1/{path}");
        let answer = self.caller.send(Method::GET, &path, &query, Payload::Nothing).await?;
        self.read(&answer)
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ApiFailure> {
        self.send(Method::POST, path, body).await
    }

    /// A change that says no more than its address.
    pub(crate) async fn act<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiFailure> {
        let path = format!("api/v1/{path}");
        let answer = self.caller.send(Method::POST, &path, &[], Payload::Nothing).await?;
        self.read(&answer)
    }

    /// Deletes what answers with nothing.
    async fn delete(&self, path: &str) -> Result<(), ApiFailure> {
        let path = format!("api/v1/{path}");
        let answer = self.caller.send(Method::DELETE, &path, &[], Payload::Nothing).await?;
        if answer.status.is_success() { Ok(()) } else { Err(self.refusal(&answer)) }
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ApiFailure> {
        let body = serde_json::to_vec(body).map_err(|error| {
            ApiFailure::failed(format!("the request cannot be written: {error}"))
        })?;
        let path = format!("api/v1/{path}");
        let answer = self.caller.send(method, &path, &[], Payload::Json(body)).await?;
        self.read(&answer)
    }

    fn read<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, ApiFailure> {
        if answer.status.is_success() {
            return serde_json::from_slice(&answer.body).map_err(|error| {
                ApiFailure::failed(format!(
                    "the answer of {} is not that of a tracker daemon: {error}",
                    self.caller.address()
                ))
            });
        }
        Err(self.refusal(answer))
    }

    /// What an answer besides success says.
    fn refusal(&self, answer: &Answer) -> ApiFailure {
        let mut problem: Problem = serde_json::from_slice(&answer.body).unwrap_or_default();
        problem.status = answer.status.as_u16();
        if problem.title.is_empty() && problem.detail.is_none() {
            problem.title = format!("{} answered {}", self.caller.address(), answer.status);
        }
        if problem.status == 401 {
            let address = self.caller.address();
            problem.detail = Some(if self.caller.has_token() {
                format!(
                    "the token was refused by {address}; `tracker token list` beside its database shows which are in force"
                )
            } else {
                format!(
                    "{address} wants a token; give one with --token-file or TRACKER_TOKEN (`tracker token new` makes one)"
                )
            });
        }
        ApiFailure::of_problem(problem)
    }
}

#[async_trait]
impl Api for RemoteApi {
    async fn ingest(&self, input: Input, options: IngestOptions) -> Result<IngestDto, ApiFailure> {
        let IngestOptions { hint, pin, library, client } = options;
        match input {
            Input::Link { text, .. } => {
                let body = IngestBody { magnet: text, hint, pin, library, client };
                self.post("downloads", &body).await
            }
            Input::Torrent(torrent) => {
                let mut query = Fields::new();
                push(&mut query, "hint", hint);
                push(&mut query, "pin", pin);
                push(&mut query, "library", library);
                push(&mut query, "client", client);
                let payload = Payload::Torrent(torrent.bytes().to_vec());
                let answer =
                    self.caller.send(Method::POST, "api/v1/downloads", &query, payload).await?;
                self.read(&answer)
            }
        }
    }

    async fn list(&self, query: DownloadQuery) -> Result<Page<DownloadDto>, ApiFailure> {
        self.get("downloads", download_fields(&query)).await
    }

    async fn search(&self, text: &str) -> Result<SearchDto, ApiFailure> {
        self.get("search", vec![("q", text.to_owned())]).await
    }

    async fn download(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.get(&format!("downloads/{id}"), Fields::new()).await
    }

    async fn retry(
        &self,
        id: DownloadId,
        client: Option<String>,
    ) -> Result<DownloadDto, ApiFailure> {
        self.post(&format!("downloads/{id}/retry"), &RetryBody { client }).await
    }

    async fn move_to(&self, id: DownloadId, client: String) -> Result<DownloadDto, ApiFailure> {
        self.post(&format!("downloads/{id}/client"), &MoveBody { client }).await
    }

    async fn cancel(&self, id: DownloadId, body: CancelBody) -> Result<DownloadDto, ApiFailure> {
        self.post(&format!("downloads/{id}/cancel"), &body).await
    }

    async fn remove(&self, id: DownloadId, body: RemoveBody) -> Result<RemovedDto, ApiFailure> {
        self.post(&format!("downloads/{id}/remove"), &body).await
    }

    async fn prioritise(&self, id: DownloadId, end: QueueEnd) -> Result<DownloadDto, ApiFailure> {
        let body = PriorityBody { place: end.into() };
        self.post(&format!("downloads/{id}/priority"), &body).await
    }

    async fn pause(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.act(&format!("downloads/{id}/pause")).await
    }

    async fn resume(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure> {
        self.act(&format!("downloads/{id}/resume")).await
    }

    async fn files(&self, id: DownloadId) -> Result<Page<ChosenFileDto>, ApiFailure> {
        self.get(&format!("downloads/{id}/files"), Fields::new()).await
    }

    async fn choose(
        &self,
        id: DownloadId,
        skip: Vec<u32>,
    ) -> Result<Page<ChosenFileDto>, ApiFailure> {
        self.send(Method::PUT, &format!("downloads/{id}/files"), &ChooseBody { skip }).await
    }

    async fn recognition(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.get(&format!("downloads/{id}/recognition"), Fields::new()).await
    }

    async fn candidates(&self, id: DownloadId) -> Result<Page<CandidateDto>, ApiFailure> {
        self.get(&format!("downloads/{id}/candidates"), Fields::new()).await
    }

    async fn accept(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
    ) -> Result<RecognitionDto, ApiFailure> {
        let path = match candidate {
            Some(candidate) => format!("downloads/{id}/candidates/{candidate}/accept"),
            None => format!("downloads/{id}/recognition/accept"),
        };
        self.act(&path).await
    }

    async fn reject(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.act(&format!("downloads/{id}/recognition/reject")).await
    }

    async fn rerun(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure> {
        self.act(&format!("downloads/{id}/recognition/rerun")).await
    }

    async fn hint(&self, id: DownloadId, text: String) -> Result<HintDto, ApiFailure> {
        self.post(&format!("downloads/{id}/hints"), &HintBody { text }).await
    }

    async fn set_override(
        &self,
        id: DownloadId,
        field: &str,
        body: OverrideBody,
    ) -> Result<OverrideDto, ApiFailure> {
        self.send(Method::PUT, &format!("downloads/{id}/overrides/{field}"), &body).await
    }

    async fn remembered(&self) -> Result<Page<RememberedDto>, ApiFailure> {
        self.get("remembered", Fields::new()).await
    }

    async fn forget(&self, id: RememberedId) -> Result<(), ApiFailure> {
        self.delete(&format!("remembered/{id}")).await
    }

    async fn remove_override(&self, id: DownloadId, field: &str) -> Result<(), ApiFailure> {
        self.delete(&format!("downloads/{id}/overrides/{field}")).await
    }

    async fn ask(&self, id: DownloadId, scope: AskScope) -> Result<RecognitionDto, ApiFailure> {
        let body = AskBody { scope: scope.into() };
        self.send(Method::PUT, &format!("downloads/{id}/ask"), &body).await
    }

    async fn ask_no_more(
        &self,
        id: DownloadId,
        scope: AskScope,
    ) -> Result<RecognitionDto, ApiFailure> {
        let body = AskBody { scope: scope.into() };
        self.send(Method::DELETE, &format!("downloads/{id}/ask"), &body).await
    }

    async fn plan(&self, id: DownloadId) -> Result<PlanDto, ApiFailure> {
        self.get(&format!("downloads/{id}/plan"), Fields::new()).await
    }

    async fn apply(&self, id: DownloadId, body: ApplyBody) -> Result<BatchDto, ApiFailure> {
        self.post(&format!("downloads/{id}/apply"), &body).await
    }

    async fn relink(&self, id: DownloadId) -> Result<BatchDto, ApiFailure> {
        self.act(&format!("downloads/{id}/relink")).await
    }

    async fn batch(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.get(&format!("batches/{id}"), Fields::new()).await
    }

    async fn undo(&self, id: BatchId) -> Result<BatchDto, ApiFailure> {
        self.act(&format!("batches/{id}/undo")).await
    }

    async fn verify(&self, id: Option<DownloadId>) -> Result<Page<LinkLookDto>, ApiFailure> {
        match id {
            Some(id) => self.act(&format!("downloads/{id}/verify")).await,
            None => self.act("verify").await,
        }
    }

    async fn seeding(&self) -> Result<Page<SeedingDto>, ApiFailure> {
        self.get("seeding", Fields::new()).await
    }

    async fn discovered(&self) -> Result<Page<DiscoveredDto>, ApiFailure> {
        self.get("discovered", Fields::new()).await
    }

    async fn adopt(
        &self,
        client: Option<String>,
        infohash: Infohash,
    ) -> Result<IngestDto, ApiFailure> {
        let body = AdoptBody { client, infohash: infohash.to_string() };
        self.post("discovered/adopt", &body).await
    }

    async fn adoption(&self, client: Option<String>) -> Result<Page<AdoptionDto>, ApiFailure> {
        let mut query = Fields::new();
        push(&mut query, "client", client);
        self.get("discovered/clients", query).await
    }

    async fn adopt_many(
        &self,
        client: String,
        infohashes: Vec<Infohash>,
    ) -> Result<Page<AdoptedDto>, ApiFailure> {
        let infohashes = infohashes.iter().map(ToString::to_string).collect();
        let body = AdoptManyBody { client: Some(client), infohashes };
        self.post("discovered/adopt-many", &body).await
    }

    async fn events(&self, query: EventQuery) -> Result<Page<EventDto>, ApiFailure> {
        self.get("events", event_fields(&query)).await
    }

    async fn event(&self, id: EventId) -> Result<EventDto, ApiFailure> {
        self.get(&format!("events/{id}"), Fields::new()).await
    }

    async fn entity(&self, id: AnyId) -> Result<EntityDto, ApiFailure> {
        self.get(&format!("entities/{id}"), Fields::new()).await
    }

    async fn jobs(&self, query: PageQuery) -> Result<Page<JobDto>, ApiFailure> {
        self.get("jobs", page_fields(query)).await
    }

    async fn job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.get(&format!("jobs/{id}"), Fields::new()).await
    }

    async fn cancel_job(&self, id: JobId) -> Result<JobDto, ApiFailure> {
        self.act(&format!("jobs/{id}/cancel")).await
    }

    async fn backups(&self, query: PageQuery) -> Result<Page<BackupDto>, ApiFailure> {
        self.get("backups", page_fields(query)).await
    }

    async fn make_backup(&self) -> Result<JobDto, ApiFailure> {
        self.act("backups").await
    }

    async fn verify_backup(&self, id: Option<BackupId>) -> Result<JobDto, ApiFailure> {
        match id {
            Some(id) => self.act(&format!("backups/{id}/verify")).await,
            None => self.act("backups/verify").await,
        }
    }

    async fn delete_backup(&self, id: BackupId) -> Result<BackupDto, ApiFailure> {
        let path = format!("api/v1/backups/{id}");
        let answer = self.caller.send(Method::DELETE, &path, &[], Payload::Nothing).await?;
        self.read(&answer)
    }

    async fn reconcile_backups(&self) -> Result<ReconciledDto, ApiFailure> {
        self.act("backups/reconcile").await
    }

    async fn health(&self) -> Result<HealthDto, ApiFailure> {
        self.get("health", Fields::new()).await
    }
}

fn push(fields: &mut Fields, name: &'static str, value: Option<impl ToString>) {
    fields.extend(value.map(|value| (name, value.to_string())));
}

fn page_fields(query: PageQuery) -> Fields {
    let mut fields = Fields::new();
    push(&mut fields, "limit", query.limit);
    push(&mut fields, "before", query.before);
    fields
}

fn download_fields(query: &DownloadQuery) -> Fields {
    let mut fields: Fields =
        query.states.iter().map(|state| ("state", state.as_str().to_owned())).collect();
    push(&mut fields, "active", query.active);
    let attention = query.attention.map(|filter| match filter {
        AttentionFilter::Any => "any",
        AttentionFilter::None => "none",
        AttentionFilter::Is(code) => code.as_str(),
    });
    push(&mut fields, "attention", attention);
    push(&mut fields, "q", query.text.as_ref());
    push(&mut fields, "infohash", query.infohash);
    push(&mut fields, "hidden", query.hidden.then_some(true));
    push(&mut fields, "limit", query.limit);
    push(&mut fields, "before", query.before);
    fields
}

fn event_fields(query: &EventQuery) -> Fields {
    let mut fields: Fields =
        query.types.iter().map(|word| ("type", word.as_str().to_owned())).collect();
    push(&mut fields, "entity_id", query.entity_id);
    push(&mut fields, "download_id", query.download_id);
    push(&mut fields, "job_id", query.job_id);
    push(&mut fields, "limit", query.limit);
    push(&mut fields, "before", query.before);
    fields
}
