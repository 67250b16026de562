//! What the recogniser does with the metadata sources.

mod answers;
mod asked_again;
mod dice;
mod health;
mod held;
mod many;
mod pins;
mod rejected;
mod remembered;
mod trouble;
mod woken;
mod words;

use std::sync::Arc;

use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{MetadataError, MetadataSource};
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadId};
use tracker_store::{Candidate, Recognition};
use tracker_testkit::{FakeMetadata, FakeTorrent};

use super::fixture::{Fixture, Setup, one, person, v1};
use crate::{AutoAccept, Policy, Sources};

/// A film of the catalogue, plainly named.
const HARBOUR: &str = "The.Quiet.Harbour.2011.1080p.WEB";
const HARBOUR_IN_LIBRARY: &str =
    "/media/films/The Quiet Harbour (2011)/The Quiet Harbour (2011) - 1080p.mkv";

/// A fixture with sources that a test can tell what to do.
struct World {
    fixture: Fixture,
    tmdb: Arc<FakeMetadata>,
    tvmaze: Arc<FakeMetadata>,
}

impl World {
    /// Both sources, with the catalogue.
    fn new() -> Self {
        Self::with(AutoAccept::Confident, &[Provider::Tmdb, Provider::Tvmaze])
    }

    /// These sources alone are asked.
    fn with(auto_accept: AutoAccept, asked: &[Provider]) -> Self {
        let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
        let tvmaze = Arc::new(FakeMetadata::with_catalogue(Provider::Tvmaze));
        let pick = |provider: &Provider| -> Arc<dyn MetadataSource> {
            match provider {
                Provider::Tmdb => tmdb.clone(),
                Provider::Tvmaze => tvmaze.clone(),
            }
        };
        let sources = asked.iter().map(pick).collect();
        World { fixture: fixture(auto_accept, sources), tmdb, tvmaze }
    }

    /// How often the two were asked.
    fn calls(&self) -> usize {
        self.tmdb.call_count() + self.tvmaze.call_count()
    }

    fn both_fail_with(&self, error: &MetadataError) {
        self.tmdb.fail_with(error.clone());
        self.tvmaze.fail_with(error.clone());
    }

    fn both_answer(&self) {
        self.tmdb.answer_again();
        self.tvmaze.answer_again();
    }
}

fn fixture(auto_accept: AutoAccept, sources: Vec<Arc<dyn MetadataSource>>) -> Fixture {
    let policy = Policy {
        auto_accept,
        sources: Sources::new(sources),
        languages: vec!["en".to_owned(), "ru".to_owned()],
        ..Policy::default()
    };
    Fixture::with(Setup { policy, ..Setup::default() })
}

fn dead() -> MetadataError {
    MetadataError::Unreachable("nobody is there".to_owned())
}

/// A torrent of one video.
fn video(number: u8, name: &str) -> FakeTorrent {
    FakeTorrent::new(one(v1(number)), name).file(&format!("{name}/{name}.mkv"), 400)
}

/// A torrent of several videos.
fn videos(number: u8, name: &str, files: &[&str]) -> FakeTorrent {
    let torrent = FakeTorrent::new(one(v1(number)), name);
    let sized = (300..).zip(files);
    sized.fold(torrent, |torrent, (size, file)| torrent.file(&format!("{name}/{file}"), size))
}

impl Fixture {
    /// Complete and recognised.
    async fn recognised(&self, torrent: FakeTorrent) -> DownloadId {
        let id = self.complete(torrent).await;
        self.recognise().await;
        id
    }

    /// Complete and recognised, with a work that a person has named before.
    async fn pinned(&self, torrent: FakeTorrent, pin: &'static str) -> DownloadId {
        let hash = torrent.infohashes.iter().next().unwrap();
        let id = self.accept(&[hash], &torrent.name).await;
        self.said(id, "candidate", pin).await;
        self.complete_as(id, torrent).await;
        self.recognise().await;
        id
    }

    /// A person's override.
    async fn said(&self, id: DownloadId, field: &'static str, value: &'static str) {
        let word = move |tx: &mut tracker_store::WriteTx<'_>| tx.set_override(id, field, value);
        self.db.write(&person(), word).await.unwrap();
    }

    async fn living(&self, id: DownloadId) -> Recognition {
        self.read(move |tx| tx.recognition_of(id)).await.unwrap()
    }

    async fn match_state(&self, id: DownloadId) -> RecognitionState {
        self.living(id).await.state
    }

    async fn candidates(&self, id: DownloadId) -> Vec<Candidate> {
        let living = self.living(id).await.id;
        self.read(move |tx| tx.candidates(living)).await
    }

    /// The work that is taken, as a person would name it.
    async fn work(&self, id: DownloadId) -> Option<String> {
        let chosen = self.living(id).await.candidate?;
        self.read(move |tx| tx.candidate(chosen)).await.unwrap().word()
    }

    /// A person takes a candidate, or what is proposed.
    async fn take(&self, id: DownloadId, candidate: Option<CandidateId>) {
        let decide =
            move |tx: &mut tracker_store::WriteTx<'_>| tx.accept_recognition(id, candidate);
        self.db.write(&person(), decide).await.unwrap().unwrap();
    }

    /// A person takes the names as they are.
    async fn take_as_read(&self, id: DownloadId) {
        let decide = move |tx: &mut tracker_store::WriteTx<'_>| tx.accept_as_read(id);
        self.db.write(&person(), decide).await.unwrap().unwrap();
    }

    /// A person says that it is wrong.
    async fn reject(&self, id: DownloadId) {
        let decide = move |tx: &mut tracker_store::WriteTx<'_>| tx.reject_recognition(id);
        self.db.write(&person(), decide).await.unwrap().unwrap();
    }

    /// A person says something, and wants it looked at again.
    async fn correct(&self, id: DownloadId, candidate: Option<&'static str>) {
        let again = move |tx: &mut tracker_store::WriteTx<'_>| {
            if let Some(word) = candidate {
                tx.set_override(id, "candidate", word)?;
            }
            tracker_ingest::recognise_again(tx, id)
        };
        self.db.write(&person(), again).await.unwrap();
    }

    /// A person wants it looked at again.
    async fn ask_again(&self, id: DownloadId) {
        let again = move |tx: &mut tracker_store::WriteTx<'_>| tx.supersede_recognitions(id);
        self.db.write(&person(), again).await.unwrap();
    }

    /// Until after the next look of one that waits.
    async fn until_next_look(&self, id: DownloadId) {
        let at = self.living(id).await.next_look_at.unwrap();
        let left = at.seconds_since(tracker_domain::ports::Clock::now(&*self.clock));
        self.clock.advance_seconds(u64::try_from(left.max(0)).unwrap() + 1);
    }

    async fn waits(&self, id: DownloadId) {
        assert_eq!(self.match_state(id).await, RecognitionState::Waiting);
        assert_eq!(self.mark(id).await, Some(Attention::MetadataUnavailable));
    }
}
