//! What the workers know of now: progress and health. Lost with the process,
//! and known again after the first look.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use tracker_domain::DownloadId;
use tracker_domain::health::{CHECKS, Check, Level};
use tracker_domain::observed::Progress;
use tracker_domain::ports::Live;

/// The place of the progress of copies, which no client has: a name with a space
/// in front is no client's.
const LINKING: &str = " linking";

/// Shared by the workers, which write, and the services, which read.
#[derive(Debug, Default)]
pub struct Board {
    /// By client, so that one client's look replaces only its own.
    progress: RwLock<HashMap<String, HashMap<DownloadId, Progress>>>,
    /// By group and subject, such as `client` and its name.
    checks: RwLock<BTreeMap<(&'static str, String), Vec<Check>>>,
}

impl Board {
    pub(crate) fn set_progress(&self, client: &str, progress: Vec<(DownloadId, Progress)>) {
        let mut all = self.progress.write().unwrap_or_else(PoisonError::into_inner);
        let mine = all.entry(client.to_owned()).or_default();
        mine.extend(progress);
    }

    /// Forgets the downloads that are not watched any more.
    pub(crate) fn keep_progress(&self, client: &str, watched: impl Fn(DownloadId) -> bool) {
        let mut all = self.progress.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(mine) = all.get_mut(client) {
            mine.retain(|id, _| watched(*id));
        }
    }

    /// Replaces what is known of a subject.
    pub(crate) fn set_checks(&self, group: &'static str, subject: &str, checks: Vec<Check>) {
        debug_assert!(
            checks.iter().all(|check| CHECKS.contains(&check.code)),
            "a check has a code without a text"
        );
        let mut all = self.checks.write().unwrap_or_else(PoisonError::into_inner);
        all.insert((group, subject.to_owned()), checks);
    }

    /// Whether nothing is wrong with a subject; `None` before the first look.
    pub(crate) fn is_fine(&self, group: &'static str, subject: &str) -> Option<bool> {
        let all = self.checks.read().unwrap_or_else(PoisonError::into_inner);
        let known = all.get(&(group, subject.to_owned()))?;
        Some(known.iter().all(|check| check.level < Level::Error))
    }

    /// What the links of a download that are being made have come to.
    pub(crate) fn set_linking(&self, id: DownloadId, progress: Option<Progress>) {
        let mut all = self.progress.write().unwrap_or_else(PoisonError::into_inner);
        let linking = all.entry(LINKING.to_owned()).or_default();
        match progress {
            Some(progress) => linking.insert(id, progress),
            None => linking.remove(&id),
        };
    }
}

impl Live for Board {
    fn progress(&self, id: DownloadId) -> Option<Progress> {
        let all = self.progress.read().unwrap_or_else(PoisonError::into_inner);
        // What is copied into the library goes before what the client does.
        let linking = all.get(LINKING).and_then(|linking| linking.get(&id).copied());
        linking.or_else(|| all.values().find_map(|of_client| of_client.get(&id).copied()))
    }

    fn all_progress(&self) -> Vec<(DownloadId, Progress)> {
        let all = self.progress.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: HashMap<DownloadId, Progress> =
            all.iter().filter(|(of, _)| *of != LINKING).flat_map(|(_, own)| own.clone()).collect();
        // What is copied into the library goes before what the client does.
        found.extend(all.get(LINKING).into_iter().flatten());
        found.into_iter().collect()
    }

    fn checks(&self) -> Vec<Check> {
        let all = self.checks.read().unwrap_or_else(PoisonError::into_inner);
        all.values().flatten().cloned().collect()
    }
}
