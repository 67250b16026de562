//! The worker that watches one client: asks, compares, records the facts.
//!
//! Unfinished downloads are asked for by hash at every tick; everything that is
//! ours is listed at least once a minute, and at once when something expected
//! is not in an answer. So a tick costs what is unfinished, not what is there.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use tracker_domain::fact::Fact;
use tracker_domain::health::{Check, Level};
use tracker_domain::observed::{Observation, Phase, Scope, Seen};
use tracker_domain::ports::ClientError;
use tracker_domain::{Actor, DownloadId, DownloadState, Infohash, InfohashSet, UnixMillis};
use tracker_ingest::{Room, is_marked, room_for, still_needed};
use tracker_reconcile::{Incident, Known, Memory, Outcome, Round, reconcile};
use tracker_store::{Download, Origin, Placement, StoreError};

use crate::Pipeline;
use crate::apply_facts::{TooLarge, apply_facts, hold_for_space};
use crate::clients::{ClientStatus, healthy, trouble};
use crate::stage::caught;

/// Listings that count an absence follow each other by this much.
const RECOUNT_MS: u64 = 10_000;

/// How often a client is asked what it is.
const PROBE_MS: u64 = 10 * 60_000;

/// Between looks while a client does not answer.
const OFFLINE_PAUSE: Duration = Duration::from_secs(5);

pub(crate) async fn run(pipeline: Pipeline, status: Arc<ClientStatus>, stop: CancellationToken) {
    let mut watcher = Watcher::new(pipeline, status);
    while !stop.is_cancelled() {
        let pause = tokio::select! {
            () = stop.cancelled() => return,
            pause = caught("watch", watcher.tick()) => pause.unwrap_or(OFFLINE_PAUSE),
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(pause) => {}
        }
    }
}

pub(crate) struct Watcher {
    pipeline: Pipeline,
    status: Arc<ClientStatus>,
    seen: LastLooks,
}

/// Which downloads a look is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Those that are not complete: what a tick costs.
    Unfinished,
    /// Every active one.
    Active,
    /// Every active one, and the ended ones that a listing tells something of.
    Watched,
}

/// Whether a torrent states a hash that none of these downloads has.
fn reveals_more(rows: &[Download], torrents: &[Seen]) -> bool {
    let known: HashSet<Infohash> =
        rows.iter().filter_map(|row| row.infohashes.as_ref()).flat_map(InfohashSet::iter).collect();
    torrents.iter().flat_map(|seen| seen.infohashes.iter()).any(|hash| !known.contains(&hash))
}

/// What one look leaves for the next.
#[derive(Default)]
struct LastLooks {
    memory: Memory,
    listed: Option<UnixMillis>,
    probed: Option<UnixMillis>,
    /// Looks in a row that ended in a question only a listing answers.
    asks: u32,
    /// Whether the last listing could not be believed.
    incident: bool,
    /// Torrents of ours whose size has become known and that were not compared
    /// with the free space yet.
    unmeasured: HashSet<DownloadId>,
}

/// What a tick came to grief of.
enum Trouble {
    Client(ClientError),
    Store(StoreError),
}

impl From<ClientError> for Trouble {
    fn from(error: ClientError) -> Self {
        Trouble::Client(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Store(error)
    }
}

impl Watcher {
    pub(crate) fn new(pipeline: Pipeline, status: Arc<ClientStatus>) -> Self {
        Watcher { pipeline, status, seen: LastLooks::default() }
    }

    /// One look, and how long to wait before the next.
    pub(crate) async fn tick(&mut self) -> Duration {
        let poll = self.status.entry.policy.poll_interval;
        match self.look().await {
            Ok(()) => poll,
            Err(Trouble::Client(error)) => {
                if let Err(failure) = self.offline(&error).await {
                    error!(error = %failure, "a pass failed");
                }
                poll.max(OFFLINE_PAUSE)
            }
            Err(Trouble::Store(failure)) => {
                error!(error = %failure, "a pass failed");
                poll
            }
        }
    }

    async fn look(&mut self) -> Result<(), Trouble> {
        let now = self.pipeline.db.clock().now_ms();
        self.probe(now).await?;
        let listing = self.listing_due(now);
        let mut rows =
            self.rows(if listing { Extent::Watched } else { Extent::Unfinished }).await?;
        if rows.is_empty() && !listing {
            return Ok(());
        }
        let scope = if listing {
            Scope::Ours
        } else {
            let hashes = rows.iter().filter_map(|row| row.infohashes.as_ref());
            Scope::Infohashes(
                hashes.flat_map(|set| set.iter().collect::<Vec<Infohash>>()).collect(),
            )
        };
        let torrents = self.status.entry.client.observe(&scope).await?;
        let at = self.pipeline.db.clock().now_ms();
        let observation = Observation { at, complete: listing, torrents };
        self.online(at).await?;
        if listing {
            self.seen.listed = Some(at);
            if self.seen.asks > 0 {
                self.seen.asks += 1;
            }
        }
        if !listing && reveals_more(&rows, &observation.torrents) {
            // A hash that none of the unfinished has may be that of a download
            // which is further: the two are one torrent.
            rows = self.rows(Extent::Active).await?;
        }
        self.compare(&rows, &observation).await?;
        Ok(())
    }

    fn listing_due(&self, now: UnixMillis) -> bool {
        let Some(listed) = self.seen.listed else { return true };
        let since = now.since(listed);
        let every = u64::try_from(self.pipeline.policy.listing_every.as_millis()).unwrap_or(60_000);
        since >= every
            // The first question is answered at once. One that the listing
            // did not answer is asked again more slowly: a listing of much
            // costs the client.
            || self.seen.asks == 1
            || self.seen.asks > 1 && since >= RECOUNT_MS.min(every)
            // So is an incident looked at again, to be over when it is over.
            || (self.seen.memory.counts_absences() || self.seen.incident)
                && since >= RECOUNT_MS.min(every)
    }

    /// The downloads of this client that the look is about.
    async fn rows(&self, extent: Extent) -> Result<Vec<Download>, StoreError> {
        let rows = self
            .pipeline
            .db
            .read(move |tx| {
                if extent == Extent::Unfinished {
                    return tx.unfinished_downloads();
                }
                let mut rows = tx.active_downloads()?;
                if extent == Extent::Watched {
                    rows.extend(tx.ended_downloads_to_watch()?);
                }
                Ok::<_, StoreError>(rows)
            })
            .await?;
        Ok(rows
            .into_iter()
            // One that was never sent is looked up by the hand-over, which can
            // tell whether its torrent was there before.
            .filter(|row| row.state != DownloadState::Queued || row.attempts > 0)
            .filter(|row| row.infohashes.is_some() && self.status.owns(row, &self.pipeline))
            .collect())
    }

    async fn compare(
        &mut self,
        rows: &[Download],
        observation: &Observation,
    ) -> Result<(), StoreError> {
        let known: Vec<Known> = rows.iter().filter_map(known_of).collect();
        let round = Round {
            known: &known,
            observation,
            online_since: self.status.online_since().unwrap_or(observation.at),
            patience: &self.pipeline.policy.patience,
        };
        let Outcome { facts, progress, ask_listing, incident } =
            reconcile(round, &mut self.seen.memory);
        if ask_listing {
            self.seen.asks += 1;
        } else if !observation.complete {
            self.seen.asks = 0;
        }
        let name = &self.status.entry.name;
        self.pipeline.board.set_progress(name, progress);
        if observation.complete {
            self.pipeline.board.keep_progress(name, |id| known.iter().any(|known| known.id == id));
            self.seen.incident = incident.is_some();
            self.report_incident(incident);
        }
        self.note_sizes(&facts, rows, observation);
        let too_large = self.too_large(rows, observation).await;
        if !facts.is_empty() || !too_large.is_empty() {
            let own_folder = self.status.entry.policy.own_folder;
            self.pipeline
                .db
                .write(&Actor::Reconciler, move |tx| {
                    apply_facts(tx, facts, own_folder)?;
                    too_large.iter().try_for_each(|held| hold_for_space(tx, held))
                })
                .await?;
        }
        Ok(())
    }

    /// Takes note of torrents whose size has just become known. One that was
    /// there before us is not ours to stop.
    fn note_sizes(&mut self, facts: &[Fact], rows: &[Download], observation: &Observation) {
        if observation.complete {
            self.seen.unmeasured.retain(|id| rows.iter().any(|row| row.id == *id));
        }
        for fact in facts {
            let Fact::MetadataKnown { download, .. } = *fact else { continue };
            let Some(row) = rows.iter().find(|row| row.id == download) else { continue };
            let Some(seen) = shown(row, observation) else { continue };
            let ours = match row.placement {
                Some(placement) => placement == Placement::Added,
                None => is_marked(download, seen),
            };
            // A size that was known was compared before it was sent. By now the
            // client may have set the space aside.
            let compared = row.size_bytes.is_some_and(|known| Some(known) >= seen.size_bytes);
            if ours && !compared {
                self.seen.unmeasured.insert(download);
            }
        }
    }

    /// Those of them that do not fit. Right after the metadata a client reads
    /// and checks first; what is still needed shows only when it goes on.
    async fn too_large(&mut self, rows: &[Download], observation: &Observation) -> Vec<TooLarge> {
        let mut found = Vec::new();
        for row in rows {
            let noted = self.seen.unmeasured.contains(&row.id);
            let Some(seen) = shown(row, observation).filter(|_| noted) else { continue };
            if !wants_bytes(seen.phase) && seen.phase != Phase::Complete {
                continue;
            }
            self.seen.unmeasured.remove(&row.id);
            if seen.phase == Phase::Complete {
                continue;
            }
            let (client, files) = (&*self.status.entry.client, &self.pipeline.files);
            let room = room_for(client, files, &seen.save_path, still_needed(seen)).await;
            if let Room::Short { needed, free } = room {
                found.push(TooLarge { download: row.id, needed, free });
            }
        }
        found
    }

    /// Asks the client what it is, now and then and after an outage.
    async fn probe(&mut self, now: UnixMillis) -> Result<(), Trouble> {
        let recent = self.seen.probed.is_some_and(|at| now.since(at) < PROBE_MS);
        if recent && self.status.online_since().is_some() {
            return Ok(());
        }
        let info = self.status.entry.client.probe().await?;
        let checks = healthy(&self.pipeline, &self.status.entry, &info).await;
        self.pipeline.board.set_checks("client", &self.status.entry.name, checks);
        self.status.set_info(info);
        self.seen.probed = Some(now);
        Ok(())
    }

    fn report_incident(&self, incident: Option<Incident>) {
        let name = &self.status.entry.name;
        let checks = incident.map(|incident| {
            warn!(client = %name, expected = incident.expected, missing = incident.missing,
                "the client's list cannot be believed");
            Check {
                code: "client-incident",
                subject: name.clone(),
                level: Level::Error,
                detail: format!(
                    "the client does not show {} of {} torrents that it had; nothing was changed here",
                    incident.missing, incident.expected
                ),
                remedy: "look whether the client lost its session or its disk; \
                         cancel the downloads if the torrents were removed on purpose"
                    .to_owned(),
                checked_at: self.pipeline.db.clock().now(),
            }
        });
        self.pipeline.board.set_checks("incident", name, checks.into_iter().collect());
    }

    async fn online(&self, now: UnixMillis) -> Result<(), StoreError> {
        if !self.status.set_online(Some(now)) {
            return Ok(());
        }
        let name = self.status.entry.name.clone();
        info!(client = %name, "client answers");
        self.pipeline
            .db
            .write(&Actor::Reconciler, move |tx| {
                tx.end_backoff()?;
                tx.record_client(&name, true, "")
            })
            .await
    }

    async fn offline(&mut self, error: &ClientError) -> Result<(), StoreError> {
        let name = self.status.entry.name.clone();
        let check = trouble(&name, error, self.pipeline.db.clock().now());
        self.pipeline.board.set_checks("client", &name, vec![check]);
        let first = self.seen.probed.is_none() && self.status.online_since().is_none();
        self.seen.probed = Some(self.pipeline.db.clock().now_ms());
        // After an outage everything is listed before anything is concluded.
        self.seen.listed = None;
        if !self.status.set_online(None) && !first {
            return Ok(());
        }
        warn!(client = %name, error = %error, "client does not answer");
        let detail = error.to_string();
        self.pipeline
            .db
            .write(&Actor::Reconciler, move |tx| tx.record_client(&name, false, &detail))
            .await
    }
}

/// The torrent of a download in what was seen.
fn shown<'a>(row: &Download, observation: &'a Observation) -> Option<&'a Seen> {
    let hashes = row.infohashes.as_ref()?;
    let front = |seen: &Seen| hashes.v1().is_some_and(|v1| seen.infohashes.is_handle(&v1));
    observation.torrents.iter().find(|seen| seen.infohashes.intersects(hashes) || front(seen))
}

/// Whether the client is going to write: what is whole, or being looked at by
/// the client, says nothing about the space it needs.
const fn wants_bytes(phase: Phase) -> bool {
    matches!(phase, Phase::Downloading | Phase::Stalled | Phase::Stopped)
}

fn known_of(row: &Download) -> Option<Known> {
    Some(Known {
        id: row.id,
        state: row.state,
        attention: row.attention,
        infohashes: row.infohashes.clone()?,
        bare: row.origin == Origin::Infohash,
        handle: row.handle.clone(),
        save_path: row.save_path.clone(),
        has_metadata: row.metadata_at.is_some(),
        has_links: row.has_links,
        handed_over: row.attempts > 0,
        pause: row.pause,
    })
}
