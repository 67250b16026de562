//! What the stage remembers between looks: since when a file stands still, and
//! what could not be done. Lost with the process, and known again two looks later.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;

use tracker_domain::UnixMillis;
use tracker_domain::ports::Dropped;

/// Looks closer together than this would tell nothing new.
const BETWEEN_LOOKS_MS: u64 = 1000;

/// So long a file that is cut off may still be growing.
const GRACE_MS: u64 = 60_000;

/// A file that may grow is read again after this time.
const GROWS_MS: u64 = 5000;

/// What could not be done is tried again after this time.
const AGAIN_MS: u64 = 60_000;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Memory {
    looked: Option<UnixMillis>,
    /// By name, and whether it is a claim.
    files: HashMap<(OsString, bool), Remembered>,
    /// Claims whose content was accepted, by name.
    accepted: HashSet<OsString>,
    /// What is wrong with the folder, where it was told.
    away: Option<String>,
}

#[derive(Debug)]
struct Remembered {
    size_bytes: u64,
    modified_ns: i64,
    /// When it was seen first as it is now.
    since: UnixMillis,
    /// Not before this.
    again: Option<UnixMillis>,
    trouble: Option<String>,
}

/// From one moment to a later one. When the clock was set back it is long ago, so
/// that nothing waits for it to catch up.
fn passed(from: UnixMillis, to: UnixMillis) -> u64 {
    to.0.checked_sub(from.0).unwrap_or(u64::MAX)
}

fn key(file: &Dropped) -> (OsString, bool) {
    (file.name.clone(), file.claimed)
}

impl Memory {
    /// Whether it is time to look; other workers' changes wake this one as well.
    pub fn may_look(&mut self, now: UnixMillis) -> bool {
        let due = self.looked.is_none_or(|then| passed(then, now) >= BETWEEN_LOOKS_MS);
        if due {
            self.looked = Some(now);
        }
        due
    }

    /// Notes that the folder cannot be used, and tells whether that is news.
    pub fn folder_is_away(&mut self, cause: &str) -> bool {
        let news = self.away.as_deref() != Some(cause);
        self.away = Some(cause.to_owned());
        news
    }

    /// Those of the files found that may be opened now: claims, and what has
    /// stood still since an earlier look.
    pub fn ready(&mut self, found: &[Dropped], now: UnixMillis) -> Vec<Dropped> {
        self.away = None;
        let mut former = std::mem::take(&mut self.files);
        let mut ready = Vec::new();
        for file in found {
            let same = former.remove(&key(file)).filter(|known| {
                (known.size_bytes, known.modified_ns) == (file.size_bytes, file.modified_ns)
            });
            let is_still = file.claimed || same.is_some();
            let mut known = same.unwrap_or(Remembered {
                size_bytes: file.size_bytes,
                modified_ns: file.modified_ns,
                since: now,
                again: None,
                trouble: None,
            });
            known.since = known.since.min(now);
            // A time that lies far ahead was noted before the clock was set back.
            let waits = |again: UnixMillis| again > now && again.0 - now.0 <= AGAIN_MS;
            if is_still && !known.again.is_some_and(waits) {
                ready.push(file.clone());
            }
            self.files.insert(key(file), known);
        }
        let files = &self.files;
        self.accepted.retain(|name| files.contains_key(&(name.clone(), true)));
        ready
    }

    /// Whether a file that is cut off may still be growing.
    pub fn may_grow(&mut self, file: &Dropped, now: UnixMillis) -> bool {
        let Some(known) = self.files.get_mut(&key(file)) else { return false };
        known.again = Some(UnixMillis(now.0 + GROWS_MS));
        passed(known.since, now) < GRACE_MS
    }

    /// Leaves a file alone for a while, and tells whether its trouble is news.
    pub fn put_off(&mut self, file: &Dropped, trouble: &str, now: UnixMillis) -> bool {
        let Some(known) = self.files.get_mut(&key(file)) else { return true };
        known.again = Some(UnixMillis(now.0 + AGAIN_MS));
        let news = known.trouble.as_deref() != Some(trouble);
        known.trouble = Some(trouble.to_owned());
        news
    }

    /// Notes that the content of a file was accepted, until it is filed away.
    pub fn accepted(&mut self, file: &Dropped) {
        self.accepted.insert(file.name.clone());
    }

    /// Whether this is a claim whose content was accepted.
    pub fn is_accepted(&self, file: &Dropped) -> bool {
        file.claimed && self.accepted.contains(&file.name)
    }

    /// The files that could not be taken in, with the reason, by name.
    pub fn left(&self) -> Vec<(OsString, String)> {
        let mut left: Vec<(OsString, String)> = self
            .files
            .iter()
            .filter_map(|((name, _), known)| Some((name.clone(), known.trouble.clone()?)))
            .collect();
        left.sort();
        left
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    fn file(size_bytes: u64, modified_ns: i64) -> Dropped {
        Dropped { name: "a.torrent".into(), size_bytes, modified_ns, claimed: false }
    }

    fn at(seconds: u64) -> UnixMillis {
        UnixMillis(1_000_000 + seconds * 1000)
    }

    #[test]
    fn trouble_is_told_once_and_tried_again() {
        spec!("watch-folder#trouble-is-told/an-unreadable-file");
        let mut memory = Memory::default();
        let found = [file(1, 1)];
        assert_eq!(memory.ready(&found, at(0)), []);
        assert_eq!(memory.ready(&found, at(2)).len(), 1);
        assert!(memory.put_off(&found[0], "EACCES", at(2)));
        assert_eq!(memory.ready(&found, at(61)), []);
        assert_eq!(memory.ready(&found, at(62)).len(), 1);
        assert!(!memory.put_off(&found[0], "EACCES", at(62)), "told already");
        assert!(memory.put_off(&found[0], "EIO", at(62)), "another trouble is news");
        assert_eq!(memory.left().len(), 1);
        assert_eq!(memory.ready(&[], at(63)), []);
        assert_eq!(memory.left(), []);
        assert!(memory.folder_is_away("ENOENT") && !memory.folder_is_away("ENOENT"));
    }

    #[test]
    fn a_clock_that_was_set_back_holds_nothing_up() {
        spec!("watch-folder#a-file-is-whole/the-clock-is-set-back");
        let mut memory = Memory::default();
        let found = [file(1, 1)];
        assert!(memory.may_look(at(500_000)));
        memory.ready(&found, at(500_000));
        memory.put_off(&found[0], "EIO", at(500_000));
        assert!(memory.may_look(at(10)));
        assert_eq!(memory.ready(&found, at(10)).len(), 1);
        assert!(memory.may_grow(&found[0], at(69)), "the grace begins anew");
        assert!(!memory.may_grow(&found[0], at(70)));
    }

    proptest! {
        /// Whatever the sequence of looks, a file is ready only when the look
        /// before saw it the same.
        #[test]
        fn only_what_stood_still_is_ready(sizes in prop::collection::vec(0..3_u64, 1..30)) {
            spec!("watch-folder#a-file-is-whole/still-being-written");
            let mut memory = Memory::default();
            let mut before = None;
            for (turn, size) in sizes.into_iter().enumerate() {
                let ready = memory.ready(&[file(size, 1)], at(turn as u64 * 2));
                prop_assert_eq!(!ready.is_empty(), before == Some(size));
                before = Some(size);
            }
        }
    }
}
