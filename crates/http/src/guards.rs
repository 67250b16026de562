//! The headers that every answer has, whoever made it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Everything of a page comes from here, nothing of it is inline, and nobody frames it.
const PAGE: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What is no page is nothing to run anything in.
const DATA: &str = "default-src 'none'; frame-ancestors 'none'";

/// Nothing of the machine of a visitor is needed.
const FEATURES: &str =
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Adds what the handler did not set itself.
pub(crate) fn put(headers: &mut HeaderMap) {
    let is_page = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let policy = if is_page { PAGE } else { DATA };
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not `no-referrer`: browsers then hide the origin of forms, which is asked for.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), FEATURES),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
