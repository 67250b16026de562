//! A place where copies of the database lie: a folder, or an object store.

use std::fmt;
use std::path::Path;

use async_trait::async_trait;

use crate::entity::BackupId;
use crate::time::Timestamp;

/// What an object says of itself, so that it is known without the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupMark {
    /// The backup it is.
    pub id: BackupId,
    /// When it was begun.
    pub created_at: Timestamp,
    /// The version of the schema in it.
    pub schema_version: u32,
    /// The SHA-256 of the object, in lower-case hex.
    pub sha256: String,
}

/// An object with a mark of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBackup {
    /// Its name at the target.
    pub object: String,
    /// Its size.
    pub size_bytes: u64,
    /// What it says of itself.
    pub mark: BackupMark,
}

/// Why a target did not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackupTargetError {
    /// It refuses us. Trying again makes it no better.
    #[error("the backup target refuses access: {0}")]
    Denied(String),
    /// It is not there now: no answer, or a disk that is not mounted.
    #[error("the backup target cannot be reached: {0}")]
    Unreachable(String),
    /// It has no room.
    #[error("the backup target is full: {0}")]
    Full(String),
    /// The object is not there.
    #[error("the backup is not at its target: {0}")]
    Gone(String),
    /// An object of that name is there; it was not touched.
    #[error("the backup target has that object already: {0}")]
    Exists(String),
    /// Something is wrong on our side of it.
    #[error("the backup target cannot be used: {0}")]
    Failed(String),
}

/// The place. An object is there whole and with its mark, or it is not listed.
#[async_trait]
pub trait BackupTarget: fmt::Debug + Send + Sync {
    /// Which place, as the rows name it; without anything secret.
    fn place(&self) -> String;

    /// Puts the file under a name that is not taken.
    ///
    /// # Errors
    /// The cause. After [`BackupTargetError::Unreachable`] it may be there
    /// nevertheless.
    async fn put_new(
        &self,
        object: &str,
        mark: &BackupMark,
        file: &Path,
    ) -> Result<(), BackupTargetError>;

    /// Writes an object into a file that is there and empty.
    ///
    /// # Errors
    /// The cause; the file may then have a part of it.
    async fn get(&self, object: &str, file: &Path) -> Result<(), BackupTargetError>;

    /// The objects with a mark of ours, in no order.
    ///
    /// # Errors
    /// The cause.
    async fn list(&self) -> Result<Vec<StoredBackup>, BackupTargetError>;

    /// Removes an object with its mark. One that is not there is no error.
    ///
    /// # Errors
    /// The cause.
    async fn delete(&self, object: &str) -> Result<(), BackupTargetError>;
}
