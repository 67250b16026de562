//! The exact spelling of the shapes: a change here is a change for other programs.
#![allow(clippy::unwrap_used)]

use serde_json::json;
use tracker_app::{DownloadView, EntityView, EventView, FailureView};
use tracker_domain::event::EventType;
use tracker_domain::observed::Progress;
use tracker_domain::{Attention, DownloadState, EntityKind, Infohash, Timestamp};
use utoipa::PartialSchema;

use crate::{DownloadDto, EntityDto, EventDto, IngestBody, Page, Problem};

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
        error: None,
        merged_into: None,
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
            "error": null, "merged_into": null, "revision": 1,
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
    let entity = EntityView {
        kind: EntityKind::Token,
        id: ID.parse().unwrap(),
        download_id: None,
        url: "/x".to_owned(),
    };
    assert_eq!(
        serde_json::to_value(EntityDto::from(entity)).unwrap(),
        json!({"kind": "token", "id": ID, "url": "/x"})
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
