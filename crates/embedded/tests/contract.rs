//! The engine as one client among others.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use support::{config, engine, start};
use tracker_domain::Magnet;
use tracker_domain::observed::{Phase, Scope};
use tracker_domain::ports::{
    AddOutcome, AddRequest, AddSource, ClientError, Removal, TorrentClient, TorrentControl,
};
use tracker_embedded::EmbeddedConfig;
use tracker_testkit::made_up::{self, Kind};
use tracker_testkit::{ContractFixture, eventually, spec, torrent_client_contract};

const DEADLINE: Duration = Duration::from_secs(20);

fn request(source: AddSource) -> AddRequest {
    AddRequest {
        source,
        save_path: None,
        tags: vec!["tracker".into(), "mine".into()],
        category: String::new(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_keeps_the_contract() {
    spec!("torrent-clients#the-embedded-engine/one-contract");
    let home = tempfile::tempdir().unwrap();
    let fixture = ContractFixture::made_up_v1("engine", home.path().to_str().unwrap());
    torrent_client_contract(&engine(home.path()), &fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn v2_alone_is_told_apart() {
    spec!("torrent-clients#the-embedded-engine/v2-alone");
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    let torrent = made_up::torrent(Kind::V2, "Only.Two.mkv");
    let link = Magnet::from_infohashes(torrent.infohashes().clone(), None).to_link();
    for source in [AddSource::Magnet(link), AddSource::Torrent(torrent.bytes().to_vec())] {
        assert_eq!(engine.add(&request(source)).await, Err(ClientError::CannotV2));
    }
    assert_eq!(engine.observe(&Scope::Everything).await, Ok(Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_was_asked_for_survives_a_restart() {
    spec!("torrent-clients#the-embedded-engine/after-a-restart");
    let home = tempfile::tempdir().unwrap();
    let (link, file) =
        (made_up::torrent(Kind::V1, "A.mkv"), made_up::torrent(Kind::Hybrid, "B.mkv"));
    let before = {
        let engine = engine(home.path());
        let magnet = Magnet::from_infohashes(link.infohashes().clone(), None).to_link();
        let asked = [AddSource::Magnet(magnet), AddSource::Torrent(file.bytes().to_vec())];
        for source in asked {
            assert_eq!(engine.add(&request(source)).await, Ok(AddOutcome::Accepted));
        }
        let all = engine.observe(&Scope::Everything).await.unwrap();
        engine.stop(&all[0].handle).await.unwrap();
        engine.stop(&all[1].handle).await.unwrap();
        all
    };
    let again = eventually(DEADLINE, "the first engine to let go of its folder", async || {
        let again = engine(home.path());
        again.observe(&Scope::Ours).await.ok().map(|seen| (again, seen))
    });
    let (engine, mut after) = again.await;
    after.sort_by(|one, other| one.handle.cmp(&other.handle));
    assert_eq!(after.len(), 2);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((&after.handle, &after.tags), (&before.handle, &before.tags));
        assert_eq!((&after.infohashes, &after.save_path), (&before.infohashes, &before.save_path));
    }
    eventually(DEADLINE, "both to be stopped still", async || {
        let all = engine.observe(&Scope::Ours).await.unwrap();
        all.iter().all(|seen| seen.phase == Phase::Stopped).then_some(())
    })
    .await;
    for seen in after {
        engine.remove(&seen.handle, Removal::DeleteData).await.unwrap();
    }
    assert_eq!(engine.observe(&Scope::Everything).await, Ok(Vec::new()));
    assert!(!home.path().join("downloads/B.mkv").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_of_files_survives_a_restart() {
    spec!("torrent-clients#the-embedded-engine/after-a-restart");
    let home = tempfile::tempdir().unwrap();
    let pack = made_up::pack("Pack");
    {
        let engine = engine(home.path());
        let source = AddSource::Torrent(pack.bytes().to_vec());
        assert_eq!(engine.add(&request(source)).await, Ok(AddOutcome::Accepted));
        let seen = engine.observe(&Scope::Everything).await.unwrap();
        eventually(DEADLINE, "the choice", async || {
            engine.select_files(&seen[0].handle, &BTreeSet::from([1])).await.ok()
        })
        .await;
    }
    eventually(DEADLINE, "the same choice in another engine", async || {
        let engine = engine(home.path());
        let seen = engine.observe(&Scope::Everything).await.ok()?;
        let files = engine.files(&seen.first()?.handle).await.ok()?;
        let told: Vec<bool> = files.iter().map(|file| file.selected).collect();
        (told == [true, false]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_files_than_it_may_open_are_refused() {
    spec!("torrent-clients#the-embedded-engine/more-files-than-it-may-open");
    let home = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig { open_files: Some(1), ..config(home.path()) };
    let engine = start(config);
    let source = AddSource::Torrent(made_up::pack("Pack").bytes().to_vec());
    let asked = request(source);
    let (refused, ()) = tokio::join!(engine.add(&asked), async {
        // Nobody who looks meanwhile takes it for there.
        for _ in 0..200 {
            assert_eq!(engine.observe(&Scope::Everything).await, Ok(Vec::new()));
            tokio::task::yield_now().await;
        }
    });
    assert!(
        matches!(&refused, Err(ClientError::Rejected(why)) if why.contains("it has 2 files")),
        "{refused:?}"
    );
    assert_eq!(engine.observe(&Scope::Everything).await, Ok(Vec::new()));
    assert!(!home.path().join("downloads/Pack").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_cannot_go_on_with_is_told() {
    spec!("torrent-clients#the-embedded-engine/more-files-than-it-may-open");
    let home = tempfile::tempdir().unwrap();
    {
        let source = AddSource::Torrent(made_up::pack("Pack").bytes().to_vec());
        let added = engine(home.path()).add(&request(source)).await;
        assert_eq!(added, Ok(AddOutcome::Accepted));
    }
    eventually(DEADLINE, "another engine that tells why", async || {
        let engine = start(EmbeddedConfig { open_files: Some(1), ..config(home.path()) });
        let seen = engine.observe(&Scope::Everything).await.ok()?;
        let told = seen.first().is_some_and(|seen| {
            seen.phase == Phase::Errored && seen.client_state.contains("it has 2 files")
        });
        assert!(told, "{seen:?}");
        Some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_it_cannot_use_is_told_without_its_password() {
    spec!("torrent-clients#the-embedded-engine/a-proxy-it-cannot-use");
    let home = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig {
        proxy: Some(tracker_domain::Secret::new("http://me:s3cret@127.0.0.1:1")),
        ..config(home.path())
    };
    let refused = start(config).probe().await;
    let Err(ClientError::Unreachable(why)) = refused else { panic!("{refused:?}") };
    assert!(why.contains("proxy") && !why.contains("s3cret"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_device_it_stands_still() {
    spec!("torrent-clients#the-embedded-engine/its-device-is-away");
    let home = tempfile::tempdir().unwrap();
    let config =
        EmbeddedConfig { bind_device: Some("no-such-device".into()), ..config(home.path()) };
    let refused = start(config).probe().await;
    assert!(
        matches!(&refused, Err(ClientError::Unreachable(why)) if why.contains("no-such-device")),
        "{refused:?}"
    );
}
