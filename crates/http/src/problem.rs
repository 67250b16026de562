//! The one answer besides success: RFC 9457.

use std::any::Any;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tracker_app::{AppError, FieldError};
use tracker_domain::error::with_causes;
use tracker_wire::PROBLEM_JSON;

use crate::code::Code;

/// Seconds after which a caller may ask again what could not be answered now.
const RETRY_AFTER: u32 = 10;

/// A refusal on its way out. The request id is added by `observe`, which also
/// logs the cause of a fault of ours.
#[derive(Clone, Debug)]
pub struct Problem(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    body: tracker_wire::Problem,
    cause: Option<String>,
    retry_after: Option<u32>,
}

impl Problem {
    pub(crate) fn new(code: Code) -> Self {
        Problem(Box::new(Inner {
            body: tracker_wire::Problem {
                kind_url: format!("/problems/{code}"),
                title: code.title().to_owned(),
                status: code.status(),
                code: code.as_str().to_owned(),
                ..tracker_wire::Problem::default()
            },
            cause: None,
            retry_after: None,
        }))
    }

    /// JSON that does not parse: the one refusal of its code with another status.
    pub(crate) fn unreadable(detail: impl Into<String>) -> Self {
        let mut problem = Problem::new(Code::InvalidRequest).detail(detail);
        problem.0.body.status = StatusCode::BAD_REQUEST.as_u16();
        problem
    }

    pub(crate) fn fields(errors: Vec<FieldError>) -> Self {
        AppError::InvalidRequest(errors).into()
    }

    /// A form asks for something that no button of ours does.
    pub(crate) fn unknown_act(word: &str) -> Self {
        let detail = format!("nothing can be done that is called {word:?}");
        Problem::fields(vec![FieldError::body("/do", detail)])
    }

    /// A fault of ours: the cause is for the log alone.
    pub(crate) fn fault(cause: String) -> Self {
        let mut problem = Problem::new(Code::InternalError);
        problem.0.cause = Some(cause);
        problem
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.body.detail = Some(detail.into());
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u32) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    fn with(mut self, fill: impl FnOnce(&mut tracker_wire::Problem)) -> Self {
        fill(&mut self.0.body);
        self
    }

    fn because(mut self, cause: String) -> Self {
        self.0.cause = Some(cause);
        self
    }

    /// Names the request, and puts the base path before the addresses.
    pub(crate) fn for_request(self, base: &str, request_id: &str) -> Self {
        self.with(|body| {
            body.kind_url.insert_str(0, base);
            body.instance = Some(format!("urn:tracker:request:{request_id}"));
            if let Some(url) = &mut body.url {
                url.insert_str(0, base);
            }
        })
    }

    pub(crate) fn body(&self) -> &tracker_wire::Problem {
        &self.0.body
    }

    /// What it says beyond its title: field by field where it names them.
    pub(crate) fn said(&self) -> Option<String> {
        let body = self.body();
        if body.errors.is_empty() {
            return body.detail.clone();
        }
        Some(body.errors.iter().map(|error| error.detail.as_str()).collect::<Vec<_>>().join("; "))
    }

    /// What the log should say, when the fault is ours.
    pub(crate) fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.body.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    pub(crate) fn json(&self) -> Vec<u8> {
        // Strings, numbers and lists: there is nothing that could fail.
        serde_json::to_vec(&self.0.body).unwrap_or_default()
    }
}

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        let detail = error.to_string();
        let refusal = |code| Problem::new(code).detail(detail.as_str());
        match error {
            AppError::InvalidRequest(errors) => refusal(Code::InvalidRequest)
                .with(|body| body.errors = errors.into_iter().map(Into::into).collect()),
            AppError::InvalidMagnet(_) => refusal(Code::InvalidMagnet),
            AppError::InvalidTorrent(_) => refusal(Code::InvalidTorrent),
            AppError::InvalidPin(_) => refusal(Code::InvalidPin),
            AppError::UnknownField(_) => refusal(Code::UnknownField),
            AppError::UnknownLibrary { .. } => refusal(Code::UnknownLibrary),
            AppError::UnknownClient { .. } | AppError::NoClient => refusal(Code::UnknownClient),
            AppError::NotFound { .. }
            | AppError::NoEntity(_)
            | AppError::TorrentNotFound { .. }
            | AppError::TokenNotFound { .. }
            | AppError::UserNotFound { .. }
            | AppError::ReceiverNotFound { .. } => refusal(Code::NotFound),
            AppError::WrongLogin | AppError::WrongLink => refusal(Code::Unauthorised),
            AppError::TooManyAttempts { retry_after } => {
                refusal(Code::TooManyAttempts).retry_after(retry_after)
            }
            AppError::WrongEntityKind { kind, url, .. } => {
                refusal(Code::WrongEntityKind).with(|body| {
                    body.kind = Some(kind.as_str().to_owned());
                    body.url = Some(url);
                })
            }
            AppError::InfohashOwned { owner, .. } => {
                refusal(Code::InfohashOwned).with(|body| body.owner_id = Some(owner.to_string()))
            }
            AppError::IllegalTransition { .. } => refusal(Code::IllegalTransition),
            AppError::Refused { .. } => refusal(Code::IllegalTransition),
            AppError::BackupTarget { .. } => {
                Problem::new(Code::BackupTarget).retry_after(RETRY_AFTER).because(detail)
            }
            AppError::DiskFull => Problem::new(Code::DiskFull).because(detail),
            AppError::Busy => Problem::new(Code::NotReady).retry_after(RETRY_AFTER).because(detail),
            AppError::Superseded => refusal(Code::Superseded),
            AppError::SupersededBatch(by) => {
                refusal(Code::Superseded).with(|body| body.batch_id = Some(by.to_string()))
            }
            AppError::PlanChanged(plan) => {
                refusal(Code::PlanChanged).with(|body| body.plan = Some(Box::new((*plan).into())))
            }
            AppError::Conflict(conflicts) => refusal(Code::Conflict)
                .with(|body| body.conflicts = conflicts.into_iter().map(Into::into).collect()),
            AppError::Stale(present) => {
                refusal(Code::Stale).with(|body| body.download = Some(Box::new((*present).into())))
            }
            AppError::ClientUnreachable { client, .. } => Problem::new(Code::ClientUnreachable)
                .retry_after(RETRY_AFTER)
                .because(detail)
                .with(|body| body.client = Some(client)),
            AppError::Internal(cause) => Problem::fault(with_causes(cause.as_ref())),
        }
    }
}

/// The answer where a handler panicked.
pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> Response {
    let said = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words");
    Problem::fault(format!("a handler panicked: {said}")).into_response()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.json()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer realm=\"tracker\"");
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_app::{AppError, FieldError};
    use tracker_domain::{EntityKind, MagnetError};
    use tracker_ident::AnyId;

    use super::Problem;

    const ID: &str = "01jzabcdefghjkmnpqrstvwxyz";

    fn sent(error: AppError) -> serde_json::Value {
        serde_json::from_slice(&Problem::from(error).for_request("/base", "1").json()).unwrap()
    }

    #[test]
    fn a_refusal_says_what_is_wrong() {
        let id: AnyId = ID.parse().unwrap();
        let found = sent(AppError::WrongEntityKind {
            kind: EntityKind::Event,
            id,
            url: "/api/v1/events/x".to_owned(),
        });
        assert_eq!(found["status"], 404);
        assert_eq!(found["code"], "wrong-entity-kind");
        assert_eq!(found["kind"], "event");
        assert_eq!(found["url"], "/base/api/v1/events/x");
        assert_eq!(found["type"], "/base/problems/wrong-entity-kind");
        assert_eq!(found["instance"], "urn:tracker:request:1");
    }

    #[test]
    fn fields_are_named() {
        let found = sent(AppError::InvalidRequest(vec![
            FieldError::body("/magnet", "is missing"),
            FieldError::query("limit", "too large"),
        ]));
        assert_eq!(
            found["errors"],
            serde_json::json!([
                {"pointer": "/magnet", "detail": "is missing"},
                {"pointer": "", "parameter": "limit", "detail": "too large"},
            ])
        );
    }

    #[test]
    fn a_fault_of_ours_keeps_its_cause_to_itself() {
        tracker_testkit::spec!("http-api#errors-are-problems/a-fault-of-ours");
        let cause: Box<dyn std::error::Error + Send + Sync> =
            Box::new(AppError::InvalidMagnet(MagnetError::Empty));
        let problem = Problem::from(AppError::Internal(cause));
        assert_eq!(problem.body().status, 500);
        assert_eq!(problem.body().detail, None);
        assert!(!String::from_utf8(problem.json()).unwrap().contains("link is empty"));
        assert!(problem.cause().unwrap().contains("link is empty"));
    }

    #[test]
    fn an_unreachable_client_is_named_but_not_its_answer() {
        let problem = Problem::from(AppError::ClientUnreachable {
            client: "qb".to_owned(),
            detail: "connection refused".to_owned(),
        });
        let found: serde_json::Value = serde_json::from_slice(&problem.json()).unwrap();
        assert_eq!(found["client"], "qb");
        assert_eq!(found["status"], 503);
        assert!(found.get("detail").is_none());
    }
}
