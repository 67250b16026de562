//! The end of seeding: what it does, once, and what it leaves alone.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tracker_domain::event::EventType;
use tracker_domain::health::Level;
use tracker_domain::library::LinkMode;
use tracker_domain::observed::Handle;
use tracker_domain::ports::{ClientError, Files, Removal};
use tracker_domain::seeding::{Limit, SeedingAction, SeedingRules, SeedingWords};
use tracker_domain::{DownloadCause, DownloadId, DownloadState};
use tracker_layout::Laying;
use tracker_store::{NewBatch, Reason, TaskKind};
use tracker_testkit::{ClientCall, ClientOp, FakeTorrent, spec};

use super::fixture::{
    FILM, FILM_IN_LIBRARY, Fixture, Setup, film, film_with_subtitles, one, person, v1,
};
use crate::Policy;
use crate::seeding::SeedingStage;
use crate::stage::Stage;

fn words(action: SeedingAction) -> SeedingWords {
    SeedingWords {
        ratio: Some(Limit::At(2.0)),
        time: Some(Limit::At(Duration::from_secs(3600))),
        action: Some(action),
        ..SeedingWords::default()
    }
}

fn with(everywhere: SeedingWords) -> Fixture {
    with_rules(SeedingRules { everywhere, ..SeedingRules::default() })
}

fn with_rules(seeding: SeedingRules) -> Fixture {
    Fixture::with(Setup { policy: Policy { seeding, ..Policy::default() }, ..Setup::default() })
}

impl Fixture {
    async fn seeding(&self) {
        crate::seeding::pass(&self.pipeline, &self.status).await.unwrap();
    }

    /// The download is done and has given more than enough.
    async fn seeded(&self, torrent: FakeTorrent) -> DownloadId {
        let id = self.settle(torrent).await;
        assert_eq!(self.state(id).await, DownloadState::Done);
        self.wishes().await;
        self.give(3.0, 10);
        id
    }

    fn give(&self, ratio: f64, seconds: u64) {
        self.client.edit(&v1(1), |torrent| {
            torrent.ratio = ratio;
            torrent.seeding_seconds = seconds;
        });
    }

    async fn ended(&self) -> Option<serde_json::Value> {
        let mut found = self.told(EventType::DownloadSeedingEnded).await;
        assert!(found.len() < 2, "once");
        found.pop().map(|event| event.data)
    }

    fn stops(&self) -> usize {
        let stopped = |call: &ClientCall| matches!(call, ClientCall::Stop(_));
        self.client.calls().iter().filter(|call| stopped(call)).count()
    }

    fn removals(&self) -> Vec<(Handle, Removal)> {
        let calls = self.client.calls().into_iter();
        calls
            .filter_map(|call| match call {
                ClientCall::Remove(handle, removal) => Some((handle, removal)),
                _ => None,
            })
            .collect()
    }
}

#[tokio::test]
async fn what_is_out_of_the_lists_is_left_as_it_is() {
    spec!("seeding#only-what-is-ours/out-of-the-lists");
    let fixture = with(words(SeedingAction::Remove));
    let id = fixture.seeded(film(one(v1(1)))).await;
    let actor = person();
    tracker_ingest::remove(&fixture.db, id, tracker_ingest::Wish::Leave, None, &actor)
        .await
        .unwrap();
    fixture.seeding().await;
    assert_eq!((fixture.ended().await, fixture.open_wishes().await), (None, vec![]));
}

#[tokio::test]
async fn a_torrent_is_stopped_once() {
    spec!("seeding#an-end-comes-once/stopped");
    let fixture = with(words(SeedingAction::Stop));
    let id = fixture.seeded(film(one(v1(1)))).await;
    fixture.give(1.9, 3599);
    fixture.seeding().await;
    assert_eq!(fixture.ended().await, None);
    fixture.give(2.0, 3599);
    fixture.seeding().await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::Stop]);
    let told = fixture.ended().await.unwrap();
    assert_eq!((told["reached"].as_str(), told["action"].as_str()), (Some("ratio"), Some("stop")));
    assert_eq!((told["ratio"].as_f64(), told["seeding_seconds"].as_u64()), (Some(2.0), Some(3599)));
    assert_eq!(told["policy"]["seconds"], 3600);
    fixture.wishes().await;
    assert_eq!(fixture.stops(), 1);
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    spec!("seeding#an-end-comes-once/started-again-by-a-person");
    fixture.give(9.0, 99_999);
    fixture.seeding().await;
    assert_eq!(fixture.open_wishes().await, []);
    assert!(fixture.ended().await.is_some());
}

#[tokio::test]
async fn a_removed_torrent_is_not_missed() {
    spec!("seeding#an-end-comes-once/removed");
    let fixture = with(words(SeedingAction::Remove));
    let id = fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    fixture.wishes().await;
    let removed: Vec<Removal> = fixture.removals().into_iter().map(|(_, how)| how).collect();
    assert_eq!(removed, [Removal::KeepData]);
    for _ in 0..5 {
        fixture.listing().await;
    }
    assert_eq!((fixture.state(id).await, fixture.mark(id).await), (DownloadState::Done, None));
    assert_eq!(fixture.health("client-incident"), None);
    // Its links stand, and can be taken back.
    let batch = fixture.read(move |tx| tx.batches_of(id)).await.remove(0).id;
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    fixture.seeding().await;
    assert!(fixture.ended().await.is_some());
}

#[tokio::test]
async fn what_is_not_ours_is_left_alone() {
    spec!("seeding#only-what-is-ours/adopted-or-found");
    let fixture = with(words(SeedingAction::RemoveData));
    fixture.client.put(film(one(v1(1))).saved_to("/downloads").complete());
    fixture.disk.file(format!("/downloads/{FILM}/{FILM}.mkv"), 400);
    let found = fixture.accept(&[v1(1)], FILM).await;
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.wishes().await;
    fixture.listing().await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(found).await, DownloadState::Done);
    fixture.wishes().await;
    fixture.give(99.0, 999_999);
    fixture.seeding().await;
    assert_eq!((fixture.ended().await, fixture.open_wishes().await), (None, Vec::new()));

    let fixture = with(words(SeedingAction::RemoveData));
    fixture.client.put(film(one(v1(1))).complete());
    fixture.disk.file(format!("/downloads/{FILM}/{FILM}.mkv"), 400);
    let entry = fixture.pipeline.clients.default_client().unwrap();
    let adopted = tracker_ingest::adopt(&fixture.db, entry, v1(1), &person()).await.unwrap().id;
    fixture.tick().await;
    fixture.wishes().await;
    fixture.listing().await;
    fixture.recognise().await;
    fixture.link().await;
    assert_eq!(fixture.state(adopted).await, DownloadState::Done);
    fixture.wishes().await;
    fixture.give(99.0, 999_999);
    fixture.seeding().await;
    assert_eq!((fixture.ended().await, fixture.open_wishes().await), (None, Vec::new()));
}

#[tokio::test]
async fn without_its_tag_it_is_a_persons() {
    spec!("seeding#only-what-is-ours/the-tag-taken-off");
    let fixture = with(words(SeedingAction::Stop));
    fixture.seeded(film(one(v1(1)))).await;
    fixture.client.edit(&v1(1), |torrent| torrent.tags.clear());
    fixture.seeding().await;
    assert_eq!(fixture.ended().await, None);
}

#[tokio::test]
async fn what_is_not_done_goes_on() {
    spec!("seeding#only-what-is-ours/not-done-yet");
    let fixture = with(words(SeedingAction::Stop));
    let id = fixture.complete(film(one(v1(1)))).await;
    fixture.give(9.0, 99_999);
    fixture.seeding().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(fixture.ended().await, None);
    // Taken in again, while its torrent is still there: somebody wants it.
    let fixture = with(words(SeedingAction::Remove));
    fixture.seeded(film(one(v1(1)))).await;
    fixture.accept(&[v1(1)], FILM).await;
    fixture.seeding().await;
    assert_eq!(fixture.ended().await, None);
}

#[tokio::test]
async fn data_goes_where_the_library_has_it() {
    spec!("seeding#data-goes-only-where-a-library-holds-it/all-is-held");
    let fixture = with(words(SeedingAction::RemoveData));
    fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    assert_eq!(fixture.open_wishes().await, [TaskKind::RemoveHeld]);
    assert_eq!(fixture.ended().await.unwrap()["kept"], serde_json::Value::Null);
    fixture.wishes().await;
    assert_eq!(fixture.removals()[0].1, Removal::DeleteData);
    assert_eq!(fixture.open_wishes().await, []);
}

#[tokio::test]
async fn data_that_nobody_holds_stays() {
    spec!("seeding#data-goes-only-where-a-library-holds-it/a-file-nobody-holds");
    let fixture = with(words(SeedingAction::RemoveData));
    let torrent = film_with_subtitles(one(v1(1))).file(&format!("{FILM}/notes.nfo"), 5);
    let id = fixture.seeded(torrent).await;
    fixture.seeding().await;
    let kept = fixture.ended().await.unwrap()["kept"].as_str().unwrap().to_owned();
    assert!(kept.contains(&format!("/downloads/{id}/{FILM}/notes.nfo")), "{kept}");
    fixture.wishes().await;
    assert_eq!(fixture.removals()[0].1, Removal::KeepData);
}

#[tokio::test]
async fn the_links_are_looked_at_right_before() {
    spec!("seeding#data-goes-only-where-a-library-holds-it/the-link-goes-in-between");
    let fixture = with(words(SeedingAction::RemoveData));
    let id = fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    fixture.disk.unlink(Path::new(FILM_IN_LIBRARY)).unwrap();
    fixture.wishes().await;
    assert_eq!(fixture.removals()[0].1, Removal::KeepData);
    assert_eq!(fixture.count(EventType::ClientTaskFailed).await, 1);
    for _ in 0..4 {
        fixture.listing().await;
    }
    assert_eq!((fixture.state(id).await, fixture.mark(id).await), (DownloadState::Done, None));
}

#[tokio::test]
async fn data_that_another_torrent_may_use_stays() {
    spec!("seeding#data-goes-only-where-a-library-holds-it/another-torrent-there");
    let fixture = with(words(SeedingAction::RemoveData));
    let id = fixture.seeded(film(one(v1(1)))).await;
    let theirs = film(one(v1(7))).saved_to(&format!("/downloads/{id}/{FILM}")).complete();
    fixture.client.put(theirs);
    fixture.seeding().await;
    let kept = fixture.ended().await.unwrap()["kept"].as_str().unwrap().to_owned();
    assert!(kept.contains("uses the same folder"), "{kept}");
    fixture.wishes().await;
    assert_eq!(fixture.removals()[0].1, Removal::KeepData);
    assert!(fixture.client.torrent(&v1(7)).is_some());

    // In a folder that all torrents share nobody can tell.
    let setup = Setup {
        client_policy: tracker_ingest::ClientPolicy {
            own_folder: false,
            ..tracker_ingest::ClientPolicy::default()
        },
        policy: Policy {
            seeding: SeedingRules {
                everywhere: words(SeedingAction::RemoveData),
                ..SeedingRules::default()
            },
            ..Policy::default()
        },
        ..Setup::default()
    };
    let fixture = Fixture::with(setup);
    fixture.disk.file(format!("/downloads/{FILM}/{FILM}.mkv"), 400);
    fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    let kept = fixture.ended().await.unwrap()["kept"].as_str().unwrap().to_owned();
    assert!(kept.contains("not a folder of its own"), "{kept}");
}

#[tokio::test]
async fn linked_ones_go_on_where_that_is_wished() {
    spec!("seeding#keep-while-linked/until-the-links-go");
    let fixture =
        with(SeedingWords { keep_while_linked: Some(true), ..words(SeedingAction::RemoveData) });
    let id = fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    assert_eq!(fixture.ended().await, None);
    let batch = fixture.read(move |tx| tx.batches_of(id)).await.remove(0).id;
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    fixture.seeding().await;
    // Nothing holds the data now, so it stays.
    assert!(fixture.ended().await.unwrap()["kept"].is_string());
    assert_eq!(fixture.open_wishes().await, [TaskKind::Remove]);
}

#[tokio::test]
async fn a_dry_run_only_tells() {
    spec!("seeding#a-dry-run-only-tells/health-says-it");
    let rules = SeedingRules {
        everywhere: words(SeedingAction::RemoveData),
        libraries: [(
            "films".to_owned(),
            SeedingWords { dry_run: Some(true), ..SeedingWords::default() },
        )]
        .into(),
        ..SeedingRules::default()
    };
    let fixture = with_rules(rules);
    fixture.seeded(film(one(v1(1)))).await;
    let events = fixture.events().await;
    fixture.seeding().await;
    assert_eq!((fixture.events().await, fixture.open_wishes().await), (events, Vec::new()));
    let check = fixture.health("seeding-dry-run").unwrap();
    assert_eq!(check.level, Level::Notice);
    assert!(check.detail.contains("remove-data") && check.detail.contains(FILM), "{check:?}");
    fixture.give(0.0, 0);
    fixture.seeding().await;
    assert_eq!(fixture.health("seeding-dry-run"), None);
}

#[tokio::test]
async fn a_wish_that_became_void_is_decided_anew() {
    spec!("seeding#an-end-comes-once/the-download-became-active");
    let fixture = with(words(SeedingAction::Stop));
    let id = fixture.seeded(film(one(v1(1)))).await;
    fixture.seeding().await;
    let batch = fixture.read(move |tx| tx.batches_of(id)).await.remove(0);
    let again = NewBatch {
        download: id,
        recognition: fixture.read(move |tx| tx.recognition_of(id)).await.unwrap().id,
        plan_id: "again".to_owned(),
        library: "films".to_owned(),
        root: batch.root.unwrap(),
        mode: LinkMode::Hardlink,
        links: Vec::new(),
    };
    let relinking = fixture
        .write(move |tx| {
            tx.activate_if_no_other_active(id, DownloadCause::Reapply, &Reason::none())?.unwrap();
            Ok(tx.plan_batch(&again)?.0)
        })
        .await;
    fixture.wishes().await;
    assert_eq!((fixture.stops(), fixture.open_wishes().await), (0, Vec::new()));
    let older_applied = true;
    fixture
        .write(move |tx| {
            tx.drop_batch(relinking, id, None)?;
            let back = DownloadCause::BatchRolledBack { older_applied };
            tx.set_download_state(id, back, &Reason::none())
        })
        .await
        .unwrap();
    fixture.seeding().await;
    fixture.wishes().await;
    assert_eq!(fixture.stops(), 1);
    assert_eq!(fixture.count(EventType::DownloadSeedingEnded).await, 2);
}

#[tokio::test]
async fn a_client_that_fails_decides_nothing() {
    let fixture = with(words(SeedingAction::RemoveData));
    fixture.seeded(film(one(v1(1)))).await;
    let away = ClientError::Unreachable("away".to_owned());
    for op in [ClientOp::Observe, ClientOp::Files] {
        fixture.client.fail_nth(op, 1, away.clone());
        fixture.seeding().await;
        assert_eq!(fixture.ended().await, None, "{op:?}");
    }
    fixture.seeding().await;
    fixture.client.fail_nth(ClientOp::Files, 1, away);
    fixture.wishes().await;
    assert_eq!(fixture.removals(), []);
    assert_eq!(fixture.open_wishes().await, [TaskKind::RemoveHeld]);
}

#[tokio::test]
async fn the_stage_looks_as_rarely_as_a_listing() {
    spec!("seeding#off-unless-asked-for/nothing-is-set");
    let off = Fixture::new();
    off.seeded(film(one(v1(1)))).await;
    off.client.forget_calls();
    let stage = |fixture: &Fixture| {
        SeedingStage::new(fixture.pipeline.clone(), Arc::clone(&fixture.status))
    };
    stage(&off).pass().await.unwrap();
    assert_eq!(off.client.calls(), []);

    let fixture = with(words(SeedingAction::Stop));
    fixture.seeded(film(one(v1(1)))).await;
    fixture.give(0.0, 0);
    fixture.client.forget_calls();
    let stage = stage(&fixture);
    for calls in [1, 1, 2] {
        stage.pass().await.unwrap();
        assert_eq!(fixture.client.calls().len(), calls);
        fixture.clock.advance_seconds(31);
    }
    fixture.status.set_online(None);
    fixture.clock.advance_seconds(61);
    stage.pass().await.unwrap();
    assert_eq!(fixture.client.calls().len(), 2, "a client that is away is not asked");
}
