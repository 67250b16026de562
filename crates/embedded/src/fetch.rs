//! Asking peers what a link stands for, until one tells.

use std::sync::Weak;
use std::time::Duration;

use librqbit::{AddTorrent, AddTorrentOptions, AddTorrentResponse};
use tracing::{debug, info, warn};
use tracker_domain::{InfohashSet, InfohashV1, Magnet};

use crate::engine::{Engine, Up, peers_of};

/// The pause after everybody who is known was asked in vain.
const PAUSE: Duration = Duration::from_secs(15);

/// Asks until the file list is known, and gives the torrent to the session then.
pub(crate) async fn until_known(engine: Weak<Engine>, up: Up, v1: InfohashV1) {
    loop {
        let Some(record) = up.read(|book| book.get(v1).cloned()) else { return };
        let magnet = record.link.as_deref().and_then(|link| Magnet::parse(link).ok());
        let magnet = magnet.unwrap_or_else(|| Magnet::from_infohashes(InfohashSet::one(v1), None));
        let peers = record.link.as_deref().map(peers_of).unwrap_or_default();
        // Nothing but what the engine reads: another `xt` and it refuses the link.
        let plain = magnet.with_infohashes(InfohashSet::one(v1)).to_link();
        let options = AddTorrentOptions {
            list_only: true,
            initial_peers: (!peers.is_empty()).then_some(peers),
            ..AddTorrentOptions::default()
        };
        match up.add(AddTorrent::from_url(plain), options).await {
            Ok(AddTorrentResponse::ListOnly(found)) => {
                let Some(engine) = engine.upgrade() else { return };
                let bytes = found.torrent_bytes.to_vec();
                match engine.manage(&up, v1, bytes, found.seen_peers).await {
                    Ok(()) => {
                        info!(client = %engine.config.name, "file list of a torrent is known");
                    }
                    Err(error) => warn!(client = %engine.config.name, error = %error,
                        "the engine cannot use what peers sent"),
                }
                return;
            }
            Ok(_) => return,
            // The text may name trackers.
            Err(_) => debug!("nobody could tell what a link stands for"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}
