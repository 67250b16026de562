//! Answers to commands.

use tracker_app::{HealthLevel, HealthView, InboxView, SearchView};
use tracker_domain::DownloadState;
use tracker_testkit::spec;

use super::samples::{check, checks, download, entry, found, group, inbox};
use super::{Mouth, addresses, labels, read, verbs};
use crate::callback::Verb;
use crate::screens::{Phrase, Voice, commands, events, health, help, list, search};

#[test]
fn downloads_by_who_must_act() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let screen = list(&mouth.english(), &inbox("Show"));
    let text = read(&screen);
    let first = "Needs you\n1. Show (2018) · ⚠ needs review · 71 %\n2. Show";
    assert!(text.starts_with(first), "{text}");
    let rest = "\nand 7 more\n\nActive\n6. Show · downloading 43 %\n\nDone\n7. Show (2018) · done";
    assert!(text.ends_with(rest), "{text}");
    let shown = [vec!["1", "2", "3", "4", "5"], vec!["6", "7"], vec!["Open page"]];
    assert_eq!(labels(&screen), shown);
    assert!(verbs(&screen).iter().all(|verb| *verb == Verb::Show));
    let empty = || group(Vec::new(), Some(0));
    let none = InboxView { needs_you: empty(), active: empty(), done: empty() };
    assert_eq!(
        read(&list(&mouth.russian(), &none)),
        "Загрузок нет. Пришлите magnet-ссылку, чтобы начать."
    );
    let mut only_done = inbox("Show");
    (only_done.needs_you, only_done.active) = (empty(), empty());
    let text = read(&list(&mouth.english(), &only_done));
    assert!(text.starts_with("Needs you\nNothing needs you.\n\nActive\nNothing is under way.\n"));
}

#[test]
fn what_was_found() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let screen = search(&mouth.english(), "the show & co", &found("Show"));
    let text = read(&screen);
    assert!(text.contains("\n1. Show · downloading 43 %\n"), "{text}");
    let end = "\nand 1 more\nShow (1999) · film · tmdb:movie/603 · in the library\n\
               tvmaze: does not answer";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(addresses(&screen), ["https://tracker.example/t/search?q=the+show+%26+co"]);
    let gone = SearchView { removed: vec![download("Gone")], ..SearchView::default() };
    assert_eq!(read(&search(&mouth.english(), "gone", &gone)), "1. Gone · removed");
    let none = search(&mouth.russian(), "нечто", &SearchView::default());
    assert_eq!(read(&none), "Ничего не найдено: нечто");
}

#[test]
fn what_does_not_work() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let text = read(&health(&mouth.english(), &checks("no answer at the address")));
    let worst_first = "Health\n\n✗ Torrent client does not answer · qbt\nno answer at the address\n\
                       What to do: Start it.\n\n• Metadata source asks for patience · qbt\n";
    assert!(text.starts_with(worst_first), "{text}");
    assert!(!text.contains("Database"), "what is fine needs no line");
    let well = vec![check("database", HealthLevel::Ok, "fine")];
    let well = HealthView { status: HealthLevel::Ok, checks: well };
    assert_eq!(read(&health(&mouth.russian(), &well)), "Состояние\n✓ Всё в порядке.");
    let text = read(&health(&mouth.russian(), &checks("no answer")));
    assert!(!text.contains("Start it."), "the catalogue has the same in Russian: {text}");
}

#[test]
fn what_happened_last() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let mut nameless = entry("", 2);
    nameless.entity_name = None;
    let text = read(&events(&mouth.english(), &[entry("Show", 1), nameless]));
    let lines = "What happened last\n11:00 · links made · Show\n\
                 11:00 · links made · 3 links were made";
    assert_eq!(text, lines);
    assert_eq!(read(&events(&mouth.russian(), &[])), "Последние события\nЗаписей нет.");
}

#[test]
fn what_can_be_sent() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let offered = commands(&mouth.english());
    assert_eq!(offered.len(), 7);
    assert_eq!(offered[0], ("list", "Downloads, by who must act".to_owned()));
    let text = read(&help(&mouth.russian()));
    assert!(text.starts_with("Пришлите magnet-ссылку"), "{text}");
    for (name, about) in commands(&mouth.russian()) {
        assert!(text.contains(&format!("\n/{name} — {about}")), "{name}");
    }
    let viewer = Voice { may_change: false, ..mouth.english() };
    assert!(read(&help(&viewer)).starts_with("You may look, and change nothing."));
}

#[test]
fn short_answers() {
    spec!("telegram#screens-of-a-chat/short-answers");
    let mouth = Mouth::new();
    let stale = "This changed meanwhile. Here is how it is now; nothing was done.";
    assert_eq!(Phrase::Changed.text(&mouth.english()), stale);
    assert_eq!(
        Phrase::Stranger.text(&mouth.russian()),
        "Этот бот работает только для своего владельца."
    );
    for phrase in Phrase::ALL {
        for voice in [mouth.english(), mouth.russian()] {
            let text = phrase.text(&voice);
            assert!(!text.is_empty() && text.encode_utf16().count() <= 200, "{text}");
            let screen = phrase.screen(&voice);
            assert_eq!((read(&screen), screen.keyboard()), (text, None));
        }
    }
}

#[test]
fn a_download_that_ended_shows_no_share() {
    spec!("telegram#screens-of-a-chat/lists");
    let mouth = Mouth::new();
    let mut all = inbox("Show");
    all.active.rows[0].download.state = DownloadState::Downloaded;
    assert!(read(&list(&mouth.english(), &all)).contains("6. Show · complete\n"));
}
