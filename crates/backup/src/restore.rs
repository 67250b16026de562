//! Finding the copy that a database is restored from, and making it ready.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracker_domain::BackupId;
use tracker_domain::ports::BackupTarget;
use tracker_store::migrate::MigrateError;
use tracker_store::{PreparedRestore, ScratchFile, copy_database, prepare_restore};

use crate::pack::{Packed, unpack, weigh};
use crate::{BackupError, off_thread};

/// What a compressed object begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What to restore from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreSource {
    /// A file: a backup as it lies at its target, or a database file.
    File(PathBuf),
    /// A backup, by its id.
    Backup(BackupId),
}

/// Fetches and unpacks the copy, checks it, brings it up to date and says what it
/// would change. The database itself is only read, and does not have to be readable.
///
/// # Errors
/// [`BackupError::Damaged`] with what is wrong, or why it could not be fetched.
pub async fn prepare(
    database: &Path,
    target: Option<&Arc<dyn BackupTarget>>,
    source: &RestoreSource,
) -> Result<PreparedRestore, BackupError> {
    let (copy, object) = match source {
        RestoreSource::File(file) => from_file(database, file.clone()).await?,
        RestoreSource::Backup(id) => from_target(database, target, *id).await?,
    };
    let database = database.to_owned();
    let prepared = off_thread("check", move || Ok(prepare_restore(&database, copy))).await?;
    let prepared = prepared.map_err(|error| match error {
        MigrateError::Corrupt { detail, .. } => BackupError::Damaged(detail),
        other => other.into(),
    })?;
    Ok(match object {
        Some(object) => prepared.of_object(object.size_bytes, object.sha256),
        None => prepared,
    })
}

/// The target tells by its marks which object a backup is: the rows may be lost.
async fn from_target(
    database: &Path,
    target: Option<&Arc<dyn BackupTarget>>,
    id: BackupId,
) -> Result<(ScratchFile, Option<Packed>), BackupError> {
    let Some(target) = target else { return Err(BackupError::NotAtTarget(id)) };
    let found = target.list().await?.into_iter().find(|stored| stored.mark.id == id);
    let Some(stored) = found else { return Err(BackupError::NotAtTarget(id)) };
    let object = ScratchFile::beside(database, &format!("{id}.restore.zst"))?;
    target.get(&stored.object, object.path()).await?;
    let copy = ScratchFile::beside(database, &format!("{id}.restore.db"))?;
    let packed = Packed { size_bytes: stored.size_bytes, sha256: stored.mark.sha256.clone() };
    let copy = opened(object, copy, Some(stored.mark.sha256)).await?;
    Ok((copy, Some(packed)))
}

async fn from_file(
    database: &Path,
    file: PathBuf,
) -> Result<(ScratchFile, Option<Packed>), BackupError> {
    let copy = ScratchFile::beside(database, "restore.db")?;
    let done = off_thread("read", move || {
        if !std::fs::metadata(&file)?.is_file() {
            return Ok((copy, Err(BackupError::Damaged("it is no regular file".to_owned()))));
        }
        let mut front = [0; 4];
        let mut opened = File::open(&file)?;
        match opened.read_exact(&mut front) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok((copy, Err(BackupError::Damaged("the file is too short".to_owned()))));
            }
            Err(error) => return Err(error),
        }
        if front == ZSTD {
            let unpacked = unpack(&file, copy.path());
            return match unpacked {
                Ok(()) => Ok((copy, Ok(Some(weigh(&file)?)))),
                Err(error) if error.raw_os_error().is_some() => Err(error),
                Err(_) => Ok((copy, Err(BackupError::Damaged(CANNOT_UNPACK.to_owned())))),
            };
        }
        let copied = copy_database(&file, &copy).map(|()| None).map_err(|error| match error {
            MigrateError::Corrupt { detail, .. } => BackupError::Damaged(detail),
            other => other.into(),
        });
        Ok((copy, copied))
    });
    let (copy, outcome) = done.await?;
    outcome.map(|object| (copy, object))
}

pub(crate) const CANNOT_UNPACK: &str = "it cannot be unpacked";

/// Unpacks an object, once it is known to be the one that was put.
pub(crate) async fn opened(
    object: ScratchFile,
    copy: ScratchFile,
    sha256: Option<String>,
) -> Result<ScratchFile, BackupError> {
    let done = off_thread("unpack", move || {
        if let Some(wanted) = sha256
            && weigh(object.path())?.sha256 != wanted
        {
            return Ok((copy, Err("its hash is another one")));
        }
        match unpack(object.path(), copy.path()) {
            Ok(()) => Ok((copy, Ok(()))),
            Err(error) if error.raw_os_error().is_some() => Err(error),
            Err(_) => Ok((copy, Err(CANNOT_UNPACK))),
        }
    });
    let (copy, outcome) = done.await?;
    outcome.map(|()| copy).map_err(|what| BackupError::Damaged(what.to_owned()))
}
