//! Moving in with clients that are in use.

use std::sync::Arc;

use tracker_app::{App, AppError, MAX_ADOPTED, TwinView};
use tracker_domain::observed::Scope;
use tracker_domain::ports::ClientError;
use tracker_domain::{Infohash, InfohashSet, InfohashV1, InfohashV2};
use tracker_ingest::{ClientEntry, ClientPolicy, Clients};
use tracker_testkit::{ClientCall, FakeClient, FakeTorrent, spec};

use crate::fixture::{Fixture, actor, v1, v2};

fn theirs(hashes: InfohashSet, name: &str) -> FakeTorrent {
    FakeTorrent::new(hashes, name).downloading().file("a.mkv", 400)
}

/// The same services with a second client.
fn with_second(fixture: &Fixture) -> (App, Arc<FakeClient>) {
    let second = Arc::new(FakeClient::new());
    let entry = |name: &str, client: &Arc<FakeClient>| ClientEntry {
        name: name.to_owned(),
        client: client.clone(),
        policy: ClientPolicy::default(),
    };
    let clients = Clients::new(vec![entry("main", &fixture.client), entry("office", &second)]);
    let (live, laying) = (fixture.board.clone(), fixture.laying.clone());
    (App::new(fixture.db.clone(), clients, Vec::new(), live, laying), second)
}

/// The number of full listings and of questions by hash.
fn asked(client: &FakeClient) -> (usize, usize) {
    let calls = client.calls();
    let count = |wanted: fn(&Scope) -> bool| {
        let asked =
            |call: &&ClientCall| matches!(call, ClientCall::Observe(scope) if wanted(scope));
        calls.iter().filter(asked).count()
    };
    (
        count(|scope| !matches!(scope, Scope::Infohashes(_))),
        count(|scope| matches!(scope, Scope::Infohashes(_))),
    )
}

#[tokio::test]
async fn what_there_is_is_told_before() {
    spec!("daily-use#moving-in-with-a-client/what-there-is");
    let fixture = Fixture::new();
    let (app, second) = with_second(&fixture);
    fixture.accept(1).await;
    fixture.client.put(theirs(InfohashSet::one(v1(1)), "Known"));
    fixture.client.put(theirs(InfohashSet::new([v1(2), v2(2)]).unwrap(), "Shared"));
    fixture.client.put(theirs(InfohashSet::one(v1(3)), "Far").saved_to("D:\\Torrents"));
    second.put(theirs(InfohashSet::one(v2(2)), "Shared"));
    let page = app.intake.adoption(None).await.unwrap();
    let [main, office] = &page.items[..] else { panic!("{page:?}") };
    assert_eq!((main.client.as_str(), main.known, main.torrents.len()), ("main", 1, 2));
    let notes: Vec<_> = main.torrents.iter().map(|torrent| torrent.note.as_deref()).collect();
    assert_eq!(notes[0], None);
    assert!(notes[1].unwrap().contains("not be linked"), "{notes:?}");
    assert_eq!((office.client.as_str(), office.known), ("office", 0));
    assert!(office.torrents[0].note.as_deref().unwrap().contains("\"main\""), "{office:?}");
    assert_eq!((asked(&fixture.client), asked(&second)), ((1, 0), (1, 0)));
    assert_eq!((&main.twins, &office.twins), (&Vec::new(), &Vec::new()));
    let only = app.intake.adoption(Some("office".to_owned())).await.unwrap();
    assert_eq!(only.items.len(), 1);
    let nobody = app.intake.adoption(Some("nobody".to_owned())).await;
    assert!(matches!(nobody, Err(AppError::UnknownClient { .. })));
}

#[tokio::test]
async fn what_two_clients_have_is_told() {
    spec!("torrent-clients#one-torrent-in-two-clients/while-moving-in");
    let fixture = Fixture::new();
    let (app, second) = with_second(&fixture);
    fixture.client.put(theirs(InfohashSet::new([v1(2), v2(2)]).unwrap(), "Shared"));
    let adopted = app.intake.adopt_many(None, vec![v1(2)], &actor()).await.unwrap();
    let download = adopted.items[0].outcome.as_ref().unwrap().download.id;
    // The other client knows the half only.
    second.put(theirs(InfohashSet::one(v2(2)), "Shared there"));
    let page = app.intake.adoption(None).await.unwrap();
    let [main, office] = &page.items[..] else { panic!("{page:?}") };
    assert_eq!((main.known, &main.twins), (1, &Vec::new()));
    assert_eq!((office.known, &office.torrents), (1, &Vec::new()));
    let other = "main".to_owned();
    assert_eq!(office.twins, [TwinView { download, other, name: "Shared there".to_owned() }]);
    // Taking it over there as well makes no second download of it.
    let again = app.intake.adopt_many(Some("office".to_owned()), vec![v2(2)], &actor()).await;
    let again = again.unwrap().items.remove(0).outcome.unwrap();
    assert_eq!((again.created, again.download.id), (false, download));
    assert_eq!(again.download.client.as_deref(), Some("main"));
}

#[tokio::test]
async fn a_client_that_is_away_hides_no_other() {
    spec!("daily-use#moving-in-with-a-client/one-is-away");
    let fixture = Fixture::new();
    let (app, second) = with_second(&fixture);
    fixture.client.set_down(Some(ClientError::Unreachable("no answer".to_owned())));
    second.put(theirs(InfohashSet::one(v1(2)), "Theirs"));
    let page = app.intake.adoption(None).await.unwrap();
    let error = page.items[0].error.as_ref().unwrap();
    assert_eq!(error.code, "client-unreachable");
    assert!(error.detail.contains("no answer"), "{error:?}");
    assert_eq!(page.items[1].torrents.len(), 1);
}

#[tokio::test]
async fn hundreds_need_few_calls() {
    spec!("daily-use#moving-in-with-a-client/hundreds-at-once");
    let fixture = Fixture::new();
    let intake = &fixture.app.intake;
    for number in 0..450u16 {
        let mut bytes = [9; 32];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        let v2 = Infohash::from(InfohashV2::from_bytes(bytes));
        let mut bytes = [7; 20];
        bytes[..2].copy_from_slice(&number.to_be_bytes());
        let v1 = Infohash::from(InfohashV1::from_bytes(bytes));
        // Each third is a hybrid, which a client does not find by its v1.
        let hashes = if number % 3 == 0 { vec![v1, v2] } else { vec![v1] };
        fixture.client.put(theirs(InfohashSet::new(hashes).unwrap(), "Theirs"));
    }
    let found = intake.adoption(None).await.unwrap().items.remove(0).torrents;
    assert_eq!(found.len(), 450);
    let names: Vec<Infohash> =
        found.iter().map(|torrent| *torrent.infohashes.last().unwrap()).collect();
    for some in names.chunks(MAX_ADOPTED) {
        let page = intake.adopt_many(None, some.to_vec(), &actor()).await.unwrap();
        assert!(page.items.iter().all(|one| one.outcome.as_ref().is_ok_and(|one| one.created)));
    }
    assert_eq!(asked(&fixture.client), (1, 3));
    assert_eq!(fixture.client.calls().len(), 4);
    let left = intake.adoption(None).await.unwrap().items.remove(0);
    assert_eq!((left.known, left.torrents), (450, Vec::new()));
}

#[tokio::test]
async fn one_that_is_gone_keeps_none_of_the_others() {
    spec!("daily-use#moving-in-with-a-client/one-that-cannot-be");
    let fixture = Fixture::new();
    fixture.client.put(theirs(InfohashSet::one(v1(1)), "One"));
    fixture.client.put(theirs(InfohashSet::one(v1(3)), "Three"));
    let named = vec![v1(1), v1(2), v1(3)];
    let page = fixture.app.intake.adopt_many(None, named.clone(), &actor()).await.unwrap();
    let told: Vec<_> = page.items.iter().map(|one| one.infohash).collect();
    assert_eq!(told, named);
    let failed: Vec<_> = page
        .items
        .iter()
        .map(|one| one.outcome.as_ref().err().map(|why| why.code.as_str()))
        .collect();
    assert_eq!(failed, [None, Some("not-found"), None]);
}
