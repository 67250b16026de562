//! What health says of media servers.

use tracker_domain::Timestamp;
use tracker_domain::health::{Check, Level};
use tracker_domain::ports::MediaServerError;

use super::queue::{Known, ServerQueue};
use crate::{Board, Pipeline};

/// The groups of the checks.
const GROUP: &str = "media-server";
const LIBRARIES: &str = "media-server-library";

/// How many libraries of a server are named.
const TOLD_SECTIONS: usize = 20;

const OUTSIDE: &str = "add the folder to a library of the media server, or say in path_map of this \
                       [[media_server]] where it is for the server, and restart tracker";

/// Tells of a server that cannot be told of anything.
pub(super) fn tell_fault(board: &Board, name: &str, why: &str, at: Timestamp) {
    let remedy = "correct this [[media_server]] in tracker.toml and restart tracker";
    let check = Check::new("media-server-setup", name, Level::Error, why.to_owned(), remedy, at);
    board.set_checks(GROUP, name, vec![check]);
}

/// Tells how a server does.
pub(super) fn tell(board: &Board, queue: &ServerQueue, at: Timestamp) {
    let name = queue.server.name();
    let Known { trouble, outside, sections, .. } = queue.known();
    let mut checks = Vec::new();
    match (trouble, sections) {
        (Some(error), _) => {
            let (code, level, remedy) = trouble_of(&error);
            checks.push(Check::new(code, name, level, error.to_string(), remedy, at));
        }
        (None, Some(sections)) => {
            let detail = if sections.is_empty() {
                "it has no library".to_owned()
            } else {
                let named: Vec<&str> =
                    sections.iter().take(TOLD_SECTIONS).map(String::as_str).collect();
                let rest = if sections.len() > TOLD_SECTIONS { ", …" } else { "" };
                format!("libraries: {}{rest}", named.join(", "))
            };
            checks.push(Check::new("media-server-reachable", name, Level::Ok, detail, "", at));
        }
        (None, None) => {}
    }
    if let Some(error) = outside {
        let detail = error.to_string();
        checks.push(Check::new("media-server-outside", name, Level::Warning, detail, OUTSIDE, at));
    }
    board.set_checks(GROUP, name, checks);
}

fn trouble_of(error: &MediaServerError) -> (&'static str, Level, &'static str) {
    match error {
        MediaServerError::Unreachable(_) => (
            "media-server-unreachable",
            Level::Warning,
            "check that the media server runs and that url of this [[media_server]] leads to it; \
             it is asked again by itself, and links are made all the same",
        ),
        MediaServerError::Unreadable(_) => (
            "media-server-unreachable",
            Level::Warning,
            "check url and kind of this [[media_server]], and any proxy on the way",
        ),
        MediaServerError::Denied(_) => (
            "media-server-denied",
            Level::Warning,
            "set token of this [[media_server]] anew and restart tracker; \
             for Jellyfin it is an API key of the dashboard, for Plex the token of the owner",
        ),
        MediaServerError::Limited { .. } => (
            "media-server-limited",
            Level::Notice,
            "nothing has to be done: it is asked again by itself",
        ),
        MediaServerError::OutsideSections { .. } => {
            ("media-server-outside", Level::Warning, OUTSIDE)
        }
    }
}

/// Tells of libraries that no media server has, once each server has been heard.
pub(super) fn tell_libraries(pipeline: &Pipeline) {
    let at = pipeline.db.clock().now();
    let (mut names, mut all) = (Vec::new(), Vec::new());
    for queue in pipeline.refresh.queues() {
        let Some(covered) = queue.known().covered else { return };
        names.push(queue.server.name().to_owned());
        all.push(covered);
    }
    for (place, library) in pipeline.libraries.iter().enumerate() {
        let has = |covered: &Vec<bool>| covered.get(place).copied().unwrap_or_default();
        let missing = (!all.iter().any(has)).then(|| {
            let detail = format!(
                "{} lies in no library of a media server ({})",
                library.root.display(),
                names.join(", ")
            );
            let remedy = "where a media server should show it, add the folder to a library there, \
                          or say in path_map of its [[media_server]] where the folder is for it, \
                          and restart tracker";
            let code = "library-in-no-media-server";
            Check::new(code, &library.name, Level::Notice, detail, remedy, at)
        });
        pipeline.board.set_checks(LIBRARIES, &library.name, missing.into_iter().collect());
    }
}
