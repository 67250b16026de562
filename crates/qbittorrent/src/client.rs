//! The two ports, each method one question or wish.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tracing::warn;
use tracker_domain::observed::{ClientPath, Handle, RemoteFile, Scope, Seen};
use tracker_domain::ports::{
    AddOutcome, AddRequest, ClientError, ClientInfo, Clock, LocateError, Removal, TorrentClient,
    TorrentControl,
};
use tracker_domain::queue::QueueEnd;

use crate::add;
use crate::call::{Call, Fields};
use crate::capability::{START_NAMES, STOP_NAMES};
use crate::config::{ConfigError, Marking, QbittorrentConfig};
use crate::files;
use crate::listing::{self, Listing};
use crate::paths::PathMap;
use crate::probe;
use crate::session::Session;

/// One qBittorrent. A new one starts without a memory of refusals, so a change
/// of the settings is tried at once.
pub struct Qbittorrent {
    name: String,
    session: Session,
    paths: PathMap,
    ours: Marking,
}

impl Qbittorrent {
    /// Checks the configuration; asks nobody yet.
    ///
    /// # Errors
    /// When the address, the key or a mapping cannot be used.
    pub fn new(config: QbittorrentConfig, clock: Arc<dyn Clock>) -> Result<Self, ConfigError> {
        Ok(Qbittorrent {
            session: Session::new(&config, clock)?,
            paths: PathMap::new(&config.name, &config.path_map)?,
            name: config.name,
            ours: config.ours,
        })
    }

    /// Carries out a wish whose answer says no more than that it was heard.
    async fn wish(&self, endpoint: &'static str, form: Fields) -> Result<(), ClientError> {
        let answer = self.session.send(&Call::post(endpoint, form)).await?;
        match answer.status {
            _ if answer.is_success() => Ok(()),
            404 => Err(ClientError::NotFound),
            _ => Err(answer.unclear(endpoint)),
        }
    }

    /// Stops or starts by the name this version has, else by the other one.
    async fn switch(
        &self,
        first: &'static str,
        names: [&'static str; 2],
        handle: &Handle,
    ) -> Result<(), ClientError> {
        let form = vec![("hashes", one(handle)?)];
        match self.wish(first, form.clone()).await {
            Err(ClientError::NotFound) => {
                let other = if names[0] == first { names[1] } else { names[0] };
                self.wish(other, form).await
            }
            other => other,
        }
    }
}

impl std::fmt::Debug for Qbittorrent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Qbittorrent").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The handle, if it names one torrent: `all` or `a|b` would mean many.
fn one(handle: &Handle) -> Result<String, ClientError> {
    let text = handle.0.as_str();
    let single = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if single { Ok(text.to_owned()) } else { Err(ClientError::NotFound) }
}

#[async_trait]
impl TorrentClient for Qbittorrent {
    async fn add(&self, request: &AddRequest) -> Result<AddOutcome, ClientError> {
        let known = self.session.capabilities().await?;
        let answer = self.session.send(&add::call(request, &known)).await?;
        add::decode(&answer, &known)
    }

    async fn observe(&self, scope: &Scope) -> Result<Vec<Seen>, ClientError> {
        let mut listing = Listing::new();
        for call in listing::calls(scope, &self.ours) {
            let answer = self.session.send(&call).await?;
            if !answer.is_success() {
                return Err(answer.unclear(call.endpoint));
            }
            listing.read(&answer.body).map_err(|error| {
                ClientError::Unreachable(format!("{} answered no list: {error}", call.endpoint))
            })?;
        }
        if listing.skipped > 0 {
            warn!(client = %self.name, skipped = listing.skipped, "torrents of the client cannot be understood");
        }
        Ok(listing.torrents.into_values().collect())
    }

    async fn files(&self, handle: &Handle) -> Result<Vec<RemoteFile>, ClientError> {
        let call = Call::get("torrents/files", vec![("hash", one(handle)?)]).listing();
        let answer = self.session.send(&call).await?;
        match answer.status {
            200 => files::read(&answer.body).map_err(|error| {
                ClientError::Unreachable(format!("{} answered no files: {error}", call.endpoint))
            }),
            404 => Err(ClientError::NotFound),
            _ => Err(answer.unclear(call.endpoint)),
        }
    }

    fn locate(&self, path: &ClientPath) -> Result<PathBuf, LocateError> {
        self.paths.locate(&path.0)
    }

    async fn probe(&self) -> Result<ClientInfo, ClientError> {
        probe::probe(&self.session).await
    }
}

/// What a 409 to a change of the queue says.
const QUEUE_IS_OFF: &str =
    "its queue is off: turn on torrent queueing in its options, under BitTorrent";

#[async_trait]
impl TorrentControl for Qbittorrent {
    async fn stop(&self, handle: &Handle) -> Result<(), ClientError> {
        let known = self.session.capabilities().await?;
        self.switch(known.stop, STOP_NAMES, handle).await
    }

    async fn start(&self, handle: &Handle) -> Result<(), ClientError> {
        let known = self.session.capabilities().await?;
        self.switch(known.start, START_NAMES, handle).await
    }

    async fn select_files(
        &self,
        handle: &Handle,
        unwanted: &BTreeSet<u32>,
    ) -> Result<(), ClientError> {
        let files = self.files(handle).await?;
        if files.is_empty() {
            return Err(ClientError::Unreachable("it has no file list yet".to_owned()));
        }
        // Only what is different, so that other priorities of a person stay.
        for (selected, priority) in [(true, "0"), (false, "1")] {
            let change = files.iter().filter(|file| {
                file.selected == selected && unwanted.contains(&file.index) == selected
            });
            let ids: Vec<String> = change.map(|file| file.index.to_string()).collect();
            if !ids.is_empty() {
                let form = vec![
                    ("hash", one(handle)?),
                    ("id", ids.join("|")),
                    ("priority", priority.to_owned()),
                ];
                self.wish("torrents/filePrio", form).await?;
            }
        }
        Ok(())
    }

    async fn queue(&self, handle: &Handle, end: QueueEnd) -> Result<(), ClientError> {
        let endpoint = match end {
            QueueEnd::First => "torrents/topPrio",
            QueueEnd::Last => "torrents/bottomPrio",
        };
        let form = vec![("hashes", one(handle)?)];
        let answer = self.session.send(&Call::post(endpoint, form)).await?;
        match answer.status {
            _ if answer.is_success() => Ok(()),
            404 => Err(ClientError::NotFound),
            409 => Err(ClientError::Rejected(QUEUE_IS_OFF.to_owned())),
            _ => Err(answer.unclear(endpoint)),
        }
    }

    async fn remove(&self, handle: &Handle, removal: Removal) -> Result<(), ClientError> {
        let delete = matches!(removal, Removal::DeleteData);
        let form = vec![("hashes", one(handle)?), ("deleteFiles", delete.to_string())];
        match self.wish("torrents/delete", form).await {
            // Not there is removed.
            Err(ClientError::NotFound) => Ok(()),
            other => other,
        }
    }

    async fn add_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        let hashes = one(handle)?;
        if tags.is_empty() {
            return Ok(());
        }
        self.wish("torrents/addTags", vec![("hashes", hashes), ("tags", tags.join(","))]).await
    }

    async fn drop_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        let hashes = one(handle)?;
        // To the client no tags means all tags.
        if tags.is_empty() {
            return Ok(());
        }
        let tags = tags.join(",");
        let form = vec![("hashes", hashes), ("tags", tags.clone())];
        match self.wish("torrents/removeTags", form).await {
            // A torrent that is gone wears no tag; the tag itself may be left.
            Ok(()) | Err(ClientError::NotFound) => {}
            Err(error) => return Err(error),
        }
        self.wish("torrents/deleteTags", vec![("tags", tags)]).await
    }
}
