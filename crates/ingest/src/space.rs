//! Whether a torrent fits where it goes.

use std::path::Path;
use std::sync::Arc;

use tokio::task::spawn_blocking;
use tracker_domain::observed::{ClientPath, Seen};
use tracker_domain::ports::{Files, TorrentClient};

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It fits, or its size is not known yet.
    Enough,
    /// It does not.
    Short {
        /// Bytes it needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The client's folder is not visible here.
    NotVisible,
}

/// Compares what is needed with the free space at the client's folder, as far
/// as it is visible here through the path map.
pub async fn room_for(
    client: &dyn TorrentClient,
    files: &Arc<dyn Files>,
    folder: &ClientPath,
    needed: Option<u64>,
) -> Room {
    let Ok(local) = client.locate(folder) else { return Room::NotVisible };
    let files = Arc::clone(files);
    // A disk that hangs must not hold up the other tasks.
    let look = spawn_blocking(move || compare(&*files, &local, needed));
    look.await.unwrap_or(Room::NotVisible)
}

/// Free bytes at a client's folder, as far as it is visible here.
pub async fn free_bytes(
    client: &dyn TorrentClient,
    files: &Arc<dyn Files>,
    folder: &ClientPath,
) -> Option<u64> {
    let local = client.locate(folder).ok()?;
    let files = Arc::clone(files);
    spawn_blocking(move || free_at(&*files, &local)).await.ok().flatten()
}

/// What a torrent in a client still needs.
#[must_use]
pub fn still_needed(seen: &Seen) -> Option<u64> {
    seen.size_bytes.map(|size| size.saturating_sub(seen.progress.bytes_done.unwrap_or(0)))
}

fn compare(files: &dyn Files, local: &Path, needed: Option<u64>) -> Room {
    let Some(free) = free_at(files, local) else { return Room::NotVisible };
    match needed {
        Some(needed) if needed > free => Room::Short { needed, free },
        _ => Room::Enough,
    }
}

fn free_at(files: &dyn Files, local: &Path) -> Option<u64> {
    // The folder of its own is made by the client, so the one above it counts
    // too. One further up may be of another filesystem.
    let known = local.ancestors().take(2).filter(|path| path.parent().is_some());
    let mut there = known.filter(|path| matches!(files.stat(path), Ok(Some(_))));
    files.free_bytes(there.next()?).ok()
}
