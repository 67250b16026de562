//! From names to facts: what a torrent is, as far as its names say it plainly.
//!
//! [`parse_path`] reads one name; [`recognise`] all names of a torrent together, file
//! by file; [`matching`] finds the work that is meant among those that metadata
//! sources know. Being wrong costs more than asking: what is not plain is a doubt.
//!
//! It does no I/O, knows no SQL and reads no clock: the same names always give
//! the same answer, in time linear in their length.

mod doubt;
mod file;
mod fold;
mod foreign;
mod gather;
mod hint;
pub mod matching;
mod parse;
mod release;
mod whole;
mod words;

#[cfg(test)]
mod tests;

use tracker_domain::Attention;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Evidence, Fields, Recognised, Role, Verdict};

pub use doubt::SETTLED_BY_A_SOURCE;
pub use release::{NoRelease, Release, release};

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

/// What one name says, of a file, a folder, a torrent, or a path of them.
#[derive(Clone, Debug, PartialEq)]
pub struct NameParse {
    /// Its fields.
    pub fields: Fields,
    /// Why.
    pub evidence: Vec<Evidence>,
}

/// Reads a name or a path: the file's name says most, the folders above it fill
/// what it lacks.
#[must_use]
pub fn parse_path(path: &str) -> NameParse {
    let (fields, evidence) = whole::parse_path(path);
    NameParse { fields, evidence }
}
