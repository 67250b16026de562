//! What an accepted work changes.

use tracker_domain::Remark;
use tracker_domain::metadata::SeasonOutline;
use tracker_domain::recognised::{EpisodeNumber, Recognised, TitleKind};
use tracker_testkit::spec;

use super::{counted, film, movie, series, show};
use crate::matching::{adopt, apply_overrides};

/// Season and episodes of each file, as `S1E2`.
fn numbers(recognised: &Recognised) -> Vec<String> {
    let one = |file: &tracker_domain::recognised::FileRole| {
        let season = file.fields.seasons.iter().map(|season| format!("S{season}"));
        let episodes = file.fields.episodes.iter().map(|episode| format!("E{episode}"));
        season.chain(episodes).collect::<String>()
    };
    recognised.files.iter().map(one).collect()
}

#[test]
fn the_work_gives_the_names() {
    spec!("matching#an-accepted-work-gives-the-names/names-of-the-work");
    let mut names = show("Lanterns Oor", &[(1, 2)]);
    names.fields.year = Some(2004);
    let own = &mut names.files[0].fields;
    own.title = Some("lanterns oor".to_owned());
    (own.year, own.kind) = (Some(2004), Some(TitleKind::Movie));
    let mut work = series(1, "Lanterns of Oor", 2003, &[10]);
    work.original_title = Some("Laternen von Oor".to_owned());
    adopt(&mut names, &work, "en");
    assert_eq!(names.fields.title.as_deref(), Some("Lanterns of Oor"));
    assert_eq!(names.fields.other_titles, ["Laternen von Oor", "Lanterns Oor"]);
    assert_eq!(names.fields.year, Some(2003));
    assert_eq!(names.fields.kind, Some(TitleKind::Series));
    let own = &names.files[0].fields;
    assert_eq!((&own.title, own.year, own.kind), (&None, None, None), "or they would win");
    assert_eq!(numbers(&names), ["S1E2"]);
    let evidence = names.evidence.iter().find(|entry| entry.field == "title").unwrap();
    assert_eq!((evidence.from.as_str(), evidence.text.as_str()), ("tmdb", "tmdb:tv/1"));

    let mut names = film("Ashen Shore", 2011);
    names.fields.kind = None;
    adopt(&mut names, &movie(1, "Ashen Shore", 2012), "en");
    assert_eq!((names.fields.kind, names.fields.year), (Some(TitleKind::Movie), Some(2012)));
}

#[test]
fn the_preferred_language_gives_the_title() {
    spec!("matching#an-accepted-work-gives-the-names/preferred-language");
    let mut work = movie(1, "Ashen Shore", 2011);
    work.other_titles = vec!["Пепельный берег".to_owned()];
    let mut names = film("Ashen.Shore", 2011);
    adopt(&mut names, &work, "ru");
    assert_eq!(names.fields.title.as_deref(), Some("Пепельный берег"));
    assert_eq!(names.fields.title_ru.as_deref(), Some("Пепельный берег"));
    adopt(&mut names, &work, "en");
    assert_eq!(names.fields.title.as_deref(), Some("Ashen Shore"));
    assert_eq!(names.fields.title_ru.as_deref(), Some("Пепельный берег"));
    assert_eq!(names.fields.title_orig.as_deref(), Some("Ashen Shore"));

    let mut work = movie(1, "Пепельный берег", 2011);
    adopt(&mut names, &work, "en");
    assert_eq!(names.fields.title.as_deref(), Some("Пепельный берег"), "it has no other");
    work.original_title = Some("Ashen Shore".to_owned());
    adopt(&mut names, &work, "ru");
    assert_eq!(names.fields.title_orig.as_deref(), Some("Ashen Shore"));
    adopt(&mut names, &work, "de");
    assert_eq!(names.fields.title.as_deref(), Some("Ashen Shore"));
    adopt(&mut names, &work, "uk");
    assert_eq!(names.fields.title.as_deref(), Some("Пепельный берег"));
}

#[test]
fn the_word_of_a_person_stays() {
    spec!("matching#an-accepted-work-gives-the-names/word-of-a-person");
    let mut names = show("Lanterns Oor", &[(1, 2)]);
    let said = [("title", "The Oor"), ("year", "1999"), ("kind", "anime")];
    let said = said.map(|(field, value)| (field.to_owned(), value.to_owned()));
    assert_eq!(apply_overrides(&mut names, &said), []);
    adopt(&mut names, &series(1, "Lanterns of Oor", 2003, &[10]), "en");
    assert_eq!(names.fields.title.as_deref(), Some("The Oor"));
    assert_eq!(names.fields.year, Some(1999));
    assert_eq!(names.fields.kind, Some(TitleKind::Anime));
    assert!(names.evidence.iter().all(|entry| entry.from == "person"), "{:?}", names.evidence);
}

#[test]
fn a_year_behind_the_name_is_no_part_of_it() {
    let mut names = film("Ashen Shore", 2011);
    adopt(&mut names, &movie(1, "Ashen Shore (2011)", 2011), "en");
    assert_eq!(names.fields.title.as_deref(), Some("Ashen Shore"));
    assert_eq!(names.fields.other_titles, Vec::<String>::new());
}

#[test]
fn numbers_through_all_seasons_get_their_season() {
    spec!("matching#an-accepted-work-gives-the-names/numbers-through-all-seasons");
    let mut work = series(1, "Lanterns of Oor", 2003, &[12, 13]);
    work.seasons.push(SeasonOutline { number: 0, episodes: 4 });
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[1, 12, 13, 25]);
    adopt(&mut names, &work, "en");
    assert_eq!(numbers(&names), ["S1E1", "S1E12", "S2E1", "S2E13"]);
    assert_eq!(names.fields.seasons, [1, 2]);
    assert_eq!(names.files[3].fields.absolute_episodes, [EpisodeNumber::whole(25)]);
    assert_eq!(names.doubts, Vec::<Remark>::new());

    for numbers_of_files in [&[12, 26][..], &[0]] {
        let mut names = counted(TitleKind::Anime, "Lanterns of Oor", numbers_of_files);
        adopt(&mut names, &work, "en");
        assert!(numbers(&names).iter().all(String::is_empty));
        assert_eq!(
            names.doubts,
            ["the numbers of the files do not fit the 25 episodes of the work"]
        );
    }
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[12]);
    names.files[0].fields.absolute_episodes.push(EpisodeNumber::whole(13));
    adopt(&mut names, &work, "en");
    assert_eq!(names.doubts.len(), 1, "one file cannot stand in two seasons");

    // Behind a season of unknown length no number has a place.
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[13]);
    adopt(&mut names, &series(1, "Lanterns of Oor", 2003, &[0, 13]), "en");
    assert_eq!(names.doubts, ["the numbers of the files do not fit the 13 episodes of the work"]);

    adopt(&mut names, &series(1, "Lanterns of Oor", 2003, &[]), "en");
    assert!(names.doubts[1].to_string().contains("seasons of the work are not known"));

    let mut names = show("Lanterns of Oor", &[(1, 2)]);
    names.fields.seasons.clear();
    names.files[0].fields.seasons.clear();
    adopt(&mut names, &series(1, "Lanterns of Oor", 2003, &[12]), "en");
    assert_eq!(numbers(&names), ["S1E2"]);
}
