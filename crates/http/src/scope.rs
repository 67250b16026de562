//! Which scope a token needs for what, in one place.

use axum::http::Method;
use tracker_domain::access::Scope;

/// Looking needs `read` and changing needs `write`. What is about who may come in, and
/// what cannot be undone for everybody or speaks to the outside, needs `admin`. The route
/// is the pattern that matched, without the base path.
pub(crate) fn needed(method: &Method, route: &str) -> Scope {
    let looks = matches!(*method, Method::GET | Method::HEAD);
    let segments: Vec<&str> = route
        .strip_prefix("/api/v1/")
        .unwrap_or(route.trim_start_matches('/'))
        .split('/')
        .collect();
    match segments.as_slice() {
        ["tokens" | "sessions" | "users" | "settings", ..] => Scope::Admin,
        ["backups", "reconcile"] | ["notify", ..] if !looks => Scope::Admin,
        ["backups", ..] if *method == Method::DELETE => Scope::Admin,
        _ if looks => Scope::Read,
        _ => Scope::Write,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_has_its_calls() {
        tracker_testkit::spec!("access#token-scopes/what-needs-what");
        let of = |method: Method, route: &str| needed(&method, route).as_str();
        for (method, route, scope) in [
            (Method::GET, "/api/v1/downloads", "read"),
            (Method::HEAD, "/metrics", "read"),
            (Method::GET, "/", "read"),
            (Method::GET, "/api/v1/notify", "read"),
            (Method::POST, "/api/v1/downloads", "write"),
            (Method::DELETE, "/api/v1/downloads/{id}/overrides/{field}", "write"),
            (Method::POST, "/api/v1/backups", "write"),
            (Method::OPTIONS, "/api/v1/downloads", "write"),
            (Method::DELETE, "/api/v1/backups/{id}", "admin"),
            (Method::POST, "/api/v1/backups/reconcile", "admin"),
            (Method::POST, "/api/v1/notify/{name}/test", "admin"),
            (Method::GET, "/api/v1/tokens", "admin"),
            (Method::GET, "", "read"),
            (Method::POST, "", "write"),
            (Method::DELETE, "/api/v1/sessions/{id}", "admin"),
            (Method::GET, "/settings", "admin"),
            (Method::POST, "/settings/keys", "admin"),
        ] {
            assert_eq!(of(method, route), scope, "{route}");
        }
    }
}
