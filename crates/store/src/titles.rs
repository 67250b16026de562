//! What stands in the libraries, a work once, by the newest batch of it.

use std::collections::BTreeMap;

use rusqlite::params;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::Work;
use tracker_domain::recognised::Fields;
use tracker_domain::{BatchId, DownloadId, Timestamp};

use crate::row::{Columns, collect, text};
use crate::{ReadTx, StoreError};

/// The newest batch of a title that stands, with what was taken for its work.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingTitle {
    /// The batch.
    pub batch: BatchId,
    /// When it was planned.
    pub created_at: Timestamp,
    /// The name of the library; a migrated batch may have none.
    pub library: Option<String>,
    /// The download that the batch is of.
    pub download: DownloadId,
    /// What people have set for it, by field.
    pub overrides: Vec<(String, String)>,
    /// What the names say of the whole.
    pub fields: Fields,
    /// The candidate that was taken for the work.
    pub candidate: Option<CandidateId>,
    /// The work itself.
    pub work: Option<Work>,
}

/// A batch that belongs to a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleBatch {
    /// The download it is of.
    pub download: DownloadId,
    /// The name of the download.
    pub name: String,
    /// How many links of it stand.
    pub links: u64,
}

/// A batch leads its title when neither its download nor its work has a newer one.
/// Without a work a download is a title of its own. What was taken out of the lists
/// counts for none.
pub(crate) const TITLES: &str = "
    SELECT b.id AS id, b.created_at AS created_at, b.library AS library,
           b.download_id AS download_id, r.fields AS fields, c.id AS candidate_id,
           c.work AS work,
           (SELECT json_group_object(w.field, w.value) FROM override w
            WHERE w.download_id = b.download_id) AS words
    FROM apply_batch b INDEXED BY apply_batch_standing
    LEFT JOIN recognition r ON r.id = b.recognition_id
    LEFT JOIN metadata_candidate c ON c.id = r.candidate_id
    WHERE b.state = 'applied' AND b.download_id IS NOT NULL AND b.id < ?1
      AND NOT EXISTS (
        SELECT 1 FROM download h WHERE h.id = b.download_id AND h.hidden_at IS NOT NULL)
      AND NOT EXISTS (
        SELECT 1 FROM apply_batch n
        WHERE n.download_id = b.download_id AND n.state = 'applied' AND n.id > b.id)
      AND NOT EXISTS (
        SELECT 1 FROM metadata_candidate o
        JOIN recognition p ON p.candidate_id = o.id
        JOIN apply_batch n ON n.recognition_id = p.id
        WHERE o.source = c.source AND o.external_id = c.external_id AND o.kind IS c.kind
          AND n.state = 'applied' AND n.id > b.id
          AND NOT EXISTS (
            SELECT 1 FROM download h WHERE h.id = n.download_id AND h.hidden_at IS NOT NULL))
    ORDER BY b.id DESC LIMIT ?2";

pub(crate) const OF_WORK: &str = "
    SELECT b.download_id AS download_id, d.name AS name,
           (SELECT count(*) FROM file_link l
            WHERE l.apply_batch_id = b.id AND l.state = 'linked') AS links
    FROM metadata_candidate m
    JOIN metadata_candidate c
      ON c.source = m.source AND c.external_id = m.external_id AND c.kind IS m.kind
    JOIN recognition r ON r.candidate_id = c.id
    JOIN apply_batch b ON b.recognition_id = r.id
    JOIN download d ON d.id = b.download_id
    WHERE m.id = ?1 AND b.state = 'applied' AND d.hidden_at IS NULL ORDER BY b.id DESC";

pub(crate) const OF_DOWNLOAD: &str = "
    SELECT b.download_id AS download_id, d.name AS name,
           (SELECT count(*) FROM file_link l
            WHERE l.apply_batch_id = b.id AND l.state = 'linked') AS links
    FROM apply_batch b JOIN download d ON d.id = b.download_id
    WHERE b.download_id = ?1 AND b.state = 'applied' ORDER BY b.id DESC";

/// Greater than every id: the front of a list.
const FRONT: &str = "~";

impl ReadTx<'_> {
    /// The titles that stand, the one with the newest batch first; before a batch, or
    /// from the front.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn titles(
        &self,
        before: Option<BatchId>,
        limit: u32,
    ) -> Result<Vec<StandingTitle>, StoreError> {
        let mut statement = self.conn().prepare_cached(TITLES)?;
        let before = before.map_or_else(|| FRONT.to_owned(), text);
        collect("apply_batch", statement.query(params![before, limit])?, read_title)
    }

    /// All batches of a title that stand, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn batches_of_title(&self, title: &StandingTitle) -> Result<Vec<TitleBatch>, StoreError> {
        let (sql, key) = match title.candidate {
            Some(candidate) => (OF_WORK, text(candidate)),
            None => (OF_DOWNLOAD, text(title.download)),
        };
        let mut statement = self.conn().prepare_cached(sql)?;
        collect("apply_batch", statement.query([key])?, |row| {
            Ok(TitleBatch {
                download: row.parsed("download_id")?,
                name: row.plain("name")?,
                links: row.unsigned("links")?,
            })
        })
    }
}

fn read_title(row: &Columns<'_, '_>) -> Result<StandingTitle, StoreError> {
    let words: BTreeMap<String, String> = row.json("words")?;
    Ok(StandingTitle {
        batch: row.parsed("id")?,
        created_at: row.parsed("created_at")?,
        library: row.plain("library")?,
        download: row.parsed("download_id")?,
        overrides: words.into_iter().collect(),
        fields: row.json("fields")?,
        candidate: row.maybe("candidate_id")?,
        work: row.json("work")?,
    })
}
