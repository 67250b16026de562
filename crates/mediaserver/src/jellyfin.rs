//! Jellyfin: all folders of a batch in one call, as changed by someone else.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use reqwest::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::{Value, json};
use tracker_domain::ports::{MediaServer, MediaServerError, Section};

use crate::call::{Http, secret_header};
use crate::config::{MediaServerConfig, MediaServerConfigError, sendable};
use crate::paths::PathMap;
use crate::sections::{report, section, sort};

const SECTIONS: &str = "Library/VirtualFolders";
const UPDATED: &str = "Library/Media/Updated";

/// A Jellyfin.
pub struct Jellyfin {
    name: String,
    http: Http,
    paths: PathMap,
}

/// A library as the server tells it.
#[derive(Deserialize)]
struct Folder {
    #[serde(rename = "Name", default)]
    name: Option<String>,
    #[serde(rename = "Locations", default)]
    locations: Option<Vec<String>>,
}

impl Jellyfin {
    /// Checks the configuration; asks nobody yet.
    ///
    /// # Errors
    /// When the address, the token or a path cannot be used, or TLS cannot be set up.
    pub fn new(config: &MediaServerConfig) -> Result<Self, MediaServerConfigError> {
        let token = sendable(config.token.as_ref().ok_or(MediaServerConfigError::Token)?)?;
        let header = secret_header(&format!("MediaBrowser Token=\"{token}\""))?;
        let http =
            Http::new(&config.name, &config.url, Some((AUTHORIZATION, header)), config.timeout)?;
        Ok(Jellyfin { name: config.name.clone(), http, paths: PathMap::new(&config.path_map)? })
    }
}

impl std::fmt::Debug for Jellyfin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jellyfin").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl MediaServer for Jellyfin {
    fn name(&self) -> &str {
        &self.name
    }

    async fn sections(&self) -> Result<Vec<Section>, MediaServerError> {
        let body = self.http.read(SECTIONS).await?;
        // Its rest is settings, whose form changes from version to version.
        let folders: Vec<Value> = serde_json::from_slice(&body).map_err(|_| {
            MediaServerError::Unreadable(format!("{SECTIONS}: no list of libraries"))
        })?;
        Ok(folders.into_iter().filter_map(library).collect())
    }

    fn covers(&self, sections: &[Section], folder: &Path) -> bool {
        sort(&self.paths, sections, &[folder.to_path_buf()]).outside.is_empty()
    }

    async fn refresh(&self, folders: &[PathBuf]) -> Result<(), MediaServerError> {
        if folders.is_empty() {
            return Ok(());
        }
        let sections = self.sections().await?;
        let sorted = sort(&self.paths, &sections, folders);
        if !sorted.inside.is_empty() {
            let updates: Vec<Value> = sorted
                .inside
                .iter()
                .map(|(path, _)| json!({ "Path": path, "UpdateType": "Modified" }))
                .collect();
            self.http.tell(UPDATED, json!({ "Updates": updates }).to_string()).await?;
        }
        report(sorted.outside, &sections)
    }
}

/// One library; what cannot be read is left out, so that the others still count.
fn library(value: Value) -> Option<Section> {
    let Folder { name, locations } = serde_json::from_value(value).ok()?;
    section(name, locations?)
}
