//! Answers of real clients, as `tests/lab/record.py` wrote them.

use std::path::Path;

use serde_json::Value;

/// The versions of qBittorrent that were recorded.
pub const RECORDED_VERSIONS: [&str; 3] = ["4.5.2", "5.1.0", "5.3.0"];

/// The steps of one topic (`add`, `auth`, `hybrid`, `maindata`, `states`).
///
/// # Panics
/// When there is no such recording.
#[must_use]
pub fn recording(version: &str, topic: &str) -> Vec<Value> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lab/recordings"));
    let path = folder.join(format!("{version}--{topic}.json"));
    let text = std::fs::read(&path)
        .unwrap_or_else(|error| panic!("no recording {}: {error}", path.display()));
    serde_json::from_slice(&text)
        .unwrap_or_else(|error| panic!("the recording {} is broken: {error}", path.display()))
}
