//! The bare twin of an intake: one SQLite transaction that inserts the same
//! rows in the same durability, and nothing else. No guard, no id, no JSON.
//!
//! It runs for `cargo xtask bench`, which compares it with `ingest::accept`; it
//! stands here because only the store may use SQLite.

use std::io::stdin;
use std::path::Path;
use std::process::ExitCode;

use rusqlite::{Connection, TransactionBehavior, params};
use tokio::time::Instant;
use tracker_domain::Timestamp;
use tracker_store::migrate;

/// The texts of one intake, as long as the real ones.
struct Rows {
    download: String,
    event: String,
    magnet: String,
    name: String,
    v1: String,
    v2: String,
    data: String,
}

const NOW: &str = "2026-01-02T03:04:05Z";

#[expect(clippy::print_stderr, reason = "a bench says what it is for")]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [path] = args.as_slice() else {
        eprintln!("the bare twin does nothing by itself: `cargo xtask bench` compares with it");
        return ExitCode::SUCCESS;
    };
    serve(Path::new(path)).expect("the bare twin runs");
    ExitCode::SUCCESS
}

/// Reads how many intakes to make, line by line, and answers with the seconds
/// they took: so the two that are compared can take turns.
#[expect(clippy::print_stdout, reason = "the figures are the answer")]
fn serve(path: &Path) -> rusqlite::Result<()> {
    let now: Timestamp = NOW.parse().expect("the constant is a time");
    migrate::migrate(path, None, now, 0o600).expect("a new database can be made");
    let mut conn = Connection::open(path)?;
    conn.execute_batch(
        "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;
         PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    )?;
    let mut made = 0;
    for line in stdin().lines().map_while(Result::ok) {
        let count: usize = line.trim().parse().expect("a line is a number");
        let rows: Vec<Rows> = (made..made + count).map(rows).collect();
        made += count;
        let began = Instant::now();
        for row in &rows {
            insert(&mut conn, row)?;
        }
        println!("{}", began.elapsed().as_secs_f64());
    }
    Ok(())
}

fn rows(number: usize) -> Rows {
    let v1 = format!("{:040x}", number + 0xabcd);
    let v2 = format!("{:064x}", number + 0xabcd);
    let name = format!("Bench.Film.{number:06}.2020.1080p.BluRay.x264-GRP");
    Rows {
        download: format!("01kb{:022}", number * 2),
        event: format!("01kb{:022}", number * 2 + 1),
        magnet: format!("magnet:?xt=urn:btih:{v1}&xt=urn:btmh:1220{v2}&dn={name}"),
        data: format!(
            r#"{{"earlier_downloads":[],"infohashes":["{v1}","{v2}"],"origin":"magnet","state":"queued"}}"#
        ),
        name,
        v1,
        v2,
    }
}

fn insert(conn: &mut Connection, row: &Rows) -> rusqlite::Result<()> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.prepare_cached(
        "INSERT INTO download (id, magnet, name, state, client, origin, size_bytes, attempts,
                               revision, created_at, updated_at)
         VALUES (?1, ?2, ?3, 'queued', NULL, 'magnet', NULL, 0, 1, ?4, ?4)",
    )?
    .execute(params![row.download, row.magnet, row.name, NOW])?;
    let mut infohash = tx.prepare_cached(
        "INSERT INTO download_infohash (infohash, download_id, kind) VALUES (?1, ?2, ?3)",
    )?;
    infohash.execute(params![row.v1, row.download, "v1"])?;
    infohash.execute(params![row.v2, row.download, "v2"])?;
    drop(infohash);
    tx.prepare_cached(
        "INSERT INTO event (id, created_at, type, entity_kind, entity_id, entity_name, download_id,
                            job_id, actor, message, data)
         VALUES (?1, ?2, 'download.created', 'download', ?3, ?4, ?3, NULL, 'system',
                 'download accepted', ?5)",
    )?
    .execute(params![row.event, NOW, row.download, row.name, row.data])?;
    tx.prepare_cached(
        "INSERT INTO id_floor (name, id) VALUES ('global', ?1)
         ON CONFLICT (name) DO UPDATE SET id = excluded.id",
    )?
    .execute([&row.event])?;
    tx.commit()
}
