//! What happens by itself: the workers, one module a stage, each a loop of
//! query, decide, apply.
//!
//! Facts are in the database, wake-ups in memory: a stage's input is a query,
//! and a lost wake-up costs one poll interval, never a link.

mod apply_facts;
mod backup_target;
mod board;
mod carry_out;
mod choose;
mod clients;
mod hand_over;
mod house;
mod jobs;
mod lay;
mod notify;
mod proofs;
mod recognise;
mod recover;
mod refresh;
mod retention;
mod roots;
mod schedule;
mod seeding;
mod settling;
mod sources;
mod stage;
mod twins;
mod watch;
mod watch_folder;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::task::{JoinSet, spawn_blocking};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};
use tracker_backup::Backups;
use tracker_domain::library::Library;
use tracker_domain::ports::{Examiner, Files, WatchFolder};
use tracker_domain::seeding::SeedingRules;
use tracker_domain::{DownloadId, JobKind};
use tracker_ingest::{Choose, Clients};
use tracker_layout::Naming;
use tracker_reconcile::Patience;
use tracker_store::{Db, Download, StoreError};

use backup_target::BackupTargetStage;
pub use board::Board;
use carry_out::CarryOutStage;
use choose::ChooseStage;
use clients::{ClientStatus, ClientsStage};
use hand_over::HandOverStage;
use house::{House, HouseStage};
use jobs::JobStage;
use lay::LinkStage;
pub use notify::{Notifiers, Subscriber};
use notify::{NotifyStage, Reader};
use proofs::{Proofs, ProofsStage};
use recognise::{PutOff, RecogniseStage, Wake};
pub use refresh::MediaServers;
use refresh::{Refresh, RefreshStage};
use roots::RootsStage;
use schedule::ScheduleStage;
use seeding::SeedingStage;
use settling::Settling;
use sources::SourceHealth;
pub use sources::Sources;
use stage::{Stage, run_stage};
use watch_folder::WatchFolderStage;

/// When a recognition is accepted without a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoAccept {
    /// Never.
    Never,
    /// When the names say plainly what it is.
    Confident,
}

/// Where backups of the database go, and when.
#[derive(Clone, Debug)]
pub struct BackupPlan {
    /// Everything about them.
    pub backups: Backups,
    /// How often one is made; `None` is never by itself.
    pub every: Option<Duration>,
}

/// What the workers need to know of the configuration.
#[derive(Clone, Debug)]
pub struct Policy {
    /// When a recognition is accepted without a person.
    pub auto_accept: AutoAccept,
    /// At least this often everything that is ours is listed.
    pub listing_every: Duration,
    /// How long to wait before something is worth a word.
    pub patience: Patience,
    /// How often a stage looks when nothing wakes it.
    pub look_every: Duration,
    /// The metadata sources that are asked.
    pub sources: Sources,
    /// How files are named in the libraries.
    pub naming: Naming,
    /// Languages of titles, ISO 639-1, the preferred one first; none is English.
    pub languages: Vec<String>,
    /// The media servers that are told of changes in the libraries.
    pub media_servers: MediaServers,
    /// The receivers that are told of events.
    pub notifiers: Notifiers,
    /// Which of the clients that fit a new download gets.
    pub choose: Choose,
    /// The folder whose files are taken in, where there is one.
    pub watch_folder: Option<Arc<dyn WatchFolder>>,
    /// When torrents have given enough.
    pub seeding: SeedingRules,
    /// Where the database is, for a look at its disk.
    pub data_dir: Option<PathBuf>,
    /// Days that the journal is kept; 0 keeps all.
    pub retention_days: u32,
    /// Backups of the database, where there is a place for them.
    pub backups: Option<BackupPlan>,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            auto_accept: AutoAccept::Confident,
            listing_every: Duration::from_secs(60),
            patience: Patience::default(),
            look_every: Duration::from_secs(2),
            sources: Sources::default(),
            naming: Naming::default(),
            languages: Vec::new(),
            media_servers: MediaServers::default(),
            notifiers: Notifiers::default(),
            choose: Choose::First,
            watch_folder: None,
            seeding: SeedingRules::default(),
            data_dir: None,
            retention_days: 0,
            backups: None,
        }
    }
}

/// Everything the workers share.
#[derive(Clone)]
pub struct Pipeline {
    db: Db,
    clients: Clients,
    files: Arc<dyn Files>,
    libraries: Arc<[Library]>,
    board: Arc<Board>,
    policy: Arc<Policy>,
    statuses: Arc<[Arc<ClientStatus>]>,
    settling: Arc<Settling>,
    source_health: Arc<SourceHealth>,
    put_off: Arc<PutOff>,
    wake: Arc<Wake>,
    /// Held by whoever makes or removes links: one at a time in a process.
    laying: Arc<Mutex<()>>,
    proofs: Arc<Proofs>,
    refresh: Arc<Refresh>,
    readers: Arc<[Arc<Reader>]>,
    house: Arc<House>,
}

impl Pipeline {
    /// The workers of one process.
    #[must_use]
    pub fn new(
        db: Db,
        clients: Clients,
        files: Arc<dyn Files>,
        libraries: Vec<Library>,
        policy: Policy,
    ) -> Self {
        let statuses = clients.iter().map(|entry| Arc::new(ClientStatus::new(entry.clone())));
        let board = Board::default();
        policy.sources.tell_faults(&board, db.clock().now());
        policy.media_servers.tell_faults(&board, db.clock().now());
        policy.notifiers.tell_faults(&board, db.clock().now());
        let readers = Reader::all(&policy.notifiers).into();
        let refresh = Refresh::new(&policy.media_servers, Arc::clone(db.clock()));
        Pipeline {
            statuses: statuses.collect(),
            db,
            clients,
            files,
            libraries: libraries.into(),
            board: Arc::new(board),
            policy: Arc::new(policy),
            settling: Arc::new(Settling::default()),
            source_health: Arc::new(SourceHealth::default()),
            put_off: Arc::new(PutOff::default()),
            wake: Arc::new(Wake::default()),
            laying: Arc::new(Mutex::new(())),
            proofs: Arc::new(Proofs::default()),
            refresh: Arc::new(refresh),
            readers,
            house: Arc::new(House::default()),
        }
    }

    /// What the workers know and nobody writes down.
    #[must_use]
    pub fn board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// Whether the client of a download answers now. What asks it would only wait
    /// for its time-out otherwise, and hold up the downloads of other clients.
    pub(crate) fn answers(&self, row: &Download) -> bool {
        let status = self.statuses.iter().find(|status| status.owns(row, self));
        status.is_some_and(|status| status.online_since().is_some())
    }

    /// Whether it is too early to call a file of this download missing.
    pub(crate) fn is_settling(&self, id: DownloadId) -> bool {
        self.settling.is_early(id, self.db.clock().now_ms())
    }

    /// Runs file operations off the async threads. `None` when they broke off.
    pub(crate) async fn on_disk<T: Send + 'static>(
        &self,
        job: impl FnOnce(&dyn Files) -> T + Send + 'static,
    ) -> Option<T> {
        let files = Arc::clone(&self.files);
        let done = spawn_blocking(move || job(&*files)).await;
        done.inspect_err(|failure| error!(error = %failure, "file operations broke off")).ok()
    }

    /// Finishes or rolls back what a former process left half done. Before any
    /// worker starts.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn recover(&self) -> Result<(), StoreError> {
        notify::take_up(self).await?;
        jobs::recover(self).await?;
        recover::recover(self).await
    }

    /// Runs every check once, here and now, and puts the answers on the board.
    /// No worker is started.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn examine(&self) -> Result<(), StoreError> {
        clients::no_client_check(self);
        for entry in self.clients.iter() {
            clients::examine(self, entry).await;
        }
        refresh::examine(self).await;
        watch_folder::examine(self).await;
        notify::examine(self).await?;
        house::pass(self).await?;
        backup_target::examine(self).await?;
        roots::pass(self).await?;
        proofs::pass(self).await
    }

    /// Runs every worker until `stop`, and waits until each has ended its step.
    pub async fn run(self, stop: CancellationToken) {
        let mut workers = Workers { set: JoinSet::new(), pipeline: self.clone(), stop };
        for status in self.statuses.iter().map(Arc::clone) {
            let watching = watch::run(self.clone(), Arc::clone(&status), workers.stop.clone());
            workers.set.spawn(watching);
            let pipeline = self.clone();
            workers.start(HandOverStage { pipeline, status: Arc::clone(&status) });
            workers.start(CarryOutStage { pipeline: self.clone(), status: Arc::clone(&status) });
            workers.start(SeedingStage::new(self.clone(), status));
        }
        if choose::is_needed(&self) {
            workers.start(ChooseStage { pipeline: self.clone() });
        }
        workers.start(ClientsStage { pipeline: self.clone() });
        workers.start(RootsStage { pipeline: self.clone() });
        workers.start(ProofsStage { pipeline: self.clone() });
        workers.start(HouseStage::new(self.clone()));
        workers.start(ScheduleStage::new(self.clone()));
        if let Some(plan) = self.policy.backups.clone() {
            workers.start(BackupTargetStage::new(self.clone(), plan));
        }
        let turns = jobs::turns();
        for kind in JobKind::ALL.iter().copied() {
            let (turns, stop) = (Arc::clone(&turns), workers.stop.clone());
            workers.start(JobStage { pipeline: self.clone(), kind, turns, stop });
        }
        workers.start(RecogniseStage { pipeline: self.clone() });
        if let Some(folder) = self.policy.watch_folder.clone() {
            workers.start(WatchFolderStage::new(self.clone(), folder));
        }
        for queue in self.refresh.queues().map(Arc::clone) {
            workers.start(RefreshStage { pipeline: self.clone(), queue });
        }
        for reader in self.readers.iter().map(Arc::clone) {
            let (pipeline, stop) = (self.clone(), workers.stop.clone());
            workers.start(NotifyStage { pipeline, reader, stop });
        }
        let stop = workers.stop.clone();
        workers.start(LinkStage::new(self, stop));
        info!("workers started");
        while let Some(ended) = workers.set.join_next().await {
            if let Err(failure) = ended {
                // A stage catches what its pass does; this is a bug in the loop.
                error!(error = %failure, "a worker ended badly");
            }
        }
        info!("workers stopped");
    }
}

#[async_trait]
impl Examiner for Pipeline {
    async fn examine(&self) {
        if let Err(failure) = Pipeline::examine(self).await {
            error!(error = %failure, "the health checks could not be run");
        }
    }
}

/// The running workers.
struct Workers {
    set: JoinSet<()>,
    pipeline: Pipeline,
    stop: CancellationToken,
}

impl Workers {
    fn start(&mut self, stage: impl Stage) {
        let every = self.pipeline.policy.look_every;
        let db = self.pipeline.db.clone();
        self.set.spawn(run_stage(stage, db, every, self.stop.clone()));
    }
}

#[cfg(test)]
mod tests;
