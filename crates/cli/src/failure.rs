//! Why a command has no answer, and the exit code that says so.

use tracker_app::AppError;
use tracker_domain::error::with_causes;
use tracker_wire::Problem;

/// The exit codes that scripts rely on.
pub mod exit {
    /// Done.
    pub const DONE: u8 = 0;
    /// Failed.
    pub const FAILED: u8 = 1;
    /// Usage or bad input.
    pub const USAGE: u8 = 2;
    /// Not found, or no id at all.
    pub const NOT_FOUND: u8 = 3;
    /// A person has to decide.
    pub const NEEDS_PERSON: u8 = 4;
    /// Refused: a conflict, the state, the schema.
    pub const REFUSED: u8 = 5;
    /// The daemon or a client does not answer.
    pub const UNREACHABLE: u8 = 6;
    /// Not authorised.
    pub const UNAUTHORISED: u8 = 7;
    /// A signal ended the waiting, as shells say it of SIGINT.
    pub const INTERRUPTED: u8 = 130;
}

/// A refusal in the words of REST, with its exit code.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", text(problem))]
pub struct ApiFailure {
    /// The exit code.
    pub exit: u8,
    /// What REST says or would say.
    pub problem: Box<Problem>,
}

impl ApiFailure {
    /// A problem that another one stated; its code decides.
    #[must_use]
    pub fn of_problem(problem: Problem) -> Self {
        ApiFailure { exit: exit_of(&problem.code, problem.status), problem: Box::new(problem) }
    }

    fn new(exit: u8, code: &str, detail: impl Into<String>) -> Self {
        let problem =
            Problem { code: code.to_owned(), detail: Some(detail.into()), ..Problem::default() };
        ApiFailure { exit, problem: Box::new(problem) }
    }

    /// Something went wrong that nobody asked for.
    #[must_use]
    pub fn failed(detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::FAILED, "internal-error", detail)
    }

    /// What was typed or configured cannot be used.
    #[must_use]
    pub fn usage(detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::USAGE, "invalid-request", detail)
    }

    /// There is no such thing.
    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::NOT_FOUND, "not-found", detail)
    }

    /// It cannot be done as things stand, such as with a schema that is not current.
    #[must_use]
    pub fn refused(code: &str, detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::REFUSED, code, detail)
    }

    /// Nobody answers.
    #[must_use]
    pub fn unreachable(detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::UNREACHABLE, "unreachable", detail)
    }

    /// The answer is not for us.
    #[must_use]
    pub fn unauthorised(detail: impl Into<String>) -> Self {
        ApiFailure::new(exit::UNAUTHORISED, "unauthorised", detail)
    }
}

/// The problem in words, with each field that it names.
fn text(problem: &Problem) -> String {
    let mut text = match (&problem.detail, problem.title.as_str()) {
        (Some(detail), _) => detail.clone(),
        (None, "") => format!("the answer was {} {}", problem.status, problem.code),
        (None, title) => title.to_owned(),
    };
    // An answer 5xx has no detail, and which client it is about is half of it.
    if let (None, Some(client)) = (&problem.detail, &problem.client) {
        text.push_str(&format!(" ({client})"));
    }
    for error in &problem.errors {
        let place = error.parameter.as_deref().unwrap_or(&error.pointer);
        text.push_str(&format!("\n  {place}: {}", error.detail));
    }
    text
}

/// The exit code of a problem: by its code, and by its status where a newer
/// daemon has a code that is not known here.
fn exit_of(code: &str, status: u16) -> u8 {
    match code {
        "invalid-request"
        | "invalid-magnet"
        | "invalid-torrent"
        | "invalid-pin"
        | "unknown-library"
        | "unknown-client"
        | "unknown-field"
        | "payload-too-large"
        | "unsupported-media-type" => exit::USAGE,
        "not-found" | "wrong-entity-kind" => exit::NOT_FOUND,
        "infohash-owned" | "illegal-transition" | "stale" | "plan-changed" | "conflict"
        | "superseded" => exit::REFUSED,
        "client-unreachable" | "backup-target-unreachable" | "not-ready" => exit::UNREACHABLE,
        "unauthorised" => exit::UNAUTHORISED,
        _ => match status {
            400 | 413 | 415 | 422 => exit::USAGE,
            401 | 403 => exit::UNAUTHORISED,
            404 => exit::NOT_FOUND,
            409 | 412 => exit::REFUSED,
            502..=504 => exit::UNREACHABLE,
            _ => exit::FAILED,
        },
    }
}

/// A refusal of the services in the words of REST.
#[must_use]
pub fn failure_of(error: AppError) -> ApiFailure {
    let detail = error.to_string();
    let plain = |exit, code: &str| ApiFailure::new(exit, code, detail.clone());
    match error {
        AppError::InvalidRequest(errors) => {
            let mut failure = plain(exit::USAGE, "invalid-request");
            failure.problem.errors = errors.into_iter().map(Into::into).collect();
            failure
        }
        AppError::InvalidMagnet(_) => plain(exit::USAGE, "invalid-magnet"),
        AppError::InvalidTorrent(_) => plain(exit::USAGE, "invalid-torrent"),
        AppError::InvalidPin(_) => plain(exit::USAGE, "invalid-pin"),
        AppError::UnknownField(_) => plain(exit::USAGE, "unknown-field"),
        AppError::UnknownLibrary { .. } => plain(exit::USAGE, "unknown-library"),
        AppError::UnknownClient { .. } | AppError::NoClient => plain(exit::USAGE, "unknown-client"),
        AppError::NotFound { .. }
        | AppError::NoEntity(_)
        | AppError::TorrentNotFound { .. }
        | AppError::TokenNotFound { .. }
        | AppError::UserNotFound { .. }
        | AppError::ReceiverNotFound { .. } => plain(exit::NOT_FOUND, "not-found"),
        AppError::WrongEntityKind { kind, url, .. } => {
            let mut failure = plain(exit::NOT_FOUND, "wrong-entity-kind");
            failure.problem.kind = Some(kind.as_str().to_owned());
            failure.problem.url = Some(url);
            failure
        }
        AppError::InfohashOwned { owner, .. } => {
            let mut failure = plain(exit::REFUSED, "infohash-owned");
            failure.problem.owner_id = Some(owner.to_string());
            failure
        }
        AppError::WrongLogin | AppError::WrongLink => plain(exit::UNAUTHORISED, "unauthorised"),
        AppError::TooManyAttempts { .. } => plain(exit::REFUSED, "too-many-attempts"),
        AppError::IllegalTransition { .. } => plain(exit::REFUSED, "illegal-transition"),
        AppError::Refused { .. } => plain(exit::REFUSED, "illegal-transition"),
        AppError::BackupTarget { .. } => plain(exit::UNREACHABLE, "backup-target-unreachable"),
        AppError::DiskFull => plain(exit::FAILED, "data-dir-full"),
        AppError::Busy => plain(exit::UNREACHABLE, "not-ready"),
        AppError::Superseded => plain(exit::REFUSED, "superseded"),
        AppError::SupersededBatch(by) => {
            let mut failure = plain(exit::REFUSED, "superseded");
            failure.problem.batch_id = Some(by.to_string());
            failure
        }
        AppError::PlanChanged(plan) => {
            let mut failure = plain(exit::REFUSED, "plan-changed");
            failure.problem.plan = Some(Box::new((*plan).into()));
            failure
        }
        AppError::Conflict(conflicts) => {
            let mut failure = plain(exit::REFUSED, "conflict");
            failure.problem.conflicts = conflicts.into_iter().map(Into::into).collect();
            failure
        }
        AppError::Stale(download) => {
            let mut failure = plain(exit::REFUSED, "stale");
            failure.problem.download = Some(Box::new((*download).into()));
            failure
        }
        AppError::ClientUnreachable { client, .. } => {
            let mut failure = plain(exit::UNREACHABLE, "client-unreachable");
            failure.problem.client = Some(client);
            failure
        }
        // Here the person at the keyboard is the one who has to know the cause.
        AppError::Internal(source) => {
            ApiFailure::failed(format!("{detail}: {}", with_causes(&*source)))
        }
    }
}
