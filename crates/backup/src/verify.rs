//! The drill: a backup is fetched, unpacked and looked through, as for a restore.

use std::collections::BTreeMap;

use tracing::info;
use tracker_domain::{Actor, BackupId, BackupState, JobId, JobKind};
use tracker_store::{BackupRefusal, JobEnd, JobRefusal, ScratchFile, StoreError, check_file};

use crate::restore::opened;
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
    /// Asks for the drill of a backup: the job, and whether it is a new one. Without
    /// an id it is the newest good one.
    ///
    /// # Errors
    /// When there is none, or a fault of the database.
    pub async fn ask_verify(
        &self,
        id: Option<BackupId>,
        actor: &Actor,
    ) -> Result<(JobId, bool), BackupError> {
        let place = self.target.place();
        self.db
            .write(actor, move |tx| {
                let id = match id {
                    Some(id) => {
                        let row = tx.backup(id)?.ok_or(BackupRefusal::NotFound)?;
                        if row.state != BackupState::Done || row.deleted_at.is_some() {
                            return Err(BackupError::NothingToVerify);
                        }
                        id
                    }
                    None => tx.newest_good_backup(&place)?.ok_or(BackupError::NothingToVerify)?.id,
                };
                Ok(tx.create_job(JobKind::BackupVerify, Some(id.into()))?)
            })
            .await
    }

    /// Does the drill that a job asks for.
    ///
    /// # Errors
    /// Why it failed; the rows say so too, unless the database is the reason.
    pub async fn run_verify(&self, job: JobId, actor: &Actor) -> Result<Verified, BackupError> {
        let row: Result<_, StoreError> = self
            .db
            .write(actor, move |tx| {
                let started = tx.start_job(job)?;
                Ok(started.map(|()| tx.job(job)).map_err(BackupError::from))
            })
            .await;
        let row = row???.ok_or(JobRefusal::NotFound)?;
        let outcome = match row.subject {
            Some(id) => self.verify(id.typed()).await,
            None => Err(BackupError::NothingToVerify),
        };
        match outcome {
            Ok(verified) => {
                let id = verified.id;
                self.db
                    .write(actor, move |tx| {
                        tx.backup_verified(id, Some(job))?;
                        tx.end_job(job, &JobEnd::Done)?.map_err(BackupError::from)
                    })
                    .await?;
                info!(backup_id = %id, job_id = %job, "backup verified");
                Ok(verified)
            }
            Err(error) => {
                self.end(job, error.end(), actor).await?;
                Err(error)
            }
        }
    }

    /// Fetches a backup into a temporary place and checks hash, database and rows.
    ///
    /// # Errors
    /// [`BackupError::Damaged`] with what is wrong, or why it could not be checked.
    pub async fn verify(&self, id: BackupId) -> Result<Verified, BackupError> {
        let row: Result<_, StoreError> = self.db.read(move |tx| tx.backup(id)).await;
        let row = row?.ok_or(BackupRefusal::NotFound)?;
        let object = ScratchFile::beside(&self.database, &format!("{id}.fetched.zst"))?;
        self.target.get(&row.object, object.path()).await?;
        let copy = ScratchFile::beside(&self.database, &format!("{id}.fetched.db"))?;
        let copy = opened(object, copy, row.sha256.clone()).await?;
        // Opened as a database, which takes its own files beside it along.
        let checked = off_thread("check", move || {
            let checked = check_file(copy.path());
            drop(copy);
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
