//! Around every request: an id, a span, one record, and the headers that every
//! answer has. Queries, bodies and header values never reach the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, Span, debug, error, field, info, info_span, warn};
use tracker_domain::{DownloadId, UnixMillis};

use crate::guards;
use crate::pages::refusal::{self, Comer};
use crate::pages::shell::Reader;
use crate::problem::Problem;
use crate::shared::{Shared, below};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Numbers requests and tells how long they took.
#[derive(Clone)]
pub(crate) struct Observer(Arc<Inner>);

struct Inner {
    shared: Shared,
    started: UnixMillis,
    count: AtomicU64,
}

impl Observer {
    pub(crate) fn new(shared: Shared) -> Self {
        let started = shared.clock.now_ms();
        Observer(Arc::new(Inner { shared, started, count: AtomicU64::new(0) }))
    }

    /// Unique among the starts of this process and among its requests, which is
    /// all that a search in the log needs.
    fn next_id(&self) -> String {
        let number = self.0.count.fetch_add(1, Ordering::Relaxed);
        format!("{:x}-{number:x}", self.0.started.0)
    }
}

/// Runs the request inside its span and completes the answer.
pub(crate) async fn observe(
    State(observer): State<Observer>,
    request: Request,
    next: Next,
) -> Response {
    let id = observer.next_id();
    let shared = &observer.0.shared;
    let span = span_of(&request, shared.base(), &id);
    let method = request.method().clone();
    let reads = wants_page(&request, shared.base())
        .then(|| (request.headers().clone(), request.uri().clone()));
    let begun = shared.clock.now_ms();
    let response = next.run(request).instrument(span.clone()).await;
    let taken = shared.clock.now_ms().since(begun);
    let shown = Shown { id: &id, shared, method: &method, reads };
    let response = finished(response, shown).instrument(span.clone()).await;
    span.in_scope(|| record(&method, &response, taken));
    response
}

fn span_of(request: &Request, base: &str, id: &str) -> Span {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let span = info_span!(
        "request",
        request_id = %id,
        method = %request.method(),
        route,
        download_id = field::Empty
    );
    if let Some(download) = download_of(&below(request.uri().path(), base)) {
        span.record("download_id", field::display(download));
    }
    span
}

/// The id of the download a path is about.
fn download_of(path: &str) -> Option<DownloadId> {
    let rest =
        path.strip_prefix("/api/v1/downloads/").or_else(|| path.strip_prefix("/download/"))?;
    rest.split('/').next()?.parse().ok()
}

/// Whether a refusal should be a page: a browser asks, and not for the API.
pub(crate) fn wants_page(request: &Request, base: &str) -> bool {
    !below(request.uri().path(), base).starts_with("/api/")
        && request
            .headers()
            .get(header::ACCEPT)
            .and_then(|accept| accept.to_str().ok())
            .is_some_and(|accept| accept.contains("text/html"))
}

fn record(method: &Method, response: &Response, taken: u64) {
    let status = response.status().as_u16();
    // What only looks and succeeds is the noise of probes and dashboards.
    if matches!(*method, Method::GET | Method::HEAD) && response.status().is_success() {
        debug!(status, duration_ms = taken, "request answered");
    } else {
        info!(status, duration_ms = taken, "request answered");
    }
}

/// How a refusal has to look.
struct Shown<'a> {
    id: &'a str,
    shared: &'a Shared,
    method: &'a Method,
    /// What a browser asked for that reads it as a page; a program does not.
    reads: Option<(HeaderMap, Uri)>,
}

async fn finished(mut response: Response, shown: Shown<'_>) -> Response {
    let id = HeaderValue::from_str(shown.id);
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        match problem.cause() {
            // A client that is away is health; a fault of ours is for a person.
            Some(cause) if problem.status() == StatusCode::SERVICE_UNAVAILABLE => {
                warn!(error = cause, "request failed");
            }
            Some(cause) => error!(error = cause, "request failed"),
            None => {}
        }
        let problem = problem.for_request(shown.shared.base(), shown.id);
        rewrite(&mut response, &problem, shown).await;
    }
    let headers = response.headers_mut();
    if let Ok(id) = id {
        headers.insert(REQUEST_ID, id);
    }
    guards::put(headers);
    response
}

/// The refusal again, now that its request is known.
async fn rewrite(response: &mut Response, problem: &Problem, shown: Shown<'_>) {
    let Shown { shared, method, reads, .. } = shown;
    let comer = response.extensions_mut().remove::<Comer>();
    let page = match reads {
        Some((headers, uri)) => {
            let visitor = comer.as_ref().map(|comer| comer.visitor.clone());
            let reader = Reader::new(&headers, &uri, visitor, shared);
            refusal::page(shared, reader, method, comer, problem.body()).await
        }
        None => None,
    };
    let body = match page {
        Some(page) => {
            let kind = HeaderValue::from_static("text/html; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            page.into_bytes()
        }
        None => problem.json(),
    };
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = if *method == Method::HEAD { Body::empty() } else { Body::from(body) };
}

#[cfg(test)]
mod tests {
    use super::download_of;

    const ID: &str = "01JZABCDEFGHJKMNPQRSTVWXYZ";

    #[test]
    fn the_download_of_a_path_is_found_in_any_letter_case() {
        for path in ["/download/", "/api/v1/downloads/"] {
            let found = download_of(&format!("{path}{ID}"));
            assert_eq!(found.map(|id| id.to_string()), Some(ID.to_lowercase()));
            assert!(download_of(&format!("{path}{ID}/retry")).is_some());
            assert_eq!(download_of(&format!("{path}abc")), None);
        }
        assert_eq!(download_of(&format!("/api/v1/events/{ID}")), None);
    }
}
