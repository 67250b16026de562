//! Whole torrents as they come from the field: packs, parts, specials, extras.

use tracker_domain::recognised::{Fields, Recognised, Role, TitleKind, Verdict};
use tracker_testkit::spec;

use super::{concern, doubt, film, of, of_named, roles, series};
use crate::{Names, parse_name};

/// Season and episodes of each main file.
fn numbers(found: &Recognised) -> Vec<(Vec<u32>, Vec<String>)> {
    let mains = found.files.iter().filter(|file| file.role == Role::Main);
    let text = |fields: &Fields| fields.episodes.iter().map(ToString::to_string).collect();
    mains.map(|file| (file.fields.seasons.clone(), text(&file.fields))).collect()
}

fn with_hints(paths: &[&str], hints: &[&str]) -> Recognised {
    let hints: Vec<String> = hints.iter().map(|hint| (*hint).to_owned()).collect();
    of_named(paths, &Names { hints: &hints, ..Names::default() })
}

#[test]
fn a_pack_of_several_seasons() {
    spec!("recognition#plain-episodes/several-seasons-in-one-torrent");
    let found = of(&[
        "Iron.Meadow.S01-S03.1080p.WEB-DL/Iron.Meadow.S01E01.The.Ford.mkv",
        "Iron.Meadow.S01-S03.1080p.WEB-DL/Iron.Meadow.S02E11.The.Mill.mkv",
        "Iron.Meadow.S01-S03.1080p.WEB-DL/Iron.Meadow.S03E02.mkv",
    ]);
    assert_eq!(found.verdict, Verdict::Sure, "{:?}", found.doubts);
    assert_eq!(found.fields.seasons, [1, 2, 3]);
    let one = |season: u32, episode: &str| (vec![season], vec![episode.to_owned()]);
    assert_eq!(numbers(&found), [one(1, "1"), one(2, "11"), one(3, "2")]);
    series(
        &["Seinfeld.S01-S09.1080p.NTb/Seinfeld.S03E11.The.Alternate.Side.mkv"],
        "Seinfeld",
        None,
    );
    series(
        &["Iron Meadow (2016) Season 1-6 S01-S06/Iron Meadow S05E01.mkv"],
        "Iron Meadow",
        Some(2016),
    );
}

#[test]
fn every_file_of_a_pack_has_its_place() {
    spec!("recognition#plain-episodes/several-seasons-in-one-torrent");
    let paths: Vec<String> =
        (1..=13).map(|at| format!("Iron.Meadow.S04/Iron.Meadow.S04E{at:02}.mkv")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let found = series(&paths, "Iron Meadow", None);
    assert_eq!(numbers(&found).len(), 13);
    assert!(numbers(&found).iter().all(|(_, episodes)| episodes.len() == 1));
}

#[test]
fn specials_are_no_episodes() {
    spec!("recognition#numbers-of-episodes/specials-and-fractions");
    for path in [
        "SP1 - OVA 1.mkv",
        "Silver Lantern/Season 1/SP1 - OVA 1.mkv",
        "Silver Lantern/Season 1/Silver Lantern SP1.mkv",
        "[Kumo] Silver Lantern - OVA 1 [720p].mkv",
        "[Kumo] Silver Lantern - OAD2 [720p].mkv",
        "Silver Lantern [EP-24.9].mkv",
        "[Kumo] Silver Lantern - 12.5 [720p].mkv",
        "Silver Lantern/Season 1/Silver Lantern - 12.5.mkv",
    ] {
        let found = doubt(&[path]);
        let first = (vec![1], vec!["1".to_owned()]);
        assert!(!numbers(&found).contains(&first), "{path}: {:?}", found.fields);
        let hinted = with_hints(&[path], &["season 1"]);
        assert_eq!(hinted.verdict, Verdict::Doubt, "{path}");
        assert!(!numbers(&hinted).contains(&first), "{path}: {:?}", hinted.fields);
    }
    let mut pack: Vec<String> = (1..=13).map(|at| format!("Show/Show.S01E{at:02}.mkv")).collect();
    pack.push("Show/Show.S00E01.mkv".to_owned());
    let pack: Vec<&str> = pack.iter().map(String::as_str).collect();
    let found = series(&pack, "Show", None);
    assert_eq!(numbers(&found).last(), Some(&(vec![0], vec!["1".to_owned()])));
}

#[test]
fn parts_of_one_film() {
    spec!("recognition#plain-films/several-parts");
    for parts in [
        ["Film.2010.DVDRip.XviD-RLS - pt1.avi", "Film.2010.DVDRip.XviD-RLS - pt2.avi"],
        ["Film.2010.DVDRip-cd1.avi", "Film.2010.DVDRip-cd2.avi"],
        ["Film.2010.part1.mkv", "Film.2010.part2.mkv"],
        ["Film (2010)/Film (2010) Disc 1.mkv", "Film (2010)/Film (2010) Disc 2.mkv"],
        ["Film.2010/Film.2010.CD1.avi", "Film.2010/Film.2010.CD2.avi"],
    ] {
        let found = doubt(&parts);
        let each: Vec<&[u32]> =
            found.files.iter().map(|file| file.fields.part.as_slice()).collect();
        assert_eq!(each, [&[1][..], &[2]], "{parts:?}");
        assert_eq!(roles(&found), [Role::Main, Role::Main], "{parts:?}");
        assert_eq!(found.fields.part, [1, 2], "{parts:?}");
    }
}

#[test]
fn extras_are_no_episodes() {
    spec!("recognition#roles-by-name-not-by-size/extras-beside-episodes");
    let found = series(
        &[
            "Iron.Meadow.S07.1080p/Iron.Meadow.S07E01.mkv",
            "Iron.Meadow.S07.1080p/Featurettes/S07.Extra.mkv",
            "Iron.Meadow.S07.1080p/Extras/S07E01 Making of.mkv",
            "Iron.Meadow.S07.1080p/Deleted Scenes/One.mkv",
            "Iron.Meadow.S07.1080p/Iron Meadow S07-trailer.mkv",
        ],
        "Iron Meadow",
        None,
    );
    use Role::{Extra, Main};
    assert_eq!(roles(&found), [Main, Extra, Extra, Extra, Extra]);
    film(
        &["Detour (2013)/Detour (2013).mkv", "Detour (2013)/Detour (2013)-trailer.flv"],
        "Detour",
        2013,
    );
}

#[test]
fn the_written_year_holds() {
    spec!("recognition#plain-films/the-year-that-was-written");
    film(&["Ghost.in.the.Shell.1995.1080p.BluRay.x264.mkv"], "Ghost in the Shell", 1995);
    film(&["The.Space.Between.Us.2016.720p.mkv"], "The Space Between Us", 2016);
    film(&["Detour.2016.720p.BRRiP.900MB.mkv"], "Detour", 2016);
    film(&["The Night (2021).mkv"], "The Night", 2021);
}

#[test]
fn kinds() {
    spec!("recognition#kinds-of-content/film-series-anime");
    let kind = |path: &str| of(&[path]).fields.kind;
    assert_eq!(kind("Film.2010.mkv"), Some(TitleKind::Movie));
    assert_eq!(kind("Show.S01E02.mkv"), Some(TitleKind::Series));
    assert_eq!(kind("[Kumo] Silver Lantern - 05 [1080p].mkv"), Some(TitleKind::Anime));
    assert_eq!(kind("Show.2020.05.12.mkv"), Some(TitleKind::Series));
}

#[test]
fn what_is_nothing_for_a_library() {
    spec!("recognition#kinds-of-content/nothing-for-a-library");
    for (paths, what) in [
        (&["Artist - Record (2010)/01 Song.flac", "Artist - Record (2010)/cover.jpg"][..], "music"),
        (&["Some Book (2010)/Some Book.epub", "Some Book (2010)/Some Book.fb2"], "books"),
        (&["Album/1.jpg", "Album/2.jpg"], "pictures"),
        (&["tool/tool.deb", "tool/tool.rpm", "tool/readme.txt"], "software"),
        (&["readme.txt"], "there is no video"),
    ] {
        let found = of(paths);
        assert_eq!(found.verdict, Verdict::Unknown, "{paths:?}");
        assert_eq!(found.fields.kind, Some(TitleKind::Other), "{paths:?}");
        assert!(
            found.doubts.iter().any(|doubt| doubt.to_string().contains(what)),
            "{:?}",
            found.doubts
        );
    }
}

#[test]
fn names_that_fill() {
    spec!("recognition#every-field-has-its-evidence/of-several-names");
    let found = of(&["Iron Meadow (2016)/Season 2/05 - The Ford.mkv"]);
    assert_eq!(found.fields.title.as_deref(), Some("Iron Meadow"));
    assert_eq!((found.fields.seasons.as_slice(), found.fields.year), (&[2][..], Some(2016)));
    let from = |field: &str| {
        found.evidence.iter().find(|entry| entry.field == field).map(|entry| entry.from.as_str())
    };
    assert_eq!(
        (from("title"), from("seasons"), from("year")),
        (Some("folder"), Some("folder"), Some("folder"))
    );
    let names = Names {
        torrent: Some("Стальной луг / Iron Meadow (2016) WEB-DL"),
        ..Names::default()
    };
    let found = of_named(&["Iron.Meadow.S02E05.mkv"], &names);
    assert_eq!(found.fields.title_ru.as_deref(), Some("Стальной луг"));
    assert!(found.evidence.iter().any(|entry| entry.from == "torrent"), "{:?}", found.evidence);
}

#[test]
fn hints_that_steer() {
    spec!("recognition#hints-are-heard/hint-that-steers");
    let found = with_hints(&["[Kumo] Silver Lantern - 05 [1080p].mkv"], &["season 2"]);
    assert_eq!(numbers(&found), [(vec![2], vec!["5".to_owned()])]);
    assert_eq!(with_hints(&["Film.mkv"], &["it is the 1995 film"]).fields.year, Some(1995));
    assert_eq!(
        with_hints(&["Film.mkv"], &["it is the 1995 film"]).fields.kind,
        Some(TitleKind::Movie)
    );
    assert_eq!(with_hints(&["Show.S01E01.mkv"], &["anime"]).fields.kind, Some(TitleKind::Anime));
    assert_eq!(
        with_hints(&["Show.S01E01.mkv"], &["Iron Meadow"]).fields.other_titles,
        ["Iron Meadow"]
    );
    // The latest word wins, and every one is shown.
    let found = with_hints(&["Film.mkv"], &["1995", "1996"]);
    assert_eq!(found.fields.year, Some(1996));
    assert_eq!(found.evidence.iter().filter(|entry| entry.from == "hint").count(), 2);
}

#[test]
fn a_sample_beside_an_archive_is_nothing_to_link() {
    spec!("recognition#unsafe-and-packed-content/archive-with-a-sample");
    let found = doubt(&[
        "X.S01E02.2160p-GRP/x.rar",
        "X.S01E02.2160p-GRP/x.r00",
        "X.S01E02.2160p-GRP/Sample/x-sample.mkv",
    ]);
    assert!(!roles(&found).contains(&Role::Main));
    assert_eq!(concern(&found), Some(tracker_domain::Attention::Archive));
}

#[test]
fn evidence_of_a_season_name() {
    spec!("recognition#every-field-has-its-evidence/words-and-place");
    let name = "Стальной луг / Iron Meadow / Сезон: 2 / Серии: 1-6 из 12 [2019]";
    for entry in parse_name(name).evidence {
        let (start, end) = entry.span.unwrap();
        assert_eq!(name.get(start as usize..end as usize), Some(entry.text.as_str()), "{entry:?}");
    }
}

#[test]
fn a_number_in_front_in_the_folder_of_a_season() {
    spec!("recognition#numbers-of-episodes/season-of-the-folder");
    let found = of(&[
        "Silver Lantern (2011)/Season 02/05.mkv",
        "Silver Lantern (2011)/Season 02/06 The Ferry.mkv",
        "Silver Lantern (2011)/Season 02/07 - The Mill [1080p].mkv",
    ]);
    assert_eq!(found.fields.title.as_deref(), Some("Silver Lantern"), "{:?}", found.doubts);
    assert_eq!(found.fields.year, Some(2011));
    let one = |episode: &str| (vec![2], vec![episode.to_owned()]);
    assert_eq!(numbers(&found), [one("5"), one("6"), one("7")]);
    // Outside of such a folder it is a title, or a part of one.
    for path in ["300/300.mkv", "12 Angry Men/12 Angry Men.mkv"] {
        let found = of(&[path]);
        assert!(found.fields.episodes.is_empty(), "{path}: {:?}", found.fields);
    }
}

#[test]
fn a_group_that_is_called_like_an_extra() {
    spec!("recognition#roles-by-name-not-by-size/extras-beside-episodes");
    for group in ["OTHER", "SCENE", "SHORT"] {
        let path = format!("Silver.Lantern.2011.2160p.WEB-DL.x265-{group}.mkv");
        film(&[&path], "Silver Lantern", 2011);
    }
    let found = of(&[
        "Silver Lantern (2011)/Silver Lantern (2011).mkv",
        "Silver Lantern (2011)/Visit-other.mkv",
    ]);
    assert_eq!(roles(&found), [Role::Main, Role::Extra]);
}

#[test]
fn the_latest_hint_counts() {
    spec!("recognition#hints-are-heard/hint-that-steers");
    let path = &["Silver.Lantern.S01E05.mkv"];
    let found = with_hints(path, &["season 2"]);
    assert_eq!(found.fields.seasons, [2], "a person's word is shown as it would be");
    assert_eq!(found.verdict, Verdict::Doubt);
    let found = with_hints(path, &["season 2", "season 1"]);
    assert_eq!((found.verdict, found.fields.seasons.as_slice()), (Verdict::Sure, &[1][..]));
    let found = with_hints(&["a.mkv"], &["film Unknown Thing 2019"]);
    assert_eq!(found.fields.title.as_deref(), Some("a"));
    assert_eq!(found.fields.other_titles, ["Unknown Thing"]);
    assert_eq!((found.fields.kind, found.fields.year), (Some(TitleKind::Movie), Some(2019)));
}

#[test]
fn a_remake_keeps_its_country_beside_the_title() {
    spec!("recognition#names-of-every-custom/scene-names");
    let found = parse_name("Silver.Lantern.US.S02E03.1080p");
    assert_eq!(found.fields.title.as_deref(), Some("Silver Lantern"));
    assert_eq!(found.fields.other_titles, ["Silver Lantern US"]);
}

#[test]
fn words_of_releases_that_are_titles() {
    spec!("recognition#numbers-of-episodes/numbers-in-titles");
    for (path, title, year) in [
        ("The.Final.Cut.2004.DVDRip.mkv", "The Final Cut", 2004),
        ("Final.Cut.2022.1080p.mkv", "Final Cut", 2022),
        ("Night.of.the.Telesync.2010.1080p.mkv", "Night of the Telesync", 2010),
        ("The.Screener.2012.1080p.mkv", "The Screener", 2012),
        ("(500).Lanterns.of.Oor.2009.1080p.mkv", "(500) Lanterns of Oor", 2009),
    ] {
        let found = of(&[path]);
        assert_eq!(found.fields.title.as_deref(), Some(title), "{path}");
        assert_eq!(found.fields.year, Some(year), "{path}");
    }
}

#[test]
fn what_looks_like_a_whole_episode_and_is_none() {
    spec!("recognition#numbers-of-episodes/specials-and-fractions");
    for path in [
        "Show.S01E12.5.1080p.mkv",
        "[G] Show - S01E12.5 [1080p].mkv",
        "Show.S01E02.1of2.1080p.mkv",
        "Show.S01E05.Part1.1080p.mkv",
        "Show.S01E1-E99999.mkv",
    ] {
        doubt(&[path]);
    }
    assert!(of(&["Show 16x9 Edition 1080p.mkv"]).fields.episodes.is_empty());
    let found = of(&["Game (2011)/Season 1/101 - A.mkv", "Game (2011)/Season 1/102 - B.mkv"]);
    assert_eq!(numbers(&found), [(vec![1], vec!["1".to_owned()]), (vec![1], vec!["2".to_owned()])]);
    doubt(&["Show 45.13.2020 1080p.mkv"]);
}

#[test]
fn letters_that_only_look_right() {
    spec!("recognition#numbers-of-episodes/cyrillic-letters-in-numbers");
    let found = of(&["Тhе Маtriх 1999.mkv"]);
    assert_eq!(found.fields.title.as_deref(), Some("The Matrix"));
    assert_eq!(found.fields.title_ru, None);
    let found = of(&["Звезда.2019.1080р.BluRay.х264.mkv"]);
    assert_eq!(found.fields.video_codec.as_deref(), Some("h264"));
    let found = of(&["Шоу.С01Э02.mkv"]);
    assert_eq!(numbers(&found), [(vec![1], vec!["2".to_owned()])]);
}

#[test]
fn a_series_that_is_called_extras() {
    spec!("recognition#roles-by-name-not-by-size/extras-beside-episodes");
    series(&["Extras/Season 1/Extras - S01E01.mkv"], "Extras", None);
    for bait in ["setup.exe ", "setup.exe.", "setup.exe\u{202e}"] {
        let found = doubt(&["Film.2010.mkv", bait]);
        assert_eq!(concern(&found), Some(tracker_domain::Attention::UnsafeContent), "{bait:?}");
    }
}

#[test]
fn loose_forms_of_numbers() {
    spec!("recognition#numbers-of-episodes/loose-forms");
    for (name, title, season, episodes) in [
        ("lantern-04_05.F", "lantern", 4, &[5][..]),
        ("Silver.Lantern.02.09", "Silver Lantern", 2, &[9]),
        ("The.Big.Lantern1x01.HDTV.XviD", "The Big Lantern", 1, &[1]),
        ("Lantern Se.3 afl.4 en 5", "Lantern", 3, &[4, 5]),
        ("Lantern.Season.05.Ep(01-03).720p", "Lantern", 5, &[1, 2, 3]),
        ("Lantern Sn4 Ep14 HDTV", "Lantern", 4, &[14]),
    ] {
        let found = parse_name(name).fields;
        assert_eq!(found.title.as_deref(), Some(title), "{name}");
        assert_eq!(found.seasons, [season], "{name}");
        let read: Vec<u32> = found.episodes.iter().filter_map(|one| one.as_whole()).collect();
        assert_eq!(read, episodes, "{name}");
    }
    let special = parse_name("[G]_Lantern_OVA3.5_(1280x720_BD).mkv").fields;
    assert_eq!(special.title.as_deref(), Some("Lantern OVA"));
    assert_eq!(special.absolute_episodes.first().map(ToString::to_string).as_deref(), Some("3.5"));
    let disc = parse_name("[G] Lantern Vol. 2 (BD 1080p)").fields;
    assert_eq!((disc.title.as_deref(), disc.episodes.len()), (Some("Lantern"), 0));
    let film = parse_name("2008 The Silver Lantern Feature.mkv");
    assert_eq!((film.fields.year, film.verdict), (Some(2008), Verdict::Doubt));
    assert_eq!(parse_name("2001: A Lantern Odyssey.mkv").fields.year, None);
}
