//! Every sentence is made and read back the same.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Percent, Quoted, Remark, Sentence, Value};

/// A remark of each code, with these in the places of its values.
fn one_of_each(text: &str, number: u32) -> Vec<Remark> {
    let numbered = |sentence: &Sentence, name: &str| match (sentence.code, name) {
        (_, "title") if sentence.text.contains('\u{201c}') => text.to_owned(),
        (_, "name" | "title" | "value") | ("unknown-field", "field") => {
            Quoted(text.to_owned()).to_string()
        }
        (_, "field" | "fields" | "extension") => text.to_owned(),
        (_, "percent" | "likeness") => (number % 101).to_string(),
        (_, "work" | "pin") => format!("tmdb:movie/{number}"),
        (_, "source") => "tvmaze".to_owned(),
        (_, "kind") => "series".to_owned(),
        (_, "reason" | "expected" | "now") => Remark::ExpectSeason.to_string(),
        (_, "before") => Remark::ReadAsTitle { title: text.to_owned() }.to_string(),
        _ => number.to_string(),
    };
    let made = |sentence: &Sentence| {
        let names = sentence.names();
        let text = names.fold(sentence.text.to_owned(), |made, name| {
            made.replace(&format!("{{{name}}}"), &numbered(sentence, name))
        });
        let remark = Remark::read(&text);
        assert_eq!(remark.code(), Some(sentence.code), "{text}");
        assert_eq!(remark, text.as_str());
        let told: Vec<_> = remark.values().into_iter().map(|(name, _)| name).collect();
        let named: BTreeSet<_> = sentence.names().collect();
        assert_eq!(told.iter().copied().collect::<BTreeSet<_>>(), named, "{text}");
        remark
    };
    Remark::ALL.iter().map(made).collect()
}

#[test]
fn every_code_and_every_sentence_is_there_once() {
    let codes: BTreeSet<_> = Remark::ALL.iter().map(|sentence| sentence.code).collect();
    let texts: BTreeSet<_> = Remark::ALL.iter().map(|sentence| sentence.text).collect();
    assert_eq!((codes.len(), texts.len()), (Remark::ALL.len(), Remark::ALL.len()));
    let plain = |code: &str| code.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase());
    assert!(codes.iter().all(|code| plain(code)));
}

#[test]
fn a_sentence_of_another_version_stays_as_it_is() {
    for text in ["", "something else", "season x has 10 episodes, the files count to 12"] {
        let remark = Remark::read(text);
        assert_eq!((remark.code(), remark.values()), (None, Vec::new()));
        assert_eq!(remark, text);
    }
}

#[test]
fn a_list_is_read_by_its_sentences() {
    let told = |text: &str| -> Vec<Option<&str>> {
        Remark::read_list(text).iter().map(Remark::code).collect()
    };
    assert_eq!(told(""), []);
    assert_eq!(told("the names give no year; it is a disc"), [Some("no-year"), Some("is-disc")]);
    // The mark that parts them is in these sentences too.
    assert_eq!(told("the names give no year; the work is of 2003"), [Some("year-not-named")]);
    assert_eq!(
        told("it is a disc; 2005 may be the year of a later season; it began in 2003; who knows"),
        [Some("is-disc"), Some("year-of-later-season"), None]
    );
    assert_eq!(
        told("the names give no year; \u{201c}A; B\u{201d} (no year) is it; the files are odd"),
        [Some("no-year"), None, None, None]
    );
}

#[test]
fn values_say_what_they_are() {
    let read = |text: &str| Remark::read(text).values();
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(
        read("season 1 has 10 episodes, the files count to 12.5"),
        [("season", Value::Count(1)), ("episodes", Value::Count(10)), ("last", text("12.5"))]
    );
    assert_eq!(
        read("\"A \\\"B\\\" (1999)\" (2003) fits nearly as well: tmdb:tv/7"),
        [("title", text("A \"B\" (1999)")), ("year", text("2003")), ("work", text("tmdb:tv/7"))]
    );
    assert_eq!(
        read("the sources found only other works: another title"),
        [("reason", Value::Remark(Box::new(Remark::TitleOther)))]
    );
    assert_eq!(Percent::of(0.625).to_string(), format!("{:.0}", 62.5));
}

proptest! {
    #[test]
    fn what_is_made_is_read(text in "[^\u{201c}\u{201d}]{1,24}", number in 1..100_000_u32) {
        for remark in one_of_each(&text, number) {
            prop_assert_eq!(&Remark::read(&remark.to_string()), &remark);
            prop_assert_eq!(Remark::read_list(&remark.to_string()).len(), 1, "{}", remark);
        }
    }

    #[test]
    fn quotation_marks_hold_any_text(title: String, year: i32) {
        let work = "tvmaze:82".parse().unwrap();
        for remark in [
            Remark::RivalOfYear { title: Quoted(title.clone()), year, work },
            Remark::TitleClose { name: Quoted(title), likeness: Percent::of(0.9) },
        ] {
            prop_assert_eq!(Remark::read(&remark.to_string()), remark);
        }
    }

    #[test]
    fn a_list_says_what_was_joined(picked in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let all = one_of_each("Some Title", 3);
        let remarks: Vec<Remark> = picked.iter().map(|at| at.get(&all).clone()).collect();
        let text = Remark::join(&remarks);
        prop_assert_eq!(Remark::join(&Remark::read_list(&text)), text);
    }

    #[test]
    fn any_text_is_read(text: String) {
        prop_assert_eq!(Remark::read(&text), text.as_str());
    }
}
