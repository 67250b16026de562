//! Both adapters against a server on the loopback interface.
#![allow(clippy::unwrap_used)]

mod told;
mod trouble;

use std::path::PathBuf;
use std::sync::Arc;

use tracker_domain::Secret;
use tracker_domain::ports::{MediaServer, MediaServerError};
use tracker_testkit::media_server::CONTRACT_ROOTS;
use tracker_testkit::{MediaServerStub, StubLibrary, media_server_contract, spec};

use crate::{Jellyfin, LONGEST_CALL, MediaServerConfig, MediaServerConfigError, PathMapping, Plex};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Jellyfin,
    Plex,
}

const KINDS: [Kind; 2] = [Kind::Jellyfin, Kind::Plex];

/// The two libraries of the contract, where the server has them.
fn libraries() -> Vec<StubLibrary> {
    vec![
        StubLibrary::new(1, "Films", "/mnt/library/films"),
        StubLibrary::new(2, "Series", "/mnt/library/series/"),
    ]
}

async fn stub(kind: Kind, libraries: Vec<StubLibrary>) -> MediaServerStub {
    match kind {
        Kind::Jellyfin => MediaServerStub::jellyfin(libraries).await,
        Kind::Plex => MediaServerStub::plex(libraries).await,
    }
}

fn config(url: &str, token: &str) -> MediaServerConfig {
    MediaServerConfig {
        name: "den".to_owned(),
        url: url.parse().unwrap(),
        token: Some(Secret::new(token)),
        path_map: vec![PathMapping { local: "/srv/media".into(), server: "/mnt/library".into() }],
        timeout: LONGEST_CALL,
    }
}

fn adapter(
    kind: Kind,
    config: &MediaServerConfig,
) -> Result<Arc<dyn MediaServer>, MediaServerConfigError> {
    Ok(match kind {
        Kind::Jellyfin => Arc::new(Jellyfin::new(config)?),
        Kind::Plex => Arc::new(Plex::new(config)?),
    })
}

/// A server with the libraries of the contract, and the adapter for it.
async fn play(kind: Kind) -> (MediaServerStub, Arc<dyn MediaServer>) {
    let stub = stub(kind, libraries()).await;
    let server = adapter(kind, &config(&stub.url(), MediaServerStub::TOKEN)).unwrap();
    (stub, server)
}

fn films(title: &str) -> PathBuf {
    PathBuf::from(CONTRACT_ROOTS[0]).join(title)
}

/// What refreshing one folder ends in.
async fn refused(server: &dyn MediaServer) -> MediaServerError {
    server.refresh(&[films("Film (2020)")]).await.unwrap_err()
}

#[tokio::test]
async fn both_adapters_pass_the_contract() {
    spec!("media-servers#one-contract-for-all-media-servers/every-media-server");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        media_server_contract(&*server, || stub.scanned().len()).await;
    }
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    spec!("media-servers#settings-of-a-media-server/settings-that-cannot-be-used");
    let usual = config("http://127.0.0.1:9/", "token");
    for kind in KINDS {
        let refused = |config: &MediaServerConfig| adapter(kind, config).err();
        for url in ["ftp://host/", "data:text/plain,x", "file:///etc/hosts"] {
            let config = MediaServerConfig { url: url.parse().unwrap(), ..usual.clone() };
            assert_eq!(refused(&config), Some(MediaServerConfigError::Url), "{url}");
        }
        for token in ["", "  ", "two words", "line\nbreak", "кириллица", "a\"b", "a\\b", "a,b"]
        {
            let config = MediaServerConfig { token: Some(Secret::new(token)), ..usual.clone() };
            assert_eq!(refused(&config), Some(MediaServerConfigError::Token), "{token:?}");
        }
        let path_map = vec![PathMapping { local: "/srv".into(), server: "media".into() }];
        let unmapped = MediaServerConfig { path_map, ..usual.clone() };
        assert_eq!(refused(&unmapped), Some(MediaServerConfigError::PathMap("media".into())));
        let without = MediaServerConfig { token: None, ..usual.clone() };
        // A Plex may let this machine in without one.
        let wanted = (kind == Kind::Jellyfin).then_some(MediaServerConfigError::Token);
        assert_eq!(refused(&without), wanted);
    }
}
