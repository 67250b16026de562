//! The two ports.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use tracker_domain::observed::{ClientPath, Handle, RemoteFile, Scope, Seen};
use tracker_domain::ports::{
    AddOutcome, AddRequest, AddSource, ClientError, ClientInfo, Clock, LocateError, Removal,
    TorrentClient, TorrentControl,
};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Infohash, InfohashSet, InfohashV1, Magnet, Torrent};

use crate::book::Record;
use crate::config::EmbeddedConfig;
use crate::engine::{Engine, Up};
use crate::shown;

/// The engine inside the daemon. It starts when it is first asked for something.
pub struct Embedded(Arc<Engine>);

impl Embedded {
    /// An engine that does not run yet.
    #[must_use]
    pub fn new(config: EmbeddedConfig, clock: Arc<dyn Clock>) -> Self {
        Embedded(Arc::new(Engine::new(config, clock)))
    }

    /// The TCP port that peers reach it at.
    ///
    /// # Errors
    /// When it cannot start.
    pub async fn port(&self) -> Result<Option<u16>, ClientError> {
        Ok(self.0.up().await?.session.listen_addr().map(|address| address.port()))
    }

    fn seen(&self, up: &Up, v1: InfohashV1, record: &Record) -> Seen {
        shown::seen(v1, record, up.managed(v1).as_ref(), up.fault(v1))
    }
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedded").field("name", &self.0.config.name).finish_non_exhaustive()
    }
}

/// What is asked for: its hashes, its name, and the link or the file.
struct Wanted {
    hashes: InfohashSet,
    name: String,
    link: Option<String>,
    torrent: Option<Vec<u8>>,
}

impl Wanted {
    fn of(source: &AddSource) -> Result<Option<Self>, ClientError> {
        Ok(match source {
            AddSource::Magnet(link) => Magnet::parse(link).ok().map(|magnet| Wanted {
                hashes: magnet.infohashes().clone(),
                name: magnet.name().unwrap_or_default().to_owned(),
                link: Some(link.clone()),
                torrent: None,
            }),
            AddSource::Torrent(bytes) => {
                let torrent = Torrent::parse(bytes)
                    .map_err(|error| ClientError::Rejected(error.to_string()))?;
                Some(Wanted {
                    hashes: torrent.infohashes().clone(),
                    name: torrent.name().to_owned(),
                    link: None,
                    torrent: Some(torrent.essence()),
                })
            }
        })
    }
}

#[async_trait]
impl TorrentClient for Embedded {
    async fn add(&self, request: &AddRequest) -> Result<AddOutcome, ClientError> {
        let Some(wanted) = Wanted::of(&request.source)? else { return Ok(AddOutcome::Refused) };
        let v1 = wanted.hashes.v1().ok_or(ClientError::CannotV2)?;
        let up = self.0.up().await?;
        let save_path = match &request.save_path {
            Some(path) => {
                self.locate(path).map_err(|error| ClientError::Rejected(error.to_string()))?
            }
            None => self.0.config.download_dir.clone(),
        };
        let record = Record {
            hashes: wanted.hashes.iter().map(|hash| hash.to_string()).collect(),
            name: wanted.name,
            link: wanted.link,
            save_path,
            tags: request.tags.clone(),
            chosen: None,
            stopped: false,
            seeded: false,
            uploaded_bytes: 0,
            seeding_ms: None,
        };
        let torrent = wanted.torrent;
        let _coming = up.coming(v1);
        let new = up
            .write(move |book| {
                if book.get(v1).is_some() {
                    return Ok(false);
                }
                if let Some(bytes) = &torrent {
                    book.keep_torrent(v1, bytes)?;
                }
                book.put(v1, record)?;
                Ok(true)
            })
            .await?;
        if !new {
            return Ok(AddOutcome::Refused);
        }
        if let Err(error) = self.0.begin(&up, v1).await {
            up.write(move |book| book.remove(v1)).await?;
            up.forget_fault(v1);
            return Err(error);
        }
        Ok(AddOutcome::Accepted)
    }

    async fn observe(&self, scope: &Scope) -> Result<Vec<Seen>, ClientError> {
        let up = self.0.up().await?;
        let wanted = |v1: InfohashV1, record: &Record| match scope {
            Scope::Everything => true,
            Scope::Ours => record.tags.contains(&self.0.config.ours),
            Scope::Infohashes(hashes) => {
                let known = record.infohashes(v1);
                hashes.iter().any(|hash| known.contains(hash) || is_front(hash, &known))
            }
        };
        let found: Vec<(InfohashV1, Record)> = up.read(|book| {
            let all = book.iter().filter(|(v1, record)| wanted(*v1, record));
            let all = all.filter(|(v1, _)| !up.is_coming(*v1));
            all.map(|(v1, record)| (v1, record.clone())).collect()
        });
        Ok(found.iter().map(|(v1, record)| self.seen(&up, *v1, record)).collect())
    }

    async fn files(&self, handle: &Handle) -> Result<Vec<RemoteFile>, ClientError> {
        let v1 = v1_of(handle)?;
        let up = self.0.up().await?;
        let record = up.read(|book| book.get(v1).cloned()).ok_or(ClientError::NotFound)?;
        Ok(up
            .managed(v1)
            .map_or_else(Vec::new, |torrent| shown::files(&record.save_path, &torrent)))
    }

    fn locate(&self, path: &ClientPath) -> Result<PathBuf, LocateError> {
        let local = Path::new(&path.0);
        if !local.is_absolute() {
            return Err(LocateError::Relative(path.0.clone()));
        }
        if local.components().any(|part| part == Component::ParentDir) {
            return Err(LocateError::Upwards(path.0.clone()));
        }
        Ok(local.to_path_buf())
    }

    async fn probe(&self) -> Result<ClientInfo, ClientError> {
        self.0.up().await?;
        Ok(ClientInfo {
            version: format!("librqbit {}", librqbit::version()),
            default_save_path: ClientPath(
                self.0.config.download_dir.to_string_lossy().into_owned(),
            ),
            notices: Vec::new(),
        })
    }
}

/// A bare value of 40 digits may be the front of a v2.
fn is_front(hash: &Infohash, known: &InfohashSet) -> bool {
    hash.v1().is_some_and(|v1| known.is_handle(&v1))
}

fn v1_of(handle: &Handle) -> Result<InfohashV1, ClientError> {
    handle.0.parse().map_err(|_| ClientError::NotFound)
}

#[async_trait]
impl TorrentControl for Embedded {
    async fn stop(&self, handle: &Handle) -> Result<(), ClientError> {
        let v1 = v1_of(handle)?;
        let up = self.0.up().await?;
        if !up.write(move |book| book.change(v1, |record| record.stopped = true)).await? {
            return Err(ClientError::NotFound);
        }
        up.give_up_fetch(v1);
        match up.managed(v1).filter(|torrent| !torrent.is_paused()) {
            Some(torrent) => up.session.pause(&torrent).await.map_err(unclear),
            None => Ok(()),
        }
    }

    async fn start(&self, handle: &Handle) -> Result<(), ClientError> {
        let v1 = v1_of(handle)?;
        let up = self.0.up().await?;
        if !up.write(move |book| book.change(v1, |record| record.stopped = false)).await? {
            return Err(ClientError::NotFound);
        }
        match up.managed(v1) {
            Some(torrent) if torrent.is_paused() => {
                up.session.unpause(&torrent).await.map_err(unclear)
            }
            Some(_) => Ok(()),
            None => self.0.begin(&up, v1).await,
        }
    }

    async fn queue(&self, handle: &Handle, _: QueueEnd) -> Result<(), ClientError> {
        let v1 = v1_of(handle)?;
        let up = self.0.up().await?;
        if up.read(|book| book.get(v1).is_none()) {
            return Err(ClientError::NotFound);
        }
        let why = "the engine has no queue: it downloads everything at once";
        Err(ClientError::Rejected(why.to_owned()))
    }

    async fn select_files(
        &self,
        handle: &Handle,
        unwanted: &BTreeSet<u32>,
    ) -> Result<(), ClientError> {
        let v1 = v1_of(handle)?;
        let up = self.0.up().await?;
        if up.read(|book| book.get(v1).is_none()) {
            return Err(ClientError::NotFound);
        }
        let torrent = up.managed(v1).ok_or_else(|| unclear("it has no file list yet"))?;
        let wanted = shown::wanted_indices(&torrent, unwanted);
        let mut chosen = (!unwanted.is_empty()).then(|| Vec::from_iter(wanted.iter().copied()));
        chosen.iter_mut().for_each(|chosen| chosen.sort_unstable());
        up.write(move |book| book.change(v1, |record| record.chosen = chosen)).await?;
        up.session.update_only_files(&torrent, &wanted).await.map_err(unclear)
    }

    async fn remove(&self, handle: &Handle, removal: Removal) -> Result<(), ClientError> {
        let Ok(v1) = v1_of(handle) else { return Ok(()) };
        let up = self.0.up().await?;
        up.give_up_fetch(v1);
        up.forget_fault(v1);
        if let Some(torrent) = up.managed(v1) {
            let delete = removal == Removal::DeleteData;
            let id = torrent.id();
            let done = up.session.delete(id.into(), delete).await;
            // Not in the session any more is what was wished.
            if up.managed(v1).is_some() {
                done.map_err(unclear)?;
            }
        }
        let downloads = self.0.config.download_dir.clone();
        up.write(move |book| {
            let folder = book.get(v1).map(|record| record.save_path.clone());
            book.remove(v1)?;
            // The folder of its own goes with the data, if nothing else is in it.
            let inside = |folder: &PathBuf| *folder != downloads && folder.starts_with(&downloads);
            if let Some(folder) = folder.filter(inside).filter(|_| removal == Removal::DeleteData) {
                let _stays_where_it_is_not_empty = std::fs::remove_dir(folder);
            }
            Ok(())
        })
        .await
    }

    async fn add_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        let (v1, tags) = (v1_of(handle)?, tags.to_vec());
        let up = self.0.up().await?;
        let known = up.write(move |book| {
            book.change(v1, |record| {
                for tag in tags {
                    if !record.tags.contains(&tag) {
                        record.tags.push(tag);
                    }
                }
            })
        });
        if known.await? { Ok(()) } else { Err(ClientError::NotFound) }
    }

    async fn drop_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        let (v1, tags) = (v1_of(handle)?, tags.to_vec());
        let up = self.0.up().await?;
        // A torrent that is gone wears no tag.
        up.write(move |book| {
            book.change(v1, |record| record.tags.retain(|tag| !tags.contains(tag)))
        })
        .await
        .map(drop)
    }
}

fn unclear(error: impl std::fmt::Display) -> ClientError {
    ClientError::Unreachable(format!("the engine: {error:#}"))
}
