//! How far a token reaches does not depend on how an address is written.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Runtime;
use tower::ServiceExt;
use tracker_domain::Actor;
use tracker_domain::access::Scope;
use tracker_http::BasePath;
use tracker_testkit::spec;

use crate::fixture::{Daemon, policy};
use crate::refusals::operations;

/// Pages and forms that need `admin`.
const PAGES: [(Method, &str); 5] = [
    (Method::GET, "/settings"),
    (Method::POST, "/settings"),
    (Method::GET, "/settings/keys"),
    (Method::POST, "/settings/keys"),
    (Method::GET, "/settings/remembered"),
];

/// Every route with a path that it answers at.
fn routes() -> Vec<(Method, String)> {
    let filled = |path: &str| {
        let segments = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
        segments.collect::<Vec<_>>().join("/")
    };
    let mut all: Vec<_> =
        operations().into_iter().map(|(method, path)| (method, filled(&path))).collect();
    all.extend(PAGES.map(|(method, path)| (method, path.to_owned())));
    all
}

/// What the scope of a route is by its address without a base path.
fn is_for_admins(path: &str) -> bool {
    let rest = path.strip_prefix("/api/v1").unwrap_or(path);
    ["/tokens", "/sessions", "/settings"].iter().any(|front| rest.starts_with(front))
}

/// A daemon, and the secret of a token of each scope.
async fn with_tokens() -> (Daemon, Vec<(Scope, String)>) {
    let daemon = Daemon::start().await;
    let mut tokens = Vec::new();
    for scope in Scope::ALL {
        let name = format!("to-{scope}");
        let made = daemon.app.access.token_new(&name, *scope, &Actor::System).await;
        tokens.push((*scope, made.unwrap().1));
    }
    (daemon, tokens)
}

/// The same program below another base path.
fn below(daemon: &Daemon, base: &str) -> Router {
    tracker_http::router(daemon.app.clone(), policy(base), daemon.stop.clone())
}

/// Not read to its end: a stream has none.
async fn status(router: &Router, method: &Method, path: &str, secret: &str) -> u16 {
    let request = Request::builder().method(method).uri(path).header("x-api-key", secret);
    let answer = router.clone().oneshot(request.body(Body::empty()).unwrap()).await;
    answer.unwrap().status().as_u16()
}

#[test]
fn no_base_path_lets_a_token_reach_further() {
    spec!("access#token-scopes/below-a-base-path");
    let runtime = Runtime::new().unwrap();
    let (daemon, tokens) = runtime.block_on(with_tokens());
    let routes = routes();
    let texts = "(/(api|v1|tokens|settings|download|t|[a-z0-9~-]{1,6})){1,3}";
    let bases = proptest::string::string_regex(texts)
        .unwrap()
        .prop_filter_map("it is refused", |text| text.parse::<BasePath>().ok());
    let mut runner = TestRunner::new(Config { cases: 12, ..Config::default() });
    let judged = runner.run(&bases, |base| {
        let router = below(&daemon, base.as_str());
        for (method, path) in routes.iter().filter(|(_, path)| is_for_admins(path)) {
            for (scope, secret) in &tokens {
                for front in ["", base.as_str()] {
                    let path = format!("{front}{path}");
                    let status = runtime.block_on(status(&router, method, &path, secret));
                    let is_refused = *scope != Scope::Admin;
                    prop_assert_eq!(status == 403, is_refused, "{} {} {}", method, path, scope);
                }
            }
        }
        Ok(())
    });
    judged.unwrap();
}

#[tokio::test]
async fn no_spelling_of_an_address_lets_a_token_reach_further() {
    spec!("access#token-scopes/below-a-base-path");
    let (daemon, tokens) = with_tokens().await;
    let router = below(&daemon, "/t");
    let reader = &tokens.first().unwrap().1;
    for path in [
        "/t/t/api/v1/tokens",
        "//api/v1/tokens",
        "/t//api/v1/tokens",
        "/api/v1//tokens",
        "/api/v1/tokens/",
        "/t/api/v1/tokens/",
        "/api/v1/%74okens",
        "/%74/api/v1/tokens",
        "/api/v1/./tokens",
        "/api/v1/x/../tokens",
        "/API/v1/tokens",
        "/api/v1/tokens;x",
    ] {
        assert_eq!(status(&router, &Method::GET, path, reader).await, 404, "{path}");
    }
    assert_eq!(status(&router, &Method::GET, "/t/api/v1/tokens?x=/api", reader).await, 403);
}
