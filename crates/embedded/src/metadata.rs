//! What a `.torrent` says about where its files go.

use std::path::{Component, Path, PathBuf};

use tracker_domain::{InfohashV1, Torrent};

/// Whether it is one of several files, as the engine reads it. Bytes that make its
/// parser panic are refused by the session.
fn has_list(bytes: &[u8]) -> bool {
    let read = std::panic::catch_unwind(|| {
        let torrent = librqbit::torrent_from_bytes(bytes);
        torrent.is_ok_and(|torrent| torrent.info.data.files.is_some())
    });
    read.unwrap_or(false)
}

/// The folder that the files of a torrent are in: with several files one that has
/// the name of the torrent, as other clients do it.
pub(crate) fn folder_of(save_path: &Path, v1: InfohashV1, torrent: &Torrent) -> PathBuf {
    if !has_list(torrent.bytes()) {
        return save_path.to_path_buf();
    }
    let name = torrent.name();
    let mut parts = Path::new(name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    // Never through a name that leads elsewhere, or that no disk takes.
    if plain && name.len() <= 255 && !name.contains('\0') {
        save_path.join(name)
    } else {
        save_path.join(v1.to_string())
    }
}
