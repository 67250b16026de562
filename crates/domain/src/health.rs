//! Health: what works, what does not, and what to do about it.

use crate::time::Timestamp;

/// How bad a check's answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Fine.
    Ok,
    /// Worth knowing.
    Notice,
    /// Something does not work as it should.
    Warning,
    /// Something does not work.
    Error,
}

/// The code of every check there is. Each has its words and its page.
pub const CHECKS: &[&str] = &[
    "database",
    "database-integrity",
    "database-damaged",
    "data-dir-space",
    "data-dir-filesystem",
    "write-ahead-log",
    "clock",
    "clock-behind",
    "no-client",
    "no-daemon",
    "no-library",
    "library-root-missing",
    "library-in-no-media-server",
    "links-proven",
    "links-not-proven",
    "links-impossible",
    "watch-folder",
    "backup-target",
    "backup-overdue",
    "backup-damaged",
    "notifier",
    "notifier-failing",
    "notifier-dead-letters",
    "notifier-setup",
    "client-reachable",
    "client-unreachable",
    "client-credentials",
    "client-banned",
    "client-incident",
    "client-folder-not-visible",
    "client-settings",
    "metadata-denied",
    "metadata-unreachable",
    "metadata-setup",
    "metadata-limited",
    "media-server-reachable",
    "media-server-unreachable",
    "media-server-denied",
    "media-server-limited",
    "media-server-outside",
    "media-server-setup",
    "seeding-dry-run",
    "telegram",
    "telegram-conflict",
    "telegram-denied",
    "telegram-unreachable",
    "telegram-webhook",
    "telegram-setup",
];

/// One check and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// A stable code, one of [`CHECKS`].
    pub code: &'static str,
    /// The client, library or source it is about; empty when it is about all.
    pub subject: String,
    /// How bad it is.
    pub level: Level,
    /// What was found.
    pub detail: String,
    /// What to do.
    pub remedy: String,
    /// When it was looked at.
    pub checked_at: Timestamp,
}

impl Check {
    /// A check of a subject; an empty one is about all.
    #[must_use]
    pub fn new(
        code: &'static str,
        subject: &str,
        level: Level,
        detail: String,
        remedy: &str,
        checked_at: Timestamp,
    ) -> Self {
        let (subject, remedy) = (subject.to_owned(), remedy.to_owned());
        Check { code, subject, level, detail, remedy, checked_at }
    }
}
