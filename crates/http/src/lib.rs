//! REST, the probes and the plain pages, on one listener.
//!
//! A handler parses, calls one method of `app` and converts the answer. There is
//! no SQL here, no decision about a lifecycle, and no answer besides 2xx that is
//! not a problem of RFC 9457.

mod api;
mod auth;
mod base;
mod body;
mod code;
mod cookie;
mod extract;
mod forwarded;
mod guards;
mod observe;
mod openapi;
mod pages;
mod params;
mod pour;
mod problem;
mod queries;
mod scope;
mod serve;
mod shared;
mod site;

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::http::{Method, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tracker_app::App;
use tracker_domain::network::Network;
use tracker_domain::ports::Clock;
use tracker_i18n::{Catalogue, Language, Zone};

pub use base::{BasePath, BasePathError};
pub use code::Code;
pub use openapi::document;
pub use problem::Problem;
pub use serve::serve;

use crate::shared::Shared;

/// What `http` needs to know besides the services.
#[derive(Clone)]
pub struct HttpPolicy {
    /// The prefix of every path behind a proxy, such as `/tracker`; empty for none.
    pub base_path: BasePath,
    /// Who comes in, and how.
    pub access: AccessPolicy,
    /// Tells how long a request took, and when this process started.
    pub clock: Arc<dyn Clock>,
    /// How pages speak to somebody who has not said how.
    pub manner: Manner,
}

/// The texts of the pages, and what holds where the browser and the person say nothing.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The texts.
    pub texts: Arc<Catalogue>,
    /// The language.
    pub language: Language,
    /// The time zone.
    pub zone: Zone,
}

/// Who comes in besides those with a token or a login, and what is believed of proxies.
#[derive(Clone, Debug, Default)]
pub struct AccessPolicy {
    /// The names that browsers may use, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Whose forwarded headers count.
    pub trusted_proxies: Vec<Network>,
    /// The header in which a trusted proxy names whom it has logged in.
    pub user_header: Option<String>,
    /// From where no login is needed; empty is from nowhere.
    pub open_networks: Vec<Network>,
}

impl fmt::Debug for HttpPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpPolicy").field("base_path", &self.base_path).finish_non_exhaustive()
    }
}

/// Every route, with what stands before each: the request id, the log, who
/// asks. Event streams end when `stop` is cancelled.
///
/// Paths are served with and without the base path, since proxies differ in
/// whether they take it off.
pub fn router(app: App, policy: HttpPolicy, stop: CancellationToken) -> Router {
    let shared = Shared::new(app, &policy, stop);
    let base = shared.base().to_owned();
    let routes = routes(&shared).method_not_allowed_fallback(no_such_method);
    let whole = if base.is_empty() {
        routes
    } else {
        // What is nested has no first page with a slash behind, where proxies lead.
        let home = pages::first(&shared, &format!("{base}/"));
        let home = home.method_not_allowed_fallback(no_such_method);
        Router::new().nest(&base, routes.clone()).merge(home).merge(routes)
    };
    let whole = whole.with_state(shared.clone());
    whole
        .fallback(no_such_path)
        .layer(from_fn_with_state(
            auth::Guard::new(shared.clone(), policy.access),
            auth::require_access,
        ))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(observe::Observer::new(shared), observe::observe))
        .layer(CompressionLayer::new())
        .layer(from_fn(auth::mark_secrets))
        .layer(from_fn(pour::pour_out))
}

/// The metrics and the probes alone, without a token: for a listener that only those
/// reach who may know.
pub fn metrics_router(app: App, policy: HttpPolicy, stop: CancellationToken) -> Router {
    let policy = HttpPolicy { base_path: BasePath::default(), ..policy };
    let shared = Shared::new(app, &policy, stop);
    watched()
        .method_not_allowed_fallback(no_such_method)
        .fallback(no_such_path)
        .with_state(shared.clone())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(observe::Observer::new(shared), observe::observe))
        .layer(CompressionLayer::new())
}

/// What watches over daemons asks for.
fn watched() -> Router<Shared> {
    Router::new()
        .route("/healthz", get(api::probes::healthz))
        .route("/readyz", get(api::probes::readyz))
        .route("/metrics", get(api::metrics::show))
}

fn routes(shared: &Shared) -> Router<Shared> {
    let pages = pages::routes(shared);
    watched().merge(api::routes()).route("/ping", get(api::probes::ping)).merge(pages)
}

async fn no_such_path(uri: Uri) -> Problem {
    Problem::new(Code::NotFound).detail(format!("there is nothing at {}", uri.path()))
}

async fn no_such_method(method: Method) -> Problem {
    Problem::new(Code::MethodNotAllowed)
        .detail(format!("{method} is not possible here; the header Allow says what is"))
}
