//! What a score is made of, and the order of works.

use tracker_domain::metadata::{Provider, Work};
use tracker_testkit::spec;

use super::{asked, film, judged, movie, series, show, sure};
use crate::matching::score;

#[test]
fn the_parts_make_the_score() {
    spec!("matching#every-score-can-be-explained/parts-make-the-score");
    let names = show("Lanterns of Oor", &[(2, 3)]);
    let works = vec![
        series(1, "Lanterns of Oor", 2003, &[10, 10]),
        series(2, "Lanterns of Oor: Origins", 2003, &[10]),
        series(3, "Quiet Orchard", 2003, &[10]),
    ];
    for scored in score(&names, works) {
        let sum: f64 = scored.parts.iter().map(|part| part.points).sum();
        assert!((scored.score - sum.clamp(0.0, 1.0)).abs() < 1e-4, "{scored:?}");
        let parts: Vec<&str> = scored.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(parts, ["title", "year", "kind", "episodes", "popularity"]);
        assert!(scored.parts.iter().all(|part| part.detail.code().is_some()));
    }
    let mut known = movie(1, "Ashen Shore", 2011);
    known.popularity = 1.0;
    let best = score(&film("Ashen Shore", 2011), vec![known]);
    assert!((best[0].score - 1.0).abs() < 1e-9, "nothing speaks against it");
}

#[test]
fn excluded_works_come_last() {
    spec!("matching#every-score-can-be-explained/excluded-works");
    let mut known = movie(1, "Ashen Shore", 1950);
    known.popularity = 1.0;
    let mut unlikely = movie(2, "Ashen Shore 7", 2012);
    unlikely.popularity = f64::NAN;
    let (scored, judgement) = judged(&film("Ashen Shore", 2011), &[known, unlikely]);
    assert_eq!(scored[1].work.id.number, 1);
    assert!(scored[1].excluded.as_ref().is_some_and(|why| *why == "another year: 1950, not 2011"));
    assert_eq!(judgement.best, Some(0));
}

fn at_tvmaze(mut work: Work) -> Work {
    work.id.provider = Provider::Tvmaze;
    work
}

#[test]
fn two_sources_of_one_work_are_one() {
    spec!("matching#every-score-can-be-explained/works-of-two-sources");
    let mut names = show("Lanterns of Oor", &[(1, 1)]);
    names.fields.year = Some(2003);
    let bare = series(1, "Lanterns of Oor", 2003, &[]);
    let mut twin = at_tvmaze(series(7, "Lanterns of Oor", 2003, &[10]));
    twin.other_titles = vec!["Oor".to_owned()];
    let works = [twin.clone(), bare.clone()];
    assert_eq!(sure(&names, &works), 1);
    let (scored, _) = judged(&names, &works);
    assert_eq!(scored.len(), 1);
    assert_eq!(scored[0].work.seasons, twin.seasons);
    assert_eq!(scored[0].work.other_titles, ["Oor"]);

    // By the number at IMDb, whatever the name and the year.
    let mut numbered = bare.clone();
    numbered.imdb = Some("tt0000001".to_owned());
    let mut renamed = at_tvmaze(series(7, "Laternen von Oor", 2004, &[10]));
    renamed.imdb.clone_from(&numbered.imdb);
    assert_eq!(judged(&names, &[numbered.clone(), renamed]).0.len(), 1);
    // Other numbers are other works.
    let mut foreign = twin.clone();
    foreign.imdb = Some("tt0000002".to_owned());
    assert_eq!(judged(&names, &[numbered, foreign]).0.len(), 2);
}

#[test]
fn a_work_takes_in_one_of_another_source() {
    let names = show("Lanterns of Oor", &[(1, 1)]);
    let known = series(1, "Lanterns of Oor", 2003, &[10]);
    let twin = at_tvmaze(series(7, "Lanterns of Oor", 2003, &[10]));
    let mut second = twin.clone();
    second.id.number = 8;
    let works = [known.clone(), twin.clone(), second];
    assert_eq!(judged(&names, &works).0.len(), 3, "one of the two is another work");
    assert!(asked(&names, &works).contains("several works"));

    // The place is taken by the one with the same number at IMDb.
    let (mut known, mut renamed) = (known, at_tvmaze(series(8, "Oor", 2003, &[10])));
    known.imdb = Some("tt0000001".to_owned());
    renamed.imdb.clone_from(&known.imdb);
    assert_eq!(judged(&names, &[known, twin, renamed]).0.len(), 2);
}

#[test]
fn two_works_of_one_source_stay_two() {
    let mut names = show("Lanterns of Oor", &[(1, 1)]);
    names.fields.year = Some(2003);
    let twins = [
        series(1, "Lanterns of Oor", 2003, &[10]),
        series(2, "Lanterns of Oor", 2003, &[10]),
        at_tvmaze(series(7, "Lanterns of Oor", 2003, &[10])),
    ];
    assert_eq!(judged(&names, &twins).0.len(), 3, "nobody knows which of them is the third");
    assert!(asked(&names, &twins).contains("another work has the same title and year"));
}

#[test]
fn one_work_in_two_languages_is_one() {
    let english = movie(1, "Ashen Shore", 2011);
    let russian = movie(1, "Пепельный берег", 2011);
    for works in [[english.clone(), russian.clone()], [russian, english]] {
        let (scored, _) = judged(&film("Пепельный берег", 2011), &works);
        assert_eq!(scored.len(), 1);
        assert_eq!(scored[0].work.title, "Ashen Shore");
        assert_eq!(scored[0].work.other_titles, ["Пепельный берег"]);
        assert_eq!(sure(&film("Пепельный берег", 2011), &works), 1);
    }
}
