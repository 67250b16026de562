//! Downloads by who must act: those that wait for a person, those under way, and
//! those that have ended. A page is one statement that reads as many rows as it
//! shows, whatever else there is.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rusqlite::params;
use tracker_domain::metadata::{Pin, Work};
use tracker_domain::recognised::{Fields, RecognitionState};
use tracker_domain::{Attention, BatchId, DownloadId, DownloadState};

use crate::downloads::read_download;
use crate::row::{Columns, Places, collect, collect_at};
use crate::{Download, ReadTx, StoreError};

/// Who must act. Each download that is not hidden is in one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InboxGroup {
    /// A person: something is marked, or a match waits for a word.
    NeedsYou,
    /// The program.
    Active,
    /// Nobody: it has ended.
    Done,
}

/// In which order the downloads of a group come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InboxOrder {
    /// By when they were handed over, the last one first.
    #[default]
    Newest,
    /// By when they were handed over, the first one first.
    Oldest,
    /// By name, whatever its case. A page of it costs what the group holds.
    Name,
}

/// Which downloads of a group are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxQuery {
    /// In which order.
    pub order: InboxOrder,
    /// Those of one of [`InboxGroup::words`] only.
    pub only: Option<String>,
    /// Those that come behind this one.
    pub behind: Option<DownloadId>,
}

/// How many downloads are open. Ended ones are not counted: there is no end to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InboxTotals {
    /// Those that wait for a person.
    pub needs_you: u64,
    /// Those under way.
    pub active: u64,
}

/// A download with what a row of a list tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct InboxRow {
    /// The download.
    pub download: Download,
    /// What it is taken for; `None` while nothing was read, or another recognition is
    /// awaited.
    pub taken: Option<Taken>,
    /// What the names said of the whole when they were read last.
    pub fields: Fields,
    /// What people have set for it, by field.
    pub overrides: Vec<(String, String)>,
    /// How many links of it stand.
    pub links: u64,
    /// The newest batch whose links stand.
    pub batch: Option<BatchId>,
}

/// The short form of a living recognition.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// Where it is.
    pub state: RecognitionState,
    /// From 0 to 1, for display only.
    pub confidence: Option<f64>,
    /// Whether it was made without the file list.
    pub provisional: bool,
    /// The work that was chosen, as its source described it.
    pub work: Option<Work>,
    /// The same as a pin names it.
    pub word: Option<String>,
    /// The score of the one that was chosen, else of the best.
    pub best_score: Option<f64>,
}

/// The download that lives, of several in a migrated database the newest.
macro_rules! living {
    () => {
        "(SELECT max(m.id) FROM recognition m
          WHERE m.download_id = d.id AND m.state <> 'superseded')"
    };
}

/// Whether a match waits for a person. What was made from the link alone is made
/// again, so it asks nobody.
macro_rules! proposed {
    () => {
        concat!(
            "EXISTS (SELECT 1 FROM recognition p WHERE p.id = ",
            living!(),
            " AND p.state = 'proposed' AND p.provisional IS NOT 1)"
        )
    };
}

macro_rules! marked {
    () => {
        "download d INDEXED BY download_needs_you
         WHERE d.attention IS NOT NULL AND d.hidden_at IS NULL"
    };
}

macro_rules! under_way {
    () => {
        "download d INDEXED BY download_active
         WHERE d.state IN ('queued', 'downloading', 'downloaded', 'linking')
           AND d.attention IS NULL AND d.hidden_at IS NULL"
    };
}

macro_rules! ended {
    () => {
        "download d INDEXED BY download_ended
         WHERE d.state IN ('done', 'failed', 'cancelled', 'merged')
           AND d.attention IS NULL AND d.hidden_at IS NULL"
    };
}

/// What a row shows. Each part is looked up by the id of the download, so that the
/// order of the index remains and nothing has to be sorted.
macro_rules! rows {
    ($($from:expr),+) => {
        concat!(
            "SELECT d.*,
                (SELECT group_concat(h.infohash, ' ') FROM download_infohash h
                 WHERE h.download_id = d.id) AS infohashes,
                EXISTS (SELECT 1 FROM file_link l
                        WHERE l.download_id = d.id AND l.state = 'linked') AS has_links,
                (SELECT count(*) FROM file_link l
                 WHERE l.download_id = d.id AND l.state = 'linked') AS links,
                (SELECT max(b.id) FROM apply_batch b
                 WHERE b.download_id = d.id AND b.state = 'applied') AS batch,
                (SELECT json_group_object(w.field, w.value) FROM override w
                 WHERE w.download_id = d.id) AS words,
                (SELECT n.fields FROM recognition n WHERE n.id = coalesce(",
            living!(),
            ", (SELECT max(l.id) FROM recognition l WHERE l.download_id = d.id))) AS fields,
                ",
            living!(),
            " AS living FROM ",
            $($from),+
        )
    };
}

// Of a group, those that a word tells.
macro_rules! marked_so {
    () => {
        concat!(marked!(), " AND (?3 IS NULL OR d.attention = ?3)")
    };
}

macro_rules! proposed_so {
    () => {
        concat!(under_way!(), " AND (?3 IS NULL OR ?3 = 'needs-review') AND ", proposed!())
    };
}

macro_rules! active_so {
    () => {
        concat!(under_way!(), " AND (?3 IS NULL OR d.state = ?3) AND NOT ", proposed!())
    };
}

macro_rules! ended_so {
    () => {
        concat!(ended!(), " AND (?3 IS NULL OR d.state = ?3)")
    };
}

macro_rules! newest {
    ($($from:expr),+) => {
        concat!($($from),+, " AND (?1 IS NULL OR d.id < ?1)")
    };
}

macro_rules! oldest {
    ($($from:expr),+) => {
        concat!($($from),+, " AND (?1 IS NULL OR d.id > ?1)")
    };
}

/// By name: the ids of a page are found first, so that only its rows are looked up.
macro_rules! by_name {
    ($($ids:expr),+) => {
        rows!(
            "download d WHERE d.id IN (SELECT named.id FROM (",
            $($ids),+,
            ") named WHERE ?1 IS NULL OR (named.sort_name, named.id) >
                (SELECT folded(c.name), c.id FROM download c WHERE c.id = ?1)
             ORDER BY named.sort_name, named.id LIMIT ?2)
             ORDER BY folded(d.name), d.id"
        )
    };
}

const NEEDS_YOU: &str = concat!(
    rows!(newest!(marked_so!())),
    " UNION ALL ",
    rows!(newest!(proposed_so!())),
    " ORDER BY id DESC LIMIT ?2"
);
const NEEDS_YOU_OLDEST: &str = concat!(
    rows!(oldest!(marked_so!())),
    " UNION ALL ",
    rows!(oldest!(proposed_so!())),
    " ORDER BY id LIMIT ?2"
);
const NEEDS_YOU_BY_NAME: &str = by_name!(
    "SELECT d.id, folded(d.name) AS sort_name FROM ",
    marked_so!(),
    " UNION ALL SELECT d.id, folded(d.name) FROM ",
    proposed_so!()
);

const ACTIVE: &str = concat!(rows!(newest!(active_so!())), " ORDER BY d.id DESC LIMIT ?2");
const ACTIVE_OLDEST: &str = concat!(rows!(oldest!(active_so!())), " ORDER BY d.id LIMIT ?2");
const ACTIVE_BY_NAME: &str =
    by_name!("SELECT d.id, folded(d.name) AS sort_name FROM ", active_so!());

const DONE: &str = concat!(rows!(newest!(ended_so!())), " ORDER BY d.id DESC LIMIT ?2");
const DONE_OLDEST: &str = concat!(rows!(oldest!(ended_so!())), " ORDER BY d.id LIMIT ?2");
const DONE_BY_NAME: &str = by_name!("SELECT d.id, folded(d.name) AS sort_name FROM ", ended_so!());

const TOTALS: &str = concat!(
    "SELECT (SELECT count(*) FROM ",
    marked!(),
    ") + (SELECT count(*) FROM ",
    under_way!(),
    " AND ",
    proposed!(),
    "), (SELECT count(*) FROM ",
    under_way!(),
    " AND NOT ",
    proposed!(),
    ")"
);

const TAKEN: &str = "
    SELECT r.state, r.confidence, r.provisional,
           c.work, c.source, c.external_id,
           coalesce(c.score, (SELECT max(n.score) FROM metadata_candidate n
            WHERE n.recognition_id = r.id AND n.excluded IS NULL)) AS best_score
    FROM recognition r LEFT JOIN metadata_candidate c ON c.id = r.candidate_id
    WHERE r.id = ?1";

impl InboxGroup {
    /// Every group, in the order of a page.
    pub const ALL: [InboxGroup; 3] = [InboxGroup::NeedsYou, InboxGroup::Active, InboxGroup::Done];

    /// The word in an address.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            InboxGroup::NeedsYou => "needs-you",
            InboxGroup::Active => "active",
            InboxGroup::Done => "done",
        }
    }

    /// The words by which it can be narrowed: codes of marks, or states.
    #[must_use]
    pub fn words(self) -> Vec<&'static str> {
        use DownloadState::{
            Cancelled, Done, Downloaded, Downloading, Failed, Linking, Merged, Queued,
        };
        let states: &[DownloadState] = match self {
            InboxGroup::NeedsYou => {
                return Attention::ALL.iter().map(|attention| attention.as_str()).collect();
            }
            InboxGroup::Active => &[Queued, Downloading, Downloaded, Linking],
            InboxGroup::Done => &[Done, Failed, Cancelled, Merged],
        };
        states.iter().map(|state| state.as_str()).collect()
    }

    const fn statement(self, order: InboxOrder) -> &'static str {
        match (self, order) {
            (InboxGroup::NeedsYou, InboxOrder::Newest) => NEEDS_YOU,
            (InboxGroup::NeedsYou, InboxOrder::Oldest) => NEEDS_YOU_OLDEST,
            (InboxGroup::NeedsYou, InboxOrder::Name) => NEEDS_YOU_BY_NAME,
            (InboxGroup::Active, InboxOrder::Newest) => ACTIVE,
            (InboxGroup::Active, InboxOrder::Oldest) => ACTIVE_OLDEST,
            (InboxGroup::Active, InboxOrder::Name) => ACTIVE_BY_NAME,
            (InboxGroup::Done, InboxOrder::Newest) => DONE,
            (InboxGroup::Done, InboxOrder::Oldest) => DONE_OLDEST,
            (InboxGroup::Done, InboxOrder::Name) => DONE_BY_NAME,
        }
    }
}

impl InboxOrder {
    /// Every order, the one that holds where nobody chose first.
    pub const ALL: [InboxOrder; 3] = [InboxOrder::Newest, InboxOrder::Oldest, InboxOrder::Name];

    /// The word in an address.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            InboxOrder::Newest => "newest",
            InboxOrder::Oldest => "oldest",
            InboxOrder::Name => "name",
        }
    }
}

impl ReadTx<'_> {
    /// The downloads of a group that are wanted, not more than `limit`.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn inbox(
        &self,
        group: InboxGroup,
        wanted: &InboxQuery,
        limit: u32,
    ) -> Result<Vec<InboxRow>, StoreError> {
        let mut statement = self.conn().prepare_cached(group.statement(wanted.order))?;
        let behind = wanted.behind.map(|id| id.to_string());
        let rows = statement.query(params![behind, limit, wanted.only])?;
        // Asked once for each row.
        let taken = RefCell::new(self.conn().prepare_cached(TAKEN)?);
        let places = Places::default();
        collect("download", rows, |row| {
            let words: BTreeMap<String, String> = row.json("words")?;
            Ok(InboxRow {
                fields: row.json("fields")?,
                overrides: words.into_iter().collect(),
                taken: match row.plain::<Option<String>>("living")? {
                    Some(id) => {
                        let mut taken = taken.borrow_mut();
                        collect_at(&places, "recognition", taken.query([id])?, read_taken)?.pop()
                    }
                    None => None,
                },
                links: row.unsigned("links")?,
                batch: row.maybe("batch")?,
                download: read_download(row)?,
            })
        })
    }

    /// How many downloads are open.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn inbox_totals(&self) -> Result<InboxTotals, StoreError> {
        let (needs_you, active): (i64, i64) = self
            .conn()
            .prepare_cached(TOTALS)?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(InboxTotals { needs_you: needs_you.unsigned_abs(), active: active.unsigned_abs() })
    }
}

fn read_taken(row: &Columns<'_, '_>) -> Result<Taken, StoreError> {
    let work: Option<Work> = row.json("work")?;
    let source: Option<String> = row.plain("source")?;
    let external: Option<String> = row.plain("external_id")?;
    let named = source.zip(external).and_then(|(source, external)| {
        let pin: Pin = format!("{source}:{external}").parse().ok()?;
        Some(pin.to_string())
    });
    Ok(Taken {
        state: row.parsed("state")?,
        confidence: row.plain("confidence")?,
        provisional: row.plain::<Option<bool>>("provisional")?.unwrap_or(false),
        word: work.as_ref().map(|work| work.id.to_string()).or(named),
        work,
        best_score: row.plain("best_score")?,
    })
}

#[cfg(test)]
mod tests {
    //! With very many downloads SQLite goes about each statement as with none.
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use rusqlite::{Connection, StatementStatus};
    use tracker_domain::Timestamp;
    use tracker_testkit::{FixedClock, spec};

    use super::*;
    use crate::Db;
    use crate::migrate::migrate;

    const STATEMENTS: [&str; 8] =
        [NEEDS_YOU, NEEDS_YOU_OLDEST, ACTIVE, ACTIVE_OLDEST, DONE, DONE_OLDEST, TOTALS, TAKEN];

    fn plan_of(conn: &Connection, sql: &str) -> Vec<String> {
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let values = vec![rusqlite::types::Null; statement.parameter_count()];
        let rows = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(3));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_page_reads_what_it_shows() {
        spec!("web-ui#the-inbox-is-ordered-by-who-must-act/very-many-downloads");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
        let conn = Connection::open(&path).unwrap();
        let empty: Vec<_> = STATEMENTS.iter().map(|sql| plan_of(&conn, sql)).collect();
        conn.execute_batch(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
             INSERT INTO download (id, magnet, name, state, attention, origin, attempts, revision,
                                   created_at, updated_at)
             SELECT printf('%026d', i), '', 'name',
                 CASE i % 1000 WHEN 0 THEN 'downloading' ELSE 'done' END,
                 CASE i % 1000 WHEN 1 THEN 'link-failed' END,
                 'magnet', 0, 1, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z' FROM n;
             INSERT INTO recognition (id, download_id, state, created_at, updated_at)
             SELECT id, id, CASE substr(id, -4) WHEN '2000' THEN 'proposed' ELSE 'accepted' END,
                 created_at, updated_at FROM download;
             ANALYZE;",
        )
        .unwrap();
        for (sql, before) in STATEMENTS.iter().zip(empty) {
            // A row of the cache of plans is the same; what it costs may have changed.
            let plan = plan_of(&conn, sql);
            assert_eq!(plan, before, "{sql}");
            for step in &plan {
                assert!(!step.contains("TEMP B-TREE"), "{sql}: {plan:#?}");
                let whole = step.starts_with("SCAN") && !step.contains("USING");
                assert!(!whole || step.contains("CONSTANT ROW"), "{sql}: {plan:#?}");
            }
        }
        for (sql, index) in [
            (NEEDS_YOU, "download_needs_you"),
            (NEEDS_YOU, "download_active"),
            (ACTIVE, "download_active"),
            (DONE, "download_ended"),
        ] {
            let plan = plan_of(&conn, sql);
            assert!(plan.iter().any(|step| step.contains(index)), "{sql}: {plan:#?}");
        }
        let totals: (i64, i64) =
            conn.query_row(TOTALS, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(totals, (110, 90));
    }

    #[test]
    fn a_statement_is_compiled_once_whatever_it_is_asked_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tracker.db");
        migrate(&path, None, Timestamp::from_unix(0).unwrap(), 0o600).unwrap();
        let db = Db::open(&path, Arc::new(FixedClock::new())).unwrap();
        let orders = InboxOrder::ALL.into_iter();
        for (group, order) in orders.flat_map(|order| InboxGroup::ALL.map(|group| (group, order))) {
            let again: Result<i32, StoreError> = db.read_blocking(|tx| {
                let mut statement = tx.conn().prepare_cached(group.statement(order))?;
                for (behind, limit) in [(None, 51), (Some("0"), 51), (Some("1"), 20), (None, 2)] {
                    statement.query(params![behind, limit, None::<&str>])?.next()?;
                }
                Ok(statement.get_status(StatementStatus::RePrepare))
            });
            assert_eq!(again.unwrap(), 0, "{group:?} {order:?}");
        }
    }
}
