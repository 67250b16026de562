//! Plex: a scan of one folder for each folder, in the library that has it.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use reqwest::header::HeaderName;
use serde::Deserialize;
use serde_json::Value;
use tracker_domain::ports::{MediaServer, MediaServerError, Section};

use crate::call::{Http, secret_header};
use crate::config::{MediaServerConfig, MediaServerConfigError, sendable};
use crate::paths::PathMap;
use crate::sections::{report, section, sort};

const SECTIONS: &str = "library/sections";

/// A Plex Media Server.
pub struct Plex {
    name: String,
    http: Http,
    paths: PathMap,
}

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "MediaContainer")]
    container: Container,
}

#[derive(Deserialize)]
struct Container {
    /// Not there while the server has no library.
    #[serde(rename = "Directory", default)]
    directories: Vec<Value>,
}

/// A library as the server tells it.
#[derive(Deserialize)]
struct Directory {
    key: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(rename = "Location", default)]
    locations: Vec<Location>,
}

#[derive(Deserialize)]
struct Location {
    path: String,
}

impl Plex {
    /// Checks the configuration; asks nobody yet.
    ///
    /// # Errors
    /// When the address, the token or a path cannot be used, or TLS cannot be set up.
    pub fn new(config: &MediaServerConfig) -> Result<Self, MediaServerConfigError> {
        let name = HeaderName::from_static("x-plex-token");
        let token = match &config.token {
            Some(token) => Some((name, secret_header(sendable(token)?)?)),
            None => None,
        };
        let http = Http::new(&config.name, &config.url, token, config.timeout)?;
        Ok(Plex { name: config.name.clone(), http, paths: PathMap::new(&config.path_map)? })
    }

    /// The sections, and the key of each.
    async fn known(&self) -> Result<(Vec<Section>, Vec<String>), MediaServerError> {
        let body = self.http.read(SECTIONS).await?;
        let page: Page = serde_json::from_slice(&body).map_err(|_| {
            MediaServerError::Unreadable(format!("{SECTIONS}: no list of libraries"))
        })?;
        Ok(page.container.directories.into_iter().filter_map(library).unzip())
    }
}

impl std::fmt::Debug for Plex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plex").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl MediaServer for Plex {
    fn name(&self) -> &str {
        &self.name
    }

    async fn sections(&self) -> Result<Vec<Section>, MediaServerError> {
        self.known().await.map(|(sections, _)| sections)
    }

    fn covers(&self, sections: &[Section], folder: &Path) -> bool {
        sort(&self.paths, sections, &[folder.to_path_buf()]).outside.is_empty()
    }

    async fn refresh(&self, folders: &[PathBuf]) -> Result<(), MediaServerError> {
        if folders.is_empty() {
            return Ok(());
        }
        let (sections, keys) = self.known().await?;
        let sorted = sort(&self.paths, &sections, folders);
        for (path, places) in &sorted.inside {
            for key in places.iter().filter_map(|place| keys.get(*place)) {
                let route = format!("{SECTIONS}/{key}/refresh");
                self.http.trigger(&route, &[("path", path)]).await?;
            }
        }
        report(sorted.outside, &sections)
    }
}

/// One library; what cannot be read is left out, so that the others still count.
fn library(value: Value) -> Option<(Section, String)> {
    let Directory { key, title, locations } = serde_json::from_value(value).ok()?;
    // It becomes a part of an address.
    let plain = !key.is_empty() && key.len() <= 20 && key.bytes().all(|byte| byte.is_ascii_digit());
    let roots = locations.into_iter().map(|location| location.path).collect();
    section(title, roots).filter(|_| plain).map(|section| (section, key))
}
