//! What a page of a long journal costs, beside the same page of a short one: by
//! each filter, the newest page and pages deep in, in turns.
//!
//! It runs for `cargo xtask bench` and, with ten million entries, for `cargo
//! xtask soak`; it stands here because only the store may use SQLite. `--entries
//! N` says how long the long one is. Rows of a table are the answer; a page that
//! costs many times what it costs in the short journal is a failure.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, Statement, params};
use tokio::time::Instant;
use tracker_domain::event::EventType;
use tracker_domain::ports::Clock;
use tracker_ident::{AnyId, derived};
use tracker_store::{Db, EventFilter, migrate};
use tracker_testkit::FixedClock;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The short journal.
const SHORT: u64 = 10_000;

/// The long one, where nobody says.
const LONG: u64 = 1_000_000;

/// Rows in one transaction.
const CHUNK: u64 = 500_000;

/// One entry in so many is of the download, entity and job that are asked for.
const BUSY: u64 = 100;

/// Pages of each kind and journal; the figure is the middle one.
const ROUNDS: u64 = 301;

/// What REST gives where nobody says how many.
const PAGE: u32 = 50;

/// Entries of a small page.
const FEW: u32 = 10;

/// Entries of one download, which follow each other as they do in life.
const STORY: u64 = FEW as u64;

/// More than this times the short journal's cost is not constant any more. A
/// scan or a sort would be a hundred or a thousand times.
const MOST: f64 = 4.0;

/// The first entry's time, in milliseconds; one entry in each.
const BEGIN: u64 = 1_700_000_000_000;

const NOW: &str = "2026-01-02T03:04:05Z";

/// Some types, each of which is of one entry in eight.
const TYPES: &[EventType] = EventType::ALL.split_at(8).0;

/// The type of one story alone.
const RARE: EventType = EventType::ALL[8];

/// A kind of page.
struct Question {
    name: &'static str,
    filter: fn(&mut EventFilter),
    place: Place,
    limit: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Newest,
    /// Before an entry somewhere in the later half.
    Deep,
    /// After an entry somewhere in the earlier half, as a reader with a cursor asks.
    After,
}

const fn page(name: &'static str, filter: fn(&mut EventFilter), place: Place) -> Question {
    Question { name, filter, place, limit: PAGE }
}

const fn few(name: &'static str, filter: fn(&mut EventFilter), place: Place) -> Question {
    Question { name, filter, place, limit: FEW }
}

const QUESTIONS: [Question; 16] = [
    page("the newest page", |_| (), Place::Newest),
    page("a page deep in", |_| (), Place::Deep),
    page("a page after a cursor", |_| (), Place::After),
    page("the newest of a type", |filter| filter.types = TYPES[..1].to_vec(), Place::Newest),
    page("of a type, deep in", |filter| filter.types = TYPES[..1].to_vec(), Place::Deep),
    page("of three types, deep in", |filter| filter.types = TYPES[..3].to_vec(), Place::Deep),
    page(
        "of three types after a cursor",
        |filter| filter.types = TYPES[..3].to_vec(),
        Place::After,
    ),
    page("of an entity, deep in", |filter| filter.entity_id = Some(busy()), Place::Deep),
    page(
        "the newest of a download",
        |filter| filter.download_id = Some(busy().typed()),
        Place::Newest,
    ),
    page("of a download, deep in", |filter| filter.download_id = Some(busy().typed()), Place::Deep),
    page("of a job, deep in", |filter| filter.job_id = Some(busy().typed()), Place::Deep),
    // Few enough for the short journal to have them.
    few(
        "of a download and four types, deep in",
        |filter| {
            filter.download_id = Some(busy().typed());
            filter.types = TYPES[..4].to_vec();
        },
        Place::Deep,
    ),
    // Ten entries at the far end, which a walk along all others comes to last.
    few("all of a rare type", |filter| filter.types = vec![RARE], Place::Newest),
    few("all of an old entity", |filter| filter.entity_id = Some(old()), Place::Newest),
    few("all of an old download", |filter| filter.download_id = Some(old().typed()), Place::Newest),
    few("all of an old job", |filter| filter.job_id = Some(old().typed()), Place::Newest),
];

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the figures are the answer")]
fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|arg| arg == "--bench") {
        // A test run that takes benches along does not mean this.
        return Ok(());
    }
    let said = args.iter().skip_while(|arg| *arg != "--entries").nth(1);
    let entries: u64 = said.map_or(Ok(LONG), |text| text.parse())?;
    // On the disk that is built on: folders for temporary files may be memory.
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let short = filled(&place.path().join("short.db"), SHORT)?;
    let began = Instant::now();
    let path = place.path().join("long.db");
    let long = filled(&path, entries)?;
    let mebibytes = std::fs::metadata(&path)?.len() >> 20;
    eprintln!("{entries} entries, {mebibytes} MiB, written in {:.1?}", began.elapsed());
    let mut dear = Vec::new();
    for question in &QUESTIONS {
        let (ours, beside) = in_turns(question, (&long, entries), (&short, SHORT))?;
        let ratio = ours / beside;
        println!(
            "| journal of {entries}: {} | {ours:.0} µs | {beside:.0} µs of {SHORT} | {ratio:.2} |",
            question.name
        );
        if ratio > MOST {
            dear.push(question.name);
        }
    }
    if !dear.is_empty() {
        return Err(format!("not at a constant cost: {}", dear.join("; ")).into());
    }
    Ok(())
}

/// The middle costs in microseconds: of the long journal, of the short one.
fn in_turns(question: &Question, long: (&Db, u64), short: (&Db, u64)) -> Result<(f64, f64)> {
    let (mut ours, mut beside) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        ours.push(cost(question, long, round)?);
        beside.push(cost(question, short, round)?);
    }
    Ok((median(ours), median(beside)))
}

fn cost(question: &Question, (db, entries): (&Db, u64), round: u64) -> Result<f64> {
    let mut filter = EventFilter { limit: question.limit, ..EventFilter::default() };
    (question.filter)(&mut filter);
    // Somewhere else each time, so that no page is kept for the next round.
    let part = spread(round) % 400;
    match question.place {
        Place::Newest => {}
        Place::Deep => filter.before = Some(id(entries * (599 + part) / 1000)),
        Place::After => filter.after = Some(id(entries * part / 1000)),
    }
    let began = Instant::now();
    let rows = db.read_blocking(|tx| tx.events(&filter))?;
    let took = began.elapsed();
    if rows.len() != question.limit as usize {
        return Err(format!("{}: a page of {} of {entries}", question.name, rows.len()).into());
    }
    Ok(took.as_secs_f64() * 1e6)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Numbers in no order.
fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// The id of the nth entry.
fn id(number: u64) -> AnyId {
    derived(BEGIN + number, number, "event")
}

/// What is asked for where somebody asks for one thing.
fn busy() -> AnyId {
    story(0)
}

/// A journal of so many entries.
fn filled(path: &Path, entries: u64) -> Result<Db> {
    let clock = Arc::new(FixedClock::new());
    migrate::migrate(path, None, clock.now(), 0o600)?;
    let mut conn = Connection::open(path)?;
    // Nobody needs it after a crash; what reads it is opened as ever.
    conn.execute_batch(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-262144;",
    )?;
    for begin in (0..entries).step_by(CHUNK.try_into()?) {
        let tx = conn.transaction()?;
        let mut statement = tx.prepare(
            "INSERT INTO event (id, created_at, type, entity_kind, entity_id, entity_name,
                                download_id, job_id, actor, message, data)
             VALUES (?1, ?2, ?3, 'download', ?4, 'a film', ?4, ?5, 'system', 'it happened', '{}')",
        )?;
        for number in begin..entries.min(begin + CHUNK) {
            insert(&mut statement, number)?;
        }
        drop(statement);
        tx.commit()?;
    }
    drop(conn);
    Ok(Db::open(path, clock)?)
}

/// The download, entity and job of the first whole story.
fn old() -> AnyId {
    story(1)
}

fn story(number: u64) -> AnyId {
    derived(BEGIN + number * STORY, number, "download")
}

fn insert(statement: &mut Statement<'_>, number: u64) -> rusqlite::Result<()> {
    let is_old = number / STORY == 1;
    let kind = if is_old { RARE } else { TYPES[(spread(number) % 8) as usize] };
    let download = if number.is_multiple_of(BUSY) { busy() } else { story(number / STORY) };
    let job = match number % BUSY {
        1 => Some(busy().to_string()),
        _ if is_old => Some(old().to_string()),
        _ => None,
    };
    statement.execute(params![
        id(number).to_string(),
        NOW,
        kind.as_str(),
        download.to_string(),
        job
    ])?;
    Ok(())
}
