//! Sources that do anything at any time.

use std::sync::Arc;

use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadId};
use tracker_testkit::{FakeMetadata, FakeTorrent, spec};

use super::{World, dead, video, videos};
use crate::tests::fixture::Fixture;

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// What is meant; nothing where only a person could tell.
type Meant = Option<&'static str>;

fn swarm() -> Vec<(FakeTorrent, Meant)> {
    let lanterns =
        ["Lanterns.of.Kesh.S02E01.1080p.WEB.mkv", "Lanterns.of.Kesh.S02E02.1080p.WEB.mkv"];
    vec![
        (video(1, super::HARBOUR), Some("tmdb:movie/1001")),
        (video(2, "Iron.Orchard.2015.1080p.WEB"), Some("tmdb:movie/1004")),
        (video(3, "Iron.Orchard.2014.1080p.WEB"), None),
        (videos(4, "Lanterns.of.Kesh.S02.1080p.WEB", &lanterns), Some("tmdb:tv/2001")),
        (video(5, "Nowhere.At.All.2011.1080p.WEB"), None),
        (video(6, "Ash.Ferry.S01E02.1080p.WEB"), Some("tmdb:tv/1010")),
    ]
}

/// TVmaze may have been enough for a series.
fn is_meant(work: Option<&str>, meant: Meant) -> bool {
    let other = match meant {
        Some("tmdb:tv/2001") => Some("tvmaze:501"),
        Some("tmdb:tv/1010") => Some("tvmaze:503"),
        _ => None,
    };
    work.is_some() && (work == meant || work == other)
}

fn upset(source: &FakeMetadata, dice: &mut Dice) {
    match dice.below(7) {
        0 => source.fail_with(dead()),
        1 => source.fail_with(MetadataError::Limited { retry_after_ms: dice.below(90_000) }),
        2 => source.fail_with(MetadataError::Denied("HTTP 401".to_owned())),
        3 => source.fail_next(MetadataError::Unreadable("no JSON".to_owned())),
        4 => source.fail_next(dead()),
        _ => source.answer_again(),
    }
}

async fn never_wrong(fixture: &Fixture, ids: &[(DownloadId, Meant)]) {
    for (id, meant) in ids {
        let id = *id;
        let Some(living) = fixture.read(move |tx| tx.recognition_of(id)).await else { continue };
        match living.state {
            RecognitionState::Accepted => {
                let work = fixture.work(id).await;
                assert!(is_meant(work.as_deref(), *meant), "{work:?}, not {meant:?}");
                assert_eq!(fixture.mark(id).await, None);
            }
            RecognitionState::Waiting => {
                assert!(!living.causes.is_empty() && living.next_look_at.is_some());
                assert_eq!(fixture.mark(id).await, Some(Attention::MetadataUnavailable));
            }
            state => {
                assert_eq!(state, RecognitionState::Proposed);
                assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
            }
        }
    }
}

#[tokio::test]
async fn no_match_is_ever_wrong() {
    spec!("recognition-flow#a-source-that-does-not-answer/whatever-the-sources-do");
    for seed in 0..12 {
        let mut dice = Dice(seed);
        let world = World::new();
        let fixture = &world.fixture;
        let mut ids = Vec::new();
        for (torrent, meant) in swarm() {
            ids.push((fixture.complete(torrent).await, meant));
        }
        for _ in 0..30 {
            let source: &Arc<FakeMetadata> =
                if dice.below(2) == 0 { &world.tmdb } else { &world.tvmaze };
            upset(source, &mut dice);
            let chance = usize::try_from(dice.below(6)).unwrap();
            let (id, _) = ids[chance];
            match dice.below(8) {
                0 => fixture.ask_again(id).await,
                1 => fixture.said(id, "library", "films").await,
                2 => fixture.clock.advance_seconds(dice.below(90_000)),
                _ => fixture.clock.advance_seconds(dice.below(60)),
            }
            fixture.tick().await;
            fixture.recognise().await;
            never_wrong(fixture, &ids).await;
        }
        world.both_answer();
        for _ in 0..3 {
            fixture.clock.advance_seconds(90_000);
            fixture.tick().await;
            fixture.recognise().await;
        }
        never_wrong(fixture, &ids).await;
        for (id, meant) in ids {
            let accepted = fixture.match_state(id).await == RecognitionState::Accepted;
            assert_eq!(accepted, meant.is_some(), "seed {seed}: {meant:?}");
        }
    }
}
