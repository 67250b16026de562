//! The pages of the built program in a real browser: Debian's Chromium, driven
//! by its own driver on the loopback interface.
//!
//! `browser.rs` is the harness, `harness.rs` shows that it notices what it is
//! there to notice, and the other files are about our pages.
#![allow(clippy::unwrap_used)]

#[path = "../support/bench.rs"]
mod bench;
#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/film.rs"]
mod film;

mod axe;
mod browser;
mod chromium;
mod decisions;
mod following;
mod habits;
mod harness;
mod main_path;
mod others;
mod plain_pages;
mod stage;
mod webdriver;
mod wire;
