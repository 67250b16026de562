//! Which queries are asked.

use tracker_domain::metadata::{MetadataQuery, WorkKind};
use tracker_domain::recognised::TitleKind;
use tracker_testkit::spec;

use super::{film, show};
use crate::matching::{MOST_QUERIES, queries};

fn languages() -> Vec<String> {
    vec!["en".to_owned(), "ru".to_owned()]
}

fn line(query: &MetadataQuery) -> String {
    let MetadataQuery { title, kind, year, language } = query;
    let year = year.map_or_else(String::new, |year| format!(" {year}"));
    format!("{kind:?} {title}{year} {language}")
}

fn lines(queries: &[MetadataQuery]) -> Vec<String> {
    queries.iter().map(line).collect()
}

#[test]
fn the_original_name_comes_first() {
    spec!("matching#queries-from-the-names/original-name-first");
    let mut names = film("Пепельный берег", 2011);
    names.fields.title_ru = Some("Пепельный берег".to_owned());
    names.fields.title_orig = Some("Ashen Shore".to_owned());
    let plan = queries(&names, &languages());
    assert_eq!(lines(&plan.first), ["Movie Ashen Shore 2011 en", "Movie Пепельный берег 2011 ru"]);
    assert_eq!(lines(&plan.then), ["Movie Ashen Shore en", "Movie Пепельный берег ru"]);
}

#[test]
fn names_that_fold_to_one_are_asked_once() {
    spec!("matching#queries-from-the-names/names-that-are-the-same");
    let mut names = film("The Ashen Shore", 2011);
    names.fields.other_titles =
        ["Ashen shore!", "ashen-shore", "Зелёный дом", "Зеленый Дом", "  ", "!"]
            .map(str::to_owned)
            .to_vec();
    let plan = queries(&names, &languages());
    assert_eq!(lines(&plan.first), ["Movie The Ashen Shore 2011 en", "Movie Зелёный дом 2011 ru"]);
}

#[test]
fn the_kind_decides() {
    spec!("matching#queries-from-the-names/kind-decides-what-is-asked");
    let kinds = |kind: Option<TitleKind>| -> Vec<WorkKind> {
        let mut names = show("Lanterns of Oor", &[(1, 1)]);
        names.fields.kind = kind;
        let plan = queries(&names, &languages());
        assert!(plan.then.is_empty(), "without a year there is nothing to leave out");
        plan.first.iter().map(|query| query.kind).collect()
    };
    assert_eq!(kinds(Some(TitleKind::Movie)), [WorkKind::Movie]);
    assert_eq!(kinds(Some(TitleKind::Series)), [WorkKind::Series]);
    assert_eq!(kinds(Some(TitleKind::Anime)), [WorkKind::Series]);
    assert_eq!(kinds(None), [WorkKind::Movie, WorkKind::Series]);
    assert!(kinds(Some(TitleKind::Other)).is_empty());
}

#[test]
fn cyrillic_names_are_asked_in_russian() {
    spec!("matching#queries-from-the-names/language-of-a-query");
    let of = |title: &str, languages: &[&str]| {
        let languages: Vec<String> = languages.iter().map(|word| (*word).to_owned()).collect();
        queries(&film(title, 2011), &languages).first.remove(0).language
    };
    assert_eq!(of("Пепельный берег", &["en", "ru"]), "ru");
    assert_eq!(of("Пепельный берег", &["de"]), "de");
    assert_eq!(of("Ashen Shore", &["en", "ru"]), "en");
    assert_eq!(of("Ashen Shore", &[]), "en");
}

#[test]
fn there_are_at_most_six_queries() {
    spec!("matching#queries-from-the-names/bounded-number");
    for count in 0..12 {
        for kind in [Some(TitleKind::Movie), None] {
            for year in [Some(2011), None] {
                let mut names = film("Ashen Shore", 2011);
                (names.fields.kind, names.fields.year) = (kind, year);
                names.fields.other_titles =
                    (0..count).map(|at| format!("{} Shore", "x".repeat(at + 1))).collect();
                let plan = queries(&names, &languages());
                assert!(plan.first.len() + plan.then.len() <= MOST_QUERIES);
                assert_eq!(plan.then.is_empty(), year.is_none());
                assert!(plan.first.iter().all(|query| query.year == year));
            }
        }
    }
}
