//! What is special about TVmaze.

use serde_json::json;
use tracker_domain::metadata::{Episode, Pin, WorkId};
use tracker_testkit::metadata::catalogue::{COURIER, LANTERNS};
use tracker_testkit::{StubAnswer, StubMode};

use super::*;

fn id(number: u64) -> WorkId {
    WorkId { provider: Provider::Tvmaze, kind: WorkKind::Series, number }
}

fn says(play: &Play, body: &serde_json::Value) {
    let answer = StubAnswer::json(200, body.to_string());
    play.stub.set(Provider::Tvmaze, StubMode::Says(answer));
}

#[tokio::test]
async fn a_film_is_no_question() {
    spec!("metadata#what-tvmaze-is-asked/a-film");
    let play = Play::start().await;
    let film = MetadataQuery { kind: WorkKind::Movie, ..series("Lanterns of Kesh") };
    assert_eq!(play.tvmaze.search(&film).await, Ok(Vec::new()));
    let odd = WorkId { kind: WorkKind::Movie, ..id(501) };
    assert_eq!(play.tvmaze.work(odd, "en").await, Err(MetadataError::NotFound));
    assert_eq!(play.sent(Provider::Tvmaze), 0);
    let dated = MetadataQuery { year: Some(1950), ..series("Lanterns of Kesh") };
    assert_eq!(play.tvmaze.search(&dated).await.unwrap().len(), 1, "the year is left out");
}

#[tokio::test]
async fn a_season_of_unknown_length_is_counted() {
    spec!("metadata#what-tvmaze-is-asked/a-season-of-unknown-length");
    let play = Play::start().await;
    let work = play.tvmaze.work(id(502), "en").await.unwrap();
    assert_eq!(work.seasons[1].episodes, 24);
    let routes: Vec<_> = play.stub.requests().into_iter().map(|request| request.route).collect();
    assert_eq!(routes, ["shows/502", "shows/502/episodes"]);
    assert_eq!(work.other_titles.len(), COURIER.names.len());
    play.tvmaze.work(id(501), "en").await.unwrap();
    assert_eq!(play.sent(Provider::Tvmaze), 3, "where it is said, nothing more is asked");
}

#[tokio::test]
async fn specials_are_counted_by_their_day() {
    spec!("metadata#what-tvmaze-is-asked/specials-without-numbers");
    let play = Play::start().await;
    let special = |name: &str, day: &str| {
        json!({"name": name, "season": 2, "number": null, "type": "insignificant_special",
            "airdate": day})
    };
    let body = json!([
        special("Late", "2019-05-01"),
        special("Undated", ""),
        {"name": "Two", "season": 1, "number": 2, "type": "regular", "airdate": "2018-01-08"},
        {"name": "One", "season": 1, "number": 1, "type": "regular", "airdate": "2018-01-01"},
        special("Early", "2018-02-01"),
    ]);
    says(&play, &body);
    let specials = play.tvmaze.episodes(id(9), 0, "en").await.unwrap();
    let told: Vec<_> = specials.iter().map(|one| (one.number, one.title.as_str())).collect();
    assert_eq!(told, [(1, "Early"), (2, "Late"), (3, "Undated")]);
    let first = play.tvmaze.episodes(id(9), 1, "en").await.unwrap();
    let titles: Vec<_> = first.iter().map(|Episode { title, .. }| title.as_str()).collect();
    assert_eq!(titles, ["One", "Two"]);
    assert_eq!(play.tvmaze.episodes(id(9), 2, "en").await, Err(MetadataError::NotFound));
}

#[tokio::test]
async fn a_lookup_is_followed() {
    spec!("metadata#what-tvmaze-is-asked/a-number-of-imdb");
    let play = Play::start().await;
    let found = play.tvmaze.resolve(&Pin::Imdb(LANTERNS.imdb.into()), "en").await.unwrap();
    assert_eq!((found[0].id, found[0].seasons.len()), (id(501), 2));
    let routes: Vec<_> = play.stub.requests().into_iter().map(|request| request.route).collect();
    assert_eq!(routes, ["lookup/shows", "shows/501", "shows/501"]);
}

#[tokio::test]
async fn a_description_is_plain_text() {
    spec!("metadata#what-tvmaze-is-asked/a-description-with-marks");
    let play = Play::start().await;
    says(
        &play,
        &json!([{"show": {"id": 7, "name": " A\tname\u{0}", "weight": 250, "premiered": "1999",
            "language": "Klingon", "summary": "<p>One <b>t</b>wo.</p>\n<p>Three &amp; four</p>"}}]),
    );
    let work = ask(&play.tvmaze).await.unwrap().remove(0);
    assert_eq!(work.overview.as_deref(), Some("One two. Three & four"));
    assert_eq!((work.title.as_str(), work.year), ("A name", Some(1999)));
    assert_eq!((work.popularity, work.language), (1.0, None));
}

#[tokio::test]
async fn the_smaller_picture_is_the_poster() {
    spec!("metadata#what-tvmaze-is-asked/pictures-of-two-sizes");
    let play = Play::start().await;
    let (medium, original) = ("https://host/medium/1.jpg", "https://host/original/1.jpg");
    for (image, expected) in [
        (json!({"medium": medium, "original": original}), Some(medium)),
        (json!({"medium": null, "original": original}), Some(original)),
        (json!(null), None),
    ] {
        says(&play, &json!([{"show": {"id": 7, "name": "Seven", "image": image}}]));
        let found = play.tvmaze.search(&series("Seven")).await.unwrap();
        assert_eq!(found[0].poster.as_deref(), expected);
    }
}
