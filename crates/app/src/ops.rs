//! The program itself: whether it is ready and well.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use tokio::sync::Mutex;
use tracker_domain::health::{Check, Level};
use tracker_domain::observed::Progress;
use tracker_domain::ports::{Examiner, Live, NobodyWatches};
use tracker_domain::{DownloadId, UnixMillis};
use tracker_store::Db;

use crate::chats::Reported;
use crate::views::{CheckView, HealthLevel, HealthView};

/// The service for the program itself.
#[derive(Clone)]
pub struct Ops {
    pub(crate) db: Db,
    /// When this process began to serve, or to run its command.
    pub(crate) started: UnixMillis,
    live: Arc<dyn Live>,
    /// What transports have found of themselves.
    reported: Reported,
    ready: Arc<AtomicBool>,
    /// Who runs the checks.
    examiner: Arc<dyn Examiner>,
    /// Held by who has them run: one at a time.
    examining: Arc<Mutex<()>>,
}

impl Ops {
    pub(crate) fn new(db: Db, live: Arc<dyn Live>, reported: Reported) -> Self {
        Ops {
            started: db.clock().now_ms(),
            db,
            live,
            reported,
            ready: Arc::default(),
            examiner: Arc::new(NobodyWatches),
            examining: Arc::default(),
        }
    }

    pub(crate) fn with_examiner(self, examiner: Arc<dyn Examiner>) -> Self {
        Ops { examiner, ..self }
    }

    /// Runs every check now, then what [`Ops::health`] tells. Without anybody who can,
    /// that is what was found last.
    pub async fn examine(&self) -> HealthView {
        let turn = self.examining.lock().await;
        self.examiner.examine().await;
        drop(turn);
        self.health().await
    }

    /// Whether it serves: database open and current, workers running.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Says that everything that serving needs is there, or no longer.
    pub fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Release);
    }

    /// What works and what does not, as the workers know it. Asks nobody but
    /// the database.
    pub async fn health(&self) -> HealthView {
        let mut checks: Vec<CheckView> = vec![self.database().await];
        checks.extend(self.live.checks().into_iter().map(check_view));
        let reported = self.reported.read().unwrap_or_else(PoisonError::into_inner).clone();
        checks.extend(reported.into_iter().map(check_view));
        let status = checks.iter().map(|check| check.level).max().unwrap_or(HealthLevel::Ok);
        HealthView { status, checks }
    }

    /// How far the transfers are that are watched now, in the order of their ids.
    #[must_use]
    pub fn progress(&self) -> Vec<(DownloadId, Progress)> {
        let mut all = self.live.all_progress();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    async fn database(&self) -> CheckView {
        let answer = self.db.read(|tx| tx.newest_event()).await;
        let (level, detail, remedy) = match answer {
            Ok(_) => (HealthLevel::Ok, "the database answers".to_owned(), ""),
            Err(error) => (
                HealthLevel::Error,
                error.to_string(),
                "run `tracker db check`; restore a copy when it reports damage",
            ),
        };
        CheckView {
            code: "database".to_owned(),
            subject: String::new(),
            level,
            detail,
            remedy: remedy.to_owned(),
            checked_at: self.db.clock().now(),
        }
    }
}

fn check_view(check: Check) -> CheckView {
    CheckView {
        code: check.code.to_owned(),
        subject: check.subject,
        level: match check.level {
            Level::Ok => HealthLevel::Ok,
            Level::Notice => HealthLevel::Notice,
            Level::Warning => HealthLevel::Warning,
            Level::Error => HealthLevel::Error,
        },
        detail: check.detail,
        remedy: check.remedy,
        checked_at: check.checked_at,
    }
}
