//! Torrents of ours that seed: what holds for each, and what would follow now.

use tracker_domain::InfohashSet;
use tracker_domain::observed::{Phase, Scope, Seen};
use tracker_domain::seeding::{Decision, Given, SeedingPolicy, SeedingRules, decide};
use tracker_store::{Db, Download, Origin, SeedingDownload};

use crate::adopt::AskError;
use crate::clients::{ClientEntry, Clients};
use crate::mark::{MARK, is_own_folder};

/// One torrent of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedingLook {
    /// The download, and where it is linked.
    pub row: SeedingDownload,
    /// What holds for it.
    pub policy: SeedingPolicy,
    /// What its client shows.
    pub seen: Option<Seen>,
    /// What follows.
    pub verdict: SeedingVerdict,
}

/// What follows for a torrent of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedingVerdict {
    /// What the policy says.
    Decided(Decision),
    /// It has come to its end before: what goes on since was started by somebody.
    Ended,
    /// Its client does not show it.
    NotShown,
    /// It does not wear our mark any more: somebody keeps it for himself.
    NotMarked,
}

impl SeedingLook {
    /// What was known when it was decided.
    #[must_use]
    pub fn given(&self) -> Given {
        given(self.row.linked, self.seen.as_ref())
    }
}

fn given(linked: bool, seen: Option<&Seen>) -> Given {
    Given {
        complete: seen.is_some_and(|seen| seen.phase == Phase::Complete),
        ratio: seen.and_then(|seen| seen.progress.ratio),
        seconds: seen.and_then(|seen| seen.progress.seeding_seconds),
        linked,
    }
}

/// Looks at the torrents of ours in one client. `open` leaves those out that have
/// come to their end; a client that has none is not asked.
///
/// # Errors
/// When the client cannot be asked, or on a fault of the database.
pub async fn look_at_seeding(
    db: &Db,
    clients: &Clients,
    entry: &ClientEntry,
    rules: &SeedingRules,
    open: bool,
) -> Result<Vec<SeedingLook>, AskError> {
    let mut rows = db.read(|tx| tx.seeding_downloads()).await?;
    let its =
        |row: &Download| clients.of(row.client.as_deref()).is_some_and(|of| of.name == entry.name);
    rows.retain(|row| its(&row.download) && !(open && row.ended_at.is_some()));
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let shown = entry.client.observe(&Scope::Ours).await?;
    Ok(rows.into_iter().map(|row| look(entry, rules, row, &shown)).collect())
}

fn look(
    entry: &ClientEntry,
    rules: &SeedingRules,
    row: SeedingDownload,
    shown: &[Seen],
) -> SeedingLook {
    let policy = rules.policy(&entry.name, row.library.as_deref());
    let hashes = row.download.infohashes.as_ref();
    let seen = shown.iter().find(|seen| hashes.is_some_and(|of| is_it(&row.download, of, seen)));
    let verdict = match seen {
        None => SeedingVerdict::NotShown,
        Some(seen) if !wears_mark(entry, &row.download, seen) => SeedingVerdict::NotMarked,
        Some(_) if row.ended_at.is_some() => SeedingVerdict::Ended,
        Some(_) => SeedingVerdict::Decided(decide(&policy, given(row.linked, seen))),
    };
    SeedingLook { policy, seen: seen.cloned(), verdict, row }
}

fn is_it(row: &Download, hashes: &InfohashSet, seen: &Seen) -> bool {
    let by_front = row.origin == Origin::Infohash
        && hashes.v1().is_some_and(|v1| seen.infohashes.is_handle(&v1));
    seen.infohashes.intersects(hashes) || by_front
}

/// Where we mark torrents, one without the mark is not ours any more: taking the
/// tag off in the client is how a person says so.
fn wears_mark(entry: &ClientEntry, row: &Download, seen: &Seen) -> bool {
    let policy = &entry.policy;
    if policy.tags {
        return seen.tags.iter().any(|tag| tag == MARK);
    }
    !policy.own_folder || is_own_folder(row.id, &seen.save_path)
}
