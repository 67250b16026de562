//! Updates of every shape.

use proptest::prelude::*;
use serde_json::json;
use tracker_testkit::spec;

use super::*;

fn kind(raw: &Value) -> UpdateKind {
    decode(raw).map(|update| update.kind).expect("it has a number")
}

fn message(raw: &Value) -> Message {
    match kind(&json!({"update_id": 1, "message": raw})) {
        UpdateKind::Message(message) => *message,
        other => panic!("not a message: {other:?}"),
    }
}

#[test]
fn an_update_of_unknown_kind_or_shape_stops_nothing() {
    spec!("telegram#an-update-by-itself/of-unknown-kind-or-shape");
    let batch = [
        json!({"update_id": 10, "message": {
            "message_id": 1, "date": 1, "chat": {"id": 7, "type": "private"}, "text": "one"}}),
        json!({"update_id": 11, "hologram": {"depth": 3}}),
        json!({"update_id": 12, "message": {"message_id": "twelve"}}),
        json!({"update_id": 13, "callback_query": 5}),
        json!({"update_id": 14}),
        json!({"update_id": 15, "edited_message": {"message_id": 1}}),
        json!("no update at all"),
    ];
    let read: Vec<Update> = batch.iter().filter_map(decode).collect();
    let shapes: Vec<(i64, &str)> = read
        .iter()
        .map(|update| {
            let shape = match &update.kind {
                UpdateKind::Message(_) => "message",
                UpdateKind::Press(_) => "press",
                UpdateKind::Ignored => "ignored",
                UpdateKind::Unknown => "unknown",
            };
            (update.id.0, shape)
        })
        .collect();
    let unknown = [(11, "unknown"), (12, "unknown"), (13, "unknown"), (14, "unknown")];
    assert_eq!(shapes[0], (10, "message"));
    assert_eq!(shapes[1..5], unknown);
    assert_eq!(shapes[5], (15, "ignored"));
    assert_eq!(next_offset(&read), Some(UpdateId(16)));
    assert_eq!(next_offset(&[]), None);
}

#[test]
fn a_message_is_read_with_what_may_be_odd_left_out() {
    spec!("telegram#an-update-by-itself/odd-parts-of-a-message");
    let read = message(&json!({
        "message_id": 5,
        "chat": {"id": -1001, "type": "supergroup", "title": "Films", "is_forum": true},
        "message_thread_id": 9,
        "is_topic_message": true,
        "from": {"id": 7, "is_bot": false, "first_name": "Anna", "language_code": "ru"},
        "caption": "see this",
        "caption_entities": [
            {"type": "text_link", "offset": 0, "length": 3, "url": "https://a.example/"},
            {"type": "hologram", "offset": 4, "length": 4},
            {"type": "bold", "offset": -1, "length": 4},
        ],
        "document": {"file_id": "F", "file_name": "a.torrent", "file_size": 12},
        "forward_origin": {"type": "hidden_user"},
        "reply_to_message": {"message_id": 3},
        "paid_star_count": "a newer field",
    }));
    assert_eq!(
        (read.id, read.chat.id, read.chat.kind),
        (MessageId(5), ChatId(-1001), ChatKind::Supergroup)
    );
    assert_eq!(read.thread, Some(ThreadId(9)));
    assert_eq!(read.text, "see this");
    assert_eq!(read.entities.len(), 2);
    assert_eq!(read.entities[0].kind, EntityKind::TextLink("https://a.example/".to_owned()));
    assert_eq!(read.document.map(|file| file.file_id).as_deref(), Some("F"));
    assert!(read.is_forwarded);
    assert_eq!(read.reply_to, Some(MessageId(3)));

    let odd = message(&json!({
        "message_id": 6, "chat": {"id": 7, "type": "bubble"}, "message_thread_id": 3,
        "document": {"no": "id"}, "entities": "none", "text": "still read",
    }));
    assert_eq!((odd.chat.kind, odd.thread, odd.document), (ChatKind::Other, None, None));
    assert_eq!(odd.text, "still read");
}

#[test]
fn a_press_is_read_even_where_its_message_is_too_old() {
    spec!("telegram#an-update-by-itself/a-press");
    let press = json!({"update_id": 2, "callback_query": {
        "id": "44", "from": {"id": 7, "first_name": "Anna"}, "data": "1s.x.1",
        "message": {"chat": {"id": 7, "type": "private"}, "message_id": 3, "date": 0},
        "chat_instance": "1",
    }});
    let UpdateKind::Press(press) = kind(&press) else { panic!("not a press") };
    assert_eq!((press.id.as_str(), press.from.id), ("44", UserId(7)));
    assert_eq!((press.message, press.data.as_deref()), (Some(MessageId(3)), Some("1s.x.1")));
    assert!(!press.has_photo);
    let card = json!({"update_id": 2, "callback_query": {
        "id": "44", "from": {"id": 7, "first_name": "Anna"}, "data": "1s.x.1",
        "message": {"chat": {"id": 7, "type": "private"}, "message_id": 4, "date": 1,
            "photo": [{"file_id": "a", "width": 90, "height": 60}]},
    }});
    let UpdateKind::Press(press) = kind(&card) else { panic!("not a press") };
    assert_eq!((press.message, press.has_photo), (Some(MessageId(4)), true));
    let inline = json!({"update_id": 3, "callback_query": {
        "id": "45", "from": {"id": 7}, "inline_message_id": "x"}});
    let UpdateKind::Press(press) = kind(&inline) else { panic!("not a press") };
    assert_eq!((press.chat, press.message, press.data), (None, None, None));
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    let names = "id|chat|type|text|message_id|from|entities|offset|length|url|data|message|document|file_id|[a-z]{3}";
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_comes_keeps_its_number(
        id in any::<i64>(),
        name in "message|callback_query|edited_message|[a-z_]{1,12}",
        body in values(),
    ) {
        spec!("telegram#an-update-by-itself/of-unknown-kind-or-shape");
        let read = decode(&json!({"update_id": id, name: body}));
        prop_assert_eq!(read.map(|update| update.id), Some(UpdateId(id)));
    }
}
