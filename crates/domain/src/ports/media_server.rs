//! Telling a media server that something in its libraries has changed.

use std::path::{Path, PathBuf};

use async_trait::async_trait;

/// How many folders of a server's libraries are named to a person.
const TOLD_ROOTS: usize = 8;

/// A library of a media server: what it scans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What the server calls it.
    pub name: String,
    /// Its folders, as the server sees them.
    pub roots: Vec<String>,
}

/// A folder that lies in no section of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideFolder {
    /// The folder as it is here.
    pub folder: PathBuf,
    /// What the server would call it; `None` where its path cannot be told.
    pub seen_as: Option<String>,
}

/// Why a server was not told, or not of everything. Each cause asks for
/// something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MediaServerError {
    /// No answer, or one of a broken server.
    #[error("the media server cannot be reached: {0}")]
    Unreachable(String),
    /// It refuses the token. Trying again makes it no better.
    #[error("the media server refuses the token: {0}")]
    Denied(String),
    /// It has been asked often enough for now.
    #[error("the media server has been asked often enough; again in {} s", .retry_after_ms.div_ceil(1000))]
    Limited {
        /// When it may be asked again, in milliseconds from now.
        retry_after_ms: u64,
    },
    /// It answered something that this version cannot read.
    #[error("the media server's answer cannot be read: {0}")]
    Unreadable(String),
    /// These folders were not sent, since they lie in none of its sections; all
    /// the others were.
    #[error("{}", outside(.folders, .roots))]
    OutsideSections {
        /// The folders that were not sent.
        folders: Vec<OutsideFolder>,
        /// The folders of its sections, as the server sees them.
        roots: Vec<String>,
    },
}

/// A media server. Each request that goes to it ends within ten seconds, and none
/// waits for a limit to pass; a refresh may need several.
#[async_trait]
pub trait MediaServer: Send + Sync {
    /// The name of the configuration.
    fn name(&self) -> &str;

    /// Its sections.
    ///
    /// # Errors
    /// The cause; never [`MediaServerError::OutsideSections`].
    async fn sections(&self) -> Result<Vec<Section>, MediaServerError>;

    /// Whether a folder of ours lies in one of these sections. Asks nobody.
    fn covers(&self, sections: &[Section], folder: &Path) -> bool;

    /// Has these folders of ours scanned, each by itself and nothing around it.
    /// Telling it again of a folder does no harm.
    ///
    /// # Errors
    /// The cause. With [`MediaServerError::OutsideSections`] the others were sent.
    async fn refresh(&self, folders: &[PathBuf]) -> Result<(), MediaServerError>;
}

/// The first of the folders, how many others there are, and what the server has.
fn outside(folders: &[OutsideFolder], roots: &[String]) -> String {
    let mut text = match folders.first() {
        None => "a folder".to_owned(),
        Some(OutsideFolder { folder, seen_as: Some(seen_as) }) => {
            format!("{}, for the media server {seen_as},", folder.display())
        }
        Some(OutsideFolder { folder, seen_as: None }) => {
            format!("{}, whose path cannot be told to the media server,", folder.display())
        }
    };
    text.push_str(" lies in none of its libraries");
    if folders.len() > 1 {
        text.push_str(&format!(" ({} folders in all)", folders.len()));
    }
    if roots.is_empty() {
        return text + "; it has none";
    }
    let named: Vec<&str> = roots.iter().take(TOLD_ROOTS).map(String::as_str).collect();
    let rest = if roots.len() > TOLD_ROOTS { ", …" } else { "" };
    format!("{text}; they are at {}{rest}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_is_told_with_what_there_is() {
        let folder = |seen_as: Option<&str>| OutsideFolder {
            folder: "/srv/tv".into(),
            seen_as: seen_as.map(str::to_owned),
        };
        let error = MediaServerError::OutsideSections {
            folders: vec![folder(Some("/tv")), folder(None)],
            roots: vec!["/a".into(), "/b".into()],
        };
        assert_eq!(
            error.to_string(),
            "/srv/tv, for the media server /tv, lies in none of its libraries \
             (2 folders in all); they are at /a, /b"
        );
        let error =
            MediaServerError::OutsideSections { folders: vec![folder(None)], roots: Vec::new() };
        assert_eq!(
            error.to_string(),
            "/srv/tv, whose path cannot be told to the media server, \
             lies in none of its libraries; it has none"
        );
    }
}
