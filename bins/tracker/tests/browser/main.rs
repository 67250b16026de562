//! The pages of the built program in a real browser: Debian's Chromium, driven
//! by its own driver on the loopback interface.
//!
//! `browser.rs` is the harness, `harness.rs` shows that it notices what it is
//! there to notice, and the other files are about our pages.
#![allow(clippy::unwrap_used)]

#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/film.rs"]
mod film;

mod axe;
mod browser;
mod chromium;
mod harness;
mod plain_pages;
mod webdriver;
mod wire;
