//! The first way in: where nobody has an account, one link that makes the first one.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};
use tracker_app::{App, AppError};
use tracker_cli::{ApiFailure, failure_of};
use tracker_domain::Actor;
use tracker_domain::access::LINK_LASTS;
use tracker_system::write_private;

use crate::place;

/// The file in the data directory that has the link where no terminal shows it.
const FILE: &str = "login-link";

/// How often it is looked whether somebody has used it.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Makes a link where nobody has an account, and shows it to whoever started the
/// program: on the terminal, or in a file for this user alone. Never in the log, which
/// others may read. The file, where one was written.
pub(crate) async fn offer(
    app: &App,
    data_dir: &Path,
    url: &str,
) -> Result<Option<PathBuf>, ApiFailure> {
    let path = data_dir.join(FILE);
    remove(&path);
    if !nobody_yet(app).await.map_err(failure_of)? {
        return Ok(None);
    }
    let (link, secret) = app.access.login_link(None, &Actor::System).await.map_err(failure_of)?;
    let link_url = format!("{url}/login?link={}", secret.expose());
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        let told = writeln!(
            screen,
            "\nThere is no account yet. This link makes the first one, once, until {}:\n\n  {link_url}\n",
            link.expires_at
        );
        if let Err(error) = told {
            warn!(%error, "the login link could not be shown");
        }
        return Ok(None);
    }
    write_private(&path, format!("{link_url}\n").as_bytes(), 0o600).map_err(place::directory)?;
    info!(
        path = %path.display(),
        "there is no account yet; the file has a link that makes the first one, for 15 minutes"
    );
    Ok(Some(path))
}

/// Takes the file away when the link is used or too old.
pub(crate) async fn watch(file: Option<PathBuf>, app: App, stop: CancellationToken) {
    let Some(path) = file else { return };
    let lasts = Duration::from_secs(u64::try_from(LINK_LASTS).unwrap_or_default());
    let used = async {
        // Without an answer of the database it is looked at again.
        while nobody_yet(&app).await.unwrap_or(true) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = used => {}
        () = tokio::time::sleep(lasts) => {}
    }
    remove(&path);
}

async fn nobody_yet(app: &App) -> Result<bool, AppError> {
    Ok(app.access.users().await?.is_empty())
}

fn remove(path: &Path) {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            warn!(%error, path = %path.display(), "the file with the login link could not be removed");
        }
        _ => {}
    }
}
