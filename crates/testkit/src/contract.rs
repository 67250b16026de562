//! What every torrent client has to do, adapter or fake: one test for all.
//!
//! It uses torrents that were made up and that nobody has, touches no others,
//! and removes its own.

use std::collections::BTreeSet;
use std::time::Duration;

use tracker_domain::observed::{ClientPath, Handle, Phase, Scope, Seen};
use tracker_domain::ports::{
    AddOutcome, AddRequest, AddSource, ClientError, Removal, TorrentClient, TorrentControl,
};
use tracker_domain::queue::QueueEnd;
use tracker_domain::{InfohashSet, Magnet, Torrent};

use crate::eventually::eventually;
use crate::made_up::{self, Kind};

/// A busy machine with a real client may need most of it.
const DEADLINE: Duration = Duration::from_secs(30);

/// The torrents of one run of the contract, and where they go.
#[derive(Clone, Debug)]
pub struct ContractFixture {
    v1: Torrent,
    /// A v2, or a second v1 for a client that knows no other.
    second: Torrent,
    hybrid: Torrent,
    pack: Torrent,
    save_path: ClientPath,
    extra_tag: String,
}

impl ContractFixture {
    /// Torrents that only this salt gives, for a folder of the client.
    #[must_use]
    pub fn made_up(salt: &str, save_root: &str) -> Self {
        Self::with_second(Kind::V2, salt, save_root)
    }

    /// The same for a client that knows v1 torrents only.
    #[must_use]
    pub fn made_up_v1(salt: &str, save_root: &str) -> Self {
        Self::with_second(Kind::V1, salt, save_root)
    }

    fn with_second(second: Kind, salt: &str, save_root: &str) -> Self {
        let make =
            |kind, what: &str| made_up::torrent(kind, &format!("Contract.{what}.{salt}.mkv"));
        ContractFixture {
            v1: make(Kind::V1, "One"),
            second: make(second, "Two"),
            hybrid: make(Kind::Hybrid, "Both"),
            pack: made_up::pack(&format!("Contract.Pack.{salt}")),
            save_path: ClientPath(format!("{save_root}/contract-{salt}")),
            extra_tag: format!("contract-{salt}"),
        }
    }

    /// The one of two files, for a fake that has to know what peers have.
    #[must_use]
    pub fn pack(&self) -> &Torrent {
        &self.pack
    }

    fn magnet(&self, torrent: &Torrent) -> AddRequest {
        let name = Some(torrent.name().to_owned());
        let link = Magnet::from_infohashes(torrent.infohashes().clone(), name).to_link();
        self.request(AddSource::Magnet(link))
    }

    fn file(&self, torrent: &Torrent) -> AddRequest {
        self.request(AddSource::Torrent(torrent.bytes().to_vec()))
    }

    fn request(&self, source: AddSource) -> AddRequest {
        AddRequest {
            source,
            save_path: Some(self.save_path.clone()),
            tags: vec!["tracker".into(), self.extra_tag.clone()],
            category: String::new(),
        }
    }
}

/// Runs the contract. `Scope::Ours` of the client has to go by the tag `tracker`.
///
/// # Panics
/// When the client breaks it.
pub async fn torrent_client_contract<C: TorrentClient + TorrentControl>(
    client: &C,
    fixture: &ContractFixture,
) {
    says_what_it_is(client).await;
    knows_nothing_of_others(client).await;
    takes_a_magnet_once(client, fixture).await;
    takes_a_torrent_file(client, fixture).await;
    takes_a_hybrid_by_both_hashes(client, fixture).await;
    rejects_junk(client, fixture).await;
    wears_and_drops_tags(client, fixture).await;
    stops_and_starts(client, fixture).await;
    takes_places(client, fixture).await;
    selects_files(client, fixture).await;
    for torrent in [&fixture.v1, &fixture.second, &fixture.hybrid, &fixture.pack] {
        is_removed(client, torrent.infohashes()).await;
    }
}

async fn says_what_it_is<C: TorrentClient>(client: &C) {
    let info = client.probe().await.expect("a client that is up answers a probe");
    assert!(!info.version.is_empty(), "it has a version");
    let path = client.locate(&info.default_save_path).expect("its default folder is here");
    assert!(path.is_absolute(), "a located path is absolute");
    assert!(client.locate(&ClientPath("/downloads/../etc".into())).is_err(), "`..` is refused");
}

async fn knows_nothing_of_others<C: TorrentClient + TorrentControl>(client: &C) {
    let nobody = made_up::torrent(Kind::Hybrid, "Contract.Nobody.mkv");
    let hashes = nobody.infohashes().iter().collect();
    let seen = client.observe(&Scope::Infohashes(hashes)).await;
    assert_eq!(seen, Ok(Vec::new()), "a hash that it has not finds nothing");
    assert_eq!(client.observe(&Scope::Infohashes(Vec::new())).await, Ok(Vec::new()));
    let handle = Handle("cccccccccccccccccccccccccccccccccccccccc".into());
    assert_eq!(client.files(&handle).await, Err(ClientError::NotFound));
    assert_eq!(client.remove(&handle, Removal::KeepData).await, Ok(()), "gone is removed");
}

async fn takes_a_magnet_once<C: TorrentClient>(client: &C, fixture: &ContractFixture) {
    let request = fixture.magnet(&fixture.v1);
    assert_eq!(client.add(&request).await, Ok(AddOutcome::Accepted));
    let seen = find(client, fixture.v1.infohashes()).await;
    assert_eq!(&seen.infohashes, fixture.v1.infohashes());
    assert_eq!(seen.save_path, fixture.save_path, "it saves where it was told");
    assert!(seen.tags.contains(&"tracker".to_owned()), "it wears its tags");
    assert_eq!((seen.phase, seen.has_metadata, seen.size_bytes), (Phase::Metadata, false, None));
    assert_eq!(client.files(&seen.handle).await, Ok(Vec::new()), "no files before metadata");
    assert_eq!(client.add(&request).await, Ok(AddOutcome::Refused), "a second add is refused");
    let all = client.observe(&Scope::Ours).await.expect("a listing");
    let same = all.iter().filter(|one| one.infohashes.intersects(fixture.v1.infohashes())).count();
    assert_eq!(same, 1, "and changes nothing");
}

async fn takes_a_torrent_file<C: TorrentClient>(client: &C, fixture: &ContractFixture) {
    assert_eq!(client.add(&fixture.file(&fixture.second)).await, Ok(AddOutcome::Accepted));
    let seen = eventually(DEADLINE, "metadata of the .torrent", async || {
        Some(find(client, fixture.second.infohashes()).await).filter(|seen| seen.has_metadata)
    })
    .await;
    assert_eq!(
        &seen.infohashes,
        fixture.second.infohashes(),
        "as stated; the handle of a v2 is no v1"
    );
    assert_eq!(seen.size_bytes, Some(fixture.second.size_bytes()));
    assert_ne!(seen.phase, Phase::Complete, "nobody has its bytes");
    let seeded = seen.progress.seeding_seconds.unwrap_or_default();
    assert_eq!(seeded, 0, "what is not whole was not seeded");
    let files = client.files(&seen.handle).await.expect("the files are known");
    let told: Vec<_> = files.iter().map(|f| (f.index, f.path.as_str(), f.size_bytes)).collect();
    assert_eq!(told, [(0, fixture.second.name(), fixture.second.size_bytes())]);
    assert!(files[0].selected && !files[0].complete);
}

async fn takes_a_hybrid_by_both_hashes<C: TorrentClient>(client: &C, fixture: &ContractFixture) {
    assert_eq!(client.add(&fixture.magnet(&fixture.hybrid)).await, Ok(AddOutcome::Accepted));
    let seen = find(client, fixture.hybrid.infohashes()).await;
    assert_eq!(&seen.infohashes, fixture.hybrid.infohashes());
    for kind in [Scope::Ours, Scope::Everything] {
        let all = client.observe(&kind).await.expect("a listing");
        let there = |hashes: &InfohashSet| all.iter().any(|one| one.infohashes.intersects(hashes));
        assert!(there(fixture.v1.infohashes()) && there(fixture.second.infohashes()), "{kind:?}");
        assert!(there(fixture.hybrid.infohashes()), "{kind:?}");
    }
}

async fn rejects_junk<C: TorrentClient>(client: &C, fixture: &ContractFixture) {
    let junk = fixture.request(AddSource::Torrent(b"<!DOCTYPE html><p>log in".to_vec()));
    assert!(matches!(client.add(&junk).await, Err(ClientError::Rejected(_))));
    let no_link = fixture.request(AddSource::Magnet("magnet:?dn=nothing".into()));
    assert_eq!(client.add(&no_link).await, Ok(AddOutcome::Refused));
}

async fn wears_and_drops_tags<C: TorrentClient + TorrentControl>(
    client: &C,
    fixture: &ContractFixture,
) {
    let seen = find(client, fixture.v1.infohashes()).await;
    let own = format!("{}-one", fixture.extra_tag);
    client.add_tags(&seen.handle, std::slice::from_ref(&own)).await.expect("tags are put on");
    let has = async |tag: &str, wanted: bool| {
        let seen = find(client, fixture.v1.infohashes()).await;
        (seen.tags.iter().any(|worn| worn == tag) == wanted).then_some(seen)
    };
    eventually(DEADLINE, "the new tag", async || has(&own, true).await).await;
    client.drop_tags(&seen.handle, std::slice::from_ref(&own)).await.expect("tags come off");
    let after = eventually(DEADLINE, "the tag to go", async || has(&own, false).await).await;
    assert!(after.tags.contains(&"tracker".to_owned()), "others stay");
    client.drop_tags(&seen.handle, &[]).await.expect("no tags are no work");
    client.drop_tags(&seen.handle, &[own]).await.expect("twice is fine");
    let still = find(client, fixture.v1.infohashes()).await;
    assert!(still.tags.contains(&"tracker".to_owned()), "no tags does not mean all tags");
}

async fn stops_and_starts<C: TorrentClient + TorrentControl>(
    client: &C,
    fixture: &ContractFixture,
) {
    let seen = find(client, fixture.second.infohashes()).await;
    let stopped = async |wanted: bool| {
        let seen = find(client, fixture.second.infohashes()).await;
        ((seen.phase == Phase::Stopped) == wanted && seen.progress.stopped == wanted).then_some(())
    };
    client.stop(&seen.handle).await.expect("it stops");
    eventually(DEADLINE, "the torrent to stop", async || stopped(true).await).await;
    client.stop(&seen.handle).await.expect("twice is fine");
    client.start(&seen.handle).await.expect("it starts");
    eventually(DEADLINE, "the torrent to start", async || stopped(false).await).await;
}

async fn takes_places<C: TorrentClient + TorrentControl>(client: &C, fixture: &ContractFixture) {
    let seen = find(client, fixture.second.infohashes()).await;
    for end in QueueEnd::ALL {
        match client.queue(&seen.handle, end).await {
            Ok(()) => {}
            Err(ClientError::Rejected(why)) => assert!(why.contains("queue"), "{why}"),
            other => panic!("{end}: {other:?}"),
        }
    }
}

async fn selects_files<C: TorrentClient + TorrentControl>(client: &C, fixture: &ContractFixture) {
    let nobody = Handle("cccccccccccccccccccccccccccccccccccccccc".into());
    let none = client.select_files(&nobody, &BTreeSet::new()).await;
    assert_eq!(none, Err(ClientError::NotFound), "a torrent that it has not");
    let bare = find(client, fixture.v1.infohashes()).await;
    let early = client.select_files(&bare.handle, &BTreeSet::from([0])).await;
    assert!(matches!(early, Err(ClientError::Unreachable(_))), "before metadata: {early:?}");
    assert_eq!(client.add(&fixture.file(&fixture.pack)).await, Ok(AddOutcome::Accepted));
    let chosen = async |unwanted: &[u32], wanted: [bool; 2], size: u64| {
        let unwanted = BTreeSet::from_iter(unwanted.iter().copied());
        eventually(DEADLINE, "the choice", async || {
            let seen = find(client, fixture.pack.infohashes()).await;
            // One that still reads its files takes no choice yet.
            client.select_files(&seen.handle, &unwanted).await.ok()?;
            let files = client.files(&seen.handle).await.expect("the files are known");
            let told: Vec<_> = files.iter().map(|file| (file.index, file.selected)).collect();
            (told == [(0, wanted[0]), (1, wanted[1])]).then_some(())
        })
        .await;
        eventually(DEADLINE, "the size of what is wanted", async || {
            let seen = find(client, fixture.pack.infohashes()).await;
            assert_ne!(seen.phase, Phase::Complete, "nobody has its bytes");
            // The files share a piece, and clients count the whole of it.
            let told = (size..=fixture.pack.size_bytes()).contains(&seen.size_bytes?);
            told.then_some(())
        })
        .await;
    };
    let each = fixture.pack.size_bytes() / 2;
    chosen(&[1], [true, false], each).await;
    chosen(&[1], [true, false], each).await;
    chosen(&[0], [false, true], each).await;
    chosen(&[], [true, true], 2 * each).await;
}

async fn is_removed<C: TorrentClient + TorrentControl>(client: &C, hashes: &InfohashSet) {
    let seen = find(client, hashes).await;
    client.remove(&seen.handle, Removal::DeleteData).await.expect("it is removed");
    eventually(DEADLINE, "the torrent to go", async || {
        look(client, hashes).await.is_none().then_some(())
    })
    .await;
    assert_eq!(client.remove(&seen.handle, Removal::DeleteData).await, Ok(()), "twice is fine");
}

async fn find<C: TorrentClient>(client: &C, hashes: &InfohashSet) -> Seen {
    eventually(DEADLINE, "the torrent to show", async || look(client, hashes).await).await
}

async fn look<C: TorrentClient>(client: &C, hashes: &InfohashSet) -> Option<Seen> {
    let scope = Scope::Infohashes(hashes.iter().collect());
    let seen = client.observe(&scope).await.expect("a client that is up answers");
    assert!(seen.len() < 2, "one torrent is listed once");
    seen.into_iter().next()
}
