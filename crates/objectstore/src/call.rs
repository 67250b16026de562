//! The one door to an object store: every request goes through [`Calls`], which
//! bounds it in time and size, logs its target, duration and outcome, and turns a
//! no of the store into a [`Refusal`].
//!
//! It never logs a query, a body or a header: the name of the key is in a header.

use std::time::Duration;

use futures::StreamExt;
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::{BackoffConfig, HeaderValue, RetryConfig};
use reqwest::{Method, redirect};
use tokio::time::{Instant, timeout};
use tracing::debug;
use tracker_domain::error::with_causes;

use crate::config::S3ConfigError;
use crate::refusal::{Meaning, Refusal, root};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer may take when nothing is sent.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);
/// How long a store may take to put the parts of a large object together.
const LONGEST_JOINING: Duration = Duration::from_secs(300);
/// The slowest line that a part is sent over.
const SLOWEST_BYTES_PER_SEC: u64 = 32 * 1024;
/// More than a page of a list has.
const LARGEST_ANSWER: usize = 8 * 1024 * 1024;
/// The root of a list.
const LIST: &[u8] = b"ListBucketResult";
const USER_AGENT: &str = concat!("tracker/", env!("CARGO_PKG_VERSION"));

/// Why there is no answer; its text has no address and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("no answer in time")]
    Timeout,
    #[error("the answer has more than {LARGEST_ANSWER} bytes")]
    TooLarge,
    #[error("the answer is none of an object store; check endpoint and target")]
    NoStore,
}

/// The HTTP side of one store.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    client: reqwest::Client,
}

impl Calls {
    pub(crate) fn new(plain: bool) -> Result<Self, S3ConfigError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // What is signed is signed for one address.
            .redirect(redirect::Policy::none())
            // The address is the one that was configured, whatever the environment says.
            .no_proxy()
            .https_only(!plain)
            .http1_only()
            .user_agent(USER_AGENT);
        if plain {
            // TLS is out of the question here. Without this the certificates of the
            // system are read, and a bare container has none.
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        // A builder has no address to show.
        let client = builder.build().map_err(|error| S3ConfigError::Setup(with_causes(&error)))?;
        Ok(Calls { client })
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let reads = request.method() == Method::GET;
        let object_wanted = reads && request.uri().query().is_none();
        let (parts, body) = self.client.call(request).await?.into_parts();
        if object_wanted && parts.status.is_success() {
            return Ok(HttpResponse::from_parts(parts, body));
        }
        let mut read = Vec::new();
        let whole = read_all(body, &mut read).await;
        // A store that says no while it is still sent to often closes right behind the
        // status, and that is enough to know.
        match (Refusal::of(parts.status.as_u16(), &read), whole) {
            (Some(refusal), _) => Err(HttpError::new(again(&refusal), refusal)),
            // To the library any other document is a list without objects, such as the
            // page of a proxy that wants a password.
            (None, Ok(())) if reads && root(&read).as_deref() != Some(LIST) => {
                Err(HttpError::new(HttpErrorKind::Unknown, CallError::NoStore))
            }
            (None, Ok(())) => Ok(HttpResponse::from_parts(parts, read.into())),
            (None, Err(error)) => Err(error),
        }
    }
}

impl HttpConnector for Calls {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait::async_trait]
impl HttpService for Calls {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let joins = joins_parts(&request);
        if joins {
            // The library only does this for a copy. The signature is over other headers.
            request.headers_mut().insert("if-none-match", HeaderValue::from_static("*"));
        }
        let method = request.method().clone();
        let uri = request.uri().clone();
        let sent_bytes = request.body().content_length() as u64;
        let bound = if joins { LONGEST_JOINING } else { LONGEST_ANSWER }
            + Duration::from_secs(sent_bytes / SLOWEST_BYTES_PER_SEC);
        let began = Instant::now();
        let result = timeout(bound, self.exchange(request))
            .await
            .unwrap_or_else(|_| Err(HttpError::new(HttpErrorKind::Timeout, CallError::Timeout)));
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (host, route) = (uri.host().unwrap_or_default(), uri.path());
        match &result {
            Ok(answer) => {
                let status = answer.status().as_u16();
                debug!(host, %method, route, sent_bytes, duration_ms, status, "object store call answered");
            }
            Err(error) => {
                debug!(host, %method, route, sent_bytes, duration_ms, %error, "object store call failed");
            }
        }
        result
    }
}

/// How often and how soon a request is sent again.
pub(crate) fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
        max_retries: 3,
        // A signature holds for a quarter of an hour.
        retry_timeout: Duration::from_secs(240),
    }
}

/// Whether a request puts the parts of an upload together.
fn joins_parts(request: &HttpRequest) -> bool {
    let query = request.uri().query().unwrap_or_default();
    request.method() == Method::POST && query.starts_with("uploadId=")
}

/// Whether a no may be a yes the next time; the library asks by this kind.
fn again(refusal: &Refusal) -> HttpErrorKind {
    match refusal.meaning() {
        Meaning::Busy => HttpErrorKind::Request,
        // It may have been done, so only what can be done twice is.
        Meaning::Broken => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    }
}

async fn read_all(body: HttpResponseBody, into: &mut Vec<u8>) -> Result<(), HttpError> {
    let mut chunks = body.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        if into.len() + chunk.len() > LARGEST_ANSWER {
            return Err(HttpError::new(HttpErrorKind::Unknown, CallError::TooLarge));
        }
        into.extend_from_slice(&chunk);
    }
    Ok(())
}
