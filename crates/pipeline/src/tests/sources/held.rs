//! What a download is linked as.

use std::sync::Arc;

use tracker_domain::metadata::Provider;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::{FakeMetadata, spec};

use super::{HARBOUR, World, video, videos};
use crate::tests::fixture::{Fixture, Setup};
use crate::{AutoAccept, Policy, Sources};

#[tokio::test]
async fn an_override_after_the_match_is_followed() {
    spec!("recognition-flow#links-follow-what-holds/an-override-after-the-match");
    let world = World::with(AutoAccept::Never, &[Provider::Tmdb]);
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    fixture.take(id, None).await;
    fixture.said(id, "title", "My Harbour").await;
    fixture.said(id, "edition", "directors").await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let there = fixture.below("/media/films/My Harbour (2011)/");
    assert_eq!(there.len(), 2, "{there:?}");
    assert_eq!(fixture.living(id).await.fields.title.as_deref(), Some("The Quiet Harbour"));
}

#[tokio::test]
async fn an_override_that_cannot_act_is_asked_about() {
    spec!("recognition-flow#links-follow-what-holds/an-override-that-cannot-act");
    let world = World::new();
    let fixture = &world.fixture;
    let id = fixture.recognised(video(1, HARBOUR)).await;
    fixture.said(id, "file.7.skip", "true").await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(fixture.mark(id).await, Some(Attention::NeedsReview));
    assert!(fixture.detail(id).await.contains("file.7.skip"));
}

#[tokio::test]
async fn numbers_through_all_seasons_get_their_season() {
    spec!("recognition-flow#links-follow-what-holds/numbers-through-all-seasons");
    let world = World::new();
    let fixture = &world.fixture;
    let files =
        ["[Group] Starfall Courier - 27 [1080p].mkv", "[Group] Starfall Courier - 28 [1080p].mkv"];
    let torrent = videos(1, "[Group] Starfall Courier [1080p]", &files);
    let id = fixture.pinned(torrent, "tmdb:tv/2002").await;
    fixture.said(id, "library", "series").await;
    fixture.link().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done, "{}", fixture.detail(id).await);
    let there = fixture.below("/media/series/Starfall Courier (2018)/Season 02/");
    assert_eq!(there.len(), 3, "{there:?}");
}

#[tokio::test]
async fn names_are_those_of_the_preferred_language() {
    spec!("recognition-flow#links-follow-what-holds/the-preferred-language");
    for (language, name) in
        [("ru", "Тихая гавань"), ("ru-RU", "Тихая гавань"), ("en", "The Quiet Harbour")]
    {
        let source = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
        let policy = Policy {
            sources: Sources::new(vec![source]),
            languages: vec![language.to_owned()],
            ..Policy::default()
        };
        let fixture = Fixture::with(Setup { policy, ..Setup::default() });
        let id = fixture.settle(video(1, HARBOUR)).await;
        assert_eq!(fixture.state(id).await, DownloadState::Done);
        let there = fixture.below(&format!("/media/films/{name} (2011)/"));
        assert_eq!(there.len(), 2, "{language}: {:?}", fixture.below("/media/films/"));
    }
}
