//! An engine that speaks to nobody but this machine.

#![allow(dead_code, reason = "each test program uses its own part of it")]

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use tracker_embedded::{Embedded, EmbeddedConfig};
use tracker_testkit::FixedClock;

/// How it is configured, with everything below one folder.
pub fn config(home: &Path) -> EmbeddedConfig {
    EmbeddedConfig {
        listen_ip: Some(Ipv4Addr::LOCALHOST.into()),
        dht: false,
        ..EmbeddedConfig::new("engine", "tracker", home.join("downloads"), home.join("engine"))
    }
}

pub fn start(config: EmbeddedConfig) -> Embedded {
    Embedded::new(config, Arc::new(FixedClock::new()))
}

pub fn engine(home: &Path) -> Embedded {
    start(config(home))
}
