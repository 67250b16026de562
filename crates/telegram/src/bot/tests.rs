//! The parts of the bot that need no daemon.

use tracker_testkit::spec;

use super::commands::Written;
use super::rights::{AllowedChat, Rights, Role};
use crate::chat::{ChatId, ThreadId, UserId};
use crate::update::{Chat, ChatKind};

fn chat(id: i64) -> Chat {
    let kind = if id < 0 { ChatKind::Supergroup } else { ChatKind::Private };
    Chat { id: ChatId(id), kind, title: None }
}

#[test]
fn who_is_not_named_is_a_stranger() {
    spec!("telegram#who-may-use-it/roles");
    let rights = Rights {
        operators: [UserId(1)].into(),
        viewers: [UserId(1), UserId(2)].into(),
        chats: Vec::new(),
    };
    let roles = [1, 2, 3].map(|user| rights.role(UserId(user)));
    assert_eq!(roles, [Role::Operator, Role::Viewer, Role::Stranger]);
    assert!(!rights.may_change(UserId(2)));
}

#[test]
fn it_works_in_groups_and_topics_that_are_named() {
    spec!("telegram#groups/named-groups-and-topics");
    let chats = ["-5", "-1006/7"].map(|text| text.parse::<AllowedChat>().unwrap());
    let rights = Rights { chats: chats.to_vec(), ..Rights::default() };
    let topic = |number| Some(ThreadId(number));
    for (id, thread, former, works) in [
        (9, None, &[][..], true),
        (-5, None, &[][..], true),
        (-5, topic(3), &[][..], true),
        (-1006, None, &[][..], false),
        (-1006, topic(7), &[][..], true),
        (-1006, topic(8), &[][..], false),
        (-1005, None, &[][..], false),
        (-1005, None, &[-5][..], true),
    ] {
        assert_eq!(rights.works_in(&chat(id), thread, former), works, "{id} {thread:?}");
    }
    assert_eq!(chats.map(|chat| chat.to_string()), ["-5", "-1006/7"]);
    for text in ["", "5", "0", "group", "-5/", "-5/topic", "/7"] {
        assert!(text.parse::<AllowedChat>().is_err(), "{text:?}");
    }
}

#[test]
fn commands_are_read_as_they_are_written() {
    let read = |text| Written::read(text).map(|written| (written.name, written.bot, written.rest));
    assert_eq!(read("/list"), Some(("list", None, "")));
    assert_eq!(read("/show@our_bot  abc\n"), Some(("show", Some("our_bot"), "abc")));
    assert_eq!(read("/search The Quiet\nHarbour"), Some(("search", None, "The Quiet\nHarbour")));
    assert_eq!(read("no command"), None);
}
