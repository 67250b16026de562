//! Our mark on a torrent in a client: two tags, and a folder of its own.

use tracker_domain::DownloadId;
use tracker_domain::observed::{ClientPath, Seen};

/// The tag of everything that is or was ours.
pub const MARK: &str = "tracker";

/// The tag of an active download. It comes off when the download ends.
#[must_use]
pub fn mark_of(id: DownloadId) -> String {
    format!("{MARK}-{id}")
}

/// The tags of an active download.
#[must_use]
pub fn tags_of(id: DownloadId) -> [String; 2] {
    [MARK.to_owned(), mark_of(id)]
}

/// Whether the folder is the one that only this download gives its torrent.
#[must_use]
pub fn is_own_folder(id: DownloadId, folder: &ClientPath) -> bool {
    let last = folder.0.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next();
    last.is_some_and(|name| name == id.to_string())
}

/// Whether the torrent shows that this download added it.
#[must_use]
pub fn is_marked(id: DownloadId, seen: &Seen) -> bool {
    seen.tags.contains(&mark_of(id)) || is_own_folder(id, &seen.save_path)
}
