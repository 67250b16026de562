//! What the reader is sure of, and what it leaves to a person.
#![allow(clippy::unwrap_used)]

mod any;
mod torrents;

use tracker_domain::Attention;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Recognised, Role, TitleKind, Verdict};
use tracker_testkit::spec;

use crate::{Names, concern, parse_name, recognise};

/// The only call into the API for file lists.
fn of(paths: &[&str]) -> Recognised {
    of_named(paths, &Names::default())
}

fn of_named(paths: &[&str], names: &Names<'_>) -> Recognised {
    let files: Vec<RemoteFile> = (0..).zip(paths).map(|(index, path)| file(index, path)).collect();
    recognise(names, &files)
}

fn file(index: u32, path: &str) -> RemoteFile {
    RemoteFile { index, path: path.to_owned(), size_bytes: 1000, selected: true, complete: true }
}

fn film(paths: &[&str], title: &str, year: i32) -> Recognised {
    let found = of(paths);
    assert_eq!(found.verdict, Verdict::Sure, "{paths:?}: {:?}", found.doubts);
    assert_eq!(found.fields.kind, Some(TitleKind::Movie), "{paths:?}");
    assert_eq!(found.fields.title.as_deref(), Some(title), "{paths:?}");
    assert_eq!(found.fields.year, Some(year), "{paths:?}");
    assert_eq!(concern(&found), None);
    found
}

fn series(paths: &[&str], title: &str, year: Option<i32>) -> Recognised {
    let found = of(paths);
    assert_eq!(found.verdict, Verdict::Sure, "{paths:?}: {:?}", found.doubts);
    assert_eq!(found.fields.kind, Some(TitleKind::Series), "{paths:?}");
    assert_eq!(found.fields.title.as_deref(), Some(title), "{paths:?}");
    assert_eq!(found.fields.year, year, "{paths:?}");
    found
}

fn doubt(paths: &[&str]) -> Recognised {
    let found = of(paths);
    assert_eq!(found.verdict, Verdict::Doubt, "{paths:?}: {:?}", found.fields);
    assert!(!found.doubts.is_empty(), "{paths:?}");
    found
}

fn roles(found: &Recognised) -> Vec<Role> {
    found.files.iter().map(|file| file.role).collect()
}

#[test]
fn a_plain_film() {
    spec!("recognition#plain-films/one-video-with-title-and-year");
    let found = film(&["Some.Film.2010.1080p.BluRay.x264-GRP.mkv"], "Some Film", 2010);
    assert_eq!(found.fields.resolution.as_deref(), Some("1080p"));
    assert_eq!(found.fields.container.as_deref(), Some("mkv"));
    assert!(found.evidence.iter().any(|e| e.field == "year" && e.value == "2010"));
    film(&["Some Film (2010)/Some Film (2010).mp4"], "Some Film", 2010);
    film(&["Some_Film_[2010]_720p.avi"], "Some Film", 2010);
    film(&["Брат.1997.BDRip.avi"], "Брат", 1997);
    film(&["Some.Film.2010.mkv"], "Some Film", 2010);
    film(&["Some.Film.2010.Extended.Cut.2160p.WEB-DL.DDP5.1.mkv"], "Some Film", 2010);
    film(&["Charlottes.Web.2006.1080p.mkv"], "Charlottes Web", 2006);
    film(&["The.Sample.2020.mkv"], "The Sample", 2020);
    film(&["Trailer.Park.2006.mkv"], "Trailer Park", 2006);
    film(&["The.Long.Season.2017.2160p.mkv"], "The Long Season", 2017);
    film(&["Kill.Bill.Vol.1.2003.1080p.mkv"], "Kill Bill Vol 1", 2003);
}

#[test]
fn a_number_in_the_title_is_no_year() {
    spec!("recognition#plain-films/title-that-is-a-year");
    film(&["2012.2009.1080p.BluRay.mkv"], "2012", 2009);
    film(&["Blade.Runner.2049.2017.1080p.mkv"], "Blade Runner 2049", 2017);
    film(&["2001.A.Space.Odyssey.1968.1080p.mkv"], "2001 A Space Odyssey", 1968);
    film(&["1917 (2019).mkv"], "1917", 2019);
    doubt(&["2012.mkv"]);
    doubt(&["1917.1080p.mkv"]);
}

#[test]
fn plain_episodes() {
    spec!("recognition#plain-episodes/one-episode");
    let found = series(&["Some.Show.S01E02.1080p.WEB.mkv"], "Some Show", None);
    assert_eq!(found.fields.seasons, [1]);
    assert_eq!(found.fields.episodes, [2]);
    series(&["1923.S01E05.mkv"], "1923", None);
    series(&["Some.Show.2010.S01E02.mkv"], "Some Show", Some(2010));
    series(&["Some Show (2010) - S01E02 - The Pilot.mkv"], "Some Show", Some(2010));
    series(&["2012.2009.S01E01.mkv"], "2012", Some(2009));
    series(&["some_show_s01e02.mkv"], "some show", None);
    series(&["Мой.сериал.S02E10.WEB-DL.mkv"], "Мой сериал", None);
}

#[test]
fn several_episodes_in_one_file() {
    spec!("recognition#plain-episodes/several-episodes-in-one-file");
    for (name, episodes) in [
        ("Show.S01E01E02.mkv", vec![1, 2]),
        ("Show.S01E01-E02.mkv", vec![1, 2]),
        ("Show.S01E01-03.mkv", vec![1, 2, 3]),
        ("Show.S01E01-GRP.mkv", vec![1]),
        ("Show.S01E01-720p.mkv", vec![1]),
        ("Show.S01E01v2.mkv", vec![1]),
        ("Show.S01E01.S01E02.mkv", vec![1, 2]),
        ("Show.S01E01-S01E02.mkv", vec![1, 2]),
        ("Show.1x02-03.mkv", vec![2, 3]),
    ] {
        assert_eq!(series(&[name], "Show", None).fields.episodes, episodes, "{name}");
    }
    doubt(&["Show.S01E03-E01.mkv"]);
    doubt(&["Show.S01E01-E99.mkv"]);
    assert_eq!(series(&["Show S01E01 - E02.mkv"], "Show", None).fields.episodes, [1, 2]);
}

#[test]
fn a_season_folder() {
    spec!("recognition#plain-episodes/season-folder");
    let found = series(
        &[
            "Show.S01.1080p/Show.S01E01.mkv",
            "Show.S01.1080p/show S01E02.mkv",
            "Show.S01.1080p/Show.S01E02.en.srt",
        ],
        "Show",
        None,
    );
    assert_eq!(found.fields.episodes, [1, 2]);
    assert_eq!(roles(&found), [Role::Main, Role::Main, Role::Subtitle]);
    assert_eq!(found.files[1].fields.episodes, [2]);
    series(
        &["Show (2010)/Season 1/Show.S01E01.mkv", "Show (2010)/Season 2/Show.S02E01.mkv"],
        "Show",
        Some(2010),
    );
    series(&["Any folder/Show.S01E01.mkv"], "Show", None);
}

#[test]
fn folders_that_contradict() {
    spec!("recognition#plain-episodes/folder-that-contradicts");
    doubt(&["Other.S01/Show.S01E01.mkv"]);
    doubt(&["Show.S02/Show.S01E01.mkv"]);
    doubt(&["Show/Season 2/Show.S01E01.mkv"]);
    doubt(&["Show.S01/Show.S01E01.mkv", "Show.S01/Other.S01E02.mkv"]);
    doubt(&["Show.2010.S01E01.mkv", "Show.2011.S01E02.mkv"]);
    doubt(&["Show.S01E01.720p.mkv", "Show.S01E01.1080p.mkv"]);
    doubt(&["Show.S01/Show.2010.mkv"]);
    doubt(&["Other.Film.2010/Film.2010.mkv"]);
    doubt(&["Film.2011/Film.2010.mkv"]);
}

#[test]
fn what_is_not_plain() {
    spec!("recognition#doubt-is-for-a-person/unclear-names");
    for paths in [
        &["Some Film.mkv"][..],
        &["Film.2010.mkv", "Film.Two.2012.mkv"],
        &["Show.2020.05.12.mkv"],
        &["Show.12.05.2020.mkv"],
        &["[Group] Title - 05 [1080p].mkv"],
        &["[Group] Title - 05 (2010) [1080p].mkv"],
        &["Title - 05 (2010).mkv"],
        &["Show.2010.E05.mkv"],
        &["Film.2010.CD1.mkv"],
        &["Film.2010.DVDRip.XviD-RLS - pt1.avi"],
        &["Class.of.1999.II.1994.Cut.mkv", "b.mkv"],
        &["Class.of.1999.II.1080p.mkv"],
        &["Film.2001-2004.mkv"],
        &["Film.2010.Remastered.2019.1080p.mkv"],
        &["S01E01.mkv"],
        &["Film.2010.mkv", "Show.S01E01.mkv"],
        &["Films.2010.Trilogy.1080p.mkv"],
        &["09.03.08.Film.1991.mkv"],
        &["Show.5of9.Name.1990.mkv"],
        &["Show.S01S02.1990.mkv"],
        &["Show.S01E23a.1990.mkv"],
        &["Show.2.sezon.7.1990.mkv"],
        &["Show-Season 1-[2010].mkv"],
        &["Show [01-08 из 08] (2006).mkv"],
        &["Show E13-14 2022 1080p.mkv"],
        &["Fight 9th Dec 2019.mkv"],
        &["Film.Extended.2009.1080p.mkv"],
        &["Film (Other Film) 2011.mkv"],
        &["Film AKA Other 2011.mkv"],
        &["grp-some.film.2010.mkv"],
    ] {
        let found = doubt(paths);
        assert_eq!(concern(&found), Some(Attention::NeedsReview), "{paths:?}");
    }
}

#[test]
fn samples_and_texts_beside_a_film() {
    spec!("recognition#roles-by-name-not-by-size/samples-and-texts-beside-a-film");
    let found = film(
        &[
            "Film.2010/Film.2010.mkv",
            "Film.2010/Sample/film.mkv",
            "Film.2010/film-sample.mkv",
            "Film.2010/sample-film.2010.mkv",
            "Film.2010/Film.2010.1080p.sample.mkv",
            "Film.2010/Film.2010.nfo",
            "Film.2010/cover.jpg",
            "Film.2010/Film.2010.srt",
            "Film.2010/Featurettes/Making of.mkv",
            "Film.2010/Film (2010)-trailer.mkv",
        ],
        "Film",
        2010,
    );
    use Role::{Artwork, Extra, Info, Main, Sample, Subtitle};
    assert_eq!(
        roles(&found),
        [Main, Sample, Sample, Sample, Sample, Info, Artwork, Subtitle, Extra, Extra]
    );
}

#[test]
fn sound_chapters_and_pictures() {
    spec!("recognition#roles-by-name-not-by-size/sound-chapters-and-pictures");
    let found = film(
        &[
            "Film.2010/Film.2010.mkv",
            "Film.2010/Film.2010.mka",
            "Film.2010/Rus Sound/Film.2010.ac3",
            "Film.2010/chapters.xml",
            "Film.2010/Film.2010.xml",
            "Film.2010/Folder.JPG",
            "Film.2010/fanart.png",
            "Film.2010/screenshot.png",
            "Film.2010/poster.webp",
        ],
        "Film",
        2010,
    );
    use Role::{Artwork, Audio, Chapters, Extra, Info, Main};
    assert_eq!(roles(&found), [Main, Audio, Audio, Chapters, Info, Artwork, Artwork, Extra, Extra]);
}

#[test]
fn a_small_film_is_no_sample() {
    spec!("recognition#roles-by-name-not-by-size/small-film");
    let mut tiny = file(0, "Film.2010.mkv");
    tiny.size_bytes = 1;
    let found = recognise(&Names::default(), &[tiny]);
    assert_eq!((found.verdict, found.files[0].role), (Verdict::Sure, Role::Main));
}

#[test]
fn unselected_files_do_not_count() {
    spec!("recognition#roles-by-name-not-by-size/unselected-files");
    let mut other = file(1, "Other.Film.2012.mkv");
    other.selected = false;
    let mut empty = file(2, "Empty.2013.mkv");
    empty.size_bytes = 0;
    let found = recognise(&Names::default(), &[file(0, "Film.2010.mkv"), other, empty]);
    assert_eq!(found.verdict, Verdict::Sure, "{:?}", found.doubts);
    assert_eq!(roles(&found), [Role::Main, Role::Extra, Role::Extra]);
}

#[test]
fn bait_is_told_by_its_last_extension() {
    spec!("recognition#unsafe-and-packed-content/bait");
    for path in ["Film.2010.mkv.lnk", "Film.2010.scr", "x.zipx", "codec/setup.EXE"] {
        let found = doubt(&["Film.2010.mkv", path]);
        assert_eq!(found.files[1].role, Role::Executable, "{path}");
        assert_eq!(concern(&found), Some(Attention::UnsafeContent));
        assert_eq!(concern(&doubt(&[path])), Some(Attention::UnsafeContent));
    }
}

#[test]
fn packed_content() {
    spec!("recognition#unsafe-and-packed-content/archive-with-a-sample");
    let found = doubt(&["X.S01E02/x.rar", "X.S01E02/x.r00", "X.S01E02/Sample/x-sample.mkv"]);
    assert_eq!(roles(&found), [Role::Archive, Role::Archive, Role::Sample]);
    assert_eq!(concern(&found), Some(Attention::Archive));
    doubt(&["Sample/x.2010.mkv"]);
}

#[test]
fn discs() {
    spec!("recognition#unsafe-and-packed-content/disc");
    for paths in [
        &["X.2010/BDMV/STREAM/00001.m2ts", "X.2010/BDMV/index.bdmv"][..],
        &["X.2010/BDMV/STREAM/00001.m2ts", "X.2010/BDMV/JAR/00000.jar"],
        &["X.2010/VIDEO_TS/VTS_01_1.VOB"],
        &["X.2010.iso"],
    ] {
        let found = doubt(paths);
        assert!(found.files.iter().all(|file| file.role != Role::Main), "{paths:?}");
        assert_eq!(concern(&found), Some(Attention::NeedsReview));
    }
}

#[test]
fn no_media_at_all() {
    spec!("recognition#unsafe-and-packed-content/no-video");
    let found = of(&["readme.txt", "Artist/01 Song.mp3"]);
    assert_eq!(found.verdict, Verdict::Unknown);
    assert_eq!(concern(&found), Some(Attention::NotMedia));
}

#[test]
fn names_alone_are_provisional() {
    spec!("recognition#names-alone-are-provisional/before-the-file-list");
    let names = Names { dn: Some("Film.2010.1080p.mkv"), ..Names::default() };
    let found = recognise(&names, &[]);
    assert_eq!(found.verdict, Verdict::Doubt);
    assert_eq!(found.fields.title.as_deref(), Some("Film"));
    assert!(found.evidence.iter().all(|entry| entry.from == "dn"));
    assert_eq!(recognise(&Names::default(), &[]).verdict, Verdict::Unknown);
}

#[test]
fn names_that_speak_of_a_series() {
    spec!("recognition#doubt-is-for-a-person/names-that-contradict");
    let names = Names { dn: Some("Show S01E01"), ..Names::default() };
    assert_eq!(of_named(&["Show.2010.mkv"], &names).verdict, Verdict::Doubt);
    let names = Names { dn: Some("([site.example]) anything"), ..Names::default() };
    assert_eq!(of_named(&["Show.S01E01.mkv"], &names).verdict, Verdict::Sure);
}

#[test]
fn hints() {
    spec!("recognition#hints-are-heard/hint-that-contradicts");
    let verdict = |hint: &str, path: &str| {
        let hints = [hint.to_owned()];
        let names = Names { hints: &hints, ..Names::default() };
        let found = of_named(&[path], &names);
        assert!(found.evidence.iter().any(|entry| entry.from == "hint"), "{hint}");
        found.verdict
    };
    assert_eq!(verdict("it is an anime", "Show.S01E01.mkv"), Verdict::Doubt);
    assert_eq!(verdict("Film 2011", "Film.2010.mkv"), Verdict::Doubt);
    assert_eq!(verdict("Show S02", "Show.S01E01.mkv"), Verdict::Doubt);
    assert_eq!(verdict("Film (2010)", "Film.2010.mkv"), Verdict::Sure);
    assert_eq!(verdict("for the evening", "Film.2010.mkv"), Verdict::Sure);
}

#[test]
fn addresses_in_hints_are_no_names() {
    spec!("recognition#hints-are-heard/address-of-a-page");
    for hint in [
        "https://www.kinopoisk.ru/film/301/",
        "it is this one: https://www.themoviedb.org/movie/1002-a-film",
        "http://films.example/?t=512 please",
        "www.films.example/series/1102",
    ] {
        let hints = [hint.to_owned()];
        let names = Names { hints: &hints, ..Names::default() };
        let (found, alone) =
            (of_named(&["Film.2010.mkv"], &names), of_named(&["Film.2010.mkv"], &Names::default()));
        assert_eq!(found.verdict, Verdict::Sure, "{hint}");
        assert_eq!(found.fields, alone.fields, "{hint}");
    }
    let hints = ["Film 2011 https://films.example/310".to_owned()];
    let found = of_named(&["Film.2010.mkv"], &Names { hints: &hints, ..Names::default() });
    assert_eq!((found.verdict, found.fields.year), (Verdict::Doubt, Some(2011)));
    assert!(found.fields.seasons.is_empty());
}

#[test]
fn a_single_name() {
    let found = parse_name("Blade.Runner.2049.2017.2160p.UHD.BluRay.x265-GRP.mkv");
    assert_eq!(found.verdict, Verdict::Sure);
    assert_eq!(found.fields.title.as_deref(), Some("Blade Runner 2049"));
    assert_eq!(found.fields.resolution.as_deref(), Some("2160p"));
    assert_eq!(found.fields.container.as_deref(), Some("mkv"));
    let season = parse_name("Show.S01-S03.1080p");
    assert_eq!((season.verdict, season.fields.seasons), (Verdict::Doubt, vec![1, 2, 3]));
    assert_eq!(parse_name("").verdict, Verdict::Unknown);
}
