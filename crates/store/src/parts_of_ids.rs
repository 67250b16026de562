//! What is found by a part of an id or a hash, as pages and people write them.

use rusqlite::params;
use tracker_domain::{DownloadId, EntityKind};
use tracker_ident::AnyId;

use crate::row::parse;
use crate::{Entity, ReadTx, StoreError};

/// So many letters at the end of an id are looked for: as many as pages show.
pub const SHORT_ID: usize = 8;

/// So many of the newest ids of a kind are looked through. No index has their ends.
const LOOKED_THROUGH: u32 = 100_000;

/// The hashes that begin so lie side by side; `g` comes behind every digit.
const BEGINNING: &str = "
    SELECT DISTINCT download_id FROM download_infohash
    WHERE infohash >= ?1 AND infohash < ?1 || 'g' ORDER BY download_id DESC LIMIT ?2";

fn ending(kind: EntityKind) -> String {
    // The inner limit keeps what is looked through in bounds.
    format!(
        "SELECT id FROM (SELECT id FROM {} ORDER BY id DESC LIMIT {LOOKED_THROUGH})
         WHERE substr(id, -{SHORT_ID}) = ?1 LIMIT ?2",
        kind.as_str()
    )
}

impl ReadTx<'_> {
    /// The entities whose ids end in these [`SHORT_ID`] letters, which are lower-case, by
    /// kind, the newest of each first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn entities_ending(&self, end: &str, limit: usize) -> Result<Vec<Entity>, StoreError> {
        let mut found = Vec::new();
        for kind in EntityKind::ALL.iter().copied() {
            let mut statement = self.conn().prepare_cached(&ending(kind))?;
            let room = i64::try_from(limit.saturating_sub(found.len())).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![end, room])?;
            while let Some(row) = rows.next()? {
                let text: String = row.get(0)?;
                let id: AnyId = parse(kind.as_str(), "id", &text)?;
                found.extend(self.entity(id)?);
            }
        }
        Ok(found)
    }

    /// The downloads that have or had an infohash that begins with these digits, which are
    /// lower-case, the newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_beginning(
        &self,
        digits: &str,
        limit: u32,
    ) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self.conn().prepare_cached(BEGINNING)?;
        let mut rows = statement.query(params![digits, limit])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            found.push(parse("download_infohash", "download_id", &id)?);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    //! Neither reads more than it may.
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use rusqlite::Connection;
    use tracker_domain::Timestamp;
    use tracker_testkit::{FixedClock, spec};

    use super::*;
    use crate::Db;
    use crate::migrate::migrate;

    fn plan_of(conn: &Connection, sql: &str) -> Vec<String> {
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let rows = statement.query_map(["00000000", "9"], |row| row.get(3));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn parts_are_found_in_bounds_and_all_that_have_them() {
        spec!("web-ui#one-field-finds-everything/a-part-of-an-id-or-a-hash");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
        let conn = Connection::open(&path).unwrap();
        for kind in EntityKind::ALL {
            let plan = plan_of(&conn, &ending(*kind)).join("; ");
            // In the order of the ids, so that no more is read than is looked through.
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
        let plan = plan_of(&conn, BEGINNING).join("; ");
        assert!(plan.contains("SEARCH download_infohash USING"), "{plan}");

        let ids = ["01jzabcdefghjkmnpq11111111", "01jzabcdefghjkmnpr11111111"];
        for (id, hash) in ids.iter().zip(["abcdef01", "abcdef02"]) {
            let hash = format!("{hash}{}", "0".repeat(32));
            conn.execute_batch(&format!(
                "INSERT INTO download (id, magnet, name, state, origin, attempts, revision,
                                       created_at, updated_at)
                 VALUES ('{id}', '', 'n', 'queued', 'magnet', 0, 1, '1970-01-01T00:00:00Z',
                         '1970-01-01T00:00:00Z');
                 INSERT INTO download_infohash (infohash, download_id, kind)
                 VALUES ('{hash}', '{id}', 'v1');"
            ))
            .unwrap();
        }
        drop(conn);
        let db = Db::open(&path, Arc::new(FixedClock::new())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let found = runtime.block_on(db.read(|tx| {
            let ending = tx.entities_ending("11111111", 9)?;
            let none = tx.entities_ending("22222222", 9)?;
            let both = tx.downloads_beginning("abcdef0", 9)?;
            let one = tx.downloads_beginning("abcdef02", 9)?;
            Ok::<_, StoreError>((ending.len(), none.len(), both, one))
        }));
        let [first, second] = ids.map(|id| id.parse::<DownloadId>().unwrap());
        assert_eq!(found.unwrap(), (2, 0, vec![second, first], vec![second]));
    }
}
