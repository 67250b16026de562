//! What the engine has to know.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use tracker_domain::Secret;

/// How the engine runs.
#[derive(Clone, Debug)]
pub struct EmbeddedConfig {
    /// The name of the client, for the log.
    pub name: String,
    /// The tag that marks a torrent as ours.
    pub ours: String,
    /// Where torrents go when nothing is said.
    pub download_dir: PathBuf,
    /// Where it keeps what it remembers.
    pub state_dir: PathBuf,
    /// The address it listens on; `None` is every one.
    pub listen_ip: Option<IpAddr>,
    /// The TCP port it listens on; `None` lets the system choose.
    pub listen_port: Option<u16>,
    /// The network device that everything goes through. While it is away the
    /// engine stands still.
    pub bind_device: Option<String>,
    /// Whether peers are looked for in the DHT. A torrent that is known to be
    /// private never is.
    pub dht: bool,
    /// A SOCKS5 proxy for outgoing connections; its address may carry a password.
    pub proxy: Option<Secret>,
    /// Most bytes a second that leave.
    pub upload_bps: Option<NonZeroU32>,
    /// Most bytes a second that arrive.
    pub download_bps: Option<NonZeroU32>,
    /// When it stops to seed.
    pub seeding: SeedLimits,
    /// How many files this process may have open; `None` is what the system allows.
    pub open_files: Option<u64>,
}

/// When a complete torrent is stopped: at whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedLimits {
    /// Bytes uploaded to the bytes of the torrent.
    pub ratio: Option<f64>,
    /// Time since it was complete.
    pub time: Option<Duration>,
}

impl Default for SeedLimits {
    fn default() -> Self {
        SeedLimits { ratio: Some(1.0), time: Some(Duration::from_secs(24 * 3600)) }
    }
}

impl EmbeddedConfig {
    /// With the limits that are safe for somebody who has set nothing.
    #[must_use]
    pub fn new(name: &str, ours: &str, download_dir: PathBuf, state_dir: PathBuf) -> Self {
        EmbeddedConfig {
            name: name.to_owned(),
            ours: ours.to_owned(),
            download_dir,
            state_dir,
            listen_ip: None,
            listen_port: None,
            bind_device: None,
            dht: true,
            proxy: None,
            upload_bps: None,
            download_bps: None,
            seeding: SeedLimits::default(),
            open_files: None,
        }
    }
}
