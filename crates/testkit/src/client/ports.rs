//! The two ports of the fake client.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tracker_domain::observed::{ClientPath, Handle, Phase, RemoteFile, Scope, Seen};
use tracker_domain::ports::{
    AddOutcome, AddRequest, AddSource, ClientError, ClientInfo, LocateError, Removal,
    TorrentClient, TorrentControl,
};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Infohash, Magnet, Torrent};

use super::{AddMode, ClientCall, ClientOp, FakeClient, FakeFile, FakeTorrent, State};

impl FakeClient {
    /// Notes a call, waits where it is held, and fails it where that is asked.
    async fn enter(&self, op: ClientOp, call: ClientCall) -> Result<(), ClientError> {
        let hold = {
            let mut state = self.state();
            state.calls.push(call);
            let at = state.holds.iter().position(|(held, _)| *held == op);
            at.map(|at| state.holds.remove(at).1)
        };
        if let Some(hold) = hold {
            hold.pass().await;
        }
        let mut state = self.state();
        let mut due = None;
        for (at, failure) in state.failures.iter_mut().enumerate() {
            if failure.op == op && failure.after == 0 {
                due = due.or(Some(at));
            } else if failure.op == op {
                failure.after -= 1;
            }
        }
        if let Some(at) = due {
            return Err(state.failures.remove(at).error);
        }
        state.down.clone().map_or(Ok(()), Err)
    }

    fn with(
        &self,
        handle: &Handle,
        change: impl FnOnce(&mut FakeTorrent),
    ) -> Result<(), ClientError> {
        // Like qBittorrent, which answers well to a wish about nothing.
        if let Some(torrent) = self.state().at_handle(handle) {
            change(torrent);
        }
        Ok(())
    }
}

/// What an add is about, or `None` where the client could not tell.
fn parse(request: &AddRequest) -> Option<FakeTorrent> {
    match &request.source {
        AddSource::Magnet(link) => {
            let magnet = Magnet::parse(link).ok()?;
            let hashes = magnet.infohashes().clone();
            let handle = FakeTorrent::new(hashes.clone(), "").handle().0;
            Some(FakeTorrent::new(hashes, magnet.name().unwrap_or(&handle)))
        }
        AddSource::Torrent(bytes) => {
            let torrent = Torrent::parse(bytes).ok()?;
            let fake = FakeTorrent::new(torrent.infohashes().clone(), torrent.name());
            Some(fake.downloading().file(torrent.name(), torrent.size_bytes()))
        }
    }
}

impl State {
    fn add(&mut self, request: &AddRequest) -> Result<AddOutcome, ClientError> {
        let unclear = || ClientError::Unreachable("the answer was lost".into());
        let is_file = matches!(request.source, AddSource::Torrent(_));
        let torrent = match (self.add_mode, parse(request)) {
            (AddMode::Reject, _) => {
                return Err(ClientError::Rejected("the fake takes nothing".into()));
            }
            (_, None) if is_file => {
                return Err(ClientError::Rejected("it is not a torrent file".into()));
            }
            (AddMode::Panics, _) => panic!("the fake client was told to panic"),
            (AddMode::Refuse, _) | (_, None) => return Ok(AddOutcome::Refused),
            (AddMode::Pending, _) => return Ok(AddOutcome::Pending),
            (AddMode::AcceptedButLost, _) => return Ok(AddOutcome::Accepted),
            (AddMode::Normal | AddMode::AddedButUnclear, Some(torrent)) => torrent,
        };
        let present = self.merge_into_present(&torrent.infohashes);
        if !present {
            self.insert(torrent, request);
        }
        match self.add_mode {
            AddMode::AddedButUnclear => Err(unclear()),
            _ if present => Ok(AddOutcome::Refused),
            _ => Ok(AddOutcome::Accepted),
        }
    }

    fn insert(&mut self, mut torrent: FakeTorrent, request: &AddRequest) {
        // A `.torrent` of something the swarm knows has its files.
        if torrent.has_metadata
            && let Some(seed) =
                self.swarm.iter().find(|seed| seed.infohashes.intersects(&torrent.infohashes))
        {
            let missing = |file: &FakeFile| FakeFile { complete: false, ..file.clone() };
            torrent.files = seed.files.iter().map(missing).collect();
        }
        torrent.save_path =
            request.save_path.clone().unwrap_or_else(|| self.default_save_path.clone());
        torrent.tags.clone_from(&request.tags);
        torrent.category.clone_from(&request.category);
        self.torrents.push(torrent);
    }

    fn in_scope(&self, scope: &Scope, torrent: &FakeTorrent) -> bool {
        match scope {
            Scope::Everything => true,
            Scope::Ours => {
                self.everything_is_ours || torrent.tags.iter().any(|tag| tag == FakeClient::TAG)
            }
            // Only by what the client calls it now: a hybrid is not found by its v1.
            Scope::Infohashes(hashes) => hashes.iter().any(|hash| {
                let form = match hash {
                    Infohash::V1(v1) => v1.to_string(),
                    Infohash::V2(v2) => v2.truncated().to_string(),
                };
                torrent.handle().0 == form
            }),
        }
    }
}

#[async_trait]
impl TorrentClient for FakeClient {
    async fn add(&self, request: &AddRequest) -> Result<AddOutcome, ClientError> {
        self.enter(ClientOp::Add, ClientCall::Add(request.clone())).await?;
        self.state().add(request)
    }

    async fn observe(&self, scope: &Scope) -> Result<Vec<Seen>, ClientError> {
        self.enter(ClientOp::Observe, ClientCall::Observe(scope.clone())).await?;
        let state = self.state();
        if state.list_empty {
            return Ok(Vec::new());
        }
        let within = state.torrents.iter().filter(|torrent| state.in_scope(scope, torrent));
        Ok(within.map(FakeTorrent::seen).collect())
    }

    async fn files(&self, handle: &Handle) -> Result<Vec<RemoteFile>, ClientError> {
        self.enter(ClientOp::Files, ClientCall::Files(handle.clone())).await?;
        let mut state = self.state();
        state.at_handle(handle).map(|torrent| torrent.remote_files()).ok_or(ClientError::NotFound)
    }

    fn locate(&self, path: &ClientPath) -> Result<PathBuf, LocateError> {
        let text = Path::new(&path.0);
        if path.0.split('/').any(|part| part == "..") {
            return Err(LocateError::Upwards(path.0.clone()));
        }
        for (client, local) in &self.state().path_map {
            if let Ok(rest) = text.strip_prefix(client) {
                return Ok(local.join(rest));
            }
        }
        if text.is_absolute() {
            return Ok(text.to_owned());
        }
        Err(LocateError::Relative(path.0.clone()))
    }

    async fn probe(&self) -> Result<ClientInfo, ClientError> {
        self.enter(ClientOp::Probe, ClientCall::Probe).await?;
        let state = self.state();
        Ok(ClientInfo {
            version: "fake 1.0".into(),
            default_save_path: state.default_save_path.clone(),
            notices: state.notices.clone(),
        })
    }
}

#[async_trait]
impl TorrentControl for FakeClient {
    async fn stop(&self, handle: &Handle) -> Result<(), ClientError> {
        self.enter(ClientOp::Stop, ClientCall::Stop(handle.clone())).await?;
        self.with(handle, |torrent| {
            torrent.stopped = true;
            if torrent.phase != Phase::Complete {
                torrent.phase = Phase::Stopped;
            }
        })
    }

    async fn start(&self, handle: &Handle) -> Result<(), ClientError> {
        self.enter(ClientOp::Start, ClientCall::Start(handle.clone())).await?;
        self.with(handle, |torrent| {
            torrent.stopped = false;
            if torrent.phase == Phase::Stopped {
                let meta = torrent.has_metadata;
                torrent.phase = if meta { Phase::Downloading } else { Phase::Metadata };
            }
        })
    }

    async fn select_files(
        &self,
        handle: &Handle,
        unwanted: &BTreeSet<u32>,
    ) -> Result<(), ClientError> {
        let call = ClientCall::SelectFiles(handle.clone(), unwanted.clone());
        self.enter(ClientOp::SelectFiles, call).await?;
        let mut state = self.state();
        let torrent = state.at_handle(handle).ok_or(ClientError::NotFound)?;
        if !torrent.has_metadata {
            return Err(ClientError::Unreachable("it has no file list yet".into()));
        }
        for (file, index) in torrent.files.iter_mut().zip(0..) {
            file.selected = !unwanted.contains(&index);
        }
        // A client that wants more than it has is not complete any more.
        let whole = torrent.files.iter().all(|file| file.complete || !file.selected);
        if torrent.phase == Phase::Complete && !whole {
            torrent.phase = Phase::Downloading;
        }
        Ok(())
    }

    async fn queue(&self, handle: &Handle, end: QueueEnd) -> Result<(), ClientError> {
        self.enter(ClientOp::Queue, ClientCall::Queue(handle.clone(), end)).await?;
        let mut state = self.state();
        let place = state.torrents.iter().position(|torrent| torrent.handle() == *handle);
        let torrent = state.torrents.remove(place.ok_or(ClientError::NotFound)?);
        match end {
            QueueEnd::First => state.torrents.insert(0, torrent),
            QueueEnd::Last => state.torrents.push(torrent),
        }
        Ok(())
    }

    async fn remove(&self, handle: &Handle, removal: Removal) -> Result<(), ClientError> {
        self.enter(ClientOp::Remove, ClientCall::Remove(handle.clone(), removal)).await?;
        self.state().torrents.retain(|torrent| torrent.handle() != *handle);
        Ok(())
    }

    async fn add_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        self.enter(ClientOp::AddTags, ClientCall::AddTags(handle.clone(), tags.to_vec())).await?;
        self.with(handle, |torrent| {
            for tag in tags {
                if !torrent.tags.contains(tag) {
                    torrent.tags.push(tag.clone());
                }
            }
        })
    }

    async fn drop_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError> {
        self.enter(ClientOp::DropTags, ClientCall::DropTags(handle.clone(), tags.to_vec())).await?;
        // The tag is deleted in the client, so every torrent loses it.
        for torrent in &mut self.state().torrents {
            torrent.tags.retain(|tag| !tags.contains(tag));
        }
        Ok(())
    }
}
