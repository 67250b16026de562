//! Files, modes and locks of the data directory.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use tracker_testkit::spec;

use crate::daemon::{Daemon, Said, Setup};
use crate::{alone, hash, running};

fn mode(here: &Daemon, name: &str) -> u32 {
    let path = here.data_dir().join(name);
    std::fs::metadata(&path).unwrap_or_else(|error| panic!("{name}: {error}")).permissions().mode()
        & 0o7777
}

#[tokio::test]
async fn only_the_owner_reads_it() {
    spec!("data-protection#the-data-directory-is-private/modes");
    let (_folder, mut here) = running().await;
    assert_eq!(mode(&here, ""), 0o750);
    for name in ["tracker.db", "tracker.db-wal", "tracker.db-shm", "api-token", "daemon.json"] {
        assert_eq!(mode(&here, name), 0o600, "{name}");
    }
    here.stop();
    for name in ["tracker.db", "api-token"] {
        assert_eq!(mode(&here, name), 0o600, "{name}");
    }
}

#[tokio::test]
async fn the_group_may_read_the_token_where_that_is_configured() {
    spec!("data-protection#the-data-directory-is-private/token-mode");
    let folder = tempfile::tempdir().unwrap();
    let more = "[general]\ntoken_mode = \"0640\"\n".to_owned();
    let here = Daemon::started(Setup { more, ..Setup::without_client(folder.path()) }).await;
    for name in ["api-token", "daemon.json"] {
        assert_eq!(mode(&here, name), 0o640, "{name}");
    }
    assert_eq!(mode(&here, "tracker.db"), 0o600);
}

#[tokio::test]
async fn a_changed_token_mode_reaches_the_files_that_are_there() {
    spec!("data-protection#the-data-directory-is-private/token-mode");
    let (_folder, mut here) = running().await;
    let token = here.token();
    here.stop();
    here.setup.more = "[general]\ntoken_mode = \"0640\"\n".to_owned();
    here.configure();
    here.start().await;
    for name in ["api-token", "daemon.json"] {
        assert_eq!(mode(&here, name), 0o640, "{name}");
    }
    assert_eq!(here.token(), token);
}

#[tokio::test]
async fn the_daemon_says_where_it_is_while_it_runs() {
    spec!("command-line#one-daemon-a-data-directory/its-file");
    let (_folder, mut here) = running().await;
    let text = std::fs::read_to_string(here.data_dir().join("daemon.json")).unwrap();
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["pid"], here.pid());
    assert!(told["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    let version = here.tracker(&["--version"]);
    assert_eq!(version.done(), format!("tracker {}\n", told["version"].as_str().unwrap()));
    let token = here.token();

    assert_eq!(here.stop().code(), Some(0));
    assert!(!here.data_dir().join("daemon.json").exists());
    here.start().await;
    assert_eq!(here.token(), token, "the token of the machine outlives a restart");
    let started = here.get("/events?type=system.started").await.expect(200);
    assert_eq!(started["items"].as_array().unwrap().len(), 2);
    let made = here.get("/events?type=token.created").await.expect(200);
    assert_eq!(made["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_lost_token_file_is_made_again() {
    spec!("data-protection#the-data-directory-is-private/a-lost-token");
    let (_folder, mut here) = running().await;
    let old = here.token();
    here.stop();
    std::fs::remove_file(here.data_dir().join("api-token")).unwrap();
    here.start().await;
    assert_ne!(here.token(), old);
    assert_eq!(here.get("/downloads").await.status, 200);
    let request = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = request.get(format!("{}/api/v1/downloads", here.url())).bearer_auth(old);
    assert_eq!(answer.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn a_second_daemon_and_a_migration_are_refused_with_the_pid() {
    spec!("command-line#one-daemon-a-data-directory/a-second-one");
    let (_folder, here) = running().await;
    let pid = here.pid().to_string();
    for line in [&["serve"][..], &["db", "migrate"]] {
        let found = here.tracker(line);
        assert_eq!((found.code, found.out.as_str()), (5, ""), "{line:?}");
        assert!(found.err.contains(&pid), "{line:?} {}", found.err);
    }
    assert_eq!(here.get("/health").await.status, 200);
    // Looking beside a daemon that runs is fine.
    here.tracker(&["db", "check"]).done();
    here.tracker(&["token", "list"]).done();
}

#[tokio::test]
async fn what_a_killed_daemon_left_names_nobody() {
    spec!("command-line#one-daemon-a-data-directory/a-killed-one");
    let (_folder, mut here) = running().await;
    here.kill();
    assert!(here.data_dir().join("daemon.json").exists());
    assert_eq!(here.tracker(&["healthcheck"]).code, 1);
    let id = here.tracker(&["ingest", &hash('a')]).ids().remove(0);
    here.start().await;
    assert_eq!(here.download(&id).await["state"], "queued");
    assert_eq!(here.tracker(&["healthcheck"]).code, 0);
}

#[tokio::test]
async fn what_another_process_accepts_is_seen_at_once() {
    spec!("command-line#one-daemon-a-data-directory/beside-it");
    let (_folder, here) = running().await;
    let mut command = here.command(&["ingest", &hash('a')]);
    // A file that names nobody: the command then works on the database itself.
    let hidden = here.data_dir().join("daemon.json");
    let away = here.home().join("daemon.json");
    std::fs::rename(&hidden, &away).unwrap();
    let output = command.output().unwrap();
    std::fs::rename(&away, &hidden).unwrap();
    let line = String::from_utf8(output.stdout).unwrap();
    let (id, word) = line.trim().split_once('\t').unwrap();
    assert_eq!(word, "created");
    let found =
        here.until(id, Duration::from_secs(10), "seen", |one| one["state"] == "queued").await;
    assert_eq!(found["id"], id);
    let actor = here.events(id).await[0]["actor"].as_str().unwrap().to_owned();
    assert!(actor.starts_with("cli:"), "{actor}");
}

#[test]
fn the_directory_of_another_user_is_refused() {
    spec!("command-line#commands-run-where-the-data-is/another-owner");
    let (_folder, here) = alone();
    std::fs::create_dir_all(here.data_dir()).unwrap();
    // Only root can give a folder away; else one that belongs to root stands in.
    let given = std::os::unix::fs::chown(here.data_dir(), Some(4321), None).is_ok();
    let folder = if given { here.data_dir() } else { "/".into() };
    let folder = folder.to_str().unwrap().to_owned();
    for line in [&["list"][..], &["serve"], &["db", "check"], &["token", "list"], &["doctor"]] {
        let mut whole = vec!["--data-dir", folder.as_str()];
        whole.extend(line);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tracker"));
        command.env_clear().env("HOME", here.home()).args(&whole);
        let found = crate::said(command, "");
        assert_eq!((found.code, found.out.as_str()), (7, ""), "{line:?} {}", found.err);
        assert!(found.err.contains("--server") && found.err.contains("sudo -u"), "{}", found.err);
    }
}

/// Runs a command whose data directory is a union over FUSE that names this source,
/// in mounts and processes of its own: what serves it ends with the command.
fn over_fuse(here: &Daemon, source: &str, args: &[&str]) -> Said {
    assert!(rustix::process::geteuid().is_root(), "this test mounts a filesystem: run it as root");
    let (branch, data) = (here.home().join("branch"), here.data_dir());
    for folder in [&branch, &data] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let script = format!(
        "mergerfs -o fsname={source},cache.files=partial '{}' '{}' && exec \"$@\"",
        branch.display(),
        data.display()
    );
    let words = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork"];
    let shell = ["--kill-child", "sh", "-c", &script, "sh"];
    let launcher: Vec<String> = words.into_iter().chain(shell).map(ToOwned::to_owned).collect();
    here.tracker_behind(&launcher, args)
}

#[test]
fn a_network_filesystem_is_refused() {
    spec!("data-protection#a-local-filesystem/a-network-is-refused");
    let (_folder, here) = alone();
    let link = hash('a');
    let backup = here.home().join("backup.zst").display().to_string();
    std::fs::write(&backup, "").unwrap();
    let commands: [&[&str]; 7] = [
        &["serve"],
        &["ingest", &link],
        &["doctor"],
        &["db", "migrate"],
        &["db", "migrate", "--dry-run"],
        &["db", "check"],
        &["restore", &backup, "--yes"],
    ];
    for args in commands {
        let said = over_fuse(&here, "nas:/export", args);
        assert_eq!(said.code, 5, "{args:?} {said:?}");
        for word in ["fuse.mergerfs, a network filesystem", "general.data_dir"] {
            assert!(said.err.contains(word), "{args:?} {said:?}");
        }
    }
    let left = std::fs::read_dir(here.home().join("branch")).unwrap().count();
    assert_eq!(left, 0, "nothing was written there");
}

#[test]
fn a_filesystem_that_a_program_serves_is_warned_of() {
    spec!("data-protection#a-local-filesystem/a-program-that-serves-it");
    let (_folder, here) = alone();
    over_fuse(&here, "pool", &["ingest", &hash('a')]).done();
    assert!(here.home().join("branch/tracker.db").exists());
    let said = over_fuse(&here, "pool", &["--json", "doctor"]);
    let told = said.json();
    let checks = told["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["code"] == "data-dir-filesystem").unwrap();
    assert_eq!(check["level"], "warning", "{check}");
    assert!(check["detail"].as_str().unwrap().contains("fuse.mergerfs"), "{check}");
}
