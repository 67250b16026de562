//! What a download is linked as: the names, what people said of it, and the
//! accepted work.

use tracker_domain::metadata::Work;
use tracker_domain::recognised::{Recognised, RecognitionState, Verdict};
use tracker_domain::{Attention, DownloadId, Remark};
use tracker_recognize::matching::{OverrideProblem, effective};
use tracker_store::{Download, ReadTx, Recognition, StoreError};

use super::prepare::Hold;
use crate::Pipeline;

/// A recognition with what acts on it.
pub(super) struct Matched {
    pub recognition: Recognition,
    pub overrides: Vec<(String, String)>,
    /// The chosen work; a migrated row has none.
    pub work: Option<Work>,
}

/// The row and its recognition; `None` where there is none yet.
pub(super) fn matched(
    tx: &ReadTx<'_>,
    id: DownloadId,
) -> Result<Option<(Download, Matched)>, StoreError> {
    let (Some(row), Some(recognition)) = (tx.download(id)?, tx.recognition_of(id)?) else {
        return Ok(None);
    };
    // Before anybody has chosen, the best one is what is proposed.
    let candidate = match recognition.candidate {
        None if recognition.state == RecognitionState::Accepted => None,
        _ => tx.proposed(&recognition)?,
    };
    let work = candidate.and_then(|candidate| candidate.work);
    Ok(Some((row, Matched { overrides: tx.overrides(id)?, recognition, work })))
}

/// What holds, where it was accepted, or is proposed and to be taken.
pub(super) fn what_holds(
    pipeline: &Pipeline,
    matched: &Matched,
    take: bool,
) -> Result<Recognised, Hold> {
    let Matched { recognition, overrides, work } = matched;
    match recognition.state {
        RecognitionState::Accepted => {}
        RecognitionState::Proposed if take && !recognition.provisional => {}
        // Who recognises has said so where the limit lasts.
        RecognitionState::Waiting if is_limited(recognition) => return Err(Hold::Later),
        RecognitionState::Waiting => {
            let why = why_it_waits(recognition);
            let detail = format!("{why}; `tracker accept ID` takes what the names say");
            return Err(Hold::Look(Attention::MetadataUnavailable, detail));
        }
        _ => {
            let doubts = recognition.detail.clone();
            let doubts = doubts.unwrap_or_else(|| Remark::AcceptFirst.to_string());
            return Err(Hold::Look(Attention::NeedsReview, doubts));
        }
    }
    let raw = raw_of(recognition);
    let (recognised, problems) =
        effective(raw, overrides, work.as_ref(), &pipeline.policy.languages);
    match problems.as_slice() {
        [] => Ok(recognised),
        problems => {
            let problems: Vec<Remark> = problems.iter().map(OverrideProblem::remark).collect();
            Err(Hold::Look(Attention::NeedsReview, Remark::join(&problems)))
        }
    }
}

/// What would hold if a person accepted it as it stands.
pub(super) fn proposed(
    pipeline: &Pipeline,
    recognition: &Recognition,
    overrides: &[(String, String)],
    work: Option<&Work>,
) -> Recognised {
    let (recognised, _problems) =
        effective(raw_of(recognition), overrides, work, &pipeline.policy.languages);
    recognised
}

/// Whether nothing but the limits of sources is in the way.
fn is_limited(recognition: &Recognition) -> bool {
    let causes = recognition.causes.as_slice();
    !causes.is_empty() && causes.iter().all(|cause| cause.cause == "limited")
}

fn why_it_waits(recognition: &Recognition) -> String {
    let cause = |cause: &tracker_store::WaitCause| format!("{}: {}", cause.source, cause.detail);
    match recognition.causes.as_slice() {
        [] => "a metadata source has to answer first".to_owned(),
        causes => causes.iter().map(cause).collect::<Vec<_>>().join("; "),
    }
}

/// The row keeps what the names say.
fn raw_of(row: &Recognition) -> Recognised {
    Recognised {
        fields: row.fields.clone(),
        files: row.files.clone(),
        evidence: row.evidence.clone(),
        verdict: Verdict::Sure,
        confidence: row.confidence.unwrap_or(0.0),
        doubts: Vec::new(),
    }
}
