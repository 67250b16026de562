//! What a decision or a word is refused for.

use tracker_domain::entity::CandidateId;
use tracker_domain::{DownloadId, DownloadState, EntityKind};
use tracker_recognize::matching::{OverrideError, check_override};
use tracker_store::{AcceptRefused, Download, ReadTx, StoreError};

use crate::convert::absent;
use crate::error::{AppError, FieldError};
use crate::intake::known_library;

/// The override that says where the links go, and nothing of what it is.
pub(crate) const LIBRARY: &str = "library";

/// The download, or that there is none.
pub(crate) fn existing(tx: &ReadTx<'_>, id: DownloadId) -> Result<Download, AppError> {
    match tx.download(id)? {
        Some(row) => Ok(row),
        None => Err(absent(tx, EntityKind::Download, id)?),
    }
}

/// What ended without links is not decided on: nothing would follow from it.
pub(crate) fn still_matters(row: &Download) -> Result<(), AppError> {
    let state = row.state;
    let instead = match state {
        DownloadState::Failed | DownloadState::Cancelled => "retry it first",
        DownloadState::Merged => "go on with the download it was merged into",
        _ => return Ok(()),
    };
    let detail = format!("what a download is that is {state} cannot be decided on; {instead}");
    Err(AppError::IllegalTransition { state, detail })
}

/// Why there was no decision.
pub(crate) fn undecided(
    tx: &ReadTx<'_>,
    row: &Download,
    candidate: Option<CandidateId>,
    refusal: AcceptRefused,
) -> Result<AppError, StoreError> {
    // While another recognition is awaited, a candidate of the former one is
    // known and does not count.
    let former = match candidate {
        Some(id) => match tx.candidate(id)? {
            None => return absent(tx, EntityKind::MetadataCandidate, id),
            Some(_) => tx.entity(id.any())?.is_some_and(|known| known.download == Some(row.id)),
        },
        None => false,
    };
    Ok(match (refusal, candidate) {
        (AcceptRefused::Superseded, _) => AppError::Superseded,
        (AcceptRefused::NoRecognition, Some(_)) if former => AppError::Superseded,
        (AcceptRefused::NoSuchCandidate | AcceptRefused::NoRecognition, Some(id)) => {
            AppError::NotFound { kind: EntityKind::MetadataCandidate, id: id.any() }
        }
        _ => AppError::IllegalTransition { state: row.state, detail: refusal.to_string() },
    })
}

/// An override in the form in which it is kept.
pub(crate) fn checked(
    tx: &ReadTx<'_>,
    id: DownloadId,
    field: &str,
    value: &str,
    libraries: &[String],
) -> Result<String, AppError> {
    let kept = check_override(field, value).map_err(|refusal| match refusal {
        OverrideError::UnknownField(_) => AppError::UnknownField(refusal.to_string()),
        OverrideError::Value { .. } if field == "candidate" => {
            AppError::InvalidPin(value.to_owned())
        }
        OverrideError::Value { .. } => {
            AppError::InvalidRequest(vec![FieldError::body("/value", refusal.to_string())])
        }
    })?;
    if field == LIBRARY {
        known_library(libraries, &kept)?;
    }
    if let Some(index) = file_of(field) {
        let files = tx.download_files(id)?;
        // Before the files are known any of them may be spoken of.
        if !files.is_empty() && !files.iter().any(|file| file.index == index) {
            return Err(AppError::InvalidRequest(vec![FieldError::query(
                "field",
                format!("{field}: the torrent has no file {index}; it has {}", files.len()),
            )]));
        }
    }
    Ok(kept)
}

/// The file that a field is about.
fn file_of(field: &str) -> Option<u32> {
    field.strip_prefix("file.")?.split_once('.')?.0.parse().ok()
}
