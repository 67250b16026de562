//! The kinds of entity, as type markers for ids and as a closed list.

use std::fmt;
use std::str::FromStr;

use tracker_ident::Id;

/// Declares the markers, the id aliases and [`EntityKind`] from one list, so
/// that a new kind cannot be forgotten in one of them.
macro_rules! entities {
    ($($(#[$doc:meta])* $marker:ident, $alias:ident, $table:literal;)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $marker {}

            $(#[$doc])*
            pub type $alias = Id<$marker>;
        )+

        /// The kind of an entity; its text is the name of its table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EntityKind {
            $($(#[$doc])* $marker,)+
        }

        impl EntityKind {
            /// Every kind there is.
            pub const ALL: &'static [EntityKind] = &[$(EntityKind::$marker,)+];

            /// The name of the table that holds the kind.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(EntityKind::$marker => $table,)+
                }
            }
        }
    };
}

entities! {
    /// One wish of a person to have a torrent's content.
    Download, DownloadId, "download";
    /// What a torrent was found to be.
    Recognition, RecognitionId, "recognition";
    /// A title of a metadata source that may be the right one.
    MetadataCandidate, CandidateId, "metadata_candidate";
    /// Free text of a person that steers recognition.
    Hint, HintId, "hint";
    /// A field that a person has set against recognition.
    Override, OverrideId, "override";
    /// A word of a person that holds for every release of one group and title.
    Remembered, RememberedId, "remembered";
    /// One application of a plan: what Undo undoes.
    ApplyBatch, BatchId, "apply_batch";
    /// One link in a library.
    FileLink, FileLinkId, "file_link";
    /// One entry of the journal.
    Event, EventId, "event";
    /// A wish towards a client that a worker carries out.
    ClientTask, ClientTaskId, "client_task";
    /// A named API token.
    Token, TokenId, "token";
    /// Long work that a person or a schedule started.
    Job, JobId, "job";
    /// One verified copy of the database.
    Backup, BackupId, "backup";
    /// A person with an account.
    User, UserId, "user";
    /// One login of a person, in one browser.
    Session, SessionId, "session";
    /// A link that logs in once.
    LoginLink, LoginLinkId, "login_link";
}

/// The text is not the name of an entity's table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a kind of entity")]
pub struct ParseKindError(String);

impl fmt::Display for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for EntityKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, ParseKindError> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| ParseKindError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
