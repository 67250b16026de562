//! Serving until the stop, and not longer than a little after it.

use std::future::IntoFuture;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

/// How long requests that run may take to end after the stop. Below the 10 s
/// that a service manager is told to wait.
const DRAIN: Duration = Duration::from_secs(8);

/// Serves until `stop` is cancelled, then lets running requests end. What is
/// still open after 8 seconds is given up.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: CancellationToken,
) -> io::Result<()> {
    let listener = listener.tap_io(|connection| {
        // An event has to leave at once, not with the next one.
        if let Err(error) = connection.set_nodelay(true) {
            debug!(%error, "small packets are held back on a connection");
        }
    });
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let graceful = stop.clone().cancelled_owned();
    let server = axum::serve(listener, service).with_graceful_shutdown(graceful).into_future();
    let mut server = pin!(server);
    tokio::select! {
        ended = &mut server => return ended,
        () = stop.cancelled() => {}
    }
    if let Ok(ended) = tokio::time::timeout(DRAIN, server).await {
        ended
    } else {
        warn!("requests were still running at the stop and are given up");
        Ok(())
    }
}
