//! Reading `torrents/files`. Unlike a listing it is taken whole or not at all:
//! half a file list would look like a smaller torrent.

use serde::Deserialize;
use tracker_domain::observed::RemoteFile;

#[derive(Deserialize)]
struct Entry {
    index: Option<u32>,
    name: String,
    size: u64,
    progress: Option<f64>,
    priority: Option<i64>,
}

/// The files of an answer, in the order of the torrent.
pub(crate) fn read(body: &[u8]) -> Result<Vec<RemoteFile>, serde_json::Error> {
    let entries: Vec<Entry> = serde_json::from_slice(body)?;
    Ok(entries
        .into_iter()
        .zip(0..)
        .map(|(entry, place)| RemoteFile {
            index: entry.index.unwrap_or(place),
            size_bytes: entry.size,
            // Priority 0 is "do not download".
            selected: entry.priority != Some(0),
            // There is nothing to wait for in an empty file.
            complete: entry.size == 0 || entry.progress.is_some_and(|progress| progress >= 1.0),
            path: entry.name,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn names_are_taken_as_they_are_told() {
        tracker_testkit::spec!("qbittorrent-client#file-lists/names-as-told");
        let body = r#"[
            {"index":0,"name":"Show/ S01E01 .mkv.!qB","size":10,"progress":0.5,"priority":1,"new":[]},
            {"index":1,"name":"Show/extra: one.mkv","size":5,"progress":1,"priority":0},
            {"index":2,"name":"Show/empty.txt","size":0,"progress":0,"priority":1}]"#;
        let files = read(body.as_bytes()).unwrap();
        let told: Vec<_> =
            files.iter().map(|f| (f.index, f.path.as_str(), f.selected, f.complete)).collect();
        assert_eq!(
            told,
            [
                (0, "Show/ S01E01 .mkv.!qB", true, false),
                (1, "Show/extra: one.mkv", false, true),
                (2, "Show/empty.txt", true, true),
            ]
        );
    }

    #[test]
    fn half_a_list_is_none() {
        tracker_testkit::spec!("qbittorrent-client#file-lists/a-list-that-cannot-be-read");
        assert!(read(br#"[{"index":0,"name":"a","size":1},{"index":1}]"#).is_err());
        assert!(read(br#"[{"index":0,"name":"a","size":1},{"ind"#).is_err());
    }
}
