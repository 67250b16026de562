//! Answers in the shapes of REST, made up.

use serde_json::json;
use tracker_wire::{
    BatchDto, CandidateDto, DownloadDto, EventDto, HintDto, OverrideDto, RecognitionDto,
    RememberedDto, TokenDto,
};

pub(crate) const ID: &str = "01jzabcdefghjkmnpqrstvwxyz";
pub(crate) const HASH: &str = "00112233445566778899aabbccddeeff00112233";

pub(crate) fn download(id: &str) -> DownloadDto {
    let value = json!({
        "id": id, "state": "downloading", "attention": null, "attention_detail": null,
        "name": "Some.Film.2020", "infohashes": [HASH], "client": "home",
        "progress": {"bytes_done": 1, "bytes_total": 3, "download_bps": null, "upload_bps": null,
                     "eta_seconds": 11045, "peers": 1, "ratio": null},
        "error": null, "merged_into": null, "revision": 7,
        "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:06Z",
    });
    serde_json::from_value(value).unwrap()
}

/// A batch of one link.
pub(crate) fn batch(state: &str) -> BatchDto {
    let left = match state {
        "undone" => json!([{"target": "/media/B.mkv", "reason": "not-our-link"}]),
        _ => json!([]),
    };
    let value = json!({
        "id": "01jzabcdefghjkmnpqrstvwxy1", "download_id": ID, "state": state, "plan": "ab",
        "library": "films", "detail": null, "superseded_by": null,
        "created_at": "2026-01-02T03:04:05Z", "left": left,
        "links": [{"id": ID, "source": "/downloads/a.mkv", "target": "/media/A.mkv",
                   "mode": "hardlink", "state": "linked", "health": null}],
    });
    serde_json::from_value(value).unwrap()
}

pub(crate) fn recognition(id: &str, state: &str) -> RecognitionDto {
    let value = json!({
        "id": "01jzabcdefghjkmnpqrstvwxy0", "download_id": id, "state": state, "verdict": "doubt",
        "confidence": 0.5, "fields": {"kind": "series", "title": "Some Series", "seasons": [1, 2]},
        "files": [{"index": 0, "path": "Some Series/1.mkv", "size": 1_572_864, "role": "main",
                   "fields": {"seasons": [1], "episodes": [1, 12.5]}},
                  {"index": 1, "path": null, "size": null, "role": "info", "fields": {}}],
        "evidence": [], "doubts": ["two works have this name"],
        "waiting": [{"source": "tmdb", "cause": "unreachable", "detail": "no connection"}],
        "next_look_at": null, "candidate_id": null, "chosen_by": null, "provisional": false,
        "asks": "none",
        "created_at": null, "updated_at": null,
    });
    serde_json::from_value(value).unwrap()
}

pub(crate) fn candidate(number: u32) -> CandidateDto {
    let value = json!({
        "id": format!("01jz{number:022}"), "work": format!("tmdb:tv/{number}"), "provider": "tmdb",
        "kind": "series", "title": "Some Series", "original_title": "Eine Serie", "year": 2001,
        "overview": null, "imdb": format!("tt{number:07}"), "score": 0.7,
        "parts": [{"name": "title", "points": 0.6, "detail": "the same title"},
                  {"name": "year", "points": -0.1, "detail": "a year off"}],
        "excluded": null,
    });
    serde_json::from_value(value).unwrap()
}

pub(crate) fn hint(text: &str) -> HintDto {
    HintDto {
        id: ID.to_owned(),
        text: text.to_owned(),
        author: "cli:me".to_owned(),
        created_at: "2026-01-02T03:04:05Z".to_owned(),
    }
}

pub(crate) fn set(field: &str, value: &str) -> OverrideDto {
    OverrideDto {
        id: ID.to_owned(),
        field: field.to_owned(),
        value: value.to_owned(),
        author: "cli:me".to_owned(),
        created_at: "2026-01-02T03:04:05Z".to_owned(),
        updated_at: "2026-01-02T03:04:05Z".to_owned(),
        remembered_at: None,
    }
}

pub(crate) fn remembered() -> RememberedDto {
    RememberedDto {
        id: ID.to_owned(),
        release_group: "GRP".to_owned(),
        title: "Some Show".to_owned(),
        field: "kind".to_owned(),
        value: "anime".to_owned(),
        author: "cli:me".to_owned(),
        created_at: "2026-01-02T03:04:05Z".to_owned(),
        updated_at: "2026-01-02T03:04:05Z".to_owned(),
    }
}

pub(crate) fn event(number: u32) -> EventDto {
    let value = json!({
        "id": format!("01jz{number:022}"), "created_at": "2026-01-02T03:04:05Z",
        "type": "download.created", "entity_kind": "download", "entity_id": ID,
        "entity_name": "Some.Film.2020", "download_id": ID, "job_id": null,
        "actor": "cli:me", "message": format!("entry {number}"), "data": {},
    });
    serde_json::from_value(value).unwrap()
}

pub(crate) fn token(name: &str) -> TokenDto {
    TokenDto {
        id: ID.to_owned(),
        name: name.to_owned(),
        scope: "write".to_owned(),
        created_at: "2026-01-02T03:04:05Z".to_owned(),
        last_used_at: None,
        revoked_at: None,
    }
}
