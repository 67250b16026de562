//! Saying several things of a download at once.

use tracker_domain::{Actor, DownloadId};

use crate::error::{AppError, FieldError};
use crate::requests::Expected;
use crate::review::{Review, set, take_back, tell};
use crate::review_remember::remember_all;
use crate::review_rules::checked;

/// What a person says of a download at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Fields with their new values; one without a value is taken back.
    pub fields: Vec<(String, Option<String>)>,
    /// What it is, in free text.
    pub hint: Option<String>,
    /// Whether what is set then is remembered for the releases of the same group and
    /// title, and what is taken back is forgotten there.
    pub remember: bool,
}

impl Review {
    /// Sets, takes back and tells all of it, or nothing: every value that does not
    /// fit is named, by a pointer such as `/year`.
    ///
    /// # Errors
    /// When a field or a value does not fit, or the state does not allow it; nothing
    /// happened then.
    pub async fn say(
        &self,
        id: DownloadId,
        said: Said,
        expected: Expected,
        actor: &Actor,
    ) -> Result<(), AppError> {
        let libraries = self.libraries();
        self.change(id, expected, actor, move |tx, row| {
            let mut wrong = Vec::new();
            for (field, value) in &said.fields {
                let outcome = match value {
                    Some(value) => checked(tx, id, field, value, &libraries)
                        .and_then(|value| Ok(set(tx, row, field, &value)?)),
                    None => take_back(tx, row, field),
                };
                wrong.extend(outcome.err().map(|error| refused(field, error)).transpose()?);
            }
            if let Some(hint) = &said.hint {
                let outcome = tell(tx, row, hint).map(drop);
                wrong.extend(outcome.err().map(|error| refused("hint", error)).transpose()?);
            }
            if said.remember && wrong.is_empty() {
                let outcome = remember_all(tx, row);
                wrong.extend(outcome.err().map(|error| refused("remember", error)).transpose()?);
            }
            if wrong.is_empty() { Ok(()) } else { Err(AppError::InvalidRequest(wrong)) }
        })
        .await
    }
}

/// A refusal of a field, as one of many. What is no matter of the field stays what it is.
fn refused(field: &str, error: AppError) -> Result<FieldError, AppError> {
    let detail = match error {
        AppError::InvalidRequest(errors) => {
            let details: Vec<String> = errors.into_iter().map(|error| error.detail).collect();
            details.join("; ")
        }
        AppError::InvalidPin(_) | AppError::UnknownField(_) | AppError::UnknownLibrary { .. } => {
            error.to_string()
        }
        other => return Err(other),
    };
    Ok(FieldError::body(&format!("/{field}"), detail))
}
