//! `[http]`: the listener of REST and pages, and who comes in without a token.

use std::net::SocketAddr;

use serde_json::Value;
use tracker_domain::network::Network;
use tracker_http::BasePath;

use super::reader::Section;
use super::values::{base_path, header_name, host_name, listen, network};

/// The section `[http]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Where to listen.
    pub listen: SocketAddr,
    /// What stands before each path, without a slash at the end.
    pub base_path: BasePath,
    /// The names that browsers may use for this machine.
    pub hosts: Vec<String>,
    /// Whose forwarded headers count.
    pub trusted_proxies: Vec<Network>,
    /// The header in which a trusted proxy names whom it has logged in.
    pub user_header: Option<String>,
    /// Who needs no login at all; empty is nobody.
    pub open_networks: Vec<Network>,
}

impl Http {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let default = SocketAddr::from(([127, 0, 0, 1], 8466));
        let networks = |section: &mut Section<'_, '_>, key| {
            let show = |network: &Network| Value::String(network.to_string());
            section.list(key, Vec::new(), show, network)
        };
        let listen = section.parsed("listen", default, ToString::to_string, listen);
        let base_path =
            section.parsed("base_path", BasePath::default(), ToString::to_string, base_path);
        let hosts =
            section.list("hosts", Vec::new(), |name| Value::String(name.clone()), host_name);
        let trusted_proxies = networks(&mut section, "trusted_proxies");
        let user_header = section.optional("user_header", String::clone, header_name);
        let is_required = section.word("login", true, &[("required", true), ("none", false)]);
        let login_networks = networks(&mut section, "login_networks");
        if user_header.is_some() && trusted_proxies.is_empty() {
            section.complain(
                "user_header",
                "the header counts from a trusted proxy only; name it in trusted_proxies",
            );
        }
        if !is_required && login_networks.is_empty() {
            section.complain(
                "login",
                "without a login it has to be said who comes in; name their networks in login_networks",
            );
        }
        if is_required && !login_networks.is_empty() {
            section.complain(
                "login_networks",
                "they count with login = \"none\" only; set that as well, or leave them out",
            );
        }
        Http {
            listen,
            base_path,
            hosts,
            trusted_proxies,
            user_header,
            open_networks: login_networks,
        }
    }
}
