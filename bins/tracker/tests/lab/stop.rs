//! The stop of the whole daemon.

use std::time::Duration;

use rustix::process::Signal;
use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;

#[tokio::test]
async fn with_a_reader_of_events_trixie() {
    spec!("main-job#the-daemon-stops-in-order/with-a-reader-of-events");
    let mut bench = Bench::at(Flavour::Trixie).await;
    let mut stream =
        bench.daemon.request(reqwest::Method::GET, "/api/v1/events/stream").send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let id = bench.daemon.ingest(&bench.magnet("slow", "full")).await;
    let mut text = String::new();
    while !text.contains(&id) {
        let chunk = stream.chunk().await.unwrap().expect("the stream goes on");
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(
        text.contains("event: download.created") || text.contains("event:download.created"),
        "{text}"
    );
    bench.daemon.until_state(&id, "downloading").await;

    bench.daemon.signal(Signal::TERM);
    // An error here is a stream that was cut off.
    while stream.chunk().await.unwrap().is_some() {}
    assert!(bench.daemon.ended(Duration::from_secs(10)).success());
    assert!(!bench.daemon.data_dir().join("daemon.json").exists());
    bench.daemon.start().await;
    bench.arrives(&id, "slow").await;
}
