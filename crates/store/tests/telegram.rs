//! What the bot has to know after any end of the process.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Fixture, v1};
use tracker_domain::{DownloadCause, DownloadId};
use tracker_store::{Reason, TelegramMessage, TelegramRole};
use tracker_testkit::spec;

const GROUP: i64 = -500;
const PERSON: i64 = 77;

fn status(download: DownloadId, chat_id: i64, message_id: i64) -> TelegramMessage {
    TelegramMessage {
        chat_id,
        message_id,
        thread_id: Some(9),
        answers: Some(3),
        download_id: download,
        role: TelegramRole::Status,
        has_photo: false,
        shown_digest: Some("digest".to_owned()),
        shown_revision: Some(1),
    }
}

fn remember(fixture: &Fixture, shown: &TelegramMessage) {
    fixture.write(|tx| tx.remember_telegram_message(shown));
}

#[test]
fn an_update_is_known_once_handled_and_the_next_is_behind_it() {
    spec!("telegram#it-goes-on-where-it-was/each-update-once");
    let fixture = Fixture::new();
    assert_eq!(fixture.get(|tx| tx.telegram_offset()), None);
    assert!(!fixture.get(|tx| tx.is_telegram_update_done(41)));
    fixture.write(|tx| tx.telegram_update_done(41));
    fixture.write(|tx| tx.telegram_update_done(41));
    assert!(fixture.get(|tx| tx.is_telegram_update_done(41)));
    assert_eq!(fixture.get(|tx| tx.telegram_offset()), Some(42));
    // After a silence of a week Telegram goes on with any other number.
    fixture.clock.advance_seconds(7 * 24 * 60 * 60 + 1);
    fixture.write(|tx| tx.telegram_update_done(7));
    assert_eq!(fixture.get(|tx| tx.telegram_offset()), Some(8));
    assert!(!fixture.get(|tx| tx.is_telegram_update_done(41)), "forgotten");
}

#[test]
fn addresses_of_webhooks_are_known_until_it_reads_from_the_front() {
    spec!("telegram#updates-are-brought/back-to-asking");
    let fixture = Fixture::new();
    assert_eq!(fixture.get(|tx| tx.telegram_webhooks()), [""; 0]);
    let both = ["https://a.example/t", "https://b.example/t?x=%0A"].map(str::to_owned);
    for urls in [&both[..], &both[..1], &both[..]] {
        fixture.write(|tx| tx.remember_telegram_webhooks(urls));
        assert_eq!(fixture.get(|tx| tx.telegram_webhooks()), urls);
    }
    fixture.write(|tx| tx.telegram_update_done(41));
    fixture.write(|tx| tx.forget_telegram_webhooks());
    assert_eq!(fixture.get(|tx| tx.telegram_webhooks()), [""; 0]);
    assert_eq!(fixture.get(|tx| tx.telegram_offset()), None);
    assert!(fixture.get(|tx| tx.is_telegram_update_done(41)), "nothing is handled twice");
}

#[test]
fn the_newest_thousand_are_known() {
    let fixture = Fixture::new();
    fixture.write(|tx| (990..=2001).try_for_each(|update| tx.telegram_update_done(update)));
    let known = |update| fixture.get(|tx| tx.is_telegram_update_done(update));
    assert_eq!([known(1001), known(1002), known(2001)], [false, true, true]);
}

#[test]
fn one_message_in_a_chat_shows_a_download() {
    spec!("telegram#it-goes-on-where-it-was/one-message-a-download");
    let fixture = Fixture::new();
    let id = fixture.create(&[v1(1)]);
    for shown in [status(id, PERSON, 1), status(id, GROUP, 1), status(id, PERSON, 2)] {
        remember(&fixture, &shown);
    }
    let shown = fixture.get(|tx| tx.telegram_statuses(id));
    assert_eq!(shown, [status(id, GROUP, 1), status(id, PERSON, 2)]);
    let former = fixture.get(|tx| tx.telegram_message(PERSON, 1)).unwrap();
    assert_eq!(former.role, TelegramRole::Notice, "its buttons still act");
    let edited = TelegramMessage { shown_revision: Some(4), ..status(id, PERSON, 2) };
    remember(&fixture, &edited);
    assert_eq!(fixture.get(|tx| tx.telegram_message(PERSON, 2)), Some(edited));
    fixture.write(|tx| tx.forget_telegram_message(PERSON, 2));
    assert_eq!(fixture.get(|tx| tx.telegram_statuses(id)), [status(id, GROUP, 1)]);
}

#[test]
fn what_shows_a_past_revision_is_found() {
    spec!("telegram#a-message-follows-a-download/after-a-restart");
    let fixture = Fixture::new();
    let (id, other) = (fixture.create(&[v1(1)]), fixture.create(&[v1(2)]));
    let current = |id| TelegramMessage {
        shown_revision: Some(fixture.revision(id)),
        ..status(id, PERSON, if id == other { 2 } else { 1 })
    };
    remember(&fixture, &current(id));
    remember(&fixture, &current(other));
    let outdated = || fixture.get(|tx| tx.outdated_telegram_statuses(10));
    assert_eq!(outdated(), []);
    fixture.write(|tx| {
        tx.set_download_state(id, DownloadCause::Shown, &Reason::none())?.unwrap();
        Ok(())
    });
    assert_eq!(outdated(), [id]);
    fixture.write(|tx| tx.meet_telegram_chat(PERSON, "private", None));
    fixture.write(|tx| tx.close_telegram_chat(PERSON));
    assert_eq!(outdated(), [], "nothing can be shown there");
    fixture.write(|tx| tx.meet_telegram_chat(PERSON, "private", None));
    assert_eq!(outdated(), [id], "who writes opens it");
    remember(&fixture, &current(id));
    assert_eq!(outdated(), []);
}

#[test]
fn a_group_is_followed_to_what_it_became() {
    spec!("telegram#groups/a-group-that-became-another");
    let fixture = Fixture::new();
    fixture.write(|tx| tx.meet_telegram_chat(GROUP, "group", Some("Films")));
    fixture.write(|tx| tx.telegram_chat_became(GROUP, -100_500));
    fixture.write(|tx| tx.telegram_chat_became(-100_500, -100_600));
    fixture.write(|tx| tx.telegram_chat_became(-100_500, -100_600));
    let became = |chat| fixture.get(|tx| tx.telegram_chat(chat)).unwrap().became;
    assert_eq!([became(GROUP), became(-100_500)], [Some(-100_600), Some(-100_600)]);
    let former = fixture.get(|tx| tx.former_telegram_chats(-100_600));
    assert_eq!(former, [-100_500, GROUP]);
    let chat = fixture.get(|tx| tx.telegram_chat(GROUP)).unwrap();
    assert_eq!((chat.kind.as_str(), chat.title.as_deref()), ("group", Some("Films")));
}

#[test]
fn a_stranger_is_refused_once_and_a_language_is_kept() {
    spec!("telegram#who-may-use-it/a-stranger");
    let fixture = Fixture::new();
    assert!(fixture.write(|tx| tx.refuse_telegram_person(PERSON, "Ann")));
    assert!(!fixture.write(|tx| tx.refuse_telegram_person(PERSON, "Ann B")));
    fixture.write(|tx| tx.set_telegram_language(PERSON, "Ann B", "ru"));
    let person = fixture.get(|tx| tx.telegram_person(PERSON)).unwrap();
    assert_eq!((person.name.as_str(), person.language.as_deref()), ("Ann B", Some("ru")));
    assert!(person.refused_at.is_some());
    assert_eq!(fixture.get(|tx| tx.telegram_person(1)), None);
}
