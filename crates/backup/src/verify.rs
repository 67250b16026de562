//! The drill: a backup is fetched, unpacked and looked through, as for a restore.

use std::collections::BTreeMap;

use tracker_domain::BackupId;
use tracker_store::{BackupRefusal, ScratchFile, StoreError, check_file};

use crate::pack::{unpack, weigh};
use crate::{BackupError, Backups, off_thread};

/// What was found in a backup that is as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The backup.
    pub id: BackupId,
    /// The version of its schema.
    pub schema_version: u32,
    /// How many rows each table has.
    pub row_counts: BTreeMap<String, i64>,
}

impl Backups {
    /// Fetches a backup into a temporary place and checks hash, database and rows.
    ///
    /// # Errors
    /// [`BackupError::Damaged`] with what is wrong, or why it could not be checked.
    pub async fn verify(&self, id: BackupId) -> Result<Verified, BackupError> {
        let row: Result<_, StoreError> = self.db.read(move |tx| tx.backup(id)).await;
        let row = row?.ok_or(BackupRefusal::NotFound)?;
        let object = ScratchFile::beside(&self.database, &format!("{id}.fetched.zst"))?;
        self.target.get(&row.object, object.path()).await?;
        let opened = ScratchFile::beside(&self.database, &format!("{id}.fetched.db"))?;
        let sha256 = row.sha256.clone();
        let (opened, intact) = off_thread("unpack", move || {
            if sha256.is_some_and(|sha256| weigh(object.path()).is_ok_and(|it| it.sha256 != sha256))
            {
                return Ok((opened, Err("its hash is another one")));
            }
            match unpack(object.path(), opened.path()) {
                Ok(()) => Ok((opened, Ok(()))),
                Err(error) if error.raw_os_error().is_some() => Err(error),
                Err(_) => Ok((opened, Err("it cannot be unpacked"))),
            }
        })
        .await?;
        intact.map_err(|what| BackupError::Damaged(what.to_owned()))?;
        // Opened as a database, which takes its own files beside it along.
        let checked = off_thread("check", move || {
            let checked = check_file(opened.path());
            drop(opened);
            Ok(checked)
        })
        .await?;
        let (schema_version, report) = match checked {
            Ok(Some(found)) => found,
            Ok(None) => return Err(BackupError::Damaged("it is empty".to_owned())),
            Err(error) => return Err(BackupError::Damaged(error.to_string())),
        };
        if let Some(problem) = report.problems.first() {
            return Err(BackupError::Damaged(format!("{}: {}", problem.code, problem.detail)));
        }
        let row_counts: BTreeMap<String, i64> = report.tables.into_iter().collect();
        // A row that was made from its object knows no counts.
        if !row.row_counts.is_empty() && row.row_counts != row_counts {
            return Err(BackupError::Damaged("it has other numbers of rows".to_owned()));
        }
        Ok(Verified { id, schema_version, row_counts })
    }
}
