//! The forms in which people and groups write the same thing, many to a kind: a
//! line of `forms.txt` is a name, a tab, and the core of what it says.

use tracker_testkit::spec;

use super::shown;
use crate::parse_path;

/// The core of a name: `Title s1 e2,3 (2010)`, `Title a5`, `Title 2019-05-21`.
fn core(name: &str) -> String {
    let fields = serde_json::to_value(parse_path(name).fields).unwrap();
    let mut said = vec![fields["title"].as_str().unwrap_or("-").to_owned()];
    let lists = [("s", "seasons"), ("e", "episodes"), ("a", "absolute_episodes")];
    for (letter, field) in lists.into_iter().filter(|(_, field)| !fields[*field].is_null()) {
        said.push(format!("{letter}{}", shown(&fields[field])));
    }
    said.extend(fields["date"].as_str().map(str::to_owned));
    said.extend(fields["year"].as_u64().map(|year| format!("({year})")));
    said.join(" ")
}

/// Reads the names of a section.
fn check(section: &str) {
    let heading = format!("# {section}");
    let names = include_str!("forms.txt").lines().skip_while(|line| **line != heading).skip(1);
    let names: Vec<&str> = names.take_while(|line| !line.starts_with("# ")).collect();
    assert!(names.len() > 10, "{section} has no names");
    for line in names {
        let (name, expected) = line.split_once('\t').unwrap();
        assert_eq!(core(name), expected, "{name}");
    }
}

#[test]
fn seasons_and_episodes() {
    spec!("recognition#numbers-of-episodes/loose-forms");
    check("seasons and episodes");
}

#[test]
fn other_languages() {
    spec!("recognition#numbers-of-episodes/loose-forms");
    check("other languages");
}

#[test]
fn days() {
    spec!("recognition#names-of-every-custom/scene-names");
    check("days");
}

#[test]
fn groups_in_brackets() {
    spec!("recognition#names-of-every-custom/names-of-anime");
    check("groups in brackets");
}

#[test]
fn films() {
    spec!("recognition#names-of-every-custom/scene-names");
    check("films");
}

#[test]
fn paths() {
    spec!("recognition#names-of-every-custom/plain-names-and-paths");
    check("paths");
}

#[test]
fn markup_of_a_page_is_no_part_of_a_title() {
    spec!("recognition#names-of-every-custom/copied-from-a-page");
    let title = |name: &str| parse_path(name).fields.title.unwrap_or_default();
    for (name, expected) in [
        ("&<b>\"odd\"&amp; 100% name 2019 1080p", "\"odd\"& 100% name"),
        ("Salt &amp; Honey 2019 1080p", "Salt & Honey"),
        ("<i>Salt and Honey</i> 2019 1080p", "Salt and Honey"),
        // What is no markup stays.
        ("Salt & Honey 2019 1080p", "Salt & Honey"),
        ("Less < More 2019 1080p", "Less < More"),
    ] {
        assert_eq!(title(name), expected, "{name}");
    }
}
