//! A media server that is away, refuses or limits.

use super::*;

fn down() -> MediaServerError {
    MediaServerError::Unreachable("off".into())
}

#[tokio::test]
async fn a_server_that_is_away_keeps_nothing_from_being_linked() {
    spec!("media-servers#a-server-that-is-away/linked-all-the-same");
    let world = World::new();
    world.den.fail_with(down());
    world.turn().await;
    let id = world.fixture.settle(film(one(v1(1)))).await;
    world.after(10).await;
    assert_eq!(world.fixture.state(id).await, DownloadState::Done);
    assert_eq!(world.fixture.mark(id).await, None);
    assert_eq!(folders(&world.attic), [[FILM_FOLDER]], "the other one is told");
    let [check] = world.checks("den").try_into().unwrap();
    assert_eq!((check.code, check.level), ("media-server-unreachable", Level::Warning));
    assert_eq!(check.detail, "the media server cannot be reached: off");
    assert!(check.remedy.contains("url of this [[media_server]]"), "{}", check.remedy);
    // It comes back, and is told what it has missed.
    world.den.answer_again();
    assert_eq!(world.den.scanned().len(), 0);
    world.after(30).await;
    assert_eq!(world.den.scanned(), [PathBuf::from(FILM_FOLDER)]);
    assert_eq!(world.health("den"), [("media-server-reachable", Level::Ok)]);
    assert_eq!(world.journal().await.len(), 2);
    world.after(1000).await;
    assert_eq!((world.den.scanned().len(), world.attic.scanned().len()), (1, 1));
}

#[tokio::test]
async fn the_pauses_grow() {
    spec!("media-servers#a-server-that-is-away/growing-pauses");
    let world = World::new();
    world.turn().await;
    world.note(1, &[FILM_FOLDER]);
    world.note(2, &["/media/films/Other"]);
    world.den.fail_with(down());
    world.after(5).await;
    let calls = || world.den.refreshes().len();
    for (pause, before) in
        [(10, 1), (20, 2), (40, 3), (80, 4), (160, 5), (320, 6), (600, 7), (600, 8)]
    {
        assert_eq!(calls(), before, "one call, whatever waits");
        world.after(pause - 1).await;
        assert_eq!(calls(), before, "{pause}");
        world.after(1).await;
    }
    // Something new does not cut the pause short, and gets its turn with the rest.
    world.note(3, &["/media/films/Third"]);
    world.den.answer_again();
    world.after(599).await;
    assert_eq!(calls(), 9);
    world.after(1).await;
    assert_eq!(world.den.scanned().len(), 3);
}

#[tokio::test]
async fn after_an_hour_the_servers_own_scan_has_to_do() {
    spec!("media-servers#a-server-that-is-away/given-up-after-an-hour");
    let world = World::new();
    world.turn().await;
    world.note(1, &[FILM_FOLDER]);
    world.den.fail_with(down());
    world.after(5).await;
    for _ in 0..359 {
        world.after(10).await;
    }
    world.note(2, &["/media/films/Later"]);
    for _ in 0..30 {
        world.after(10).await;
    }
    // The first is lost; the second has waited for less than an hour.
    world.den.answer_again();
    for _ in 0..60 {
        world.after(10).await;
    }
    assert_eq!(world.den.scanned(), [PathBuf::from("/media/films/Later")]);
    assert_eq!(world.attic.scanned().len(), 2);
    assert_eq!(world.health("den"), [("media-server-reachable", Level::Ok)]);
}

#[tokio::test]
async fn a_refused_token_is_not_shown_again_soon() {
    spec!("media-servers#a-server-that-is-away/a-refused-token");
    let world = World::new();
    world.turn().await;
    world.note(1, &[FILM_FOLDER]);
    world.den.fail_with(MediaServerError::Denied("HTTP 401".into()));
    world.after(5).await;
    let [check] = world.checks("den").try_into().unwrap();
    assert_eq!((check.code, check.level), ("media-server-denied", Level::Warning));
    assert!(check.remedy.contains("set token of this [[media_server]]"), "{}", check.remedy);
    let calls = world.den.calls().len();
    world.note(2, &["/media/films/Other"]);
    world.den.answer_again();
    world.after(599).await;
    assert_eq!(world.den.calls().len(), calls);
    world.after(1).await;
    assert_eq!(world.den.scanned(), [PathBuf::from("/media/films/Other")], "the first is lost");
    assert_eq!(world.health("den"), [("media-server-reachable", Level::Ok)]);
}

#[tokio::test]
async fn a_limit_is_kept() {
    spec!("media-servers#a-server-that-is-away/a-server-that-limits");
    let world = World::new();
    world.turn().await;
    world.note(1, &[FILM_FOLDER]);
    world.den.fail_next(MediaServerError::Limited { retry_after_ms: 90_000 });
    world.after(5).await;
    assert_eq!(world.health("den"), [("media-server-limited", Level::Notice)]);
    world.after(89).await;
    assert_eq!(world.den.scanned().len(), 0);
    world.after(1).await;
    assert_eq!(world.den.scanned().len(), 1);
    assert_eq!(world.health("den"), [("media-server-reachable", Level::Ok)]);
}

#[tokio::test]
async fn what_lies_outside_is_told_until_it_does_not() {
    spec!("media-servers#health-of-media-servers/a-folder-outside");
    let world = World::new();
    world.den.set_roots(&ROOTS[..1]);
    world.turn().await;
    let id = world.fixture.settle(season(one(v1(1)))).await;
    world.after(5).await;
    assert_eq!(world.fixture.state(id).await, DownloadState::Done);
    let outside = [("media-server-reachable", Level::Ok), ("media-server-outside", Level::Warning)];
    assert_eq!(world.health("den"), outside);
    let check = world.checks("den").remove(1);
    let wanted = "/media/series/The Show/Season 01, for the media server \
                  /media/series/The Show/Season 01, lies in none of its libraries; \
                  they are at /media/films";
    assert_eq!(check.detail, wanted);
    assert!(check.remedy.contains("path_map"), "{}", check.remedy);
    // It is not sent again, and a batch that lies inside does not take the word back.
    world.note(7, &[FILM_FOLDER, SEASON_FOLDER]);
    let other = ids(7).1;
    world.after(5).await;
    assert_eq!(world.den.scanned(), [PathBuf::from(FILM_FOLDER)]);
    assert_eq!(world.health("den"), outside);
    let told = world.journal().await;
    let of_other = told.iter().filter(|event| event.download_id == Some(other));
    let data: Vec<_> = of_other.map(|event| event.data.clone()).collect();
    assert!(data.contains(&json!({"server": "den", "folders": [FILM_FOLDER]})), "{data:?}");
    assert!(!told.iter().any(|it| it.download_id == Some(id) && it.data["server"] == "den"));
    // Looked for now and then, it is found once the server has it.
    world.den.set_roots(&ROOTS);
    world.after(599).await;
    assert_eq!(world.health("den"), outside);
    world.after(1).await;
    assert_eq!(world.health("den"), [("media-server-reachable", Level::Ok)]);
}
