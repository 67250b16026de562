//! The workers of one process with what they need: `serve` and `ingest --wait`
//! start the same ones.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::warn;
use tracker_app::App;
use tracker_cli::ApiFailure;
use tracker_ingest::Clients;
use tracker_pipeline::{Pipeline, Policy};
use tracker_store::Db;
use tracker_system::{LocalFiles, WorkerLock};
use tracker_telegram::Notices;
use tracker_wire::HealthDto;

use crate::config::Config;
use crate::place::{self, Opened};
use crate::wiring;

/// How long workers may take to end their step.
const WORKERS_END: Duration = Duration::from_secs(9);

/// The services and the workers behind them.
pub(crate) struct Workers {
    pub app: App,
    /// What a bot tells in chats, where there is one.
    pub notices: Arc<Notices>,
    pipeline: Pipeline,
    stop: CancellationToken,
    running: Option<JoinHandle<()>>,
    opened: Opened,
    /// No other process works on the same data.
    _lock: WorkerLock,
}

impl Workers {
    /// Everything is laid out, nothing runs. An older database is brought up to date.
    pub(crate) fn prepare(config: &Config, lock: WorkerLock) -> Result<Self, ApiFailure> {
        let opened = place::open(&config.general.data_dir, true)?;
        own_libraries(config)?;
        let clients = wiring::clients(config)?;
        let backups = wiring::backups(config, &opened.db)?;
        let notices = Arc::default();
        let policy = wiring::policy(config, &backups, &notices);
        wiring::tell_sources(&policy.sources);
        let sources = policy.sources.asked();
        let pipeline = pipeline(config, policy, &opened.db, &clients);
        let app = App::new(
            opened.db.clone(),
            clients,
            wiring::library_names(config),
            pipeline.board(),
            Arc::new(pipeline.clone()),
        );
        let app = app
            .with_languages(config.metadata.languages.clone())
            .with_sources(sources)
            .with_seeding(wiring::seeding(config))
            .with_backups(backups)
            .with_posters(wiring::posters(config))
            .with_receivers(Arc::new(pipeline.clone()))
            .with_examiner(Arc::new(pipeline.clone()));
        let stop = CancellationToken::new();
        Ok(Workers { app, notices, pipeline, stop, running: None, opened, _lock: lock })
    }

    pub(crate) fn db(&self) -> &Db {
        &self.opened.db
    }

    /// Finishes or takes back what a crash has broken off. May be dropped: it is
    /// found again at the next start.
    pub(crate) async fn recover(&self) -> Result<(), ApiFailure> {
        self.pipeline.recover().await.map_err(|error| ApiFailure::failed(error.to_string()))
    }

    pub(crate) fn start(&mut self) {
        let running = tokio::spawn(self.pipeline.clone().run(self.stop.clone()));
        self.running = Some(running);
    }

    /// Ends them after the step that each is at.
    pub(crate) async fn end(mut self) {
        self.stop.cancel();
        if let Some(running) = self.running.take()
            && timeout(WORKERS_END, running).await.is_err()
        {
            warn!("a worker did not end in time and is given up");
        }
    }
}

/// The libraries that hold where nobody has set any lie in the data directory and
/// are made; a root that was configured never is.
fn own_libraries(config: &Config) -> Result<(), ApiFailure> {
    let ours = config.libraries.iter().filter(|_| config.libraries_are_ours);
    for library in ours {
        // The umask takes away what it is set to.
        let made = DirBuilder::new().recursive(true).mode(0o777).create(&library.root);
        made.map_err(|error| {
            ApiFailure::failed(format!(
                "the library {} cannot be made: {error}; set a [[library]] of your own",
                library.root.display()
            ))
        })?;
    }
    Ok(())
}

/// Every health check, run here and now without a daemon.
pub(crate) async fn doctor(config: &Config, db: Db) -> Result<HealthDto, ApiFailure> {
    // The checks make a link into each library, so these are made as the daemon would.
    place::make_ready(&config.general)?;
    own_libraries(config)?;
    let notices = Arc::default();
    let policy = wiring::policy(config, &wiring::backups(config, &db)?, &notices);
    let pipeline = pipeline(config, policy, &db, &wiring::clients(config)?);
    pipeline.examine().await.map_err(|error| ApiFailure::failed(error.to_string()))?;
    let app = App::new(db, Clients::default(), Vec::new(), pipeline.board(), Arc::new(pipeline));
    Ok(app.ops.health().await.into())
}

pub(crate) fn pipeline(config: &Config, policy: Policy, db: &Db, clients: &Clients) -> Pipeline {
    Pipeline::new(
        db.clone(),
        clients.clone(),
        Arc::new(LocalFiles),
        config.libraries.clone(),
        policy,
    )
}
