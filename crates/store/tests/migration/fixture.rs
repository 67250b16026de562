//! A database of some version in a folder of its own.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::FromSql;
use tempfile::TempDir;
use tracker_domain::Timestamp;
use tracker_store::migrate::{self, MigrateError, MigrationReport, Rehearsal};

pub const HASH: &str = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a";
pub const HASH_BASE32: &str = "YEX6DQDLXISUVHOJ6UM3GNNKPQJWPKEK";
pub const V2: &str = "aa00bb11cc22dd33ee44ff5566778899aabbccdd0123456789abcdef01234567";

/// 2026-01-02T03:04:05Z.
pub fn now() -> Timestamp {
    Timestamp::from_unix(1_767_323_045).unwrap()
}

pub struct Fixture {
    folder: TempDir,
    pub path: PathBuf,
}

impl Fixture {
    /// A database of this version without rows.
    pub fn at(version: u32) -> Self {
        let fixture = Fixture::missing();
        fixture.to(version).unwrap();
        fixture
    }

    /// A database of the last former version with these rows.
    pub fn with(sql: &str) -> Self {
        let fixture = Fixture::at(5);
        fixture.sql(sql);
        fixture
    }

    /// A folder without a database.
    pub fn missing() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        Fixture { folder, path }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn to(&self, version: u32) -> Result<MigrationReport, MigrateError> {
        migrate::migrate(&self.path, Some(version), now(), 0o600)
    }

    pub fn migrate(&self) -> Result<MigrationReport, MigrateError> {
        migrate::migrate(&self.path, None, now(), 0o600)
    }

    pub fn rehearse(&self) -> Result<Rehearsal, MigrateError> {
        migrate::rehearse(&self.path, None, now())
    }

    /// Without foreign keys, so that a damaged database can be made too.
    pub fn conn(&self) -> Connection {
        let conn = Connection::open(&self.path).unwrap();
        conn.pragma_update(None, "foreign_keys", false).unwrap();
        conn
    }

    pub fn sql(&self, sql: &str) {
        self.conn().execute_batch(sql).unwrap();
    }

    pub fn one<T: FromSql>(&self, sql: &str) -> T {
        self.conn().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn column<T: FromSql>(&self, sql: &str) -> Vec<T> {
        let conn = self.conn();
        let mut statement = conn.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    pub fn note(&self, what: &str) -> i64 {
        let notes = migrate::notes(&self.conn(), 6).unwrap();
        notes.into_iter().find(|(noted, _)| noted == what).map_or(0, |(_, count)| count)
    }

    /// The names of all files beside the database and its own, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }

    /// What the check says; an empty list is a healthy database.
    pub fn problems(&self) -> Vec<String> {
        let report = tracker_store::check(&self.conn()).unwrap();
        report.problems.into_iter().map(|problem| problem.detail).collect()
    }
}

/// One download row of the former schema.
pub fn download(id: i64, infohash: &str, magnet: &str, state: &str, created_at: &str) -> String {
    format!(
        "INSERT INTO download(id, infohash, magnet, name, state, created_at, updated_at)
         VALUES ({id}, '{infohash}', '{magnet}', 'd{id}', '{state}', '{created_at}', '{created_at}');"
    )
}

/// The versions of the program from this one on.
pub fn versions_from(first: u32) -> Vec<u32> {
    let versions = migrate::names().into_iter().map(|(version, _)| version);
    versions.filter(|version| *version >= first).collect()
}
