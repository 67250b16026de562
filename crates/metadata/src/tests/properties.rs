//! Whatever a source sends, it is read or it is an error.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tracker_domain::metadata::WorkId;

use super::*;
use crate::{html, tmdb, tvmaze};

const WORDS: &[&str] = &[
    "id",
    "name",
    "title",
    "results",
    "show",
    "seasons",
    "episodes",
    "season",
    "number",
    "season_number",
    "episode_number",
    "episode_count",
    "episodeOrder",
    "akas",
    "_embedded",
    "translations",
    "alternative_titles",
    "titles",
    "data",
    "iso_639_1",
    "external_ids",
    "imdb_id",
    "externals",
    "imdb",
    "genres",
    "genre_ids",
    "popularity",
    "weight",
    "overview",
    "summary",
    "first_air_date",
    "release_date",
    "premiered",
    "airdate",
    "type",
    "language",
    "movie_results",
    "tv_results",
];

/// Any JSON, with the words and values of the sources more often than chance has them.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u64..4).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[0-9]{4}-[0-9]{2}-[0-9]{2}".prop_map(Value::from),
        "tt[0-9]{0,12}".prop_map(Value::from),
        "(<|>|&|#|;|p|/|[а-я]| ){0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let key =
            prop_oneof![4 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => ".{0,5}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Reads a body as each answer that it could be, and checks what was read.
fn read_all(body: &[u8]) {
    let mut works = Vec::new();
    for kind in [WorkKind::Movie, WorkKind::Series] {
        works.extend(tmdb::shape::works(body, kind).unwrap_or_default());
        for number in 0..4 {
            let id = WorkId { provider: Provider::Tmdb, kind, number };
            works.extend(tmdb::shape::details(body, id, "en"));
        }
    }
    works.extend(tvmaze::shape::works(body).unwrap_or_default());
    let mut episodes = tvmaze::shape::episodes(body).unwrap_or_default();
    for number in 0..4 {
        if let Ok(mut show) = tvmaze::shape::details(body, number) {
            show.fill(&episodes);
            works.push(show.work);
        }
        episodes.extend(tmdb::shape::episodes(body, 1).unwrap_or_default());
    }
    let _ = tvmaze::shape::looked_up(body);
    let _ = tmdb::shape::found(body);
    for work in works {
        assert!(!work.title.trim().is_empty() && work.title.chars().count() <= 300);
        assert!((1..=9_999_999_999).contains(&work.id.number));
        assert!((0.0..=1.0).contains(&work.popularity), "{}", work.popularity);
        assert!(work.other_titles.len() <= 60);
        assert!(work.seasons.is_sorted_by_key(|season| season.number));
        assert!(work.year.is_none_or(|year| (1870..=2199).contains(&year)));
        let text = serde_json::to_string(&work).unwrap();
        assert_eq!(serde_json::from_str::<Work>(&text).unwrap().id, work.id);
    }
    assert!(episodes.iter().all(|episode| episode.title.chars().count() <= 300));
}

/// A good answer of each source.
fn good() -> Vec<String> {
    [
        json!({"page": 1, "results": [{"id": 1, "title": "A", "name": "Б", "popularity": 3.5,
            "genre_ids": [16], "release_date": "1999-01-02"}]}),
        json!({"id": 2, "name": "A", "seasons": [{"season_number": 1, "episode_count": 3}],
            "translations": {"translations": [{"iso_639_1": "en", "data": {"name": "Ж"}}]},
            "alternative_titles": {"results": [{"title": "C"}]}}),
        json!({"season_number": 1, "episodes": [{"episode_number": 1, "name": "A"}]}),
        json!([{"score": 1, "show": {"id": 1, "name": "A", "summary": "<p>Я &amp; B</p>"}}]),
        json!({"id": 1, "name": "A", "_embedded": {"seasons": [{"number": 1, "episodeOrder": null}],
            "akas": [{"name": "Щ", "country": null}]}}),
        json!([{"season": 1, "number": null, "name": "A", "airdate": "2020-01-01"}]),
    ]
    .iter()
    .map(Value::to_string)
    .collect()
}

proptest! {
    #[test]
    fn any_json_is_read_or_an_error(body in any_json()) {
        spec!("metadata#answers-that-lie/any-content");
        read_all(body.to_string().as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_an_error(body in prop::collection::vec(any::<u8>(), 0..200)) {
        spec!("metadata#answers-that-lie/any-content");
        read_all(&body);
    }

    #[test]
    fn a_damaged_answer_is_read_or_an_error(
        which in 0_usize..6,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        spec!("metadata#answers-that-lie/any-content");
        let mut body = good().remove(which).into_bytes();
        let at = at.index(body.len());
        if cut {
            body.truncate(at);
        } else {
            body[at] = byte;
        }
        read_all(&body);
    }

    #[test]
    fn any_html_has_a_text(html in "(<|>|&|#|x|;|p|b|/|!|[0-9]|[а-я]| |amp){0,40}|.{0,40}") {
        spec!("metadata#answers-that-lie/any-content");
        html::text_of(&html);
    }
}
