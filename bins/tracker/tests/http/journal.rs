//! The journal over REST: the list, one entry, the stream.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::Response;
use futures::StreamExt;
use serde_json::Value;
use tracker_domain::DownloadId;
use tracker_domain::health::Check;
use tracker_domain::observed::Progress;
use tracker_domain::ports::Live;
use tracker_testkit::spec;

use crate::fixture::{Ask, Daemon};

#[tokio::test]
async fn the_list_is_newest_first_and_filtered() {
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    daemon.accepted('b').await;
    let page = daemon.get(&format!("/api/v1/events?download_id={id}")).await.json();
    let items = page["items"].as_array().unwrap();
    assert!(!items.is_empty());
    assert!(items.iter().all(|event| event["download_id"] == id.as_str()));
    assert_eq!(items.last().unwrap()["type"], "download.created");
    assert_eq!(items.last().unwrap()["actor"], "api:tests");
    let ids: Vec<&str> = items.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted_by(|newer, older| newer > older));
    let one = daemon.get(&format!("/api/v1/events/{}", ids[0].to_uppercase())).await.json();
    assert_eq!(&one, &items[0]);
}

/// A reader of a stream.
pub struct Reader {
    body: axum::body::BodyDataStream,
    text: String,
}

impl Reader {
    async fn open(daemon: &Daemon, last: Option<&str>) -> Self {
        let bearer = format!("Bearer {}", daemon.token);
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(last.map(|id| ("last-event-id", id)));
        let path = "/api/v1/events/stream";
        Reader::of(daemon.open(Ask { path, headers, ..Ask::default() }).await)
    }

    /// What reads an answer that is a stream.
    pub fn of(response: Response) -> Self {
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Reader { body: response.into_body().into_data_stream(), text: String::new() }
    }

    /// The next block of lines, or `None` at the end.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await;
            let bytes = chunk.expect("the stream stands still")?.unwrap();
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// The next event as (id, type, data).
    async fn event(&mut self) -> (String, String, Value) {
        loop {
            let block = self.block().await.expect("the stream ended");
            let member =
                |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            if let Some(id) = member("id:") {
                let data = serde_json::from_str(member("data:").unwrap()).unwrap();
                return (id.to_owned(), member("event:").unwrap().to_owned(), data);
            }
        }
    }
}

async fn ids_oldest_first(daemon: &Daemon) -> Vec<String> {
    let page = daemon.get("/api/v1/events?limit=200").await.json();
    let mut ids: Vec<String> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["id"].as_str().unwrap().to_owned())
        .collect();
    ids.reverse();
    ids
}

#[tokio::test]
async fn a_stream_starts_now() {
    spec!("http-api#the-stream-of-events/from-now-on");
    let daemon = Daemon::start().await;
    daemon.accepted('a').await;
    let mut reader = Reader::open(&daemon, None).await;
    let id = daemon.accepted('b').await;
    let (event_id, kind, data) = reader.event().await;
    assert_eq!(data["download_id"], id);
    assert_eq!(data["id"], event_id);
    assert_eq!(data["type"], kind);
    let one = daemon.get(&format!("/api/v1/events/{event_id}")).await.json();
    assert_eq!(one, data);
}

#[tokio::test]
async fn a_stream_resumes_without_gap_or_duplicate() {
    spec!("http-api#the-stream-of-events/after-a-break");
    let daemon = Daemon::start().await;
    daemon.accepted('a').await;
    let last = ids_oldest_first(&daemon).await.pop().unwrap();
    for digit in ['b', 'c', 'd'] {
        daemon.accepted(digit).await;
    }
    let mut reader = Reader::open(&daemon, Some(&last.to_uppercase())).await;
    daemon.accepted('e').await;
    let all = ids_oldest_first(&daemon).await;
    let after: Vec<String> = all.into_iter().filter(|id| *id > last).collect();
    assert!(after.len() >= 4);
    let mut seen = Vec::new();
    while seen.len() < after.len() {
        seen.push(reader.event().await.0);
    }
    assert_eq!(seen, after);
}

/// Workers that watch one transfer.
#[derive(Default)]
struct Watching(Mutex<Vec<(DownloadId, Progress)>>);

impl Live for Watching {
    fn progress(&self, _: DownloadId) -> Option<Progress> {
        None
    }

    fn all_progress(&self) -> Vec<(DownloadId, Progress)> {
        self.0.lock().unwrap().clone()
    }

    fn checks(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[tokio::test]
async fn a_stream_tells_what_moves() {
    spec!("http-api#the-stream-of-events/progress");
    let live = Arc::new(Watching::default());
    let daemon = Daemon::with("", live.clone()).await;
    let id = daemon.accepted('a').await;
    let last = ids_oldest_first(&daemon).await.pop().unwrap();
    let at = |bytes| {
        let progress = Progress { bytes_done: Some(bytes), ..Progress::default() };
        *live.0.lock().unwrap() = vec![(id.parse().unwrap(), progress)];
    };
    at(1);
    let mut reader = Reader::open(&daemon, Some(&last)).await;
    let mut ticks = async || loop {
        let block = reader.block().await.unwrap();
        if block.contains("event: progress") {
            assert!(!block.contains("id: "), "{block}");
            let data = block.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
            break serde_json::from_str::<Value>(data).unwrap();
        }
    };
    let first = ticks().await;
    assert_eq!(
        (&first[0]["download_id"], &first[0]["progress"]["bytes_done"]),
        (&id.as_str().into(), &1.into())
    );
    at(2);
    assert_eq!(ticks().await[0]["progress"]["bytes_done"], 2);
    // One that stands still is not told again: the next block is an entry.
    daemon.accepted('b').await;
    assert_eq!(reader.event().await.1, "download.created");
}

#[tokio::test]
async fn a_stream_ends_at_the_stop() {
    let daemon = Daemon::start().await;
    let mut reader = Reader::open(&daemon, None).await;
    daemon.stop.cancel();
    while reader.block().await.is_some() {}
}

#[tokio::test]
async fn a_place_that_is_no_id_is_refused() {
    let daemon = Daemon::start().await;
    let headers = vec![("last-event-id", "abc")];
    let ask = Ask { path: "/api/v1/events/stream", headers, ..Ask::default() };
    let answer = daemon.ask(ask).await;
    assert_eq!(answer.code(), "invalid-request");
    assert_eq!(answer.json()["errors"][0]["parameter"], "Last-Event-ID");
}
