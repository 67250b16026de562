//! The port `Files` on the disks of this machine.

mod copy;

pub(crate) use copy::open_source;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, Filesystem};

use crate::errno::{errno_kind, errno_name, errno_of};

/// What is assumed where a filesystem does not tell its limit.
const USUAL_NAME_LIMIT: usize = 255;

/// The disks of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalFiles;

/// Turns an error number into the error of the port.
pub(crate) fn fail(operation: &'static str, path: &Path) -> impl Fn(Errno) -> FilesError {
    move |errno| FilesError {
        operation,
        path: path.display().to_string(),
        errno: errno_name(errno),
        kind: errno_kind(errno),
    }
}

impl Files for LocalFiles {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        match rustix::fs::lstat(path) {
            Ok(stat) => Ok(Some(convert(&stat))),
            // Nothing can be below a file, so nothing is there.
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(errno) => Err(fail("stat", path)(errno)),
        }
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        // Without AT_SYMLINK_FOLLOW a symbolic link is linked itself, never what
        // it leads to.
        rustix::fs::linkat(CWD, source, CWD, target, AtFlags::empty()).map_err(fail("link", target))
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        copy::clone_file(source, target)
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        copy::copy_file(source, target, progress)
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        rustix::fs::symlink(to, link).map_err(fail("symlink", link))
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        std::fs::read_link(link).map_err(|error| fail("readlink", link)(errno_of(&error)))
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        copy::new_file(path).map(drop)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            // Old kernels and some network filesystems do not know the flag.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => rename_by_link(from, to),
            Err(errno) => Err(fail("rename", to)(errno)),
        }
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        rustix::fs::unlink(path).map_err(fail("unlink", path))
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        match rustix::fs::mkdir(path, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) if self.stat(path)?.is_some_and(|stat| stat.is_dir) => Ok(false),
            Err(errno) => Err(fail("mkdir", path)(errno)),
        }
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        match rustix::fs::rmdir(path) {
            Ok(()) => Ok(true),
            // POSIX allows either word for "not empty"; busy is a mount point.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::BUSY) => Ok(false),
            Err(errno) => Err(fail("rmdir", path)(errno)),
        }
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(path, flags, Mode::empty()).map_err(fail("open", path))?;
        match rustix::fs::fsync(folder) {
            // Filesystems that cannot sync a folder write its names at once.
            Ok(()) | Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(errno) => Err(fail("fsync", path)(errno)),
        }
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        let failed = |error: std::io::Error| fail("list", path)(errno_of(&error));
        std::fs::read_dir(path)
            .map_err(failed)?
            .map(|entry| entry.map(|entry| entry.file_name()).map_err(failed))
            .collect()
    }

    fn name_limit(&self, path: &Path) -> Result<usize, FilesError> {
        let limits = rustix::fs::statvfs(path).map_err(fail("statvfs", path))?;
        let limit = usize::try_from(limits.f_namemax).unwrap_or(USUAL_NAME_LIMIT);
        Ok(if limit == 0 { USUAL_NAME_LIMIT } else { limit })
    }

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        crate::filesystem::of(path)
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        let limits = rustix::fs::statvfs(path).map_err(fail("statvfs", path))?;
        // `f_bavail`: what is left for us, without the reserve of root.
        Ok(limits.f_bavail.saturating_mul(limits.f_frsize))
    }
}

pub(crate) fn convert(stat: &rustix::fs::Stat) -> FileStat {
    let kind = FileType::from_raw_mode(stat.st_mode);
    FileStat {
        #[allow(clippy::useless_conversion, reason = "the width differs between architectures")]
        identity: FileIdentity { device: stat.st_dev.into(), inode: stat.st_ino.into() },
        size_bytes: u64::try_from(stat.st_size).unwrap_or(0),
        is_file: kind == FileType::RegularFile,
        is_dir: kind == FileType::Directory,
        is_symlink: kind == FileType::Symlink,
        #[allow(clippy::useless_conversion, reason = "the width differs between architectures")]
        links: stat.st_nlink.into(),
        modified_ns: modified_ns(stat),
    }
}

#[allow(clippy::useless_conversion, reason = "the width differs between architectures")]
fn modified_ns(stat: &rustix::fs::Stat) -> i64 {
    let (seconds, rest): (i64, u64) = (stat.st_mtime.into(), stat.st_mtime_nsec.into());
    // It is compared for being the same, so an overflow does no harm.
    seconds.wrapping_mul(1_000_000_000).wrapping_add(i64::try_from(rest).unwrap_or(0))
}

/// A second name refuses to overwrite as well; for a moment both are there.
fn rename_by_link(from: &Path, to: &Path) -> Result<(), FilesError> {
    match rustix::fs::linkat(CWD, from, CWD, to, AtFlags::empty()) {
        Ok(()) => {}
        // No hard links either. `EPERM` may also mean a file of somebody else,
        // which a rename may move where its folder allows it.
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS) => return rename_after_a_look(from, to),
        Err(errno) => return Err(fail("rename", to)(errno)),
    }
    rustix::fs::unlink(from).map_err(|errno| {
        // Without this the caller would hold two names after a failure.
        let _ = rustix::fs::unlink(to);
        fail("rename", from)(errno)
    })
}

/// The last resort, where the filesystem has nothing better: between the look
/// and the rename another program could make a file that is then lost.
fn rename_after_a_look(from: &Path, to: &Path) -> Result<(), FilesError> {
    match rustix::fs::lstat(to) {
        Err(Errno::NOENT) => {}
        Ok(_) => return Err(fail("rename", to)(Errno::EXIST)),
        Err(errno) => return Err(fail("rename", to)(errno)),
    }
    rustix::fs::renameat(CWD, from, CWD, to).map_err(fail("rename", to))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use tracker_domain::ports::FilesErrorKind;
    use tracker_testkit::files_contract;

    use super::*;

    fn make_file(path: &Path, size: u64) {
        File::create(path).unwrap().set_len(size).unwrap();
    }

    #[test]
    fn the_disk_keeps_the_contract() {
        let folder = tempfile::tempdir().unwrap();
        files_contract(&LocalFiles, folder.path(), &make_file, &|path, to| {
            symlink(to, path).unwrap();
        });
    }

    #[test]
    fn a_symbolic_link_is_linked_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, copy) =
            (folder.path().join("f"), folder.path().join("l"), folder.path().join("c"));
        make_file(&file, 1);
        symlink(&file, &link).unwrap();
        LocalFiles.hard_link(&link, &copy).unwrap();
        assert!(!LocalFiles.stat(&copy).unwrap().unwrap().is_file);
    }

    #[test]
    fn the_fallback_does_not_overwrite_either() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b, c) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        make_file(&a, 1);
        make_file(&b, 2);
        assert_eq!(rename_by_link(&a, &b).unwrap_err().kind, FilesErrorKind::Exists);
        rename_by_link(&a, &c).unwrap();
        assert_eq!(LocalFiles.stat(&a).unwrap(), None);
        assert_eq!(LocalFiles.stat(&c).unwrap().unwrap().size_bytes, 1);
        assert_eq!(LocalFiles.stat(&b).unwrap().unwrap().size_bytes, 2);
    }

    #[test]
    fn the_last_resort_does_not_overwrite_what_it_sees() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b, c) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        make_file(&a, 1);
        make_file(&b, 2);
        assert_eq!(rename_after_a_look(&a, &b).unwrap_err().kind, FilesErrorKind::Exists);
        rename_after_a_look(&a, &c).unwrap();
        assert_eq!(LocalFiles.stat(&a).unwrap(), None);
        assert_eq!(LocalFiles.stat(&c).unwrap().unwrap().size_bytes, 1);
        assert_eq!(LocalFiles.stat(&b).unwrap().unwrap().size_bytes, 2);
    }

    #[test]
    fn below_a_file_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        make_file(&file, 1);
        assert_eq!(LocalFiles.stat(&file.join("below")).unwrap(), None);
    }

    #[test]
    fn two_filesystems_cannot_share_a_file() {
        // The kernel's own filesystem of processes is another one everywhere.
        let folder = tempfile::tempdir().unwrap();
        let error =
            LocalFiles.hard_link(Path::new("/proc/version"), &folder.path().join("x")).unwrap_err();
        assert_eq!((error.kind, error.errno.as_str()), (FilesErrorKind::CrossDevice, "EXDEV"));
    }

    #[test]
    fn what_is_denied_is_denied() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        make_file(&file, 1);
        std::fs::create_dir(folder.path().join("closed")).unwrap();
        let closed = folder.path().join("closed");
        std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o500)).unwrap();
        let linked = LocalFiles.hard_link(&file, &closed.join("x"));
        // Root may write anywhere.
        if rustix::process::geteuid().is_root() {
            assert_eq!(linked, Ok(()));
        } else {
            assert_eq!(linked.unwrap_err().kind, FilesErrorKind::Denied);
        }
    }
}
