//! Settings as the services show them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tracker_testkit::spec;

use crate::config::{Environment, Flags, load};

use super::*;

fn surroundings(vars: BTreeMap<String, String>, dir: &Path) -> Environment {
    let system_file = dir.join("etc/tracker.toml");
    Environment { vars, current_dir: dir.to_owned(), system_file }
}

fn value<'a>(view: &'a SettingsView, section: &str, key: &str) -> &'a SettingView {
    let section = view.sections.iter().find(|one| one.name == section).unwrap();
    section.values.iter().find(|one| one.key == key).unwrap()
}

#[test]
fn each_value_says_where_it_comes_from() {
    spec!("web-ui#settings-that-hold/each-value");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tracker.toml");
    let text = "[naming]\nmovie = \"{title}/{title}\"\n\n[metadata]\ntmdb_token = \"a.secret.word\"\n\
        languages = [\"de\", \"en\"]\n\n[[library]]\nname = \"films\"\nkind = \"movie\"\nroot = \"/srv/films\"\n";
    fs::write(&file, text).unwrap();
    let vars = BTreeMap::from([
        ("HOME".to_owned(), dir.path().display().to_string()),
        ("TRACKER__LOG__LEVEL".to_owned(), "debug".to_owned()),
    ]);
    let flags = Flags { config: Some(file.clone()), ..Flags::default() };
    let environment = surroundings(vars, dir.path());
    let loaded = load(&environment, &flags).unwrap();
    let view = view(&loaded);
    assert_eq!(view.file.as_deref(), Some(file.as_path()));
    let shown = value(&view, "metadata", "languages");
    assert_eq!(shown.value.as_deref(), Some("[\"de\", \"en\"]"));
    assert_eq!(shown.origin.kind, "file");
    let place = shown.origin.place.as_deref().unwrap();
    assert!(place.starts_with(&format!("{}:6", file.display())), "{place}");
    let level = value(&view, "log", "level");
    let expected = OriginView { kind: "variable", place: Some("TRACKER__LOG__LEVEL".to_owned()) };
    assert_eq!((level.value.as_deref(), &level.origin), (Some("\"debug\""), &expected));
    let default = OriginView { kind: "default", place: None };
    assert_eq!(value(&view, "metadata", "tvmaze").origin, default);
    assert_eq!(value(&view, "metadata", "tmdb_url").value, None);
    let token = value(&view, "metadata", "tmdb_token");
    assert!(token.secret && token.origin.kind == "file");
    assert!(!format!("{view:?}").contains("a.secret.word"));
    let library = view.sections.iter().find(|one| one.name == "library").unwrap();
    assert_eq!(library.item.as_deref(), Some("films"));
}

#[test]
fn each_pattern_has_an_example() {
    spec!("web-ui#settings-that-hold/names");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tracker.toml");
    fs::write(&file, "[naming]\nmovie = \"Films/{title}\"\n").unwrap();
    let vars = BTreeMap::from([("HOME".to_owned(), dir.path().display().to_string())]);
    let flags = Flags { config: Some(file), ..Flags::default() };
    let environment = surroundings(vars, dir.path());
    let names = view(&load(&environment, &flags).unwrap()).names;
    let what: Vec<_> = names.iter().map(|one| one.what).collect();
    assert_eq!(what, ["film", "episode", "special", "anime"]);
    assert_eq!(names[0].pattern, "Films/{title}");
    assert_eq!(names[0].path.to_str(), Some("Films/The Harbour.mkv"));
    assert_eq!((names[1].pattern.as_str(), names[2].pattern.as_str()), (EPISODE, EPISODE));
    assert_eq!(names[3].pattern, ANIME);
    assert!(names.iter().all(|one| one.path.extension().is_some()));
}
