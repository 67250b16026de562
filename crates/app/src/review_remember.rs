//! What is remembered for the releases of a group.

use tracker_domain::entity::RememberedId;
use tracker_domain::{Actor, DownloadId, EntityKind, Magnet};
use tracker_recognize::matching::REMEMBERED_FIELDS;
use tracker_recognize::{Names, NoRelease, Release, release};
use tracker_store::{Download, ReadTx, ReleaseKeys, Remembering, StoreError, WriteTx};

use crate::convert::absent;
use crate::error::{AppError, FieldError};
use crate::recognition::{override_view, remembered_view};
use crate::requests::Expected;
use crate::review::{Review, lost, set};
use crate::review_rules::{checked, existing};
use crate::review_views::{OverrideView, ReleaseView, RememberedView};
use crate::views::Page;

impl Review {
    /// Which release a download is one of, or why nothing can be remembered for it.
    ///
    /// # Errors
    /// When there is no such download.
    pub async fn release(
        &self,
        id: DownloadId,
    ) -> Result<Result<ReleaseView, NoRelease>, AppError> {
        self.read(move |tx| {
            let found = release_of(tx, &existing(tx, id)?)?;
            Ok(found.map(|found| ReleaseView { group: found.group, title: found.title }))
        })
        .await
    }

    /// Sets a field as [`Review::set_override`] does, and remembers it for every
    /// release of the same group and title.
    ///
    /// # Errors
    /// As there; when the names tell no group or no title, or the field means nothing
    /// for another release. Nothing happened then.
    pub async fn set_and_remember(
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
            remember(tx, row, &[&field])?;
            let kept = tx.override_of(id, &field)?.ok_or_else(|| lost("override"))?;
            Ok(override_view(kept))
        })
        .await
    }

    /// Everything that is remembered, by group, title and field. There is one page.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn remembered(&self) -> Result<Page<RememberedView>, AppError> {
        self.read(|tx| {
            let items = tx.remembered()?.into_iter().map(remembered_view).collect();
            Ok(Page { items, next: None })
        })
        .await
    }

    /// Forgets one word. Downloads that took it over keep it until they are recognised
    /// again.
    ///
    /// # Errors
    /// When nothing with this id is remembered.
    pub async fn forget(&self, id: RememberedId, actor: &Actor) -> Result<(), AppError> {
        self.write(actor, move |tx| {
            if tx.forget(id)? {
                return Ok(());
            }
            Err(absent(tx, EntityKind::Remembered, id)?)
        })
        .await
    }
}

/// Remembers all of a download that can be.
pub(crate) fn remember_all(tx: &mut WriteTx<'_>, row: &Download) -> Result<(), AppError> {
    remember(tx, row, REMEMBERED_FIELDS)
}

fn remember(tx: &mut WriteTx<'_>, row: &Download, fields: &[&str]) -> Result<(), AppError> {
    if let Some(field) = fields.iter().find(|field| !REMEMBERED_FIELDS.contains(field)) {
        let known = REMEMBERED_FIELDS.join(", ");
        return Err(refused(format!("{field} means nothing for another release, as {known} do")));
    }
    let found = release_of(tx, row)?.map_err(|why| refused(why.to_string()))?;
    let keys = ReleaseKeys { group_key: &found.group_key, title_key: &found.title_key };
    let came_of = tx.remember(row.id, keys, (&found.group, &found.title), fields)?;
    if came_of == Remembering::default() {
        let known = REMEMBERED_FIELDS.join(", ");
        return Err(refused(format!("nothing is set that can be remembered: {known}")));
    }
    Ok(())
}

fn refused(detail: String) -> AppError {
    AppError::InvalidRequest(vec![FieldError::body("/remember", detail)])
}

/// Read from the same names as a recognition reads them.
fn release_of(tx: &ReadTx<'_>, row: &Download) -> Result<Result<Release, NoRelease>, StoreError> {
    let magnet = Magnet::parse(&row.magnet).ok();
    let dn = magnet.as_ref().and_then(|magnet| magnet.name());
    let names = Names { dn, client: Some(&row.name), ..Names::default() };
    Ok(release(&names, &tx.download_files(row.id)?))
}
