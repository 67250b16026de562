//! What the end of a call means to who asked for it.

use std::error::Error;

use object_store::client::{HttpError, HttpErrorKind};
use tracker_domain::ports::BackupTargetError;

use crate::call::CallError;
use crate::refusal::{Meaning, Refusal};

/// The no of the store in an error of the library, if there was one.
pub(crate) fn refusal(error: &object_store::Error) -> Option<&Refusal> {
    in_causes(error)
}

/// Whether the store said yes, in a way that the library does not understand.
pub(crate) fn is_unreadable(error: &object_store::Error) -> bool {
    in_causes::<HttpError>(error).is_none()
}

/// The cause, in the words of the port. `object` is the one that was asked for.
pub(crate) fn cause(error: &object_store::Error, object: &str) -> BackupTargetError {
    if let Some(refusal) = refusal(error) {
        let said = format!("{refusal}{}", refusal.advice());
        return match refusal.meaning() {
            Meaning::Denied => BackupTargetError::Denied(said),
            Meaning::Full => BackupTargetError::Full(said),
            Meaning::NoBucket => BackupTargetError::Unreachable(format!(
                "{said}: there is no such bucket; it is not made here"
            )),
            Meaning::Nothing => BackupTargetError::Gone(object.to_owned()),
            Meaning::Taken => BackupTargetError::Exists(object.to_owned()),
            Meaning::Busy | Meaning::Broken => BackupTargetError::Unreachable(said),
            Meaning::Other => BackupTargetError::Failed(said),
        };
    }
    if let Some(found @ (CallError::TooLarge | CallError::NoStore)) = in_causes(error) {
        return BackupTargetError::Failed(found.to_string());
    }
    match in_causes::<HttpError>(error) {
        Some(error) => BackupTargetError::Unreachable(match error.kind() {
            // Which certificate, which port: nothing in it is secret.
            HttpErrorKind::Connect => format!("no connection: {}", deepest(error)),
            HttpErrorKind::Timeout => CallError::Timeout.to_string(),
            _ => "the connection broke before the answer was whole".to_owned(),
        }),
        None => BackupTargetError::Failed(CallError::NoStore.to_string()),
    }
}

fn in_causes<T: Error + 'static>(error: &object_store::Error) -> Option<&T> {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = next {
        if let Some(found) = cause.downcast_ref() {
            return Some(found);
        }
        next = cause.source();
    }
    None
}

fn deepest<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    let mut deepest = error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest
}
