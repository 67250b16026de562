//! Where the log goes and what is in it.

use std::io::stderr;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::config::{Log, LogFormat};

/// The engine's own words name peers and trackers; what it does is told by us.
const ENGINE: &str = "librqbit=off";

/// Starts the log on the standard error. Only the first call of a process has
/// an effect.
///
/// The level holds for our own parts; libraries tell warnings at most, since at
/// finer levels some of them print addresses and headers.
pub(crate) fn start(log: &Log, daemon: bool) {
    // A command that answers on a terminal has nothing to tell besides trouble.
    let level = if daemon { log.level.as_str() } else { "error" };
    let filter = EnvFilter::new(format!("warn,tracker={level},{ENGINE}"));
    // A second start is a test's; the first one stays.
    let _ = match log.format {
        LogFormat::Json => fmt::fmt()
            .json()
            .with_env_filter(filter)
            .with_writer(stderr)
            .with_span_list(false)
            .try_init(),
        LogFormat::Text => {
            fmt::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(false).try_init()
        }
    };
}
