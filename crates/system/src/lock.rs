//! The two locks of a data directory.
//!
//! `tracker.lock`: every process holds it shared; who migrates or restores holds
//! it alone for that long. `tracker.workers.lock`: one process runs the workers.
//! Both are `flock`s, so the kernel lets go of them when a process dies, however
//! it dies. The files themselves stay and mean nothing.

use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::errno::{errno_name, errno_of};

/// The lock that every process holds.
const DATA_LOCK: &str = "tracker.lock";

/// The lock of the process that runs the workers.
const WORKER_LOCK: &str = "tracker.workers.lock";

/// Where the kernel lists who holds what.
const KERNEL_LOCKS: &str = "/proc/locks";

/// How long to wait between two tries.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a lock was not given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("{} is held by {}", path.display(), Holders(pids))]
    Held {
        /// The lock.
        path: PathBuf,
        /// The holders, as far as they can be known: not across containers.
        pids: Vec<u32>,
    },
    /// The system refused.
    #[error("cannot {operation} {}: {errno}", path.display())]
    Failed {
        /// What was tried.
        operation: &'static str,
        /// On which file.
        path: PathBuf,
        /// The system's name for the cause.
        errno: String,
    },
}

struct Holders<'a>(&'a [u32]);

impl fmt::Display for Holders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("another process");
        }
        let pids: Vec<String> = self.0.iter().map(u32::to_string).collect();
        let word = if pids.len() == 1 { "process" } else { "processes" };
        write!(f, "{word} {}", pids.join(", "))
    }
}

/// The data directory is in use by us, as it may be by others.
#[derive(Debug)]
pub struct SharedLock(Lock);

/// The data directory is ours alone.
#[derive(Debug)]
pub struct ExclusiveLock(Lock);

/// This process runs the workers.
#[derive(Debug)]
pub struct WorkerLock(Lock);

impl SharedLock {
    /// Waits until nobody holds the directory alone. Blocks the thread.
    ///
    /// # Errors
    /// [`LockError::Held`] after the time is over.
    pub fn acquire(data_dir: &Path, timeout: Duration) -> Result<Self, LockError> {
        let lock = Lock::open(&data_dir.join(DATA_LOCK))?;
        lock.wait(FlockOperation::NonBlockingLockShared, timeout)?;
        Ok(SharedLock(lock))
    }

    /// Waits to be alone. The shared lock is given up for that, and is lost when
    /// it fails: flock cannot change one lock into the other in one step.
    ///
    /// # Errors
    /// [`LockError::Held`] with the other holders after the time is over.
    pub fn into_exclusive(self, timeout: Duration) -> Result<ExclusiveLock, LockError> {
        self.0.wait(FlockOperation::NonBlockingLockExclusive, timeout)?;
        Ok(ExclusiveLock(self.0))
    }
}

impl ExclusiveLock {
    /// Waits until nobody else uses the directory. Blocks the thread.
    ///
    /// # Errors
    /// [`LockError::Held`] with the holders after the time is over.
    pub fn acquire(data_dir: &Path, timeout: Duration) -> Result<Self, LockError> {
        let lock = Lock::open(&data_dir.join(DATA_LOCK))?;
        lock.wait(FlockOperation::NonBlockingLockExclusive, timeout)?;
        Ok(ExclusiveLock(lock))
    }

    /// Goes on as one of many. Another process may be alone for a moment in
    /// between, so what was read before has to be read again.
    ///
    /// # Errors
    /// [`LockError::Held`] when another process took it and keeps it.
    pub fn into_shared(self, timeout: Duration) -> Result<SharedLock, LockError> {
        self.0.wait(FlockOperation::NonBlockingLockShared, timeout)?;
        Ok(SharedLock(self.0))
    }
}

impl WorkerLock {
    /// Becomes the process that runs the workers, or tells who is it.
    ///
    /// # Errors
    /// [`LockError::Held`] at once when another process is.
    pub fn acquire(data_dir: &Path) -> Result<Self, LockError> {
        let lock = Lock::open(&data_dir.join(WORKER_LOCK))?;
        lock.wait(FlockOperation::NonBlockingLockExclusive, Duration::ZERO)?;
        lock.sign()?;
        Ok(WorkerLock(lock))
    }

    /// The process that runs the workers of a data directory, if one does and
    /// the kernel tells. Only looks: trying the lock would keep it from a process
    /// that starts at this moment.
    #[must_use]
    pub fn holder(data_dir: &Path) -> Option<u32> {
        kernel_holders(&File::open(data_dir.join(WORKER_LOCK)).ok()?).first().copied()
    }

    /// The file of the lock.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

/// An open lock file. Closing it lets go of the lock.
#[derive(Debug)]
struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    fn open(path: &Path) -> Result<Self, LockError> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = rustix::fs::open(path, flags, Mode::from_raw_mode(0o600));
        let file = file.map_err(|errno| failed("open", path, errno))?;
        Ok(Lock { file: File::from(file), path: path.to_path_buf() })
    }

    /// Tries until the time is over; at least once. Counts its pauses, since a
    /// clock may jump.
    #[expect(
        clippy::disallowed_methods,
        reason = "blocking by contract; runs at start or off the async threads"
    )]
    fn wait(&self, operation: FlockOperation, timeout: Duration) -> Result<(), LockError> {
        let mut pauses = timeout.as_millis().div_ceil(PAUSE.as_millis());
        loop {
            match rustix::fs::flock(&self.file, operation) {
                Ok(()) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if pauses == 0 => {
                    return Err(LockError::Held { path: self.path.clone(), pids: self.holders() });
                }
                Err(Errno::WOULDBLOCK) => {
                    pauses -= 1;
                    std::thread::sleep(PAUSE);
                }
                Err(errno) => return Err(failed("lock", &self.path, errno)),
            }
        }
    }

    /// Writes our number into the file, for people and where the kernel does not
    /// tell.
    fn sign(&self) -> Result<(), LockError> {
        let text = format!("{}\n", std::process::id());
        self.file
            .set_len(0)
            .and_then(|()| self.file.write_all_at(text.as_bytes(), 0))
            .map_err(|error| failed("write", &self.path, errno_of(&error)))
    }

    /// Who holds it: the kernel's word, else what the last holder wrote.
    fn holders(&self) -> Vec<u32> {
        let told = kernel_holders(&self.file);
        if told.is_empty() { self.signed().into_iter().collect() } else { told }
    }

    fn signed(&self) -> Option<u32> {
        let mut bytes = [0u8; 16];
        let length = self.file.read_at(&mut bytes, 0).ok()?;
        std::str::from_utf8(bytes.get(..length)?).ok()?.trim().parse().ok()
    }
}

/// Who holds a lock on a file, as far as the kernel tells.
fn kernel_holders(file: &File) -> Vec<u32> {
    let told = rustix::fs::fstat(file).ok().zip(std::fs::read_to_string(KERNEL_LOCKS).ok());
    told.map_or_else(Vec::new, |(stat, list)| {
        let device = (rustix::fs::major(stat.st_dev), rustix::fs::minor(stat.st_dev));
        holders_in(&list, device, stat.st_ino)
    })
}

fn failed(operation: &'static str, path: &Path, errno: Errno) -> LockError {
    LockError::Failed { operation, path: path.to_path_buf(), errno: errno_name(errno) }
}

/// The holders of an inode in the kernel's list, whose lines look like
/// `1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF`. On some filesystems the
/// device there is another one than `stat` tells; then the inode has to do.
fn holders_in(list: &str, (major, minor): (u32, u32), inode: u64) -> Vec<u32> {
    let mut exact = Vec::new();
    let mut similar = Vec::new();
    for line in list.lines() {
        let mut words = line.split_whitespace().skip(1);
        // A line of somebody who waits has an arrow here instead.
        if words.next() != Some("FLOCK") {
            continue;
        }
        let Some(pid) = words.nth(2).and_then(|word| word.parse::<u32>().ok()) else { continue };
        let Some(place) = words.next() else { continue };
        let mut parts = place.split(':');
        let mut hex = || parts.next().and_then(|part| u32::from_str_radix(part, 16).ok());
        let device = (hex(), hex());
        let found = parts.next().and_then(|part| part.parse::<u64>().ok());
        // A holder in another container has the number 0 here.
        if found != Some(inode) || pid == 0 {
            continue;
        }
        let list = if device == (Some(major), Some(minor)) { &mut exact } else { &mut similar };
        if !list.contains(&pid) {
            list.push(pid);
        }
    }
    if exact.is_empty() { similar } else { exact }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const SHORT: Duration = Duration::from_millis(60);

    fn held(result: Result<impl fmt::Debug, LockError>) -> Vec<u32> {
        match result.unwrap_err() {
            LockError::Held { pids, .. } => pids,
            LockError::Failed { errno, .. } => unreachable!("{errno}"),
        }
    }

    #[test]
    fn many_share_and_one_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let ours = [std::process::id()];
        let one = SharedLock::acquire(dir, SHORT).unwrap();
        let two = SharedLock::acquire(dir, SHORT).unwrap();
        assert_eq!(held(ExclusiveLock::acquire(dir, SHORT)), ours);
        drop(one);
        assert_eq!(held(ExclusiveLock::acquire(dir, SHORT)), ours);
        drop(two);
        let alone = ExclusiveLock::acquire(dir, SHORT).unwrap();
        assert_eq!(held(SharedLock::acquire(dir, SHORT)), ours);
        assert_eq!(held(ExclusiveLock::acquire(dir, SHORT)), ours);
        let shared = alone.into_shared(SHORT).unwrap();
        SharedLock::acquire(dir, SHORT).unwrap();
        assert_eq!(held(ExclusiveLock::acquire(dir, SHORT)), ours);
        let alone = shared.into_exclusive(SHORT).unwrap();
        assert_eq!(held(SharedLock::acquire(dir, SHORT)), ours);
        drop(alone);
        ExclusiveLock::acquire(dir, SHORT).unwrap();
    }

    #[test]
    fn waiting_ends_when_the_other_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let lock = SharedLock::acquire(folder.path(), SHORT).unwrap();
        std::thread::scope(|scope| {
            let waiting =
                scope.spawn(|| ExclusiveLock::acquire(folder.path(), Duration::from_secs(60)));
            drop(lock);
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn one_process_runs_the_workers() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(WorkerLock::holder(folder.path()), None);
        let first = WorkerLock::acquire(folder.path()).unwrap();
        let error = WorkerLock::acquire(folder.path()).unwrap_err();
        let pid = std::process::id();
        assert!(error.to_string().ends_with(&format!("is held by process {pid}")), "{error}");
        assert_eq!(WorkerLock::holder(folder.path()), Some(pid));
        assert_eq!(std::fs::read_to_string(first.path()).unwrap(), format!("{pid}\n"));
        // The two locks have nothing to do with each other.
        ExclusiveLock::acquire(folder.path(), SHORT).unwrap();
        drop(first);
        assert_eq!(WorkerLock::holder(folder.path()), None);
        WorkerLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn a_missing_directory_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let error = SharedLock::acquire(&folder.path().join("none"), SHORT).unwrap_err();
        assert!(error.to_string().ends_with("ENOENT"), "{error}");
    }

    #[test]
    fn the_kernels_list_is_read() {
        let list = "\
1: POSIX  ADVISORY  WRITE 10 fe:01:5678 0 EOF
2: FLOCK  ADVISORY  WRITE 11 fe:01:5678 0 EOF
2: -> FLOCK  ADVISORY  WRITE 12 fe:01:5678 0 EOF
3: FLOCK  ADVISORY  READ 13 00:2b:5678 0 EOF
4: FLOCK  ADVISORY  READ 0 fe:01:5678 0 EOF
5: FLOCK  ADVISORY  READ 14 fe:01:9 0 EOF
garbage";
        assert_eq!(holders_in(list, (0xfe, 1), 5678), [11]);
        assert_eq!(holders_in(list, (7, 7), 5678), [11, 13]);
        assert_eq!(holders_in(list, (7, 7), 1), [] as [u32; 0]);
        assert_eq!(Holders(&[]).to_string(), "another process");
        assert_eq!(Holders(&[1, 2]).to_string(), "processes 1, 2");
    }
}
