//! Everything that an observation can tell of a download.

use crate::attention::Attention;
use crate::entity::DownloadId;
use crate::infohash::Infohash;
use crate::observed::{ClientPath, Handle};

/// One thing that became known. `reconcile` finds them, `store` records them in
/// one transaction a tick, each behind its own guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The client has shown a queued download.
    Shown {
        /// Which one.
        download: DownloadId,
        /// What the client calls it.
        handle: Handle,
        /// Where its files are.
        save_path: ClientPath,
    },
    /// The client calls it something else, or keeps it elsewhere.
    Moved {
        /// Which one.
        download: DownloadId,
        /// What the client calls it now.
        handle: Handle,
        /// Where its files are now.
        save_path: ClientPath,
    },
    /// The client states hashes that were not known.
    InfohashesRevealed {
        /// Which one.
        download: DownloadId,
        /// The ones to add.
        infohashes: Vec<Infohash>,
    },
    /// A bare 40-digit value was the front of this v2: the v2 takes its place.
    HandleWasV2 {
        /// Which one.
        download: DownloadId,
        /// The value that is no v1.
        handle: Infohash,
        /// The hash it stands for.
        v2: Infohash,
    },
    /// The file list is known.
    MetadataKnown {
        /// Which one.
        download: DownloadId,
        /// The client's display name.
        name: String,
        /// Bytes of the selected files.
        size_bytes: Option<u64>,
    },
    /// The finished rule holds.
    Finished {
        /// Which one.
        download: DownloadId,
    },
    /// A complete one is below complete again.
    TakenBelow {
        /// Which one.
        download: DownloadId,
    },
    /// It is gone from the client.
    Missing {
        /// Which one.
        download: DownloadId,
    },
    /// The client has stopped it, as a person wished.
    Held {
        /// Which one.
        download: DownloadId,
    },
    /// A person has started one in the client that was paused here.
    StartedThere {
        /// Which one.
        download: DownloadId,
    },
    /// A failed one is in the client again.
    SeenAgain {
        /// Which one.
        download: DownloadId,
        /// What the client calls it.
        handle: Handle,
        /// Where its files are.
        save_path: ClientPath,
    },
    /// Two active downloads are one torrent, on the client's word.
    SameTorrent {
        /// The older one, which stays.
        winner: DownloadId,
        /// The one that is absorbed.
        loser: DownloadId,
    },
    /// A person should look.
    Raised {
        /// Which one.
        download: DownloadId,
        /// Why.
        attention: Attention,
        /// In words.
        detail: String,
    },
    /// What was raised no longer holds.
    Cleared {
        /// Which one.
        download: DownloadId,
        /// What it was.
        attention: Attention,
    },
}

impl Fact {
    /// The download that the fact is about.
    #[must_use]
    pub const fn download(&self) -> DownloadId {
        match self {
            Fact::Shown { download, .. }
            | Fact::Moved { download, .. }
            | Fact::InfohashesRevealed { download, .. }
            | Fact::HandleWasV2 { download, .. }
            | Fact::MetadataKnown { download, .. }
            | Fact::Finished { download }
            | Fact::TakenBelow { download }
            | Fact::Missing { download }
            | Fact::Held { download }
            | Fact::StartedThere { download }
            | Fact::SeenAgain { download, .. }
            | Fact::SameTorrent { winner: download, .. }
            | Fact::Raised { download, .. }
            | Fact::Cleared { download, .. } => *download,
        }
    }
}
