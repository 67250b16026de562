//! The built binary from outside, without a torrent client: what is typed and
//! printed, files and locks, REST of a daemon that runs, the OpenAPI document.
#![allow(clippy::unwrap_used)]

#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/notify.rs"]
mod notify;

mod backups;
mod configuration;
mod data_directory;
mod edges;
mod local;
mod login;
mod migration;
mod openapi;
mod remote;
mod rest;
mod review;
mod service_manager;
mod watch_folder;

use std::io::Write;
use std::process::Stdio;

use tempfile::TempDir;

use daemon::{ClientSetup, Daemon, Said, Setup};

/// A well-formed id that nothing has.
const NOBODY: &str = "01jzabcdefghjkmnpqrstvwxyz";

/// An infohash of forty equal digits.
fn hash(digit: char) -> String {
    digit.to_string().repeat(40)
}

/// Without a client, and nothing runs.
fn alone() -> (TempDir, Daemon) {
    let folder = tempfile::tempdir().unwrap();
    let daemon = Daemon::prepared(Setup::without_client(folder.path()));
    (folder, daemon)
}

/// A running daemon whose one client is at a port where nobody listens.
async fn running() -> (TempDir, Daemon) {
    let folder = tempfile::tempdir().unwrap();
    let client = ClientSetup {
        name: "qb".to_owned(),
        url: "http://127.0.0.1:1".to_owned(),
        username: "admin".to_owned(),
        password: "secret-password".to_owned(),
        more: String::new(),
    };
    let setup = Setup { clients: vec![client], ..Setup::without_client(folder.path()) };
    let daemon = Daemon::started(setup).await;
    (folder, daemon)
}

/// Runs a command with something on its standard input.
fn with_input(daemon: &Daemon, args: &[&str], input: &str) -> Said {
    let mut command = daemon.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    said(command, input)
}

/// Runs a command to its end.
fn said(mut command: std::process::Command, input: &str) -> Said {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
