//! What health says of the sources.

use tracker_domain::health::Level;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Live, MetadataError};
use tracker_testkit::spec;

use super::{World, dead, video};
use crate::tests::fixture::{Fixture, Setup};
use crate::{AutoAccept, Policy, Sources};

fn codes(fixture: &Fixture) -> Vec<(&'static str, String, Level)> {
    let checks = fixture.pipeline.board().checks();
    let ours = checks.into_iter().filter(|check| check.code.starts_with("metadata-"));
    ours.map(|check| (check.code, check.subject, check.level)).collect()
}

#[tokio::test]
async fn health_tells_how_a_source_does() {
    spec!("recognition-flow#sources-in-health/each-state");
    let states = [
        (MetadataError::Denied("HTTP 401".to_owned()), "metadata-denied", Level::Error),
        (dead(), "metadata-unreachable", Level::Warning),
        (MetadataError::Unreadable("no".to_owned()), "metadata-unreachable", Level::Warning),
        (MetadataError::Limited { retry_after_ms: 9_000 }, "metadata-limited", Level::Notice),
    ];
    for (error, code, level) in states {
        let world = World::with(AutoAccept::Confident, &[Provider::Tmdb]);
        let fixture = &world.fixture;
        assert_eq!(codes(fixture), []);
        world.tmdb.fail_with(error);
        fixture.recognised(video(1, "Film.1.2011.WEB")).await;
        assert_eq!(codes(fixture), [(code, "tmdb".to_owned(), level)]);
        assert!(!fixture.health(code).unwrap().remedy.is_empty());
        // A limit is over without a question, which comes after half a minute.
        let calls = world.calls();
        fixture.clock.advance_seconds(9);
        fixture.recognise().await;
        assert_eq!((codes(fixture).is_empty(), world.calls()), (level == Level::Notice, calls));
        world.tmdb.answer_again();
        fixture.recognised(video(2, "Film.2.2011.WEB")).await;
        assert_eq!(codes(fixture), [], "an answer ends it");
    }
}

#[test]
fn a_source_that_cannot_be_set_up_is_told() {
    spec!("recognition-flow#sources-in-health/settings-that-cannot-be-used");
    let sources = Sources::default().with_fault(Provider::Tmdb, "the token is empty".to_owned());
    let policy = Policy { sources, ..Policy::default() };
    let fixture = Fixture::with(Setup { policy, ..Setup::default() });
    assert_eq!(codes(&fixture), [("metadata-setup", "tmdb".to_owned(), Level::Error)]);
    assert_eq!(fixture.pipeline.policy.sources.providers().count(), 0);
}
