//! Where a download rests: nothing moves any more by itself, or it is not worth
//! waiting for. One pure function of what REST shows.

use tracker_domain::{Attention, DownloadState};
use tracker_wire::{CauseDto, DownloadDto};

use crate::failure::exit;

/// Why the wait for a download is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Its links stand in the library.
    Done,
    /// It goes on when a person has done something.
    Person(Attention),
    /// A person has paused it before it was complete.
    Paused,
    /// It failed, or was given up.
    Ended,
}

impl Rest {
    /// The exit code of it.
    pub(crate) const fn exit(self) -> u8 {
        match self {
            Rest::Done => exit::DONE,
            Rest::Person(_) | Rest::Paused => exit::NEEDS_PERSON,
            Rest::Ended => exit::FAILED,
        }
    }
}

/// Causes of waiting for a source that end without a person.
const PASSING: &[&str] = &["unreachable", "limited", "unreadable"];

/// Whether a source that a match waits for is asked again with any hope: one that
/// is off, that refuses the token or that has no such work needs a person.
pub(crate) fn passes(waiting: &[CauseDto]) -> bool {
    waiting.iter().all(|cause| PASSING.contains(&cause.cause.as_str()))
}

/// Whether it rests, with what it waits for passing by itself or not. A word that a
/// newer daemon may say is waited on.
pub(crate) fn rest_of(download: &DownloadDto, passes: bool) -> Option<Rest> {
    let state = download.state.parse().ok()?;
    let attention = download.attention.as_deref().and_then(|word| word.parse().ok());
    match state {
        DownloadState::Done => Some(Rest::Done),
        DownloadState::Failed | DownloadState::Cancelled => Some(Rest::Ended),
        // The one that absorbed it is followed.
        DownloadState::Merged | DownloadState::Linking => None,
        DownloadState::Queued | DownloadState::Downloading if download.paused => Some(Rest::Paused),
        DownloadState::Queued | DownloadState::Downloading | DownloadState::Downloaded => {
            attention.filter(|code| keeps(*code, state, passes)).map(Rest::Person)
        }
    }
}

/// Whether it stands still for this in a state. What a person should say about
/// the match keeps no byte from arriving, and what ends by itself is waited for.
fn keeps(attention: Attention, state: DownloadState, passes: bool) -> bool {
    match attention {
        Attention::Stalled => false,
        Attention::MetadataUnavailable => state == DownloadState::Downloaded && !passes,
        Attention::ClientUnknown
        | Attention::ClientError
        | Attention::ClientRejected
        | Attention::ClientCannotV2
        | Attention::ClientMissing
        | Attention::DiskFull
        | Attention::InfohashOwned => true,
        Attention::NeedsReview
        | Attention::NoMetadata
        | Attention::GoneFromClient
        | Attention::PathUnmapped
        | Attention::SourceMissing
        | Attention::SourceChanged
        | Attention::LinkFailed
        | Attention::Conflict
        | Attention::Archive
        | Attention::UnsafeContent
        | Attention::NotMedia
        | Attention::MergeDiffers => state == DownloadState::Downloaded,
    }
}

/// What a person types next.
pub(crate) fn advice(attention: Attention, id: &str) -> String {
    match attention {
        Attention::NeedsReview
        | Attention::NoMetadata
        | Attention::Archive
        | Attention::UnsafeContent
        | Attention::NotMedia => format!("tracker review {id}"),
        Attention::MetadataUnavailable => format!("tracker accept {id}"),
        Attention::Conflict => {
            format!(
                "tracker plan {id}, then tracker apply {id} --on-conflict keep|replace|other-name"
            )
        }
        Attention::ClientUnknown | Attention::ClientCannotV2 => {
            format!("tracker retry {id} --client NAME")
        }
        Attention::ClientError
        | Attention::ClientRejected
        | Attention::ClientMissing
        | Attention::GoneFromClient
        | Attention::Stalled
        | Attention::DiskFull
        | Attention::SourceMissing
        | Attention::SourceChanged
        | Attention::InfohashOwned
        | Attention::MergeDiffers => format!("tracker retry {id}"),
        Attention::PathUnmapped | Attention::LinkFailed => {
            format!("tracker doctor, then tracker retry {id}")
        }
    }
}
