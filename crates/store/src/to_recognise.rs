//! Which downloads the workers have to look at for their recognition. These are
//! asked at every turn, so each goes through an index.

use rusqlite::params_from_iter;
use tracker_domain::metadata::Provider;
use tracker_domain::{DownloadId, Timestamp};

use crate::row::collect;
use crate::{ReadTx, StoreError};

/// A recognition waits for a day at most: a time beyond comes from a clock that
/// was set back since, and is over.
const LONGEST_WAIT_S: i64 = 86_400;

/// What was made from the link alone is no recognition once the files are known.
/// `provisional` is null for rows of former versions, which had the files. The
/// sign before `d.state` keeps SQLite from reading every done download.
const TO_RECOGNISE: &str = "
    SELECT d.id FROM download d
    WHERE d.state IN ('downloading', 'downloaded') AND d.metadata_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM recognition r
                      WHERE r.download_id = d.id AND r.state <> 'superseded'
                        AND r.provisional IS NOT 1)
    UNION
    SELECT d.id FROM download d
    WHERE d.rerun_at IS NOT NULL AND +d.state = 'done' AND d.metadata_at IS NOT NULL
    ORDER BY 1";

/// The downloads whose recognition waits, with a further condition. `CROSS JOIN`
/// makes SQLite begin with the few that wait.
macro_rules! waiting {
    ($when:literal) => {
        concat!(
            "
    SELECT DISTINCT d.id FROM recognition r CROSS JOIN download d ON d.id = r.download_id
    WHERE r.state = 'waiting' AND ",
            $when,
            "
      AND (d.state IN ('downloading', 'downloaded', 'done')
           AND d.metadata_at IS NOT NULL AND r.provisional IS NOT 1
           OR d.state IN ('queued', 'downloading')
              AND d.metadata_at IS NULL AND r.provisional = 1)
    ORDER BY d.id"
        )
    };
}

const WAITING: &str =
    waiting!("(r.next_look_at IS NULL OR r.next_look_at <= ?1 OR r.next_look_at > ?2)");

const WAITING_ALL: &str = waiting!("TRUE");

const WAITING_FOR: &str = waiting!(
    "EXISTS (SELECT 1 FROM json_each(r.causes) cause
             WHERE json_extract(cause.value, '$.source') = ?1)"
);

const TO_FORESEE: &str = "
    SELECT d.id FROM download d
    WHERE d.state IN ('queued', 'downloading') AND d.metadata_at IS NULL AND d.name <> ''
      AND NOT EXISTS (SELECT 1 FROM recognition r
                      WHERE r.download_id = d.id AND r.state <> 'superseded')
    ORDER BY d.id";

const TO_SETTLE: &str = "
    SELECT d.id FROM download d
    WHERE d.state = 'downloaded' AND d.attention IS NULL
      AND EXISTS (SELECT 1 FROM recognition r
                  WHERE r.download_id = d.id AND r.state <> 'superseded'
                    AND r.provisional IS NOT 1)
    ORDER BY d.id";

impl ReadTx<'_> {
    /// Downloads whose file list is known and that have no recognition made with
    /// it: those under way and complete ones, and done ones for which a person
    /// asked for another.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_to_recognise(&self) -> Result<Vec<DownloadId>, StoreError> {
        self.ids(TO_RECOGNISE, &[])
    }

    /// Downloads whose recognition waits for a source and is due for another
    /// try. Those whose file list came meanwhile are not among them:
    /// [`ReadTx::downloads_to_recognise`] has them.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn waiting_due(&self, now: Timestamp) -> Result<Vec<DownloadId>, StoreError> {
        let latest = now.plus_seconds(LONGEST_WAIT_S);
        self.ids(WAITING, &[now.to_string(), latest.to_string()])
    }

    /// Downloads whose recognition waits for a source, also those that are not
    /// due yet.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn waiting(&self) -> Result<Vec<DownloadId>, StoreError> {
        self.ids(WAITING_ALL, &[])
    }

    /// Downloads whose recognition waits because of this source, also those that
    /// are not due yet.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn waiting_for(&self, source: Provider) -> Result<Vec<DownloadId>, StoreError> {
        self.ids(WAITING_FOR, &[source.as_str().to_owned()])
    }

    /// Downloads of which only the name is known, without a recognition: what
    /// they may be can be foreseen.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_to_foresee(&self) -> Result<Vec<DownloadId>, StoreError> {
        self.ids(TO_FORESEE, &[])
    }

    /// Complete downloads that nothing holds: what to link, or to ask about.
    /// What was made without the file list does not count.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_to_settle(&self) -> Result<Vec<DownloadId>, StoreError> {
        self.ids(TO_SETTLE, &[])
    }

    fn ids(&self, sql: &str, values: &[String]) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(sql)?;
        let rows = statement.query(params_from_iter(values))?;
        collect("download", rows, |row| row.parsed("id"))
    }
}

#[cfg(test)]
mod tests {
    //! Each question of the workers, and each of a page, goes through an index.
    #![allow(clippy::unwrap_used)]

    use rusqlite::Connection;
    use tracker_testkit::spec;

    use super::*;
    use crate::migrate::migrate;
    use crate::{
        candidates, entities, metadata_cache, recognitions, remembered, standing, titles, works,
    };

    /// How SQLite goes about a statement, a step a line.
    fn plan_of(conn: &Connection, sql: &str) -> Vec<String> {
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let values = vec![rusqlite::types::Null; statement.parameter_count()];
        let rows = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(3));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn what_belongs_together_is_found_through_indexes() {
        spec!("event-journal#the-story-of-an-entity/all-that-belongs-to-it");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
        let conn = Connection::open(&path).unwrap();
        let mut count = 0;
        for kind in tracker_domain::EntityKind::ALL {
            for (_, sql) in entities::relations(*kind) {
                let plan = plan_of(&conn, sql);
                let first = plan.first().unwrap();
                assert!(first.starts_with("SEARCH"), "{sql}: {plan:#?}");
                count += 1;
            }
        }
        assert!(count > 10);
    }

    #[test]
    fn every_look_goes_through_an_index() {
        spec!("recognition-rows#looks-are-cheap/through-an-index");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
        let conn = Connection::open(&path).unwrap();
        for (sql, index) in [
            (TO_RECOGNISE, "recognition_living"),
            (TO_RECOGNISE, "download_rerun"),
            (WAITING, "recognition_waiting"),
            (WAITING_ALL, "recognition_waiting"),
            (WAITING_FOR, "recognition_waiting"),
            (standing::LAST_WORD, "event_download_id"),
            (works::OF_WORK, "metadata_candidate_work"),
            (works::OF_WORK, "recognition_candidate_id"),
            (titles::TITLES, "apply_batch_standing"),
            (titles::TITLES, "metadata_candidate_work"),
            (titles::TITLES, "apply_batch_applied"),
            (titles::OF_WORK, "metadata_candidate_work"),
            (titles::OF_DOWNLOAD, "apply_batch_applied"),
            (TO_FORESEE, "recognition_living"),
            (TO_FORESEE, "download_state"),
            (TO_SETTLE, "recognition_living"),
            (recognitions::LIVING, "recognition_living"),
            (recognitions::NEWEST, "recognition_download_id"),
            (recognitions::SUPERSEDE, "recognition_living"),
            (candidates::CANDIDATES, "metadata_candidate_recognition_id"),
            (remembered::OF_RELEASE, "group_key=? AND title_key=?"),
            (metadata_cache::CACHED, "PRIMARY KEY"),
            (metadata_cache::DROP_BEFORE, "metadata_cache_fetched_at"),
        ] {
            let plan = plan_of(&conn, sql);
            assert!(plan.iter().any(|step| step.contains(index)), "{sql}: {plan:#?}");
            let whole = |step: &String| step.starts_with("SCAN") && !step.contains("INDEX");
            assert!(!plan.iter().any(whole), "{sql}: {plan:#?}");
        }
    }
}
