//! The folder of pictures. What is in it can be fetched again, so a fault of the
//! disk is told and costs nothing else.
//!
//! A file is written under another name and renamed when it is whole; its time of
//! change says when it was last looked at.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::{Mutex, OnceCell};
use tokio::task::spawn_blocking;
use tracing::warn;
use tracker_domain::UnixMillis;

/// How a file ends that is not whole yet.
const PART: &str = "part";

pub(super) struct Cache {
    folder: Arc<Path>,
    most: u64,
    largest: usize,
    /// Leftovers of a crash are cleaned once.
    cleaned: OnceCell<()>,
    /// One writes and makes room at a time.
    writing: Mutex<()>,
}

impl Cache {
    pub(super) fn new(folder: PathBuf, most: u64, largest: usize) -> Self {
        Cache {
            folder: folder.into(),
            most,
            largest,
            cleaned: OnceCell::new(),
            writing: Mutex::new(()),
        }
    }

    /// The bytes under this key, which count as looked at now.
    pub(super) async fn get(&self, key: &str, now: UnixMillis) -> Option<Vec<u8>> {
        self.cleaned.get_or_init(|| self.clean()).await;
        let (path, largest) = (self.folder.join(key), self.largest);
        self.run(move || match look(&path, largest, time_of(now)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        })
        .await
        .flatten()
    }

    /// Keeps bytes, and drops the longest not looked at where there are too many.
    pub(super) async fn put(&self, key: &str, bytes: &[u8], now: UnixMillis) {
        let _alone = self.writing.lock().await;
        let (folder, most) = (Arc::clone(&self.folder), self.most);
        let (key, bytes) = (key.to_owned(), bytes.to_vec());
        self.run(move || {
            write(&folder, &key, &bytes, time_of(now))?;
            make_room(&folder, most)
        })
        .await;
    }

    async fn clean(&self) {
        let folder = Arc::clone(&self.folder);
        self.run(move || clean(&folder)).await;
    }

    /// Away from the runtime; nothing where it failed, which is told.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Option<T> {
        match spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(value) => Some(value),
            Err(error) => {
                warn!(path = %self.folder.display(), %error, "the folder of posters cannot be used");
                None
            }
        }
    }
}

fn time_of(now: UnixMillis) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(now.0)
}

fn look(path: &Path, largest: usize, now: SystemTime) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    (&file).take(u64::try_from(largest).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    // A folder that cannot be written still gives what it has.
    let _ = file.set_modified(now);
    Ok(bytes)
}

fn write(folder: &Path, key: &str, bytes: &[u8], now: SystemTime) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let part = folder.join(format!("{key}.{PART}"));
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        // Without it a power loss may keep the name and lose the bytes.
        file.sync_all()?;
        file.set_modified(now)
    });
    let kept = written.and_then(|()| fs::rename(&part, folder.join(key)));
    if kept.is_err() {
        // The next start cleans what stays even now.
        let _ = fs::remove_file(&part);
    }
    kept
}

/// Names that this module gives; anything else in the folder is not ours.
fn is_ours(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|sign| sign.is_ascii_hexdigit())
}

fn clean(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|end| end == PART) && is_ours(stem) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn make_room(folder: &Path, most: u64) -> io::Result<()> {
    let mut kept = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_ours) {
            let about = entry.metadata()?;
            kept.push((about.modified()?, about.len(), entry.path()));
        }
    }
    let mut held: u64 = kept.iter().map(|(_, size, _)| size).sum();
    kept.sort();
    for (_, size, path) in kept {
        if held <= most {
            break;
        }
        fs::remove_file(path)?;
        held = held.saturating_sub(size);
    }
    Ok(())
}
