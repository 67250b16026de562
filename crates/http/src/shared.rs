//! What every handler is given.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio_util::sync::CancellationToken;
use tracker_app::{App, Ingested};
use tracker_domain::DownloadId;
use tracker_domain::ports::Clock;
use tracker_wire::IngestDto;

use crate::problem::Problem;
use crate::{BasePath, HttpPolicy, Manner};

/// The services, the base path and the end of the process.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) app: App,
    base: BasePath,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) manner: Manner,
    pub(crate) stop: CancellationToken,
}

impl Shared {
    pub(crate) fn new(app: App, policy: &HttpPolicy, stop: CancellationToken) -> Self {
        Shared {
            app,
            base: policy.base_path.clone(),
            clock: Arc::clone(&policy.clock),
            manner: policy.manner.clone(),
            stop,
        }
    }

    /// The base path: empty, or with a slash before and none behind.
    pub(crate) fn base(&self) -> &str {
        self.base.as_str()
    }

    /// The address of a path of ours as a caller outside has to write it.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// 201 with the address of the new download, or 200 with the one there was.
    pub(crate) fn ingested(&self, answer: Ingested) -> Response {
        let location = self.url(&format!("/api/v1/downloads/{}", answer.download.id));
        let created = answer.created;
        let body = Json(IngestDto::from(answer));
        if created {
            (StatusCode::CREATED, [(header::LOCATION, location)], body).into_response()
        } else {
            body.into_response()
        }
    }

    /// Lets any other refusal speak only after one of the id: a download that
    /// does not exist is 404, whatever was sent along.
    pub(crate) async fn of_existing<T>(
        &self,
        id: DownloadId,
        asked: Result<T, impl Into<Problem>>,
    ) -> Result<T, Problem> {
        match asked {
            Ok(asked) => Ok(asked),
            Err(refusal) => {
                self.app.intake.show(id).await?;
                Err(refusal.into())
            }
        }
    }
}

/// The part of a path below the base path, where it has one. What stands behind the
/// path, such as a query, stays.
pub(crate) fn below<'a>(path: &'a str, base: &str) -> Cow<'a, str> {
    match path.strip_prefix(base) {
        Some(rest) if rest.starts_with('/') => Cow::Borrowed(rest),
        // The base path without a slash is the first page.
        Some(rest) if rest.is_empty() || rest.starts_with(['?', '#']) => {
            Cow::Owned(format!("/{rest}"))
        }
        _ => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn only_whole_segments_of_the_base_path_are_taken_off() {
        assert_eq!(below("/tracker/healthz", "/tracker"), "/healthz");
        assert_eq!(below("/trackers/healthz", "/tracker"), "/trackers/healthz");
        assert_eq!(below("/healthz", "/tracker"), "/healthz");
        assert_eq!(below("/healthz", ""), "/healthz");
        assert_eq!(below("/trackers", "/tracker"), "/trackers");
        for (whole, rest) in [("/tracker", "/"), ("/tracker/", "/"), ("/tracker?a=b", "/?a=b")] {
            assert_eq!(below(whole, "/tracker"), rest);
        }
    }
}
