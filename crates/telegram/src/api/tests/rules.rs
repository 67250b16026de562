//! Whether the server of the tests keeps to the rules: what is shown against one that
//! lets everything pass shows nothing.

use serde_json::json;

use super::*;

/// What the server says to a message with these fields; `ok` where it takes it.
async fn sends(api: &BotApi, fields: Value) -> String {
    let mut body = json!({ "chat_id": ANNA, "text": "hello" });
    if let (Some(whole), Value::Object(fields)) = (body.as_object_mut(), fields) {
        whole.extend(fields);
    }
    said(api.call("SENDMESSAGE", body).await)
}

fn said(answer: Result<Value, BotError>) -> String {
    match answer {
        Ok(_) => "ok".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn texts_are_held_to_their_length_and_markup() {
    let (_server, api) = play().await;
    let bad = |words: &str| format!("the call is refused: Bad Request: {words}");
    let parse = |words: &str| {
        format!("the text is not understood: Bad Request: can't parse entities: {words}")
    };
    let marked = |text: &str| json!({ "text": text, "parse_mode": "HTML" });
    let table = [
        (json!({}), "ok".to_owned()),
        (json!({ "text": "a".repeat(4096) }), "ok".to_owned()),
        (json!({ "text": "🎬".repeat(2049) }), bad("message is too long")),
        (marked(&format!("<b>{}</b>", "&amp;".repeat(4096))), "ok".to_owned()),
        (json!({ "text": " \n " }), bad("message text is empty")),
        (marked("<b></b>"), bad("message text is empty")),
        (marked("a <b>b"), parse("Can't find end tag corresponding to start tag \"b\"")),
        (json!({ "text": "a <b>b" }), "ok".to_owned()),
        (json!({ "chat_id": null }), bad("chat_id is empty")),
    ];
    for (fields, answer) in table {
        assert_eq!(sends(&api, fields.clone()).await, answer, "{fields}");
    }
}

#[tokio::test]
async fn buttons_are_held_to_their_form() {
    let (server, api) = play().await;
    let bad = |words: &str| format!("the call is refused: Bad Request: {words}");
    let button = |fields: Value| json!({ "reply_markup": { "inline_keyboard": [[fields]] } });
    let carrying = |data: &str| button(json!({ "text": "b", "callback_data": data }));
    let leading = |url: &str| button(json!({ "text": "b", "url": url }));
    let kind =
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
    let url = "inline keyboard button URL 'http://localhost/' is invalid: Wrong HTTP URL";
    let table = [
        (carrying(&"x".repeat(64)), "ok".to_owned()),
        (carrying(&"x".repeat(65)), bad("BUTTON_DATA_INVALID")),
        // Bytes are counted, not characters.
        (
            carrying("item_ChatGPT Plus_Нейросети_goods-page_Нейросети_0"),
            bad("BUTTON_DATA_INVALID"),
        ),
        (carrying(""), bad("BUTTON_DATA_INVALID")),
        (leading("https://tracker.example/d/1"), "ok".to_owned()),
        (leading("http://localhost/"), bad(url)),
        (button(json!({ "text": "b" })), bad(kind)),
        (json!({ "reply_markup": { "inline_keyboard": [[]] } }), "ok".to_owned()),
    ];
    for (fields, answer) in table {
        assert_eq!(sends(&api, fields.clone()).await, answer, "{fields}");
    }
    assert_eq!(server.chat(ANNA).messages().len(), 3);
    let long = "a".repeat(1025);
    let caption = json!({ "chat_id": ANNA, "caption": long });
    let refused = said(api.call("sendPhoto", caption).await);
    assert_eq!(refused, bad("message caption is too long"));
}

#[tokio::test]
async fn media_is_held_to_its_form() {
    let (_server, api) = play().await;
    let sent = api.send_photo(&to(ANNA, &text("first")), &photo()).await.unwrap();
    let bad = |words: &str| format!("the call is refused: Bad Request: {words}");
    let of = |fields: Value| {
        let mut media = json!({ "type": "photo", "media": "attach://poster" });
        if let (Some(whole), Value::Object(fields)) = (media.as_object_mut(), fields) {
            whole.extend(fields);
        }
        media
    };
    let table = [
        (Value::Null, bad("parameter \"media\" is required")),
        ("poster".into(), bad("can't parse input media JSON object")),
        (of(json!({ "type": null })), bad("can't parse InputMedia: Can't find field \"type\"")),
        // Nothing comes with it.
        (of(json!({})), bad("can't parse InputMedia: media not found")),
        (
            of(json!({ "caption": "<b>x", "parse_mode": "HTML" })),
            "the text is not understood: Bad Request: can't parse InputMedia: Can't parse \
             entities: Can't find end tag corresponding to start tag \"b\""
                .to_owned(),
        ),
    ];
    for (media, answer) in table {
        let fields = json!({ "chat_id": ANNA, "message_id": sent.message, "media": media });
        assert_eq!(said(api.call("editMessageMedia", fields).await), answer, "{media}");
    }
    let long = api.edit_photo(sent, &photo(), &text(&"🎬".repeat(513)), None).await;
    let words = "Bad Request: MEDIA_CAPTION_TOO_LONG".to_owned();
    assert_eq!(long, Err(BotError::BadRequest(words)));
}

#[tokio::test]
async fn updates_are_counted_from_either_end() {
    let (server, api) = play().await;
    for text in ["one", "two", "three", "four"] {
        server.user(ANNA).says(text);
    }
    let ids = async |fields: Value| {
        let answer = api.call("getUpdates", fields).await.unwrap();
        let list = answer.as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|update| update["update_id"].as_i64()).collect::<Vec<_>>()
    };
    assert_eq!(ids(json!({ "limit": 2 })).await, [1, 2]);
    assert_eq!(ids(json!({ "limit": 2, "offset": 2 })).await, [2, 3]);
    assert_eq!(ids(json!({})).await, [2, 3, 4]);
    assert_eq!(ids(json!({ "offset": -1 })).await, [4]);
    assert_eq!(ids(json!({})).await, [4]);
}
