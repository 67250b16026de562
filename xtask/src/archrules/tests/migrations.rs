//! What migrations may not have.

use crate::archrules::migrations;
use crate::spec;

/// The rules that a migration of version 6 breaks, with the line of each.
fn migration(text: &str) -> Vec<(usize, &'static str)> {
    migrations::check("migrations/V6__x.sql", text)
        .into_iter()
        .map(|found| (found.line, found.rule))
        .collect()
}

#[test]
fn autoincrement_is_caught() {
    spec!("architecture-rules#migrations-leave-ids-and-time/autoincrement");
    let text = "CREATE TABLE a (\n id INTEGER PRIMARY KEY AUTOINCREMENT\n) STRICT;";
    assert!(migration(text).contains(&(2, "migration-autoincrement")));
    assert!(migrations::check("migrations/V5__x.sql", text).is_empty(), "history is left alone");
    assert_eq!(migration("-- AUTOINCREMENT\nSELECT 'AUTOINCREMENT'; /* AUTOINCREMENT */"), []);
}

#[test]
fn server_side_time_is_caught() {
    spec!("architecture-rules#migrations-leave-ids-and-time/server-side-time");
    for text in [
        "CURRENT_TIMESTAMP",
        "current_time",
        "CURRENT_DATE",
        "datetime('now')",
        "DateTime ( 'NOW', 'utc')",
        "date('now')",
        "time()",
        "julianday('now')",
        "strftime('%s', 'now')",
        "strftime('%Y')",
        "unixepoch()",
        "unixepoch('now')",
        "unixepoch('subsec')",
        "datetime(\"now\")",
        "strftime('%s', replace(x, 'a', 'now'))",
    ] {
        assert_eq!(
            migration(&format!("UPDATE t SET x =\n{text};")),
            [(2, "migration-server-time")],
            "{text}"
        );
        let broken = format!("THIS IS ( NOT SQL;\n;; ))) {text}");
        assert_eq!(migration(&broken), [(2, "migration-server-time")], "{text}");
    }
    for text in [
        "datetime(created_at)",
        "julianday(x) - 1",
        "strftime('%s', created_at)",
        "'CURRENT_TIME'",
        "now",
        "date",
    ] {
        assert_eq!(migration(&format!("UPDATE t SET x = {text};")), [], "{text}");
    }
}

#[test]
fn a_numeric_key_of_a_new_table_is_caught() {
    spec!("architecture-rules#migrations-leave-ids-and-time/a-numeric-key");
    for text in [
        "CREATE TABLE t (\nid INTEGER PRIMARY KEY) STRICT;",
        "create table if not exists main.t (\nid bigint not null primary key);",
        "CREATE TABLE t (\nid INT, name TEXT, PRIMARY KEY (id)) WITHOUT ROWID;",
        "CREATE TABLE t (\n\"id\" UNSIGNED BIG INT CHECK (id > 0), CONSTRAINT k PRIMARY KEY (id ASC));",
        "CREATE TABLE t (\nid REAL PRIMARY KEY);",
        "CREATE TABLE t (\n[id] NUMERIC(10, 2) PRIMARY KEY DESC ON CONFLICT FAIL, x GARBAGE TYPE ((;",
    ] {
        let found: Vec<&str> = migration(text).into_iter().map(|found| found.1).collect();
        assert_eq!(found, ["migration-numeric-key"], "{text}");
        assert_eq!(migration(text)[0].0, 2, "{text}");
    }
    for text in [
        "CREATE TABLE t (id TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT;",
        "CREATE TABLE t (a INTEGER, b TEXT, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;",
        "CREATE TEMP TABLE t (id INTEGER PRIMARY KEY);",
        "CREATE TABLE temp.t (id INTEGER PRIMARY KEY);",
        "CREATE TEMPORARY TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, n INTEGER CHECK (n = 0));",
        "CREATE INDEX i ON t (id);",
    ] {
        assert_eq!(migration(text), [], "{text}");
    }
}

#[test]
fn computed_defaults_are_caught() {
    spec!("architecture-rules#migrations-leave-ids-and-time/a-computed-default");
    assert_eq!(
        migration("CREATE TABLE t (id TEXT PRIMARY KEY,\nx TEXT DEFAULT (random()));"),
        [(2, "migration-default")]
    );
    assert_eq!(
        migration("ALTER TABLE t ADD COLUMN x TEXT DEFAULT (hex(randomblob(16)));"),
        [(1, "migration-default")]
    );
    let time = migration("CREATE TABLE t (id TEXT PRIMARY KEY, x TEXT DEFAULT CURRENT_TIMESTAMP);");
    assert_eq!(time, [(1, "migration-default"), (1, "migration-server-time")]);
    assert_eq!(
        migration(
            "CREATE TABLE t (id TEXT PRIMARY KEY, x INTEGER DEFAULT (0), y TEXT DEFAULT 'f()');"
        ),
        []
    );
}

#[test]
fn a_migration_whose_name_hides_its_version_is_caught() {
    spec!("architecture-rules#migrations-leave-ids-and-time/autoincrement");
    assert_eq!(migrations::check("migrations/next.sql", "").len(), 1);
}
