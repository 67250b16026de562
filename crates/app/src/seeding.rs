//! Torrents of ours that seed, and what their policy would do. It only looks.

use std::sync::Arc;

use tracker_domain::seeding::{Decision, SeedingPolicy, SeedingRules, seconds_left};
use tracker_domain::{DownloadId, Timestamp};
use tracker_ingest::{Clients, SeedingLook, SeedingVerdict, look_at_seeding};
use tracker_store::Db;

use crate::error::AppError;
use crate::intake::unanswered;
use crate::views::Page;

/// One torrent of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedingView {
    /// Its download.
    pub download_id: DownloadId,
    /// Its name.
    pub name: String,
    /// The client it is in.
    pub client: String,
    /// The library that its newest links went to.
    pub library: Option<String>,
    /// Uploaded to downloaded.
    pub ratio: Option<f64>,
    /// Seconds that it was seeded.
    pub seeding_seconds: Option<u64>,
    /// What holds for it.
    pub policy: SeedingPolicy,
    /// What follows now, as a word.
    pub verdict: &'static str,
    /// Which limit was reached, as a word.
    pub reached: Option<&'static str>,
    /// Seconds of seeding until it ends by time alone.
    pub seconds_left: Option<u64>,
    /// When it came to its end.
    pub ended_at: Option<Timestamp>,
}

/// The service for the end of seeding.
#[derive(Clone)]
pub struct Seeding {
    db: Db,
    clients: Clients,
    rules: Arc<SeedingRules>,
}

impl Seeding {
    pub(crate) fn new(db: Db, clients: Clients, rules: SeedingRules) -> Self {
        Seeding { db, clients, rules: Arc::new(rules) }
    }

    pub(crate) fn with_rules(self, rules: SeedingRules) -> Self {
        Seeding { rules: Arc::new(rules), ..self }
    }

    /// The torrents of ours in the clients, oldest first. Asks each client that has
    /// any.
    ///
    /// # Errors
    /// When a client cannot be asked.
    pub async fn list(&self) -> Result<Page<SeedingView>, AppError> {
        let mut items = Vec::new();
        for entry in self.clients.iter() {
            let looks = look_at_seeding(&self.db, &self.clients, entry, &self.rules, false).await;
            let looks = looks.map_err(|error| unanswered(&entry.name, error))?;
            items.extend(looks.into_iter().map(|look| view(&entry.name, look)));
        }
        items.sort_by_key(|item: &SeedingView| item.download_id);
        Ok(Page { items, next: None })
    }
}

fn view(client: &str, look: SeedingLook) -> SeedingView {
    let given = look.given();
    let (verdict, reached) = match look.verdict {
        SeedingVerdict::Decided(Decision::End(reached)) => ("end", Some(reached.as_str())),
        SeedingVerdict::Decided(Decision::Keep(why)) => (why.as_str(), None),
        SeedingVerdict::Ended => ("ended", None),
        SeedingVerdict::NotShown => ("not-shown", None),
        SeedingVerdict::NotMarked => ("not-marked", None),
    };
    let decided = matches!(look.verdict, SeedingVerdict::Decided(_));
    SeedingView {
        download_id: look.row.download.id,
        name: look.row.download.name,
        client: client.to_owned(),
        library: look.row.library,
        ratio: given.ratio,
        seeding_seconds: given.seconds,
        verdict,
        reached,
        seconds_left: seconds_left(&look.policy, given).filter(|_| decided),
        ended_at: look.row.ended_at,
        policy: look.policy,
    }
}
