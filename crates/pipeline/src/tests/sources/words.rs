//! What people say while the sources are asked, and after.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tracker_domain::metadata::{Episode, MetadataQuery, Pin, Provider, Work, WorkId};
use tracker_domain::ports::{MetadataError, MetadataSource};
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{DownloadId, DownloadState};
use tracker_store::Db;
use tracker_testkit::{FakeMetadata, spec};

use super::{HARBOUR, World, fixture, video};
use crate::AutoAccept;
use crate::tests::fixture::{person, v1};

/// What somebody does while the source thinks.
type Meanwhile = Box<dyn FnOnce(&Db) + Send>;

/// A source that gives people time to speak.
struct Slow {
    inner: FakeMetadata,
    meanwhile: Mutex<Option<(Db, Meanwhile)>>,
}

impl Slow {
    fn new() -> Self {
        let inner = FakeMetadata::with_catalogue(Provider::Tmdb);
        Slow { inner, meanwhile: Mutex::new(None) }
    }

    fn meanwhile(&self, db: &Db, what: impl FnOnce(&Db) + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some((db.clone(), Box::new(what)));
    }
}

#[async_trait]
impl MetadataSource for Slow {
    fn provider(&self) -> Provider {
        Provider::Tmdb
    }

    async fn search(&self, query: &MetadataQuery) -> Result<Vec<Work>, MetadataError> {
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some((db, what)) = meanwhile {
            tokio::task::spawn_blocking(move || what(&db)).await.unwrap();
        }
        self.inner.search(query).await
    }

    async fn work(&self, id: WorkId, language: &str) -> Result<Work, MetadataError> {
        self.inner.work(id, language).await
    }

    async fn resolve(&self, pin: &Pin, language: &str) -> Result<Vec<Work>, MetadataError> {
        self.inner.resolve(pin, language).await
    }

    async fn episodes(
        &self,
        id: WorkId,
        season: u32,
        language: &str,
    ) -> Result<Vec<Episode>, MetadataError> {
        self.inner.episodes(id, season, language).await
    }
}

fn say(db: &Db, id: DownloadId, field: &str, value: &str) {
    db.write_blocking(&person(), |tx| tx.set_override(id, field, value)).unwrap();
}

#[tokio::test]
async fn what_is_said_meanwhile_wins() {
    spec!("recognition-flow#the-latest-word-wins/said-while-a-source-is-asked");
    let slow = Arc::new(Slow::new());
    let fixture = fixture(AutoAccept::Confident, vec![slow.clone()]);
    let id = fixture.complete(video(1, "Iron.Orchard.2014.1080p.WEB")).await;
    slow.meanwhile(&fixture.db, move |db| say(db, id, "candidate", "tmdb:movie/1003"));
    fixture.recognise().await;
    assert_eq!(fixture.read(move |tx| tx.recognition_of(id)).await, None, "nothing is written");
    assert_eq!(fixture.mark(id).await, None);
    fixture.recognise().await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1003"));
    // A hint is a word as well.
    let id = fixture.complete(video(2, HARBOUR)).await;
    slow.meanwhile(&fixture.db, move |db| {
        db.write_blocking(&person(), |tx| tx.add_hint(id, "Iron Orchard 2015")).unwrap();
    });
    // The answers about this film are not known yet.
    fixture.recognise().await;
    assert_eq!(fixture.read(move |tx| tx.recognition_of(id)).await, None);
    fixture.recognise().await;
    assert!(fixture.read(move |tx| tx.recognition_of(id)).await.is_some());
}

#[tokio::test]
async fn a_decision_meanwhile_wins() {
    spec!("recognition-flow#the-latest-word-wins/decided-while-a-source-is-asked");
    let slow = Arc::new(Slow::new());
    let fixture = fixture(AutoAccept::Confident, vec![slow.clone()]);
    let id = fixture.accept(&[v1(1)], "Another.Name.2003.1080p.WEB").await;
    fixture.recognise().await;
    let foreseen = fixture.living(id).await.id;
    fixture.complete_as(id, video(1, HARBOUR)).await;
    slow.meanwhile(&fixture.db, move |db| {
        db.write_blocking(&person(), |tx| tx.accept_as_read(id)).unwrap().unwrap();
    });
    fixture.recognise().await;
    let living = fixture.living(id).await;
    assert_eq!((living.id, living.state), (foreseen, RecognitionState::Accepted));
    // The file list says something else than what was accepted.
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert!(fixture.detail(id).await.contains("Another Name"));
}

#[tokio::test]
async fn one_that_is_given_up_meanwhile_gets_nothing() {
    spec!("recognition-flow#the-latest-word-wins/given-up-while-a-source-is-asked");
    let slow = Arc::new(Slow::new());
    let fixture = fixture(AutoAccept::Confident, vec![slow.clone()]);
    let id = fixture.complete(video(1, HARBOUR)).await;
    slow.meanwhile(&fixture.db, move |db| {
        let given_up = tracker_domain::DownloadCause::Cancel;
        let reason = tracker_store::Reason::none();
        db.write_blocking(&person(), |tx| tx.set_download_state(id, given_up, &reason))
            .unwrap()
            .unwrap();
    });
    fixture.recognise().await;
    assert_eq!(fixture.state(id).await, DownloadState::Cancelled);
    assert_eq!(fixture.read(move |tx| tx.recognition_of(id)).await, None);
}

#[tokio::test]
async fn what_is_chosen_before_the_files_are_known_stays() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/a-choice-before-the-files");
    let world = World::new();
    let fixture = &world.fixture;
    let name = "Iron.Orchard.2014.1080p.WEB";
    let id = fixture.accept(&[v1(1)], name).await;
    fixture.recognise().await;
    let foreseen = fixture.candidates(id).await;
    let other = foreseen.iter().find(|known| known.external_id == "1003").unwrap();
    fixture.take(id, Some(other.id)).await;
    fixture.complete_as(id, video(1, name)).await;
    fixture.recognise().await;
    let living = fixture.living(id).await;
    assert_eq!((living.state, living.provisional), (RecognitionState::Accepted, false));
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1003"));
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn a_link_alone_tells_what_it_may_be() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/a-link-alone");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.accept(&[v1(1)], HARBOUR).await;
    fixture.recognise().await;
    let living = fixture.living(id).await;
    assert_eq!((living.state, living.provisional), (RecognitionState::Proposed, true));
    assert_eq!(fixture.candidates(id).await[0].word().as_deref(), Some("tmdb:movie/1001"));
    assert_eq!((fixture.mark(id).await, living.candidate), (None, None));
    let (calls, events) = (world.calls(), fixture.events().await);
    fixture.recognise().await;
    assert_eq!((world.calls(), fixture.events().await), (calls, events));
    // With the files it is decided, and the answers are known.
    fixture.complete_as(id, video(1, HARBOUR)).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Accepted);
    assert_eq!(world.calls(), calls);
}

#[tokio::test]
async fn a_source_that_is_away_troubles_nobody_before_the_files() {
    spec!("recognition-flow#it-is-foreseen-from-the-link/no-answer-yet");
    let world = World::new();
    world.both_fail_with(&super::dead());
    let fixture = &world.fixture;
    let id = fixture.accept(&[v1(1)], HARBOUR).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Waiting);
    assert_eq!(fixture.mark(id).await, None);
    world.both_answer();
    fixture.until_next_look(id).await;
    fixture.recognise().await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
}
