//! Calls that fail and processes that end, in any order.

use tracker_domain::observed::Phase;
use tracker_domain::ports::{ClientError, FilesErrorKind};
use tracker_domain::{DownloadId, DownloadState};
use tracker_testkit::{ClientOp, spec};

use super::fixture::{Fixture, one, season, v1};

/// SplitMix64: the same steps for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

/// The bytes arrive, once the client has the torrent.
fn complete(fixture: &Fixture) {
    let hash = v1(1);
    if fixture.client.torrent(&hash).is_some_and(|there| there.phase == Phase::Metadata) {
        fixture.client.edit(&hash, |there| {
            let whole = season(one(hash));
            there.name = whole.name;
            there.files = whole.files;
        });
        fixture.client.complete(&hash);
    }
}

async fn step(fixture: &Fixture, dice: &mut Dice) {
    let outage = || ClientError::Unreachable("made up".into());
    match dice.roll(14) {
        0 | 1 => fixture.tick().await,
        2 => fixture.listing().await,
        3 | 4 => fixture.hand_over().await,
        5 => fixture.wishes().await,
        6 => fixture.recognise().await,
        7 | 8 => fixture.link().await,
        9 => fixture.client.unreachable(),
        10 => fixture.client.set_down(None),
        11 => {
            let ops = [ClientOp::Add, ClientOp::Observe, ClientOp::Files, ClientOp::AddTags];
            let op = ops[usize::try_from(dice.roll(4)).unwrap()];
            fixture.client.fail_nth(op, 1, outage());
        }
        12 => {
            let nth = 1 + usize::try_from(dice.roll(25)).unwrap();
            if dice.roll(2) == 0 {
                fixture.disk.fail_on_call(nth, FilesErrorKind::Other);
            } else {
                fixture.disk.die_on_call(nth);
            }
        }
        _ => {
            fixture.disk.heal();
            fixture.restart().await;
        }
    }
    if dice.roll(6) == 0 {
        complete(fixture);
    }
    fixture.clock.advance_seconds(dice.roll(30));
}

/// Everything works again, and a person retries what asks for it.
async fn settle(fixture: &Fixture, id: DownloadId) {
    fixture.disk.heal();
    fixture.client.set_down(None);
    for _ in 0..30 {
        fixture.listing().await;
        fixture.hand_over().await;
        complete(fixture);
        fixture.listing().await;
        fixture.recognise().await;
        fixture.restart().await;
        fixture.listing().await;
        fixture.link().await;
        fixture.wishes().await;
        if fixture.mark(id).await.is_some() {
            fixture.retry(id).await;
        }
    }
}

#[tokio::test]
async fn whatever_fails_on_the_way_it_arrives() {
    spec!("pipeline#clients-come-and-go/whatever-fails-on-the-way");
    for seed in 0..12 {
        let fixture = Fixture::new();
        let mut dice = Dice(seed);
        let id = fixture.accept(&[v1(1)], "The.Show.S01.1080p.WEB").await;
        for file in season(one(v1(1))).files {
            fixture.disk.file(format!("/downloads/{id}/{}", file.path), file.size_bytes);
        }
        for number in 0..60 {
            step(&fixture, &mut dice).await;
            let state = fixture.state(id).await;
            assert_ne!(state, DownloadState::Failed, "seed {seed}, step {number}");
            assert!(fixture.client.torrents().len() <= 1, "seed {seed}, step {number}");
        }
        settle(&fixture, id).await;
        assert_eq!(fixture.state(id).await, DownloadState::Done, "seed {seed}");
        let linked = fixture.below("/media/series/The Show/Season 01/The");
        assert_eq!(linked.len(), 2, "seed {seed}: {linked:?}");
        assert_eq!(fixture.below("/media/").len(), 7, "seed {seed}: nothing else");
        assert_eq!(fixture.tags(v1(1)), ["tracker"], "seed {seed}");
        assert_eq!(fixture.read(|tx| tx.planned_batches()).await, vec![], "seed {seed}");
    }
}
