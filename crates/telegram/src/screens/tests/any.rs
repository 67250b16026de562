//! Whatever the names hold, each screen is taken by a server that keeps to the rules.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState, Secret};
use tracker_i18n::Language;
use tracker_testkit::bot_api::seen;
use tracker_testkit::{BotApiServer, spec};

use super::Mouth;
use super::samples::{Sample, batch, in_the_way, plan_of};
use crate::api::{BotApi, BotApiConfig, ButtonAction, Outgoing, Photo};
use crate::chat::ChatId;
use crate::screens::{Screen, Voice};
use crate::text::{Limit, utf16_units};

const ANNA: i64 = 7;

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[a-z &<>\"'/]{0,60}",
        "[&<>;]{0,40}",
        "(Пример|фильма|сезон| |\\.){0,300}",
        "(🎬|👩‍👩‍👧|🇷🇺|é|👍🏽| ){0,60}",
        "(\u{202e}|\u{2067}|שלום|مرحبا| |\n|\t){0,40}",
        "[a-z]{0,20}".prop_map(|name| name.repeat(300)),
    ]
}

fn samples() -> impl Strategy<Value = (String, Sample)> {
    let state = prop::sample::select(DownloadState::ALL);
    let attention = prop::option::of(prop::sample::select(Attention::ALL));
    let read = prop::sample::select(RecognitionState::ALL);
    (names(), state, attention, read, any::<bool>(), any::<f64>(), 0u32..40).prop_map(
        |(name, state, attention, read, linked, score, links)| {
            let mut sample = Sample::in_doubt(&name);
            sample.download.state = state;
            sample.download.attention = attention;
            sample.download.attention_detail = Some(name.clone());
            sample.download.revision = u64::MAX;
            sample.recognition.state = read;
            sample.candidates[0].score = score;
            sample.candidates[0].work = Some(name.clone());
            sample.candidates[1].overview = None;
            sample.plan = plan_of(&name, links);
            if linked {
                sample.batches = vec![batch(&name, "applied", 3)];
                sample.plan.conflicts = vec![in_the_way(&name); 9];
            }
            (name, sample)
        },
    )
}

/// By its own rules, without a server.
fn fits(screen: &Screen) {
    for limit in [Limit::Message, Limit::Caption] {
        let text = screen.text(limit);
        assert!((1..=limit.units()).contains(&utf16_units(text.plain())));
        assert_eq!(seen(text.html()).as_deref(), Ok(text.plain()));
        assert!(!text.plain().trim().is_empty());
    }
    let Some(keyboard) = screen.keyboard() else { return };
    assert!(keyboard.rows.iter().all(|row| (1..=8).contains(&row.len())));
    let buttons: Vec<_> = keyboard.rows.iter().flatten().collect();
    assert!(buttons.len() <= 100);
    for button in buttons {
        assert!(!button.text.trim().is_empty() && utf16_units(&button.text) <= 64);
        if let ButtonAction::Press(callback) = button.action {
            assert!((1..=64).contains(&callback.to_string().len()));
        }
    }
}

async fn is_taken(api: &BotApi, screen: &Screen) {
    let photo = Photo { bytes: b"\x89PNG\r\n\x1a\n and so on".to_vec() };
    let limit = if screen.photo().is_some() { Limit::Caption } else { Limit::Message };
    let text = screen.text(limit);
    let message = Outgoing {
        chat: ChatId(ANNA),
        thread: None,
        reply_to: None,
        text: &text,
        keyboard: screen.keyboard(),
        silent: false,
    };
    let sent = match screen.photo() {
        Some(_) => api.send_photo(&message, &photo).await,
        None => api.send(&message).await,
    };
    assert!(sent.is_ok(), "{sent:?}: {screen:?}");
}

/// Runs through samples, with what a voice needs made once.
fn with_samples(cases: u32, test: impl Fn(&Mouth, &str, &Sample)) {
    let mouth = Mouth::new();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&samples(), |(name, sample)| {
        test(&mouth, &name, &sample);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn any_screen_is_within_the_limits() {
    spec!("telegram#screens-of-a-chat/whatever-the-names-hold");
    with_samples(128, |mouth, name, sample| {
        for language in Language::ALL {
            sample.screens(&mouth.voice(*language), name).iter().for_each(fits);
        }
    });
}

#[test]
fn any_screen_is_taken() {
    spec!("telegram#screens-of-a-chat/whatever-the-names-hold");
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(BotApiServer::without_pace());
    let _ = server.user(ANNA);
    let config = BotApiConfig {
        token: Secret::new(BotApiServer::TOKEN),
        url: server.url().parse().unwrap(),
        timeout: Duration::from_secs(10),
    };
    let api = BotApi::new(&config).unwrap();
    with_samples(12, |mouth, name, sample| {
        for language in Language::ALL {
            let voice = Voice { may_change: name.len() % 5 != 0, ..mouth.voice(*language) };
            let screens = sample.screens(&voice, name);
            let before = server.calls().len();
            runtime.block_on(async {
                for screen in &screens {
                    is_taken(&api, screen).await;
                }
            });
            // A second call would be for one that was refused for its markup.
            assert_eq!(server.calls().len() - before, screens.len());
        }
    });
}
