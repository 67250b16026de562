//! The data directory: whose it is, and files in it that only we may read.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::errno::{errno_name, errno_of};
use crate::users::user_name;

/// How many left-over temporary names are passed over.
const MOST_LEFTOVERS: u32 = 64;

/// Why the data directory cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataDirError {
    /// It belongs to another user.
    #[error("the data directory {} belongs to {}", path.display(), owner(*uid, owner_name.as_deref()))]
    WrongOwner {
        /// The directory.
        path: PathBuf,
        /// Its owner.
        uid: u32,
        /// The owner's name, where the machine knows it.
        owner_name: Option<String>,
    },
    /// It is a file.
    #[error("{} is not a directory", .0.display())]
    NotADirectory(PathBuf),
    /// The system refused.
    #[error("cannot {operation} {}: {errno}", path.display())]
    Failed {
        /// What was tried.
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's name for the cause.
        errno: String,
    },
}

fn owner(uid: u32, name: Option<&str>) -> String {
    name.map_or_else(|| format!("uid {uid}"), |name| format!("{name} (uid {uid})"))
}

fn fail(operation: &'static str, path: &Path) -> impl Fn(Errno) -> DataDirError {
    move |errno| DataDirError::Failed {
        operation,
        path: path.to_path_buf(),
        errno: errno_name(errno),
    }
}

/// Makes the data directory (0750) where it is missing, and refuses one that
/// belongs to another user.
///
/// # Errors
/// [`DataDirError`]; a directory of another user is refused to root as well,
/// since root would leave files there that the owner cannot read.
pub fn ensure_data_dir(path: &Path) -> Result<(), DataDirError> {
    if data_dir_is_ours(path)? {
        return tighten(path);
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(parent)
            .map_err(|error| fail("make", parent)(errno_of(&error)))?;
    }
    let mode = Mode::from_raw_mode(0o750);
    match rustix::fs::mkdir(path, mode) {
        // The umask may have taken away what the group needs.
        Ok(()) => rustix::fs::chmod(path, mode).map_err(fail("chmod", path))?,
        // Another process of ours was faster.
        Err(Errno::EXIST) => {}
        Err(errno) => return Err(fail("make", path)(errno)),
    }
    data_dir_is_ours(path).map(|_| ())
}

/// Takes from others what a data directory that a person made gives them. Only
/// where it clearly is one: empty, or with our database in it.
fn tighten(path: &Path) -> Result<(), DataDirError> {
    let stat = rustix::fs::stat(path).map_err(fail("look at", path))?;
    let mode = Mode::from_raw_mode(stat.st_mode);
    let allowed = Mode::from_raw_mode(0o750);
    let plain = Mode::from_raw_mode(0o777);
    let is_data_dir = path.join("tracker.db").exists()
        || std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if mode.intersection(plain).difference(allowed).is_empty() || !is_data_dir {
        return Ok(());
    }
    rustix::fs::chmod(path, mode.intersection(allowed)).map_err(fail("chmod", path))
}

/// Whether the data directory is there; one that is there has to be ours.
///
/// # Errors
/// [`DataDirError`].
pub fn data_dir_is_ours(path: &Path) -> Result<bool, DataDirError> {
    let stat = match rustix::fs::stat(path) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(false),
        Err(errno) => return Err(fail("look at", path)(errno)),
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
        return Err(DataDirError::NotADirectory(path.to_path_buf()));
    }
    check_owner(path, stat.st_uid, rustix::process::geteuid().as_raw()).map(|()| true)
}

fn check_owner(path: &Path, uid: u32, ours: u32) -> Result<(), DataDirError> {
    if uid == ours {
        return Ok(());
    }
    Err(DataDirError::WrongOwner { path: path.to_path_buf(), uid, owner_name: user_name(uid) })
}

/// Writes a whole file with exactly this mode, or leaves the old one: never a
/// half file, and never a moment in which others can read it.
///
/// # Errors
/// [`DataDirError::Failed`].
pub fn write_private(path: &Path, bytes: &[u8], mode: u32) -> Result<(), DataDirError> {
    let mode = Mode::from_raw_mode(mode);
    let (temporary, file) = create_beside(path, mode)?;
    let written = fill(file, bytes, mode, &temporary)
        .and_then(|()| rustix::fs::rename(&temporary, path).map_err(fail("rename", path)));
    if written.is_err() {
        let _ = rustix::fs::unlink(&temporary);
    }
    written?;
    let folder = folder_of(path);
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(folder, flags, Mode::empty()).map_err(fail("open", folder))?;
    rustix::fs::fsync(opened).map_err(fail("fsync", folder))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn fill(mut file: File, bytes: &[u8], mode: Mode, path: &Path) -> Result<(), DataDirError> {
    // Made exact here: the umask applied when it was created.
    rustix::fs::fchmod(&file, mode).map_err(fail("chmod", path))?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(|error| fail("write", path)(errno_of(&error)))
}

/// A new file beside the path. A name that a killed process left is passed over.
fn create_beside(path: &Path, mode: Mode) -> Result<(PathBuf, File), DataDirError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut last = Errno::EXIST;
    for attempt in 0..MOST_LEFTOVERS {
        let temporary =
            folder_of(path).join(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match rustix::fs::open(&temporary, flags, mode) {
            Ok(file) => return Ok((temporary, File::from(file))),
            Err(Errno::EXIST) => {}
            Err(errno) => {
                last = errno;
                break;
            }
        }
    }
    Err(fail("create", path)(last))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn it_is_made_with_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/data");
        assert_eq!(data_dir_is_ours(&path), Ok(false));
        ensure_data_dir(&path).unwrap();
        assert_eq!(mode(&path), 0o750);
        ensure_data_dir(&path).unwrap();
        assert_eq!(data_dir_is_ours(&path), Ok(true));
    }

    #[test]
    fn one_that_a_person_made_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::create_dir(&path).unwrap();
        rustix::fs::chmod(&path, Mode::from_raw_mode(0o755)).unwrap();
        ensure_data_dir(&path).unwrap();
        assert_eq!(mode(&path), 0o750);
        // A folder with other things in it may be anybody's: it stays.
        let shared = folder.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        std::fs::write(shared.join("letter.txt"), "").unwrap();
        rustix::fs::chmod(&shared, Mode::from_raw_mode(0o755)).unwrap();
        ensure_data_dir(&shared).unwrap();
        assert_eq!(mode(&shared), 0o755);
    }

    #[test]
    fn a_file_is_no_directory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "").unwrap();
        assert_eq!(ensure_data_dir(&path), Err(DataDirError::NotADirectory(path.clone())));
    }

    #[test]
    fn another_owner_is_refused_and_named() {
        let error = check_owner(Path::new("/srv/tracker"), 0, 1000).unwrap_err();
        assert_eq!(error.to_string(), "the data directory /srv/tracker belongs to root (uid 0)");
        let nobody = check_owner(Path::new("/d"), 4_000_000, 0).unwrap_err();
        assert_eq!(nobody.to_string(), "the data directory /d belongs to uid 4000000");
        assert_eq!(check_owner(Path::new("/d"), 5, 5), Ok(()));
    }

    #[test]
    fn private_files_are_whole_and_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("api-token");
        write_private(&path, b"one", 0o600).unwrap();
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"one"[..], 0o600));
        // What a killed process left does not stand in the way.
        let leftover = format!(".api-token.{}-0.tmp", std::process::id());
        std::fs::write(folder.path().join(&leftover), "half").unwrap();
        write_private(&path, b"two", 0o640).unwrap();
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"two"[..], 0o640));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

        let missing = folder.path().join("no/such");
        let error = write_private(&missing, b"x", 0o600).unwrap_err();
        assert!(
            matches!(&error, DataDirError::Failed { errno, .. } if errno == "ENOENT"),
            "{error}"
        );
    }

    #[test]
    fn a_failure_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("target");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("inside"), "").unwrap();
        write_private(&path, b"x", 0o600).unwrap_err();
        assert!(path.join("inside").exists());
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }
}
