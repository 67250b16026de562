//! What follows from a download for a person, whoever shows it: what can be done with it,
//! and what is said of one that is done, since that alone does not tell whether it is in a
//! library: links are taken back, and may never have been made.

use tracker_domain::{Attention, DownloadState};

use crate::library_views::BatchView;
use crate::views::DownloadView;

/// What became of the links of a download that is done and has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnlinkedView {
    /// How many links its newest batch had that were taken back; 0 where none was.
    pub taken_back: usize,
    /// Whether its files are where they were, as far as is known. They may have been
    /// deleted with what was taken out of the lists, and a mark may say so.
    pub has_files: bool,
}

impl BatchView {
    /// Whether its links stand.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.state == "applied"
    }
}

impl DownloadView {
    /// Whether what is wrong with it is settled by saying what it is.
    #[must_use]
    pub const fn is_for_review(&self) -> bool {
        matches!(self.attention, Some(Attention::NeedsReview | Attention::Conflict))
    }

    /// Whether another try is possible.
    #[must_use]
    pub const fn may_be_retried(&self) -> bool {
        matches!(self.state, DownloadState::Failed | DownloadState::Cancelled)
            || (self.state.is_active() && self.attention.is_some())
    }

    /// Whether a person may still say what it is.
    #[must_use]
    pub const fn may_be_said(&self) -> bool {
        self.state.is_active() || matches!(self.state, DownloadState::Done)
    }

    /// The word of where it is that people read: that of its state, but for one that is
    /// done and of which nothing is in a library.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        if self.is_unlinked() { "done-unlinked" } else { self.state.as_str() }
    }

    /// Whether it is done, and nothing of it is in a library.
    #[must_use]
    pub const fn is_unlinked(&self) -> bool {
        matches!(self.state, DownloadState::Done) && !self.has_links
    }

    /// What became of its links, by its batches, the newest first; `None` where it is not
    /// done, or in a library.
    #[must_use]
    pub fn unlinked(&self, batches: &[BatchView]) -> Option<UnlinkedView> {
        let ended = batches.iter().find(|batch| batch.state == "undone");
        let links = ended.iter().flat_map(|batch| &batch.links);
        self.is_unlinked().then(|| UnlinkedView {
            taken_back: links.filter(|link| link.state == "undone").count(),
            has_files: self.hidden_at.is_none() && self.attention.is_none(),
        })
    }
}
