//! The files that pages are made with: part of the program, the same for everybody.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::code::Code;
use crate::problem::Problem;
use crate::shared::Shared;

struct Asset {
    name: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

const ASSETS: [Asset; 4] = [
    Asset {
        name: "app.css",
        media_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../../static/app.css"),
    },
    Asset {
        name: "app.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../static/app.js"),
    },
    Asset {
        name: "htmx.min.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../static/htmx.min.js"),
    },
    Asset {
        name: "icon.svg",
        media_type: "image/svg+xml",
        bytes: include_bytes!("../../static/icon.svg"),
    },
];

/// Changes when any of the files does, so that a browser may keep them for good.
pub(crate) fn version() -> String {
    format!("{VERSION:016x}")
}

const VERSION: u64 = digest();

/// FNV-1a: it only has to differ between versions of the program.
const fn digest() -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut file = 0;
    while file < ASSETS.len() {
        let bytes = ASSETS[file].bytes;
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    hash
}

/// One file by its name.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    let found = ASSETS.iter().find(|asset| asset.name == name);
    let asset =
        found.ok_or_else(|| Problem::new(Code::NotFound).detail("there is no such file"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
    ];
    Ok((StatusCode::OK, headers, asset.bytes).into_response())
}

/// What a phone needs to offer it as a place to share links with.
pub(crate) async fn manifest(State(shared): State<Shared>) -> Response {
    let manifest = serde_json::json!({
        "name": "tracker",
        "short_name": "tracker",
        "start_url": shared.url("/"),
        "scope": shared.url("/"),
        "display": "standalone",
        "icons": [{
            "src": shared.url("/static/icon.svg"), "sizes": "any", "type": "image/svg+xml",
        }],
        "share_target": {
            "action": shared.url("/add"),
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
        "protocol_handlers": [{"protocol": "magnet", "url": shared.url("/add?magnet=%s")}],
    });
    let kind = HeaderValue::from_static("application/manifest+json");
    ([(header::CONTENT_TYPE, kind)], manifest.to_string()).into_response()
}
