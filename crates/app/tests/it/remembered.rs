//! What a person has remembered for the releases of a group.

use tracker_app::{AppError, NoRelease, Said};
use tracker_domain::entity::RememberedId;
use tracker_domain::recognised::RecognitionState as S;
use tracker_domain::{Actor, DownloadId};
use tracker_store::ReleaseKeys;
use tracker_testkit::spec;

use crate::fixture::{Fixture, actor, v1};

const NAME: &str = "Odd.Show.S02.1080p.WEB.H264-GRP";

async fn proposed(fixture: &Fixture, number: u8, name: &str) -> DownloadId {
    let id = fixture.ingest(v1(number), name).await.download.id;
    fixture.recognise(id, S::Proposed, |_| ()).await;
    id
}

fn said(fields: &[(&str, Option<&str>)]) -> Said {
    let field =
        |(name, value): &(&str, Option<&str>)| ((*name).to_owned(), value.map(str::to_owned));
    Said { fields: fields.iter().map(field).collect(), hint: None, remember: true }
}

async fn remembered(fixture: &Fixture) -> Vec<(String, String)> {
    let page = fixture.app.review.remembered().await.unwrap();
    page.items.into_iter().map(|word| (word.field, word.value)).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect()
}

/// As a recognition of a release of the group does it.
async fn take_over(fixture: &Fixture, id: DownloadId) {
    fixture
        .write(move |tx| {
            let keys = ReleaseKeys { group_key: "grp", title_key: "oddshow episodes" };
            let words = tx.remembered_for(id, keys)?;
            tx.take_over(id, &words)
        })
        .await;
}

#[tokio::test]
async fn what_means_the_same_elsewhere_is_remembered() {
    spec!("review#remembered-for-a-release-group/fields-that-mean-the-same-elsewhere");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = proposed(&fixture, 1, NAME).await;
    let words = said(&[
        ("title", Some("The Odd Show")),
        ("season", Some("3")),
        ("episode_offset", Some("-12")),
        ("numbering", Some("absolute")),
        ("library", Some("series")),
        ("candidate", Some("tmdb:tv/7")),
        ("file.0.part", Some("2")),
    ]);
    let words = Said { hint: Some("a series".to_owned()), ..words };
    review.say(id, words, None, &actor()).await.unwrap();
    let wanted = pairs(&[
        ("candidate", "tmdb:tv/7"),
        ("library", "series"),
        ("numbering", "absolute"),
        ("title", "The Odd Show"),
    ]);
    assert_eq!(remembered(&fixture).await, wanted);
    let words = review.remembered().await.unwrap().items;
    assert!(words.iter().all(|word| word.author == actor() && word.group == "GRP"));
    // Without the box nothing more is.
    let more = Said { remember: false, ..said(&[("year", Some("1999"))]) };
    review.say(id, more, None, &actor()).await.unwrap();
    assert_eq!(remembered(&fixture).await, wanted);
    // One field alone.
    review.set_and_remember(id, "kind", "anime", None, &actor()).await.unwrap();
    assert_eq!(remembered(&fixture).await.len(), 5);
    // What is taken back is forgotten where that is ticked.
    review.say(id, said(&[("library", None)]), None, &actor()).await.unwrap();
    let fields: Vec<String> =
        remembered(&fixture).await.into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["candidate", "kind", "numbering", "title", "year"]);
}

#[tokio::test]
async fn what_was_taken_over_says_from_whom() {
    spec!("review#remembered-for-a-release-group/shown-where-it-was-taken-over");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let first = proposed(&fixture, 1, NAME).await;
    review.say(first, said(&[("title", Some("The Show"))]), None, &actor()).await.unwrap();
    let said_at = review.remembered().await.unwrap().items.remove(0).updated_at;
    fixture.clock.advance_seconds(60);
    let other = proposed(&fixture, 2, "Odd.Show.S05E01.720p.WEB.H264-GRP").await;
    take_over(&fixture, other).await;
    let shown = review.overrides(other).await.unwrap().items.remove(0);
    assert_eq!((shown.author, shown.remembered_at), (actor(), Some(said_at)));
    let view = review.recognition(other).await.unwrap();
    assert_eq!(view.fields.title.as_deref(), Some("The Show"));
    // The same word of a person makes it one of the download.
    let person = Actor::Web("ann".to_owned());
    let own = review.set_override(other, "title", "The Show", None, &person).await.unwrap();
    assert_eq!((own.author, own.remembered_at), (person, None));
}

#[tokio::test]
async fn what_a_person_takes_back_stays_away() {
    spec!("review#remembered-for-a-release-group/taken-back");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let first = proposed(&fixture, 1, NAME).await;
    review.say(first, said(&[("title", Some("The Show"))]), None, &actor()).await.unwrap();
    let other = proposed(&fixture, 2, NAME).await;
    take_over(&fixture, other).await;
    review.remove_override(other, "title", None, &actor()).await.unwrap();
    take_over(&fixture, other).await;
    assert_eq!(review.overrides(other).await.unwrap().items, []);
    assert_eq!(remembered(&fixture).await.len(), 1);
}

#[tokio::test]
async fn what_cannot_be_remembered_is_refused_as_a_whole() {
    spec!("review#remembered-for-a-release-group/nothing-to-remember");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let no_group = proposed(&fixture, 1, "Odd Show").await;
    assert_eq!(review.release(no_group).await.unwrap(), Err(NoRelease::NoGroup));
    let id = proposed(&fixture, 2, NAME).await;
    let found = review.release(id).await.unwrap().unwrap();
    assert_eq!((found.group.as_str(), found.title.as_str()), ("GRP", "Odd Show"));
    let year = said(&[("year", Some("1999"))]);
    let season = said(&[("season", Some("3"))]);
    for (id, words, why) in [(no_group, year, "no release group"), (id, season, "nothing is set")] {
        let refused = review.say(id, words, None, &actor()).await;
        let Err(AppError::InvalidRequest(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].pointer, "/remember");
        assert!(errors[0].detail.contains(why), "{}", errors[0].detail);
        assert_eq!(review.overrides(id).await.unwrap().items, []);
    }
    let refused = review.set_and_remember(id, "season", "3", None, &actor()).await;
    assert!(matches!(refused, Err(AppError::InvalidRequest(_))), "{refused:?}");
    assert_eq!(review.overrides(id).await.unwrap().items, []);
    assert_eq!(remembered(&fixture).await, []);
}

#[tokio::test]
async fn it_is_forgotten_by_its_id() {
    spec!("review#remembered-for-a-release-group/forgotten");
    let fixture = Fixture::new();
    let review = &fixture.app.review;
    let id = proposed(&fixture, 1, NAME).await;
    review.set_and_remember(id, "title", "The Show", None, &actor()).await.unwrap();
    let word = review.remembered().await.unwrap().items.remove(0);
    review.forget(word.id, &actor()).await.unwrap();
    assert_eq!(remembered(&fixture).await, []);
    assert_eq!(review.overrides(id).await.unwrap().items.len(), 1);
    let again = review.forget(word.id, &actor()).await;
    assert!(matches!(again, Err(AppError::NotFound { .. })), "{again:?}");
    let foreign: RememberedId = id.any().typed();
    let wrong = review.forget(foreign, &actor()).await;
    assert!(matches!(wrong, Err(AppError::WrongEntityKind { .. })), "{wrong:?}");
}
