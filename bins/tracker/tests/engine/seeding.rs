//! A daemon that ends the seeding of what has given enough.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::Value;
use tracker_testkit::{eventually, spec};

use crate::seeder::{DEADLINE, Machine, Running, Seeder};

const NAME: &str = "Some.Film.2001.1080p.BluRay.x264-GRP";
const LINKED: &str = "Movies/Some Film (2001)/Some Film (2001) - 1080p.mkv";

fn items(machine: &Machine, args: &[&str]) -> Vec<Value> {
    let found = machine.run(args);
    assert_eq!(found.code, 0, "{found:?}");
    let page: Value = serde_json::from_str(&found.out).unwrap();
    page["items"].as_array().unwrap().clone()
}

/// A film that is linked and has given enough by the words of `[seeding]`; the wish
/// that came of it is carried out.
async fn ended(words: &str) -> (Seeder, Machine, Running) {
    let seeder = Seeder::of(NAME, 3 << 20).await;
    let machine = Machine::new().configured(&format!("[seeding]\n{words}\n"));
    let daemon = machine.spawn(&["serve"]);
    machine.until_ready().await;
    let found = machine.run(&["ingest", &seeder.link, "--wait"]);
    assert_eq!(found.code, 0, "{found:?}");
    eventually(DEADLINE, "the wish to be carried out", async || {
        let done = items(&machine, &["events", "--type", "client_task.done", "--json"]);
        (!done.is_empty()).then_some(())
    })
    .await;
    (seeder, machine, daemon)
}

fn payload(machine: &Machine) -> Vec<PathBuf> {
    let downloads = machine.data_dir().join("downloads");
    let mut found = Vec::new();
    let mut folders = vec![downloads];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn data_goes_and_the_library_keeps_it() {
    spec!("seeding#the-whole-way/removed-with-its-data");
    let (seeder, machine, daemon) = ended("time = \"1s\"\naction = \"remove-data\"").await;
    assert_eq!(payload(&machine), Vec::<PathBuf>::new());
    seeder.has_names(&machine, LINKED, 1);
    let told = items(&machine, &["events", "--type", "download.seeding_ended", "--json"]);
    assert_eq!((told.len(), &told[0]["data"]["kept"]), (1, &Value::Null));
    assert_eq!(items(&machine, &["seeding", "--json"]), Vec::<Value>::new());
    let list = items(&machine, &["list", "--json"]);
    assert_eq!((&list[0]["state"], &list[0]["attention"]), (&"done".into(), &Value::Null));
    daemon.signal(Signal::TERM);
    assert_eq!(daemon.end().await.code, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torrent_is_stopped_and_listed() {
    spec!("seeding#the-whole-way/stopped");
    let (seeder, machine, daemon) = ended("time = \"1s\"").await;
    seeder.is_linked(&machine, LINKED);
    assert_eq!(payload(&machine).len(), 2);
    let book = fs::read_to_string(machine.data_dir().join("engine/embedded/torrents.json"));
    assert!(book.as_ref().unwrap().contains("\"stopped\": true"), "{book:?}");

    spec!("seeding#what-seeds-is-listed/rest");
    let list = items(&machine, &["seeding", "--json"]);
    assert_eq!((list.len(), &list[0]["verdict"]), (1, &"ended".into()));
    assert!(list[0]["ended_at"].is_string() && list[0]["seeding_seconds"].is_u64());
    assert_eq!(
        (&list[0]["policy"]["seconds"], &list[0]["policy"]["ratio"]),
        (&1.into(), &Value::Null)
    );
    daemon.signal(Signal::TERM);
    assert_eq!(daemon.end().await.code, 0);
}
