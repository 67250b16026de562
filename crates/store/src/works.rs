//! From a work to the downloads that are taken for it.

use rusqlite::params;
use tracker_domain::DownloadId;
use tracker_domain::metadata::WorkId;

use crate::candidates::kind_word;
use crate::row::collect;
use crate::{ReadTx, StoreError};

/// A download that is taken for a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfWork {
    /// The download.
    pub download: DownloadId,
    /// Whether links of it stand in a library.
    pub is_linked: bool,
    /// Whether it was taken out of the lists.
    pub is_hidden: bool,
}

pub(crate) const OF_WORK: &str = "
    SELECT r.download_id AS id,
           EXISTS (SELECT 1 FROM file_link l
                   WHERE l.download_id = r.download_id AND l.state = 'linked') AS is_linked,
           EXISTS (SELECT 1 FROM download d
                   WHERE d.id = r.download_id AND d.hidden_at IS NOT NULL) AS is_hidden
    FROM metadata_candidate c JOIN recognition r ON r.candidate_id = c.id
    WHERE c.source = ?1 AND c.external_id = ?2 AND c.kind = ?3 AND r.state <> 'superseded'
    ORDER BY r.download_id DESC LIMIT ?4";

impl ReadTx<'_> {
    /// The downloads whose living recognition took this work, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_of_work(&self, work: WorkId, limit: u32) -> Result<Vec<OfWork>, StoreError> {
        let mut statement = self.conn().prepare_cached(OF_WORK)?;
        let (source, number) = (work.provider.as_str(), work.number.to_string());
        let rows = statement.query(params![source, number, kind_word(work.kind), limit])?;
        collect("recognition", rows, |row| {
            Ok(OfWork {
                download: row.parsed("id")?,
                is_linked: row.plain("is_linked")?,
                is_hidden: row.plain("is_hidden")?,
            })
        })
    }
}
