//! What is known of the other end: who it is, and under which name it reached us.
//!
//! `X-Forwarded-…` is read only from proxies of the configuration. The header
//! `Forwarded` is never read: a proxy that does not know it hands on what a visitor
//! has written there.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::AccessPolicy;

/// The other end of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Whether a trusted proxy handed it on, so that its headers count.
    pub(crate) by_proxy: bool,
    /// The address of whoever asks, where it is known for sure.
    pub(crate) address: Option<IpAddr>,
    /// The name and port that it was sent to.
    pub(crate) host: Option<String>,
    /// Whether it was sent over TLS, as far as a trusted proxy says so.
    pub(crate) is_https: bool,
}

impl Sent {
    pub(crate) fn of(parts: &Parts, policy: &AccessPolicy) -> Self {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(peer)| peer.ip().to_canonical());
        let headers = &parts.headers;
        let host = only(headers, header::HOST.as_str()).map(str::to_owned);
        let host = host.or_else(|| parts.uri.authority().map(ToString::to_string));
        let by_proxy = peer.is_some_and(|peer| trusts(policy, peer));
        if !by_proxy {
            return Sent { by_proxy, address: peer, host, is_https: false };
        }
        let forwarded_host = headers
            .get("x-forwarded-host")
            .and_then(|value| value.to_str().ok())
            .and_then(|text| text.rsplit(',').next())
            .map(|text| text.trim().to_owned());
        let proto = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
        let proto = proto.and_then(|text| text.rsplit(',').next()).map(str::trim);
        Sent {
            by_proxy,
            address: behind_proxies(headers, policy),
            host: forwarded_host.or(host),
            is_https: proto.is_some_and(|proto| proto.eq_ignore_ascii_case("https")),
        }
    }
}

fn trusts(policy: &AccessPolicy, address: IpAddr) -> bool {
    policy.trusted_proxies.iter().any(|network| network.contains(address))
}

/// The last address of the chain that is no proxy of ours: what stands before it was
/// written by somebody whom nobody vouches for. Nothing where the chain does not say.
fn behind_proxies(headers: &HeaderMap, policy: &AccessPolicy) -> Option<IpAddr> {
    let mut chain = Vec::new();
    for value in headers.get_all("x-forwarded-for") {
        chain.extend(value.to_str().ok()?.split(','));
    }
    for text in chain.into_iter().rev() {
        let address = address(text.trim())?;
        if !trusts(policy, address) {
            return Some(address);
        }
    }
    None
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let plain: Option<IpAddr> = text.trim_matches(['[', ']']).parse().ok();
    let address = plain.or_else(|| text.parse::<SocketAddr>().ok().map(|pair| pair.ip()))?;
    Some(address.to_canonical())
}

/// The value of a header that is there just once.
pub(crate) fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::http::Request;
    use tracker_domain::network::Network;

    use super::*;

    fn policy() -> AccessPolicy {
        let networks = [("10.0.0.0", 8), ("fd00::", 8)];
        AccessPolicy {
            trusted_proxies: networks
                .map(|(address, prefix)| Network { address: address.parse().unwrap(), prefix })
                .to_vec(),
            ..AccessPolicy::default()
        }
    }

    fn sent(peer: &str, headers: &[(&str, &str)]) -> Sent {
        let mut request = Request::builder().uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(()).unwrap().into_parts().0;
        let peer = SocketAddr::new(peer.parse().unwrap(), 1);
        request.extensions.insert(ConnectInfo(peer));
        Sent::of(&request, &policy())
    }

    fn who(peer: &str, chain: &str) -> String {
        let found = sent(peer, &[("x-forwarded-for", chain)]).address;
        found.map_or_else(|| "nobody".to_owned(), |address| address.to_string())
    }

    #[test]
    fn forwarded_headers_count_from_trusted_proxies_only() {
        tracker_testkit::spec!("access#trusted-proxies/others-are-not-believed");
        let headers = [
            ("host", "inner:8466"),
            ("x-forwarded-host", "tracker.example.org"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-for", "203.0.113.9"),
        ];
        let trusted = sent("10.1.1.1", &headers);
        assert_eq!(trusted.host.as_deref(), Some("tracker.example.org"));
        assert!(trusted.is_https && trusted.by_proxy);
        assert_eq!(trusted.address, Some("203.0.113.9".parse().unwrap()));
        let stranger = sent("203.0.113.1", &headers);
        assert_eq!(stranger.host.as_deref(), Some("inner:8466"));
        assert!(!stranger.is_https && !stranger.by_proxy);
        assert_eq!(stranger.address, Some("203.0.113.1".parse().unwrap()));
    }

    #[test]
    fn the_last_address_that_is_no_proxy_is_who_asks() {
        tracker_testkit::spec!("access#trusted-proxies/the-chain");
        assert_eq!(who("10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
        assert_eq!(who("10.0.0.1", "203.0.113.9:4711"), "203.0.113.9");
        assert_eq!(who("::ffff:10.0.0.1", "[2001:db8::1]:4711"), "2001:db8::1");
        assert_eq!(who("fd00::1", "2001:db8::1"), "2001:db8::1");
        // Who is not told is not guessed: the proxy itself is nobody.
        for unknown in ["", "unknown", "1.2.3.4, unknown, 10.0.0.2", "10.0.0.2"] {
            assert_eq!(who("10.0.0.1", unknown), "nobody", "{unknown:?}");
        }
    }
}
