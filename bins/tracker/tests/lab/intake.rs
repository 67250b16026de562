//! Intake with the daemon up, killed and not there yet.

use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;

#[tokio::test]
async fn with_and_without_the_daemon_backports() {
    spec!("main-job#intake-needs-no-daemon/the-daemon-runs");
    spec!("main-job#intake-needs-no-daemon/the-daemon-was-killed");
    spec!("main-job#intake-needs-no-daemon/nothing-is-there-yet");
    let mut bench = Bench::idle(Flavour::Backports).await;
    assert!(!bench.daemon.data_dir().exists());
    let absent = accepted(&bench, "movie-v1");
    bench.daemon.start().await;
    bench.arrives(&absent, "movie-v1").await;
    assert!(actor(&bench, &absent).await.starts_with("cli:"));

    let up = accepted(&bench, "movie-v2");
    assert_eq!(actor(&bench, &up).await, "api:local");

    bench.daemon.kill();
    assert!(bench.daemon.data_dir().join("daemon.json").exists(), "nobody took it away");
    let down = accepted(&bench, "movie-hybrid");
    let listed = bench.daemon.tracker(&["list", "--json", "--active"]).json();
    let found = listed["items"].as_array().unwrap().iter().find(|item| item["id"] == *down);
    let found = found.unwrap_or_else(|| panic!("{listed:#}"));
    assert_eq!((&found["state"], &found["progress"]), (&"queued".into(), &serde_json::Value::Null));
    bench.daemon.start().await;
    for (id, torrent) in [(up, "movie-v2"), (down.clone(), "movie-hybrid")] {
        bench.arrives(&id, torrent).await;
    }
    assert!(actor(&bench, &down).await.starts_with("cli:"));
}

fn accepted(bench: &Bench, torrent: &str) -> String {
    let said = bench.daemon.tracker(&["ingest", &bench.magnet(torrent, "full")]);
    assert!(said.done().ends_with("\tcreated\n"), "{said:?}");
    said.ids().remove(0)
}

async fn actor(bench: &Bench, id: &str) -> String {
    bench.daemon.events(id).await[0]["actor"].as_str().unwrap().to_owned()
}
