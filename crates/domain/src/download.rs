//! The life of a download: its states and the one table of moves.

use std::fmt;
use std::str::FromStr;

/// Where a download is. Activity, and with it the ownership of infohashes, is
/// derived from this alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DownloadState {
    /// Accepted, not yet seen in a client.
    Queued,
    /// The client has shown it.
    Downloading,
    /// The payload is complete.
    Downloaded,
    /// A batch is being applied.
    Linking,
    /// Links are in the library.
    Done,
    /// It cannot go on by itself.
    Failed,
    /// A person gave it up.
    Cancelled,
    /// It turned out to be the same torrent as another download.
    Merged,
}

/// What may move a download. The guards (who owns the hashes) are `store`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DownloadCause {
    /// The client has shown the torrent, matched by hash.
    Shown,
    /// The finished rule holds: whole, and the client neither checks nor moves it.
    Finished,
    /// The client takes it below complete again, and nothing is linked.
    TakenBelow,
    /// An accepted match and a conflict-free plan; the batch is written with it.
    PlanAccepted,
    /// Every link of the batch was made and recorded.
    BatchRecorded,
    /// The batch was rolled back.
    BatchRolledBack {
        /// An older batch of the download is still applied.
        older_applied: bool,
    },
    /// The client refuses it for good.
    Rejected,
    /// It is gone from the client.
    Missing,
    /// A failed one was seen in the client again.
    SeenAgain,
    /// A person asks for another try.
    Retry,
    /// A person applies a plan again after it was done.
    Reapply,
    /// A person gives it up.
    Cancel,
    /// It is the same torrent as an older download.
    Merge,
    /// A person stops its transfer, or lets it go on: it stays where it is.
    Pause,
    /// A person chooses which of its files are wanted: it stays where it is.
    Choose,
    /// A person says who comes first: it stays where it is.
    Prioritise,
    /// A person takes it out of the lists: it stays where it is.
    Remove,
}

impl DownloadCause {
    /// Every cause there is, for tables and tests.
    pub const ALL: &'static [DownloadCause] = &[
        DownloadCause::Shown,
        DownloadCause::Finished,
        DownloadCause::TakenBelow,
        DownloadCause::PlanAccepted,
        DownloadCause::BatchRecorded,
        DownloadCause::BatchRolledBack { older_applied: false },
        DownloadCause::BatchRolledBack { older_applied: true },
        DownloadCause::Rejected,
        DownloadCause::Missing,
        DownloadCause::SeenAgain,
        DownloadCause::Retry,
        DownloadCause::Reapply,
        DownloadCause::Cancel,
        DownloadCause::Merge,
        DownloadCause::Pause,
        DownloadCause::Choose,
        DownloadCause::Prioritise,
        DownloadCause::Remove,
    ];
}

/// The move is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a download that is {from} cannot take the step {cause:?}")]
pub struct IllegalTransition {
    /// Where it is.
    pub from: DownloadState,
    /// What was asked.
    pub cause: DownloadCause,
}

impl DownloadState {
    /// Every state there is.
    pub const ALL: &'static [DownloadState] = &[
        DownloadState::Queued,
        DownloadState::Downloading,
        DownloadState::Downloaded,
        DownloadState::Linking,
        DownloadState::Done,
        DownloadState::Failed,
        DownloadState::Cancelled,
        DownloadState::Merged,
    ];

    /// Whether it owns its infohashes: not yet at an end.
    #[must_use]
    pub const fn is_active(self) -> bool {
        match self {
            DownloadState::Queued
            | DownloadState::Downloading
            | DownloadState::Downloaded
            | DownloadState::Linking => true,
            DownloadState::Done
            | DownloadState::Failed
            | DownloadState::Cancelled
            | DownloadState::Merged => false,
        }
    }

    /// Where the cause leads: the table of moves, and the only one.
    ///
    /// # Errors
    /// When the move is not in the table.
    pub const fn after(self, cause: DownloadCause) -> Result<DownloadState, IllegalTransition> {
        use DownloadCause as C;
        use DownloadState as S;
        match (self, cause) {
            (S::Queued, C::Shown) | (S::Downloaded, C::TakenBelow) | (S::Failed, C::SeenAgain) => {
                Ok(S::Downloading)
            }
            (S::Downloading, C::Finished)
            | (S::Linking, C::BatchRolledBack { older_applied: false }) => Ok(S::Downloaded),
            (S::Downloaded, C::PlanAccepted) | (S::Done, C::Reapply) => Ok(S::Linking),
            (S::Linking, C::BatchRecorded | C::BatchRolledBack { older_applied: true }) => {
                Ok(S::Done)
            }
            (S::Queued | S::Downloading, C::Rejected | C::Missing) => Ok(S::Failed),
            (S::Failed | S::Cancelled, C::Retry) => Ok(S::Queued),
            (S::Queued | S::Downloading | S::Downloaded | S::Linking, C::Cancel) => {
                Ok(S::Cancelled)
            }
            (S::Queued | S::Downloading | S::Downloaded, C::Merge) => Ok(S::Merged),
            (S::Queued | S::Downloading | S::Downloaded | S::Linking | S::Done, C::Pause)
            | (S::Queued | S::Downloading | S::Downloaded, C::Choose)
            | (S::Queued | S::Downloading, C::Prioritise)
            | (S::Done | S::Failed | S::Cancelled | S::Merged, C::Remove) => Ok(self),
            (from, cause) => Err(IllegalTransition { from, cause }),
        }
    }

    /// The word of the column and of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DownloadState::Queued => "queued",
            DownloadState::Downloading => "downloading",
            DownloadState::Downloaded => "downloaded",
            DownloadState::Linking => "linking",
            DownloadState::Done => "done",
            DownloadState::Failed => "failed",
            DownloadState::Cancelled => "cancelled",
            DownloadState::Merged => "merged",
        }
    }
}

impl fmt::Display for DownloadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no state of a download.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a state of a download")]
pub struct ParseStateError(String);

impl FromStr for DownloadState {
    type Err = ParseStateError;

    fn from_str(text: &str) -> Result<Self, ParseStateError> {
        Self::ALL
            .iter()
            .copied()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| ParseStateError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
