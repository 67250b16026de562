//! The configured clients, the first of which is the default.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tracker_domain::ports::Client;

use crate::choose::ClientRule;

/// How torrents are placed in a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPolicy {
    /// The folder for torrents as the client sees it; empty is its default.
    pub save_path: String,
    /// Each torrent gets a folder of its own: two of equal name in one folder
    /// overwrite each other, through hard links too.
    pub own_folder: bool,
    /// Whether tags are put on torrents.
    pub tags: bool,
    /// The category; empty is none.
    pub category: String,
    /// How often unfinished torrents are looked at.
    pub poll_interval: Duration,
    /// Which downloads that name no client it is for.
    pub rule: ClientRule,
}

impl Default for ClientPolicy {
    fn default() -> Self {
        ClientPolicy {
            save_path: String::new(),
            own_folder: true,
            tags: true,
            category: String::new(),
            poll_interval: Duration::from_secs(2),
            rule: ClientRule::default(),
        }
    }
}

/// One configured client.
#[derive(Clone)]
pub struct ClientEntry {
    /// Its name; unique.
    pub name: String,
    /// The client.
    pub client: Arc<dyn Client>,
    /// How torrents are placed in it.
    pub policy: ClientPolicy,
}

/// All configured clients, in the order of the configuration.
#[derive(Clone, Debug, Default)]
pub struct Clients(Arc<[ClientEntry]>);

impl Clients {
    /// These clients.
    #[must_use]
    pub fn new(entries: Vec<ClientEntry>) -> Self {
        Clients(entries.into())
    }

    /// Each client.
    pub fn iter(&self) -> impl Iterator<Item = &ClientEntry> {
        self.0.iter()
    }

    /// The one for downloads that name none.
    #[must_use]
    pub fn default_client(&self) -> Option<&ClientEntry> {
        self.0.first()
    }

    /// The client that a download goes to; `None` when it is not configured.
    #[must_use]
    pub fn of(&self, name: Option<&str>) -> Option<&ClientEntry> {
        match name {
            Some(name) => self.0.iter().find(|entry| entry.name == name),
            None => self.default_client(),
        }
    }

    /// The names, for people.
    #[must_use]
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|entry| entry.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

impl fmt::Debug for ClientEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientEntry")
            .field("name", &self.name)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
