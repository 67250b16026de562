//! The job that takes entries of the journal away after their time.

use tracing::info;
use tracker_domain::{Actor, JobId, Timestamp};
use tracker_store::{JobEnd, StoreError};

use crate::Pipeline;

/// How many entries one transaction looks at: nobody waits long behind it.
const PAGE: u32 = 500;

const DAY: i64 = 86_400;

/// Entries from before this time are old.
pub(crate) fn cutoff(now: Timestamp, days: u32) -> Timestamp {
    now.plus_seconds(-DAY * i64::from(days))
}

/// Does the job. One that is broken off goes on where it was when it is made again:
/// what went is gone.
pub(crate) async fn run(pipeline: &Pipeline, job: JobId, actor: &Actor) -> Result<(), StoreError> {
    let db = &pipeline.db;
    if db.write(actor, move |tx| tx.start_job(job)).await?.is_err() {
        return Ok(());
    }
    let days = pipeline.policy.retention_days;
    let cutoff = cutoff(db.clock().now(), days);
    let (mut after, mut dropped) = (None, 0);
    loop {
        let swept = db
            .write(actor, move |tx| {
                let swept = tx.drop_old_events(after, cutoff, PAGE)?;
                dropped += swept.dropped as u64;
                tx.job_progress(job, "sweep", dropped, dropped)?;
                Ok::<_, StoreError>((swept, dropped))
            })
            .await?;
        dropped = swept.1;
        after = swept.0.next;
        if after.is_none() {
            break;
        }
    }
    // Refused for one that was ended meanwhile.
    let _ = db.write(actor, move |tx| tx.end_job(job, &JobEnd::Done)).await?;
    info!(dropped, retention_days = days, "old entries of the journal were taken away");
    Ok(())
}
