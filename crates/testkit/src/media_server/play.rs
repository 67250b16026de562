//! How Jellyfin and Plex answer: their routes, what they insist on, and the form
//! of what they say.

use serde_json::{Value, json};

use super::stub::{MediaServerRequest, State};
use crate::StubAnswer;

/// A library of the played server.
#[derive(Clone, Debug)]
pub struct StubLibrary {
    /// Plex's key of it.
    pub key: u32,
    /// What it is called.
    pub name: String,
    /// Its folders, as the server sees them.
    pub roots: Vec<String>,
    /// Whether it is listed and cannot be scanned, as one that was just removed.
    pub listed_only: bool,
}

impl StubLibrary {
    /// A library of one folder.
    #[must_use]
    pub fn new(key: u32, name: &str, root: &str) -> Self {
        StubLibrary { key, name: name.to_owned(), roots: vec![root.to_owned()], listed_only: false }
    }

    /// One that is listed and cannot be scanned.
    #[must_use]
    pub fn listed_only(self) -> Self {
        StubLibrary { listed_only: true, ..self }
    }
}

fn plain(status: u16) -> StubAnswer {
    StubAnswer::of_kind(status, "text/html", format!("<html>{status}</html>"))
}

pub(super) fn jellyfin(request: &MediaServerRequest, state: &mut State) -> StubAnswer {
    let wanted = format!("MediaBrowser Token=\"{}\"", state.token);
    if request.header("authorization") != Some(wanted.as_str()) {
        return StubAnswer::of_kind(401, "text/plain", "");
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/Library/VirtualFolders") => {
            let folder = |library: &StubLibrary| {
                json!({
                    "Name": library.name,
                    "Locations": library.roots,
                    "CollectionType": "movies",
                    "LibraryOptions": {
                        "Enabled": true,
                        "PathInfos": library.roots.iter().map(|root| json!({"Path": root})).collect::<Vec<_>>(),
                        "TypeOptions": [{"Type": "Movie", "MetadataFetchers": ["TheMovieDb"]}],
                    },
                    "ItemId": format!("{:032x}", library.key),
                    "RefreshStatus": "Idle",
                })
            };
            let folders: Vec<Value> = state.libraries.iter().map(folder).collect();
            StubAnswer::json(200, Value::from(folders).to_string())
        }
        ("POST", "/Library/Media/Updated") => updated(request, state),
        (_, "/Library/VirtualFolders" | "/Library/Media/Updated") => plain(405),
        _ => plain(404),
    }
}

fn updated(request: &MediaServerRequest, state: &mut State) -> StubAnswer {
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/json") {
        return plain(415);
    }
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else { return plain(400) };
    let Some(updates) = body["Updates"].as_array() else { return plain(400) };
    let path = |update: &Value| -> Option<String> {
        let known = ["Created", "Modified", "Deleted"];
        known.contains(&update["UpdateType"].as_str()?).then_some(())?;
        Some(update["Path"].as_str()?.to_owned())
    };
    match updates.iter().map(path).collect::<Option<Vec<String>>>() {
        Some(paths) => {
            state.scanned.extend(paths);
            StubAnswer::of_kind(204, "text/plain", "")
        }
        None => plain(400),
    }
}

pub(super) fn plex(request: &MediaServerRequest, state: &mut State) -> StubAnswer {
    if request.header("x-plex-token") != Some(state.token.as_str()) {
        return plain(401);
    }
    if request.method != "GET" {
        return plain(405);
    }
    let Some(rest) = request.path.strip_prefix("/library/sections") else { return plain(404) };
    if rest.is_empty() {
        return sections(request, state);
    }
    let key = rest.strip_prefix('/').and_then(|rest| rest.strip_suffix("/refresh"));
    let known = |key: &str| {
        let is_it = |library: &StubLibrary| library.key.to_string() == key && !library.listed_only;
        state.libraries.iter().any(is_it)
    };
    let Some(key) = key.filter(|key| known(key)).map(str::to_owned) else { return plain(404) };
    let Some(path) = request.query("path") else { return plain(400) };
    state.scanned.push(format!("{key}:{path}"));
    StubAnswer::of_kind(200, "text/html", "")
}

fn sections(request: &MediaServerRequest, state: &State) -> StubAnswer {
    if request.header("accept") != Some("application/json") {
        return StubAnswer::of_kind(200, "text/xml", "<MediaContainer size=\"0\"/>");
    }
    let directory = |library: &StubLibrary| {
        let location = |(at, root): (usize, &String)| json!({"id": at + 1, "path": root});
        json!({
            "allowSync": true,
            "key": library.key.to_string(),
            "type": "movie",
            "title": library.name,
            "refreshing": false,
            "Location": library.roots.iter().enumerate().map(location).collect::<Vec<_>>(),
        })
    };
    let directories: Vec<Value> = state.libraries.iter().map(directory).collect();
    let mut container =
        json!({"size": directories.len(), "allowSync": false, "title1": "Plex Library"});
    if !directories.is_empty() {
        container["Directory"] = directories.into();
    }
    StubAnswer::json(200, json!({ "MediaContainer": container }).to_string())
}
