//! What a `.torrent` says about where its files go.

use std::path::{Component, Path, PathBuf};

use librqbit::ByteBuf;
use tracker_domain::{InfohashV1, Torrent};

/// How many files its list has, without padding, as the engine reads it; `None` where it
/// is one file without a list. Bytes that make its parser panic are refused by the session.
pub(crate) fn listed(bytes: &[u8]) -> Option<usize> {
    let read = std::panic::catch_unwind(|| {
        let list = librqbit::torrent_from_bytes(bytes).ok()?.info.data.files?;
        let is_padding = |attr: &ByteBuf<'_>| attr.0.contains(&b'p');
        let real = list.iter().filter(|file| !file.attr.as_ref().is_some_and(is_padding));
        Some(real.count())
    });
    read.unwrap_or(None)
}

/// The folder that the files of a torrent are in: with several files one that has
/// the name of the torrent, as other clients do it.
pub(crate) fn folder_of(
    save_path: &Path,
    v1: InfohashV1,
    torrent: &Torrent,
    has_list: bool,
) -> PathBuf {
    if !has_list {
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
