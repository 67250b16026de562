//! Making a `.torrent` of what is on the disk.

use std::io;
use std::path::Path;

use librqbit::spawn_utils::BlockingSpawner;
use librqbit::{CreateTorrentOptions, CreateTorrentResult, create_torrent};

/// The bytes of the hash of a piece.
const HASH: usize = 20;

/// The bytes of a v1 `.torrent` of a file or a folder, without any tracker.
///
/// # Errors
/// What is not there or cannot be read.
pub async fn torrent_of(path: &Path) -> io::Result<Vec<u8>> {
    let spawner = BlockingSpawner::new(1);
    let made = create_torrent(path, CreateTorrentOptions::default(), &spawner).await;
    let bytes = made.and_then(|made| Ok((made.as_bytes()?.to_vec(), made)));
    let (bytes, made) = bytes.map_err(|error| io::Error::other(format!("{error:#}")))?;
    Ok(without_surplus(bytes, &made))
}

/// The library adds the hash of nothing where the last piece is a whole one, and other
/// clients refuse such a torrent.
fn without_surplus(bytes: Vec<u8>, made: &CreateTorrentResult) -> Vec<u8> {
    let info = &made.as_info().info.data;
    let size: u64 = match &info.files {
        Some(files) => files.iter().map(|file| file.length).sum(),
        None => info.length.unwrap_or_default(),
    };
    let hashes: &[u8] = info.pieces.as_ref();
    let count = size.div_ceil(u64::from(info.piece_length.max(1)));
    let wanted = usize::try_from(count).map_or(hashes.len(), |count| count * HASH);
    if wanted >= hashes.len() {
        return bytes;
    }
    let member = |hashes: &[u8]| {
        let mut text = format!("6:pieces{}:", hashes.len()).into_bytes();
        text.extend_from_slice(hashes);
        text
    };
    let (long, right) = (member(hashes), member(&hashes[..wanted]));
    let Some(at) = bytes.windows(long.len()).position(|window| window == long) else {
        return bytes;
    };
    [&bytes[..at], &right, &bytes[at + long.len()..]].concat()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_testkit::spec;

    use super::*;

    const PIECE: usize = 2 << 20;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_piece_has_one_hash_whatever_the_size() {
        spec!("torrent-clients#a-torrent-is-made/one-hash-a-piece");
        let folder = tempfile::tempdir().unwrap();
        for (size, pieces) in [(1, 1), (PIECE - 1, 1), (PIECE, 1), (PIECE + 1, 2), (2 * PIECE, 2)] {
            let file = folder.path().join("film.mkv");
            std::fs::write(&file, vec![7; size]).unwrap();
            let made = torrent_of(&file).await.unwrap();
            let read = librqbit::torrent_from_bytes(&made).unwrap();
            assert_eq!(read.info.data.pieces.as_ref().len(), pieces * HASH, "{size}");
            assert_eq!(read.info.data.length, Some(size as u64));
        }
    }
}
