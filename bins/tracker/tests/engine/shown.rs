//! What is seen of it: the demonstration, and bars on a screen.

use std::process::Command;

use serde_json::Value;
use tracker_testkit::spec;

use crate::seeder::{Machine, Seeder};

#[test]
fn the_demo_ends_with_a_library() {
    spec!("command-line#the-main-job-is-shown/from-links-to-a-library");
    let machine = Machine::new();
    let found = machine.run(&["demo"]);
    assert_eq!(found.code, 0, "{found:?}");
    for file in [
        "Movies/Sintel (2010)/Sintel (2010) - 1080p.mkv",
        "Movies/Sintel (2010)/Sintel (2010) - 1080p.ru.srt",
        "Series/Pioneer One/Season 01/Pioneer One S01E03.mkv",
        "Movies/Стальные слёзы (2012)/Стальные слёзы (2012) - 1080p.mkv",
    ] {
        let line = found.out.lines().find(|line| line.contains(file));
        assert!(line.is_some_and(|line| line.ends_with("2 names of the same bytes)")), "{found:?}");
    }
    // The one with several names was a person's to accept.
    assert!(found.err.contains("$ tracker accept "), "{}", found.err);
    let times = found.out.lines().filter(|line| line.matches(" s ").count() == 4).count();
    assert_eq!(times, 3, "{}", found.out);

    spec!("command-line#the-main-job-is-shown/nothing-is-left");
    let left: Vec<_> = std::fs::read_dir(machine.home()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_demo_that_is_kept_names_its_folder() {
    spec!("command-line#the-main-job-is-shown/kept-for-a-look");
    let machine = Machine::new();
    let found = machine.run(&["demo", "--keep", "--json"]);
    assert_eq!(found.code, 0, "{found:?}");
    for line in found.out.lines() {
        let change: Value = serde_json::from_str(line).unwrap();
        assert!(change["download"]["id"].is_string() || change["state"].is_string(), "{line}");
    }
    let folder = found.err.lines().find_map(|line| line.strip_prefix("everything is in "));
    let film = std::path::Path::new(folder.unwrap()).join("data/library/Movies/Sintel (2010)");
    assert!(film.join("Sintel (2010) - 1080p.mkv").is_file(), "{film:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_screen_there_is_a_bar() {
    spec!("command-line#ingest-can-wait/bars-on-a-screen");
    let bps = Some(2 << 20);
    let seeder = Seeder::held_back("Some.Film.2001.1080p.BluRay.x264-GRP", 5 << 20, bps).await;
    let machine = Machine::new();
    let command = machine.command(&["ingest", &seeder.link, "--wait"]);
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let line: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    // `script`, of Debian's bsdutils, gives it a terminal.
    let mut on_screen = Command::new("script");
    on_screen.args(["-qec", &line.join(" "), "/dev/null"]);
    on_screen.env_clear().env("TERM", "xterm").stdin(std::process::Stdio::null());
    for (name, value) in command.get_envs() {
        on_screen.env(name, value.unwrap());
    }
    let output = on_screen.output().expect("script is missing; apt-get install bsdutils");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}");
    for part in ["Some.Film.2001.1080…", "━", " MiB of 5.0 MiB, ", "1 peer", "100 % done"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
