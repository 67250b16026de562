//! From the rows of a recognition to what holds: the names, then what people
//! said, then the work that was chosen.

use tracker_domain::DownloadId;
use tracker_domain::metadata::Pin;
use tracker_domain::recognised::{Fields, Recognised, RecognitionState, Verdict};
use tracker_recognize::matching::effective;
use tracker_store::{Candidate, Hint, Override, ReadTx, Recognition, StoreError, WaitCause};

use crate::review_views::{CandidateView, CauseView, HintView, OverrideView, RecognitionView};

/// What a download is taken for now.
pub(crate) fn recognition_view(
    tx: &ReadTx<'_>,
    download: DownloadId,
    languages: &[String],
) -> Result<RecognitionView, StoreError> {
    let Some(row) = tx.recognition_of(download)? else { return Ok(nothing_yet(download)) };
    let chosen = match row.candidate {
        Some(id) => tx.candidate(id)?,
        None => None,
    };
    let work = chosen.and_then(|candidate| candidate.work);
    // What could not act stands among the doubts.
    let (holds, _told) = effective(raw(&row), &tx.overrides(download)?, work.as_ref(), languages);
    Ok(view(row, holds))
}

/// The answer before anything was read, or while another recognition is asked for.
fn nothing_yet(download_id: DownloadId) -> RecognitionView {
    RecognitionView {
        id: None,
        download_id,
        state: RecognitionState::Pending,
        verdict: Verdict::Unknown,
        confidence: None,
        fields: Fields::default(),
        files: Vec::new(),
        evidence: Vec::new(),
        doubts: Vec::new(),
        waiting: Vec::new(),
        next_look_at: None,
        candidate_id: None,
        chosen_by: None,
        provisional: false,
        created_at: None,
        updated_at: None,
    }
}

/// What the names said, as it was written down.
fn raw(row: &Recognition) -> Recognised {
    let verdict = match row.verdict.as_deref() {
        Some("sure") => Verdict::Sure,
        Some("doubt") => Verdict::Doubt,
        _ => Verdict::Unknown,
    };
    let doubts = row.detail.as_deref().unwrap_or_default();
    Recognised {
        fields: row.fields.clone(),
        files: row.files.clone(),
        evidence: row.evidence.clone(),
        verdict,
        confidence: row.confidence.unwrap_or_default(),
        doubts: doubts.split("; ").filter(|doubt| !doubt.is_empty()).map(str::to_owned).collect(),
    }
}

fn view(row: Recognition, holds: Recognised) -> RecognitionView {
    let foreseen = row.provisional
        && matches!(row.state, RecognitionState::Proposed | RecognitionState::Waiting);
    RecognitionView {
        id: Some(row.id),
        download_id: row.download_id,
        state: if foreseen { RecognitionState::Pending } else { row.state },
        verdict: holds.verdict,
        confidence: row.confidence,
        fields: holds.fields,
        files: holds.files,
        evidence: holds.evidence,
        doubts: holds.doubts,
        waiting: row.causes.into_iter().map(cause_view).collect(),
        next_look_at: row.next_look_at,
        candidate_id: row.candidate,
        chosen_by: row.chosen_by,
        provisional: row.provisional,
        created_at: Some(row.created_at),
        updated_at: Some(row.updated_at),
    }
}

fn cause_view(cause: WaitCause) -> CauseView {
    CauseView { source: cause.source, cause: cause.cause, detail: cause.detail }
}

pub(crate) fn candidate_view(row: Candidate) -> CandidateView {
    let work = row.word();
    let kind = row.work.as_ref().map(|work| work.id.kind);
    let named = || work.as_deref().and_then(|word| word.parse().ok());
    let kind = kind.or_else(|| match named() {
        Some(Pin::Work(id)) => Some(id.kind),
        _ => None,
    });
    let (original_title, overview) = match row.work {
        Some(work) => (work.original_title, work.overview),
        None => (None, None),
    };
    CandidateView {
        id: row.id,
        work,
        provider: row.source,
        kind,
        title: row.title,
        original_title,
        year: row.year,
        overview,
        score: row.score,
        parts: row.parts,
        excluded: row.excluded,
    }
}

pub(crate) fn hint_view(row: Hint) -> HintView {
    HintView { id: row.id, text: row.text, author: row.author, created_at: row.created_at }
}

pub(crate) fn override_view(row: Override) -> OverrideView {
    OverrideView {
        id: row.id,
        field: row.field,
        value: row.value,
        author: row.author,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
