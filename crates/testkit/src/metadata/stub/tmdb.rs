//! The routes of TMDB.

use serde_json::{Value, json};
use tracker_domain::metadata::{Episode, Provider, WorkKind};

use super::MetadataStub;
use super::wire::{MetadataRequest, StubAnswer};
use crate::metadata::catalogue::{self, Entry, fits};

/// Where pictures are.
pub(super) const PICTURES: &str = "t/p/";

/// The width of the pictures.
const WIDTH: &str = "w342/";

pub(super) fn answer(request: &MetadataRequest) -> StubAnswer {
    // Everybody may see these.
    if let Some(route) = request.route.strip_prefix(PICTURES) {
        return picture(route);
    }
    let bearer = format!("Bearer {}", MetadataStub::TOKEN);
    let known = request.header("authorization") == Some(bearer.as_str())
        || request.query("api_key") == Some(MetadataStub::KEY);
    if !known {
        let text = "Invalid API key: You must be granted a valid key.";
        return refusal(401, 7, text);
    }
    let language = request.query("language").unwrap_or("en");
    let words: Vec<&str> = request.route.split('/').collect();
    let body = match words.as_slice() {
        ["search", "movie"] => Some(search(request, WorkKind::Movie, language)),
        ["search", "tv"] => Some(search(request, WorkKind::Series, language)),
        ["find", imdb] => Some(find(imdb, language)),
        ["movie", number] => entry(WorkKind::Movie, number).map(|entry| details(entry, language)),
        ["tv", number] => entry(WorkKind::Series, number).map(|entry| details(entry, language)),
        ["tv", number, "season", season] => {
            entry(WorkKind::Series, number).and_then(|entry| season_of(entry, season))
        }
        _ => None,
    };
    match body {
        Some(body) => StubAnswer::json(200, body.to_string()),
        None => refusal(404, 34, "The resource you requested could not be found."),
    }
}

/// A poster: nothing that could be looked at, but each its own.
fn picture(route: &str) -> StubAnswer {
    let name = route.strip_prefix(WIDTH).and_then(|name| name.strip_suffix(".jpg"));
    match name.filter(|name| catalogue::ALL.iter().any(|entry| entry.imdb == *name)) {
        Some(name) => {
            let bytes = [b"\xff\xd8\xff\xe0".as_slice(), name.as_bytes()].concat();
            StubAnswer::of_kind(200, "image/jpeg", bytes)
        }
        None => StubAnswer::of_kind(404, "text/html", "File not Found"),
    }
}

fn refusal(status: u16, code: u32, text: &str) -> StubAnswer {
    let body = json!({"success": false, "status_code": code, "status_message": text});
    StubAnswer::json(status, body.to_string())
}

fn entry(kind: WorkKind, number: &str) -> Option<&'static Entry> {
    let number: u64 = number.parse().ok()?;
    catalogue::ALL.iter().find(|entry| entry.kind == kind && entry.tmdb == number).copied()
}

fn search(request: &MetadataRequest, kind: WorkKind, language: &str) -> Value {
    let question = request.query("query").unwrap_or_default();
    let year = ["year", "primary_release_year", "first_air_date_year"]
        .iter()
        .find_map(|name| request.query(name));
    let found: Vec<Value> = catalogue::ALL
        .iter()
        .filter(|entry| entry.kind == kind)
        .filter(|entry| year.is_none_or(|year| year == entry.year.to_string()))
        .filter(|entry| {
            fits(
                question,
                entry.names.iter().map(|(_, name)| *name).chain(entry.aliases.iter().copied()),
            )
        })
        .map(|entry| outline(entry, language))
        .collect();
    let total = found.len();
    json!({"page": 1, "results": found, "total_pages": 1, "total_results": total})
}

fn find(imdb: &str, language: &str) -> Value {
    let of_kind = |kind| -> Vec<Value> {
        let all = catalogue::ALL.iter().filter(|entry| entry.kind == kind && entry.imdb == imdb);
        all.map(|entry| outline(entry, language)).collect()
    };
    json!({
        "movie_results": of_kind(WorkKind::Movie),
        "person_results": [],
        "tv_results": of_kind(WorkKind::Series),
        "tv_episode_results": [],
        "tv_season_results": [],
    })
}

/// An entry of a list.
fn outline(entry: &Entry, language: &str) -> Value {
    let mut body = common(entry, language);
    body["genre_ids"] = if entry.animated { json!([16, 10765]) } else { json!([18]) };
    body
}

fn common(entry: &Entry, language: &str) -> Value {
    let title = entry.name(language).unwrap_or_else(|| entry.original());
    let mut body = json!({
        "adult": false,
        "backdrop_path": null,
        "id": entry.tmdb,
        "original_language": entry.language,
        // It is empty where the language has none.
        "overview": if language == "en" { entry.overview() } else { String::new() },
        "popularity": 20.0 * entry.popularity / (1.0 - entry.popularity),
        "poster_path": format!("/{}.jpg", entry.imdb),
        "vote_average": 6.5,
        "vote_count": 120,
    });
    let (name, original, date) = match entry.kind {
        WorkKind::Movie => ("title", "original_title", "release_date"),
        WorkKind::Series => ("name", "original_name", "first_air_date"),
    };
    body[name] = title.into();
    body[original] = entry.original().into();
    body[date] = entry.released().into();
    body
}

fn details(entry: &Entry, language: &str) -> Value {
    let film = entry.kind == WorkKind::Movie;
    let name = if film { "title" } else { "name" };
    let mut body = common(entry, language);
    body["genres"] = if entry.animated {
        json!([{"id": 16, "name": "Animation"}])
    } else {
        json!([{"id": 18, "name": "Drama"}])
    };
    let others: Vec<Value> = entry
        .aliases
        .iter()
        .map(|alias| json!({"iso_3166_1": "US", "title": alias, "type": ""}))
        .collect();
    body["alternative_titles"] =
        if film { json!({"titles": others}) } else { json!({"results": others}) };
    let translations: Vec<Value> = entry
        .names
        .iter()
        .map(|(code, title)| {
            let overview = if *code == "en" { entry.overview() } else { String::new() };
            // The name is empty where it is the original one.
            let title = if *code == entry.language { "" } else { title };
            json!({"iso_3166_1": code.to_uppercase(), "iso_639_1": code, "name": code,
                "english_name": code,
                "data": {name: title, "overview": overview, "homepage": "", "tagline": ""}})
        })
        .collect();
    body["translations"] = json!({"translations": translations});
    body["external_ids"] = json!({"imdb_id": entry.imdb, "tvdb_id": null, "wikidata_id": null});
    if film {
        body["imdb_id"] = entry.imdb.into();
    } else {
        body["seasons"] = entry
            .seasons
            .iter()
            .map(|(number, episodes)| {
                json!({"air_date": entry.released(), "episode_count": episodes, "id": number + 9000,
                    "name": format!("Season {number}"), "overview": "", "poster_path": null,
                    "season_number": number, "vote_average": 0.0})
            })
            .collect();
    }
    body
}

fn season_of(entry: &Entry, season: &str) -> Option<Value> {
    let season: u32 = season.parse().ok()?;
    entry.id(Provider::Tmdb)?;
    let all = entry.episodes();
    let episodes: Vec<Value> =
        all.iter().filter(|episode| episode.season == season).map(episode).collect();
    let there = !episodes.is_empty();
    there.then(|| {
        json!({"_id": "stub", "air_date": entry.released(), "episodes": episodes,
            "name": format!("Season {season}"), "overview": "", "id": season + 9000,
            "poster_path": null, "season_number": season, "vote_average": 0.0})
    })
}

fn episode(episode: &Episode) -> Value {
    json!({
        "air_date": episode.date.map(|date| date.to_string()),
        "episode_number": episode.number,
        "episode_type": "standard",
        "id": 70_000 + episode.season * 1000 + episode.number,
        "name": episode.title,
        "overview": "",
        "production_code": "",
        "runtime": 24,
        "season_number": episode.season,
        "still_path": null,
        "vote_average": 0.0,
        "vote_count": 0,
        "crew": [],
        "guest_stars": [],
    })
}
