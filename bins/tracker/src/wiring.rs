//! From the configuration to the parts: each gets the small policy it needs.

use std::sync::Arc;
use std::time::Duration;

use tracing::warn;
use tracker_cli::ApiFailure;
use tracker_ingest::{ClientEntry, ClientPolicy, Clients, MARK};
use tracker_pipeline::{AutoAccept, Policy};
use tracker_qbittorrent::{Marking, PathMapping, Qbittorrent, QbittorrentConfig, Secret};
use tracker_system::SystemClock;

use crate::config::{self, ClientKind, Config};

/// One call to a client; a listing may take twice as long.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// The configured clients that this build has.
pub(crate) fn clients(config: &Config) -> Result<Clients, ApiFailure> {
    let mut entries = Vec::new();
    for client in &config.clients {
        match &client.kind {
            ClientKind::Qbittorrent(settings) => entries.push(qbittorrent(&client.name, settings)?),
            ClientKind::Embedded(_) => {
                warn!(client = %client.name, "the embedded engine is not part of this version");
            }
        }
    }
    Ok(Clients::new(entries))
}

fn qbittorrent(name: &str, settings: &config::Qbittorrent) -> Result<ClientEntry, ApiFailure> {
    let secret = |secret: &config::Secret| Secret::new(secret.expose());
    let adapter = QbittorrentConfig {
        name: name.to_owned(),
        url: settings.url.to_string(),
        username: settings.username.clone().unwrap_or_default(),
        password: settings.password.as_ref().map_or_else(|| Secret::new(""), secret),
        api_key: settings.api_key.as_ref().map(secret),
        path_map: settings
            .path_map
            .iter()
            .map(|pair| PathMapping { client: pair.client.clone(), local: pair.local.clone() })
            .collect(),
        timeout: CLIENT_TIMEOUT,
        ours: if settings.tags { Marking::Tag(MARK.to_owned()) } else { Marking::Everything },
    };
    let client = Qbittorrent::new(adapter, Arc::new(SystemClock))
        .map_err(|error| ApiFailure::usage(error.to_string()))?;
    Ok(ClientEntry {
        name: name.to_owned(),
        client: Arc::new(client),
        policy: ClientPolicy {
            save_path: settings.save_path.clone().unwrap_or_default(),
            own_folder: settings.own_folder,
            tags: settings.tags,
            category: settings.category.clone().unwrap_or_default(),
            poll_interval: settings.poll_interval,
        },
    })
}

/// What the workers need to know.
pub(crate) fn policy(config: &Config) -> Policy {
    Policy {
        auto_accept: match config.recognition.auto_accept {
            config::AutoAccept::Never => AutoAccept::Never,
            config::AutoAccept::Confident => AutoAccept::Confident,
        },
        ..Policy::default()
    }
}

/// Sections that are checked and that no part of this version reads yet.
const UNREAD: &[&str] = &[
    "metrics",
    "naming",
    "metadata",
    "watch",
    "seeding",
    "telegram",
    "notify",
    "media_server",
    "events",
    "backup",
];

/// Says which sections a person has set that have no effect yet: silence would
/// look like consent.
pub(crate) fn tell_unread(values: &[config::ShownValue]) {
    for section in UNREAD.iter().copied() {
        let set = |shown: &config::ShownValue| {
            shown.section == section && shown.origin != config::Origin::Default
        };
        if values.iter().any(set) {
            warn!(section, "this section of the configuration has no effect in this version");
        }
    }
}

/// The names of the libraries, for checking what a person names.
pub(crate) fn library_names(config: &Config) -> Vec<String> {
    config.libraries.iter().map(|library| library.name.clone()).collect()
}
