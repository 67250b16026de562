//! The worker that looks after what the program itself stands on: the disk and the
//! filesystem of the database, its write-ahead log, its integrity, and the clock.
//!
//! It changes nothing; health says what it finds.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tracker_domain::Timestamp;
use tracker_domain::health::{Check, Level};
use tracker_domain::ports::{Filesystem, Reach};
use tracker_store::StoreError;

use crate::Pipeline;
use crate::stage::{Pace, Stage};

/// The group of the checks.
const GROUP: &str = "house";

/// How often it looks.
const EVERY: i64 = 60;

/// How often the whole database is read.
const INTEGRITY_EVERY: i64 = 86_400;

/// Less free space than this is worth a word, and less than that an alarm: a write
/// that fails stops everything.
const LITTLE_SPACE: u64 = 1 << 30;
const NO_SPACE: u64 = 128 << 20;

/// A log of this size is not written back into the database: something reads and
/// does not end.
const LARGE_LOG: u64 = 256 << 20;

/// A clock may be this far behind what was written before, in seconds.
const CLOCK_SLACK: i64 = 5;

/// What a former pass knows.
#[derive(Debug, Default)]
pub(crate) struct House(Mutex<Integrity>);

/// When the database was read, and what was found; empty is nothing.
type Integrity = Option<(Timestamp, Vec<String>)>;

/// The stage.
pub(crate) struct HouseStage {
    pipeline: Pipeline,
    pace: Pace,
}

impl HouseStage {
    pub(crate) const fn new(pipeline: Pipeline) -> Self {
        HouseStage { pipeline, pace: Pace::every(EVERY) }
    }
}

impl Stage for HouseStage {
    const NAME: &'static str = "house";

    async fn pass(&self) -> Result<(), StoreError> {
        let is_due = self.pace.is_due(self.pipeline.db.clock().now());
        if is_due { pass(&self.pipeline).await } else { Ok(()) }
    }
}

impl House {
    fn integrity(&self) -> std::sync::MutexGuard<'_, Integrity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at everything and puts it on the board.
pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    let now = pipeline.db.clock().now();
    let newest = pipeline
        .db
        .read(|tx| match tx.newest_event()? {
            Some(id) => tx.event(id),
            None => Ok(None),
        })
        .await?;
    let mut checks = vec![clock(newest.map(|event| event.created_at), now)];
    checks.push(integrity(pipeline, now).await?);
    if let Some(folder) = pipeline.policy.data_dir.clone() {
        checks.extend(disk(pipeline, folder, now).await);
    }
    pipeline.board.set_checks(GROUP, "", checks);
    Ok(())
}

fn clock(newest: Option<Timestamp>, now: Timestamp) -> Check {
    let behind = newest.map_or(0, |at| at.seconds_since(now));
    if behind <= CLOCK_SLACK {
        return check(
            "clock",
            Level::Ok,
            "the clock goes on from what was written".to_owned(),
            "",
            now,
        );
    }
    let detail = format!(
        "the clock shows {now}, and the journal has an entry that is {behind} s later; \
         ids stay in order, times do not"
    );
    let remedy = "set the clock of this machine, for example by NTP";
    check("clock-behind", Level::Warning, detail, remedy, now)
}

/// Reads the whole database once a day; what it found then stands until the next
/// time.
async fn integrity(pipeline: &Pipeline, now: Timestamp) -> Result<Check, StoreError> {
    let known = pipeline.house.integrity().clone();
    let recent = known.filter(|(at, _)| (0..INTEGRITY_EVERY).contains(&now.seconds_since(*at)));
    let (at, found) = match recent {
        Some(recent) => recent,
        None => {
            let found = pipeline.db.read(|tx| tx.quick_check()).await?;
            *pipeline.house.integrity() = Some((now, found.clone()));
            (now, found)
        }
    };
    let Some(first) = found.first() else {
        return Ok(check(
            "database-integrity",
            Level::Ok,
            "the database is whole".to_owned(),
            "",
            at,
        ));
    };
    let remedy = "stop tracker, keep a copy of the file, run `tracker db check`, and restore a copy \
                  that is whole";
    Ok(check("database-damaged", Level::Error, first.clone(), remedy, at))
}

async fn disk(pipeline: &Pipeline, folder: PathBuf, now: Timestamp) -> Vec<Check> {
    let looked = folder.clone();
    let found = pipeline
        .on_disk(move |files| {
            let free = files.free_bytes(&looked);
            let log = files.stat(&looked.join("tracker.db-wal"));
            (free, files.filesystem(&looked), log)
        })
        .await;
    let Some((free, kind, log)) = found else { return Vec::new() };
    let mut checks = vec![match free {
        Ok(free) => space(&folder, free, now),
        Err(error) => {
            let remedy = "look whether the disk of the data directory is mounted and readable";
            check("data-dir-space", Level::Warning, error.to_string(), remedy, now)
        }
    }];
    if let Ok(kind) = kind {
        checks.push(filesystem(&folder, &kind, now));
    }
    if let Ok(Some(log)) = log {
        checks.push(write_ahead_log(log.size_bytes, now));
    }
    checks
}

fn space(folder: &Path, free: u64, now: Timestamp) -> Check {
    let detail = format!("{} MiB are free in {}", free >> 20, folder.display());
    let level = match free {
        ..NO_SPACE => Level::Error,
        NO_SPACE..LITTLE_SPACE => Level::Warning,
        LITTLE_SPACE.. => Level::Ok,
    };
    let remedy = if level == Level::Ok {
        ""
    } else {
        "make room on the disk of the data directory: without it nothing can be written down"
    };
    check("data-dir-space", level, detail, remedy, now)
}

/// A network is refused before a database is opened there; it is told here of one
/// that was mounted over the folder since.
fn filesystem(folder: &Path, kind: &Filesystem, now: Timestamp) -> Check {
    let detail = format!("{} is on {}", folder.display(), kind.name);
    let (level, what) = match kind.reach {
        Reach::Local => return check("data-dir-filesystem", Level::Ok, detail, "", now),
        Reach::Served => (
            Level::Warning,
            "which a program serves: whether locks and shared memory work there is up to it",
        ),
        Reach::Network => {
            (Level::Warning, "which is on another machine: a database does not work there")
        }
    };
    let remedy = "stop tracker, move the data directory to a disk of this machine, and set \
                  general.data_dir to it";
    check("data-dir-filesystem", level, format!("{detail}, {what}"), remedy, now)
}

fn write_ahead_log(bytes: u64, now: Timestamp) -> Check {
    let detail = format!("the write-ahead log has {} MiB", bytes >> 20);
    if bytes < LARGE_LOG {
        return check("write-ahead-log", Level::Ok, detail, "", now);
    }
    let remedy = "end programs that read tracker.db and do not let go of it; a restart of tracker \
                  writes the log back";
    check("write-ahead-log", Level::Warning, detail, remedy, now)
}

/// A check about the program itself, which has no subject.
pub(crate) fn check(
    code: &'static str,
    level: Level,
    detail: String,
    remedy: &str,
    checked_at: Timestamp,
) -> Check {
    Check::new(code, "", level, detail, remedy, checked_at)
}
