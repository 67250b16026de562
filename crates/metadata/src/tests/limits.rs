//! How often a source is asked.

use std::time::Duration;

use tracker_testkit::{StubMode, eventually};

use super::*;
use crate::SourceState;

#[tokio::test]
async fn no_more_calls_than_the_limit() {
    spec!("metadata#limits-of-a-source/our-own-limit");
    let play = Play::start().await;
    play.stub.unlimited();
    for ((provider, source), limit) in play.each().into_iter().zip([40, 18]) {
        for _ in 0..limit {
            ask(source).await.unwrap();
        }
        play.clock.advance_seconds(4);
        let limited = Err(MetadataError::Limited { retry_after_ms: 6000 });
        assert_eq!(ask(source).await, limited, "{provider}");
        assert_eq!(play.sent(provider), limit);
        assert_eq!(play.status(provider).state, SourceState::Ok, "our limit is no trouble");
        play.clock.advance_seconds(6);
        ask(source).await.unwrap();
        assert_eq!(play.sent(provider), limit + 1);
    }
}

#[tokio::test]
async fn the_real_limits_are_not_reached() {
    spec!("metadata#limits-of-a-source/our-own-limit");
    let play = Play::start().await;
    for (provider, source) in play.each() {
        // The played sources count in real time and answer 429 as the real ones do.
        for _ in 0..60 {
            if let Err(error) = ask(source).await {
                assert_eq!(error, MetadataError::Limited { retry_after_ms: 10_000 });
            }
        }
        assert_eq!(play.status(provider).state, SourceState::Ok, "{provider} has not said enough");
    }
}

#[tokio::test]
async fn enough_is_remembered() {
    spec!("metadata#limits-of-a-source/the-source-says-enough");
    let play = Play::start().await;
    for (provider, source) in play.each() {
        for (header, wait) in [(Some("7"), 7), (None, 10), (Some("86400"), 3600)] {
            play.stub.set(provider, StubMode::Limiting(header.map(str::to_owned)));
            let limited = |seconds| Err(MetadataError::Limited { retry_after_ms: seconds * 1000 });
            assert_eq!(ask(source).await, limited(wait));
            let sent = play.sent(provider);
            play.stub.set(provider, StubMode::Normal);
            play.clock.advance_seconds(wait - 1);
            assert_eq!(ask(source).await, limited(1));
            assert_eq!(play.sent(provider), sent, "nothing is sent meanwhile");
            play.clock.advance_seconds(1);
            assert!(ask(source).await.is_ok());
        }
    }
}

#[tokio::test]
async fn a_clock_set_back_makes_no_wait_longer() {
    spec!("metadata#limits-of-a-source/a-clock-set-back");
    let play = Play::start().await;
    play.stub.unlimited();
    for (_, source) in play.each() {
        while ask(source).await.is_ok() {}
        play.clock.set_ms(1000);
        let again = ask(source).await;
        assert_eq!(again, Err(MetadataError::Limited { retry_after_ms: 10_000 }));
        play.clock.advance_seconds(10);
        assert!(ask(source).await.is_ok());
    }
}

#[tokio::test]
async fn two_calls_are_on_their_way_at_most() {
    spec!("metadata#limits-of-a-source/two-calls-at-once");
    let play = Arc::new(Play::start().await);
    play.stub.set(Provider::Tmdb, StubMode::Silent);
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let play = play.clone();
            tokio::spawn(async move { ask(&play.tmdb).await })
        })
        .collect();
    eventually(Duration::from_secs(20), "two requests", async || {
        (play.sent(Provider::Tmdb) == 2).then_some(())
    })
    .await;
    play.stub.set(Provider::Tmdb, StubMode::Normal);
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap().len(), 1);
    }
    assert_eq!(play.sent(Provider::Tmdb), 8);
    assert_eq!(play.stub.most_at_once(Provider::Tmdb), 2);
}

#[tokio::test]
async fn nobody_queues_to_be_told_no() {
    spec!("metadata#limits-of-a-source/our-own-limit");
    let play = Arc::new(Play::start().await);
    for _ in 0..16 {
        ask(&play.tvmaze).await.unwrap();
    }
    play.stub.set(Provider::Tvmaze, StubMode::Silent);
    let last_two: Vec<_> = (0..2)
        .map(|_| {
            let play = play.clone();
            tokio::spawn(async move { ask(&play.tvmaze).await })
        })
        .collect();
    eventually(Duration::from_secs(20), "the last two requests", async || {
        (play.sent(Provider::Tvmaze) == 18).then_some(())
    })
    .await;
    // Both ways are taken; who waited for one would hear of it after ten seconds.
    let limited = Err(MetadataError::Limited { retry_after_ms: 10_000 });
    assert_eq!(ask(&play.tvmaze).await, limited);
    play.stub.set(Provider::Tvmaze, StubMode::Normal);
    for call in last_two {
        assert!(call.await.unwrap().is_ok());
    }
}
