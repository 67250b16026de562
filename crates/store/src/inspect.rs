//! Looking at a database file without opening it for work: its version, its
//! soundness. Nothing is written, and any schema version is welcome.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tracker_domain::{DownloadId, Infohash};

use crate::downloads::ACTIVE;
use crate::migrate::MigrateError;
use crate::row::parse;
use crate::{CheckReport, ReadTx, StoreError, check, migrate};

/// The schema version of a file; `None` when there is no file or nothing in it.
///
/// # Errors
/// When the file is no database.
pub fn schema_version(path: &Path) -> Result<Option<u32>, MigrateError> {
    let Some(conn) = look_into(path)? else { return Ok(None) };
    let version = migrate::version_of(&conn)?;
    Ok((version > 0).then_some(version))
}

/// Every check of a file, with the version of its schema; `None` when there is
/// no file.
///
/// # Errors
/// When the file is no database.
pub fn check_file(path: &Path) -> Result<Option<(u32, CheckReport)>, MigrateError> {
    let Some(conn) = look_into(path)? else { return Ok(None) };
    let version = migrate::version_of(&conn)?;
    Ok(Some((version, check(&conn)?)))
}

fn look_into(path: &Path) -> Result<Option<Connection>, MigrateError> {
    if !path.exists() {
        return Ok(None);
    }
    // Not read-only: a WAL database needs its shared memory file to be read.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(Duration::from_secs(10))?;
    conn.execute_batch("PRAGMA query_only=ON")?;
    Ok(Some(conn))
}

impl ReadTx<'_> {
    /// The infohashes that more than one active download owns, with one of the
    /// owners: empty as long as the guards hold.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn owned_twice(&self) -> Result<Vec<(Infohash, DownloadId)>, StoreError> {
        let sql = format!(
            "SELECT h.infohash, min(d.id) FROM download_infohash h
             JOIN download d ON d.id = h.download_id
             WHERE d.state IN ({ACTIVE}) GROUP BY h.infohash HAVING count(*) > 1"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let (hash, id): (String, String) = (row.get(0)?, row.get(1)?);
            found.push((
                parse("download_infohash", "infohash", &hash)?,
                parse("download", "id", &id)?,
            ));
        }
        Ok(found)
    }

    /// What SQLite finds wrong when it reads the whole file, without comparing
    /// indexes with their tables; nothing when it is whole.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub fn quick_check(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.conn().prepare("PRAGMA quick_check(10)")?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let found: Vec<String> = rows.collect::<Result<_, _>>()?;
        Ok(found.into_iter().filter(|line| line != "ok").collect())
    }
}
