//! Years against years.

use tracker_testkit::spec;

use super::{asked, detail, film, judged, movie, series, show, sure};

#[test]
fn the_exact_year_beats_popularity() {
    spec!("matching#the-year-tells-works-apart/exact-year-beats-popularity");
    let mut remake = movie(1, "Ashen Shore", 2019);
    remake.popularity = 1.0;
    let mut old = movie(2, "Ashen Shore", 1994);
    old.popularity = 0.0;
    let mut near = movie(3, "Ashen Shore", 1995);
    near.popularity = 1.0;
    let works = [remake, near, old];
    assert_eq!(sure(&film("Ashen Shore", 1994), &works), 2);
    let (scored, _) = judged(&film("Ashen Shore", 1994), &works);
    let numbers: Vec<u64> = scored.iter().map(|scored| scored.work.id.number).collect();
    assert_eq!(numbers, [2, 3, 1]);
    assert!(scored[2].excluded.as_ref().is_some_and(|why| *why == "another year: 2019, not 1994"));
}

#[test]
fn one_year_off_is_asked() {
    spec!("matching#the-year-tells-works-apart/one-year-off");
    for year in [2010, 2012] {
        let works = [movie(1, "Ashen Shore", year)];
        let doubt = asked(&film("Ashen Shore", 2011), &works);
        assert_eq!(doubt, format!("2011 is a year off: the source says {year}"));
        let (scored, judgement) = judged(&film("Ashen Shore", 2011), &works);
        assert_eq!(judgement.best, Some(0));
        assert_eq!(detail(&scored[0], "year"), doubt);
    }
    // The last year of a range is no better.
    let mut names = film("Ashen Shore", 2011);
    names.fields.year_end = Some(2015);
    assert!(asked(&names, &[movie(1, "Ashen Shore", 2015)]).contains("a year off"));
}

#[test]
fn a_film_needs_a_year() {
    spec!("matching#the-year-tells-works-apart/film-without-a-year");
    let mut names = film("Ashen Shore", 2011);
    names.fields.year = None;
    let doubt = asked(&names, &[movie(1, "Ashen Shore", 2011)]);
    assert!(doubt.contains("no year"), "{doubt}");
    let mut undated = movie(1, "Ashen Shore", 2011);
    undated.year = None;
    let doubt = asked(&film("Ashen Shore", 2011), &[undated]);
    assert_eq!(doubt, "the source gives no year");
}

#[test]
fn the_only_series_of_a_title_needs_no_year() {
    spec!("matching#the-year-tells-works-apart/series-without-a-year");
    let names = show("Lanterns of Oor", &[(1, 1), (2, 3)]);
    let one = series(1, "Lanterns of Oor", 2003, &[10, 10]);
    let like = series(2, "Lanterns of Oor: Origins", 2007, &[10, 10]);
    assert_eq!(sure(&names, &[one.clone(), like]), 1);

    let short = series(2, "Lanterns of Oor", 2017, &[1]);
    let doubt = asked(&names, &[one.clone(), short]);
    assert!(doubt.contains("several works have this title"), "{doubt}");

    // Where nothing is known of the seasons, the title alone would decide.
    let mut bare = one;
    bare.seasons.clear();
    assert!(asked(&names, &[bare.clone()]).contains("neither a year nor the seasons"));
    let mut dated = names;
    dated.fields.year = Some(2003);
    assert_eq!(sure(&dated, &[bare]), 1);
}

#[test]
fn a_later_season_has_a_later_year() {
    spec!("matching#the-year-tells-works-apart/year-of-a-later-season");
    let mut names = show("Lanterns of Oor", &[(3, 1)]);
    names.fields.year = Some(2009);
    let one = series(1, "Lanterns of Oor", 2003, &[10, 10, 10]);
    assert_eq!(sure(&names, std::slice::from_ref(&one)), 1);
    let (scored, _) = judged(&names, std::slice::from_ref(&one));
    assert_eq!(detail(&scored[0], "year"), "2009 may be the year of the season; it began in 2003");
    let later = series(2, "Lanterns of Oor", 2007, &[10, 10, 10]);
    assert!(asked(&names, &[one.clone(), later]).contains("several works"));

    // A pack from the first season on may tell the year of any of them.
    let mut names = show("Lanterns of Oor", &[(1, 1), (2, 1)]);
    names.fields.year = Some(2009);
    let doubt = asked(&names, std::slice::from_ref(&one));
    assert_eq!(doubt, "2009 may be the year of a later season; it began in 2003");

    // The first season is of the year of the series.
    let mut names = show("Lanterns of Oor", &[(1, 1)]);
    names.fields.year = Some(2009);
    let (scored, _) = judged(&names, &[one]);
    assert!(!scored[0].is_candidate());
}
