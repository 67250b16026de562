//! Making a `.torrent` of what is on the disk.

use std::io;
use std::path::Path;

use librqbit::spawn_utils::BlockingSpawner;
use librqbit::{CreateTorrentOptions, create_torrent};

/// The bytes of a v1 `.torrent` of a file or a folder, without any tracker.
///
/// # Errors
/// What is not there or cannot be read.
pub async fn torrent_of(path: &Path) -> io::Result<Vec<u8>> {
    let spawner = BlockingSpawner::new(1);
    let made = create_torrent(path, CreateTorrentOptions::default(), &spawner).await;
    let bytes = made.and_then(|made| made.as_bytes());
    let bytes = bytes.map_err(|error| io::Error::other(format!("{error:#}")))?;
    Ok(bytes.to_vec())
}
