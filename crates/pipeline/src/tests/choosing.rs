//! Several clients: which of them a new download gets, and that one that hangs
//! keeps none of the others waiting.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracker_domain::event::EventType;
use tracker_domain::library::LibraryKind;
use tracker_domain::ports::{ClientError, Clock};
use tracker_domain::{DownloadState, InfohashSet};
use tracker_ingest::{Choose, ClientEntry, ClientPolicy, ClientRule, Clients};
use tracker_testkit::{ClientOp, FakeClient, FakeTorrent, eventually, spec};

use super::fixture::{Fixture, v1, v2};
use crate::{Pipeline, Policy, choose, hand_over};

/// Two clients on the database and disk of a fixture.
struct Two {
    fixture: Fixture,
    clients: [Arc<FakeClient>; 2],
    pipeline: Pipeline,
}

impl Two {
    /// `films` is for films, `rest` for everything.
    fn new(how: Choose, rule: ClientRule) -> Self {
        Self::of([FakeClient::new(), FakeClient::new()], how, rule)
    }

    fn of(clients: [FakeClient; 2], how: Choose, rule: ClientRule) -> Self {
        let fixture = Fixture::new();
        let clients = clients.map(Arc::new);
        let pipeline = Self::pipeline(&fixture, &clients, how, rule);
        Two { fixture, clients, pipeline }
    }

    fn pipeline(
        fixture: &Fixture,
        clients: &[Arc<FakeClient>; 2],
        how: Choose,
        rule: ClientRule,
    ) -> Pipeline {
        let poll_interval = Duration::from_millis(20);
        let entry = |name: &str, client: &Arc<FakeClient>, rule| ClientEntry {
            name: name.to_owned(),
            client: client.clone(),
            policy: ClientPolicy { rule, poll_interval, ..ClientPolicy::default() },
        };
        let entries = Clients::new(vec![
            entry("films", &clients[0], rule),
            entry("rest", &clients[1], ClientRule::default()),
        ]);
        let policy =
            Policy { choose: how, look_every: Duration::from_millis(20), ..Policy::default() };
        let files = fixture.disk.clone();
        Pipeline::new(fixture.db.clone(), entries, files, Vec::new(), policy)
    }

    /// What the watcher of each knows.
    async fn know(&self, films: bool, rest: bool) {
        for (status, answers) in self.pipeline.statuses.iter().zip([films, rest]) {
            crate::clients::examine(&self.pipeline, &status.entry).await;
            status.set_online(answers.then(|| self.fixture.clock.now_ms()));
        }
    }

    /// The data of the events of a type, oldest first.
    async fn told(&self, kind: EventType) -> Vec<serde_json::Value> {
        self.fixture.told(kind).await.into_iter().map(|event| event.data).collect()
    }

    async fn client_of(&self, id: tracker_domain::DownloadId) -> Option<String> {
        self.fixture.row(id).await.client
    }
}

/// A torrent of the client's own, of which links name the v1 half.
fn hybrid() -> FakeTorrent {
    let hashes = InfohashSet::new([v1(1), v2(1)]).unwrap();
    FakeTorrent::new(hashes, "The.Film").downloading().file("a.mkv", 400)
}

fn films() -> ClientRule {
    ClientRule { kinds: vec![LibraryKind::Movie], ..ClientRule::default() }
}

#[tokio::test]
async fn a_rule_decides_and_the_journal_tells_why() {
    spec!("torrent-clients#choice-of-the-client/by-rule");
    let two = Two::new(Choose::First, films());
    let film = two.fixture.accept(&[v1(1)], "The.Film.2020.1080p.WEB-DL").await;
    let show = two.fixture.accept(&[v1(2)], "The.Show.S01E02.1080p.WEB").await;
    // Nobody knows yet which of them answers: nothing is decided, nothing is sent.
    choose::pass(&two.pipeline).await.unwrap();
    two.know(true, true).await;
    for status in two.pipeline.statuses.iter() {
        hand_over::pass(&two.pipeline, status).await.unwrap();
    }
    assert_eq!((two.client_of(film).await, two.client_of(show).await), (None, None));
    choose::pass(&two.pipeline).await.unwrap();
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(film).await.as_deref(), Some("films"));
    assert_eq!(two.client_of(show).await.as_deref(), Some("rest"));
    let told = two.told(EventType::DownloadClientSet).await;
    assert_eq!(told.len(), 2);
    let first = &told[0];
    assert_eq!(
        (&first["client"], &first["why"], &first["kind"]),
        (&"films".into(), &"fits".into(), &"movie".into())
    );
    for status in two.pipeline.statuses.iter() {
        hand_over::pass(&two.pipeline, status).await.unwrap();
    }
    assert_eq!([two.clients[0].adds().len(), two.clients[1].adds().len()], [1, 1]);
}

#[tokio::test]
async fn free_space_decides_where_it_can_be_seen() {
    spec!("torrent-clients#choice-of-the-client/by-free-space");
    let two = Two::new(Choose::FreeSpace, ClientRule::default());
    two.know(true, true).await;
    let id = two.fixture.accept(&[v1(1)], "x").await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(id).await.as_deref(), Some("films"), "of equal ones the first");
    let blind = FakeClient::new().with_save_path("/not/here");
    let two = Two::of([blind, FakeClient::new()], Choose::FreeSpace, ClientRule::default());
    two.know(true, true).await;
    let id = two.fixture.accept(&[v1(1)], "x").await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(id).await.as_deref(), Some("rest"), "its space can be seen");
}

#[tokio::test]
async fn one_that_is_down_is_passed_over_or_waited_for() {
    spec!("torrent-clients#choice-of-the-client/one-that-is-down");
    let two = Two::new(Choose::First, films());
    two.know(false, true).await;
    let id = two.fixture.accept(&[v1(1)], "The.Film.2020.1080p.WEB-DL").await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(id).await.as_deref(), Some("rest"), "another one fits as well");
    two.know(true, false).await;
    let show = two.fixture.accept(&[v1(2)], "The.Show.S01E02.1080p.WEB").await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(show).await, None, "only the one that is down fits");
    two.know(true, true).await;
    two.fixture.write(|tx| tx.end_backoff()).await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(show).await.as_deref(), Some("rest"));
}

#[tokio::test]
async fn a_named_client_is_not_chosen_anew() {
    spec!("torrent-clients#choice-of-the-client/a-person-named-one");
    let two = Two::new(Choose::First, films());
    two.know(true, true).await;
    let id = two.fixture.accept(&[v1(1)], "The.Film.2020.1080p.WEB-DL").await;
    two.fixture.write(move |tx| tx.set_client(id, "rest")).await;
    choose::pass(&two.pipeline).await.unwrap();
    assert_eq!(two.client_of(id).await.as_deref(), Some("rest"));
    assert_eq!(two.fixture.count(EventType::DownloadClientSet).await, 0);
}

#[tokio::test]
async fn it_goes_where_its_torrent_is() {
    spec!("torrent-clients#one-torrent-in-two-clients/nobody-named-one");
    // With rules, of which one would fit, and without any.
    for rule in [films(), ClientRule::default()] {
        let two = Two::new(Choose::First, rule);
        two.know(true, true).await;
        two.clients[1].put(hybrid());
        let id = two.fixture.accept(&[v1(1)], "The.Film.2020.1080p.WEB-DL").await;
        let plain = two.fixture.accept(&[v1(2)], "Another.Film.2021.1080p.WEB-DL").await;
        choose::pass(&two.pipeline).await.unwrap();
        for status in two.pipeline.statuses.iter() {
            hand_over::pass(&two.pipeline, status).await.unwrap();
        }
        for status in two.pipeline.statuses.iter() {
            hand_over::pass(&two.pipeline, status).await.unwrap();
        }
        assert_eq!(two.client_of(id).await.as_deref(), Some("rest"));
        assert_eq!(two.client_of(plain).await.as_deref(), Some("films"));
        assert_eq!(two.fixture.row(id).await.state, DownloadState::Downloading);
        assert_eq!(two.clients[0].adds().len(), 1, "only the other one");
        assert_eq!(two.clients[1].torrents().len(), 1, "what it had");
        let told = two.told(EventType::DownloadClientSet).await;
        let why = told.iter().find(|data| data["client"] == "rest").unwrap();
        assert_eq!(why["why"], "has-it");
        assert_eq!(two.fixture.count(EventType::DownloadInTwoClients).await, 0);
    }
}

#[tokio::test]
async fn the_client_that_was_named_has_it_with_a_warning() {
    spec!("torrent-clients#one-torrent-in-two-clients/a-person-named-one");
    let two = Two::new(Choose::First, ClientRule::default());
    two.know(true, true).await;
    two.clients[1].put(hybrid());
    let id = two.fixture.accept(&[v1(1)], "x").await;
    two.fixture.write(move |tx| tx.set_client(id, "films")).await;
    for _ in 0..3 {
        hand_over::pass(&two.pipeline, &two.pipeline.statuses[0]).await.unwrap();
    }
    assert_eq!(two.clients[0].adds().len(), 1);
    let told = two.told(EventType::DownloadInTwoClients).await;
    assert_eq!(told, [serde_json::json!({ "client": "films", "also_in": "rest" })]);
}

#[tokio::test]
async fn a_client_that_does_not_answer_is_not_asked_what_it_has() {
    spec!("torrent-clients#one-torrent-in-two-clients/one-does-not-answer");
    let two = Two::new(Choose::First, ClientRule::default());
    two.know(true, false).await;
    two.fixture.accept(&[v1(1)], "x").await;
    hand_over::pass(&two.pipeline, &two.pipeline.statuses[0]).await.unwrap();
    assert_eq!(two.clients[0].adds().len(), 1);
    // One that fails just then keeps nothing waiting either.
    two.know(true, true).await;
    two.clients[1].set_down(Some(ClientError::Unreachable("no answer".to_owned())));
    two.fixture.accept(&[v1(2)], "y").await;
    hand_over::pass(&two.pipeline, &two.pipeline.statuses[0]).await.unwrap();
    assert_eq!(two.clients[0].adds().len(), 2);
}

#[tokio::test]
async fn a_client_that_hangs_keeps_no_other_waiting() {
    spec!("torrent-clients#clients-are-independent/one-hangs");
    let two = Two::new(Choose::First, ClientRule::default());
    let ids = [two.fixture.accept(&[v1(1)], "a").await, two.fixture.accept(&[v1(2)], "b").await];
    for (id, name) in ids.into_iter().zip(["films", "rest"]) {
        two.fixture.write(move |tx| tx.set_client(id, name)).await;
    }
    // It takes the question and never answers.
    let hang = two.clients[0].hold(ClientOp::Observe);
    let stop = CancellationToken::new();
    let workers = tokio::spawn(two.pipeline.clone().run(stop.clone()));
    hang.arrived().await;
    eventually(Duration::from_secs(20), "the other client to have its torrent", async || {
        (!two.clients[1].adds().is_empty()).then_some(())
    })
    .await;
    assert!(two.clients[0].adds().is_empty(), "it hangs still");
    stop.cancel();
    hang.release();
    workers.await.unwrap();
}
