//! The routes of TVmaze.

use serde_json::{Value, json};
use tracker_domain::metadata::Episode;

use super::wire::{MetadataRequest, StubAnswer};
use crate::metadata::catalogue::{self, COURIER, Entry, fits};

pub(super) fn answer(request: &MetadataRequest, base: &str) -> StubAnswer {
    let words: Vec<&str> = request.route.split('/').collect();
    let body = match words.as_slice() {
        ["search", "shows"] => Some(search(request.query("q").unwrap_or_default())),
        ["lookup", "shows"] => {
            let imdb = request.query("imdb").unwrap_or_default();
            let found = series().find(|(_, entry)| entry.imdb == imdb);
            if let Some((number, _)) = found {
                return StubAnswer::redirect(&format!("{base}/shows/{number}"));
            }
            None
        }
        ["shows", number] => entry(number).map(|(number, entry)| details(number, entry, request)),
        ["shows", number, "episodes"] => entry(number).map(|(_, entry)| {
            let specials = request.query("specials") == Some("1");
            let all = entry.episodes();
            all.iter().filter(|episode| specials || episode.season > 0).map(episode).collect()
        }),
        _ => None,
    };
    match body {
        Some(body) => StubAnswer::json(200, body.to_string()),
        None => {
            let body = json!({"name": "Not Found", "message": "", "code": 0, "status": 404});
            StubAnswer::json(404, body.to_string())
        }
    }
}

fn series() -> impl Iterator<Item = (u64, &'static Entry)> {
    catalogue::ALL.iter().filter_map(|entry| Some((entry.tvmaze?, *entry)))
}

fn entry(number: &str) -> Option<(u64, &'static Entry)> {
    let number: u64 = number.parse().ok()?;
    series().find(|(known, _)| *known == number)
}

fn search(question: &str) -> Value {
    series()
        .filter(|(_, entry)| {
            fits(
                question,
                entry.names.iter().map(|(_, name)| *name).chain(entry.aliases.iter().copied()),
            )
        })
        .map(|(number, entry)| json!({"score": 0.9, "show": outline(number, entry)}))
        .collect()
}

fn outline(number: u64, entry: &Entry) -> Value {
    let language = match entry.language {
        "ja" => "Japanese",
        "ru" => "Russian",
        _ => "English",
    };
    let overview = entry.overview().replace('&', "&amp;").replace('"', "&quot;");
    json!({
        "id": number,
        "url": format!("https://www.tvmaze.com/shows/{number}/made-up"),
        "name": entry.name("en"),
        "type": if entry.animated { "Animation" } else { "Scripted" },
        "language": language,
        "genres": if entry.animated { json!(["Action", "Anime"]) } else { json!(["Drama"]) },
        "status": "Ended",
        "runtime": 24,
        "averageRuntime": 24,
        "premiered": entry.released(),
        "ended": null,
        "officialSite": null,
        "schedule": {"time": "22:00", "days": ["Thursday"]},
        "rating": {"average": null},
        "weight": entry.popularity * 100.0,
        "network": null,
        "webChannel": null,
        "dvdCountry": null,
        "externals": {"tvrage": null, "thetvdb": null, "imdb": entry.imdb},
        "image": null,
        "summary": format!("<p><b>Nobody</b>{}</p>", overview.trim_start_matches("Nobody")),
        "updated": 1_700_000_000,
        "_links": {},
    })
}

fn details(number: u64, entry: &Entry, request: &MetadataRequest) -> Value {
    let mut body = outline(number, entry);
    let wants = |part: &str| {
        request.query.iter().any(|(name, value)| name.starts_with("embed") && value == part)
    };
    let mut embedded = json!({});
    if wants("seasons") {
        let seasons = entry.seasons.iter().filter(|(season, _)| *season > 0);
        embedded["seasons"] = seasons
            .map(|(season, episodes)| {
                // Of some seasons TVmaze does not say how long they will be.
                let unsaid = entry.imdb == COURIER.imdb && *season == 2;
                let order = if unsaid { Value::Null } else { json!(episodes) };
                json!({"id": season + 400, "number": season, "name": "", "episodeOrder": order,
                    "premiereDate": entry.released(), "endDate": null, "summary": null})
            })
            .collect();
    }
    if wants("akas") {
        let names = entry.names.iter().map(|(_, name)| *name).chain(entry.aliases.iter().copied());
        embedded["akas"] = names
            .filter(|name| Some(*name) != entry.name("en"))
            .map(|name| json!({"name": name, "country": null}))
            .collect();
    }
    body["_embedded"] = embedded;
    body
}

fn episode(episode: &Episode) -> Value {
    let special = episode.season == 0;
    json!({
        "id": 60_000 + episode.season * 1000 + episode.number,
        "url": "https://www.tvmaze.com/episodes/1/made-up",
        "name": episode.title,
        // A special stands in a season and has no number.
        "season": episode.season.max(1),
        "number": if special { Value::Null } else { json!(episode.number) },
        "type": if special { "significant_special" } else { "regular" },
        "airdate": episode.date.map(|date| date.to_string()).unwrap_or_default(),
        "airtime": "22:00",
        "airstamp": null,
        "runtime": 24,
        "rating": {"average": null},
        "image": null,
        "summary": null,
        "_links": {},
    })
}
