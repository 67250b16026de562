//! What health says of receivers of messages.

use tracker_domain::Timestamp;
use tracker_domain::health::{Check, Level};
use tracker_store::StoreError;

use super::ATTEMPTS;
use crate::{Board, Pipeline};

/// The group of the checks.
const GROUP: &str = "notify";

/// Tells of a receiver that cannot be told of anything.
pub(super) fn tell_fault(board: &Board, name: &str, why: &str, at: Timestamp) {
    let remedy = "correct this [[notify]] in tracker.toml and restart tracker";
    let check = Check::new("notifier-setup", name, Level::Error, why.to_owned(), remedy, at);
    board.set_checks(GROUP, name, vec![check]);
}

/// Tells how a receiver does, from what is written down about it.
pub(super) async fn tell(pipeline: &Pipeline, name: &str) -> Result<(), StoreError> {
    let asked = name.to_owned();
    let (row, dead, last) = pipeline
        .db
        .read(move |tx| {
            let dead = (tx.count_dead_letters(&asked)?, tx.newest_dead_letter(&asked)?);
            Ok::<_, StoreError>((tx.consumer(&asked)?, dead.0, dead.1))
        })
        .await?;
    let at = pipeline.db.clock().now();
    let mut checks = Vec::new();
    if let Some(last) = last {
        let detail = format!(
            "{} events were put aside after {ATTEMPTS} attempts each; the last one ({}): {}",
            dead, last.event_id, last.detail
        );
        let remedy = format!(
            "check that the receiver runs and takes messages, and url and secret of this \
             [[notify]], then run `tracker notify retry {name}`: what was put aside is sent again"
        );
        checks.push(Check::new("notifier-dead-letters", name, Level::Error, detail, &remedy, at));
    }
    match row {
        Some(row) if row.attempts > 0 => {
            let next = row.next_attempt_at.map(|at| format!("; again at {at}")).unwrap_or_default();
            let detail = format!(
                "attempt {} of {ATTEMPTS} failed: {}{next}",
                row.attempts,
                row.detail.unwrap_or_default()
            );
            let remedy = "check that the receiver runs and that url and secret of this [[notify]] \
                          are right; it is tried again by itself, and nothing else waits for it";
            checks.push(Check::new("notifier-failing", name, Level::Warning, detail, remedy, at));
        }
        Some(row) if dead == 0 => {
            let detail = row.delivered_at.map_or_else(
                || "nothing was sent yet".to_owned(),
                |at| format!("the last message was taken at {at}"),
            );
            checks.push(Check::new("notifier", name, Level::Ok, detail, "", at));
        }
        Some(_) => {}
        None => {
            let detail = "it is taken up when the daemon starts".to_owned();
            checks.push(Check::new("notifier", name, Level::Ok, detail, "", at));
        }
    }
    pipeline.board.set_checks(GROUP, name, checks);
    Ok(())
}
