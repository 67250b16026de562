//! Handing a queued download to its client. Idempotent by hash: looks before it
//! sends, settles an unclear answer by looking again, never by sending blindly.

use std::collections::BTreeSet;
use std::sync::Arc;

use tracing::{debug, info, warn};
use tracker_domain::observed::{ClientPath, Phase, Scope, Seen};
use tracker_domain::ports::{AddOutcome, AddRequest, AddSource, ClientError, Files, Removal};
use tracker_domain::{
    Actor, Attention, DownloadCause, DownloadId, DownloadState, Infohash, InfohashSet, Magnet,
};
use tracker_store::{Db, Download, Origin, Placement, Reason, StoreError, TaskKind};

use crate::ClientEntry;
use crate::mark::{MARK, is_marked, mark_of, tags_of};
use crate::space::{Room, room_for, still_needed};

/// The longest pause between two attempts, in seconds.
const MAX_PAUSE: u64 = 60;

/// So many refusals of a torrent that then is not there are for good.
const REFUSALS: u64 = 5;

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// The client shows it.
    Shown,
    /// Sent; the client has not shown it yet.
    Sent,
    /// It is not queued any more, or paused.
    NotWanted,
    /// Something holds it, and the row says what.
    Held(Attention),
    /// The client does not answer; the row says when to try again.
    Unreachable(ClientError),
}

/// One attempt to hand a download over.
///
/// # Errors
/// A fault of the database. What the client does is an outcome.
pub async fn hand_over(
    db: &Db,
    entry: &ClientEntry,
    files: &Arc<dyn Files>,
    default_folder: Option<&ClientPath>,
    id: DownloadId,
) -> Result<HandOver, StoreError> {
    let attempt = Attempt { db, entry, files, default_folder, id };
    attempt.run().await
}

/// Writes down that these wait: their client does not answer, or there is none.
///
/// # Errors
/// A fault of the database.
pub async fn wait_for_client(
    db: &Db,
    client: &str,
    waiting: &[Download],
) -> Result<(), StoreError> {
    for row in waiting {
        // One record a decision: with thousands in the queue the same one over
        // and over would drown the log.
        if row.next_attempt_at.is_none() {
            info!(download_id = %row.id, client, "waiting for the client");
        } else {
            debug!(download_id = %row.id, client, "still waiting for the client");
        }
    }
    let waiting: Vec<(DownloadId, u64)> =
        waiting.iter().map(|row| (row.id, row.attempts)).collect();
    db.write(&Actor::Worker, move |tx| {
        for (id, attempts) in waiting {
            // Nothing was sent, so the count stays. The pause may be the longest:
            // it is ended at once when the client answers again.
            let at = tx.now().plus_seconds(pause_after(u64::MAX));
            tx.set_next_attempt(id, attempts, Some(at))?;
        }
        Ok(())
    })
    .await
}

/// What one attempt needs.
struct Attempt<'a> {
    db: &'a Db,
    entry: &'a ClientEntry,
    files: &'a Arc<dyn Files>,
    default_folder: Option<&'a ClientPath>,
    id: DownloadId,
}

impl Attempt<'_> {
    async fn run(&self) -> Result<HandOver, StoreError> {
        let Some((row, hashes)) = self.to_be_sent().await? else {
            return Ok(HandOver::NotWanted);
        };
        info!(download_id = %self.id, client = %self.entry.name, attempt = row.attempts + 1,
            "handing download over");
        // A hybrid that was added by its v1 answers to the v1 no more: once an
        // add may have gone through, a listing is asked for as well.
        let listing = match row.attempts {
            0 => None,
            // Now and then everything: it may be there without a tag of ours. A
            // full listing costs the client too much to ask for it each time.
            attempts if attempts % 8 == 2 => Some(Scope::Everything),
            _ => Some(Scope::Ours),
        };
        match self.look(&row, &hashes, listing).await {
            Ok(Some(seen)) => return self.take_over(&row, &seen).await,
            Ok(None) => {}
            // Nothing was sent, so nothing is counted.
            Err(error) => return self.put_off(&row, row.attempts, error).await,
        }
        if let Some(held) = self.hold_for_space(&row).await? {
            return Ok(held);
        }
        // Counted before it is sent: a crash in between is looked up, and a
        // cancel from now on knows that the torrent may be in the client.
        // A person may have given it up, paused it or moved it, while we looked.
        if !self.count(&row).await? {
            return Ok(HandOver::NotWanted);
        }
        let answer = self.entry.client.add(&self.request(&row, &hashes).await?).await;
        self.settle(&row, &hashes, answer).await
    }

    /// The row, as long as it is still queued for this client and nobody has paused it.
    async fn to_be_sent(&self) -> Result<Option<(Download, InfohashSet)>, StoreError> {
        Ok(self.wanted().await?.filter(|(row, _)| row.pause.is_none()))
    }

    /// The row, as long as it is still queued for this client.
    async fn wanted(&self) -> Result<Option<(Download, InfohashSet)>, StoreError> {
        let id = self.id;
        let row = self.db.read(move |tx| tx.download(id)).await?;
        Ok(row
            .filter(|row| is_for(row, &self.entry.name))
            .and_then(|row| row.infohashes.clone().map(|hashes| (row, hashes))))
    }

    async fn is_given_up(&self) -> Result<bool, StoreError> {
        let id = self.id;
        let row = self.db.read(move |tx| tx.download(id)).await?;
        Ok(row.is_some_and(|row| row.state == DownloadState::Cancelled))
    }

    /// Looks the torrent up by every form of its hashes.
    async fn look(
        &self,
        row: &Download,
        hashes: &InfohashSet,
        listing: Option<Scope>,
    ) -> Result<Option<Seen>, ClientError> {
        let asked: Vec<Infohash> = hashes.iter().collect();
        let is_it = |seen: &Seen| {
            let by_front = row.origin == Origin::Infohash
                && hashes.v1().is_some_and(|v1| seen.infohashes.is_handle(&v1));
            seen.infohashes.intersects(hashes) || by_front
        };
        let found = self.entry.client.observe(&Scope::Infohashes(asked)).await?;
        if let Some(seen) = found.into_iter().find(is_it) {
            return Ok(Some(seen));
        }
        let Some(scope) = listing else { return Ok(None) };
        let listed = self.entry.client.observe(&scope).await?;
        Ok(listed.into_iter().find(is_it))
    }

    /// The torrent is there: by our own earlier attempt, or before us. It is
    /// never moved; the mark is put on by a wish, written with the move.
    async fn take_over(&self, row: &Download, seen: &Seen) -> Result<HandOver, StoreError> {
        let ours = is_marked(self.id, seen);
        let placement = if ours { Placement::Added } else { Placement::Found };
        let claim = self.entry.policy.tags && !seen.tags.contains(&mark_of(self.id));
        // Stopped when an earlier download of it was given up. One that a person
        // has stopped in the client is theirs to start.
        let was_ours = ours || seen.tags.iter().any(|tag| tag == MARK);
        let stopped = seen.phase == Phase::Stopped && was_ours;
        let room = room_for(&*self.entry.client, self.files, &seen.save_path, still_needed(seen));
        let short = matches!(room.await, Room::Short { .. });
        let (id, bare) = (self.id, row.origin == Origin::Infohash);
        let (seen, client) = (seen.clone(), self.entry.name.clone());
        let shown = self
            .db
            .write(&Actor::Worker, move |tx| {
                let moved = !tx.download(id)?.is_some_and(|row| is_for(&row, &client));
                if moved || tx.move_on(id, DownloadCause::Shown)?.is_err() {
                    return Ok(false);
                }
                tx.settle_client(id, &client)?;
                tx.set_placement(id, placement)?;
                tx.set_place(id, &seen.handle, &seen.save_path)?;
                // One that is owned elsewhere is the reconciler's to settle.
                learn_hashes(tx, id, &seen.infohashes, bare)?.ok();
                if claim {
                    tx.add_task(id, TaskKind::Claim)?;
                }
                // What was chosen of a former download is no word about this one. The
                // choice that a person has made in the client stays.
                if tx.is_chosen_by_a_former_one(id)? {
                    tx.choose_files(id, &BTreeSet::new())?;
                    tx.wish_choice(id)?;
                }
                if stopped && short {
                    let detail = "it is stopped and too little space is left; make room and retry";
                    tx.raise_attention(id, Attention::DiskFull, detail)?.ok();
                } else if stopped {
                    tx.add_task(id, TaskKind::Start)?;
                }
                Ok::<_, StoreError>(true)
            })
            .await?;
        if !shown {
            return Ok(HandOver::NotWanted);
        }
        info!(download_id = %self.id, was_there = !ours, "client shows the torrent");
        Ok(HandOver::Shown)
    }

    /// Too little space for it: it waits, and nothing is sent.
    async fn hold_for_space(&self, row: &Download) -> Result<Option<HandOver>, StoreError> {
        let Some(folder) = self.folder() else { return Ok(None) };
        let room = room_for(&*self.entry.client, self.files, &folder, row.size_bytes).await;
        let id = self.id;
        let Room::Short { needed, free } = room else {
            if row.attention == Some(Attention::DiskFull) {
                self.db
                    .write(&Actor::Worker, move |tx| {
                        tx.clear_attention(id, Some(Attention::DiskFull))
                    })
                    .await?
                    .ok();
            }
            return Ok(None);
        };
        let detail = format!(
            "it needs {needed} bytes and {} has {free} free; make room and retry",
            folder.0
        );
        warn!(download_id = %self.id, needed_bytes = needed, free_bytes = free, "too little space");
        self.rest(row.attempts, Attention::DiskFull, detail).await?;
        Ok(Some(HandOver::Held(Attention::DiskFull)))
    }

    /// Where torrents go, before the folder of their own.
    fn base_folder(&self) -> Option<ClientPath> {
        let policy = &self.entry.policy;
        if policy.save_path.is_empty() {
            self.default_folder.cloned()
        } else {
            Some(ClientPath(policy.save_path.clone()))
        }
    }

    fn folder(&self) -> Option<ClientPath> {
        let base = self.base_folder()?;
        if !self.entry.policy.own_folder {
            return Some(base);
        }
        // The client's own separator: it may run on Windows.
        let separator = if base.0.contains('\\') && !base.0.contains('/') { '\\' } else { '/' };
        let trimmed = base.0.trim_end_matches(['/', '\\']);
        Some(ClientPath(format!("{trimmed}{separator}{}", self.id)))
    }

    async fn request(
        &self,
        row: &Download,
        hashes: &InfohashSet,
    ) -> Result<AddRequest, StoreError> {
        let id = self.id;
        let torrent = self.db.read(move |tx| tx.torrent_file(id)).await?;
        let source = match torrent {
            Some(bytes) => AddSource::Torrent(bytes),
            // Rebuilt with every hash that is known by now: a client that gets
            // both halves of a hybrid keeps its handle.
            None => AddSource::Magnet(match Magnet::parse(&row.magnet) {
                Ok(magnet) => magnet.with_infohashes(hashes.clone()).to_link(),
                Err(_) => Magnet::from_infohashes(hashes.clone(), None).to_link(),
            }),
        };
        let tags = if self.entry.policy.tags { tags_of(self.id).to_vec() } else { Vec::new() };
        Ok(AddRequest {
            source,
            save_path: self.folder(),
            tags,
            category: self.entry.policy.category.clone(),
        })
    }

    /// Tells whether it is still to be sent: from the count on it may be in the
    /// client, and is not moved to another one.
    async fn count(&self, row: &Download) -> Result<bool, StoreError> {
        let (id, attempts) = (self.id, row.attempts + 1);
        let (pause, client) = (pause_after(attempts), self.entry.name.clone());
        self.db
            .write(&Actor::Worker, move |tx| {
                let row = tx.download(id)?.filter(|row| is_for(row, &client));
                if row.is_none_or(|row| row.pause.is_some()) {
                    return Ok(false);
                }
                tx.settle_client(id, &client)?;
                let at = tx.now().plus_seconds(pause);
                tx.set_next_attempt(id, attempts, Some(at))?;
                Ok(true)
            })
            .await
    }

    /// What an answer means is told by looking.
    async fn settle(
        &self,
        row: &Download,
        hashes: &InfohashSet,
        answer: Result<AddOutcome, ClientError>,
    ) -> Result<HandOver, StoreError> {
        match answer {
            Err(error @ (ClientError::Denied(_) | ClientError::Banned(_))) => {
                return self.put_off(row, row.attempts + 1, error).await;
            }
            Err(ClientError::CannotV2) => return self.hold_for_v2(row).await,
            _ => {}
        }
        // A refusal may mean that it is there under a name of its own, without
        // our tag: only a full listing tells. Clients have also rejected what
        // they then had.
        let refused = matches!(answer, Ok(AddOutcome::Refused) | Err(ClientError::Rejected(_)));
        let scope = if refused { Scope::Everything } else { Scope::Ours };
        let seen = match self.look(row, hashes, Some(scope)).await {
            Ok(seen) => seen,
            Err(error) => return self.put_off(row, row.attempts + 1, error).await,
        };
        if self.wanted().await?.is_none() {
            // The watcher may have seen it first, or another download of the same
            // torrent absorbed this one: then it is wanted where it is.
            if self.is_given_up().await? {
                self.take_back(seen.as_ref()).await;
            }
            return Ok(HandOver::NotWanted);
        }
        match (seen, answer) {
            (Some(seen), _) => self.take_over(row, &seen).await,
            (None, Ok(AddOutcome::Refused)) if row.attempts + 1 >= REFUSALS => {
                self.reject("it does not take the link and does not have the torrent").await
            }
            (None, Ok(_)) => {
                info!(download_id = %self.id, "handed over, not shown yet");
                Ok(HandOver::Sent)
            }
            (None, Err(ClientError::Rejected(why))) => self.reject(&why).await,
            (None, Err(error)) => self.put_off(row, row.attempts + 1, error).await,
        }
    }

    /// Given up while it was sent. Removed only if it carries our mark and was
    /// not there before, which the look before sending has shown.
    async fn take_back(&self, seen: Option<&Seen>) {
        let Some(seen) = seen else { return };
        if !is_marked(self.id, seen) {
            return;
        }
        match self.entry.client.remove(&seen.handle, Removal::KeepData).await {
            Ok(()) => info!(download_id = %self.id, "torrent taken back, no longer wanted"),
            Err(error) => {
                warn!(download_id = %self.id, error = %error, "torrent could not be taken back");
            }
        }
    }

    /// Another client can have it; nothing is wrong with the torrent.
    async fn hold_for_v2(&self, row: &Download) -> Result<HandOver, StoreError> {
        info!(download_id = %self.id, client = %self.entry.name, "the client knows v1 only");
        let detail = format!(
            "the client {:?} knows v1 torrents only, and this one is v2 alone; \
             a qBittorrent can have it: name one with retry",
            self.entry.name
        );
        self.rest(row.attempts + 1, Attention::ClientCannotV2, detail).await?;
        Ok(HandOver::Held(Attention::ClientCannotV2))
    }

    /// Marks a download that stays queued, and lets it wait for as long as any may.
    async fn rest(&self, attempts: u64, mark: Attention, detail: String) -> Result<(), StoreError> {
        let id = self.id;
        self.db
            .write(&Actor::Worker, move |tx| {
                let at = tx.now().plus_seconds(pause_after(u64::MAX));
                tx.set_next_attempt(id, attempts, Some(at))?;
                let row = tx.download(id)?.filter(|row| row.state == DownloadState::Queued);
                // The words may differ at each look, as free bytes do; once told is enough.
                if row.is_some_and(|row| row.attention != Some(mark)) {
                    tx.raise_attention(id, mark, &detail)?.ok();
                }
                Ok(())
            })
            .await
    }

    async fn reject(&self, why: &str) -> Result<HandOver, StoreError> {
        warn!(download_id = %self.id, client = %self.entry.name, "client rejects the torrent");
        let reason = Reason::because(
            Attention::ClientRejected,
            format!("the client {:?} refuses it: {why}", self.entry.name),
        );
        let id = self.id;
        self.db
            .write(&Actor::Worker, move |tx| {
                tx.set_download_state(id, DownloadCause::Rejected, &reason)
            })
            .await?
            .ok();
        Ok(HandOver::Held(Attention::ClientRejected))
    }

    async fn put_off(
        &self,
        row: &Download,
        attempts: u64,
        error: ClientError,
    ) -> Result<HandOver, StoreError> {
        let pause = pause_after(row.attempts + 1);
        info!(download_id = %self.id, client = %self.entry.name, error = %error,
            pause_seconds = pause, "waiting for the client");
        let id = self.id;
        self.db
            .write(&Actor::Worker, move |tx| {
                let at = tx.now().plus_seconds(pause);
                tx.set_next_attempt(id, attempts, Some(at))
            })
            .await?;
        Ok(HandOver::Unreachable(error))
    }
}

/// Whether a download waits to be handed to this client.
fn is_for(row: &Download, client: &str) -> bool {
    row.state == DownloadState::Queued && row.client.as_deref().is_none_or(|named| named == client)
}

/// Adds what the client states. A bare value that was the front of a v2 gives
/// way to it.
fn learn_hashes(
    tx: &mut tracker_store::WriteTx<'_>,
    id: DownloadId,
    seen: &InfohashSet,
    bare: bool,
) -> Result<tracker_store::Guarded<()>, StoreError> {
    let known = tx.download(id)?.and_then(|row| row.infohashes);
    let front = known.as_ref().and_then(InfohashSet::v1).filter(|v1| seen.is_handle(v1));
    if let (true, Some(front), Some(v2)) = (bare, front, seen.v2()) {
        return tx.replace_handle_by_v2(id, front.into(), v2.into());
    }
    let hashes: Vec<Infohash> = seen.iter().collect();
    Ok(tx.add_infohashes(id, &hashes)?.map(|_added| ()))
}

/// The pause after so many attempts: 2, 4, 8 … seconds, at most a minute.
#[must_use]
pub fn pause_after(attempts: u64) -> i64 {
    let doubled = 1u64 << attempts.clamp(1, 6);
    i64::try_from(doubled.min(MAX_PAUSE)).unwrap_or(60)
}
