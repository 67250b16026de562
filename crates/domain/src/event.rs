//! The journal's vocabulary: the types of event.

use std::fmt;
use std::str::FromStr;

/// Declares each type once, with the word that the journal keeps.
macro_rules! events {
    ($($name:ident = $word:literal;)+) => {
        /// What an entry of the journal tells of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each variant is its word")]
        pub enum EventType {
            $($name,)+
        }

        impl EventType {
            /// Every type there is.
            pub const ALL: &'static [EventType] = &[$(EventType::$name,)+];

            /// The word of the column `event.type`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(EventType::$name => $word,)+
                }
            }
        }
    };
}

events! {
    DownloadCreated = "download.created";
    DownloadStateChanged = "download.state_changed";
    DownloadInfohashAdded = "download.infohash_added";
    DownloadInfohashRefused = "download.infohash_refused";
    DownloadMerged = "download.merged";
    DownloadAttention = "download.attention";
    DownloadRetryRefused = "download.retry_refused";
    DownloadHandleChanged = "download.handle_changed";
    DownloadMetadata = "download.metadata";
    DownloadRetried = "download.retried";
    DownloadClientSet = "download.client_set";
    DownloadInTwoClients = "download.in_two_clients";
    DownloadPaused = "download.paused";
    DownloadResumed = "download.resumed";
    DownloadFilesChosen = "download.files_chosen";
    DownloadSeedingEnded = "download.seeding_ended";
    DownloadRemoved = "download.removed";
    RecognitionCreated = "recognition.created";
    RecognitionAccepted = "recognition.accepted";
    RecognitionRejected = "recognition.rejected";
    RecognitionRerun = "recognition.rerun";
    HintAdded = "hint.added";
    OverrideSet = "override.set";
    OverrideRemoved = "override.removed";
    AskSet = "ask.set";
    AskRemoved = "ask.removed";
    RememberedSet = "remembered.set";
    RememberedRemoved = "remembered.removed";
    BatchPlanned = "batch.planned";
    BatchApplied = "batch.applied";
    BatchUndone = "batch.undone";
    BatchVerified = "batch.verified";
    BatchFailed = "batch.failed";
    LibraryRefreshed = "library.refreshed";
    ClientOnline = "client.online";
    ClientOffline = "client.offline";
    ClientTaskCreated = "client_task.created";
    ClientTaskDone = "client_task.done";
    ClientTaskFailed = "client_task.failed";
    JobCreated = "job.created";
    JobStarted = "job.started";
    JobCancelAsked = "job.cancel_asked";
    JobDone = "job.done";
    JobFailed = "job.failed";
    BackupCreated = "backup.created";
    BackupDone = "backup.done";
    BackupVerified = "backup.verified";
    BackupFailed = "backup.failed";
    BackupDeleted = "backup.deleted";
    AuthLogin = "auth.login";
    AuthFailed = "auth.failed";
    AuthLogout = "auth.logout";
    AuthSessionRevoked = "auth.session_revoked";
    AuthLinkCreated = "auth.link_created";
    UserCreated = "user.created";
    UserChanged = "user.changed";
    UserDisabled = "user.disabled";
    TokenCreated = "token.created";
    TokenRevoked = "token.revoked";
    NotificationFailed = "notification.failed";
    NotificationRetried = "notification.retried";
    NotificationTested = "notification.tested";
    SystemStarted = "system.started";
    SystemMigrated = "system.migrated";
    SystemRestored = "system.restored";
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is no type of event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a type of event")]
pub struct ParseEventTypeError(String);

impl FromStr for EventType {
    type Err = ParseEventTypeError;

    fn from_str(text: &str) -> Result<Self, ParseEventTypeError> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| ParseEventTypeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
