//! Cookies: that of a session, and those of a choice.

use axum::http::{HeaderMap, header};
use tracker_domain::access::LONGEST;

/// The cookie of a session.
const NAME: &str = "tracker_session";

/// The secret that the browser sends.
pub(crate) fn read(headers: &HeaderMap) -> Option<&str> {
    value(headers, NAME)
}

/// What a browser sends under a name; nothing where it is empty.
pub(crate) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name && !value.is_empty()).then_some(value))
}

/// Sets it, for the pages below the base path alone. How long the session lasts is
/// decided here, not by the browser; it only keeps the cookie long enough.
pub(crate) fn set(secret: &str, base: &str, is_https: bool) -> String {
    text(NAME, secret, base, is_https, LONGEST)
}

/// Takes it away.
pub(crate) fn clear(base: &str, is_https: bool) -> String {
    text(NAME, "", base, is_https, 0)
}

/// A cookie of one of our names, which no script reads and no other site sends.
pub(crate) fn text(name: &str, value: &str, base: &str, is_https: bool, seconds: i64) -> String {
    let path = if base.is_empty() { "/" } else { base };
    let secure = if is_https { "; Secure" } else { "" };
    format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let of = |text: &str| {
            let headers = HeaderMap::from_iter([(header::COOKIE, text.parse().unwrap())]);
            read(&headers).map(str::to_owned)
        };
        assert_eq!(of("theme=dark; tracker_session=abc; x=1").as_deref(), Some("abc"));
        assert_eq!(of("tracker_session=abc").as_deref(), Some("abc"));
        for none in ["", "tracker_session=", "not_tracker_session=abc", "tracker_session"] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn the_cookie_is_for_this_site_alone() {
        assert_eq!(
            set("abc", "/tracker", true),
            "tracker_session=abc; Path=/tracker; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(clear("", false), "tracker_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }
}
