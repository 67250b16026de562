//! The worker that ends the seeding of what has given enough, once for each
//! torrent of ours in one client.
//!
//! It decides and writes a wish; `carry_out` acts. What was not added by us, does
//! not wear our mark or is not done is never touched.

mod held;

use std::sync::{Arc, Mutex, PoisonError};

use tracing::{info, warn};
use tracker_domain::health::{Check, Level};
use tracker_domain::seeding::{Decision, Reached, SeedingAction, seconds_left};
use tracker_domain::{Actor, UnixMillis};
use tracker_ingest::{AskError, SeedingLook, SeedingVerdict, look_at_seeding};
use tracker_store::{SeedingEnd, StoreError};

use crate::Pipeline;
use crate::clients::ClientStatus;
use crate::stage::{Stage, survive};

pub(crate) use held::{Holding, holding};

/// No two looks follow each other faster, however little is left.
const SOONEST: u64 = 10_000;

/// The stage.
pub(crate) struct SeedingStage {
    pipeline: Pipeline,
    status: Arc<ClientStatus>,
    /// When the next look is due.
    next: Mutex<Option<UnixMillis>>,
}

impl SeedingStage {
    pub(crate) fn new(pipeline: Pipeline, status: Arc<ClientStatus>) -> Self {
        SeedingStage { pipeline, status, next: Mutex::default() }
    }

    /// A look costs the client a listing, so it is as rare as the others are.
    fn every(&self) -> u64 {
        u64::try_from(self.pipeline.policy.listing_every.as_millis()).unwrap_or(60_000)
    }

    fn is_due(&self, now: UnixMillis) -> bool {
        let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        // A time further off comes from a clock that was set back since.
        next.is_none_or(|at| now >= at || at.since(now) > self.every())
    }
}

impl Stage for SeedingStage {
    const NAME: &'static str = "seeding";

    async fn pass(&self) -> Result<(), StoreError> {
        let now = self.pipeline.db.clock().now_ms();
        let off = self.pipeline.policy.seeding.is_off();
        if off || self.status.online_since().is_none() || !self.is_due(now) {
            return Ok(());
        }
        let Some(left) = pass(&self.pipeline, &self.status).await? else { return Ok(()) };
        let pause = left.saturating_mul(1000).max(SOONEST).min(self.every());
        let next = UnixMillis(now.0.saturating_add(pause));
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
        Ok(())
    }
}

/// One look; seconds until the next torrent ends by its time. `None` where there was
/// nothing to look at, which costs nobody anything.
pub(crate) async fn pass(
    pipeline: &Pipeline,
    status: &ClientStatus,
) -> Result<Option<u64>, StoreError> {
    let (entry, rules) = (&status.entry, &pipeline.policy.seeding);
    let looks = match look_at_seeding(&pipeline.db, &pipeline.clients, entry, rules, true).await {
        Ok(looks) => looks,
        Err(AskError::Store(failure)) => return Err(failure),
        Err(error) => {
            // Health tells of a client that does not answer.
            warn!(client = %entry.name, error = %error, "the seeding torrents could not be listed");
            return Ok(Some(u64::MAX));
        }
    };
    let left = looks.iter().map(soon).min();
    let mut told = Vec::new();
    for look in looks {
        let SeedingVerdict::Decided(Decision::End(reached)) = look.verdict else { continue };
        if look.policy.dry_run {
            told.push(look);
            continue;
        }
        let id = look.row.download.id;
        survive(SeedingStage::NAME, id, end(pipeline, status, look, reached).await);
    }
    tell_dry_run(pipeline, status, &told);
    Ok(left)
}

/// Seconds until a torrent may end by its time. A client that does not know yet how
/// long it was seeded does so soon.
fn soon(look: &SeedingLook) -> u64 {
    let given = look.given();
    let waits = matches!(look.verdict, SeedingVerdict::Decided(Decision::Keep(_)));
    if waits && given.complete && given.seconds.is_none() && look.policy.time.is_some() {
        return 0;
    }
    seconds_left(&look.policy, given).unwrap_or(u64::MAX)
}

async fn end(
    pipeline: &Pipeline,
    status: &ClientStatus,
    look: SeedingLook,
    reached: Reached,
) -> Result<(), StoreError> {
    let (id, given) = (look.row.download.id, look.given());
    let kept = match (look.policy.action, &look.seen) {
        (SeedingAction::RemoveData, Some(seen)) => {
            match holding(pipeline, status, &look.row.download, seen).await? {
                Holding::All => None,
                Holding::Not(why) => Some(why),
                // Nothing was decided; the next look asks again.
                Holding::Unknown(_) => return Ok(()),
            }
        }
        _ => None,
    };
    let action = look.policy.action.as_str();
    let end = SeedingEnd {
        download: id,
        reached,
        ratio: given.ratio,
        seconds: given.seconds,
        policy: look.policy,
        kept,
    };
    if pipeline.db.write(&Actor::Worker, move |tx| tx.end_seeding(&end)).await? {
        info!(download_id = %id, reached = reached.as_str(), action, "seeded enough");
    }
    Ok(())
}

/// What a dry run would do stands in health, and nowhere else: nothing has changed.
fn tell_dry_run(pipeline: &Pipeline, status: &ClientStatus, told: &[SeedingLook]) {
    let name = &status.entry.name;
    let checks = told.first().map(|first| Check {
        code: "seeding-dry-run",
        subject: name.clone(),
        level: Level::Notice,
        detail: format!(
            "{} torrents have given enough and would end now, such as {:?} ({}); nothing is done \
             in a dry run",
            told.len(),
            first.row.download.name,
            first.policy.action,
        ),
        remedy: "`tracker seeding` lists them; dry_run = false in [seeding], the [[client]] or \
                 the [[library]] lets it act"
            .to_owned(),
        checked_at: pipeline.db.clock().now(),
    });
    pipeline.board.set_checks("seeding", name, checks.into_iter().collect());
}
