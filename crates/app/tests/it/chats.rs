//! What a bot keeps, and what it tells of itself.

use tracker_app::{HealthLevel, TelegramMessage, TelegramRole};
use tracker_domain::access::Language;
use tracker_domain::health::Level;
use tracker_testkit::spec;

use crate::fixture::{Fixture, NO_WISH, actor};

#[tokio::test]
async fn it_is_known_how_far_the_bot_has_read() {
    spec!("telegram#it-goes-on-where-it-was/each-update-once");
    let fixture = Fixture::new();
    let chats = &fixture.app.chats;
    assert_eq!(chats.offset().await.unwrap(), None);
    chats.done(7).await.unwrap();
    let again = fixture.another_process();
    let offset = again.read(|tx| tx.telegram_offset()).await.unwrap();
    assert_eq!(offset, Some(8), "also for the next process");
    assert!(chats.is_done(7).await.unwrap());
    assert!(!chats.is_done(8).await.unwrap());
}

#[tokio::test]
async fn what_was_given_to_telegram_is_known_to_the_next_process() {
    spec!("telegram#updates-are-brought/back-to-asking");
    let fixture = Fixture::new();
    let chats = &fixture.app.chats;
    chats.done(7).await.unwrap();
    chats.remember_webhooks(vec!["https://a.example/t".to_owned()]).await.unwrap();
    let again = fixture.another_process();
    let kept = again.read(|tx| tx.telegram_webhooks()).await.unwrap();
    assert_eq!(kept, chats.webhooks().await.unwrap());
    assert_eq!(kept, ["https://a.example/t"]);
    chats.forget_webhooks().await.unwrap();
    assert_eq!(chats.webhooks().await.unwrap(), [""; 0]);
    assert_eq!(chats.offset().await.unwrap(), None);
}

#[tokio::test]
async fn a_message_is_found_until_it_is_gone_and_outdated_once_the_download_changed() {
    spec!("telegram#a-message-follows-a-download/after-a-restart");
    let fixture = Fixture::new();
    let (chats, id) = (&fixture.app.chats, fixture.accept(1).await);
    let shown = TelegramMessage {
        chat_id: 5,
        message_id: 1,
        thread_id: None,
        answers: None,
        download_id: id,
        role: TelegramRole::Status,
        has_photo: false,
        shown_digest: None,
        shown_revision: Some(fixture.app.intake.show(id).await.unwrap().revision),
    };
    chats.remember(shown.clone()).await.unwrap();
    assert_eq!(chats.message_of(id, 5).await.unwrap(), Some(shown.clone()));
    assert_eq!(chats.message_of(id, 6).await.unwrap(), None);
    assert_eq!(chats.message(5, 1).await.unwrap(), Some(shown));
    assert_eq!(chats.outdated(10).await.unwrap(), []);
    fixture.app.intake.cancel(id, NO_WISH, None, &actor()).await.unwrap();
    assert_eq!(chats.outdated(10).await.unwrap(), [id]);
    chats.forget(5, 1).await.unwrap();
    assert_eq!(chats.outdated(10).await.unwrap(), []);
}

#[tokio::test]
async fn chats_open_close_and_become_others() {
    spec!("telegram#groups/a-group-that-became-another");
    let fixture = Fixture::new();
    let chats = &fixture.app.chats;
    let group = Some("Films".to_owned());
    chats.meet(-5, "group", group.clone()).await.unwrap();
    chats.close(-5).await.unwrap();
    assert!(chats.chat(-5).await.unwrap().unwrap().closed_at.is_some());
    chats.meet(-5, "group", group).await.unwrap();
    assert_eq!(chats.chat(-5).await.unwrap().unwrap().closed_at, None);
    chats.became(-5, -1005).await.unwrap();
    assert_eq!(chats.former(-1005).await.unwrap(), [-5]);
}

#[tokio::test]
async fn people_are_refused_once_and_keep_their_language() {
    spec!("telegram#who-may-use-it/a-stranger");
    let fixture = Fixture::new();
    let chats = &fixture.app.chats;
    assert!(chats.refuse_once(9, "Bob".to_owned()).await.unwrap());
    assert!(!chats.refuse_once(9, "Bob".to_owned()).await.unwrap());
    assert_eq!(chats.language(9).await.unwrap(), None);
    chats.set_language(9, "Bob".to_owned(), Language::Ru).await.unwrap();
    assert_eq!(chats.language(9).await.unwrap(), Some(Language::Ru));
}

#[tokio::test]
async fn health_tells_how_the_bot_does_now() {
    spec!("telegram#health-tells-of-the-bot/what-is-wrong");
    let fixture = Fixture::new();
    let chats = &fixture.app.chats;
    chats.report("telegram-conflict", Level::Warning, "another one".to_owned(), "end it");
    chats.report("telegram", Level::Ok, "it reads".to_owned(), "");
    chats.report("telegram-denied", Level::Error, "refused".to_owned(), "another token");
    let health = fixture.app.ops.health().await;
    let told: Vec<_> = health.checks.iter().filter(|c| c.code.starts_with("telegram")).collect();
    assert_eq!(told.len(), 1, "the newest alone");
    assert_eq!((told[0].code.as_str(), told[0].level), ("telegram-denied", HealthLevel::Error));
    assert_eq!(health.status, HealthLevel::Error);
}
