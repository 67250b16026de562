//! The exact spelling of the shapes: a change here is a change for other programs.
#![allow(clippy::unwrap_used)]

use serde_json::json;
use tracker_app::{
    CandidateView, DownloadView, EntityView, EventView, FailureView, FileView, ParseView,
    RecognitionView, StoryView,
};
use tracker_domain::ask::AskScope;
use tracker_domain::event::EventType;
use tracker_domain::metadata::WorkKind;
use tracker_domain::observed::Progress;
use tracker_domain::recognised::{
    Date, EpisodeNumber, Evidence, Fields, RecognitionState, Role, ScorePart, TitleKind, Verdict,
};
use tracker_domain::{Attention, DownloadState, EntityKind, Infohash, Remark, Timestamp};
use utoipa::PartialSchema;

use crate::{
    CandidateDto, DownloadDto, EntityDto, EventDto, IngestBody, Page, ParseDto, Problem,
    RecognitionDto,
};

const ID: &str = "01jzabcdefghjkmnpqrstvwxyz";

fn at() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().unwrap()
}

fn view() -> DownloadView {
    DownloadView {
        id: ID.parse().unwrap(),
        state: DownloadState::Queued,
        attention: None,
        attention_detail: None,
        name: "Name".to_owned(),
        infohashes: vec![Infohash::from_any_form(&"AB".repeat(20)).unwrap()],
        client: None,
        progress: None,
        paused: false,
        error: None,
        merged_into: None,
        hidden_at: None,
        has_links: false,
        revision: 1,
        created_at: at(),
        updated_at: at(),
    }
}

#[test]
fn unknown_members_of_a_download_are_null_and_present() {
    tracker_testkit::spec!("http-api#shapes-are-fixed/members-that-are-not-known");
    let found = serde_json::to_value(DownloadDto::from(view())).unwrap();
    assert_eq!(
        found,
        json!({
            "id": ID, "state": "queued", "attention": null, "attention_detail": null,
            "name": "Name", "infohashes": ["ab".repeat(20)], "client": null, "progress": null,
            "paused": false, "error": null, "merged_into": null, "hidden_at": null, "revision": 1,
            "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",
        })
    );
}

#[test]
fn known_members_of_a_download_have_their_shape() {
    let full = DownloadView {
        state: DownloadState::Failed,
        attention: Some(Attention::ClientRejected),
        progress: Some(Progress {
            bytes_done: Some(5),
            ratio: Some(f64::INFINITY),
            ..Progress::default()
        }),
        error: Some(FailureView { code: "client-rejected".to_owned(), detail: "no".to_owned() }),
        ..view()
    };
    let found = serde_json::to_value(DownloadDto::from(full)).unwrap();
    assert_eq!(found["attention"], "client-rejected");
    assert_eq!(found["error"], json!({"code": "client-rejected", "detail": "no"}));
    assert_eq!(
        found["progress"],
        json!({
            "bytes_done": 5, "bytes_total": null, "download_bps": null, "upload_bps": null,
            "eta_seconds": null, "peers": null, "ratio": null,
        })
    );
}

#[test]
fn an_event_has_the_columns_of_the_journal() {
    let event = EventView {
        id: ID.parse().unwrap(),
        created_at: at(),
        event_type: EventType::SystemStarted,
        entity_kind: None,
        entity_id: None,
        entity_name: None,
        download_id: None,
        job_id: None,
        actor: "system".to_owned(),
        message: "started".to_owned(),
        data: serde_json::Value::Null,
    };
    assert_eq!(
        serde_json::to_value(EventDto::from(event)).unwrap(),
        json!({
            "id": ID, "created_at": "2026-01-02T03:04:05Z", "type": "system.started",
            "entity_kind": null, "entity_id": null, "entity_name": null, "download_id": null,
            "job_id": null, "actor": "system", "message": "started", "data": {},
        })
    );
}

#[test]
fn an_entity_without_a_download_leaves_the_member_out() {
    let id = ID.parse().unwrap();
    let of = |kind| EntityView { kind, id, download_id: None, url: "/x".to_owned() };
    let story = StoryView {
        entity: of(EntityKind::Token),
        related: vec![of(EntityKind::Event)],
        events: Vec::new(),
        log_id: id,
        since: None,
        until: None,
    };
    assert_eq!(
        serde_json::to_value(EntityDto::from(story)).unwrap(),
        json!({
            "kind": "token", "id": ID, "url": "/x", "events": [],
            "related": [{"kind": "event", "id": ID, "url": "/x"}],
            "log": {"search": ID, "since": null, "until": null},
        })
    );
}

#[test]
fn a_reader_ignores_members_it_does_not_know() {
    let mut later = serde_json::to_value(DownloadDto::from(view())).unwrap();
    later["state"] = json!("a-later-state");
    later["later"] = json!({"member": 1});
    let read: DownloadDto = serde_json::from_value(later).unwrap();
    assert_eq!(read.state, "a-later-state");
    let page: Page<DownloadDto> = serde_json::from_str(r#"{"items":[],"next":null}"#).unwrap();
    assert_eq!(page.next, None);
    let problem: Problem = serde_json::from_str(r#"{"code":"later","status":418}"#).unwrap();
    assert_eq!((problem.code.as_str(), problem.status), ("later", 418));
}

#[test]
fn a_request_leaves_out_what_was_not_said() {
    let body = IngestBody { magnet: "m".to_owned(), ..IngestBody::default() };
    assert_eq!(serde_json::to_value(body).unwrap(), json!({"magnet": "m"}));
}

#[test]
fn every_member_of_a_written_download_is_required_in_its_schema() {
    let schema = serde_json::to_value(DownloadDto::schema()).unwrap();
    let written = serde_json::to_value(DownloadDto::from(view())).unwrap();
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for member in written.as_object().unwrap().keys() {
        assert!(required.contains(&member.as_str()), "{member} is not required");
    }
}

/// Every field with a value.
fn all_fields() -> Fields {
    let word = || Some("word".to_owned());
    let words = || vec!["word".to_owned()];
    Fields {
        kind: Some(TitleKind::Anime),
        title: word(),
        title_ru: word(),
        title_orig: word(),
        other_titles: words(),
        year: Some(1999),
        year_end: Some(2001),
        seasons: vec![1],
        episodes: vec![EpisodeNumber::whole(3), EpisodeNumber::with_hundredths(12, 50)],
        absolute_episodes: vec![EpisodeNumber::whole(40)],
        episode_count: Some(10),
        date: Date::new(2020, 2, 29),
        episode_title: word(),
        part: vec![1],
        season_part: Some(2),
        edition: words(),
        resolution: word(),
        source: word(),
        remux: true,
        proper: true,
        repack: true,
        version: Some(2),
        video_codec: word(),
        audio: words(),
        hdr: words(),
        languages: words(),
        group: word(),
        container: word(),
    }
}

#[test]
fn fields_have_the_words_of_the_vocabulary() {
    tracker_testkit::spec!("http-api#recognition-over-rest/its-shape");
    let fields = all_fields();
    let inside = serde_json::to_value(&fields).unwrap();
    let outside = serde_json::to_value(crate::FieldsDto::from(fields)).unwrap();
    assert_eq!(outside, inside);
    assert_eq!(outside["episodes"], json!([3, 12.5]));
    assert_eq!(outside["date"], "2020-02-29");
    let nothing = serde_json::to_value(crate::FieldsDto::from(Fields::default())).unwrap();
    assert_eq!(nothing, json!({}));
}

fn why() -> Evidence {
    Evidence {
        field: "year".to_owned(),
        value: "1999".to_owned(),
        from: "file".to_owned(),
        text: "1999".to_owned(),
        span: Some((4, 8)),
        rule: "year".to_owned(),
    }
}

#[test]
fn a_recognition_has_its_shape() {
    tracker_testkit::spec!("http-api#recognition-over-rest/its-shape");
    let view = RecognitionView {
        id: None,
        download_id: ID.parse().unwrap(),
        state: RecognitionState::Pending,
        verdict: Verdict::Unknown,
        confidence: None,
        fields: Fields { year: Some(1999), ..Fields::default() },
        files: vec![
            FileView {
                index: 0,
                path: Some("a/b.mkv".to_owned()),
                size_bytes: Some(7),
                role: Role::Main,
                fields: Fields::default(),
                can_be_included: false,
            },
            FileView {
                index: 3,
                path: None,
                size_bytes: None,
                role: Role::Unknown,
                fields: Fields { seasons: vec![2], ..Fields::default() },
                can_be_included: false,
            },
        ],
        evidence: vec![why()],
        doubts: vec![Remark::read("why")],
        waiting: Vec::new(),
        next_look_at: None,
        candidate_id: None,
        chosen_by: None,
        provisional: true,
        asks: Some(AskScope::Title),
        asks_of: Some("tmdb:movie/603".to_owned()),
        created_at: None,
        updated_at: Some(at()),
    };
    let why = json!({"field": "year", "value": "1999", "from": "file", "text": "1999",
                     "span": [4, 8], "rule": "year"});
    assert_eq!(
        serde_json::to_value(RecognitionDto::from(view)).unwrap(),
        json!({
            "id": null, "download_id": ID, "state": "pending", "verdict": "unknown",
            "confidence": null, "fields": {"year": 1999},
            "files": [
                {"index": 0, "path": "a/b.mkv", "size": 7, "role": "main", "fields": {}},
                {"index": 3, "path": null, "size": null, "role": "unknown",
                 "fields": {"seasons": [2]}},
            ],
            "evidence": [why],
            "doubts": ["why"], "waiting": [], "next_look_at": null, "candidate_id": null,
            "chosen_by": null, "provisional": true, "asks": "title", "created_at": null,
            "updated_at": "2026-01-02T03:04:05Z",
        })
    );
}

#[test]
fn a_candidate_has_its_shape() {
    tracker_testkit::spec!("http-api#recognition-over-rest/its-shape");
    let part =
        ScorePart { name: "title".to_owned(), points: 0.5, detail: Remark::read("the same") };
    let view = CandidateView {
        id: ID.parse().unwrap(),
        work: Some("tmdb:movie/603".to_owned()),
        provider: "tmdb".to_owned(),
        kind: Some(WorkKind::Movie),
        title: "Title".to_owned(),
        original_title: None,
        year: Some(1999),
        overview: None,
        imdb: Some("tt0133093".to_owned()),
        score: 0.5,
        parts: vec![part],
        excluded: None,
    };
    assert_eq!(
        serde_json::to_value(CandidateDto::from(view)).unwrap(),
        json!({
            "id": ID, "work": "tmdb:movie/603", "provider": "tmdb", "kind": "movie",
            "title": "Title", "original_title": null, "year": 1999, "overview": null,
            "imdb": "tt0133093", "score": 0.5, "parts": [{"name": "title", "points": 0.5, "detail": "the same"}],
            "excluded": null,
        })
    );
}

#[test]
fn a_parsed_name_has_its_fields_at_the_top() {
    tracker_testkit::spec!("http-api#recognition-over-rest/a-name");
    let view = ParseView {
        fields: Fields { year: Some(1999), ..Fields::default() },
        evidence: vec![why()],
    };
    let found = serde_json::to_value(ParseDto::from(view)).unwrap();
    assert_eq!((&found["year"], &found["evidence"][0]["text"]), (&json!(1999), &json!("1999")));
    let read: ParseDto = serde_json::from_value(found).unwrap();
    assert_eq!(read.fields.year, Some(1999));
}
