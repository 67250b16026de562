//! Kinds, seasons and episodes.

use tracker_domain::recognised::{EpisodeNumber, TitleKind};
use tracker_testkit::spec;

use super::{asked, counted, detail, film, judged, movie, points, series, show, sure};
use crate::matching::apply_overrides;

#[test]
fn another_kind_is_excluded() {
    spec!("matching#kind-and-episodes-have-to-fit/film-and-series-of-one-name");
    let works = [movie(1, "Ashen Shore", 2011), series(2, "Ashen Shore", 2011, &[8])];
    assert_eq!(sure(&film("Ashen Shore", 2011), &works), 1);
    let mut names = show("Ashen Shore", &[(1, 2)]);
    names.fields.year = Some(2011);
    assert_eq!(sure(&names, &works), 2);
    let (scored, _) = judged(&names, &works);
    assert!(scored[1].excluded.as_ref().is_some_and(|why| *why == "a film, not a series"));

    names.fields.kind = None;
    assert!(asked(&names, &works).contains("whether it is a film or a series"));
    names.fields.kind = Some(TitleKind::Other);
    let (scored, judgement) = judged(&names, &works);
    assert!(scored.iter().all(|scored| !scored.is_candidate()));
    assert_eq!(judgement.best, None);
}

#[test]
fn anime_wants_animation() {
    spec!("matching#kind-and-episodes-have-to-fit/anime-wants-animation");
    let names = counted(TitleKind::Anime, "Lanterns of Oor", &[3]);
    let played = series(1, "Lanterns of Oor", 2003, &[10]);
    let mut drawn = played.clone();
    drawn.animated = true;
    assert_eq!(sure(&names, std::slice::from_ref(&drawn)), 1);
    let doubt = asked(&names, std::slice::from_ref(&played));
    assert!(doubt.contains("animated"), "{doubt}");
    let kind = |work| points(&judged(&names, &[work]).0[0], "kind");
    assert!(kind(played) < kind(drawn));
}

#[test]
fn the_work_needs_the_season_and_the_episode() {
    spec!("matching#kind-and-episodes-have-to-fit/season-or-episode-that-there-is-not");
    let work = series(1, "Lanterns of Oor", 2003, &[10, 8]);
    let fits = show("Lanterns of Oor", &[(1, 10), (2, 8)]);
    assert_eq!(sure(&fits, std::slice::from_ref(&work)), 1);
    let (good, _) = judged(&fits, std::slice::from_ref(&work));
    for (episodes, expected) in [
        (&[(1, 1), (3, 1)][..], "the source knows no season 3 of the work"),
        (&[(2, 9)][..], "season 2 has 8 episodes, the files count to 9"),
    ] {
        let names = show("Lanterns of Oor", episodes);
        assert_eq!(asked(&names, std::slice::from_ref(&work)), expected);
        let (scored, _) = judged(&names, std::slice::from_ref(&work));
        assert_eq!(detail(&scored[0], "episodes"), expected);
        assert!(scored[0].score < good[0].score);
    }
    // `1-8 из 12` of a season of ten.
    let mut names = show("Lanterns of Oor", &[(1, 1)]);
    names.fields.episode_count = Some(12);
    assert!(asked(&names, std::slice::from_ref(&work)).contains("speak of 12 episodes"));
    names.fields.episode_count = Some(10);
    assert_eq!(sure(&names, std::slice::from_ref(&work)), 1);
    // A number without a season, where there are several.
    let mut names = show("Lanterns of Oor", &[(1, 1)]);
    names.fields.seasons.clear();
    names.files[0].fields.seasons.clear();
    assert!(asked(&names, &[work]).contains("no season"));
}

#[test]
fn specials_and_fractions_are_asked() {
    spec!("matching#kind-and-episodes-have-to-fit/specials-and-fractions");
    let mut work = series(1, "Lanterns of Oor", 2003, &[13]);
    let special = show("Lanterns of Oor", &[(0, 1), (1, 1)]);
    let doubt = asked(&special, std::slice::from_ref(&work));
    assert_eq!(doubt, "the source knows no specials of the work");
    let mut between = show("Lanterns of Oor", &[(1, 12)]);
    between.files[0].fields.episodes = vec![EpisodeNumber::with_hundredths(12, 50)];
    let doubt = asked(&between, std::slice::from_ref(&work));
    assert_eq!(doubt, "episode 12.5 stands between two episodes");
    work.seasons[0].number = 0;
    work.seasons.extend(series(1, "", 0, &[13]).seasons);
    assert_eq!(sure(&special, &[work]), 1);
}

#[test]
fn a_number_without_a_season_is_asked() {
    spec!("matching#kind-and-episodes-have-to-fit/number-without-a-season");
    let mut work = series(1, "Lanterns of Oor", 2003, &[50, 50]);
    work.animated = true;
    let works = [work];
    let doubt = asked(&counted(TitleKind::Series, "Lanterns of Oor", &[89]), &works);
    assert_eq!(doubt, "number 89 may count through all seasons or within one");
    assert_eq!(sure(&counted(TitleKind::Anime, "Lanterns of Oor", &[89]), &works), 1);
    let doubt = asked(&counted(TitleKind::Anime, "Lanterns of Oor", &[101]), &works);
    assert_eq!(doubt, "number 101 has no place among the 100 episodes of the work");

    let mut said = counted(TitleKind::Series, "Lanterns of Oor", &[89]);
    let problems = apply_overrides(&mut said, &[("numbering".to_owned(), "absolute".to_owned())]);
    assert_eq!(problems, []);
    assert_eq!(sure(&said, &works), 1);
}
