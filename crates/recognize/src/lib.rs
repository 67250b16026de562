//! From names to facts: what a torrent is, as far as its names say it plainly.
//!
//! This reader is narrow on purpose. It is sure of two shapes only, a film
//! (`Title.Year.…` in one video file) and episodes (`Title.SxxEyy.…`), and
//! leaves everything else to a person. Being wrong costs more than asking.
//!
//! It does no I/O, knows no SQL and reads no clock: the same names always give
//! the same answer, in time linear in their length.

mod doubt;
mod evidence;
mod file;
mod marker;
mod name;
mod name_doubt;
mod token;
mod whole;
mod words;

#[cfg(test)]
mod tests;

use tracker_domain::Attention;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Recognised, Role, Verdict};

/// The names a torrent goes by, beside those of its files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The name in the torrent's own metadata.
    pub torrent: Option<&'a str>,
    /// The `dn` of the magnet. Anybody can write anything there.
    pub dn: Option<&'a str>,
    /// What the client shows, which a person may have changed.
    pub client: Option<&'a str>,
    /// Free text of a person, oldest first.
    pub hints: &'a [String],
}

/// Says what the torrent is.
///
/// With an empty file list the answer is provisional: it comes from the names
/// alone and is never sure.
#[must_use]
pub fn recognise(names: &Names<'_>, files: &[RemoteFile]) -> Recognised {
    whole::recognise(names, files)
}

/// Reads a single name, of a file or of a folder.
#[must_use]
pub fn parse_name(name: &str) -> Recognised {
    whole::parse_name(name)
}

/// What a person has to look at before this may be linked; `None` when the
/// names say plainly what it is.
#[must_use]
pub fn concern(recognised: &Recognised) -> Option<Attention> {
    let has = |role: Role| recognised.files.iter().any(|file| file.role == role);
    match recognised.verdict {
        Verdict::Sure => None,
        _ if has(Role::Executable) => Some(Attention::UnsafeContent),
        _ if has(Role::Archive) && !has(Role::Main) => Some(Attention::Archive),
        Verdict::Unknown if !recognised.files.is_empty() => Some(Attention::NotMedia),
        Verdict::Doubt | Verdict::Unknown => Some(Attention::NeedsReview),
    }
}
