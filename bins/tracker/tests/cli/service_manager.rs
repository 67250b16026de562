//! What a service manager hears of the daemon.

use std::path::Path;

use tempfile::TempDir;
use tracker_testkit::spec;

use crate::daemon::{Daemon, Setup};
use crate::notify::Manager;

/// A daemon that is to be started with these variables.
fn managed(variables: &[&str]) -> (TempDir, Daemon) {
    let folder = tempfile::tempdir().unwrap();
    let mut launcher = vec!["env".to_owned()];
    launcher.extend(variables.iter().map(|&variable| variable.to_owned()));
    let setup = Setup { launcher, ..Setup::without_client(folder.path()) };
    (folder, Daemon::prepared(setup))
}

fn listening(folder: &Path) -> (Manager, String) {
    let manager = Manager::at(&folder.join("notify"));
    let variable = format!("NOTIFY_SOCKET={}", manager.address);
    (manager, variable)
}

/// Asks it whether it is ready, now.
async fn readiness(here: &Daemon) -> u16 {
    here.send(here.request(reqwest::Method::GET, "/readyz")).await.status
}

#[tokio::test]
async fn ready_is_told_when_it_is() {
    spec!("packaging#the-service-manager-is-told/ready");
    let sockets = tempfile::tempdir().unwrap();
    let (mut manager, variable) = listening(sockets.path());
    let (_folder, mut here) = managed(&[&variable]);
    here.spawn();
    manager.until("READY=1", 1);
    assert_eq!(readiness(&here).await, 200);
    assert_eq!(here.get("/downloads").await.status, 200, "the token is there as well");
    let status = format!("STATUS=Listening at {}", here.url());
    assert_eq!(manager.heard(), ["STATUS=Starting", "READY=1", &status]);
}

#[tokio::test]
async fn the_end_is_told_when_it_begins() {
    spec!("packaging#the-service-manager-is-told/stopping");
    let sockets = tempfile::tempdir().unwrap();
    let (mut manager, variable) = listening(sockets.path());
    let (_folder, mut here) = managed(&[&variable]);
    here.start().await;
    assert_eq!(manager.times("STOPPING=1"), 0);
    assert_eq!(here.stop().code(), Some(0));
    let heard = manager.heard();
    assert_eq!(heard[heard.len() - 2..], ["STOPPING=1", "STATUS=Stopping"]);
    assert_eq!(manager.times("WATCHDOG=1"), 0, "nobody asked for it");
}

#[tokio::test]
async fn the_watchdog_hears_that_it_moves() {
    spec!("packaging#the-service-manager-is-told/watchdog");
    let sockets = tempfile::tempdir().unwrap();
    let (mut manager, variable) = listening(sockets.path());
    let (_folder, mut here) = managed(&[]);
    // As systemd does, which names the process too.
    let script = format!("exec env {variable} WATCHDOG_USEC=200000 WATCHDOG_PID=$$ \"$@\"");
    here.setup.launcher = ["sh", "-c", &script, "sh"].map(ToOwned::to_owned).to_vec();
    here.spawn();
    manager.until("WATCHDOG=1", 3);
    let at = |line: &str| manager.heard.iter().position(|heard| heard == line);
    assert!(at("READY=1") < at("WATCHDOG=1"), "{:?}", manager.heard);
    here.stop();
    let heard = manager.heard();
    assert_eq!(heard[heard.len() - 1], "STATUS=Stopping");
}

#[tokio::test]
async fn the_watchdog_of_another_process_hears_nothing() {
    spec!("packaging#the-service-manager-is-told/watchdog-of-another");
    let sockets = tempfile::tempdir().unwrap();
    let (mut manager, variable) = listening(sockets.path());
    let (_folder, mut here) = managed(&[&variable, "WATCHDOG_USEC=1000", "WATCHDOG_PID=1"]);
    here.start().await;
    here.stop();
    assert_eq!((manager.times("READY=1"), manager.times("STOPPING=1")), (1, 1));
    assert_eq!(manager.times("WATCHDOG=1"), 0);
}

#[tokio::test]
async fn a_socket_may_have_a_name_without_a_file() {
    spec!("packaging#the-service-manager-is-told/an-abstract-socket");
    let mut manager = Manager::at_name(&format!("tracker-test-{}", std::process::id()));
    let (_folder, mut here) = managed(&[&format!("NOTIFY_SOCKET={}", manager.address)]);
    here.start().await;
    manager.until("READY=1", 1);
    here.stop();
    assert_eq!(manager.times("STOPPING=1"), 1);
}

#[tokio::test]
async fn a_manager_that_cannot_be_told_keeps_nothing_from_working() {
    spec!("packaging#the-service-manager-is-told/nobody-listens");
    for (address, logged) in [
        ("/nowhere/notify", "the service manager could not be told"),
        ("notify", "the service manager cannot be told anything"),
    ] {
        let (_folder, mut here) = managed(&[&format!("NOTIFY_SOCKET={address}")]);
        here.start().await;
        assert_eq!(readiness(&here).await, 200);
        let records = here.log_with(logged);
        assert!(records[0]["fields"]["error"].as_str().unwrap().contains(address), "{records:?}");
        assert_eq!(here.stop().code(), Some(0));
    }
}

#[tokio::test]
async fn without_a_manager_nothing_is_told() {
    spec!("packaging#the-service-manager-is-told/without-one");
    for variables in [&[][..], &["NOTIFY_SOCKET="], &["WATCHDOG_USEC=1000"]] {
        let (_folder, mut here) = managed(variables);
        here.start().await;
        assert_eq!(readiness(&here).await, 200);
        assert_eq!(here.stop().code(), Some(0));
        assert_eq!(here.log_with("service manager"), Vec::<serde_json::Value>::new());
    }
}
