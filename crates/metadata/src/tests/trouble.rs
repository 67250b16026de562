//! A source that is down or refuses.

use std::time::Duration;

use tracker_domain::Timestamp;
use tracker_domain::ports::Clock;
use tracker_testkit::{StubAnswer, StubMode, eventually};

use super::*;
use crate::SourceState;

fn why(result: Result<Vec<Work>, MetadataError>) -> String {
    match result {
        Err(MetadataError::Unreachable(why)) => why,
        other => panic!("not unreachable: {other:?}"),
    }
}

#[tokio::test]
async fn after_three_failures_nothing_is_sent() {
    spec!("metadata#a-source-that-is-down/three-failures-in-a-row");
    let play = Play::start().await;
    let server_error = StubMode::Says(StubAnswer::json(503, "{}"));
    for (provider, source) in play.each() {
        let route = if provider == Provider::Tmdb { "search/tv" } else { "search/shows" };
        for mode in [StubMode::Dead, server_error.clone(), StubMode::Dead] {
            play.stub.set(provider, mode);
            why(ask(source).await);
        }
        play.stub.set(provider, StubMode::Normal);
        play.clock.advance_seconds(1);
        let told = why(ask(source).await);
        let broke = "the connection broke before the answer was whole";
        assert_eq!(told, format!("{route}: {broke}; asked again in 29 s"));
        assert_eq!(play.sent(provider), 3);
    }
}

#[tokio::test]
async fn a_page_in_its_place_counts() {
    spec!("metadata#a-source-that-is-down/a-page-in-its-place");
    let play = Play::start().await;
    let page = StubAnswer::of_kind(200, "text/html", "<html>please log in</html>");
    for (provider, source) in play.each() {
        play.stub.set(provider, StubMode::Says(page.clone()));
        for _ in 0..3 {
            let got = ask(source).await;
            assert!(matches!(got, Err(MetadataError::Unreadable(_))), "{got:?}");
        }
        why(ask(source).await);
        assert_eq!(play.sent(provider), 3);
    }
}

#[tokio::test]
async fn an_answer_between_failures_starts_the_count_anew() {
    spec!("metadata#a-source-that-is-down/three-failures-in-a-row");
    let play = Play::start().await;
    for _ in 0..3 {
        play.stub.set(Provider::Tmdb, StubMode::Dead);
        why(ask(&play.tmdb).await);
        why(ask(&play.tmdb).await);
        play.stub.set(Provider::Tmdb, StubMode::Normal);
        assert!(ask(&play.tmdb).await.is_ok());
    }
}

#[tokio::test]
async fn a_trial_finds_out_whether_it_is_back() {
    spec!("metadata#a-source-that-is-down/a-trial");
    let play = Play::start().await;
    play.stub.set(Provider::Tvmaze, StubMode::Dead);
    for _ in 0..3 {
        why(ask(&play.tvmaze).await);
    }
    for wait in [30, 60, 120, 240, 480, 600, 600] {
        play.clock.advance_seconds(wait - 1);
        let sent = play.sent(Provider::Tvmaze);
        assert!(why(ask(&play.tvmaze).await).ends_with("asked again in 1 s"), "{wait}");
        assert_eq!(play.sent(Provider::Tvmaze), sent);
        play.clock.advance_seconds(1);
        why(ask(&play.tvmaze).await);
        assert_eq!(play.sent(Provider::Tvmaze), sent + 1, "one trial after {wait} s");
    }
    play.stub.set(Provider::Tvmaze, StubMode::Normal);
    play.clock.advance_seconds(600);
    assert!(ask(&play.tvmaze).await.is_ok());
    assert!(ask(&play.tvmaze).await.is_ok());
    play.stub.set(Provider::Tvmaze, StubMode::Dead);
    for _ in 0..3 {
        why(ask(&play.tvmaze).await);
    }
    assert!(why(ask(&play.tvmaze).await).ends_with("asked again in 30 s"), "from the beginning");
}

#[tokio::test]
async fn one_call_tries_at_a_time() {
    spec!("metadata#a-source-that-is-down/a-trial");
    let play = Arc::new(Play::start().await);
    let trial = begin_trial(&play).await;
    assert!(why(ask(&play.tmdb).await).ends_with("asked again in 1 s"));
    assert_eq!(play.sent(Provider::Tmdb), 4);
    play.stub.set(Provider::Tmdb, StubMode::Normal);
    assert!(trial.await.unwrap().is_ok());
    assert!(ask(&play.tmdb).await.is_ok());
}

#[tokio::test]
async fn a_trial_that_is_given_up_is_made_by_the_next() {
    spec!("metadata#a-source-that-is-down/a-trial-that-is-given-up");
    let play = Arc::new(Play::start().await);
    let trial = begin_trial(&play).await;
    trial.abort();
    assert!(trial.await.unwrap_err().is_cancelled());
    play.stub.set(Provider::Tmdb, StubMode::Normal);
    assert!(ask(&play.tmdb).await.is_ok());
}

/// TMDB was down, and a call is on its way that finds out whether it still is.
async fn begin_trial(
    play: &Arc<Play>,
) -> tokio::task::JoinHandle<Result<Vec<Work>, MetadataError>> {
    play.stub.set(Provider::Tmdb, StubMode::Dead);
    for _ in 0..3 {
        why(ask(&play.tmdb).await);
    }
    play.clock.advance_seconds(30);
    play.stub.set(Provider::Tmdb, StubMode::Silent);
    let asking = play.clone();
    let trial = tokio::spawn(async move { ask(&asking.tmdb).await });
    eventually(Duration::from_secs(20), "the trial", async || {
        (play.sent(Provider::Tmdb) == 4).then_some(())
    })
    .await;
    trial
}

#[tokio::test]
async fn a_refused_token_is_not_shown_again() {
    spec!("metadata#a-refused-token/a-wrong-token");
    let play = Play::start().await;
    let wrong = Tmdb::new(tmdb_config(&play.stub, "not.the.token"), play.clock.clone()).unwrap();
    let Err(MetadataError::Denied(why)) = ask(&wrong).await else { panic!("it is refused") };
    assert_eq!(why, "HTTP 401; tried again in 10 min, or after a restart of tracker");
    play.clock.advance_seconds(599);
    assert!(matches!(ask(&wrong).await, Err(MetadataError::Denied(_))));
    assert_eq!(play.sent(Provider::Tmdb), 1);
    assert_eq!(wrong.status().state, SourceState::Denied);
    play.clock.advance_seconds(1);
    assert_eq!(wrong.status().state, SourceState::Denied, "until it is accepted");
    assert!(matches!(ask(&wrong).await, Err(MetadataError::Denied(_))));
    assert_eq!(play.sent(Provider::Tmdb), 2);
    assert!(ask(&play.tmdb).await.is_ok(), "another token is tried at once");
    let forbidden = StubAnswer::json(403, "{}");
    play.stub.set(Provider::Tvmaze, StubMode::Says(forbidden));
    assert!(matches!(ask(&play.tvmaze).await, Err(MetadataError::Denied(_))));
}

#[tokio::test]
async fn a_call_ends_in_time() {
    spec!("metadata#calls-to-a-source-are-bounded/a-source-that-does-not-answer");
    let play = Play::with_timeout(Duration::from_millis(200)).await;
    for (provider, source) in play.each() {
        play.stub.set(provider, StubMode::Silent);
        assert!(why(ask(source).await).ends_with(": no answer in time"));
    }
    let nobody = Some("http://127.0.0.1:9/".parse().unwrap());
    let config = TvmazeConfig { url: nobody, ..TvmazeConfig::default() };
    let nobody = Tvmaze::new(config, play.clock.clone()).unwrap();
    assert_eq!(why(ask(&nobody).await), "search/shows: no connection");
}

#[tokio::test]
async fn who_waits_for_a_way_waits_no_longer_than_a_call() {
    spec!("metadata#calls-to-a-source-are-bounded/a-source-that-does-not-answer");
    let play = Play::with_timeout(Duration::from_millis(300)).await;
    play.stub.set(Provider::Tmdb, StubMode::Silent);
    let answers = tokio::join!(ask(&play.tmdb), ask(&play.tmdb), ask(&play.tmdb));
    let unreachable = |answer: &Result<_, _>| matches!(answer, Err(MetadataError::Unreachable(_)));
    assert!(unreachable(&answers.0) && unreachable(&answers.1));
    assert!(answers.2.is_err());
}

#[tokio::test]
async fn each_state_is_told() {
    spec!("metadata#how-a-source-does/each-state");
    let play = Play::start().await;
    let state = |provider| play.status(provider).state;
    let since = play.clock.now();
    for (provider, source) in play.each() {
        play.clock.set_ms(FixedClock::START);
        assert_eq!(play.status(provider).provider, provider);
        assert_eq!(state(provider), SourceState::NeverAsked);
        play.stub.set(provider, StubMode::Dead);
        why(ask(source).await);
        play.clock.advance_seconds(5);
        why(ask(source).await);
        assert_eq!(state(provider), SourceState::Unreachable { since });
        play.stub.set(provider, StubMode::Limiting(Some("60".into())));
        ask(source).await.unwrap_err();
        let until: Timestamp = play.clock.now().plus_seconds(60);
        assert_eq!(state(provider), SourceState::Limited { until });
        play.clock.advance_seconds(60);
        assert_eq!(state(provider), SourceState::Ok);
        play.stub.set(provider, StubMode::Says(StubAnswer::json(401, "{}")));
        ask(source).await.unwrap_err();
        assert_eq!(state(provider), SourceState::Denied);
        play.stub.set(provider, StubMode::Normal);
        play.clock.advance_seconds(600);
        assert!(ask(source).await.is_ok());
        assert_eq!(state(provider), SourceState::Ok);
    }
}
