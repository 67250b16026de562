//! The token: asked for before anything else is looked at, so that nobody
//! without one can tell which addresses and ids exist.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracker_domain::Actor;

use crate::code::Code;
use crate::problem::Problem;
use crate::shared::{Shared, below};

/// The other header a token may come in, as dashboards of this field send it.
pub(crate) const API_KEY: &str = "x-api-key";

/// Lets a request pass that needs no token or has a good one, and notes whose.
pub(crate) async fn require_token(
    State(shared): State<Shared>,
    mut request: Request,
    next: Next,
) -> Response {
    if is_open(request.method(), below(request.uri().path(), shared.base())) {
        return next.run(request).await;
    }
    let Some(token) = token(request.headers()).map(str::to_owned) else {
        return refused("a token is needed: Authorization: Bearer … or X-Api-Key");
    };
    match shared.app.ops.verify_token(&token).await {
        Ok(Some(name)) => {
            request.extensions_mut().insert(Actor::Api(name));
            next.run(request).await
        }
        Ok(None) => refused("the token is unknown or revoked"),
        Err(error) => Problem::from(error).into_response(),
    }
}

fn refused(detail: &str) -> Response {
    Problem::new(Code::Unauthorised).detail(detail).into_response()
}

/// The whole list of what is answered without a token.
fn is_open(method: &Method, path: &str) -> bool {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return false;
    }
    match path {
        "/healthz" | "/readyz" | "/ping" | "/api/v1/openapi.json" => true,
        _ => path
            .strip_prefix("/problems/")
            .is_some_and(|code| !code.is_empty() && !code.contains('/')),
    }
}

/// The token of a request. Another scheme in `Authorization` is that of a proxy
/// in front, so `X-Api-Key` counts then.
fn token(headers: &HeaderMap) -> Option<&str> {
    bearer(headers).or_else(|| headers.get(API_KEY)?.to_str().ok().map(str::trim))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Marks the headers that must never be shown, for whatever prints a request.
pub(crate) async fn mark_secrets(mut request: Request, next: Next) -> Response {
    for name in [header::AUTHORIZATION.as_str(), header::COOKIE.as_str(), API_KEY] {
        if let Some(value) = request.headers_mut().get_mut(name) {
            value.set_sensitive(true);
        }
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::http::{HeaderMap, HeaderName, Method};

    use super::{is_open, token};

    #[test]
    fn what_is_open_is_a_short_list() {
        for path in ["/healthz", "/readyz", "/ping", "/api/v1/openapi.json", "/problems/stale"] {
            assert!(is_open(&Method::GET, path), "{path}");
            assert!(is_open(&Method::HEAD, path), "{path}");
            assert!(!is_open(&Method::POST, path), "{path}");
        }
        for path in [
            "/",
            "/metrics",
            "/problems",
            "/problems/",
            "/problems/a/b",
            "/healthz/",
            "/api/v1/health",
            "/download/x",
        ] {
            assert!(!is_open(&Method::GET, path), "{path}");
        }
    }

    #[test]
    fn a_token_comes_in_one_of_two_headers() {
        let read = |pairs: &[(&str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                let name: HeaderName = name.parse().unwrap();
                headers.insert(name, value.parse().unwrap());
            }
            token(&headers).map(str::to_owned)
        };
        assert_eq!(read(&[("authorization", "bEARER a")]).as_deref(), Some("a"));
        assert_eq!(read(&[("x-api-key", " a ")]).as_deref(), Some("a"));
        let behind_proxy = [("authorization", "Basic xyz"), ("x-api-key", "a")];
        assert_eq!(read(&behind_proxy).as_deref(), Some("a"));
        assert_eq!(read(&[("authorization", "Bearer")]), None);
        assert_eq!(read(&[("authorization", "a")]), None);
        assert_eq!(read(&[]), None);
    }
}
