//! Sharing what is on the disk with this machine alone: what a demonstration, a test
//! or a bench downloads from.

use std::net::Ipv4Addr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tracker_domain::observed::{ClientPath, Phase, Scope};
use tracker_domain::ports::{AddRequest, AddSource, ClientError, Clock, TorrentClient};
use tracker_domain::{Infohash, InfohashV1, Torrent};

use crate::client::Embedded;
use crate::config::{EmbeddedConfig, SeedLimits};
use crate::make::torrent_of;

/// How long it may take to look through a file.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);

/// An engine that shares on loopback, as long as it lives.
pub struct Sharer {
    engine: Embedded,
    folder: PathBuf,
}

/// A torrent that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The `.torrent`.
    pub torrent: Vec<u8>,
    /// Its infohash.
    pub v1: InfohashV1,
    /// Where its one peer listens.
    pub port: u16,
}

impl Shared {
    /// A link to it that names its one peer. The name is written as it is, so it has
    /// to be one that a link can hold.
    #[must_use]
    pub fn link(&self, name: &str) -> String {
        format!("magnet:?xt=urn:btih:{}&dn={name}&x.pe=127.0.0.1:{}", self.v1, self.port)
    }
}

impl Sharer {
    /// Shares what lies in `folder`; at most so many bytes a second leave.
    #[must_use]
    pub fn new(
        folder: &Path,
        state_dir: &Path,
        upload_bps: Option<NonZeroU32>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let config = EmbeddedConfig {
            listen_ip: Some(Ipv4Addr::LOCALHOST.into()),
            dht: false,
            upload_bps,
            seeding: SeedLimits { ratio: None, time: None },
            ..EmbeddedConfig::new("sharer", "sharer", folder.to_owned(), state_dir.to_owned())
        };
        Sharer { engine: Embedded::new(config, clock), folder: folder.to_owned() }
    }

    /// Shares one file or folder of it; it is whole when this returns.
    ///
    /// # Errors
    /// When nothing of that name is there, or the engine cannot start.
    pub async fn share(&self, name: &str) -> Result<Shared, ClientError> {
        let rejected = |why: String| ClientError::Rejected(why);
        let torrent = torrent_of(&self.folder.join(name)).await;
        let torrent = torrent.map_err(|error| rejected(error.to_string()))?;
        let parsed = Torrent::parse(&torrent).map_err(|error| rejected(error.to_string()))?;
        let v1 = parsed.infohashes().v1().ok_or(ClientError::CannotV2)?;
        let request = AddRequest {
            source: AddSource::Torrent(torrent.clone()),
            save_path: Some(ClientPath(self.folder.to_string_lossy().into_owned())),
            tags: Vec::new(),
            category: String::new(),
        };
        self.engine.add(&request).await?;
        let late = || ClientError::Unreachable(format!("{name:?} is still looked through"));
        timeout(PATIENCE, self.until_whole(v1)).await.map_err(|_| late())??;
        let port = self.engine.port().await?;
        let port = port.ok_or_else(|| ClientError::Unreachable("it does not listen".to_owned()))?;
        Ok(Shared { torrent, v1, port })
    }

    async fn until_whole(&self, v1: InfohashV1) -> Result<(), ClientError> {
        let scope = Scope::Infohashes(vec![Infohash::from(v1)]);
        while self.engine.observe(&scope).await?.iter().all(|seen| seen.phase != Phase::Complete) {
            sleep(LOOK).await;
        }
        Ok(())
    }
}
