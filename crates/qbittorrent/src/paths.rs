//! From the client's paths to ours: by components, the longest mapping first.
//!
//! Names stay what they are, spaces and colons included; nothing on the disk is
//! looked at.

use std::path::{Component, Path, PathBuf};

use tracker_domain::ports::LocateError;

use crate::config::{ConfigError, PathMapping};

/// How a path is written, which decides what separates its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Unix,
    /// `D:\…`; the drive is the first component.
    Drive,
    /// `\\server\…` or `//server/…`.
    Unc,
}

/// The mappings of one client, longest first.
pub(crate) struct PathMap(Vec<Entry>);

struct Entry {
    style: Style,
    client: Vec<String>,
    local: PathBuf,
}

impl PathMap {
    /// Checks the mappings of the client with this name.
    pub(crate) fn new(name: &str, mappings: &[PathMapping]) -> Result<Self, ConfigError> {
        let refused =
            |path: &str| ConfigError::PathMap { client: name.to_owned(), path: path.to_owned() };
        let mut entries = Vec::with_capacity(mappings.len());
        for mapping in mappings {
            let (style, client) = split(&mapping.client)
                .filter(|(_, parts)| !leads_up(parts))
                .ok_or_else(|| refused(&mapping.client))?;
            let up = mapping.local.components().any(|part| part == Component::ParentDir);
            if !mapping.local.is_absolute() || up {
                return Err(refused(&mapping.local.to_string_lossy()));
            }
            let client = client.into_iter().map(str::to_owned).collect();
            entries.push(Entry { style, client, local: mapping.local.clone() });
        }
        // Stable: of two mappings of one folder the first counts.
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.client.len()));
        Ok(PathMap(entries))
    }

    /// Where the client's path is here.
    pub(crate) fn locate(&self, text: &str) -> Result<PathBuf, LocateError> {
        let Some((style, parts)) = split(text) else {
            return Err(LocateError::Relative(text.to_owned()));
        };
        if leads_up(&parts) {
            return Err(LocateError::Upwards(text.to_owned()));
        }
        let mapped = self.0.iter().find(|entry| {
            entry.style == style
                && entry.client.len() <= parts.len()
                && entry.client.iter().zip(&parts).all(|(mine, theirs)| mine == theirs)
        });
        match (mapped, style) {
            (Some(entry), _) => {
                let rest: PathBuf = parts[entry.client.len()..].iter().collect();
                // Joining nothing would add a slash.
                let here = rest.as_os_str().is_empty();
                Ok(if here { entry.local.clone() } else { entry.local.join(rest) })
            }
            (None, Style::Unix) => Ok(Path::new("/").join(parts.iter().collect::<PathBuf>())),
            (None, Style::Drive | Style::Unc) => Err(LocateError::ForeignStyle(text.to_owned())),
        }
    }
}

/// Style and components of an absolute path; `None` for a relative one.
fn split(text: &str) -> Option<(Style, Vec<&str>)> {
    let either = |ch: char| ch == '/' || ch == '\\';
    let bytes = text.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
    if drive {
        return Some((Style::Drive, components(text.split(either))));
    }
    if text.starts_with("\\\\") || text.starts_with("//") {
        return Some((Style::Unc, components(text.split(either))));
    }
    // A backslash is an ordinary character of a name here.
    text.starts_with('/').then(|| (Style::Unix, components(text.split('/'))))
}

fn components<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    parts.filter(|part| !part.is_empty() && *part != ".").collect()
}

fn leads_up(parts: &[&str]) -> bool {
    parts.contains(&"..")
}

#[cfg(test)]
mod tests;
