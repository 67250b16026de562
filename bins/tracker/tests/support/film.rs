//! A torrent client that has one complete film.
#![allow(dead_code, reason = "each test program uses its own part of it")]

use std::path::Path;

use serde_json::json;
use tracker_testkit::{QbtStub, StubReply};

use crate::daemon::ClientSetup;

/// The name of the film.
pub const FILM: &str = "The.Quiet.Harbour.2011.1080p.WEB";
const HASH: &str = "00112233445566778899aabbccddeeff00112233";
const BYTES: &[u8] = b"nothing that anybody would watch";

/// The link to the film.
pub fn magnet() -> String {
    magnet_of(FILM)
}

/// The link to the torrent under another name.
pub fn magnet_of(name: &str) -> String {
    format!("magnet:?xt=urn:btih:{HASH}&dn={name}")
}

/// How the daemon reaches the client.
pub fn setup_of(client: &QbtStub) -> ClientSetup {
    ClientSetup {
        name: "qbt".to_owned(),
        url: client.url().to_owned(),
        username: "admin".to_owned(),
        password: "secret-password".to_owned(),
        more: String::new(),
    }
}

/// Writes the film and starts the client.
pub async fn client(payload: &Path) -> QbtStub {
    let stub = QbtStub::with_api("2.11.4").await;
    stub.on("app/version", StubReply::text(200, "v5.1.0"));
    stub.on("app/defaultSavePath", StubReply::text(200, payload.to_str().unwrap()));
    stub.on("app/preferences", StubReply::json(&json!({})));
    stub.on("torrents/add", StubReply::text(200, "Ok."));
    for endpoint in ["addTags", "removeTags", "createTags", "deleteTags"] {
        stub.on(&format!("torrents/{endpoint}"), StubReply::status(200));
    }
    bring(&stub, payload, FILM);
    stub
}

/// Has the client show the torrent under this name, with its only file whole.
pub fn bring(client: &QbtStub, payload: &Path, name: &str) {
    std::fs::create_dir_all(payload.join(name)).unwrap();
    std::fs::write(payload.join(format!("{name}/{name}.mkv")), BYTES).unwrap();
    show(client, payload, name, BYTES.len());
}

/// Has the client show the torrent under this name, with what it consists of and
/// without a byte of it.
pub fn announce(client: &QbtStub, payload: &Path, name: &str) {
    show(client, payload, name, 0);
}

fn show(client: &QbtStub, payload: &Path, name: &str, done: usize) {
    let size = BYTES.len();
    let (state, share) = if done == size { ("stalledUP", 1) } else { ("stalledDL", 0) };
    let entry = json!({
        "hash": HASH, "infohash_v1": HASH, "infohash_v2": "", "name": name,
        "state": state, "progress": share, "size": size, "total_size": size,
        "completed": done, "amount_left": size - done, "has_metadata": true,
        "save_path": payload, "tags": "",
    });
    client.on("torrents/info", StubReply::json(&json!([entry])));
    let file = json!({
        "index": 0, "name": format!("{name}/{name}.mkv"), "size": size, "progress": share,
        "priority": 1,
    });
    client.on("torrents/files", StubReply::json(&json!([file])));
}
