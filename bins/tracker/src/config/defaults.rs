//! What stands in for `[[client]]` and `[[library]]` where the file has none: the
//! engine inside tracker, and libraries beside its downloads, so that the main
//! job needs no configuration. `client = []` says that there is none.

use std::path::{Component, Path, PathBuf};

use super::document::{Entry, Node, Table};

/// The engine, in a build that has it.
pub(super) fn clients() -> Vec<Table> {
    let engine = || table(&[("name", "embedded"), ("kind", "embedded")]);
    cfg!(feature = "embedded").then(engine).into_iter().collect()
}

/// A library of each kind that plain names tell apart, on the filesystem of the
/// downloads.
pub(super) fn libraries(data_dir: &Path) -> Vec<Table> {
    let all = [
        ("movies", "movie", "Movies"),
        ("series", "series", "Series"),
        ("anime", "anime", "Anime"),
    ];
    let below = without_upwards(data_dir).join("library");
    let root = |folder: &str| below.join(folder).to_string_lossy().into_owned();
    all.map(|(name, kind, folder)| {
        table(&[("name", name), ("kind", kind), ("root", &root(folder))])
    })
    .into()
}

/// The same folder without "..", which a root may not have. What is there tells
/// where ".." leads; a folder that is still to be made has no links in it.
fn without_upwards(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut so_far, part| {
        if part == Component::ParentDir {
            so_far = so_far.canonicalize().unwrap_or(so_far);
            so_far.pop();
        } else {
            so_far.push(part);
        }
        so_far
    })
}

fn table(entries: &[(&str, &str)]) -> Table {
    let entry = |(key, value): &(&str, &str)| Entry {
        key: (*key).to_owned(),
        line: 0,
        node: Node::Text((*value).to_owned()),
    };
    Table { line: 0, entries: entries.iter().map(entry).collect() }
}
