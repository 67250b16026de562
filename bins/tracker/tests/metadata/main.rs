//! The built program with a metadata source that is dead, silent, limiting,
//! refusing or lying, and with one that is well again. Two servers on the
//! loopback interface play the source and the torrent client.
#![allow(clippy::unwrap_used)]

#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/film.rs"]
mod film;

mod away;
mod stage;
