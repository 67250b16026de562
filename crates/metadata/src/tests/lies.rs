//! Servers that do not tell what they should.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tracker_domain::metadata::{Pin, WorkId};
use tracker_testkit::metadata::lies;
use tracker_testkit::{StubAnswer, StubMode};

use super::*;

#[tokio::test]
async fn a_lie_is_an_error_or_nothing() {
    spec!("metadata#answers-that-lie/a-broken-server");
    let play = Play::start().await;
    for (what, lie) in lies() {
        for (provider, source) in play.each() {
            play.stub.set(provider, StubMode::Says(lie.clone()));
            // Our limit and the breaker are no part of this.
            play.clock.advance_seconds(3600);
            let number = 1;
            let id = WorkId { provider, kind: WorkKind::Series, number };
            let found = ask(source).await;
            let harmless = |error: &MetadataError| match error {
                MetadataError::Unreachable(why) => !why.contains("no answer in time"),
                MetadataError::Unreadable(_) => true,
                _ => false,
            };
            match &found {
                Ok(works) => assert_eq!(works, &[], "{provider}, {what}"),
                Err(error) => assert!(harmless(error), "{provider}, {what}: {error:?}"),
            }
            if let Ok(work) = source.work(id, "en").await {
                panic!("{provider}, {what}: {work:?}");
            }
            match source.resolve(&Pin::Imdb("tt9100001".into()), "en").await {
                Ok(works) => assert_eq!(works, [], "{provider}, {what}"),
                Err(error) => assert!(harmless(&error), "{provider}, {what}: {error:?}"),
            }
            match source.episodes(id, 1, "en").await {
                Ok(episodes) => assert_eq!(episodes, [], "{provider}, {what}"),
                Err(MetadataError::NotFound) => {}
                Err(error) => assert!(harmless(&error), "{provider}, {what}: {error:?}"),
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_no_answer() {
    spec!("metadata#answers-that-lie/a-broken-server");
    let play = Play::start().await;
    let good = json!({"results": [{"id": 1, "name": "A"}]}).to_string();
    for bytes in [0, 1, good.len() - 1] {
        let cut = StubAnswer::json(200, good.clone()).cut_at(bytes);
        play.stub.set(Provider::Tmdb, StubMode::Says(cut));
        play.clock.advance_seconds(3600);
        let got = ask(&play.tmdb).await;
        assert!(matches!(got, Err(MetadataError::Unreachable(_))), "{bytes}: {got:?}");
    }
}

#[tokio::test]
async fn one_entry_that_cannot_be_read_is_left_out() {
    spec!("metadata#answers-that-lie/an-entry-that-cannot-be-read");
    let play = Play::start().await;
    let bad = [
        json!({"id": "7", "name": "A"}),
        json!({"id": -7, "name": "A"}),
        json!({"id": 7}),
        json!({"id": 7, "name": " \n"}),
        json!("entry"),
        json!(null),
    ];
    let good = json!({"id": 9, "name": "B", "popularity": "much", "overview": 7,
        "genre_ids": ["16", 16], "first_air_date": "soon", "original_language": "xx",
        "weight": null, "genres": ["Anime", null], "externals": "none", "image": []});
    let mut entries = bad.to_vec();
    entries.insert(3, good);
    let hits: Vec<_> = entries.iter().map(|entry| json!({"show": entry})).collect();
    let bodies = [json!({"results": entries}), json!(hits)];
    for ((provider, source), body) in play.each().into_iter().zip(bodies) {
        let answer = StubAnswer::json(200, body.to_string());
        play.stub.set(provider, StubMode::Says(answer));
        let found = ask(source).await.unwrap();
        assert_eq!(found.len(), 1, "{provider}");
        assert_eq!((found[0].id.number, found[0].title.as_str()), (9, "B"));
        assert!(found[0].animated && found[0].year.is_none() && found[0].language.is_none());
        assert_eq!(found[0].popularity, 0.0);
    }
}

#[tokio::test]
async fn another_work_than_was_asked_for_is_none() {
    spec!("metadata#answers-that-lie/a-broken-server");
    let play = Play::start().await;
    let answer = StubAnswer::json(200, json!({"id": 8, "name": "A"}).to_string());
    for (provider, source) in play.each() {
        play.stub.set(provider, StubMode::Says(answer.clone()));
        let id = WorkId { provider, kind: WorkKind::Series, number: 9 };
        let got = source.work(id, "en").await;
        assert!(matches!(got, Err(MetadataError::Unreadable(_))), "{provider}: {got:?}");
    }
}

#[tokio::test]
async fn other_statuses_are_told() {
    spec!("metadata#answers-that-lie/another-status");
    let play = Play::start().await;
    for (provider, source) in play.each() {
        for status in [302, 304, 400, 404, 410, 418, 422] {
            play.clock.advance_seconds(3600);
            play.stub.set(provider, StubMode::Says(StubAnswer::json(status, "{}")));
            let got = ask(source).await;
            match status {
                302 => assert!(matches!(got, Err(MetadataError::Unreachable(_)))),
                404 => assert_eq!(got, Err(MetadataError::NotFound)),
                _ => assert!(matches!(got, Err(MetadataError::Unreadable(_))), "{status}"),
            }
        }
    }
}

#[tokio::test]
async fn no_redirect_leads_elsewhere() {
    spec!("metadata#answers-that-lie/another-host");
    let play = Play::start().await;
    let other = MetadataStub::start().await;
    for (provider, source) in play.each() {
        let circle = format!("{}around", play.stub.url(provider));
        for to in [other.url(provider).as_str(), "https://127.0.0.1/", "//host/", &circle, "::"] {
            play.stub.set(provider, StubMode::Says(StubAnswer::redirect(to)));
            play.clock.advance_seconds(3600);
            let got = ask(source).await;
            assert!(matches!(got, Err(MetadataError::Unreachable(_))), "{to}: {got:?}");
        }
    }
    assert_eq!(other.requests().len(), 0);
}

#[tokio::test]
async fn a_packed_answer_is_bounded_unpacked() {
    spec!("metadata#answers-that-lie/a-packed-answer-that-is-too-large");
    let play = Play::start().await;
    let packed = |text: &str| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(text.as_bytes()).unwrap();
        StubAnswer::json(200, packer.finish().unwrap()).header("Content-Encoding", "gzip")
    };
    let small = json!({"results": [{"id": 1, "name": "A"}]}).to_string();
    play.stub.set(Provider::Tmdb, StubMode::Says(packed(&small)));
    assert_eq!(ask(&play.tmdb).await.unwrap().len(), 1);
    let bomb = packed(&format!("{small}{}", " ".repeat(64 << 20)));
    play.stub.set(Provider::Tmdb, StubMode::Says(bomb));
    let Err(MetadataError::Unreadable(why)) = ask(&play.tmdb).await else { panic!("too much") };
    assert_eq!(why, "search/tv: the answer has more than 2097152 bytes");
}

#[tokio::test]
async fn a_search_gives_no_more_than_can_be_looked_at() {
    spec!("metadata#answers-that-lie/a-broken-server");
    let play = Play::start().await;
    let entries: Vec<_> = (1..=300).map(|id| json!({"id": id, "name": "A"})).collect();
    let hits: Vec<_> = entries.iter().map(|entry| json!({"show": entry})).collect();
    let bodies = [json!({"results": entries}), json!(hits)];
    for ((provider, source), body) in play.each().into_iter().zip(bodies) {
        let answer = StubAnswer::json(200, body.to_string());
        play.stub.set(provider, StubMode::Says(answer));
        assert_eq!(ask(source).await.unwrap().len(), 50, "{provider}");
    }
}
