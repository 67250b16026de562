//! Long work with a row of its own, and the copies of the database that some of
//! it makes: their kinds and states, and which moves they may make.

use crate::words::words;

/// The text is none of the words of its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a word of jobs and backups")]
pub struct ParseJobWordError(String);

impl ParseJobWordError {
    fn new(found: &str, _known: &[&str]) -> Self {
        ParseJobWordError(found.to_owned())
    }
}

words! {
    ParseJobWordError;
    /// What a job does.
    JobKind {
        /// Makes a copy of the database and puts it to the target.
        Backup = "backup";
        /// Fetches a backup and checks it as for a restore.
        BackupVerify = "backup-verify";
        /// Takes entries of the journal away after their time.
        Retention = "retention";
    }
}

words! {
    ParseJobWordError;
    /// How far a job is.
    JobState {
        /// It waits for its turn.
        Queued = "queued";
        /// A process works on it.
        Running = "running";
        /// It did what it was for.
        Done = "done";
        /// It did not.
        Failed = "failed";
    }
}

words! {
    ParseJobWordError;
    /// How far a backup is.
    BackupState {
        /// It is being made, or the process that made it died.
        Creating = "creating";
        /// It lies verified at the target.
        Done = "done";
        /// It was not made.
        Failed = "failed";
    }
}

impl JobState {
    /// Whether it is still to be done.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, JobState::Queued | JobState::Running)
    }

    /// Whether a job may go from here to `next`.
    #[must_use]
    pub const fn may_become(self, next: JobState) -> bool {
        match self {
            JobState::Queued => matches!(next, JobState::Running | JobState::Failed),
            JobState::Running => matches!(next, JobState::Done | JobState::Failed),
            JobState::Done | JobState::Failed => false,
        }
    }
}

impl BackupState {
    /// Whether a backup may go from here to `next`. One that was given up may turn
    /// out to lie at its target after all: the answer to the put was lost.
    #[must_use]
    pub const fn may_become(self, next: BackupState) -> bool {
        match self {
            BackupState::Creating => matches!(next, BackupState::Done | BackupState::Failed),
            BackupState::Failed => matches!(next, BackupState::Done),
            BackupState::Done => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn each_word_is_read_back() {
        for kind in JobKind::ALL {
            assert_eq!(kind.to_string().parse::<JobKind>().unwrap(), *kind);
        }
        for state in JobState::ALL {
            assert_eq!(state.to_string().parse::<JobState>().unwrap(), *state);
        }
        for state in BackupState::ALL {
            assert_eq!(state.to_string().parse::<BackupState>().unwrap(), *state);
        }
        assert!("paused".parse::<JobState>().is_err());
    }

    #[test]
    fn an_end_is_an_end() {
        let moves: Vec<String> = JobState::ALL
            .iter()
            .flat_map(|from| JobState::ALL.iter().map(move |to| (*from, *to)))
            .filter(|(from, to)| from.may_become(*to))
            .map(|(from, to)| format!("{from}->{to}"))
            .collect();
        let expected = ["queued->running", "queued->failed", "running->done", "running->failed"];
        assert_eq!(moves, expected);
        assert!(JobState::ALL.iter().all(|state| {
            state.is_open() == JobState::ALL.iter().any(|next| state.may_become(*next))
        }));
    }
}
