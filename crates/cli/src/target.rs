//! Where a command runs: at a server that was named, at the daemon of the data
//! directory, or here.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::args::Global;
use crate::failure::ApiFailure;
use crate::remote::RemoteApi;

/// The file in the data directory that names the daemon.
pub const DAEMON_FILE: &str = "daemon.json";
/// The file in the data directory with the token of the machine.
pub const API_TOKEN_FILE: &str = "api-token";

/// A token; `Debug` prints `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token over; the space around it is none of it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Token(text.trim().to_owned())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What the environment says about where to go.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// `TRACKER_SERVER`
    pub server: Option<String>,
    /// `TRACKER_TOKEN`
    pub token: Option<Token>,
    /// `TRACKER_TOKEN_FILE`
    pub token_file: Option<PathBuf>,
}

impl Surroundings {
    /// Picks them out of all variables; an empty one counts as unset.
    #[must_use]
    pub fn from_vars(vars: &BTreeMap<String, String>) -> Self {
        let get = |name: &str| vars.get(name).filter(|value| !value.is_empty());
        Surroundings {
            server: get("TRACKER_SERVER").cloned(),
            token: get("TRACKER_TOKEN").map(|text| Token::new(text)),
            token_file: get("TRACKER_TOKEN_FILE").map(PathBuf::from),
        }
    }
}

/// What the daemon writes about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonFile {
    /// Where it is reached, such as `http://127.0.0.1:8466`.
    pub url: String,
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
}

/// Where a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// At a server that was named.
    Server {
        /// Its address.
        url: String,
        /// What opens it.
        token: Option<Token>,
    },
    /// At the daemon of the data directory.
    Daemon {
        /// What it says about itself.
        daemon: DaemonFile,
        /// What opens it.
        token: Option<Token>,
    },
    /// Here.
    Local,
}

/// The server and the token that flags and variables name, flags first.
pub(crate) fn named(
    global: &Global,
    surroundings: &Surroundings,
) -> Result<(Option<String>, Option<Token>), ApiFailure> {
    let server = global.server.clone().or_else(|| surroundings.server.clone());
    let token = match (&global.token_file, &surroundings.token, &surroundings.token_file) {
        (Some(path), _, _) => Some(read_token(path)?),
        (None, Some(_), Some(_)) => {
            return Err(ApiFailure::usage(
                "TRACKER_TOKEN and TRACKER_TOKEN_FILE are both set; unset one of them",
            ));
        }
        (None, Some(token), None) => Some(token.clone()),
        (None, None, Some(path)) => Some(read_token(path)?),
        (None, None, None) => None,
    };
    Ok((server, token))
}

/// Decides where a command runs. The data directory is asked for only when no
/// server is named, so that a broken configuration here does not stand between
/// a person and a server elsewhere.
///
/// # Errors
/// A token that cannot be read, or a data directory that may not be looked at.
pub async fn target(
    global: &Global,
    surroundings: &Surroundings,
    data_dir: impl FnOnce() -> Result<PathBuf, ApiFailure>,
) -> Result<Target, ApiFailure> {
    let (server, token) = named(global, surroundings)?;
    if let Some(url) = server {
        return Ok(Target::Server { url, token });
    }
    let data_dir = data_dir()?;
    let Some(daemon) = live_daemon(&data_dir).await? else { return Ok(Target::Local) };
    let token = match token {
        Some(token) => Some(token),
        None => read(&data_dir.join(API_TOKEN_FILE))?.map(|text| Token::new(&text)),
    };
    Ok(Target::Daemon { daemon, token })
}

/// The daemon of a data directory, when it runs and answers.
pub(crate) async fn live_daemon(data_dir: &Path) -> Result<Option<DaemonFile>, ApiFailure> {
    let Some(text) = read(&data_dir.join(DAEMON_FILE))? else { return Ok(None) };
    // A file that was cut off or is from another age names nobody.
    let Ok(daemon) = serde_json::from_str::<DaemonFile>(&text) else { return Ok(None) };
    if !is_running(daemon.pid) {
        return Ok(None);
    }
    let Ok(api) = RemoteApi::new(&daemon.url, None, true) else { return Ok(None) };
    Ok(api.is_alive().await.then_some(daemon))
}

/// Whether there is such a process, of whatever user.
fn is_running(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
    })
}

fn read_token(path: &Path) -> Result<Token, ApiFailure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        ApiFailure::usage(format!("the token file {} cannot be read: {error}", path.display()))
    })?;
    let token = Token::new(&text);
    if token.0.is_empty() {
        return Err(ApiFailure::usage(format!("the token file {} is empty", path.display())));
    }
    Ok(token)
}

/// The text of a file in the data directory; `None` when it is not there.
fn read(path: &Path) -> Result<Option<String>, ApiFailure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(ApiFailure::unauthorised(format!(
                "{} may not be read by this user; use --server and a token, or run the command as its owner with sudo -u",
                path.display()
            )))
        }
        Err(_) => Ok(None),
    }
}
