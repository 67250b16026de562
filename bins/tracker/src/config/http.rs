//! `[http]`: the listener of REST and pages.

use std::net::SocketAddr;

use serde_json::Value;

use super::reader::Section;
use super::values::{Network, base_path, listen, network};

/// The section `[http]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Where to listen.
    pub listen: SocketAddr,
    /// What stands before each path, without a slash at the end.
    pub base_path: String,
    /// Whose forwarded headers count.
    pub trusted_proxies: Vec<Network>,
}

impl Http {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let default = SocketAddr::from(([127, 0, 0, 1], 8466));
        Http {
            listen: section.parsed("listen", default, ToString::to_string, listen),
            base_path: section.parsed("base_path", String::new(), String::clone, base_path),
            trusted_proxies: section.list(
                "trusted_proxies",
                Vec::new(),
                |network: &Network| Value::String(network.to_string()),
                network,
            ),
        }
    }
}
