//! Names against names.

use tracker_testkit::spec;

use super::{asked, detail, film, judged, movie, points, sure};
use crate::matching::fold::{Folded, Likeness};

fn likeness(one: &str, other: &str) -> Likeness {
    let (one, other) = (Folded::new(one), Folded::new(other));
    let there = one.likeness(&other);
    assert_eq!(there, other.likeness(&one), "the order of two names does not matter");
    there
}

#[test]
fn one_equal_name_is_enough() {
    spec!("matching#titles-are-compared-in-every-language/equal-in-one-language");
    let mut other = movie(1, "Das Aschenufer", 2011);
    other.original_title = Some("Ashen Shore".to_owned());
    other.other_titles = vec!["Пепельный берег".to_owned(), "Cinder Coast".to_owned()];
    for (ours, expected) in [
        ("Пепельный Берег", "title equals the Russian name"),
        ("ashen shore", "title equals the original name"),
        ("Das Aschenufer", "title equals the name"),
        ("Cinder Coast", "title equals a further name"),
    ] {
        let names = film(ours, 2011);
        let works = [other.clone()];
        assert_eq!(sure(&names, &works), 1);
        let (scored, _) = judged(&names, &works);
        assert_eq!(detail(&scored[0], "title"), expected);
        assert!((points(&scored[0], "title") - 0.55).abs() < 1e-9);
    }
    assert_eq!(sure(&film("Ashen Shore", 2011), &[movie(1, "Ashen Shore (2011)", 2011)]), 1);
    let mut names = film("Nothing Alike", 2011);
    names.fields.title_ru = Some("Пепельный берег".to_owned());
    assert_eq!(sure(&names, &[other]), 1);
}

#[test]
fn spelling_does_not_count() {
    spec!("matching#titles-are-compared-in-every-language/spelled-otherwise");
    for (one, other) in [
        ("Fog & Ember", "Fog and Ember"),
        ("Зелёный дом", "ЗЕЛЕНЫЙ ДОМ"),
        ("Café Ørsted", "Cafe Orsted"),
        ("The Ashen Shore", "Ashen Shore, The"),
        ("An Ashen Shore", "Ashen Shore"),
        ("Nobody's Harbour", "Nobodys Harbour"),
        ("Nobody’s Harbour", "Nobody's harbour!"),
        ("Iron Meadow II", "Iron Meadow 2"),
        ("Iron-Meadow", "Iron.Meadow"),
        ("Ｉｒｏｎ Meadow", "Iron Meadow"),
        ("Straße", "STRASSE"),
        ("The The", "the the"),
        ("A.O. Rising", "AO Rising"),
    ] {
        assert_eq!(likeness(one, other), Likeness::Equal, "{one} and {other}");
    }
}

#[test]
fn near_names_count_in_part() {
    spec!("matching#titles-are-compared-in-every-language/nearly-equal");
    for (one, other) in [
        ("Ashen Shore", "Ashen Shores"),
        ("Ashen Shore", "Ahsen Shore"),
        ("Shore of Ashes", "Ashes of Shore"),
    ] {
        let found = likeness(one, other);
        assert!(
            matches!(found, Likeness::Near(ratio) if ratio >= 0.8),
            "{one}, {other}: {found:?}"
        );
        let doubt = asked(&film(one, 2011), &[movie(1, other, 2011)]);
        assert!(doubt.contains("title is close to"), "{doubt}");
    }
}

#[test]
fn subtitles_and_numbers_count_less() {
    spec!("matching#titles-are-compared-in-every-language/subtitle-or-number");
    for (one, other, expected) in [
        ("Iron Meadow", "Iron Meadow: The Last Harvest", Likeness::Extended),
        ("The Last Harvest", "Iron Meadow: The Last Harvest", Likeness::Extended),
        ("Iron Meadow", "Iron Meadow 2", Likeness::Renumbered),
        ("Iron Meadow 3", "Iron Meadow 2", Likeness::Renumbered),
        ("Iron Meadow III", "Iron Meadow IV", Likeness::Renumbered),
    ] {
        assert_eq!(likeness(one, other), expected, "{one} and {other}");
    }
    let names = film("Iron Meadow", 2011);
    let works = [movie(1, "Iron Meadow: The Last Harvest", 2011), movie(2, "Iron Meadow 2", 2011)];
    let (scored, _) = judged(&names, &works);
    assert_eq!(scored.iter().map(|scored| scored.work.id.number).collect::<Vec<_>>(), [1, 2]);
    assert!(asked(&names, &works[..1]).contains("differ by a subtitle"));
    assert!(asked(&names, &works[1..]).contains("differ by a number"));
}

#[test]
fn other_titles_are_excluded() {
    spec!("matching#titles-are-compared-in-every-language/another-title");
    for (one, other) in [
        ("Ashen Shore", "Quiet Orchard"),
        ("1923", "1932"),
        ("Ashen Shore", ""),
        ("???", "???"),
        ("Ash", "Ashen Shore of Everlasting Fire and Ice"),
    ] {
        let found = likeness(one, other);
        assert!(!matches!(found, Likeness::Equal | Likeness::Near(_)), "{one}, {other}");
    }
    let (scored, judgement) =
        judged(&film("Ashen Shore", 2011), &[movie(1, "Quiet Orchard", 2011)]);
    assert!(scored[0].excluded.as_ref().is_some_and(|why| *why == "another title"));
    assert_eq!(judgement.best, None);
}

#[test]
fn long_names_are_cut() {
    let long = "ab ".repeat(100_000);
    assert_eq!(likeness(&long, &long), Likeness::Equal);
    assert!(Folded::new(&long).key().len() < 1000);
}
