//! When one work is sure.

use tracker_domain::Remark;
use tracker_domain::recognised::Verdict;
use tracker_testkit::spec;

use super::{asked, doubtful, film, judged, movie, series, show, sure};
use crate::matching::judge;

#[test]
fn one_clear_work_is_sure() {
    spec!("matching#sure-only-without-a-rival/one-clear-work");
    let works = [
        movie(1, "Ashen Shore", 2012),
        movie(2, "Ashen Shore", 2011),
        movie(3, "Ashen Shore: The Return", 2011),
        movie(4, "Quiet Orchard", 2011),
    ];
    assert_eq!(sure(&film("Ashen Shore", 2011), &works), 2);
}

#[test]
fn two_of_one_name_and_year_are_asked() {
    spec!("matching#sure-only-without-a-rival/two-works-of-one-name-and-year");
    let mut known = movie(1, "Ashen Shore", 2011);
    known.popularity = 1.0;
    let mut unknown = movie(2, "Берег", 2011);
    unknown.popularity = 0.0;
    unknown.original_title = Some("Ashen Shore".to_owned());
    let doubt = asked(&film("Ashen Shore", 2011), &[known, unknown]);
    assert_eq!(doubt, "another work has the same title and year: tmdb:movie/2");
}

#[test]
fn a_close_second_is_asked() {
    let mut undated = movie(2, "Ashen Shore", 2011);
    undated.year = None;
    let doubt = asked(&film("Ashen Shore", 2011), &[movie(1, "Ashen Shore", 2011), undated]);
    assert_eq!(doubt, "\"Ashen Shore\" fits nearly as well: tmdb:movie/2");
}

#[test]
fn doubts_of_the_names_stay() {
    spec!("matching#sure-only-without-a-rival/doubts-of-the-names");
    let works = [movie(1, "Ashen Shore", 2011)];
    for doubt in ["the only video is a sample", "it carries a program or bait (.lnk)"] {
        assert_eq!(asked(&doubtful(film("Ashen Shore", 2011), &[doubt]), &works), doubt);
    }
    let mut unusable = film("Ashen Shore", 2011);
    unusable.verdict = Verdict::Unknown;
    assert_eq!(asked(&unusable, &works), "the names do not say plainly what it is");
    assert_eq!(
        asked(&doubtful(film("Ashen Shore", 2011), &[]), &works),
        "the names do not say plainly what it is"
    );

    let names = doubtful(show("Lanterns of Oor", &[(1, 1)]), &[&Remark::NoYear.to_string()]);
    assert_eq!(sure(&names, &[series(1, "Lanterns of Oor", 2003, &[10])]), 1);
}

#[test]
fn nothing_found_is_unknown() {
    spec!("matching#sure-only-without-a-rival/nothing-was-found");
    let names = film("Ashen Shore", 2011);
    let (_, judgement) = judged(&names, &[]);
    assert_eq!((judgement.verdict, judgement.best), (Verdict::Unknown, None));
    assert_eq!(judgement.doubts, ["the sources know no such work"]);
    let (_, judgement) = judged(&names, &[movie(1, "Quiet Orchard", 2011)]);
    assert_eq!((judgement.verdict, judgement.best), (Verdict::Doubt, None));
    assert_eq!(judgement.doubts, ["the sources found only other works: another title"]);
}

#[test]
fn the_best_does_not_depend_on_the_list() {
    let names = film("Ashen Shore", 2011);
    let (mut scored, _) =
        judged(&names, &[movie(1, "Ashen Shore", 2012), movie(2, "Ashen Shore", 2011)]);
    scored.reverse();
    assert_eq!(judge(&names, &scored).best, Some(1));
}
