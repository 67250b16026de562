//! Moving all episodes of a download.

use tracker_app::{AppError, EventQuery};
use tracker_domain::event::EventType;
use tracker_domain::recognised::{
    EpisodeNumber, Fields, FileRole, RecognitionState as S, Role, TitleKind,
};
use tracker_domain::{Attention, DownloadId};
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor};

/// Two files of a season, the second of which is said to hold two episodes.
async fn series(fixture: &Fixture) -> DownloadId {
    let id = fixture.accept(1).await;
    let review = &fixture.app.review;
    review.set_override(id, "file.1.episodes", "14-15", None, &actor()).await.unwrap();
    read(fixture, id).await;
    fixture.mark(id, Attention::NeedsReview).await;
    id
}

async fn read(fixture: &Fixture, id: DownloadId) {
    fixture
        .recognise(id, S::Proposed, |new| {
            new.found.fields.kind = Some(TitleKind::Series);
            new.found.files = [13, 14].into_iter().zip(0..).map(file).collect();
        })
        .await;
}

fn file((episode, index): (u32, u32)) -> FileRole {
    let fields = Fields {
        seasons: vec![2],
        episodes: vec![EpisodeNumber::whole(episode)],
        ..Fields::default()
    };
    FileRole { index, role: Role::Main, fields }
}

async fn set(fixture: &Fixture, id: DownloadId) -> Vec<(String, String)> {
    let rows = fixture.app.review.overrides(id).await.unwrap().items;
    rows.into_iter().map(|row| (row.field, row.value)).collect()
}

async fn changes(fixture: &Fixture) -> usize {
    let query = EventQuery { types: vec![EventType::OverrideSet], ..EventQuery::default() };
    fixture.app.journal.events(query).await.unwrap().items.len()
}

#[tokio::test]
async fn all_episodes_move_or_nothing_is_set() {
    spec!("review#words-are-recognised-anew/all-episodes-are-moved");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let unread = fixture.accept(2).await;
    let early = review.shift(unread, 1, None, &actor()).await;
    assert!(matches!(early, Err(AppError::IllegalTransition { .. })), "{early:?}");
    let id = series(&fixture).await;
    let before = (set(&fixture, id).await, changes(&fixture).await);
    for by in [0, -14, 9999] {
        let refused = review.shift(id, by, None, &actor()).await;
        let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].pointer, "/by");
    }
    assert_eq!((set(&fixture, id).await, changes(&fixture).await), before);
    let revision = fixture.app.intake.show(id).await.unwrap().revision;
    let stale = review.shift(id, -12, Some(revision + 1), &actor()).await;
    assert!(matches!(stale, Err(AppError::Stale(_))), "{stale:?}");
    review.shift(id, -12, Some(revision), &actor()).await.unwrap();
    let words = [("episode_offset", "-12"), ("file.1.episodes", "2-3")];
    let words = words.map(|(field, value)| (field.to_owned(), value.to_owned()));
    assert_eq!(set(&fixture, id).await, words);
    assert_eq!(fixture.app.intake.show(id).await.unwrap().attention, None);
    read(&fixture, id).await;
    let shown: Vec<_> = review.recognition(id).await.unwrap().files;
    let episodes = shown.into_iter().map(|file| file.fields.episodes).collect::<Vec<_>>();
    let numbers = |list: &[u32]| list.iter().copied().map(EpisodeNumber::whole).collect::<Vec<_>>();
    assert_eq!(episodes, [numbers(&[1]), numbers(&[2, 3])]);
}
