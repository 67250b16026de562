//! The daemon: from the configuration to running workers and a listener, and
//! down again.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use tracker_app::App;
use tracker_cli::{API_TOKEN_FILE, ApiFailure, DAEMON_FILE, DaemonFile};
use tracker_domain::Actor;
use tracker_http::{AccessPolicy, HttpPolicy, Manner};
use tracker_i18n::Catalogue;
use tracker_system::{SystemClock, WorkerLock, write_private};

use crate::config::{Config, Loaded};
use crate::supervision::Supervision;
use crate::workers::Workers;
use crate::{bot, first_login, place, settings, wiring};

/// The token for programs on this machine.
const LOCAL_TOKEN: &str = "local";

/// Runs until SIGTERM or SIGINT.
pub(crate) async fn serve(loaded: &Loaded, manager: Supervision) -> Result<(), ApiFailure> {
    let config = &loaded.config;
    manager.starting();
    let data_dir = &config.general.data_dir;
    place::make_ready(&config.general)?;
    let lock = WorkerLock::acquire(data_dir).map_err(place::locked)?;
    let stop = CancellationToken::new();
    stop_on_signal(&stop)?;
    wiring::tell_defaults(config);
    let mut workers = Workers::prepare(config, lock)?;
    tokio::select! {
        recovered = workers.recover() => recovered?,
        // What was broken off is so again, and found at the next start.
        () = stop.cancelled() => {
            manager.stopping();
            return Ok(());
        }
    }
    let app = workers.app.clone().with_settings(settings::view(loaded));

    let listener = TcpListener::bind(config.http.listen).await.map_err(|error| {
        ApiFailure::failed(format!(
            "cannot listen on {}: {error}; set http.listen to a free address",
            config.http.listen
        ))
    })?;
    let address = listener.local_addr().map_err(|error| ApiFailure::failed(error.to_string()))?;
    let metrics = match config.metrics.listen {
        None => None,
        Some(listen) => Some(TcpListener::bind(listen).await.map_err(|error| {
            ApiFailure::failed(format!(
                "cannot listen on {listen}: {error}; set metrics.listen to a free address"
            ))
        })?),
    };
    local_token(&app, data_dir, config.general.token_mode).await?;
    let version = env!("CARGO_PKG_VERSION");
    workers
        .db()
        .write(&Actor::System, move |tx| tx.record_start(version))
        .await
        .map_err(|error| ApiFailure::failed(error.to_string()))?;
    let url = announce(config, data_dir, address, version)?;

    let first = first_login::offer(&app, data_dir, &url).await?;

    let texts = Arc::new(Catalogue::new().map_err(|error| ApiFailure::failed(error.to_string()))?);
    let policy = policy(config, &texts);
    let metrics = metrics.map(|listener| {
        tokio::spawn(serve_metrics(listener, app.clone(), policy.clone(), stop.clone()))
    });
    let router = tracker_http::router(app.clone(), policy, stop.clone());
    workers.start();
    app.ops.set_ready(true);
    manager.ready(&url);
    let bot = bot::of(config, &app, &texts, &workers.notices)
        .map(|bot| tokio::spawn(bot.run(stop.clone())));
    let watching = tokio::spawn(first_login::watch(first, app.clone(), stop.clone()));
    let watched = tokio::spawn(manager.watch(workers.db().clone(), stop.clone()));
    let served = tracker_http::serve(listener, router, stop.clone()).await;
    app.ops.set_ready(false);
    // Also when the listener failed: nothing goes on behind its back.
    stop.cancel();
    workers.end().await;
    let _ = watching.await;
    // They end with the stop; a panic of their own has been told already.
    let _ = watched.await;
    if let Some(metrics) = metrics {
        let _ = metrics.await;
    }
    if let Some(bot) = bot {
        let _ = bot.await;
    }
    forget(data_dir);
    info!("stopped");
    served.map_err(|error| ApiFailure::failed(format!("the listener failed: {error}")))
}

/// How requests are answered.
fn policy(config: &Config, texts: &Arc<Catalogue>) -> HttpPolicy {
    let manner = Manner {
        texts: Arc::clone(texts),
        language: config.general.language,
        zone: config.general.timezone.clone().into(),
    };
    HttpPolicy {
        base_path: config.http.base_path.clone(),
        access: AccessPolicy {
            hosts: config.http.hosts.clone(),
            trusted_proxies: config.http.trusted_proxies.clone(),
            user_header: config.http.user_header.clone(),
            open_networks: config.http.open_networks.clone(),
        },
        clock: Arc::new(SystemClock),
        manner,
    }
}

/// The listener of the metrics; the daemon goes on without it.
async fn serve_metrics(
    listener: TcpListener,
    app: App,
    policy: HttpPolicy,
    stop: CancellationToken,
) {
    let router = tracker_http::metrics_router(app, policy, stop.clone());
    if let Err(error) = tracker_http::serve(listener, router, stop).await {
        warn!(%error, "the listener of the metrics failed");
    }
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
        && app
            .access
            .verify_token(secret.trim())
            .await
            .map_err(failed)?
            .is_some_and(|token| token.name == LOCAL_TOKEN)
    {
        // Written anew only for its mode, which the configuration may have changed.
        return write_private(&path, secret.as_bytes(), mode).map_err(place::directory);
    }
    let secret = app.access.local_token(LOCAL_TOKEN).await.map_err(failed)?;
    write_private(&path, format!("{secret}\n").as_bytes(), mode).map_err(place::directory)
}

/// Writes where the daemon is reached, for commands on this machine, says it to
/// whoever reads the log, and returns it.
fn announce(
    config: &Config,
    data_dir: &Path,
    address: SocketAddr,
    version: &str,
) -> Result<String, ApiFailure> {
    let url = url(config, address);
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
    Ok(url)
}

/// Where the daemon is reached from this machine when it listens at an address.
pub(crate) fn url(config: &Config, address: SocketAddr) -> String {
    let mut reached = address;
    if reached.ip().is_unspecified() {
        let loopback: std::net::IpAddr = match reached {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        reached.set_ip(loopback);
    }
    format!("http://{reached}{}", config.http.base_path)
}

/// Nobody is reached there any more. When it fails, the pid in the file tells.
fn forget(data_dir: &Path) {
    let path = data_dir.join(DAEMON_FILE);
    if let Err(error) = std::fs::remove_file(&path) {
        warn!(error = %error, "the file that names the daemon could not be removed");
    }
}
