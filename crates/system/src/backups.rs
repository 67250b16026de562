//! The port `BackupTarget` in a folder of this machine: an object is a file, its
//! mark a second one beside it.
//!
//! The mark is written first and the object gets its name last, so that an object
//! that is there has its mark whoever dies in between.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use tracker_domain::ports::{
    BackupMark, BackupTarget, BackupTargetError, Files, FilesError, FilesErrorKind, StoredBackup,
};

use crate::LocalFiles;
use crate::errno::{errno_kind, errno_name, errno_of};

/// What the name of a mark has behind that of its object.
const MARK: &str = ".mark";

/// The front and the end of the name of a file that is being written.
const PART: (&str, &str) = (".tracker-", ".part");

/// More than a mark has.
const MARK_LIMIT: u64 = 4096;

const PRIVATE: Mode = Mode::from_raw_mode(0o600);

/// A folder that backups are put to.
#[derive(Clone, Debug)]
pub struct LocalBackups {
    folder: PathBuf,
    /// Whether it may be made. One that a person named never is: it may be a disk
    /// that is not mounted.
    ours: bool,
}

impl LocalBackups {
    /// A folder that a person named.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        LocalBackups { folder, ours: false }
    }

    /// A folder of ours, which is made when it is needed.
    #[must_use]
    pub fn in_own_folder(folder: PathBuf) -> Self {
        LocalBackups { folder, ours: true }
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LocalBackups) -> Result<T, BackupTargetError> + Send + 'static,
    ) -> Result<T, BackupTargetError> {
        let here = self.clone();
        match tokio::task::spawn_blocking(move || work(&here)).await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(BackupTargetError::Failed("the program is shutting down".to_owned())),
        }
    }

    fn path(&self, object: &str) -> Result<PathBuf, BackupTargetError> {
        let plain =
            object.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        if object.is_empty() || object.starts_with('.') || object.ends_with(MARK) || !plain {
            return Err(BackupTargetError::Failed(format!("{object:?} is no name of an object")));
        }
        Ok(self.folder.join(object))
    }

    fn ready(&self) -> Result<(), BackupTargetError> {
        if self.folder.is_dir() {
            return Ok(());
        }
        if self.folder.exists() {
            let folder = self.folder.display();
            return Err(BackupTargetError::Failed(format!("{folder} is no folder")));
        }
        if self.ours {
            return match rustix::fs::mkdir(&self.folder, Mode::from_raw_mode(0o700)) {
                Ok(()) | Err(Errno::EXIST) => Ok(()),
                Err(errno) => Err(refused(errno, &self.folder)),
            };
        }
        let folder = self.folder.display();
        Err(BackupTargetError::Unreachable(format!("{folder} is not there; is its disk mounted?")))
    }

    fn put(&self, object: &str, mark: &BackupMark, file: &Path) -> Result<(), BackupTargetError> {
        let target = self.path(object)?;
        self.ready()?;
        if target.exists() {
            return Err(BackupTargetError::Exists(object.to_owned()));
        }
        let mark_path = mark_of(&target);
        // Without its object it is what a killed process left.
        forget(&mark_path)?;
        self.write(&mark_path, written(mark).as_bytes())?;
        let source = File::open(file).map_err(|error| io_refused(&error, file));
        let put = source.and_then(|source| self.write(&target, source));
        if put.is_err() {
            // A mark alone is nobody's.
            let _ = forget(&mark_path);
        }
        put?;
        LocalFiles.sync_dir(&self.folder).map_err(files_refused)
    }

    /// Writes a file under a name that is not taken: under another one first.
    fn write(&self, path: &Path, mut bytes: impl Read) -> Result<(), BackupTargetError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let part = self.folder.join(format!("{}{name}{}", PART.0, PART.1));
        forget(&part)?;
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let opened =
            rustix::fs::open(&part, flags, PRIVATE).map_err(|errno| refused(errno, &part))?;
        // Whoever sweeps sees by this lock that it is still written.
        let _ = rustix::fs::flock(&opened, FlockOperation::NonBlockingLockExclusive);
        let mut target = File::from(opened);
        let done = io::copy(&mut bytes, &mut target)
            .and_then(|_| target.flush())
            .and_then(|()| target.sync_all())
            .map_err(|error| io_refused(&error, path))
            .and_then(|()| LocalFiles.rename_new(&part, path).map_err(files_refused));
        if done.is_err() {
            let _ = rustix::fs::unlink(&part);
        }
        done
    }

    fn fetch(&self, object: &str, to: &Path) -> Result<(), BackupTargetError> {
        let path = self.path(object)?;
        self.ready()?;
        let mut source = File::open(&path).map_err(|error| match errno_of(&error) {
            Errno::NOENT => BackupTargetError::Gone(object.to_owned()),
            errno => refused(errno, &path),
        })?;
        let mut target =
            File::options().write(true).open(to).map_err(|error| io_refused(&error, to))?;
        io::copy(&mut source, &mut target).map(drop).map_err(|error| io_refused(&error, &path))
    }

    fn objects(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        self.ready()?;
        let mut found = Vec::new();
        for name in LocalFiles.list_dir(&self.folder).map_err(files_refused)? {
            // Names of ours are plain; others are somebody else's.
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(PART.0) && name.ends_with(PART.1) {
                sweep(&self.folder.join(name));
                continue;
            }
            let Some(object) = name.strip_suffix(MARK) else { continue };
            let Ok(path) = self.path(object) else { continue };
            let Some(stat) = LocalFiles.stat(&path).map_err(files_refused)? else { continue };
            if !stat.is_file {
                continue;
            }
            let mut text = String::new();
            let read = File::open(self.folder.join(name))
                .and_then(|file| file.take(MARK_LIMIT).read_to_string(&mut text));
            // One that cannot be read as a mark is none of ours.
            let Some(mark) = read.ok().and_then(|_| parsed(&text)) else { continue };
            found.push(StoredBackup {
                object: object.to_owned(),
                size_bytes: stat.size_bytes,
                mark,
            });
        }
        Ok(found)
    }

    fn remove(&self, object: &str) -> Result<(), BackupTargetError> {
        let path = self.path(object)?;
        self.ready()?;
        forget(&path)?;
        forget(&mark_of(&path))?;
        LocalFiles.sync_dir(&self.folder).map_err(files_refused)
    }
}

#[async_trait]
impl BackupTarget for LocalBackups {
    fn place(&self) -> String {
        format!("file://{}", self.folder.display())
    }

    async fn put_new(
        &self,
        object: &str,
        mark: &BackupMark,
        file: &Path,
    ) -> Result<(), BackupTargetError> {
        let (object, mark, file) = (object.to_owned(), mark.clone(), file.to_owned());
        self.off_thread(move |here| here.put(&object, &mark, &file)).await
    }

    async fn get(&self, object: &str, file: &Path) -> Result<(), BackupTargetError> {
        let (object, file) = (object.to_owned(), file.to_owned());
        self.off_thread(move |here| here.fetch(&object, &file)).await
    }

    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError> {
        self.off_thread(LocalBackups::objects).await
    }

    async fn delete(&self, object: &str) -> Result<(), BackupTargetError> {
        let object = object.to_owned();
        self.off_thread(move |here| here.remove(&object)).await
    }
}

fn mark_of(object: &Path) -> PathBuf {
    let mut name = object.as_os_str().to_owned();
    name.push(MARK);
    PathBuf::from(name)
}

/// Removes a file that may not be there.
fn forget(path: &Path) -> Result<(), BackupTargetError> {
    match rustix::fs::unlink(path) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(refused(errno, path)),
    }
}

/// Removes a part that nobody writes any more.
fn sweep(part: &Path) {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let Ok(opened) = rustix::fs::open(part, flags, Mode::empty()) else { return };
    if rustix::fs::flock(&opened, FlockOperation::NonBlockingLockExclusive).is_ok() {
        // What stays is swept the next time.
        let _ = rustix::fs::unlink(part);
    }
}

/// The text of a mark: one `name: value` a line.
fn written(mark: &BackupMark) -> String {
    format!(
        "backup-id: {}\ncreated-at: {}\nschema-version: {}\nsha256: {}\n",
        mark.id, mark.created_at, mark.schema_version, mark.sha256
    )
}

fn parsed(text: &str) -> Option<BackupMark> {
    let value = |name: &str| {
        let mut values =
            text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        values.next().filter(|_| values.next().is_none())
    };
    let sha256 = value("sha256")?;
    let hex = sha256.len() == 64 && sha256.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
    hex.then_some(BackupMark {
        id: value("backup-id")?.parse().ok()?,
        created_at: value("created-at")?.parse().ok()?,
        schema_version: value("schema-version")?.parse().ok()?,
        sha256: sha256.to_owned(),
    })
}

fn io_refused(error: &io::Error, path: &Path) -> BackupTargetError {
    refused(errno_of(error), path)
}

fn refused(errno: Errno, path: &Path) -> BackupTargetError {
    cause(errno_kind(errno), format!("{}: {}", path.display(), errno_name(errno)))
}

fn files_refused(error: FilesError) -> BackupTargetError {
    cause(error.kind, error.to_string())
}

fn cause(kind: FilesErrorKind, detail: String) -> BackupTargetError {
    match kind {
        FilesErrorKind::NotPermitted | FilesErrorKind::Denied | FilesErrorKind::ReadOnly => {
            BackupTargetError::Denied(detail)
        }
        FilesErrorKind::NoSpace | FilesErrorKind::Quota => BackupTargetError::Full(detail),
        FilesErrorKind::NotFound | FilesErrorKind::Io => BackupTargetError::Unreachable(detail),
        FilesErrorKind::Exists => BackupTargetError::Exists(detail),
        _ => BackupTargetError::Failed(detail),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::os::unix::fs::PermissionsExt;

    use proptest::prelude::*;
    use tracker_testkit::{backup_mark, backup_target_contract, spec};

    use super::*;

    #[tokio::test]
    async fn the_folder_keeps_the_contract() {
        spec!("backup#a-target-holds-whole-objects/the-contract");
        let folder = tempfile::tempdir().unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let target = LocalBackups::in_own_folder(folder.path().join("backups"));
        backup_target_contract(&target, scratch.path()).await;
    }

    #[tokio::test]
    async fn a_folder_that_is_not_there_is_not_made() {
        spec!("backup#a-target-holds-whole-objects/a-folder-that-is-not-mounted");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("disk");
        let target = LocalBackups::in_folder(path.clone());
        let unreachable = |error| matches!(error, BackupTargetError::Unreachable(_));
        assert!(target.list().await.is_err_and(unreachable));
        let file = folder.path().join("a");
        std::fs::write(&file, "a").unwrap();
        let put = target.put_new("a", &backup_mark(1), &file).await;
        assert!(put.is_err_and(|error| matches!(error, BackupTargetError::Unreachable(_))));
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn what_a_killed_process_left_is_no_backup() {
        spec!("backup#a-target-holds-whole-objects/what-a-killed-process-left");
        let folder = tempfile::tempdir().unwrap();
        let target = LocalBackups::in_folder(folder.path().to_owned());
        let file = folder.path().join("source");
        std::fs::write(&file, "content").unwrap();
        target.put_new("whole", &backup_mark(1), &file).await.unwrap();
        // A part, a mark without its object, an object without its mark, a foreign file.
        std::fs::write(folder.path().join(".tracker-next.part"), "half").unwrap();
        std::fs::write(folder.path().join("next.mark"), written(&backup_mark(2))).unwrap();
        std::fs::write(folder.path().join("letter"), "dear").unwrap();
        let names =
            |found: Vec<StoredBackup>| found.into_iter().map(|it| it.object).collect::<Vec<_>>();
        assert_eq!(names(target.list().await.unwrap()), ["whole"]);
        assert!(!folder.path().join(".tracker-next.part").exists());
        assert!(folder.path().join("letter").exists());
        target.put_new("next", &backup_mark(2), &file).await.unwrap();
        assert_eq!(target.list().await.unwrap().len(), 2);
        for name in ["whole", "whole.mark"] {
            let mode = folder.path().join(name).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }

    #[test]
    fn causes_are_told_apart() {
        spec!("backup#a-target-holds-whole-objects/causes");
        let path = Path::new("/b");
        let of = |errno| refused(errno, path);
        assert!(matches!(of(Errno::ACCESS), BackupTargetError::Denied(_)));
        assert!(matches!(of(Errno::ROFS), BackupTargetError::Denied(_)));
        assert!(matches!(of(Errno::NOSPC), BackupTargetError::Full(_)));
        assert!(matches!(of(Errno::DQUOT), BackupTargetError::Full(_)));
        assert!(matches!(of(Errno::IO), BackupTargetError::Unreachable(_)));
        assert!(matches!(of(Errno::INVAL), BackupTargetError::Failed(_)));
    }

    proptest! {
        #[test]
        fn a_mark_is_read_back_and_nothing_else_is(text in ".{0,80}", number in 0..200u8) {
            let mark = backup_mark(number);
            let whole = written(&mark);
            prop_assert_eq!(parsed(&whole), Some(mark));
            prop_assert_eq!(parsed(&text), None);
            let twice = format!("{whole}{whole}");
            prop_assert_eq!(parsed(&twice), None);
        }
    }
}
