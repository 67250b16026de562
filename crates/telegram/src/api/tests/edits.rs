//! What is said of edits that work and of those that do not.

use super::*;

#[tokio::test]
async fn a_message_is_edited_in_its_place() {
    spec!("telegram#calls/edits");
    let (server, api) = play().await;
    let keys = keyboard(&["Undo"]);
    let first = text("queued");
    let sent = api.send(&Outgoing { keyboard: Some(&keys), ..to(ANNA, &first) }).await.unwrap();
    api.edit_text(sent, &text("done"), Some(&keys)).await.unwrap();
    let seen = server.chat(ANNA).messages();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].text.as_str(), seen[0].edits), ("done", 1));
    assert_eq!(seen[0].buttons, [["Undo"]]);
    api.edit_keyboard(sent, Some(&keyboard(&["Retry"]))).await.unwrap();
    assert_eq!(server.chat(ANNA).last().unwrap().buttons, [["Retry"]]);
    // Without a keyboard there is none any more.
    api.edit_text(sent, &text("undone"), None).await.unwrap();
    let seen = server.chat(ANNA).last().unwrap();
    assert_eq!((seen.text.as_str(), seen.edits), ("undone", 3));
    assert!(seen.buttons.is_empty());
    let caption = text("caption");
    let sent = api.send_photo(&to(ANNA, &caption), &photo()).await.unwrap();
    api.edit_caption(sent, &text("other"), None).await.unwrap();
    assert_eq!(server.chat(ANNA).last().unwrap().text, "other");
}

#[tokio::test]
async fn a_picture_is_changed_in_its_place() {
    spec!("telegram#calls/edits");
    let (server, api) = play().await;
    let keys = keyboard(&["Next"]);
    let sent = api.send_photo(&to(ANNA, &text("first")), &photo()).await.unwrap();
    let shown = || server.chat(ANNA).picture(sent.message.0).unwrap();
    assert_eq!(shown(), photo().bytes);
    let other = Photo { bytes: b"\xff\xd8\xff\xe0 and so on".to_vec() };
    let caption = Draft::new().bold("Second & <last>").finish(Limit::Caption, None);
    api.edit_photo(sent, &other, &caption, Some(&keys)).await.unwrap();
    let seen = server.chat(ANNA).messages();
    assert_eq!((seen.len(), seen[0].text.as_str(), seen[0].edits), (1, "Second & <last>", 1));
    assert_eq!(
        (shown(), &seen[0].buttons[..]),
        (other.bytes.clone(), &[vec!["Next".to_owned()]][..])
    );
    // What is below it changes without it, and there is no text.
    api.edit_caption(sent, &text("third"), None).await.unwrap();
    assert_eq!((server.chat(ANNA).last().unwrap().text.as_str(), shown()), ("third", other.bytes));
    let words = "Bad Request: there is no text in the message to edit".to_owned();
    assert_eq!(api.edit_text(sent, &text("x"), None).await, Err(BotError::BadRequest(words)));
    server.chat(ANNA).deletes(sent.message.0);
    let gone = api.edit_photo(sent, &photo(), &caption, None).await;
    assert!(matches!(gone, Err(BotError::MessageGone(_))), "{gone:?}");
}

#[tokio::test]
async fn each_way_in_which_an_edit_fails_is_told_apart() {
    spec!("telegram#what-a-refusal-means/edits");
    let (server, api) = play().await;
    let sent = api.send(&to(ANNA, &text("same"))).await.unwrap();
    assert_eq!(api.edit_text(sent, &text("same"), None).await, Err(BotError::NotModified));
    assert_eq!(api.edit_keyboard(sent, None).await, Err(BotError::NotModified));
    server.chat(ANNA).deletes(sent.message.0);
    let gone = api.edit_text(sent, &text("other"), None).await;
    assert!(matches!(gone, Err(BotError::MessageGone(_))), "{gone:?}");
    let hers = Place { message: MessageId(server.user(ANNA).says("mine")), ..sent };
    let foreign = api.edit_text(hers, &text("other"), None).await;
    assert!(matches!(foreign, Err(BotError::MessageGone(_))), "{foreign:?}");
}
