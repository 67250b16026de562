//! Patterns: what they make, and how mistakes are told.
#![allow(clippy::unwrap_used)]

use tracker_testkit::spec;

use super::template::Use;
use super::{ANIME, EPISODE, IdStyle, MOVIE, Naming, Template};

fn examples(naming: &Naming) -> Vec<String> {
    let paths = naming.examples().into_iter();
    paths.map(|one| format!("{}: {}", one.what, one.path.display())).collect()
}

#[test]
fn the_built_in_patterns_are_read() {
    spec!("file-layout#names-follow-patterns/examples");
    for (text, for_use) in [(MOVIE, Use::Movie), (EPISODE, Use::Episode), (ANIME, Use::Anime)] {
        Template::parse(text, for_use).unwrap();
    }
    assert_eq!(
        examples(&Naming::default()),
        [
            "film: The Harbour (2010)/The Harbour (2010) - 1080p {edition-Director's Cut}.mkv",
            "episode: The Harbour (2010)/Season 01/The Harbour S01E02 - Low Tide.mkv",
            "special: The Harbour (2010)/Season 00/The Harbour S00E01 - Making Of.mkv",
            "anime: The Harbour (2010)/Season 01/The Harbour - 012.mkv",
        ]
    );
}

#[test]
fn own_patterns_are_filled() {
    spec!("file-layout#names-follow-patterns/own-patterns");
    let naming = Naming::default()
        .with_movie("Films/{year}/{title}< [{source}]>< ({part})><-{group}> {{x}}")
        .unwrap()
        .with_episode("{title}/{season}x{episode:000}< {date}| {episode_title}>")
        .unwrap()
        .with_anime("{original_title}/{absolute}")
        .unwrap();
    assert_eq!(
        examples(&naming),
        [
            "film: Films/2010/The Harbour [BluRay]-GROUP {x}.mkv",
            "episode: The Harbour/1x002 Low Tide.mkv",
            "special: The Harbour/0x001 Making Of.mkv",
            "anime: The Harbour/12.mkv",
        ]
    );
    let flat = Naming::default().with_episode("{title} {episode:00}").unwrap();
    assert_eq!(examples(&flat)[1], "episode: The Harbour 02.mkv");
}

#[test]
fn the_number_of_the_work_is_written_in_two_ways() {
    spec!("file-layout#names-follow-patterns/number-of-the-work");
    let name = |style| examples(&Naming::default().with_id(style))[1].clone();
    assert_eq!(
        name(IdStyle::Jellyfin),
        "episode: The Harbour (2010) [tmdbid-603]/Season 01/The Harbour S01E02 - Low Tide.mkv"
    );
    assert_eq!(
        name(IdStyle::Plex),
        "episode: The Harbour (2010) {tmdb-603}/Season 01/The Harbour S01E02 - Low Tide.mkv"
    );
    let film = |style| examples(&Naming::default().with_id(style))[0].clone();
    assert_eq!(
        film(IdStyle::Jellyfin),
        "film: The Harbour (2010) [tmdbid-603]/The Harbour (2010) [tmdbid-603] - 1080p \
         {edition-Director's Cut}.mkv",
        "a version begins with the name of its folder"
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    spec!("file-layout#names-follow-patterns/a-bad-pattern-is-refused");
    for (for_use, text, column, part) in [
        (Use::Movie, "{titel}", 1, "{titel} is not known here; write one of {title}, "),
        (Use::Movie, "{title} {season}", 9, "{season} is not known here"),
        (Use::Episode, "{episode} {part}", 11, "as {episode:00}"),
        (Use::Episode, "{episode:0x}", 1, "zeros"),
        (Use::Movie, "{title:00}", 1, "only for numbers"),
        (Use::Movie, "{title", 1, "a { without a }"),
        (Use::Movie, "{title}}", 8, "a } without a {"),
        (Use::Movie, "{title}< {year}", 8, "a < without a >"),
        (Use::Movie, "{title}>", 8, "a > without a <"),
        (Use::Movie, "{title}|", 8, "a | without a <"),
        (Use::Movie, "{title}<x>", 10, "no {token} stands here"),
        (Use::Movie, "{title}<{year}/>", 15, "a / cannot stand"),
        (Use::Movie, "/{title}", 9, "a folder is empty"),
        (Use::Movie, "a//{title}", 11, "a folder is empty"),
        (Use::Movie, "{title}/", 9, "a file is empty"),
        (Use::Movie, "", 1, "a file is empty"),
        (Use::Movie, "{title}: {year}", 8, "cannot stand in the name of a file"),
        (Use::Movie, "{title}\u{7}", 8, "control character"),
        (Use::Movie, "{title}/{year}", 15, "needs {title}"),
        (Use::Episode, "{episode}/{title}", 18, "needs {episode}, {absolute} or {date}"),
        (Use::Movie, "<<<<<{title}>>>>>", 5, "more than 4"),
    ] {
        let error = Template::parse(text, for_use).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}
