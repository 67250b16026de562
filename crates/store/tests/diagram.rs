//! The diagram of `docs/database.md` is the schema that the migrations make.
//!
//! `cargo xtask diagram` writes it anew. The order of the tables is the page's
//! own: a person puts what belongs together side by side.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use rusqlite::Connection;
use tracker_domain::ports::Clock;
use tracker_store::migrate;
use tracker_testkit::{FixedClock, spec};

/// What the schema cannot say of a foreign key: the word for it, and whether the
/// program keeps a row from having more than one of the others.
struct Relation {
    table: &'static str,
    column: &'static str,
    word: &'static str,
    is_single: bool,
}

const fn many(table: &'static str, column: &'static str, word: &'static str) -> Relation {
    Relation { table, column, word, is_single: false }
}

const fn single(table: &'static str, column: &'static str, word: &'static str) -> Relation {
    Relation { table, column, word, is_single: true }
}

/// In the order of the page.
const RELATIONS: [Relation; 22] = [
    many("download", "merged_into", "absorbed"),
    many("download_infohash", "download_id", "has"),
    single("download_torrent", "download_id", "came as"),
    many("download_file", "download_id", "holds"),
    many("recognition", "download_id", "is taken for"),
    many("metadata_candidate", "recognition_id", "may be"),
    // One of the recognition's own, so it is nobody else's.
    single("recognition", "candidate_id", "is chosen by"),
    many("hint", "download_id", "is hinted by"),
    many("override", "download_id", "is corrected by"),
    many("remembered_declined", "download_id", "declined"),
    single("ask_download", "download_id", "is asked about by"),
    many("apply_batch", "recognition_id", "led to"),
    many("apply_batch", "download_id", "is laid out by"),
    many("apply_batch", "superseded_by", "took the place of"),
    many("file_link", "apply_batch_id", "consists of"),
    many("file_link", "recognition_id", "named"),
    many("file_link", "download_id", "is linked by"),
    many("client_task", "download_id", "wishes"),
    many("telegram_message", "download_id", "is shown by"),
    many("backup", "job_id", "made"),
    many("session", "user_id", "is logged in by"),
    many("login_link", "user_id", "may log in by"),
];

const OPEN: &str = "```mermaid\n";
const CLOSE: &str = "```\n";

struct Column {
    name: String,
    kind: String,
    may_be_null: bool,
    is_key: bool,
    /// The table that it points to.
    parent: Option<String>,
    is_unique: bool,
}

type Tables = BTreeMap<String, Vec<Column>>;

fn texts(conn: &Connection, sql: &str, of: &str) -> Vec<String> {
    let mut statement = conn.prepare(sql).unwrap();
    let rows = statement.query_map([of], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The columns that alone have no value twice, by a constraint or an index.
fn unique_columns(conn: &Connection, table: &str) -> Vec<String> {
    let indexes = texts(
        conn,
        "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial",
        table,
    );
    let columns =
        indexes.iter().map(|index| texts(conn, "SELECT name FROM pragma_index_info(?1)", index));
    columns.filter_map(|mut names| if names.len() == 1 { names.pop() } else { None }).collect()
}

fn columns(conn: &Connection, table: &str) -> Vec<Column> {
    let unique = unique_columns(conn, table);
    let parents: BTreeMap<String, String> = conn
        .prepare("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1)")
        .unwrap()
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut statement = conn
        .prepare("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid")
        .unwrap();
    let rows = statement.query_map([table], |row| {
        let name: String = row.get(0)?;
        let is_key = row.get::<_, i64>(3)? > 0;
        Ok(Column {
            kind: row.get(1)?,
            may_be_null: !row.get::<_, bool>(2)? && !is_key,
            is_key,
            parent: parents.get(&name).cloned(),
            is_unique: unique.contains(&name),
            name,
        })
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn schema() -> Tables {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tracker.db");
    migrate::migrate(&path, None, FixedClock::new().now(), 0o600).unwrap();
    let conn = Connection::open(&path).unwrap();
    let names = texts(
        &conn,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
         AND name <> ?1",
        "refinery_schema_history",
    );
    names.into_iter().map(|name| (name.clone(), columns(&conn, &name))).collect()
}

/// Each foreign key as `table.column`, and each that has a word.
fn foreign_keys(tables: &Tables) -> (Vec<String>, Vec<String>) {
    let mut there: Vec<String> = Vec::new();
    for (table, columns) in tables {
        let keys = columns.iter().filter(|column| column.parent.is_some());
        there.extend(keys.map(|column| format!("{table}.{}", column.name)));
    }
    let mut told: Vec<String> =
        RELATIONS.iter().map(|one| format!("{}.{}", one.table, one.column)).collect();
    there.sort_unstable();
    told.sort_unstable();
    (there, told)
}

fn relation(tables: &Tables, one: &Relation) -> String {
    let column = tables[one.table].iter().find(|column| column.name == one.column).unwrap();
    let parent = column.parent.as_ref().unwrap();
    let from = if column.may_be_null { "|o" } else { "||" };
    let to = if one.is_single { "o|" } else { "o{" };
    assert!(one.is_single || !column.is_unique, "{}.{} is unique", one.table, one.column);
    format!("    {parent} {from}--{to} {} : \"{}\"\n", one.table, one.word)
}

fn table(name: &str, columns: &[Column]) -> String {
    let mut text = format!("    {name} {{\n");
    for column in columns {
        let mut marks = Vec::new();
        if column.is_key {
            marks.push("PK");
        }
        if column.parent.is_some() {
            marks.push("FK");
        }
        if column.is_unique && !column.is_key {
            marks.push("UK");
        }
        let marks = if marks.is_empty() { String::new() } else { format!(" {}", marks.join(", ")) };
        let null = if column.may_be_null { " \"may be null\"" } else { "" };
        text.push_str(&format!("        {} {}{marks}{null}\n", column.kind, column.name));
    }
    text + "    }\n"
}

/// The tables as the page has them, and those behind them that it does not have.
fn order<'a>(tables: &'a Tables, page: &str) -> Vec<&'a String> {
    let mut names: Vec<&String> = tables.keys().collect();
    names.sort_by_key(|name| page.find(&format!("\n    {name} {{\n")).unwrap_or(usize::MAX));
    names
}

fn diagram(tables: &Tables, page: &str) -> String {
    let mut text = "erDiagram\n".to_owned();
    text.extend(RELATIONS.iter().map(|one| relation(tables, one)));
    text.extend(order(tables, page).into_iter().map(|name| table(name, &tables[name])));
    text
}

/// The lines that one text has and the other does not, with their table.
fn differences(page: &str, schema: &str) -> Vec<String> {
    let named = |text: &str| {
        let mut table = "";
        let mut lines = Vec::new();
        for line in text.lines() {
            table = line.strip_suffix(" {").map_or(table, str::trim);
            lines.push(format!("{table}: {}", line.trim()));
        }
        lines
    };
    let (page, schema) = (named(page), named(schema));
    let only = |these: &[String], those: &[String], word: &str| -> Vec<String> {
        let missing = these.iter().filter(|line| !those.contains(line));
        missing.map(|line| format!("{word} {line}")).collect()
    };
    let mut found = only(&page, &schema, "only the page has");
    found.extend(only(&schema, &page, "only the schema has"));
    found
}

#[test]
fn the_diagram_is_the_schema() {
    spec!("architecture-rules#the-diagram-is-the-schema/a-column-or-relation-that-differs");
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/database.md"));
    let page = std::fs::read_to_string(&path).unwrap();
    let tables = schema();
    let (there, told) = foreign_keys(&tables);
    assert_eq!(there, told, "the foreign keys, and those that have a word in RELATIONS");

    let (before, rest) = page.split_once(OPEN).unwrap();
    let (shown, after) = rest.split_once(CLOSE).unwrap();
    let wanted = diagram(&tables, shown);
    if std::env::var_os("TRACKER_WRITE_DIAGRAM").is_some() {
        std::fs::write(&path, format!("{before}{OPEN}{wanted}{CLOSE}{after}")).unwrap();
    } else {
        let found = differences(shown, &wanted);
        assert!(shown == wanted, "`cargo xtask diagram` writes it anew:\n{}", found.join("\n"));
    }
    let version = migrate::LATEST;
    assert!(page.contains(&format!("the schema after [V{version}](")), "the page is of V{version}");
    for name in tables.keys() {
        assert!(after.contains(&format!("\n| `{name}` | ")), "`{name}` has no line in the table");
    }
}

#[test]
fn a_difference_is_named() {
    spec!("architecture-rules#the-diagram-is-the-schema/a-column-or-relation-that-differs");
    let tables = schema();
    let right = diagram(&tables, "");
    let wrong = right
        .replace("        TEXT hash\n", "        BLOB hash\n")
        .replace("    download ||--o{ hint : \"is hinted by\"\n", "");
    assert_eq!(
        differences(&wrong, &right),
        [
            "only the page has token: BLOB hash",
            "only the schema has : download ||--o{ hint : \"is hinted by\"",
            "only the schema has token: TEXT hash",
        ]
    );
}
