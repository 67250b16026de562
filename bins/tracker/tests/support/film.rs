//! A torrent client that has one complete film.

use std::path::Path;

use serde_json::json;
use tracker_testkit::{QbtStub, StubReply};

use crate::daemon::ClientSetup;

const FILM: &str = "The.Quiet.Harbour.2011.1080p.WEB";
const HASH: &str = "00112233445566778899aabbccddeeff00112233";
const BYTES: &[u8] = b"nothing that anybody would watch";

/// The link to the film.
pub fn magnet() -> String {
    format!("magnet:?xt=urn:btih:{HASH}&dn={FILM}")
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
    std::fs::create_dir_all(payload.join(FILM)).unwrap();
    std::fs::write(payload.join(format!("{FILM}/{FILM}.mkv")), BYTES).unwrap();
    let stub = QbtStub::with_api("2.11.4").await;
    stub.on("app/version", StubReply::text(200, "v5.1.0"));
    stub.on("app/defaultSavePath", StubReply::text(200, payload.to_str().unwrap()));
    stub.on("app/preferences", StubReply::json(&json!({})));
    stub.on("torrents/add", StubReply::text(200, "Ok."));
    for endpoint in ["addTags", "removeTags", "createTags", "deleteTags"] {
        stub.on(&format!("torrents/{endpoint}"), StubReply::status(200));
    }
    let size = BYTES.len();
    let entry = json!({
        "hash": HASH, "infohash_v1": HASH, "infohash_v2": "", "name": FILM,
        "state": "stalledUP", "progress": 1, "size": size, "total_size": size,
        "completed": size, "amount_left": 0, "has_metadata": true,
        "save_path": payload, "tags": "",
    });
    stub.on("torrents/info", StubReply::json(&json!([entry])));
    let file = json!({
        "index": 0, "name": format!("{FILM}/{FILM}.mkv"), "size": size, "progress": 1,
        "priority": 1,
    });
    stub.on("torrents/files", StubReply::json(&json!([file])));
    stub
}
