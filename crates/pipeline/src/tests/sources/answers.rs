//! Sources that answer.

use tracker_domain::metadata::Provider;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::metadata::MetadataCall;
use tracker_testkit::{FakeTorrent, spec};

use super::{HARBOUR, HARBOUR_IN_LIBRARY, World, video, videos};
use crate::AutoAccept;
use crate::tests::fixture::{one, v1};

#[tokio::test]
async fn a_film_that_a_source_knows_is_linked_by_its_name_there() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/sure");
    spec!("recognition-flow#the-sources-say-which-work-it-is/a-further-name");
    let world = World::new();
    let fixture = &world.fixture;
    let torrent = video(1, "Tikhaya.Gavan.2011.1080p.WEB");
    let id = fixture.settle(torrent).await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1001"));
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1);
    // The row keeps what the names say.
    let living = fixture.living(id).await;
    assert_eq!(living.fields.title.as_deref(), Some("Tikhaya Gavan"));
    assert_eq!((living.verdict.as_deref(), living.chosen_by), (Some("sure"), None));
    // A source that knows no films is not asked for one.
    assert_eq!(world.tvmaze.calls(), []);
}

#[tokio::test]
async fn two_works_of_one_name_and_year_are_a_question() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/several-works");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, "Iron.Orchard.2014.1080p.WEB")).await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert!(fixture.detail(id).await.contains("same title and year"));
    let words: Vec<_> = fixture.candidates(id).await.iter().map(|known| known.word()).collect();
    assert_eq!(words[..2].iter().flatten().count(), 2, "{words:?}");
    assert_eq!(fixture.work(id).await, None);
    // A person takes the second one.
    let second = fixture.candidates(id).await[1].id;
    fixture.take(id, Some(second)).await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn a_work_that_no_source_has_is_a_question() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/no-such-work");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, "Nowhere.At.All.2011.1080p.WEB")).await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert!(fixture.detail(id).await.contains("know no such work"));
    assert_eq!(fixture.candidates(id).await, []);
}

#[tokio::test]
async fn without_a_hit_the_year_is_left_out() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/another-year");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, "The.Quiet.Harbour.2012.1080p.WEB")).await;
    let years: Vec<Option<i32>> = searches(&world);
    assert_eq!(years, [Some(2012), None]);
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert_eq!(fixture.candidates(id).await[0].word().as_deref(), Some("tmdb:movie/1001"));
    assert!(fixture.detail(id).await.contains("a year off"));
}

fn searches(world: &World) -> Vec<Option<i32>> {
    let years = world.tmdb.calls().into_iter().filter_map(|call| match call {
        MetadataCall::Search(query) => Some(query.year),
        _ => None,
    });
    years.collect()
}

#[tokio::test]
async fn a_sure_match_waits_where_nothing_may_be_accepted() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/never-by-itself");
    let world = World::with(AutoAccept::Never, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, HARBOUR)).await;
    assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
    assert_eq!(fixture.detail(id).await, "accept the match first");
    assert_eq!(fixture.living(id).await.verdict.as_deref(), Some("sure"));
    fixture.take(id, None).await;
    assert_eq!(fixture.work(id).await.as_deref(), Some("tmdb:movie/1001"));
    fixture.link().await;
    assert_eq!(fixture.below(HARBOUR_IN_LIBRARY).len(), 1);
}

#[tokio::test]
async fn a_series_that_both_know_is_one_candidate() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/known-to-both");
    let world = World::new();
    let fixture = &world.fixture;
    let torrent = videos(
        1,
        "Lanterns.of.Kesh.S02.1080p.WEB",
        &["Lanterns.of.Kesh.S02E01.1080p.WEB.mkv", "Lanterns.of.Kesh.S02E02.1080p.WEB.mkv"],
    );
    let id = fixture.settle(torrent).await;
    let words: Vec<_> = fixture.candidates(id).await.iter().map(|known| known.word()).collect();
    assert_eq!(words, [Some("tmdb:tv/2001".to_owned())]);
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let season = fixture.below("/media/series/Lanterns of Kesh (2016)/Season 02/");
    assert_eq!(season.len(), 3, "a folder and two files: {season:?}");
}

#[tokio::test]
async fn the_best_are_asked_for_in_full() {
    spec!("recognition-flow#the-sources-say-which-work-it-is/in-full");
    let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    fixture.recognised(video(1, "Iron.Orchard.2014.1080p.WEB")).await;
    let calls = world.tmdb.calls();
    let full = calls.iter().filter(|call| matches!(call, MetadataCall::Work(_))).count();
    assert_eq!((calls.len() - full, full), (1, 2), "{calls:?}");
}

#[tokio::test]
async fn what_no_source_covers_rests_on_names() {
    spec!("recognition-flow#without-a-source/only-one-that-knows-no-films");
    let world = World::with(AutoAccept::Confident, &[Provider::Tvmaze]);
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, HARBOUR)).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!((fixture.candidates(id).await, world.calls()), (Vec::new(), 0));
}

#[tokio::test]
async fn names_alone_count_where_nobody_is_asked() {
    spec!("recognition-flow#without-a-source/none-at-all");
    let world = World::with(AutoAccept::Confident, &[]);
    let fixture = &world.fixture;
    let id = fixture.settle(video(1, HARBOUR)).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.health("metadata-unreachable"), None);
}

#[tokio::test]
async fn programs_and_archives_are_no_question_for_a_source() {
    spec!("recognition-flow#without-a-source/nothing-for-a-source");
    let cases = [
        ("Harbour.exe", Attention::UnsafeContent),
        ("Harbour.rar", Attention::Archive),
        ("Harbour.pdf", Attention::NotMedia),
    ];
    for (file, mark) in cases {
        let world = World::new();
        let fixture = &world.fixture;
        let torrent = FakeTorrent::new(one(v1(1)), HARBOUR).file(&format!("{HARBOUR}/{file}"), 90);
        let id = fixture.settle(torrent).await;
        assert_eq!(fixture.match_state(id).await, RecognitionState::Proposed);
        assert_eq!((fixture.mark(id).await, world.calls()), (Some(mark), 0), "{file}");
    }
}
