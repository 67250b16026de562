//! What a person says, and what it does.

use tracker_domain::metadata::Pin;
use tracker_domain::recognised::{EpisodeNumber, Fields, Recognised, Role, TitleKind};
use tracker_testkit::spec;

use super::{counted, file, film, show};
use crate::matching::{
    OverrideError, OverrideProblem, ShiftRefused, apply_overrides, check_override, pinned,
    shift_all,
};

/// The only call into the overrides that shows what came of them.
pub fn said(recognised: &mut Recognised, overrides: &[(&str, &str)]) -> Vec<OverrideProblem> {
    let owned = |(field, value): &(&str, &str)| ((*field).to_owned(), (*value).to_owned());
    apply_overrides(recognised, &overrides.iter().map(owned).collect::<Vec<_>>())
}

/// Season, then numbers within it, then numbers through all, for each file.
fn numbers(recognised: &Recognised) -> Vec<String> {
    let one = |fields: &Fields| {
        let season = fields.seasons.iter().map(|number| format!("S{number}"));
        let episodes = fields.episodes.iter().map(|number| format!("E{number}"));
        let absolute = fields.absolute_episodes.iter().map(|number| format!("#{number}"));
        season.chain(episodes).chain(absolute).collect::<String>()
    };
    recognised.files.iter().map(|file| one(&file.fields)).collect()
}

#[test]
fn values_have_one_form() {
    spec!("matching#overrides-are-checked/values-in-one-form");
    for (field, value, kept) in [
        ("title", "  Ashen   Shore ", "Ashen Shore"),
        ("year", " 2011 ", "2011"),
        ("kind", "Series", "series"),
        ("season", "02", "2"),
        ("episode_offset", "+12", "12"),
        ("episode_offset", "-12", "-12"),
        ("numbering", "Absolute", "absolute"),
        ("edition", "Director's Cut, Extended Edition", "directors,extended"),
        ("edition", " ", ""),
        ("library", " films ", "films"),
        ("candidate", "https://www.themoviedb.org/movie/77-ashen-shore", "tmdb:movie/77"),
        ("candidate", "TT0000001", "imdb:tt0000001"),
        ("file.0.season", "0", "0"),
        ("file.12.episodes", "3, 1-2 5", "1-3,5"),
        ("file.12.episodes", "12.50", "12.5"),
        ("file.1.part", "02", "2"),
        ("file.1.skip", "TRUE", "true"),
    ] {
        assert_eq!(check_override(field, value).as_deref(), Ok(kept), "{field} {value}");
        assert_eq!(check_override(field, kept).as_deref(), Ok(kept), "{field} {kept}");
    }
}

#[test]
fn unknown_fields_are_refused() {
    spec!("matching#overrides-are-checked/field-that-there-is-not");
    let fields = [
        "",
        "titel",
        "Title",
        "file",
        "file.1",
        "file.1.title",
        "file.01.skip",
        "file.-1.skip",
        "file.+1.skip",
        "file.99999999999.skip",
        "file..skip",
    ];
    for field in fields {
        let refused = check_override(field, "1").unwrap_err();
        assert_eq!(refused, OverrideError::UnknownField(field.to_owned()));
        assert!(refused.to_string().contains("take one of title, year, kind"), "{refused}");
    }
}

#[test]
fn values_that_do_not_fit_are_refused() {
    spec!("matching#overrides-are-checked/value-that-does-not-fit");
    for (field, value) in [
        ("title", " "),
        ("title", "!?"),
        ("title", "a\u{7}b"),
        ("year", "99"),
        ("year", "-2011"),
        ("year", "twenty"),
        ("kind", "film"),
        ("season", "-1"),
        ("season", "S02"),
        ("season", "10000"),
        ("episode_offset", "1.5"),
        ("episode_offset", "99999"),
        ("numbering", "dvd"),
        ("edition", "a/b"),
        ("library", ""),
        ("candidate", "the second one"),
        ("file.0.season", ""),
        ("file.0.episodes", ""),
        ("file.0.episodes", "3-1"),
        ("file.0.episodes", "1-5000"),
        ("file.0.episodes", "1.5-3"),
        ("file.0.part", "0"),
        ("file.0.skip", "yes"),
    ] {
        let refused = check_override(field, value).unwrap_err();
        assert!(matches!(&refused, OverrideError::Value { field: named, .. } if named == field));
        let text = refused.to_string();
        assert!(text.contains(&format!("does not fit {field}: give ")), "{text}");
    }
}

#[test]
fn the_named_work_is_found() {
    let pairs = [("candidate", "tmdb:77"), ("title", "x")];
    let pairs = pairs.map(|(field, value)| (field.to_owned(), value.to_owned()));
    assert_eq!(pinned(&pairs), Some(Pin::Tmdb(77)));
    assert_eq!(pinned(&pairs[1..]), None);
}

#[test]
fn names_are_replaced() {
    spec!("matching#a-person-s-word-wins/title-year-and-kind");
    let mut names = film("Пепел", 2010);
    names.fields.title_ru = Some("Пепел".to_owned());
    names.fields.title_orig = Some("Ash".to_owned());
    names.fields.other_titles = vec!["Cinders".to_owned()];
    names.fields.year_end = Some(2012);
    names.files[0].fields.title = Some("Ash".to_owned());
    names.files[0].fields.year = Some(2010);
    names.files[0].fields.edition = vec!["unrated".to_owned()];
    let overrides = [
        ("title", "Ashen Shore"),
        ("year", "2011"),
        ("kind", "movie"),
        ("edition", "Extended Cut"),
    ];
    assert_eq!(said(&mut names, &overrides), []);
    assert_eq!(
        names.fields,
        Fields {
            kind: Some(TitleKind::Movie),
            title: Some("Ashen Shore".to_owned()),
            year: Some(2011),
            edition: vec!["extended".to_owned()],
            ..Fields::default()
        }
    );
    let own = &names.files[0].fields;
    assert_eq!((&own.title, own.year, own.edition.len()), (&None, None, 0));
    let by_person = |entry: &&tracker_domain::recognised::Evidence| {
        entry.from == "person" && entry.rule == "override"
    };
    let fields: Vec<&str> =
        names.evidence.iter().filter(by_person).map(|entry| entry.field.as_str()).collect();
    assert_eq!(fields, ["edition", "kind", "title", "year"]);
}

#[test]
fn the_season_holds_for_all_files() {
    spec!("matching#a-person-s-word-wins/season-for-all-files");
    let mut names = show("Lanterns of Oor", &[(0, 1), (1, 1), (1, 2)]);
    assert_eq!(said(&mut names, &[("season", "4")]), []);
    assert_eq!(numbers(&names), ["S0E1", "S4E1", "S4E2"]);
    assert_eq!(names.fields.seasons, [0, 4]);
    // Nothing stands beside them.
    let mut names = show("Lanterns of Oor", &[(0, 1)]);
    assert_eq!(said(&mut names, &[("season", "1")]), []);
    assert_eq!(numbers(&names), ["S1E1"]);
    // A number without a season is one of the season that is said.
    let mut names = counted(TitleKind::Series, "Lanterns of Oor", &[89]);
    assert_eq!(said(&mut names, &[("season", "1")]), []);
    assert_eq!(numbers(&names), ["S1E89"]);
    // Before the files are known it holds for the torrent.
    let mut names = show("Lanterns of Oor", &[]);
    assert_eq!(said(&mut names, &[("season", "2"), ("file.3.skip", "true")]), []);
    assert_eq!(names.fields.seasons, [2]);
}

#[test]
fn an_offset_moves_every_number() {
    spec!("matching#a-person-s-word-wins/offset");
    let mut names = show("Lanterns of Oor", &[(0, 1), (2, 13), (2, 14)]);
    names.files[2].fields.episodes = vec![EpisodeNumber::with_hundredths(14, 50)];
    assert_eq!(said(&mut names, &[("episode_offset", "-12")]), []);
    assert_eq!(numbers(&names), ["S0E1", "S2E1", "S2E2.5"]);

    let mut names = show("Lanterns of Oor", &[(2, 3), (2, 14)]);
    let problems = said(&mut names, &[("episode_offset", "-12")]);
    let episode = EpisodeNumber::whole(3);
    assert_eq!(problems, [OverrideProblem::BelowZero { offset: -12, episode }]);
    assert_eq!(numbers(&names), ["S2E3", "S2E14"]);
    assert_eq!(names.doubts, [problems[0].to_string()]);
    // What a person said of the file itself, or leaves out, is none of its business.
    let overrides = [("episode_offset", "-12"), ("file.0.episodes", "5")];
    let mut names = show("Lanterns of Oor", &[(2, 3), (2, 14)]);
    assert_eq!(said(&mut names, &overrides), []);
    assert_eq!(numbers(&names), ["S2E5", "S2E2"]);
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[26, 27]);
    assert_eq!(said(&mut names, &[("episode_offset", "-25")]), []);
    assert_eq!(numbers(&names), ["#1", "#2"]);
    assert_eq!(names.fields.absolute_episodes.len(), 2);
}

type Words = Vec<(String, String)>;

/// The overrides after all episodes were moved.
fn moved(names: &Recognised, overrides: &Words, by: i32) -> Result<Words, ShiftRefused> {
    let changes = shift_all(names, overrides, by)?;
    let mut after = overrides.clone();
    for (field, value) in changes {
        after.retain(|(name, _)| *name != field);
        after.extend(value.map(|value| (field, value)));
    }
    Ok(after)
}

fn after(names: &Recognised, overrides: &Words) -> Vec<String> {
    let mut names = names.clone();
    assert_eq!(apply_overrides(&mut names, overrides), []);
    numbers(&names)
}

fn words(overrides: &[(&str, &str)]) -> Words {
    overrides.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn all_episodes_move_on_top_of_what_was_said() {
    spec!("matching#a-person-s-word-wins/all-episodes-moved");
    let names = show("Lanterns of Oor", &[(0, 1), (2, 13), (2, 14), (2, 15)]);
    let said = words(&[("file.2.episodes", "14-15"), ("file.0.episodes", "2"), ("year", "2011")]);
    let once = moved(&names, &said, -12).unwrap();
    assert_eq!(after(&names, &once), ["S0E2", "S2E1", "S2E2E3", "S2E3"]);
    assert!(once.contains(&("file.2.episodes".to_owned(), "2-3".to_owned())));
    let twice = moved(&names, &once, 2).unwrap();
    assert_eq!(after(&names, &twice), ["S0E2", "S2E3", "S2E4E5", "S2E5"]);
    // Back where it was, nothing is left of it.
    let mut back = moved(&names, &twice, 10).unwrap();
    back.sort();
    let mut said = said;
    said.sort();
    assert_eq!(back, said);
    // Specials alone are what is meant.
    let specials = show("Lanterns of Oor", &[(0, 1), (0, 2)]);
    let moved = moved(&specials, &Vec::new(), 1).unwrap();
    assert_eq!(after(&specials, &moved), ["S0E2", "S0E3"]);
    let through = counted(TitleKind::Anime, "Lanterns of Oor", &[26, 27]);
    let changes = shift_all(&through, &[], -25).unwrap();
    assert_eq!(changes, [("episode_offset".to_owned(), Some("-25".to_owned()))]);
}

#[test]
fn all_episodes_move_or_none() {
    spec!("matching#a-person-s-word-wins/none-moved");
    let names = show("Lanterns of Oor", &[(2, 3), (2, 14)]);
    let out =
        |by, number| Err(ShiftRefused::OutOfRange { by, episode: EpisodeNumber::whole(number) });
    assert_eq!(shift_all(&names, &[], -4), out(-4, 3));
    assert_eq!(shift_all(&names, &words(&[("file.1.episodes", "1-2")]), -3), out(-3, 1));
    assert_eq!(shift_all(&names, &words(&[("episode_offset", "-3")]), -1), out(-1, 3));
    assert_eq!(shift_all(&names, &[], 9990), out(9990, 14));
    assert!(shift_all(&names, &[], i32::MAX).is_err() && shift_all(&names, &[], i32::MIN).is_err());
    assert!(shift_all(&names, &[], -3).is_ok() && shift_all(&names, &[], 9985).is_ok());
    assert_eq!(shift_all(&names, &[], 0), Err(ShiftRefused::ByNothing));
    let film = film("Ashen Shore", 2011);
    assert_eq!(shift_all(&film, &[], 1), Err(ShiftRefused::NoEpisodes));
}

#[test]
fn numbers_count_as_a_person_says() {
    spec!("matching#a-person-s-word-wins/numbering");
    let mut names = show("Lanterns of Oor", &[(1, 30), (1, 31)]);
    assert_eq!(said(&mut names, &[("numbering", "absolute")]), []);
    assert_eq!(numbers(&names), ["#30", "#31"]);
    assert_eq!(names.fields.seasons, [0; 0]);
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[5]);
    assert_eq!(said(&mut names, &[("numbering", "aired"), ("season", "2")]), []);
    assert_eq!(numbers(&names), ["S2E5"]);
    let mut names = show("Lanterns of Oor", &[(1, 30)]);
    let problems = said(&mut names, &[("numbering", "absolute"), ("season", "2")]);
    assert_eq!(problems, [OverrideProblem::SeasonOfAbsolute]);
    assert_eq!(numbers(&names), ["#30"]);
}

#[test]
fn single_files_win() {
    spec!("matching#a-person-s-word-wins/single-files");
    let mut names = show("Lanterns of Oor", &[(1, 1), (1, 2), (1, 3)]);
    let overrides = [
        ("season", "2"),
        ("file.0.season", "0"),
        ("file.0.episodes", "7-8"),
        ("file.1.part", "1"),
        ("file.2.skip", "true"),
    ];
    assert_eq!(said(&mut names, &overrides), []);
    assert_eq!(numbers(&names), ["S0E7E8", "S2E2", "S1E3"]);
    assert_eq!(names.files[1].fields.part, [1]);
    assert_eq!(names.files[2].role, Role::LeftOut);
    assert_eq!(names.fields.seasons, [0, 2]);
    // One file of an absolute numbering.
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[5, 6]);
    let overrides = [("numbering", "absolute"), ("file.0.episodes", "9"), ("file.1.season", "0")];
    assert_eq!(said(&mut names, &overrides), []);
    assert_eq!(numbers(&names), ["#9", "S0E6"]);
    // A sample that is none, and things that are no video.
    let mut names = film("Ashen Shore", 2011);
    for (index, role, ext) in
        [(1, Role::Sample, "mkv"), (2, Role::Extra, "jpg"), (3, Role::Executable, "exe")]
    {
        let mut other = file(index, Fields::default());
        (other.role, other.fields.container) = (role, Some(ext.to_owned()));
        names.files.push(other);
    }
    let wanted = ["file.1.skip", "file.2.skip", "file.3.skip", "file.9.skip"];
    let problems = said(&mut names, &wanted.map(|field| (field, "false")));
    let field = |at: usize| wanted[at].to_owned();
    let expected = [
        OverrideProblem::NoVideo { field: field(1) },
        OverrideProblem::NoVideo { field: field(2) },
        OverrideProblem::NoSuchFile { field: field(3) },
    ];
    assert_eq!(problems, expected);
    let roles: Vec<Role> = names.files.iter().map(|file| file.role).collect();
    assert_eq!(roles, [Role::Main, Role::Main, Role::Extra, Role::Executable]);
}

#[test]
fn a_value_that_fits_no_longer_is_told() {
    let mut names = film("Ashen Shore", 2011);
    let problems = said(&mut names, &[("year", "soon"), ("colour", "red")]);
    assert!(matches!(
        problems.as_slice(),
        [
            OverrideProblem::Refused(OverrideError::Value { .. }),
            OverrideProblem::Refused(OverrideError::UnknownField(_)),
        ]
    ));
    assert_eq!(names.doubts.len(), 2);
    assert_eq!(names.fields.year, Some(2011));
}
