//! What health says of media servers.

use super::*;

#[tokio::test]
async fn the_libraries_of_a_server_are_shown() {
    spec!("media-servers#health-of-media-servers/asked-once-at-the-start");
    let world = World::new();
    world.turn().await;
    world.after(5000).await;
    for server in [&world.den, &world.attic] {
        assert_eq!(server.calls(), [MediaServerCall::Sections]);
        let [check] = world.checks(server.name()).try_into().unwrap();
        assert_eq!((check.code, check.level), ("media-server-reachable", Level::Ok));
        assert_eq!(check.detail, "libraries: of /media/films, of /media/series");
    }
    world.den.set_roots(&[]);
    world.fixture.pipeline.examine().await.unwrap();
    assert_eq!(world.checks("den")[0].detail, "it has no library");
}

#[tokio::test]
async fn a_library_that_no_server_has_is_told() {
    spec!("media-servers#health-of-media-servers/a-library-that-no-server-has");
    let world = World::new();
    let notices = || {
        let mut checks = world.fixture.pipeline.board().checks();
        checks.retain(|check| check.code == "library-in-no-media-server");
        checks
    };
    world.den.set_roots(&["/media/films"]);
    world.attic.set_roots(&["/media/film", "/media/series/more"]);
    world.attic.fail_with(MediaServerError::Unreachable("off".into()));
    world.fixture.pipeline.examine().await.unwrap();
    assert_eq!(notices(), [], "not before each server was heard");
    world.attic.answer_again();
    world.fixture.pipeline.examine().await.unwrap();
    let [check] = notices().try_into().unwrap();
    assert_eq!((check.subject.as_str(), check.level), ("series", Level::Notice));
    assert_eq!(check.detail, "/media/series lies in no library of a media server (den, attic)");
    assert!(check.remedy.contains("path_map"), "{}", check.remedy);
    world.attic.set_roots(&["/media"]);
    world.fixture.pipeline.examine().await.unwrap();
    assert_eq!(notices(), []);
}

#[tokio::test]
async fn a_server_that_cannot_be_set_up_is_told() {
    spec!("media-servers#health-of-media-servers/a-server-that-cannot-be-set-up");
    let why = "the token is empty".to_owned();
    let world = World::with(|told| MediaServers::new(told).with_fault("cellar".to_owned(), why));
    let [check] = world.checks("cellar").try_into().unwrap();
    assert_eq!((check.code, check.level), ("media-server-setup", Level::Error));
    assert_eq!(check.detail, "the token is empty");
    // The others are told.
    world.fixture.settle(film(one(v2(1)))).await;
    world.after(5).await;
    assert_eq!(world.den.scanned(), [PathBuf::from(FILM_FOLDER)]);
    let shown = format!("{:?}", world.fixture.pipeline.policy.media_servers);
    assert!(shown.contains("den") && shown.contains("cellar"), "{shown}");
}

#[tokio::test]
async fn without_media_servers_nothing_is_said() {
    spec!("media-servers#health-of-media-servers/no-media-server");
    let fixture = Fixture::new();
    fixture.settle(film(one(v1(1)))).await;
    fixture.pipeline.examine().await.unwrap();
    let checks = fixture.pipeline.board().checks();
    assert!(!checks.iter().any(|check| check.code.contains("media-server")), "{checks:?}");
    assert_eq!(fixture.count(EventType::LibraryRefreshed).await, 0);
}
