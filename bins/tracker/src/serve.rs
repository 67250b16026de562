//! The daemon: from the configuration to running workers and a listener, and
//! down again.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use tracker_app::App;
use tracker_cli::{API_TOKEN_FILE, ApiFailure, DAEMON_FILE, DaemonFile};
use tracker_domain::Actor;
use tracker_http::HttpPolicy;
use tracker_ingest::Clients;
use tracker_pipeline::{Pipeline, Policy};
use tracker_store::Db;
use tracker_system::{LocalFiles, SystemClock, WorkerLock, ensure_data_dir, write_private};
use tracker_wire::HealthDto;

use crate::config::Config;
use crate::{place, wiring};

/// The token for programs on this machine.
const LOCAL_TOKEN: &str = "local";

/// How long workers may take to end their step.
const WORKERS_END: Duration = Duration::from_secs(9);

/// Runs until SIGTERM or SIGINT.
pub(crate) async fn serve(config: &Config) -> Result<(), ApiFailure> {
    let data_dir = &config.general.data_dir;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(config.general.umask));
    ensure_data_dir(data_dir).map_err(place::directory)?;
    let _workers_are_ours = WorkerLock::acquire(data_dir).map_err(place::locked)?;
    let opened = place::open(data_dir, true)?;
    let db = opened.db.clone();
    let stop = CancellationToken::new();
    stop_on_signal(&stop)?;

    let clients = wiring::clients(config)?;
    let policy = wiring::policy(config);
    wiring::tell_sources(&policy.sources);
    let pipeline = pipeline(config, policy, &db, &clients);
    let libraries = wiring::library_names(config);
    let app =
        App::new(db.clone(), clients, libraries, pipeline.board(), Arc::new(pipeline.clone()))
            .with_languages(config.metadata.languages.clone());
    tokio::select! {
        recovered = pipeline.recover() => {
            recovered.map_err(|error| ApiFailure::failed(error.to_string()))?;
        }
        // What was broken off is so again, and found at the next start.
        () = stop.cancelled() => return Ok(()),
    }

    let listener = TcpListener::bind(config.http.listen).await.map_err(|error| {
        ApiFailure::failed(format!(
            "cannot listen on {}: {error}; set http.listen to a free address",
            config.http.listen
        ))
    })?;
    let address = listener.local_addr().map_err(|error| ApiFailure::failed(error.to_string()))?;
    local_token(&app, data_dir, config.general.token_mode).await?;
    let version = env!("CARGO_PKG_VERSION");
    db.write(&Actor::System, move |tx| tx.record_start(version))
        .await
        .map_err(|error| ApiFailure::failed(error.to_string()))?;
    announce(config, data_dir, address, version)?;

    let policy =
        HttpPolicy { base_path: config.http.base_path.clone(), clock: Arc::new(SystemClock) };
    let router = tracker_http::router(app.clone(), policy, stop.clone());
    let workers = tokio::spawn(pipeline.run(stop.clone()));
    app.ops.set_ready(true);
    let served = tracker_http::serve(listener, router, stop.clone()).await;
    app.ops.set_ready(false);
    // Also when the listener failed: nothing goes on behind its back.
    stop.cancel();
    if timeout(WORKERS_END, workers).await.is_err() {
        warn!("a worker did not end in time and is given up");
    }
    forget(data_dir);
    info!("stopped");
    served.map_err(|error| ApiFailure::failed(format!("the listener failed: {error}")))
}

/// Every health check, run here and now without a daemon.
pub(crate) async fn doctor(config: &Config, db: Db) -> Result<HealthDto, ApiFailure> {
    let pipeline = pipeline(config, wiring::policy(config), &db, &wiring::clients(config)?);
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

/// The first signal stops in order; the service manager has its own for haste.
fn stop_on_signal(stop: &CancellationToken) -> Result<(), ApiFailure> {
    let listen = |kind| signal(kind).map_err(|error| ApiFailure::failed(error.to_string()));
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    let stop = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        info!("stopping");
        stop.cancel();
    });
    Ok(())
}

/// Makes the token for this machine once; a new one when its file is lost or
/// does not open anything any more.
async fn local_token(app: &App, data_dir: &Path, mode: u32) -> Result<(), ApiFailure> {
    let path = data_dir.join(API_TOKEN_FILE);
    let failed = |error: tracker_app::AppError| tracker_cli::failure_of(error);
    if let Ok(secret) = std::fs::read_to_string(&path)
        && app.ops.verify_token(secret.trim()).await.map_err(failed)?.as_deref()
            == Some(LOCAL_TOKEN)
    {
        // Written anew only for its mode, which the configuration may have changed.
        return write_private(&path, secret.as_bytes(), mode).map_err(place::directory);
    }
    let secret = app.ops.local_token(LOCAL_TOKEN).await.map_err(failed)?;
    write_private(&path, format!("{secret}\n").as_bytes(), mode).map_err(place::directory)
}

/// Writes where the daemon is reached, for commands on this machine, and says
/// it to whoever reads the log.
fn announce(
    config: &Config,
    data_dir: &Path,
    address: SocketAddr,
    version: &str,
) -> Result<(), ApiFailure> {
    let mut reached = address;
    if reached.ip().is_unspecified() {
        let loopback: std::net::IpAddr = match reached {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        reached.set_ip(loopback);
    }
    let url = format!("http://{reached}{}", config.http.base_path);
    let daemon =
        DaemonFile { url: url.clone(), pid: std::process::id(), version: version.to_owned() };
    let text =
        serde_json::to_string(&daemon).map_err(|error| ApiFailure::failed(error.to_string()))?;
    write_private(&data_dir.join(DAEMON_FILE), text.as_bytes(), config.general.token_mode)
        .map_err(place::directory)?;
    info!(url, version, "listening");
    if !address.ip().is_loopback() {
        warn!(address = %address,
            "plain HTTP beyond this machine: tokens can be read on the way; put a TLS proxy in front");
    }
    Ok(())
}

/// Nobody is reached there any more. When it fails, the pid in the file tells.
fn forget(data_dir: &Path) {
    let path = data_dir.join(DAEMON_FILE);
    if let Err(error) = std::fs::remove_file(&path) {
        warn!(error = %error, "the file that names the daemon could not be removed");
    }
}
