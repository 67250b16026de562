//! What happens when the program itself is at fault or not ready.

use std::io::Read;
use std::sync::Arc;

use axum::body::to_bytes;
use tracker_domain::DownloadId;
use tracker_domain::health::Check;
use tracker_domain::observed::Progress;
use tracker_domain::ports::Live;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

/// Workers whose memory cannot be looked at.
struct Broken;

impl Live for Broken {
    fn progress(&self, _id: DownloadId) -> Option<Progress> {
        None
    }

    fn checks(&self) -> Vec<Check> {
        panic!("the inside of the program")
    }
}

#[tokio::test]
async fn a_panic_is_answered_and_the_program_goes_on() {
    spec!("http-api#errors-are-problems/a-fault-of-ours");
    let daemon = Daemon::with("", Arc::new(Broken)).await;
    let answer = daemon.get("/api/v1/health").await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (500, "internal-error"));
    assert!(!answer.text.contains("inside"), "{}", answer.text);
    assert_eq!(daemon.get("/api/v1/downloads").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_program_that_is_not_ready_lives() {
    spec!("http-api#probes/not-ready-yet");
    let daemon = Daemon::start().await;
    daemon.app.ops.set_ready(false);
    let ready = daemon.raw(Ask { path: "/readyz", ..Ask::default() }).await;
    assert_eq!((ready.status.as_u16(), ready.code().as_str()), (503, "not-ready"));
    assert_eq!(ready.header("retry-after"), "1");
    let alive = daemon.raw(Ask { path: "/healthz", ..Ask::default() }).await;
    assert_eq!(alive.status.as_u16(), 200);
}

#[tokio::test]
async fn answers_are_packed_for_who_can_unpack_them() {
    let daemon = Daemon::start().await;
    let headers = vec![("accept-encoding", "gzip")];
    let ask = Ask { path: "/api/v1/openapi.json", headers, ..Ask::default() };
    let packed = daemon.open(ask).await;
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let bytes = to_bytes(packed.into_body(), usize::MAX).await.unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["paths"].is_object());
}
