//! What a command can ask for, wherever it runs. Answers are the REST shapes.

use async_trait::async_trait;
use tracker_app::{DownloadQuery, EventQuery, IngestOptions, PageQuery};
use tracker_domain::access::Scope;
use tracker_domain::ask::AskScope;
use tracker_domain::entity::{CandidateId, RememberedId};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{
    BackupId, BatchId, DownloadId, EventId, Infohash, JobId, Magnet, Secret, Torrent,
};
use tracker_ident::AnyId;
use tracker_wire::{
    AdoptedDto, AdoptionDto, ApplyBody, BackupDto, BatchDto, CancelBody, CandidateDto,
    ChosenFileDto, DiscoveredDto, DownloadDto, EntityDto, EventDto, HealthDto, HintDto, IngestDto,
    JobDto, LinkLookDto, LoginLinkDto, OverrideBody, OverrideDto, Page, PlanDto, RecognitionDto,
    ReconciledDto, RememberedDto, RemoveBody, RemovedDto, SearchDto, SeedingDto, TokenDto, UserDto,
};

use crate::failure::ApiFailure;
use crate::notify::NotifyApi;

/// One thing to take in, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A magnet link or a bare infohash.
    Link {
        /// As it was given; a daemon parses it by its own rules.
        text: String,
        /// As we understand it.
        magnet: Box<Magnet>,
    },
    /// A `.torrent` file.
    Torrent(Box<Torrent>),
}

/// The services, here or at a daemon.
#[async_trait]
pub trait Api: NotifyApi + Send + Sync {
    /// Accepts a torrent.
    async fn ingest(&self, input: Input, options: IngestOptions) -> Result<IngestDto, ApiFailure>;
    /// One page of downloads.
    async fn list(&self, query: DownloadQuery) -> Result<Page<DownloadDto>, ApiFailure>;
    /// Whatever a text may mean.
    async fn search(&self, text: &str) -> Result<SearchDto, ApiFailure>;

    /// One download.
    async fn download(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure>;
    /// Another try.
    async fn retry(
        &self,
        id: DownloadId,
        client: Option<String>,
    ) -> Result<DownloadDto, ApiFailure>;
    /// Another client for a queued one.
    async fn move_to(&self, id: DownloadId, client: String) -> Result<DownloadDto, ApiFailure>;
    /// Gives a download up.
    async fn cancel(&self, id: DownloadId, body: CancelBody) -> Result<DownloadDto, ApiFailure>;
    /// Takes an ended download out of the lists.
    async fn remove(&self, id: DownloadId, body: RemoveBody) -> Result<RemovedDto, ApiFailure>;
    /// Puts a download before or after all others.
    async fn prioritise(&self, id: DownloadId, end: QueueEnd) -> Result<DownloadDto, ApiFailure>;
    /// Pauses a download.
    async fn pause(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure>;
    /// Lets a download go on.
    async fn resume(&self, id: DownloadId) -> Result<DownloadDto, ApiFailure>;
    /// The files of a download, and which are wanted.
    async fn files(&self, id: DownloadId) -> Result<Page<ChosenFileDto>, ApiFailure>;
    /// Wants each file but these.
    async fn choose(
        &self,
        id: DownloadId,
        skip: Vec<u32>,
    ) -> Result<Page<ChosenFileDto>, ApiFailure>;
    /// What a download is taken for.
    async fn recognition(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure>;
    /// The works that may be meant.
    async fn candidates(&self, id: DownloadId) -> Result<Page<CandidateDto>, ApiFailure>;
    /// Lets the recognition hold.
    async fn accept(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
    ) -> Result<RecognitionDto, ApiFailure>;
    /// Says that the recognition is wrong.
    async fn reject(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure>;
    /// Asks for another recognition.
    async fn rerun(&self, id: DownloadId) -> Result<RecognitionDto, ApiFailure>;
    /// Says in free text what it is.
    async fn hint(&self, id: DownloadId, text: String) -> Result<HintDto, ApiFailure>;
    /// Sets a field.
    async fn set_override(
        &self,
        id: DownloadId,
        field: &str,
        body: OverrideBody,
    ) -> Result<OverrideDto, ApiFailure>;
    /// Takes back what was set.
    async fn remove_override(&self, id: DownloadId, field: &str) -> Result<(), ApiFailure>;
    /// What is remembered for release groups.
    async fn remembered(&self) -> Result<Page<RememberedDto>, ApiFailure>;
    /// Forgets one of that.
    async fn forget(&self, id: RememberedId) -> Result<(), ApiFailure>;
    /// Asks a person before it is accepted.
    async fn ask(&self, id: DownloadId, scope: AskScope) -> Result<RecognitionDto, ApiFailure>;
    /// Asks no more.
    async fn ask_no_more(
        &self,
        id: DownloadId,
        scope: AskScope,
    ) -> Result<RecognitionDto, ApiFailure>;
    /// What would be linked.
    async fn plan(&self, id: DownloadId) -> Result<PlanDto, ApiFailure>;
    /// Carries a plan out.
    async fn apply(&self, id: DownloadId, body: ApplyBody) -> Result<BatchDto, ApiFailure>;
    /// Links it anew.
    async fn relink(&self, id: DownloadId) -> Result<BatchDto, ApiFailure>;
    /// One batch.
    async fn batch(&self, id: BatchId) -> Result<BatchDto, ApiFailure>;
    /// Undoes a batch.
    async fn undo(&self, id: BatchId) -> Result<BatchDto, ApiFailure>;
    /// Looks whether links still stand: those of one download, or all.
    async fn verify(&self, id: Option<DownloadId>) -> Result<Page<LinkLookDto>, ApiFailure>;
    /// Torrents of ours that are done, and what their policy would do.
    async fn seeding(&self) -> Result<Page<SeedingDto>, ApiFailure>;
    /// Torrents in the clients that are nobody's.
    async fn discovered(&self) -> Result<Page<DiscoveredDto>, ApiFailure>;
    /// Takes one of them over.
    async fn adopt(
        &self,
        client: Option<String>,
        infohash: Infohash,
    ) -> Result<IngestDto, ApiFailure>;
    /// What the clients have, or one of them, before any of it is taken over.
    async fn adoption(&self, client: Option<String>) -> Result<Page<AdoptionDto>, ApiFailure>;
    /// Takes many of one client over.
    async fn adopt_many(
        &self,
        client: String,
        infohashes: Vec<Infohash>,
    ) -> Result<Page<AdoptedDto>, ApiFailure>;
    /// One page of the journal, newest first.
    async fn events(&self, query: EventQuery) -> Result<Page<EventDto>, ApiFailure>;
    /// One entry of the journal.
    async fn event(&self, id: EventId) -> Result<EventDto, ApiFailure>;
    /// What an id belongs to.
    async fn entity(&self, id: AnyId) -> Result<EntityDto, ApiFailure>;
    /// One page of jobs, newest first.
    async fn jobs(&self, query: PageQuery) -> Result<Page<JobDto>, ApiFailure>;
    /// One job.
    async fn job(&self, id: JobId) -> Result<JobDto, ApiFailure>;
    /// Asks for the end of a job.
    async fn cancel_job(&self, id: JobId) -> Result<JobDto, ApiFailure>;
    /// One page of backups, newest first.
    async fn backups(&self, query: PageQuery) -> Result<Page<BackupDto>, ApiFailure>;
    /// Makes a backup: the job, which has ended where no daemon does it.
    async fn make_backup(&self) -> Result<JobDto, ApiFailure>;
    /// Tries one out, or the newest good one: the job, which has ended where no daemon
    /// does it.
    async fn verify_backup(&self, id: Option<BackupId>) -> Result<JobDto, ApiFailure>;
    /// Gives a backup up.
    async fn delete_backup(&self, id: BackupId) -> Result<BackupDto, ApiFailure>;
    /// Compares the backups at the target with their rows.
    async fn reconcile_backups(&self) -> Result<ReconciledDto, ApiFailure>;
    /// Every health check.
    async fn health(&self) -> Result<HealthDto, ApiFailure>;
}

/// API tokens. The command makes them beside the database only: whoever can write
/// there needs no token.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// Makes one; the secret is shown this once.
    async fn token_new(&self, name: &str, scope: Scope) -> Result<(TokenDto, String), ApiFailure>;
    /// All of them.
    async fn tokens(&self) -> Result<Vec<TokenDto>, ApiFailure>;
    /// Takes one away.
    async fn token_revoke(&self, name: &str) -> Result<TokenDto, ApiFailure>;
}

/// Accounts, beside the database as well.
#[async_trait]
pub trait People: Send + Sync {
    /// Makes one.
    async fn user_add(&self, name: &str, password: Option<Secret>) -> Result<UserDto, ApiFailure>;
    /// Sets another password, which ends all sessions.
    async fn user_passwd(&self, name: &str, password: Secret) -> Result<UserDto, ApiFailure>;
    /// Lets a person in no more, or again.
    async fn user_disable(&self, name: &str, disabled: bool) -> Result<UserDto, ApiFailure>;
    /// All of them.
    async fn users(&self) -> Result<Vec<UserDto>, ApiFailure>;
    /// Makes a link that logs in once; the secret is shown this once.
    async fn login_link(&self, name: Option<&str>) -> Result<(LoginLinkDto, Secret), ApiFailure>;
}
