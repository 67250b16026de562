//! The adapter against a server that answers as it is told.
#![allow(clippy::unwrap_used)]

mod add;
mod calls;
mod login;

use std::sync::Arc;
use std::time::Duration;

use tracker_domain::Secret;
use tracker_domain::observed::Handle;
use tracker_testkit::{FixedClock, QbtStub};

use crate::{Qbittorrent, QbittorrentConfig};

const V1: &str = "b4c801f6b01e5188d860b2eb0f96d15f77f8b3e9";

fn config(stub: &QbtStub) -> QbittorrentConfig {
    QbittorrentConfig {
        name: "home".into(),
        url: stub.url().into(),
        username: "admin".into(),
        password: Secret::new("s3cret pass"),
        timeout: Duration::from_secs(10),
        ..QbittorrentConfig::default()
    }
}

fn client(stub: &QbtStub) -> (Qbittorrent, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::new());
    (Qbittorrent::new(config(stub), clock.clone()).unwrap(), clock)
}

fn handle() -> Handle {
    Handle(V1.into())
}
