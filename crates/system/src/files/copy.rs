//! New files with the content of another one: cloned, or copied in chunks. A
//! target is always new, and it is gone again after a failure.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use tracker_domain::ports::{FilesError, FilesErrorKind};

use super::fail;
use crate::errno::errno_of;

/// So much is read and written at once: big enough for disks that turn, small
/// enough that a copy can be slowed down and stopped.
const CHUNK: usize = 1 << 20;

/// After so much the copy waits for the disk: what is only in memory would make
/// others wait, the database first of all, when it is written out at once.
const SYNC_EVERY: usize = 16 << 20;

/// A new empty file.
pub fn new_file(path: &Path) -> Result<File, FilesError> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let made = rustix::fs::openat(CWD, path, flags, Mode::from_raw_mode(0o666));
    made.map(File::from).map_err(fail("create", path))
}

/// A regular file, never through a symbolic link, and never waiting for the
/// other end of a pipe.
pub fn open_source(path: &Path) -> Result<File, FilesError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(fail("open", path))?;
    let stat = rustix::fs::fstat(&file).map_err(fail("stat", path))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(fail("open", path)(Errno::INVAL));
    }
    Ok(File::from(file))
}

pub fn clone_file(source: &Path, target: &Path) -> Result<(), FilesError> {
    let from = open_source(source)?;
    into_new(target, |to| match rustix::fs::ioctl_ficlone(to, &from) {
        Ok(()) => Ok(()),
        // Some filesystems refuse in this way what they cannot do.
        Err(Errno::INVAL) => Err(FilesError {
            kind: FilesErrorKind::Unsupported,
            ..fail("clone", target)(Errno::INVAL)
        }),
        Err(errno) => Err(fail("clone", target)(errno)),
    })
}

pub fn copy_file(
    source: &Path,
    target: &Path,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), FilesError> {
    let mut from = open_source(source)?;
    into_new(target, |to| {
        let mut chunk = vec![0; CHUNK];
        let mut unsynced = 0;
        loop {
            let read = match from.read(&mut chunk) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(fail("read", source)(errno_of(&error))),
            };
            let bytes = chunk.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                return Ok(());
            }
            to.write_all(bytes).map_err(|error| fail("write", target)(errno_of(&error)))?;
            unsynced += read;
            if unsynced >= SYNC_EVERY {
                unsynced = 0;
                to.sync_data().map_err(|error| fail("fsync", target)(errno_of(&error)))?;
            }
            if !progress(read as u64) {
                return Err(fail("copy", target)(Errno::CANCELED));
            }
        }
    })
}

/// Fills a new file and makes it durable, or removes it.
fn into_new(
    target: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), FilesError>,
) -> Result<(), FilesError> {
    let mut to = new_file(target)?;
    let filled = fill(&mut to).and_then(|()| rustix::fs::fsync(&to).map_err(fail("fsync", target)));
    if filled.is_err() {
        // The first failure is the one to tell.
        let _ = rustix::fs::unlink(target);
    }
    filled
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_copy_tells_its_bytes_and_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let bytes: Vec<u8> = (0..CHUNK * 2 + 7).map(|at| (at % 251) as u8).collect();
        std::fs::write(&a, &bytes).unwrap();
        let mut told = 0;
        let stopped = copy_file(&a, &b, &mut |bytes| {
            told += bytes;
            false
        });
        assert_eq!(stopped.unwrap_err().errno, "ECANCELED");
        assert_eq!(told, CHUNK as u64, "after the first chunk");
        assert!(!b.exists(), "nothing is left");
        told = 0;
        copy_file(&a, &b, &mut |bytes| {
            told += bytes;
            true
        })
        .unwrap();
        assert_eq!(told, bytes.len() as u64);
        assert_eq!(std::fs::read(&b).unwrap(), bytes);
        let again = copy_file(&a, &b, &mut |_| true).unwrap_err();
        assert_eq!(again.kind, FilesErrorKind::Exists);
        assert_eq!(std::fs::read(&b).unwrap(), bytes, "what is there stays");
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (a, link, to) =
            (folder.path().join("a"), folder.path().join("l"), folder.path().join("t"));
        std::fs::write(&a, b"x").unwrap();
        symlink(&a, &link).unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        for source in [link.as_path(), folder.path(), pipe.as_path()] {
            assert!(copy_file(source, &to, &mut |_| true).is_err(), "{}", source.display());
            assert!(clone_file(source, &to).is_err(), "{}", source.display());
            assert!(!to.exists());
        }
    }
}
