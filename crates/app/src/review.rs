//! What a download is taken for: looking at it, deciding on it, and saying what
//! it is.

use std::sync::Arc;

use tracker_domain::entity::CandidateId;
use tracker_domain::ports::Live;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, Attention, DownloadId, DownloadState};
use tracker_ingest::{Clients, recognise_again};
use tracker_recognize::matching::{OverrideError, check_override};
use tracker_store::{AcceptRefused, Db, Download, ReadTx, Refusal, StoreError, WriteTx};

use crate::convert::{download_view, refused};
use crate::error::{AppError, FieldError};
use crate::intake::{no_hint, short_enough};
use crate::recognition::{candidate_view, hint_view, override_view, recognition_view};
use crate::requests::Expected;
use crate::review_rules::{LIBRARY, checked, existing, still_matters, undecided};
use crate::review_views::{CandidateView, HintView, OverrideView, ParseView, RecognitionView};
use crate::views::{DownloadView, Page};

/// The longest name that is read, in characters.
const MAX_NAME: usize = 4096;

/// The service for recognitions.
#[derive(Clone)]
pub struct Review {
    db: Db,
    clients: Clients,
    libraries: Arc<[String]>,
    languages: Arc<[String]>,
    live: Arc<dyn Live>,
}

/// What one name says. Asks nobody, not even the database.
///
/// # Errors
/// When the name is empty or longer than 4096 characters.
pub fn parse(name: &str) -> Result<ParseView, AppError> {
    let length = name.chars().count();
    if name.trim().is_empty() || length > MAX_NAME {
        return Err(AppError::InvalidRequest(vec![FieldError::query(
            "name",
            format!("write a name of 1 to {MAX_NAME} characters"),
        )]));
    }
    let found = tracker_recognize::parse_path(name);
    Ok(ParseView { fields: found.fields, evidence: found.evidence })
}

impl Review {
    pub(crate) fn new(
        db: Db,
        clients: Clients,
        libraries: Vec<String>,
        live: Arc<dyn Live>,
    ) -> Self {
        let languages = ["en", "ru"].map(str::to_owned).into();
        Review { db, clients, libraries: libraries.into(), languages, live }
    }

    pub(crate) fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages.into();
        self
    }

    /// What a download is taken for; `pending` while nothing was read.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn recognition(&self, id: DownloadId) -> Result<RecognitionView, AppError> {
        let languages = Arc::clone(&self.languages);
        self.db
            .read(move |tx| {
                existing(tx, id)?;
                Ok(recognition_view(tx, id, &languages)?)
            })
            .await
    }

    /// The works that may be meant, the best first. There is one page.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn candidates(&self, id: DownloadId) -> Result<Page<CandidateView>, AppError> {
        self.list(id, move |tx| {
            let Some(living) = tx.recognition_of(id)? else { return Ok(Vec::new()) };
            Ok(tx.candidates(living.id)?.into_iter().map(candidate_view).collect())
        })
        .await
    }

    /// Lets the recognition hold: with this candidate, else with the best one,
    /// else as the names say. While it waits for a source, the names count.
    ///
    /// # Errors
    /// When there is no such download or candidate, when there is nothing to
    /// decide on, or when a newer recognition is there; nothing happened then.
    pub async fn accept(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RecognitionView, AppError> {
        self.decide(id, candidate, expected, actor, move |tx| {
            let living = tx.recognition_of(id)?;
            let waits = living.is_some_and(|living| living.state == RecognitionState::Waiting);
            Ok(match candidate {
                None if waits => tx.accept_as_read(id)?,
                _ => tx.accept_recognition(id, candidate)?,
            }
            .map(drop))
        })
        .await
    }

    /// Says that the recognition is wrong: nothing is linked by it.
    ///
    /// # Errors
    /// When there is no such download, or nothing to decide on.
    pub async fn reject(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RecognitionView, AppError> {
        self.decide(id, None, expected, actor, move |tx| Ok(tx.reject_recognition(id)?.map(drop)))
            .await
    }

    /// Asks for another recognition.
    ///
    /// # Errors
    /// When there is no such download, or its state does not allow it.
    pub async fn rerun(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
    ) -> Result<RecognitionView, AppError> {
        self.decide(id, None, expected, actor, move |tx| Ok(Ok(recognise_again(tx, id)?))).await
    }

    /// What people said of a download in free text, oldest first. There is one page.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn hints(&self, id: DownloadId) -> Result<Page<HintView>, AppError> {
        self.list(id, move |tx| Ok(tx.hint_rows(id)?.into_iter().map(hint_view).collect())).await
    }

    /// Says in free text what it is; another recognition follows. Tells whether
    /// the hint is new: the same words twice are one hint.
    ///
    /// # Errors
    /// When the text is empty or longer than 2000 characters, or the state does
    /// not allow it.
    pub async fn hint(
        &self,
        id: DownloadId,
        text: &str,
        expected: Expected,
        actor: &Actor,
    ) -> Result<(bool, HintView), AppError> {
        let text = text.to_owned();
        self.change(id, expected, actor, move |tx, row| tell(tx, row, &text)).await
    }

    /// The fields that people have set, by name. There is one page.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn overrides(&self, id: DownloadId) -> Result<Page<OverrideView>, AppError> {
        self.list(id, move |tx| Ok(tx.override_rows(id)?.into_iter().map(override_view).collect()))
            .await
    }

    /// Sets a field against what the names say; another recognition follows,
    /// but for the library, which says nothing of what it is.
    ///
    /// # Errors
    /// When there is no such field, the value does not fit it, or the state does
    /// not allow it; nothing happened then.
    pub async fn set_override(
        &self,
        id: DownloadId,
        field: &str,
        value: &str,
        expected: Expected,
        actor: &Actor,
    ) -> Result<OverrideView, AppError> {
        let (field, value) = (field.to_owned(), value.to_owned());
        let libraries = self.libraries();
        self.change(id, expected, actor, move |tx, row| {
            let value = checked(tx, id, &field, &value, &libraries)?;
            set(tx, row, &field, &value)?;
            let kept = tx.override_of(id, &field)?.ok_or_else(|| lost("override"))?;
            Ok(override_view(kept))
        })
        .await
    }

    /// Takes back what a person set; the names count again. Nothing happens
    /// where the field was not set.
    ///
    /// # Errors
    /// When there is no such field, or the state does not allow it.
    pub async fn remove_override(
        &self,
        id: DownloadId,
        field: &str,
        expected: Expected,
        actor: &Actor,
    ) -> Result<(), AppError> {
        let field = field.to_owned();
        self.change(id, expected, actor, move |tx, row| take_back(tx, row, &field)).await
    }

    /// What one name says.
    ///
    /// # Errors
    /// When the name is empty or longer than 4096 characters.
    pub fn parse(&self, name: &str) -> Result<ParseView, AppError> {
        parse(name)
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        body: impl FnOnce(&ReadTx<'_>) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        self.db.read(body).await
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        self.db.write(actor, body).await
    }

    async fn list<T: Send + 'static>(
        &self,
        id: DownloadId,
        rows: impl FnOnce(&ReadTx<'_>) -> Result<Vec<T>, StoreError> + Send + 'static,
    ) -> Result<Page<T>, AppError> {
        self.db
            .read(move |tx| {
                existing(tx, id)?;
                Ok(Page { items: rows(tx)?, next: None })
            })
            .await
    }

    /// A change by somebody who saw a revision, of a download whose match still
    /// matters.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
        body: impl FnOnce(&mut WriteTx<'_>, &Download) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let view = self.view();
        self.db
            .write(actor, move |tx| {
                let row = existing(tx, id)?;
                if expected.is_some_and(|seen| seen != row.revision) {
                    return Err(refused(tx, id, Refusal::Stale(row.revision), "reviewed", view)?);
                }
                still_matters(&row)?;
                body(tx, &row)
            })
            .await
    }

    /// A decision on the recognition, and what holds then.
    async fn decide(
        &self,
        id: DownloadId,
        candidate: Option<CandidateId>,
        expected: Expected,
        actor: &Actor,
        decision: impl FnOnce(&mut WriteTx<'_>) -> Result<Result<(), AcceptRefused>, StoreError>
        + Send
        + 'static,
    ) -> Result<RecognitionView, AppError> {
        let languages = Arc::clone(&self.languages);
        self.change(id, expected, actor, move |tx, row| {
            if let Err(refusal) = decision(tx)? {
                return Err(undecided(tx, row, candidate, refusal)?);
            }
            Ok(recognition_view(tx, id, &languages)?)
        })
        .await
    }

    /// The names of the libraries.
    pub(crate) fn libraries(&self) -> Arc<[String]> {
        Arc::clone(&self.libraries)
    }

    /// The languages of titles, the preferred first.
    pub(crate) fn languages(&self) -> Arc<[String]> {
        Arc::clone(&self.languages)
    }

    fn view(&self) -> impl Fn(Download) -> DownloadView + Send + use<> {
        let (clients, live) = (self.clients.clone(), Arc::clone(&self.live));
        move |row| download_view(row, &clients, &*live)
    }
}

/// Lets a change of a field act.
fn said(tx: &mut WriteTx<'_>, row: &Download, field: &str) -> Result<(), StoreError> {
    if field != LIBRARY {
        return learn(tx, row);
    }
    // A match that holds may have rested since no library took it.
    let accepted =
        tx.recognition_of(row.id)?.is_some_and(|living| living.state == RecognitionState::Accepted);
    if accepted {
        let _known = tx.clear_attention(row.id, Some(Attention::NeedsReview))?;
    }
    Ok(())
}

/// Sets a field to a value that was looked at.
pub(crate) fn set(
    tx: &mut WriteTx<'_>,
    row: &Download,
    field: &str,
    value: &str,
) -> Result<(), StoreError> {
    let known = tx.override_of(row.id, field)?;
    let is_new = known.as_ref().is_none_or(|known| known.value != value);
    // What is only remembered becomes a word that was said of this download.
    if is_new || known.is_some_and(|known| known.remembered_at.is_some()) {
        tx.set_override(row.id, field, value)?;
    }
    if is_new {
        said(tx, row, field)?;
    }
    Ok(())
}

/// Takes back what was set.
pub(crate) fn take_back(tx: &mut WriteTx<'_>, row: &Download, field: &str) -> Result<(), AppError> {
    // A row of a former version may have a field that cannot be set any more.
    if tx.take_back_override(row.id, field)? {
        return Ok(said(tx, row, field)?);
    }
    match check_override(field, "") {
        Err(unknown @ OverrideError::UnknownField(_)) => {
            Err(AppError::UnknownField(unknown.to_string()))
        }
        _ => Ok(()),
    }
}

/// Adds a hint, where it is new.
pub(crate) fn tell(
    tx: &mut WriteTx<'_>,
    row: &Download,
    text: &str,
) -> Result<(bool, HintView), AppError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(AppError::InvalidRequest(vec![no_hint("/text")]));
    }
    short_enough(text, "/text")?;
    let same = |tx: &WriteTx<'_>| -> Result<_, StoreError> {
        Ok(tx.hint_rows(row.id)?.into_iter().find(|hint| hint.text == text))
    };
    if let Some(known) = same(tx)? {
        return Ok((false, hint_view(known)));
    }
    tx.add_hint(row.id, text)?;
    learn(tx, row)?;
    let added = same(tx)?.ok_or_else(|| lost("hint"))?;
    Ok((true, hint_view(added)))
}

/// Something new was said. Where nothing was recognised yet, the first
/// recognition will know it.
pub(crate) fn learn(tx: &mut WriteTx<'_>, row: &Download) -> Result<(), StoreError> {
    if row.state == DownloadState::Done || tx.recognition_of(row.id)?.is_some() {
        recognise_again(tx, row.id)?;
    }
    Ok(())
}

/// A row that was written a moment ago is not there.
pub(crate) fn lost(what: &'static str) -> AppError {
    AppError::Internal(format!("the {what} that was just written is not there").into())
}
