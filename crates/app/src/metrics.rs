//! The metrics: what a dashboard asks for again and again. No titles, hashes or
//! users, so that a label has few values and tells nothing of anybody.

use std::collections::BTreeMap;

use tracker_domain::UnixMillis;
use tracker_store::Figures;

use crate::Ops;
use crate::error::AppError;

/// Numbers of one meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name, with its unit.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// Each value, with the names and values of its labels.
    pub samples: Vec<(Vec<(&'static str, String)>, f64)>,
}

impl Metric {
    fn new(name: &'static str, help: &'static str) -> Self {
        Metric { name, help, samples: Vec::new() }
    }

    fn plain(name: &'static str, help: &'static str, value: f64) -> Self {
        Metric { samples: vec![(Vec::new(), value)], ..Metric::new(name, help) }
    }

    fn labelled(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        counts: impl IntoIterator<Item = (String, u64)>,
    ) -> Self {
        let samples = counts.into_iter().map(|(word, count)| (vec![(label, word)], float(count)));
        Metric { samples: samples.collect(), ..Metric::new(name, help) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a metric is a float; nothing here nears 2^53")]
const fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of this age are exact in a float")]
fn seconds(time: UnixMillis) -> f64 {
    time.0 as f64 / 1000.0
}

impl Ops {
    /// Everything that is counted, as of now.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn metrics(&self) -> Result<Vec<Metric>, AppError> {
        let (figures, newest) = self
            .db
            .read(|tx| Ok::<_, tracker_store::StoreError>((tx.figures()?, tx.newest_event()?)))
            .await?;
        let now = self.db.clock().now_ms();
        let mut metrics = counted(figures, now);
        metrics.push(Metric::plain(
            "process_start_time_seconds",
            "When the process started, in seconds since 1970.",
            seconds(self.started),
        ));
        metrics.extend(newest.map(|id| {
            Metric::plain(
                "tracker_journal_last_event_timestamp_seconds",
                "When the newest entry of the journal was written, in seconds since 1970.",
                seconds(UnixMillis(id.any().unix_ms())),
            )
        }));
        metrics.push(self.health_metric().await);
        Ok(metrics)
    }

    /// Checks by code and level: their subjects are names of a person's choice.
    async fn health_metric(&self) -> Metric {
        let mut counts: BTreeMap<(String, &'static str), u64> = BTreeMap::new();
        for check in self.health().await.checks {
            *counts.entry((check.code, check.level.as_str())).or_default() += 1;
        }
        let samples = counts.into_iter().map(|((code, level), count)| {
            (vec![("code", code), ("level", level.to_owned())], float(count))
        });
        Metric {
            samples: samples.collect(),
            ..Metric::new("tracker_health_checks", "Health checks by code and level.")
        }
    }
}

fn counted(figures: Figures, now: UnixMillis) -> Vec<Metric> {
    let age = figures.oldest_queued.map_or(0, |id| now.since(UnixMillis(id.any().unix_ms())));
    let downloads = figures.downloads.into_iter();
    let attention = figures.attention.into_iter();
    let mut metrics = vec![
        Metric::labelled(
            "tracker_downloads",
            "Downloads by state.",
            "state",
            downloads.map(|(state, count)| (state.to_string(), count)),
        ),
        Metric::labelled(
            "tracker_downloads_attention",
            "Downloads that carry a mark, by its code.",
            "attention",
            attention.map(|(code, count)| (code.to_string(), count)),
        ),
        Metric::plain(
            "tracker_oldest_queued_seconds",
            "For how long the oldest download that no client has yet has waited; 0 without any.",
            float(age) / 1000.0,
        ),
        Metric::labelled("tracker_batches", "Batches of links by state.", "state", figures.batches),
        Metric::plain(
            "tracker_client_tasks_open",
            "Wishes to clients that are not carried out yet.",
            float(figures.open_tasks),
        ),
        Metric::labelled(
            "tracker_jobs",
            "Jobs by state.",
            "state",
            figures.jobs.into_iter().map(|(state, count)| (state.to_string(), count)),
        ),
        Metric::plain(
            "tracker_notify_dead_letters",
            "Entries of the journal that receivers would not take.",
            float(figures.dead_letters),
        ),
        Metric::plain(
            "tracker_database_bytes",
            "Size of the database.",
            float(figures.database_bytes),
        ),
    ];
    metrics.extend(figures.last_backup.map(|at| {
        Metric::plain(
            "tracker_backup_last_timestamp_seconds",
            "When the newest backup was begun that came about, in seconds since 1970.",
            seconds(UnixMillis(at.unix().unsigned_abs() * 1000)),
        )
    }));
    metrics.extend(figures.wal_bytes.map(|bytes| {
        Metric::plain(
            "tracker_database_wal_bytes",
            "Size of the write-ahead log of the database.",
            float(bytes),
        )
    }));
    metrics
}
