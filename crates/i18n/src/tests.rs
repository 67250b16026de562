//! Both languages say the same things, with the same names in them.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement,
};
use fluent_syntax::parser::parse;
use proptest::prelude::{prop_assert, proptest};
use tracker_domain::{Remark, Timestamp};
use tracker_testkit::spec;

use crate::{Argument, Catalogue, Language, Zone, accepted, percent, points, seconds, size, speed};

fn catalogue() -> Catalogue {
    Catalogue::new().unwrap()
}

/// The names and the plural forms of each key of one file.
type Shapes = BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>;

fn shapes(source: &str) -> Shapes {
    let resource = parse(source).map_err(|(_, faults)| faults).unwrap();
    let mut found = Shapes::new();
    for entry in resource.body {
        let Entry::Message(message) = entry else { continue };
        let mut shape = (BTreeSet::new(), BTreeSet::new());
        of_pattern(&message.value.expect("each message has a text"), &mut shape);
        assert!(found.insert(message.id.name.to_owned(), shape).is_none(), "{}", message.id.name);
    }
    found
}

fn of_pattern(pattern: &Pattern<&str>, shape: &mut (BTreeSet<String>, BTreeSet<String>)) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            match expression {
                Expression::Inline(inline) => of_inline(inline, shape),
                Expression::Select { selector, variants } => {
                    of_inline(selector, shape);
                    for variant in variants {
                        let fluent_syntax::ast::VariantKey::Identifier { name } = variant.key
                        else {
                            continue;
                        };
                        shape.1.insert(name.to_owned());
                        of_pattern(&variant.value, shape);
                    }
                }
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, shape: &mut (BTreeSet<String>, BTreeSet<String>)) {
    match inline {
        InlineExpression::VariableReference { id } => {
            shape.0.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference {
            arguments: CallArguments { positional, .. }, ..
        } => {
            positional.iter().for_each(|inline| of_inline(inline, shape));
        }
        _ => {}
    }
}

#[test]
fn both_languages_say_the_same() {
    spec!("web-ui#pages-speak-russian-and-english/the-same-texts");
    for (en, ru) in [
        (include_str!("../locales/en/pages.ftl"), include_str!("../locales/ru/pages.ftl")),
        (include_str!("../locales/en/words.ftl"), include_str!("../locales/ru/words.ftl")),
        (include_str!("../locales/en/telegram.ftl"), include_str!("../locales/ru/telegram.ftl")),
    ] {
        let (en, ru) = (shapes(en), shapes(ru));
        let keys = |shapes: &Shapes| shapes.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(&en), keys(&ru));
        for (key, (names, forms)) in &en {
            let (other_names, other_forms) = &ru[key];
            assert_eq!(names, other_names, "{key}");
            let numbers = |forms: &BTreeSet<String>| forms.contains("other");
            assert_eq!(numbers(forms), numbers(other_forms), "{key}");
            if numbers(forms) {
                let all = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
                assert_eq!(*forms, all(&["one", "other"]), "{key}");
                assert_eq!(*other_forms, all(&["one", "few", "many", "other"]), "{key}");
            }
        }
    }
}

#[test]
fn every_remark_has_a_text() {
    spec!("web-ui#pages-speak-russian-and-english/every-remark-has-a-text");
    let texts = catalogue();
    let ru = shapes(include_str!("../locales/ru/remarks.ftl"));
    let codes: BTreeSet<String> =
        Remark::ALL.iter().map(|sentence| format!("remark-{}", sentence.code)).collect();
    assert_eq!(ru.keys().cloned().collect::<BTreeSet<_>>(), codes);
    for sentence in Remark::ALL {
        let (names, forms) = &ru[&format!("remark-{}", sentence.code)];
        assert_eq!(*names, sentence.names().map(str::to_owned).collect(), "{}", sentence.code);
        let all = ["one", "few", "many", "other"].map(str::to_owned);
        assert!(forms.is_empty() || *forms == all.into(), "{}", sentence.code);
        if sentence.names().next().is_none() {
            let remark = Remark::read(sentence.text);
            assert_eq!(texts.remark(Language::En, &remark), sentence.text);
            let said = texts.remark(Language::Ru, &remark);
            assert!(said != sentence.text && !said.contains('{'), "{said}");
        }
    }
}

#[test]
fn a_remark_is_said_with_its_values() {
    let texts = catalogue();
    for (sentence, said) in [
        (
            "season 2 has 21 episodes, the files count to 24",
            "в сезоне 2 всего 21 серия, а файлы доходят до номера 24",
        ),
        (
            "the names give no season, and the work has 5",
            "в именах нет сезона, а у произведения 5 сезонов",
        ),
        (
            "the names give no year; the work is of 2003",
            "в именах нет года; год произведения — 2003",
        ),
        (
            "the sources found only other works: another title",
            "источники нашли только другие произведения: другое название",
        ),
        ("\u{201c}Film\u{201d} (no year, movie)", "«Film» (без года, фильм)"),
        (
            "\"A \\\"B\\\"\" fits nearly as well: tmdb:movie/7",
            "«A \"B\"» подходит почти так же: tmdb:movie/7",
        ),
        ("a sentence of another version", "a sentence of another version"),
    ] {
        let remark = Remark::read(sentence);
        assert_eq!(texts.remark(Language::Ru, &remark), said);
        assert_eq!(texts.remark(Language::En, &remark), sentence);
    }
}

#[test]
fn numbers_choose_the_form() {
    spec!("web-ui#pages-speak-russian-and-english/plural-forms");
    let texts = catalogue();
    let said = |language, n| texts.text(language, "plan-links", &[("n", Argument::Count(n))]);
    for (n, en, ru) in [
        (0, "0 links", "0 ссылок"),
        (1, "1 link", "1 ссылка"),
        (2, "2 links", "2 ссылки"),
        (5, "5 links", "5 ссылок"),
        (11, "11 links", "11 ссылок"),
        (21, "21 links", "21 ссылка"),
        (22, "22 links", "22 ссылки"),
        (112, "112 links", "112 ссылок"),
    ] {
        assert_eq!(said(Language::En, n), en);
        assert_eq!(said(Language::Ru, n), ru);
    }
}

#[test]
fn what_has_no_text_is_told_by_its_key() {
    let texts = catalogue();
    assert_eq!(texts.text(Language::Ru, "no-such-key", &[]), "no-such-key");
    assert!(!texts.has(Language::Ru, "no-such-key"));
    assert_eq!(texts.find(Language::Ru, "no-such-key", &[]), None);
}

#[test]
fn the_language_that_is_wanted_most() {
    for (header, wanted) in [
        ("ru-RU,ru;q=0.9,en;q=0.8", Some(Language::Ru)),
        ("en;q=0.5, ru;q=0.9", Some(Language::Ru)),
        ("de, fr;q=0.9", None),
        ("de, EN;q=0.1", Some(Language::En)),
        ("ru;q=0, en", Some(Language::En)),
        ("ru;q=2", None),
        ("", None),
    ] {
        assert_eq!(accepted(header), wanted, "{header}");
    }
}

#[test]
fn sizes_and_spans() {
    let texts = catalogue();
    for (bytes, en, ru) in [
        (0, "0 B", "0 Б"),
        (1023, "1023 B", "1023 Б"),
        (1024, "1.0 KiB", "1,0 КиБ"),
        (1_048_575, "1.0 MiB", "1,0 МиБ"),
        (4_299_161, "4.1 MiB", "4,1 МиБ"),
        (5 << 40, "5.0 TiB", "5,0 ТиБ"),
    ] {
        assert_eq!(size(&texts, Language::En, bytes), en);
        assert_eq!(size(&texts, Language::Ru, bytes), ru);
    }
    assert_eq!(speed(&texts, Language::Ru, 2048), "2,0 КиБ/с");
    for (span, en, ru) in [
        (0, "0 s", "0 с"),
        (59, "59 s", "59 с"),
        (3600, "1 h", "1 ч"),
        (12_000, "3 h 20 min", "3 ч 20 мин"),
        (90_000, "1 day 1 h", "1 день 1 ч"),
        (432_000, "5 days", "5 дней"),
    ] {
        assert_eq!(seconds(&texts, Language::En, span), en);
        assert_eq!(seconds(&texts, Language::Ru, span), ru);
    }
    assert_eq!((percent(1, 0), percent(999, 1000), percent(1000, 1000)), (0, 99, 100));
}

#[test]
fn points_have_a_sign_and_two_decimals() {
    spec!("web-ui#pages-speak-russian-and-english/figures-of-a-score");
    for (counts, en, ru) in [
        (0.018_000_000_000_000_002, "+0.02", "+0,02"),
        (0.6, "+0.60", "+0,60"),
        (-0.1, "−0.10", "−0,10"),
        (0.0, "0.00", "0,00"),
        (-0.001, "0.00", "0,00"),
        (12.345, "+12.35", "+12,35"),
    ] {
        assert_eq!(points(Language::En, counts), en);
        assert_eq!(points(Language::Ru, counts), ru);
    }
}

#[test]
fn moments_in_the_zone_of_the_reader() {
    let texts = catalogue();
    let at: Timestamp = "2026-03-29T00:30:00Z".parse().unwrap();
    let now: Timestamp = "2026-03-29T09:00:00Z".parse().unwrap();
    let later: Timestamp = "2027-01-01T09:00:00Z".parse().unwrap();
    let berlin: Zone = "Europe/Berlin".parse().unwrap();
    assert_eq!(berlin.moment(&texts, Language::En, at), "29 Mar 2026, 01:30:00 +01:00");
    assert_eq!(berlin.moment(&texts, Language::Ru, now), "29 марта 2026, 11:00:00 +02:00");
    assert_eq!(berlin.brief(&texts, Language::En, at, now), "01:30");
    assert_eq!(berlin.brief(&texts, Language::Ru, at, later), "29 марта 2026");
    let new_york: Zone = "America/New_York".parse().unwrap();
    assert_eq!(new_york.brief(&texts, Language::En, at, now), "28 Mar");
    assert!("Nowhere/Atlantis".parse::<Zone>().is_err());
}

proptest! {
    #[test]
    fn any_header_is_read(header in ".{0,60}") {
        let _ = accepted(&header);
    }

    #[test]
    fn a_size_is_short(bytes: u64) {
        let text = size(&catalogue(), Language::En, bytes);
        prop_assert!(!text.contains("{$") && text.split(' ').count() == 2, "{text}");
    }
}
