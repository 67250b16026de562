//! Moving all episodes of a download by so many.

use tracker_domain::{Actor, DownloadId};
use tracker_recognize::matching::shift_all;

use crate::error::{AppError, FieldError};
use crate::recognition::raw;
use crate::requests::Expected;
use crate::review::{Review, learn};

impl Review {
    /// Moves the episodes of all files by so many, on top of what was set before:
    /// by the override `episode_offset`, and by those of single files that say
    /// their episodes. All of them move, or none. Another recognition follows.
    ///
    /// # Errors
    /// When there is no such download, its state does not allow it, nothing was
    /// recognised, or a number would leave its range; nothing happened then.
    pub async fn shift(
        &self,
        id: DownloadId,
        by: i32,
        expected: Expected,
        actor: &Actor,
    ) -> Result<(), AppError> {
        self.change(id, expected, actor, move |tx, row| {
            let living = tx.recognition_of(id)?.ok_or_else(|| AppError::IllegalTransition {
                state: row.state,
                detail: "its episodes are not known yet; move them when it was recognised"
                    .to_owned(),
            })?;
            let changes = shift_all(&raw(&living), &tx.overrides(id)?, by)
                .map_err(|refused| invalid(&refused.to_string()))?;
            for (field, value) in changes {
                match value {
                    Some(value) => tx.set_override(id, &field, &value)?,
                    None => {
                        tx.remove_override(id, &field)?;
                    }
                }
            }
            Ok(learn(tx, row)?)
        })
        .await
    }
}

fn invalid(detail: &str) -> AppError {
    AppError::InvalidRequest(vec![FieldError::body("/by", detail)])
}
