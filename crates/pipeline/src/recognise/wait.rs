//! Waiting for a source: why, in words for a person, and until when.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{DownloadId, Remark, Timestamp};
use tracker_store::{Recognition, WaitCause};

/// The first pause and the longest, in seconds; each is twice the one before.
const FIRST_S: i64 = 30;
const LONGEST_S: i64 = 3_600;

/// No wait is longer, whatever a source says.
const DAY_S: i64 = 86_400;

/// A limit of a source that is over after so long is no trouble.
const SHORT_LIMIT_MS: u64 = 30_000;

/// Why a recognition waits: one cause a source.
#[derive(Clone, Debug, Default)]
pub(super) struct Causes {
    list: Vec<WaitCause>,
    /// In one sentence each, without what changes from one try to the next.
    words: Vec<Remark>,
    retry_after_ms: u64,
}

impl Causes {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether this source is one of them.
    pub(super) fn has(&self, provider: Provider) -> bool {
        self.list.iter().any(|cause| cause.source == provider.as_str())
    }

    pub(super) fn list(&self) -> &[WaitCause] {
        &self.list
    }

    /// Whether it is only that a source is asked no oftener than it bears.
    pub(super) fn pass_by_themselves(&self) -> bool {
        self.retry_after_ms <= SHORT_LIMIT_MS
            && self.list.iter().all(|cause| cause.cause == "limited")
    }

    /// For the mark on the download.
    pub(super) fn detail(&self) -> String {
        Remark::join(&self.words)
    }

    /// A source gave no answer.
    pub(super) fn add_failure(&mut self, provider: Provider, error: &MetadataError) {
        if let MetadataError::Limited { retry_after_ms } = error {
            self.retry_after_ms = self.retry_after_ms.max(*retry_after_ms);
        }
        let source = provider;
        let (cause, words) = match error {
            MetadataError::Denied(_) => ("denied", Remark::SourceDenies { source }),
            MetadataError::Limited { .. } => ("limited", Remark::SourceIsLimited { source }),
            MetadataError::Unreachable(_) => ("unreachable", Remark::SourceUnreachable { source }),
            MetadataError::Unreadable(_) => ("unreadable", Remark::SourceUnreadable { source }),
            MetadataError::NotFound => ("not-found", Remark::SourceHasNone { source }),
        };
        self.add(provider.as_str(), cause, error.to_string(), words);
    }

    /// Something else stands in the way; `words` tell a person what to do.
    pub(super) fn add_words(&mut self, source: &str, cause: &str, words: Remark) {
        self.add(source, cause, words.to_string(), words);
    }

    /// Whether a recognition waits for the same already.
    pub(super) fn are_known_of(&self, former: &Recognition) -> bool {
        let told = |list: &[WaitCause]| -> Vec<(String, String)> {
            list.iter().map(|cause| (cause.source.clone(), cause.cause.clone())).collect()
        };
        former.state == RecognitionState::Waiting && told(&former.causes) == told(&self.list)
    }

    /// Whether its pauses grow no longer: then writing it down once more would
    /// tell nothing new.
    pub(super) fn pause_is_longest(former: &Recognition) -> bool {
        let paused = former.next_look_at.map(|at| at.seconds_since(former.created_at));
        paused >= Some(LONGEST_S)
    }

    /// Whether the next look that is written down is still to come, and not too
    /// early for the sources.
    pub(super) fn leave_time_to(&self, former: &Recognition, now: Timestamp) -> bool {
        let left = former.next_look_at.map(|at| at.seconds_since(now));
        left.is_some_and(|left| (self.wanted_s().max(1)..=DAY_S).contains(&left))
    }

    /// How long the sources want to be left alone.
    fn wanted_s(&self) -> i64 {
        i64::try_from(self.retry_after_ms.div_ceil(1000)).unwrap_or(DAY_S)
    }

    fn add(&mut self, source: &str, cause: &str, detail: String, words: Remark) {
        if self.list.iter().any(|known| known.source == source) {
            return;
        }
        let (source, cause) = (source.to_owned(), cause.to_owned());
        self.list.push(WaitCause { source, cause, detail });
        self.words.push(words);
    }

    /// When it is tried again: pauses that grow, not before a source wants it,
    /// and each download at a moment of its own.
    pub(super) fn next_look(
        &self,
        id: DownloadId,
        former: Option<&Recognition>,
        now: Timestamp,
    ) -> Timestamp {
        let waited = former.filter(|former| former.state == RecognitionState::Waiting);
        let last = waited
            .and_then(|former| former.next_look_at.map(|at| at.seconds_since(former.created_at)));
        let pause = last.map_or(FIRST_S, |last| last.saturating_mul(2).clamp(FIRST_S, LONGEST_S));
        let pause = pause.max(self.wanted_s()).min(DAY_S);
        now.plus_seconds((pause + spread(id, pause / 2)).min(DAY_S))
    }
}

/// Recognitions that go on waiting without a new row. Lost with the process,
/// which costs one more try.
#[derive(Debug, Default)]
pub(crate) struct PutOff(Mutex<HashMap<DownloadId, Timestamp>>);

impl PutOff {
    /// Whether it is too early for another try.
    pub(super) fn holds(&self, id: DownloadId, now: Timestamp) -> bool {
        let mut until = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(left) = until.get(&id).map(|until| until.seconds_since(now)) else { return false };
        // A time further away comes from a clock that was set back since.
        let holds = (1..=DAY_S).contains(&left);
        if !holds {
            until.remove(&id);
        }
        holds
    }

    pub(super) fn until(&self, id: DownloadId, at: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, at);
    }

    pub(super) fn forget(&self, id: DownloadId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

/// A number of seconds up to `most`, always the same for one download.
fn spread(id: DownloadId, most: i64) -> i64 {
    let folded = id.to_string().bytes().fold(17_u64, |sum, byte| {
        sum.wrapping_mul(1_099_511_628_211).wrapping_add(u64::from(byte))
    });
    let within = folded >> 16;
    i64::try_from(within % u64::try_from(most.max(0) + 1).unwrap_or(1)).unwrap_or(0)
}
