//! A copy of the database takes the place of the database: checked, brought up to
//! date and compared before, swapped in one step, with what was there kept aside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_domain::{Actor, Timestamp};

use crate::journal::NewEvent;
use crate::migrate::{self, MigrateError, copy};
use crate::{BackupMade, Db, ScratchFile, StoreError, check};

/// How many downloads are named that would be lost.
const NAMED: usize = 10;

/// The rows of one table, now and after a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableChange {
    /// Its name.
    pub table: String,
    /// Rows now; `None` where there is no such table, or the database cannot be read.
    pub now: Option<i64>,
    /// Rows afterwards; `None` where there is no such table in the copy.
    pub then: Option<i64>,
}

/// What a restore changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestorePlan {
    /// The version of the schema in the copy as it was found.
    pub schema_version: u32,
    /// The last entry of the journal in the copy.
    pub newest_entry: Option<Timestamp>,
    /// The tables whose numbers of rows are others afterwards.
    pub tables: Vec<TableChange>,
    /// How many downloads there are now that the copy does not have.
    pub lost_count: u64,
    /// The names of the newest of these.
    pub lost: Vec<String>,
    /// Why the database that is there now cannot be read, where it cannot.
    pub unreadable: Option<String>,
}

/// A copy that is ready to take the place of the database.
pub struct PreparedRestore {
    copy: ScratchFile,
    /// Rows of each table, where nothing had to be migrated.
    counts: Vec<(String, i64)>,
    /// The size and the hash of the object that it was unpacked from.
    object: Option<(u64, String)>,
    /// What it would change.
    pub plan: RestorePlan,
}

/// Where the former database is afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The former database; `None` where there was none.
    pub aside: Option<PathBuf>,
}

/// Writes the database in `from` into a scratch file, with what stands in its
/// write-ahead log.
///
/// # Errors
/// When it is no database, or is damaged.
pub fn copy_database(from: &Path, to: &ScratchFile) -> Result<(), MigrateError> {
    copy::into(&only_read(from)?, to.path())
}

/// Checks a copy, brings it up to date and compares it with the database. The
/// database itself is only read.
///
/// # Errors
/// When the copy is damaged, newer than this program, or cannot be migrated.
pub fn prepare_restore(
    database: &Path,
    copy: ScratchFile,
) -> Result<PreparedRestore, MigrateError> {
    let schema_version = migrate::bring_up_to_date(copy.path())?;
    let conn = Connection::open(copy.path())?;
    if let Some(problem) = check::check(&conn)?.problems.into_iter().next() {
        let detail = format!("{}: {}", problem.code, problem.detail);
        return Err(MigrateError::Corrupt { detail, copy: None });
    }
    let newest_entry = newest_entry(&conn)?;
    let then = check::counts(&conn)?;
    let mut plan = RestorePlan {
        schema_version,
        newest_entry,
        tables: Vec::new(),
        lost_count: 0,
        lost: Vec::new(),
        unreadable: None,
    };
    let compared = if database.exists() { compare(database, copy.path()) } else { Ok(None) };
    let now = match compared {
        Ok(Some(found)) => {
            plan.lost_count = found.lost_count;
            plan.lost = found.lost;
            found.counts
        }
        Ok(None) => Vec::new(),
        // Restoring is what one does with a database that cannot be read.
        Err(error) => {
            plan.unreadable = Some(error.to_string());
            Vec::new()
        }
    };
    plan.tables = changes(&now, &then);
    let counts = if schema_version == migrate::LATEST { then } else { Vec::new() };
    Ok(PreparedRestore { copy, counts, object: None, plan })
}

struct Present {
    counts: Vec<(String, i64)>,
    lost_count: u64,
    lost: Vec<String>,
}

fn compare(database: &Path, copy: &Path) -> Result<Option<Present>, MigrateError> {
    let conn = only_read(database)?;
    let version = migrate::version_of(&conn)?;
    if version == 0 {
        return Ok(None);
    }
    let counts = check::counts(&conn)?;
    let mut present = Present { counts, lost_count: 0, lost: Vec::new() };
    if version >= migrate::FIRST_WITH_ULIDS {
        conn.execute("ATTACH DATABASE ?1 AS copied", [copy.to_string_lossy()])?;
        let gone = "FROM main.download WHERE id NOT IN (SELECT id FROM copied.download)";
        let count: i64 =
            conn.query_row(&format!("SELECT count(*) {gone}"), [], |row| row.get(0))?;
        present.lost_count = count.unsigned_abs();
        let mut statement =
            conn.prepare(&format!("SELECT name {gone} ORDER BY id DESC LIMIT {NAMED}"))?;
        let names = statement.query_map([], |row| row.get(0))?;
        present.lost = names.collect::<Result<_, _>>()?;
    }
    Ok(Some(present))
}

fn changes(now: &[(String, i64)], then: &[(String, i64)]) -> Vec<TableChange> {
    let of = |counts: &[(String, i64)], table: &str| {
        counts.iter().find(|(name, _)| name == table).map(|(_, count)| *count)
    };
    let only_now = now.iter().filter(|(table, _)| of(then, table).is_none());
    let tables = then.iter().chain(only_now).map(|(table, _)| table);
    tables
        .map(|table| TableChange {
            table: table.clone(),
            now: of(now, table),
            then: of(then, table),
        })
        .filter(|change| change.now != change.then)
        .collect()
}

fn newest_entry(conn: &Connection) -> Result<Option<Timestamp>, MigrateError> {
    let text: Option<String> = conn
        .query_row("SELECT created_at FROM event ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
        .optional()?;
    Ok(text.and_then(|text| text.parse().ok()))
}

impl PreparedRestore {
    /// The same, unpacked from an object of a target: the backup that it is does not know
    /// yet that it was put, nor its job that it is done.
    #[must_use]
    pub fn of_object(self, size_bytes: u64, sha256: String) -> Self {
        PreparedRestore { object: Some((size_bytes, sha256)), ..self }
    }

    /// Swaps it with the database, which is kept aside under another name. Whoever
    /// dies in between leaves one of the two, whole, under the name of the database.
    ///
    /// The caller keeps every other process out.
    ///
    /// # Errors
    /// When a file cannot be written, linked or renamed; the database is then as it
    /// was.
    pub fn swap(
        self,
        database: &Path,
        source: &str,
        clock: Arc<dyn Clock>,
        actor: &Actor,
    ) -> Result<Restored, MigrateError> {
        let now = clock.now();
        let aside = database.exists().then(|| {
            copy::free_name(&copy::with_suffix(database, &format!(".replaced-{}", now.compact())))
        });
        self.tell(database, source, aside.as_deref(), clock, actor)?;
        copy::sync(self.copy.path())?;
        if let Some(aside) = &aside {
            if self.plan.unreadable.is_none() {
                // What cannot be written back now is kept beside the file.
                let _ = Connection::open(database).and_then(|conn| copy::fold(&conn));
            }
            keep(database, aside)?;
        }
        // A log of the former database must never meet the new one.
        for suffix in ["-wal", "-shm", "-journal"] {
            let path = copy::with_suffix(database, suffix);
            if path.exists() {
                fs::remove_file(&path).map_err(copy::io_error("remove", &path))?;
            }
        }
        fs::rename(self.copy.path(), database)
            .map_err(copy::io_error("rename", self.copy.path()))?;
        copy::sync(copy::folder_of(database))?;
        Ok(Restored { aside })
    }

    /// Writes into the copy that it was restored, and what no later id may be below.
    fn tell(
        &self,
        database: &Path,
        source: &str,
        aside: Option<&Path>,
        clock: Arc<dyn Clock>,
        actor: &Actor,
    ) -> Result<(), MigrateError> {
        let path = self.copy.path();
        if let Some(floor) = floor_of(database) {
            Connection::open(path)?.execute(
                "INSERT INTO id_floor (name, id) VALUES ('global', ?1)
                 ON CONFLICT (name) DO UPDATE SET id = max(id, excluded.id)",
                [floor],
            )?;
        }
        let db = Db::open(path, clock).map_err(unwritable(path))?;
        let entry = NewEvent::new(EventType::SystemRestored, "database restored").with(json!({
            "from": source,
            "schema_version": self.plan.schema_version,
            "newest_entry": self.plan.newest_entry.map(|at| at.to_string()),
            "lost_downloads": self.plan.lost_count,
            "former_database": aside.map(|aside| aside.to_string_lossy()),
        }));
        let own = self.object.clone().map(|(size_bytes, sha256)| BackupMade {
            size_bytes,
            sha256,
            schema_version: self.plan.schema_version,
            row_counts: self.counts.iter().cloned().collect(),
        });
        let written = db.write_here(actor, move |tx| {
            if let Some(own) = &own {
                tx.settle_own_backup(own)?;
            }
            tx.append_event(entry).map(drop)
        });
        written.map_err(unwritable(path))?;
        drop(db);
        // One file, whole by itself: it is renamed without its log.
        let conn = Connection::open(path)?;
        copy::fold(&conn)?;
        conn.close().map_err(|(_, error)| MigrateError::from(error))
    }
}

fn unwritable(copy: &Path) -> impl Fn(StoreError) -> MigrateError {
    let path = copy.to_owned();
    move |error| match error {
        StoreError::Sqlite(error) => error.into(),
        other => MigrateError::Io {
            action: "write",
            path: path.clone(),
            source: io::Error::other(other.to_string()),
        },
    }
}

/// Whoever closes a database that it may write writes its log back and removes it; of
/// one that is damaged nothing may be lost.
fn only_read(database: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(database, flags)
}

/// The highest id that the database has issued, as far as it can be read.
fn floor_of(database: &Path) -> Option<String> {
    if !database.exists() {
        return None;
    }
    let conn = only_read(database).ok()?;
    conn.query_row("SELECT id FROM id_floor WHERE name = 'global'", [], |row| row.get(0)).ok()
}

/// Gives the files of the database a second name.
fn keep(database: &Path, aside: &Path) -> Result<(), MigrateError> {
    for suffix in ["", "-wal", "-journal"] {
        let from = copy::with_suffix(database, suffix);
        let to = copy::with_suffix(aside, suffix);
        if !from.exists() {
            continue;
        }
        match fs::hard_link(&from, &to) {
            Ok(()) => {}
            // Not every filesystem has hard links.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                fs::copy(&from, &to).map_err(copy::io_error("copy", &from))?;
                copy::sync(&to)?;
            }
            Err(error) => return Err(copy::io_error("link", &to)(error)),
        }
    }
    copy::sync(copy::folder_of(database))
}
