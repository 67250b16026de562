//! Jobs and backups over REST.

use axum::http::Method;
use tracker_domain::JobId;
use tracker_domain::ports::BackupTargetError;
use tracker_testkit::spec;

use crate::fixture::{Answer, Ask, Daemon, NOBODY};

async fn delete(daemon: &Daemon, path: &str) -> Answer {
    daemon.ask(Ask { method: Method::DELETE, path, ..Ask::default() }).await
}

/// The job of an answer is done, as the runner would.
async fn carried_out(daemon: &Daemon, asked: &Answer) -> serde_json::Value {
    assert_eq!(asked.status.as_u16(), 202, "{}", asked.text);
    let id = asked.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(asked.header("location"), format!("/api/v1/jobs/{id}"));
    let job: JobId = id.parse().unwrap();
    let actor = tracker_domain::Actor::Api("tests".to_owned());
    daemon.app.backups.carry_out(job, &actor).await.unwrap();
    daemon.get(&format!("/api/v1/jobs/{id}")).await.json()
}

#[tokio::test]
async fn a_backup_is_made_shown_tried_out_and_deleted() {
    spec!("backup#asked-for-by-a-person/over-rest");
    let daemon = Daemon::start().await;
    let first = daemon.post("/api/v1/backups", "").await;
    let again = daemon.post("/api/v1/backups", "").await;
    assert_eq!(first.json()["id"], again.json()["id"], "one at a time");
    assert_eq!(first.json()["state"], "queued");
    let job = carried_out(&daemon, &first).await;
    assert_eq!((&job["state"], &job["actor"]), (&"done".into(), &"api:tests".into()));

    let page = daemon.get("/api/v1/backups").await.json();
    let made = &page["items"][0];
    assert_eq!((&made["state"], &made["job_id"]), (&"done".into(), &job["id"]));
    assert!(made["row_counts"]["event"].as_i64().unwrap() > 0, "{made}");
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/v1/backups/{id}");
    assert_eq!(&daemon.get(&path).await.json(), made);
    let entity = daemon.get(&format!("/api/v1/entities/{id}")).await.json();
    assert_eq!((&entity["kind"], &entity["url"]), (&"backup".into(), &path.as_str().into()));
    assert_eq!(entity["related"][0]["id"], job["id"]);

    let drill = daemon.post(&format!("{path}/verify"), "").await;
    let drill = carried_out(&daemon, &drill).await;
    assert_eq!((&drill["kind"], &drill["subject_id"]), (&"backup-verify".into(), &id.into()));
    assert!(daemon.get(&path).await.json()["verified_at"].is_string());
    let newest = daemon.post("/api/v1/backups/verify", "").await;
    assert_eq!(newest.json()["subject_id"], id);
    assert_eq!(
        daemon.post("/api/v1/backups/reconcile", "").await.json()["missing"],
        serde_json::json!([])
    );

    let deleted = delete(&daemon, &path).await;
    assert_eq!((deleted.status.as_u16(), &deleted.json()["state"]), (200, &"deleted".into()));
    let gone = daemon.post(&format!("{path}/verify"), "").await;
    assert_eq!((gone.status.as_u16(), gone.code().as_str()), (409, "illegal-transition"));
    for path in [format!("/api/v1/backups/{NOBODY}"), "/api/v1/backups/abc!!!".to_owned()] {
        assert_eq!(daemon.get(&path).await.code(), "not-found");
        assert_eq!(delete(&daemon, &path).await.code(), "not-found");
    }
    let wrong = daemon.get(&format!("/api/v1/backups/{}", job["id"].as_str().unwrap())).await;
    assert_eq!(
        (wrong.code().as_str(), &wrong.json()["kind"]),
        ("wrong-entity-kind", &"job".into())
    );

    daemon.target.refuse(Some(BackupTargetError::Unreachable("no route".to_owned())));
    let away = daemon.post("/api/v1/backups/reconcile", "").await;
    assert_eq!(away.status.as_u16(), 503);
    assert_eq!(away.code(), "backup-target-unreachable");
    assert_eq!(away.header("retry-after"), "10");
}

#[tokio::test]
async fn jobs_are_listed_shown_and_cancelled() {
    spec!("jobs#jobs-are-listed-and-ended/over-rest");
    let daemon = Daemon::start().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let asked = daemon.post("/api/v1/backups", "").await;
        let id = asked.json()["id"].as_str().unwrap().to_owned();
        let ended = daemon.post(&format!("/api/v1/jobs/{id}/cancel"), "").await;
        assert_eq!(ended.status.as_u16(), 200, "{}", ended.text);
        assert_eq!(ended.json()["error"]["code"], "cancelled");
        ids.insert(0, id);
    }
    let page = daemon.get("/api/v1/jobs?limit=2").await.json();
    let listed: Vec<&str> =
        page["items"].as_array().unwrap().iter().map(|job| job["id"].as_str().unwrap()).collect();
    assert_eq!(listed, ids[..2]);
    let next = page["next"].as_str().unwrap();
    let rest = daemon.get(&format!("/api/v1/jobs?limit=2&before={next}")).await.json();
    assert_eq!(
        (&rest["items"][0]["id"], &rest["next"]),
        (&ids[2].as_str().into(), &serde_json::Value::Null)
    );
    assert_eq!(daemon.get("/api/v1/jobs?limit=0").await.code(), "invalid-request");
    assert_eq!(daemon.get("/api/v1/jobs?state=x").await.code(), "invalid-request");
    let again = daemon.post(&format!("/api/v1/jobs/{}/cancel", ids[0]), "").await;
    assert_eq!((again.status.as_u16(), again.code().as_str()), (409, "illegal-transition"));
    let none = daemon.post(&format!("/api/v1/jobs/{NOBODY}/cancel"), "").await;
    assert_eq!(none.code(), "not-found");
    let events = daemon.get(&format!("/api/v1/events?job_id={}", ids[0])).await.json();
    let types: Vec<&str> =
        events["items"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["job.failed", "job.cancel_asked", "job.created"]);
}
