//! What torrents were found to be.

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::recognised::{Evidence, Fields, FileRole, Recognised, RecognitionState};
use tracker_domain::{DownloadId, EntityKind, RecognitionId, Timestamp};

use crate::journal::NewEvent;
use crate::row::{Columns, collect, text, to_json};
use crate::{ReadTx, StoreError, WriteTx};

/// One row of `recognition`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Recognition {
    pub id: RecognitionId,
    pub download_id: DownloadId,
    pub state: RecognitionState,
    pub verdict: Option<String>,
    pub confidence: Option<f64>,
    pub fields: Fields,
    pub files: Vec<FileRole>,
    pub evidence: Vec<Evidence>,
    /// What keeps it from being sure.
    pub detail: Option<String>,
    pub created_at: Timestamp,
}

impl ReadTx<'_> {
    /// The newest recognition of a download that was not superseded.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn recognition_of(&self, id: DownloadId) -> Result<Option<Recognition>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT * FROM recognition WHERE download_id = ?1 AND state <> 'superseded'
             ORDER BY id DESC LIMIT 1",
        )?;
        let rows = statement.query([text(id)])?;
        Ok(collect("recognition", rows, read_recognition)?.pop())
    }

    /// Active downloads whose file list is known and that have no recognition.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_to_recognise(&self) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT d.id FROM download d
             WHERE d.state IN ('downloading', 'downloaded') AND d.metadata_at IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM recognition r
                               WHERE r.download_id = d.id AND r.state <> 'superseded')
             ORDER BY d.id",
        )?;
        collect("download", statement.query([])?, |row| row.parsed("id"))
    }

    /// Complete downloads that nothing holds: what to link, or to ask about.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_to_settle(&self) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(
            "SELECT d.id FROM download d
             WHERE d.state = 'downloaded' AND d.attention IS NULL
               AND EXISTS (SELECT 1 FROM recognition r
                           WHERE r.download_id = d.id AND r.state <> 'superseded')
             ORDER BY d.id",
        )?;
        collect("download", statement.query([])?, |row| row.parsed("id"))
    }
}

impl WriteTx<'_> {
    /// Writes a recognition; an older one is superseded.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_recognition(
        &mut self,
        download: DownloadId,
        found: &Recognised,
        state: RecognitionState,
    ) -> Result<RecognitionId, StoreError> {
        self.supersede_recognitions(download)?;
        let id: RecognitionId = self.new_id();
        let doubts = (!found.doubts.is_empty()).then(|| found.doubts.join("; "));
        self.conn()
            .prepare_cached(
                "INSERT INTO recognition (id, download_id, kind, title, year, season, state,
                     confidence, verdict, fields, files, evidence, detail, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14)",
            )?
            .execute(params![
                text(id),
                text(download),
                found.fields.kind.map(tracker_domain::recognised::TitleKind::as_str),
                found.fields.title,
                found.fields.year,
                found.fields.seasons.first(),
                state.as_str(),
                found.confidence,
                found.verdict.as_str(),
                to_json("recognition.fields", &found.fields)?,
                to_json("recognition.files", &found.files)?,
                to_json("recognition.evidence", &found.evidence)?,
                doubts,
                self.now().to_string(),
            ])?;
        let about = |kind, message: &str| {
            NewEvent::new(kind, message).about(EntityKind::Recognition, id).in_download(download)
        };
        self.append_event(about(EventType::RecognitionCreated, "recognised").with(json!({
            "verdict": found.verdict.as_str(),
            "title": found.fields.title,
            "year": found.fields.year,
            "doubts": found.doubts,
        })))?;
        if state == RecognitionState::Accepted {
            self.append_event(about(EventType::RecognitionAccepted, "recognition accepted"))?;
        }
        Ok(id)
    }

    /// Makes room for a new recognition.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn supersede_recognitions(&mut self, download: DownloadId) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached(
                "UPDATE recognition SET state = 'superseded', updated_at = ?2
                 WHERE download_id = ?1 AND state <> 'superseded'",
            )?
            .execute(params![text(download), self.now().to_string()])?;
        Ok(())
    }
}

fn read_recognition(row: &Columns<'_, '_>) -> Result<Recognition, StoreError> {
    Ok(Recognition {
        id: row.parsed("id")?,
        download_id: row.parsed("download_id")?,
        state: row.parsed("state")?,
        verdict: row.plain("verdict")?,
        confidence: row.plain("confidence")?,
        fields: row.json("fields")?,
        files: row.json("files")?,
        evidence: row.json("evidence")?,
        detail: row.plain("detail")?,
        created_at: row.parsed("created_at")?,
    })
}
