//! `[[library]]`: where links go.

use std::path::{Component, Path, PathBuf};

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::seeding::SeedingWords;

use super::reader::Section;
use super::seeding;

/// Reads one item, and when torrents whose links go there have given enough.
pub(super) fn from_source(
    name: &str,
    mut section: Section<'_, '_>,
) -> Option<(Library, SeedingWords)> {
    let kind = section.required_word(
        "kind",
        &[
            (LibraryKind::Movie.as_str(), LibraryKind::Movie),
            (LibraryKind::Series.as_str(), LibraryKind::Series),
            (LibraryKind::Anime.as_str(), LibraryKind::Anime),
            (LibraryKind::Other.as_str(), LibraryKind::Other),
        ],
    );
    let root = section.required(
        "root",
        "write the folder of the library, such as \"/srv/media/Movies\"",
        |path: &PathBuf| path.to_string_lossy().into_owned(),
        root,
    );
    let mode = section.word(
        "mode",
        LinkMode::Hardlink,
        &[
            (LinkMode::Hardlink.as_str(), LinkMode::Hardlink),
            (LinkMode::Reflink.as_str(), LinkMode::Reflink),
            (LinkMode::Copy.as_str(), LinkMode::Copy),
            (LinkMode::Symlink.as_str(), LinkMode::Symlink),
        ],
    );
    let seeding = seeding::table(&mut section);
    Some((Library { name: name.to_owned(), kind: kind?, root: root?, mode }, seeding))
}

/// A root is written out whole: it decides where links go, so it must not
/// depend on where a file or a shell happens to be.
fn root(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    let plain =
        path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    if path.is_absolute() && plain {
        Ok(path.to_owned())
    } else {
        Err(format!("{text:?} is not a whole path; write it from / on, without \"..\""))
    }
}
