//! From our paths to the server's: by components, the longest mapping first.
//!
//! Names stay what they are, and nothing on the disk is looked at.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::config::{MediaServerConfigError, PathMapping};

/// How a path is written, which decides what separates its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Unix,
    /// `D:\…`; the drive is the first component.
    Drive,
    /// `\\server\…`.
    Unc,
}

/// A whole path as the server sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerPath {
    style: Style,
    parts: Vec<String>,
}

impl ServerPath {
    /// `None` for one that is not whole or leads upwards.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let either = |ch: char| ch == '/' || ch == '\\';
        let bytes = text.as_bytes();
        let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && bytes.get(1) == Some(&b':')
            && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
        let (style, parts) = if drive {
            (Style::Drive, components(text.split(either)))
        } else if text.starts_with("\\\\") || text.starts_with("//") {
            (Style::Unc, components(text.split(either)))
        } else if text.starts_with('/') {
            // A backslash is an ordinary character of a name here.
            (Style::Unix, components(text.split('/')))
        } else {
            return None;
        };
        (!parts.iter().any(|part| part == "..")).then_some(ServerPath { style, parts })
    }

    /// Whether it is this folder or below it.
    pub(crate) fn lies_in(&self, root: &ServerPath) -> bool {
        let same = |mine: &String, theirs: &String| match self.style {
            Style::Unix => mine == theirs,
            // Windows does not tell letter case apart.
            Style::Drive | Style::Unc => mine.to_lowercase() == theirs.to_lowercase(),
        };
        self.style == root.style
            && root.parts.len() <= self.parts.len()
            && root.parts.iter().zip(&self.parts).all(|(theirs, mine)| same(mine, theirs))
    }
}

impl fmt::Display for ServerPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            Style::Unix => write!(f, "/{}", self.parts.join("/")),
            // A drive alone would mean the folder that one happens to be in there.
            Style::Drive if self.parts.len() == 1 => write!(f, "{}\\", self.parts.join("\\")),
            Style::Drive => f.write_str(&self.parts.join("\\")),
            Style::Unc => write!(f, "\\\\{}", self.parts.join("\\")),
        }
    }
}

fn components<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    parts.filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
}

/// The mappings of one server, the longest of our paths first.
pub(crate) struct PathMap(Vec<(PathBuf, ServerPath)>);

impl PathMap {
    /// Checks the mappings.
    pub(crate) fn new(mappings: &[PathMapping]) -> Result<Self, MediaServerConfigError> {
        let mut entries = Vec::with_capacity(mappings.len());
        for PathMapping { local, server } in mappings {
            let seen_as = ServerPath::parse(server)
                .ok_or_else(|| MediaServerConfigError::PathMap(server.clone()))?;
            let up = local.components().any(|part| part == Component::ParentDir);
            if !local.is_absolute() || up {
                let local = local.to_string_lossy().into_owned();
                return Err(MediaServerConfigError::PathMap(local));
            }
            entries.push((local.clone(), seen_as));
        }
        // Stable: of two mappings of one folder the first counts.
        entries.sort_by_key(|(local, _)| std::cmp::Reverse(local.components().count()));
        Ok(PathMap(entries))
    }

    /// What the server calls a folder of ours; `None` for one that cannot be told:
    /// it is not whole, leads upwards, or its name is no text.
    pub(crate) fn seen_as(&self, folder: &Path) -> Option<ServerPath> {
        let mapped = self
            .0
            .iter()
            .find_map(|(local, seen_as)| Some((folder.strip_prefix(local).ok()?, seen_as.clone())));
        let plain = || {
            let rest = folder.strip_prefix("/").ok()?;
            Some((rest, ServerPath { style: Style::Unix, parts: Vec::new() }))
        };
        let (rest, mut path) = mapped.or_else(plain)?;
        for part in rest.components() {
            match part {
                Component::Normal(name) => path.parts.push(name.to_str()?.to_owned()),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests;
