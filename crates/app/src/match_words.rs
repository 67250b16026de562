//! What is said of a match, since its state alone does not tell who has to do something:
//! whether it is being looked at, and why there is no work to choose from.

use tracker_domain::entity::CandidateId;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{DownloadState, Remark};

use crate::review_views::RecognitionView;
use crate::views::DownloadView;

/// Why there is no work to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWorks {
    /// The list of its files is awaited.
    Files,
    /// It is being looked at.
    Looking,
    /// It ended before it was looked at.
    Never,
    /// A source has not answered, so nobody can say.
    Silent,
    /// There is no source to ask.
    NoSource,
    /// The sources know nothing that fits.
    Unknown,
    /// It was taken as the names say.
    AsNamed,
    /// There is no title to ask for.
    NoTitle,
    /// It is nothing that one of the sources would know.
    NotAsked,
}

impl NoWorks {
    /// Every reason.
    pub const ALL: [NoWorks; 9] = [
        NoWorks::Files,
        NoWorks::Looking,
        NoWorks::Never,
        NoWorks::Silent,
        NoWorks::NoSource,
        NoWorks::Unknown,
        NoWorks::AsNamed,
        NoWorks::NoTitle,
        NoWorks::NotAsked,
    ];

    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            NoWorks::Files => "files",
            NoWorks::Looking => "looking",
            NoWorks::Never => "never",
            NoWorks::Silent => "silent",
            NoWorks::NoSource => "no-source",
            NoWorks::Unknown => "unknown",
            NoWorks::AsNamed => "as-named",
            NoWorks::NoTitle => "no-title",
            NoWorks::NotAsked => "not-asked",
        }
    }
}

impl RecognitionView {
    /// The word of where it is that people read: that of its state, but while it is being
    /// looked at, which is no state.
    #[must_use]
    pub fn word(&self, download: &DownloadView) -> &'static str {
        if self.is_looked_at(download) { "looking" } else { self.state.as_str() }
    }

    /// Whether its files are known, and what it is will be written down in a moment.
    #[must_use]
    pub fn is_looked_at(&self, download: &DownloadView) -> bool {
        use DownloadState::{Done, Downloaded, Linking};
        let is_complete = matches!(download.state, Downloaded | Linking | Done);
        let may_be = is_complete || download.state.is_active() && !self.files.is_empty();
        self.id.is_none() && may_be
    }

    /// Whether it is worth saying how sure it is: something was found, and no person has
    /// accepted it.
    #[must_use]
    pub fn may_be_doubted(&self) -> bool {
        let is_settled = self.state == RecognitionState::Accepted && self.chosen_by.is_some();
        self.id.is_some() && !is_settled
    }

    /// Whether it holds with this candidate.
    #[must_use]
    pub fn has_taken(&self, candidate: CandidateId) -> bool {
        self.state == RecognitionState::Accepted && self.candidate_id == Some(candidate)
    }

    /// Why it has no candidates, where it has none.
    #[must_use]
    pub fn without_works(&self, download: &DownloadView, has_sources: bool) -> NoWorks {
        if self.is_looked_at(download) {
            return NoWorks::Looking;
        }
        if self.id.is_none() {
            return if download.state.is_active() { NoWorks::Files } else { NoWorks::Never };
        }
        let is_accepted = self.state == RecognitionState::Accepted;
        if !self.waiting.is_empty() || self.state == RecognitionState::Waiting {
            NoWorks::Silent
        } else if self.doubts.contains(&Remark::NoSuchWork) {
            NoWorks::Unknown
        } else if is_accepted {
            NoWorks::AsNamed
        } else if !has_sources {
            NoWorks::NoSource
        } else if self.fields.title.is_none() {
            NoWorks::NoTitle
        } else {
            NoWorks::NotAsked
        }
    }
}

#[cfg(test)]
mod tests;
