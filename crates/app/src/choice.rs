//! Which files of a download are wanted.

use std::collections::BTreeSet;

use tracker_domain::observed::choose as lay_over;
use tracker_domain::{Actor, DownloadId, EntityKind};
use tracker_ingest::{ChangeError, ChooseFilesError, choose_files};
use tracker_store::TaskKind;

use crate::Intake;
use crate::convert::absent;
use crate::error::{AppError, FieldError};
use crate::requests::Expected;
use crate::views::{ChosenFileView, Page};

impl Intake {
    /// The files of a download, as its client lists them; none before it does.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn files(&self, id: DownloadId) -> Result<Page<ChosenFileView>, AppError> {
        let files = self.db.read(move |tx| {
            let Some(row) = tx.download(id)? else {
                return Err(absent(tx, EntityKind::Download, id)?);
            };
            let mut files = tx.download_files(id)?;
            if let Some(unwanted) = &row.unwanted {
                lay_over(&mut files, unwanted, !tx.has_open_task(id, TaskKind::Select)?);
            }
            Ok(files)
        });
        let views = files.await?.into_iter().map(|file| ChosenFileView {
            index: file.index,
            path: file.path,
            size_bytes: file.size_bytes,
            wanted: file.selected,
        });
        Ok(Page { items: views.collect(), next: None })
    }

    /// Wants each file but these, by their index.
    ///
    /// # Errors
    /// When the state does not allow it, the files are not known yet, there is no
    /// such file or none would be left; nothing happened then.
    pub async fn choose(
        &self,
        id: DownloadId,
        unwanted: BTreeSet<u32>,
        expected: Expected,
        actor: &Actor,
    ) -> Result<Page<ChosenFileView>, AppError> {
        let refused = match choose_files(&self.db, id, unwanted, expected, actor).await {
            Ok(()) => return self.files(id).await,
            Err(refused) => refused,
        };
        let field =
            |detail: String| Err(AppError::InvalidRequest(vec![FieldError::body("/skip", detail)]));
        match refused {
            ChooseFilesError::Store(fault) => Err(fault.into()),
            ChooseFilesError::Refused(refusal) => {
                let outcome = Err(ChangeError::Refused(refusal));
                self.settled(id, outcome, "chosen from").await?;
                self.files(id).await
            }
            ChooseFilesError::NotListed => Err(AppError::IllegalTransition {
                state: self.show(id).await?.state,
                detail: format!(
                    "the files of {id} are not known yet; they can be chosen once its client lists them"
                ),
            }),
            ChooseFilesError::NoSuchFile(unknown) => {
                let unknown: Vec<String> = unknown.iter().map(ToString::to_string).collect();
                field(format!("it has no file {}", unknown.join(", ")))
            }
            ChooseFilesError::NothingLeft => field(
                "one file has to be wanted at least; cancel the download to want none".to_owned(),
            ),
        }
    }
}
