//! A daemon of which nobody has configured anything.

use serde_json::Value;
use tracker_testkit::spec;

use crate::seeder::{Machine, Seeder};
use rustix::process::Signal;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve_without_a_file_does_the_main_job() {
    spec!("configuration#nothing-needs-to-be-configured/serve-without-a-file");
    let seeder = Seeder::of("Some.Film.2001.1080p.BluRay.x264-GRP", 3 << 20).await;
    let machine = Machine::new();
    let daemon = machine.spawn(&["serve"]);
    machine.until_ready().await;
    for word in ["the embedded engine downloads", "library/Movies", "http://127.0.0.1:"] {
        assert!(daemon.said().contains(word), "{word}: {}", daemon.said());
    }

    spec!("command-line#ingest-can-wait/a-daemon-is-followed");
    let path = seeder.torrent_file();
    let found = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(found.code, 0, "{found:?}");
    seeder.is_linked(&machine, "Movies/Some Film (2001)/Some Film (2001) - 1080p.mkv");
    // The torrent is `done`, so the same one again is a new download.
    let again = machine.run(&["ingest", path.to_str().unwrap()]);
    assert!(again.out.ends_with("\tcreated\n"), "{again:?}");

    let doctor: Value = serde_json::from_str(&machine.run(&["doctor", "--json"]).out).unwrap();
    assert_ne!(doctor["status"], "error", "{doctor:#}");
    daemon.signal(Signal::TERM);
    assert_eq!(daemon.end().await.code, 0);
}
