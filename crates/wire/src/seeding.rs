//! Torrents that seed, and what holds for them.

use serde::{Deserialize, Serialize};
use tracker_app::SeedingView;
use utoipa::ToSchema;

use crate::words;

/// One torrent that the daemon added and that is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeedingDto {
    /// Its download.
    #[schema(value_type = words::Ulid)]
    pub download_id: String,
    /// Its name.
    pub name: String,
    /// The client it is in.
    pub client: String,
    /// The library that its newest links went to.
    #[schema(required)]
    pub library: Option<String>,
    /// Uploaded to downloaded; null when not known.
    #[schema(required)]
    pub ratio: Option<f64>,
    /// Seconds that it was seeded; null when not known.
    #[schema(required)]
    pub seeding_seconds: Option<u64>,
    /// What holds for it.
    pub policy: SeedingPolicyDto,
    /// What follows now: `end`, or why it goes on: `no-limit`, `incomplete`, `linked`,
    /// `min-time`, `underway`, `ended` (before, and started again or stopped still),
    /// `not-shown` (its client does not have it), `not-marked` (its tag was taken off).
    pub verdict: String,
    /// Which limit was reached: `ratio` or `time`.
    #[schema(required)]
    pub reached: Option<String>,
    /// Seconds of seeding until it ends by time alone.
    #[schema(required)]
    pub seconds_left: Option<u64>,
    /// When it was stopped.
    #[schema(required)]
    pub ended_at: Option<String>,
}

/// When a torrent has given enough, and what is done then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeedingPolicyDto {
    /// The ratio to reach; null sets no end.
    #[schema(required)]
    pub ratio: Option<f64>,
    /// Seconds to seed; null sets no end.
    #[schema(required)]
    pub seconds: Option<u64>,
    /// Seconds to seed in any case.
    pub min_seconds: u64,
    /// Whether it goes on while a library has links of it.
    pub keep_while_linked: bool,
    /// `stop`, `remove` or `remove-data`.
    pub action: String,
    /// Whether it is only told.
    pub dry_run: bool,
}

impl From<SeedingView> for SeedingDto {
    fn from(view: SeedingView) -> Self {
        let policy = SeedingPolicyDto {
            ratio: view.policy.ratio,
            seconds: view.policy.time.map(|time| time.as_secs()),
            min_seconds: view.policy.min_time.as_secs(),
            keep_while_linked: view.policy.keep_while_linked,
            action: view.policy.action.to_string(),
            dry_run: view.policy.dry_run,
        };
        SeedingDto {
            download_id: view.download_id.to_string(),
            name: view.name,
            client: view.client,
            library: view.library,
            ratio: view.ratio,
            seeding_seconds: view.seeding_seconds,
            policy,
            verdict: view.verdict.to_owned(),
            reached: view.reached.map(str::to_owned),
            seconds_left: view.seconds_left,
            ended_at: view.ended_at.map(|at| at.to_string()),
        }
    }
}
