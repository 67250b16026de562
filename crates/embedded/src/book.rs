//! What the engine was asked for, on the disk: one file, written anew at each
//! change, and the `.torrent` of each torrent whose metadata is known.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracker_domain::{InfohashSet, InfohashV1};

/// One torrent that the engine was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The infohashes that are known, in hex.
    pub hashes: Vec<String>,
    /// Its name, as far as it is known.
    pub name: String,
    /// The link, where that is all there was. It may carry passkeys.
    pub link: Option<String>,
    /// The folder it was asked to go to.
    pub save_path: PathBuf,
    /// Its tags.
    pub tags: Vec<String>,
    /// The engine's numbers of the files that are wanted; `None` is all.
    #[serde(default)]
    pub chosen: Option<Vec<usize>>,
    /// A person or the limits of seeding stopped it.
    pub stopped: bool,
    /// The limits of seeding stopped it: they do so once.
    #[serde(default)]
    pub seeded: bool,
    /// Bytes that left, in all runs.
    #[serde(default)]
    pub uploaded_bytes: u64,
    /// For how long it seeded, in milliseconds, in all runs; `None` until it is complete.
    /// Time in which it was stopped, or nobody ran the engine, is none.
    #[serde(default)]
    pub seeding_ms: Option<u64>,
}

impl Record {
    /// The infohashes; the engine knows a torrent by its v1.
    pub(crate) fn infohashes(&self, v1: InfohashV1) -> InfohashSet {
        let known = self.hashes.iter().filter_map(|hash| hash.parse().ok());
        InfohashSet::new(known.chain([v1.into()])).unwrap_or_else(|| InfohashSet::one(v1))
    }

    /// Bytes that left to the bytes of the torrent.
    #[expect(clippy::cast_precision_loss, reason = "a ratio of byte counts")]
    pub(crate) fn ratio(&self, size_bytes: u64) -> Option<f64> {
        (size_bytes > 0).then(|| self.uploaded_bytes as f64 / size_bytes as f64)
    }
}

/// All of them, by v1.
#[derive(Debug)]
pub(crate) struct Book {
    folder: PathBuf,
    records: BTreeMap<String, Record>,
    /// Whether memory is ahead of the disk in what may be lost.
    stale: bool,
}

impl Book {
    /// Reads what was written down.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder.join("torrents"))?;
        let records = match fs::read(folder.join("torrents.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        Ok(Book { folder: folder.to_path_buf(), records, stale: false })
    }

    pub(crate) fn get(&self, v1: InfohashV1) -> Option<&Record> {
        self.records.get(&v1.to_string())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (InfohashV1, &Record)> {
        self.records.iter().filter_map(|(hash, record)| Some((hash.parse().ok()?, record)))
    }

    /// Writes a torrent down, before anything is done about it.
    pub(crate) fn put(&mut self, v1: InfohashV1, record: Record) -> io::Result<()> {
        self.records.insert(v1.to_string(), record);
        self.save()
    }

    /// Changes what is written down of a torrent; tells whether there is one.
    pub(crate) fn change(
        &mut self,
        v1: InfohashV1,
        change: impl FnOnce(&mut Record),
    ) -> io::Result<bool> {
        let Some(record) = self.records.get_mut(&v1.to_string()) else { return Ok(false) };
        let before = record.clone();
        change(record);
        if *record != before {
            self.save()?;
        }
        Ok(true)
    }

    /// The same for what may be lost: it is written with the next change, or by
    /// [`Book::flush`].
    pub(crate) fn note(&mut self, v1: InfohashV1, change: impl FnOnce(&mut Record)) {
        if let Some(record) = self.records.get_mut(&v1.to_string()) {
            change(record);
            self.stale = true;
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.stale { self.save() } else { Ok(()) }
    }

    pub(crate) fn remove(&mut self, v1: InfohashV1) -> io::Result<()> {
        if self.records.remove(&v1.to_string()).is_some() {
            self.save()?;
        }
        match fs::remove_file(self.torrent_path(v1)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The `.torrent`, once it is known.
    pub(crate) fn torrent(&self, v1: InfohashV1) -> Option<Vec<u8>> {
        fs::read(self.torrent_path(v1)).ok()
    }

    pub(crate) fn keep_torrent(&self, v1: InfohashV1, bytes: &[u8]) -> io::Result<()> {
        replace(&self.torrent_path(v1), bytes)
    }

    fn torrent_path(&self, v1: InfohashV1) -> PathBuf {
        self.folder.join("torrents").join(format!("{v1}.torrent"))
    }

    fn save(&mut self) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(&self.records)?;
        replace(&self.folder.join("torrents.json"), &bytes)?;
        self.stale = false;
        Ok(())
    }
}

/// Puts a file in the place of another, durably: whoever reads finds one of the two.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("tmp");
    let mut options = fs::OpenOptions::new();
    // Links carry passkeys.
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    match path.parent() {
        Some(folder) => fs::File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
