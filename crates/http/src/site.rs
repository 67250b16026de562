//! Whether a request is meant for us and comes from a page of ours: the names of this
//! machine, the origin of a change, and addresses that stay on this site.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::{HeaderMap, header};

use crate::forwarded::only;

/// Whether a browser may reach us under this name: an address, which no foreign site
/// can point here, localhost, or a name of the configuration.
pub(crate) fn is_known(host: &str, names: &[String]) -> bool {
    let Some((name, _)) = parted(host) else { return false };
    if let Some(inner) = name.strip_prefix('[') {
        return inner.strip_suffix(']').is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok());
    }
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Name and port of an authority; `None` where it is none.
fn parted(host: &str) -> Option<(&str, Option<&str>)> {
    let end = match host.strip_prefix('[') {
        Some(inner) => inner.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, rest) = host.split_at(end);
    let port = match rest {
        "" => None,
        _ => Some(rest.strip_prefix(':')?),
    };
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    let fine = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.[]:".contains(&b))
        && port.is_none_or(is_port);
    fine.then_some((name, port))
}

/// Whether a browser says that a change comes from a page of the very host that it was
/// sent to. `Origin` decides where it is there; a browser that leaves it out says the
/// same by one of the others.
pub(crate) fn is_own(headers: &HeaderMap, host: Option<&str>) -> bool {
    let Some(host) = host else { return false };
    if headers.contains_key(header::ORIGIN) {
        let origin = only(headers, header::ORIGIN.as_str());
        return origin.is_some_and(|origin| is_same(origin, host));
    }
    if headers.contains_key("sec-fetch-site") {
        return only(headers, "sec-fetch-site") == Some("same-origin");
    }
    let referer = only(headers, header::REFERER.as_str());
    referer.and_then(origin_of).is_some_and(|origin| is_same(origin, host))
}

/// The page of ours that a form was sent from: what follows the host in its address.
pub(crate) fn sent_from<'a>(headers: &'a HeaderMap, host: Option<&str>) -> Option<&'a str> {
    let referer = only(headers, header::REFERER.as_str())?;
    let origin = origin_of(referer)?;
    is_same(origin, host?).then(|| &referer[origin.len()..])
}

/// The origin at the front of an address.
fn origin_of(address: &str) -> Option<&str> {
    let start = address.find("://")? + 3;
    let end = address[start..].find(['/', '?', '#']).map_or(address.len(), |at| start + at);
    Some(&address[..end])
}

/// Whether an origin, such as `https://tracker.example.org`, is that of a host. Whether
/// it is TLS is not compared: a proxy may have taken it off without telling us.
fn is_same(origin: &str, host: &str) -> bool {
    let (default, authority) = if let Some(rest) = origin.strip_prefix("https://") {
        ("443", rest)
    } else if let Some(rest) = origin.strip_prefix("http://") {
        ("80", rest)
    } else {
        return false;
    };
    let (Some((name, port)), Some((our_name, our_port))) = (parted(authority), parted(host)) else {
        return false;
    };
    name.eq_ignore_ascii_case(our_name) && port.unwrap_or(default) == our_port.unwrap_or(default)
}

/// The address below our root to go on to, or the root where it could lead elsewhere.
pub(crate) fn on_site(next: &str) -> &str {
    let is_ours = next.starts_with('/')
        && !next.starts_with("//")
        && next.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if is_ours { next } else { "/" }
}

/// The same for whoever is logged in: back to the login would go round in circles, or out
/// again.
pub(crate) fn local(next: &str) -> &str {
    let next = on_site(next);
    let path = next.split(['?', '#']).next().unwrap_or_default();
    if matches!(path, "/login" | "/logout") { "/" } else { next }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    #[test]
    fn only_addresses_localhost_and_configured_names_are_ours() {
        spec!("access#known-hosts/a-foreign-name");
        let names = ["tracker.example.org".to_owned()];
        for known in [
            "127.0.0.1:8466",
            "192.168.1.5",
            "[::1]:8466",
            "[fd00::5]",
            "localhost:8466",
            "LOCALHOST",
            "Tracker.Example.org",
            "tracker.example.org:8443",
        ] {
            assert!(is_known(known, &names), "{known}");
        }
        for foreign in [
            "",
            ":80",
            "evil.example",
            "evil.example:8466",
            "tracker.example.org.evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "tracker.example.org@evil.example",
            "tracker.example.org:x",
            "tracker.example.org:80:80",
            "[::1",
            "[evil]",
            "::1",
        ] {
            assert!(!is_known(foreign, &names), "{foreign}");
        }
    }

    fn asked(headers: &[(&'static str, &str)]) -> bool {
        let map: HeaderMap = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        is_own(&map, Some("tracker.example.org"))
    }

    #[test]
    fn a_change_comes_from_a_page_of_the_same_host() {
        spec!("access#no-other-site-acts/forms");
        assert!(asked(&[("origin", "https://tracker.example.org")]));
        assert!(asked(&[("origin", "http://tracker.example.org:80")]));
        assert!(asked(&[("sec-fetch-site", "same-origin")]));
        assert!(asked(&[("referer", "https://tracker.example.org/add?magnet=x")]));
        for foreign in [
            &[][..],
            &[("origin", "null")],
            &[("origin", "https://evil.example")],
            &[("origin", "https://tracker.example.org.evil.example")],
            &[("origin", "https://tracker.example.org:8443")],
            &[("origin", "ftp://tracker.example.org")],
            &[("origin", "tracker.example.org")],
            &[("origin", "null"), ("sec-fetch-site", "same-origin")],
            &[("origin", "https://evil.example"), ("referer", "https://tracker.example.org/")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "cross-site"), ("referer", "https://tracker.example.org/")],
            &[("referer", "https://evil.example/tracker.example.org")],
            &[("referer", "https://tracker.example.org@evil.example/")],
        ] {
            assert!(!asked(foreign), "{foreign:?}");
        }
        assert!(!is_own(&HeaderMap::new(), None));
    }

    #[test]
    fn a_form_was_sent_from_a_page_of_ours_or_from_nowhere() {
        spec!("access#pages-ask-for-a-login/a-form");
        let of = |referer: &str| {
            let headers = HeaderMap::from_iter([(header::REFERER, referer.parse().unwrap())]);
            sent_from(&headers, Some("tracker.example.org")).map(str::to_owned)
        };
        let page = "/download/x?a=b";
        assert_eq!(of(&format!("https://tracker.example.org{page}")).as_deref(), Some(page));
        for foreign in ["https://evil.example/x", "https://tracker.example.org@evil.example/x", "x"]
        {
            assert_eq!(of(foreign), None, "{foreign}");
        }
        assert_eq!(sent_from(&HeaderMap::new(), Some("tracker.example.org")), None);
    }

    #[test]
    fn ports_are_part_of_the_host() {
        assert!(is_same("http://127.0.0.1:8466", "127.0.0.1:8466"));
        assert!(is_same("http://[::1]:8466", "[::1]:8466"));
        assert!(is_same("https://a.example", "a.example:443"));
        assert!(!is_same("http://127.0.0.1:8467", "127.0.0.1:8466"));
        assert!(!is_same("http://a.example", "a.example:8466"));
        assert!(!is_same("https://a.example", "a.example:80"));
    }

    #[test]
    fn the_next_page_is_one_of_ours() {
        spec!("access#logging-in/only-to-a-page-of-ours");
        for good in ["/", "/download/x?a=b#c", "/library", "/search?q=%2F%2Fx"] {
            assert_eq!(local(good), good);
        }
        for bad in [
            "",
            "//evil.example",
            "/\\evil",
            "\\\\evil",
            "https://evil.example",
            "/a b",
            "/\n/evil",
            "javascript:alert(1)",
            "/login",
            "/login?next=/",
            "/logout",
            "/é",
        ] {
            assert_eq!(local(bad), "/", "{bad}");
        }
    }

    proptest! {
        #[test]
        fn the_next_page_never_leaves_the_site(text in "[/\\\\a-z:@.?#%\\t \\n0-9é]{0,12}") {
            let base = url::Url::parse("https://tracker.example.org:8443/login").unwrap();
            for base_path in ["", "/tracker"] {
                let found = base.join(&format!("{base_path}{}", local(&text))).unwrap();
                prop_assert_eq!(found.origin(), base.origin());
            }
        }

        #[test]
        fn an_origin_is_ours_only_when_a_url_parser_says_so(
            text in "(https?|ftp)?(:)?(//)?[a-c.@:\\[\\]0-9/\\\\]{0,12}",
        ) {
            let host = "a.b";
            if is_same(&text, host) {
                let parsed = url::Url::parse(&text).unwrap();
                prop_assert_eq!(parsed.host_str(), Some(host));
                prop_assert!(parsed.username().is_empty());
                prop_assert!(parsed.port().is_none());
            }
        }
    }
}
