//! A torrent in the fake client.

use tracker_domain::observed::{ClientPath, Handle, Phase, Progress, RemoteFile, Seen};
use tracker_domain::{Infohash, InfohashSet};

use super::FakeClient;

/// A file of a fake torrent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FakeFile {
    /// Below the save path.
    pub path: String,
    /// In bytes.
    pub size_bytes: u64,
    /// Whether it is wanted.
    pub selected: bool,
    /// Whether it is whole.
    pub complete: bool,
}

/// A torrent in the fake client; also what the swarm has.
#[derive(Clone, Debug, PartialEq)]
pub struct FakeTorrent {
    /// The hashes that show.
    pub infohashes: InfohashSet,
    /// A hash that shows only with metadata.
    pub hidden: Option<Infohash>,
    /// The display name.
    pub name: String,
    /// What it is doing.
    pub phase: Phase,
    /// The client's word, where it is not the usual one of the phase.
    pub client_state: Option<String>,
    /// Stopped by a person or a wish; below complete the phase says so too.
    pub stopped: bool,
    /// Whether the file list is known.
    pub has_metadata: bool,
    /// The files, which show with metadata.
    pub files: Vec<FakeFile>,
    /// Bytes that are there, while it is not complete.
    pub bytes_done: u64,
    /// Where it saves.
    pub save_path: ClientPath,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its category.
    pub category: String,
    /// Uploaded to downloaded.
    pub ratio: f64,
    /// Seconds that it was seeded; they show once it is whole.
    pub seeding_seconds: u64,
}

impl FakeTorrent {
    /// A torrent that waits for metadata, saved to `/downloads`.
    #[must_use]
    pub fn new(infohashes: InfohashSet, name: &str) -> Self {
        FakeTorrent {
            infohashes,
            hidden: None,
            name: name.into(),
            phase: Phase::Metadata,
            client_state: None,
            stopped: false,
            has_metadata: false,
            files: Vec::new(),
            bytes_done: 0,
            save_path: ClientPath("/downloads".into()),
            tags: Vec::new(),
            category: String::new(),
            ratio: 0.0,
            seeding_seconds: 0,
        }
    }

    /// With a hash that shows only with metadata.
    #[must_use]
    pub fn hiding(mut self, hash: impl Into<Infohash>) -> Self {
        self.hidden = Some(hash.into());
        self
    }

    /// With a file.
    #[must_use]
    pub fn file(mut self, path: &str, size_bytes: u64) -> Self {
        self.files.push(FakeFile {
            path: path.into(),
            size_bytes,
            selected: true,
            complete: self.phase == Phase::Complete,
        });
        self
    }

    /// With metadata, and bytes on their way.
    #[must_use]
    pub fn downloading(mut self) -> Self {
        self.phase = Phase::Downloading;
        self.has_metadata = true;
        self
    }

    /// Whole.
    #[must_use]
    pub fn complete(mut self) -> Self {
        self.phase = Phase::Complete;
        self.has_metadata = true;
        for file in &mut self.files {
            file.complete = true;
        }
        self
    }

    /// With a tag.
    #[must_use]
    pub fn tagged(mut self, tag: &str) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// With the tag of ours.
    #[must_use]
    pub fn ours(self) -> Self {
        self.tagged(FakeClient::TAG)
    }

    /// Saved elsewhere.
    #[must_use]
    pub fn saved_to(mut self, path: &str) -> Self {
        self.save_path = ClientPath(path.into());
        self
    }

    /// What the client calls it now.
    #[must_use]
    pub fn handle(&self) -> Handle {
        let v2 = self.infohashes.v2().map(|v2| v2.truncated().to_string());
        let first = || self.infohashes.iter().next().map(|hash| hash.to_string());
        Handle(v2.or_else(first).unwrap_or_default())
    }

    pub(super) fn hides(&self, hash: &Infohash) -> bool {
        self.hidden.as_ref() == Some(hash)
    }

    /// Metadata arrives, with what the swarm has where it has it.
    pub(super) fn reveal(&mut self, seed: Option<&FakeTorrent>) {
        if let Some(hash) = self.hidden.take() {
            self.infohashes = self.infohashes.union(&InfohashSet::one(hash));
        }
        if let Some(seed) = seed {
            self.infohashes = self.infohashes.union(&seed.infohashes);
            self.name.clone_from(&seed.name);
            self.files = seed.files.iter().cloned().map(FakeFile::missing).collect();
        }
        if self.files.is_empty() {
            self.files.push(FakeFile {
                path: self.name.clone(),
                size_bytes: 1000,
                selected: true,
                complete: false,
            });
        }
        self.has_metadata = true;
        if self.phase == Phase::Metadata {
            self.phase = Phase::Downloading;
        }
    }

    pub(super) fn remote_files(&self) -> Vec<RemoteFile> {
        if !self.has_metadata {
            return Vec::new();
        }
        self.files
            .iter()
            .zip(0..)
            .map(|(file, index)| RemoteFile {
                index,
                path: file.path.clone(),
                size_bytes: file.size_bytes,
                selected: file.selected,
                complete: file.complete,
            })
            .collect()
    }

    pub(super) fn seen(&self) -> Seen {
        let size: u64 =
            self.files.iter().filter(|file| file.selected).map(|file| file.size_bytes).sum();
        let size_bytes = self.has_metadata.then_some(size);
        // A client that checks or misses its files shows none of them.
        let done = match self.phase {
            Phase::Complete | Phase::Moving => size,
            Phase::Checking | Phase::FilesMissing | Phase::Errored => 0,
            _ => self.bytes_done,
        };
        Seen {
            handle: self.handle(),
            infohashes: self.infohashes.clone(),
            name: self.name.clone(),
            phase: self.phase,
            client_state: self.client_state.clone().unwrap_or_else(|| word(self.phase).into()),
            progress: Progress {
                bytes_done: size_bytes.map(|_| done),
                bytes_total: size_bytes,
                download_bps: Some(0),
                upload_bps: Some(0),
                eta_seconds: None,
                peers: Some(0),
                ratio: Some(self.ratio),
                seeding_seconds: (self.phase == Phase::Complete).then_some(self.seeding_seconds),
                stopped: self.stopped || self.phase == Phase::Stopped,
            },
            has_metadata: self.has_metadata,
            size_bytes,
            save_path: self.save_path.clone(),
            tags: self.tags.clone(),
        }
    }
}

impl FakeFile {
    fn missing(mut self) -> Self {
        self.complete = false;
        self
    }
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Metadata => "metaDL",
        Phase::Downloading => "downloading",
        Phase::Stalled => "stalledDL",
        Phase::Stopped => "stoppedDL",
        Phase::Complete => "stalledUP",
        Phase::Checking => "checkingUP",
        Phase::Moving => "moving",
        Phase::Starting => "checkingResumeData",
        Phase::FilesMissing => "missingFiles",
        Phase::Errored => "error",
        Phase::Unknown => "unknown",
    }
}
