//! The text of an actor names the same actor again.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

#[test]
fn the_words_of_the_journal() {
    for (actor, text) in [
        (Actor::Web("anna".to_owned()), "web:anna"),
        (Actor::Api("local".to_owned()), "api:local"),
        (Actor::Telegram(4_242), "telegram:4242"),
        (Actor::Cli("root".to_owned()), "cli:root"),
        (Actor::Reconciler, "reconciler"),
        (Actor::Worker, "worker"),
        (Actor::System, "system"),
    ] {
        assert_eq!(actor.to_string(), text);
        assert_eq!(text.parse::<Actor>().unwrap(), actor);
    }
}

#[test]
fn a_stranger_is_refused() {
    for text in [
        "",
        "web",
        "root",
        "Worker",
        "system:",
        "worker:1",
        "telegram:",
        "telegram:anna",
        "sms:1",
        ":",
    ] {
        assert_eq!(text.parse::<Actor>(), Err(ParseActorError(text.to_owned())));
    }
}

proptest! {
    #[test]
    fn every_actor_is_read_again(name in "\\PC{1,20}", user: i64) {
        for actor in [
            Actor::Web(name.clone()),
            Actor::Api(name.clone()),
            Actor::Cli(name),
            Actor::Telegram(user),
        ] {
            prop_assert_eq!(actor.to_string().parse::<Actor>().unwrap(), actor);
        }
    }
}
