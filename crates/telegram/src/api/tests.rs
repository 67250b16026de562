//! The client against a server that keeps to the rules of the real one.

mod edits;
mod rules;
mod trouble;
mod updates;

use std::time::Duration;

use tracker_ident::Generator;
use tracker_testkit::BotApiServer;
use tracker_testkit::spec;

use super::*;
use crate::callback::{Callback, Verb};
use crate::chat::{ThreadId, UserId};
use crate::text::{Draft, Formatted, Limit};

const ANNA: i64 = 7;
const GROUP: i64 = -5;
const FORUM: i64 = -1_000_000_000_006;

fn config(url: &str, token: &str) -> BotApiConfig {
    BotApiConfig {
        token: Secret::new(token),
        url: url.parse().unwrap(),
        timeout: Duration::from_secs(10),
    }
}

fn client(url: &str) -> BotApi {
    BotApi::new(&config(url, BotApiServer::TOKEN)).unwrap()
}

/// A server where Anna has spoken to the bot, and a client for it.
async fn play() -> (BotApiServer, BotApi) {
    let server = BotApiServer::without_pace().await;
    let _ = server.user(ANNA);
    let api = client(server.url());
    (server, api)
}

fn text(text: &str) -> Formatted {
    Draft::new().text(text).finish(Limit::Message, None)
}

fn to(chat: i64, text: &Formatted) -> Outgoing<'_> {
    Outgoing {
        chat: ChatId(chat),
        thread: None,
        reply_to: None,
        text,
        keyboard: None,
        silent: false,
    }
}

fn button(label: &str, verb: Verb) -> Button {
    let callback = Callback { verb, download: Generator::new().next(0, None).typed(), revision: 4 };
    Button { text: label.to_owned(), action: ButtonAction::Press(callback) }
}

fn keyboard(labels: &[&str]) -> Keyboard {
    Keyboard { rows: labels.iter().map(|label| vec![button(label, Verb::Show)]).collect() }
}

fn photo() -> Photo {
    Photo { bytes: b"\x89PNG\r\n\x1a\n and so on\r\n--not-a-boundary".to_vec() }
}

#[tokio::test]
async fn a_message_arrives_as_it_was_put_together() {
    spec!("telegram#calls/messages");
    let (server, api) = play().await;
    assert_eq!(api.me().await.unwrap().id, UserId(123_456));
    let hello = Draft::new().bold("Tom & <Jerry>").line().link("more", "https://x.example/?a=1&b");
    let hello = hello.finish(Limit::Message, None);
    let keys = Keyboard {
        rows: vec![
            vec![button("Accept", Verb::Accept(0)), button("None of these", Verb::NoneFits)],
            vec![Button {
                text: "Open".to_owned(),
                action: ButtonAction::Open("https://tracker.example/d/1".to_owned()),
            }],
        ],
    };
    let asked = server.user(ANNA).says("hello");
    let message = Outgoing {
        keyboard: Some(&keys),
        reply_to: Some(MessageId(asked)),
        silent: true,
        ..to(ANNA, &hello)
    };
    let sent = api.send(&message).await.unwrap();
    let seen = server.chat(ANNA).last().unwrap();
    assert_eq!((sent.chat, sent.message), (ChatId(ANNA), MessageId(seen.id)));
    assert_eq!(seen.text, "Tom & <Jerry>\nmore");
    assert_eq!(seen.buttons, [vec!["Accept", "None of these"], vec!["Open"]]);
    assert_eq!((seen.reply_to, seen.silent, seen.edits), (Some(asked), true, 0));
    // An answer to what was deleted arrives all the same.
    server.chat(ANNA).deletes(asked);
    api.send(&message).await.unwrap();
    assert_eq!(server.chat(ANNA).last().unwrap().reply_to, None);
}

#[tokio::test]
async fn a_picture_arrives_with_its_caption_and_buttons() {
    spec!("telegram#calls/pictures");
    let (server, api) = play().await;
    let caption = Draft::new().bold("Дюна").text(" (2021) 🎬").finish(Limit::Caption, None);
    let keys = keyboard(&["Accept"]);
    let message = Outgoing { keyboard: Some(&keys), ..to(ANNA, &caption) };
    api.send_photo(&message, &photo()).await.unwrap();
    let seen = server.chat(ANNA).last().unwrap();
    assert_eq!((seen.text.as_str(), seen.photo), ("Дюна (2021) 🎬", true));
    assert_eq!(seen.buttons, [["Accept"]]);
    let none = Photo { bytes: b"<html>".to_vec() };
    let mut narrow = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    narrow.extend([100_u32, 2001].map(u32::to_be_bytes).concat());
    let sent = Place { message: MessageId(seen.id), chat: ChatId(ANNA) };
    for (photo, words) in
        [(none, "IMAGE_PROCESS_FAILED"), (Photo { bytes: narrow }, "PHOTO_INVALID_DIMENSIONS")]
    {
        let words = BotError::BadRequest(format!("Bad Request: {words}"));
        assert_eq!(api.send_photo(&message, &photo).await, Err(words.clone()));
        assert_eq!(api.edit_photo(sent, &photo, &caption, None).await, Err(words));
    }
    assert_eq!(server.chat(ANNA).messages(), [seen]);
}

#[tokio::test]
async fn a_message_goes_into_its_topic() {
    spec!("telegram#calls/topics");
    let (server, api) = play().await;
    server.user(ANNA).in_chat(FORUM).in_topic(9).says("here");
    let hello = text("hello");
    let into = |thread| Outgoing { thread: Some(ThreadId(thread)), ..to(FORUM, &hello) };
    api.send(&into(9)).await.unwrap();
    assert_eq!(server.chat(FORUM).last().unwrap().thread, Some(9));
    let missing = api.send(&into(10)).await;
    let words = "Bad Request: message thread not found".to_owned();
    assert_eq!(missing, Err(BotError::BadRequest(words)));
}

#[tokio::test]
async fn a_text_of_full_length_is_taken_and_a_longer_one_is_cut_before() {
    spec!("telegram#texts-are-taken/too-long");
    let (server, api) = play().await;
    for draft in
        [Draft::new().bold(&"&🎬".repeat(1365)).text("."), Draft::new().code(&"<a>".repeat(9000))]
    {
        let made = draft.finish(Limit::Message, None);
        api.send(&to(ANNA, &made)).await.unwrap();
        assert_eq!(server.chat(ANNA).last().unwrap().text, made.plain());
        assert_eq!(made.plain().encode_utf16().count(), 4096);
    }
    let caption = Draft::new().text(&"🎬 ".repeat(900)).finish(Limit::Caption, None);
    api.send_photo(&to(ANNA, &caption), &photo()).await.unwrap();
}

#[tokio::test]
async fn markup_that_is_not_understood_arrives_without() {
    spec!("telegram#texts-are-taken/markup-that-is-refused");
    let (server, api) = play().await;
    let words = r#"{"ok":false,"error_code":400,"description":"Bad Request: can't parse entities: Unsupported start tag \"b\" at byte offset 0"}"#;
    let bold = Draft::new().bold("S01E01 <odd>").finish(Limit::Message, None);
    for method in
        ["sendMessage", "editMessageText", "sendPhoto", "editMessageCaption", "editMessageMedia"]
    {
        server.once(method, tracker_testkit::StubAnswer::json(400, words));
    }
    let sent = api.send(&to(ANNA, &bold)).await.unwrap();
    assert_eq!(server.chat(ANNA).last().unwrap().text, "S01E01 <odd>");
    let other = Draft::new().bold("<other>").finish(Limit::Message, None);
    api.edit_text(sent, &other, None).await.unwrap();
    assert_eq!(server.chat(ANNA).last().unwrap().text, "<other>");
    let sent = api.send_photo(&to(ANNA, &bold), &photo()).await.unwrap();
    api.edit_caption(sent, &other, None).await.unwrap();
    let seen = server.chat(ANNA).last().unwrap();
    assert_eq!((seen.text.as_str(), seen.edits), ("<other>", 1));
    api.edit_photo(sent, &photo(), &bold, None).await.unwrap();
    let seen = server.chat(ANNA).last().unwrap();
    assert_eq!((seen.text.as_str(), seen.edits), ("S01E01 <odd>", 2));
}

#[tokio::test]
async fn a_button_that_is_pressed_comes_back_and_is_answered() {
    spec!("telegram#calls/presses");
    let (server, api) = play().await;
    let keys = keyboard(&["Undo", "Retry"]);
    let hello = text("done");
    api.send(&Outgoing { keyboard: Some(&keys), ..to(ANNA, &hello) }).await.unwrap();
    let shown = server.chat(ANNA).last().unwrap().id;
    let pressed = server.user(ANNA).presses(shown, "Retry");
    let came = api.updates(None, Duration::ZERO).await.unwrap();
    let press = match crate::update::decode(&came[0]).unwrap().kind {
        crate::update::UpdateKind::Press(press) => *press,
        other => panic!("not a press: {other:?}"),
    };
    assert_eq!((press.id.as_str(), press.message), (pressed.as_str(), Some(MessageId(shown))));
    assert_eq!(press.chat.map(|chat| chat.id), Some(ChatId(ANNA)));
    let ButtonAction::Press(carried) = &keys.rows[1][0].action else { panic!("it opens") };
    assert_eq!(press.data.unwrap().parse(), Ok(*carried));
    api.answer(&pressed, Some(&"давно ".repeat(100)), true).await.unwrap();
    let answer = server.chat(ANNA).answer_to(&pressed).unwrap();
    assert!(answer.alert && answer.text.unwrap().ends_with('…'));
    assert_eq!(api.answer(&pressed, None, false).await, Err(BotError::PressTooOld));
    let old = server.user(ANNA).presses(shown, "Undo");
    server.chat(ANNA).forgets_press(&old);
    assert_eq!(api.answer(&old, None, false).await, Err(BotError::PressTooOld));
}

#[tokio::test]
async fn commands_are_offered_by_language() {
    spec!("telegram#calls/commands");
    let (server, api) = play().await;
    let list = [Command { name: "list", about: "Загрузки" }];
    api.set_commands(&list, Some("ru")).await.unwrap();
    assert_eq!(server.commands("ru"), [("list".to_owned(), "Загрузки".to_owned())]);
    assert_eq!(server.commands(""), []);
    let wrong = [Command { name: "List!", about: "x" }];
    assert!(matches!(api.set_commands(&wrong, None).await, Err(BotError::BadRequest(_))));
}

#[tokio::test]
async fn a_file_is_fetched_up_to_a_size() {
    spec!("telegram#calls/files");
    let (server, api) = play().await;
    let anna = server.user(ANNA);
    anna.sends_file("a.torrent", b"d4:infod6:lengthi1eee");
    anna.sends_file_of("large.torrent", b"", 21 * 1024 * 1024);
    // It says less than it is.
    anna.sends_file_of("liar.torrent", &[0; 5000], 10);
    let fetch = |id| api.fetch(id, 4096);
    assert_eq!(fetch("file1").await.as_deref(), Ok(b"d4:infod6:lengthi1eee".as_slice()));
    assert_eq!(fetch("file2").await, Err(BotError::FileTooBig));
    assert_eq!(fetch("file3").await, Err(BotError::FileTooBig));
    assert_eq!(api.fetch("file1", 20).await, Err(BotError::FileTooBig));
    assert!(matches!(fetch("file9").await, Err(BotError::BadRequest(_))));
}

#[test]
fn what_cannot_be_a_token_or_an_address_is_refused_at_once() {
    spec!("telegram#the-token-stays-hidden/a-token-of-another-form");
    let refused = |url: &str, token: &str| BotApi::new(&config(url, token)).err();
    let base = "http://127.0.0.1:1";
    for token in
        ["", "123456", ":abc", "123456:", "12a:abc", "123456:a/../b", "123456:a b", "123:é"]
    {
        assert_eq!(refused(base, token), Some(BotApiConfigError::Token), "{token}");
    }
    for url in ["ftp://a.example", "unix:/run/bot"] {
        assert_eq!(refused(url, BotApiServer::TOKEN), Some(BotApiConfigError::Url), "{url}");
    }
    assert_eq!(refused("http://127.0.0.1:1/api/", BotApiServer::TOKEN), None);
}
