//! A database of the version before gets its review columns.

use rusqlite::Connection;
use rusqlite::types::Value;
use tracker_domain::ports::Clock;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, DownloadId};
use tracker_store::Db;
use tracker_store::migrate::LATEST;
use tracker_testkit::{FixedClock, spec};

use super::fixture::Fixture;

const ID: &str = "01hx0000000000000000000001";

/// Everything that V6 can hold of a download.
const ROWS: &str = "
    INSERT INTO download(id, magnet, name, state, origin, metadata_at, attempts, revision, created_at, updated_at) VALUES
        ('01hx0000000000000000000001', '', 'a', 'downloaded', 'magnet', '2024-01-01T00:00:00Z', 0, 4, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO download_infohash VALUES
        ('c12fe1c06bba254a9dc9f519b335aa7c1367a88a', '01hx0000000000000000000001', 'v1');
    INSERT INTO recognition(id, download_id, kind, title, year, state, confidence, fields, created_at, updated_at) VALUES
        ('01hx0000000000000000000002', '01hx0000000000000000000001', 'movie', 'One', 1998, 'proposed', 0.5, NULL, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000003', '01hx0000000000000000000001', 'movie', 'Two', 1999, 'waiting', 0.5, '{\"title\":\"Two\",\"episodes\":[1,2]}', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO metadata_candidate(id, recognition_id, source, external_id, title, year, score, created_at) VALUES
        ('01hx0000000000000000000004', '01hx0000000000000000000003', 'tmdb', '603', 'Low', 1999, 0.25, '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000005', '01hx0000000000000000000003', 'omdb', 'x', 'High', 1999, 0.75, '2024-01-01T00:00:00Z');
    INSERT INTO hint(id, download_id, text, created_at) VALUES
        ('01hx0000000000000000000006', '01hx0000000000000000000001', 'told', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000007', '01hx0000000000000000000001', 'untold', '2024-01-01T00:00:00Z');
    INSERT INTO override(id, download_id, field, value, created_at) VALUES
        ('01hx0000000000000000000008', '01hx0000000000000000000001', 'year', '1999', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000009', '01hx0000000000000000000001', 'library', 'films', '2024-01-01T00:00:00Z');
    INSERT INTO event(id, created_at, type, entity_kind, entity_id, actor, message, data) VALUES
        ('01hx000000000000000000000a', '2024-01-01T00:00:00Z', 'hint.added', 'hint', '01hx0000000000000000000006', 'cli:ann', '', '{}'),
        ('01hx000000000000000000000b', '2024-01-01T00:00:00Z', 'override.set', 'override', '01hx0000000000000000000008', 'cli:ann', '', '{}'),
        ('01hx000000000000000000000c', '2024-01-02T00:00:00Z', 'override.set', 'override', '01hx0000000000000000000008', 'api:bot', '', '{}');
    INSERT INTO id_floor VALUES ('global', '01hx000000000000000000000c');";

const TABLES: [&str; 7] = [
    "download",
    "download_infohash",
    "recognition",
    "metadata_candidate",
    "hint",
    "override",
    "event",
];

fn former() -> Fixture {
    let fixture = Fixture::at(6);
    fixture.sql(ROWS);
    fixture
}

pub fn open(fixture: &Fixture) -> Db {
    Db::open(&fixture.path, std::sync::Arc::new(FixedClock::new())).unwrap()
}

/// The rows of a table by the columns that it had.
pub fn values(conn: &Connection, table: &str, columns: &str) -> Vec<Vec<Value>> {
    let mut statement = conn.prepare(&format!("SELECT {columns} FROM {table} ORDER BY 1")).unwrap();
    let width = statement.column_count();
    let rows = statement.query_map([], |row| (0..width).map(|at| row.get(at)).collect());
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn authors_come_from_the_journal() {
    spec!("recognition-rows#rows-of-before/authors-from-the-journal");
    let fixture = former();
    fixture.migrate().unwrap();
    let hints: Vec<String> = fixture.column("SELECT text || ' ' || author FROM hint ORDER BY id");
    assert_eq!(hints, ["told cli:ann", "untold system"]);
    let set: Vec<String> = fixture
        .column("SELECT field || ' ' || author || ' ' || updated_at FROM override ORDER BY id");
    assert_eq!(set, ["year api:bot 2024-01-02T00:00:00Z", "library system 2024-01-01T00:00:00Z"]);
}

#[test]
fn every_row_stays_as_it_was() {
    spec!("recognition-rows#rows-of-before/everything-else-stays");
    let fixture = former();
    let rehearsal = fixture.rehearse().unwrap();
    assert_eq!((rehearsal.from, rehearsal.to, rehearsal.problems), (6, LATEST, vec![]));
    let before = TABLES.map(|table| {
        let columns = fixture
            .column::<String>(&format!("SELECT name FROM pragma_table_info('{table}')"))
            .join(", ");
        let rows = values(&fixture.conn(), table, &columns);
        (table, columns, rows)
    });
    let report = fixture.to(7).unwrap();
    assert_eq!(report.applied, [7]);
    for (table, columns, rows) in before {
        assert_eq!(values(&fixture.conn(), table, &columns), rows, "{table}");
    }
    let empty = "SELECT count(*) FROM recognition WHERE candidate_id IS NULL AND chosen_by IS NULL
        AND next_look_at IS NULL AND causes IS NULL AND provisional IS NULL";
    assert_eq!(fixture.one::<i64>(empty), 2);
    assert_eq!(fixture.problems(), Vec::<String>::new());
    // The journal of the database tells of this migration alone.
    fixture.migrate().unwrap();
    drop(open(&fixture));
    let told = "SELECT count(*) FROM event WHERE type = 'system.migrated'";
    assert_eq!(fixture.one::<i64>(told), 1);
}

#[test]
fn the_journal_tells_what_each_migration_on_the_way_moved() {
    let fixture = Fixture::with(
        "INSERT INTO download(id, infohash, magnet, state) VALUES (1, 'x', '', 'done');
         INSERT INTO hint(download_id, text) VALUES (1, 'a'), (1, 'b');",
    );
    fixture.migrate().unwrap();
    drop(open(&fixture));
    let told: String = fixture.one(
        "SELECT json_extract(data, '$.to') || ' ' || json_extract(data, '$.rows.hint') || ' '
             || json_extract(data, '$.counts.unreadable_infohash')
         FROM event WHERE type = 'system.migrated'",
    );
    assert_eq!(told, format!("{LATEST} 2 1"));
}

#[test]
fn migrated_candidates_are_read_with_what_they_have() {
    spec!("recognition-rows#candidates-keep-their-order/a-migrated-candidate");
    let fixture = former();
    fixture.migrate().unwrap();
    let db = open(&fixture);
    let id: DownloadId = ID.parse().unwrap();
    let (living, rows) = db
        .read_blocking(|tx| {
            let living = tx.recognition_of(id)?.unwrap();
            let rows = tx.candidates(living.id)?;
            Ok::<_, tracker_store::StoreError>((living, rows))
        })
        .unwrap();
    assert_eq!((living.provisional, living.chosen_by, living.causes.len()), (false, None, 0));
    let titles: Vec<&str> = rows.iter().map(|row| row.title.as_str()).collect();
    assert_eq!(titles, ["High", "Low"]);
    assert!(rows.iter().all(|row| row.work.is_none() && row.rank.is_none()));
    assert_eq!(rows[0].word(), None);
    assert_eq!(rows[1].word().as_deref(), Some("tmdb:603"));
    assert!(rows[1].is_named_by("tmdb:603") && !rows[1].is_named_by("tvmaze:603"));
    // A waiting one without a time is due at once.
    let now = FixedClock::new().now();
    let due = db.read_blocking(|tx| tx.waiting_due(now)).unwrap();
    assert_eq!(due, [id]);
}

#[test]
fn a_decision_settles_which_of_several_lives() {
    spec!("recognition-rows#one-living-recognition/several-in-a-migrated-database");
    let fixture = former();
    fixture.migrate().unwrap();
    let db = open(&fixture);
    let id: DownloadId = ID.parse().unwrap();
    let ann = Actor::Web("ann".to_owned());
    let unknown = "01hx0000000000000000000005".parse().unwrap();
    let refused = db.write_blocking(&ann, |tx| tx.accept_recognition(id, Some(unknown))).unwrap();
    assert_eq!(refused, Err(tracker_store::AcceptRefused::UnknownWork));
    let known = "01hx0000000000000000000004".parse().unwrap();
    let held = db.write_blocking(&ann, |tx| tx.accept_recognition(id, Some(known))).unwrap();
    let held = held.unwrap();
    assert_eq!((held.state, held.candidate), (RecognitionState::Accepted, Some(known)));
    let states: Vec<String> = fixture.column("SELECT state FROM recognition ORDER BY id");
    assert_eq!(states, ["superseded", "accepted"]);
    let word: String = fixture.one("SELECT value FROM override WHERE field = 'candidate'");
    assert_eq!(word, "tmdb:603");
}
