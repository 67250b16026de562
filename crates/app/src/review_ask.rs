//! Rules that a person wants to be asked first, set from a download.

use tracker_domain::ask::AskScope;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, DownloadId};
use tracker_ingest::recognise_again;
use tracker_store::{Download, StoreError, WriteTx};

use crate::error::AppError;
use crate::requests::Expected;
use crate::review::Review;
use crate::review_views::RecognitionView;

/// So many downloads of a title are looked at: nobody has that many under way.
const MOST_OF_A_TITLE: u32 = 1000;

impl Review {
    /// From now on nothing is accepted by itself, of this download or of every
    /// download of its title. What was accepted by itself and is not in the
    /// library yet is recognised again, and so asked about.
    ///
    /// # Errors
    /// When there is no such download, its state does not allow it, or no source
    /// has named a title yet; nothing happened then.
    pub async fn ask(
        &self,
        id: DownloadId,
        scope: AskScope,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RecognitionView, AppError> {
        self.rule(id, expected, actor, move |tx, row| {
            let new = tx.ask_for(id, scope)?.map_err(|refused| AppError::IllegalTransition {
                state: row.state,
                detail: refused.to_string(),
            })?;
            if new {
                for download in of_scope(tx, id, scope)? {
                    look_again(tx, download)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Takes such a rule back. What this download was asked about only because of
    /// it is recognised again. Nothing happens where there was no rule.
    ///
    /// # Errors
    /// When there is no such download, or its state does not allow it.
    pub async fn ask_no_more(
        &self,
        id: DownloadId,
        scope: AskScope,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RecognitionView, AppError> {
        self.rule(id, expected, actor, move |tx, _| {
            if !tx.ask_no_more(id, scope)? {
                return Ok(());
            }
            let held = tx.recognition_of(id)?.is_some_and(|living| {
                living.state == RecognitionState::Proposed && living.is_held_by_a_rule()
            });
            if held {
                recognise_again(tx, id)?;
            }
            Ok(())
        })
        .await
    }

    async fn rule(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>, &Download) -> Result<(), AppError> + Send + 'static,
    ) -> Result<RecognitionView, AppError> {
        let languages = self.languages();
        self.change(id, expected, actor, move |tx, row| {
            body(tx, row)?;
            Ok(crate::recognition::recognition_view(tx, id, &languages)?)
        })
        .await
    }
}

/// The downloads that a new rule is about.
fn of_scope(
    tx: &WriteTx<'_>,
    id: DownloadId,
    scope: AskScope,
) -> Result<Vec<DownloadId>, StoreError> {
    let mut found = vec![id];
    if scope == AskScope::Title
        && let Some(work) = tx.work_in_question(id)?.and_then(|work| work.parse().ok())
    {
        let others = tx.downloads_of_work(work, MOST_OF_A_TITLE)?;
        found.extend(others.into_iter().map(|other| other.download).filter(|other| *other != id));
    }
    Ok(found)
}

/// What nobody was asked about and has no links yet is asked about now. What is in
/// the library stays as it is.
fn look_again(tx: &mut WriteTx<'_>, id: DownloadId) -> Result<(), StoreError> {
    let under_way = tx.download(id)?.is_some_and(|row| row.state.is_active());
    let by_itself = tx.recognition_of(id)?.is_some_and(|living| {
        living.state == RecognitionState::Accepted && living.chosen_by.is_none()
    });
    if under_way && by_itself {
        recognise_again(tx, id)?;
    }
    Ok(())
}
