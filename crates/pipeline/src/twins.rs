//! Torrents that another client has already: the same torrent in two clients is
//! one download.

use std::collections::HashMap;
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tokio::time::timeout;
use tracing::{info, warn};
use tracker_domain::event::EventType;
use tracker_domain::observed::{Scope, Seen};
use tracker_domain::{Actor, DownloadId, Infohash, InfohashSet};
use tracker_ingest::settle_choice;
use tracker_store::{Download, NewEvent, StoreError};

use crate::Pipeline;
use crate::clients::ClientStatus;

/// A client that takes longer says nothing: downloads of others do not wait for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Which client has the torrent of each of these, as far as one does, by its name.
///
/// The client called `except` is not asked. Only downloads that were never sent are
/// looked up.
pub(crate) async fn holders(
    pipeline: &Pipeline,
    except: Option<&str>,
    rows: &[Download],
) -> HashMap<DownloadId, String> {
    let fresh: Vec<(DownloadId, &InfohashSet)> = rows
        .iter()
        .filter(|row| row.attempts == 0)
        .filter_map(|row| Some((row.id, row.infohashes.as_ref()?)))
        .collect();
    let others: Vec<&ClientStatus> = pipeline
        .statuses
        .iter()
        .map(AsRef::as_ref)
        .filter(|status| status.online_since().is_some())
        .filter(|status| except != Some(status.entry.name.as_str()))
        .collect();
    if fresh.is_empty() || others.is_empty() {
        return HashMap::new();
    }
    let sets: Vec<&InfohashSet> = fresh.iter().map(|(_, hashes)| *hashes).collect();
    let answers = others.iter().map(|status| shown(status, &sets));
    let mut found = HashMap::new();
    for (status, torrents) in others.iter().zip(join_all(answers).await) {
        for (id, hashes) in &fresh {
            if torrents.iter().any(|seen| seen.infohashes.intersects(hashes)) {
                found.entry(*id).or_insert_with(|| status.entry.name.clone());
            }
        }
    }
    found
}

/// What a client shows of these; nothing where it does not answer in time.
async fn shown(status: &ClientStatus, sets: &[&InfohashSet]) -> Vec<Seen> {
    let client = &status.entry.client;
    let asked = async {
        let hashes: Vec<Infohash> = sets.iter().flat_map(|set| set.iter()).collect();
        let found = client.observe(&Scope::Infohashes(hashes)).await?;
        let is_found = |set: &InfohashSet| found.iter().any(|seen| seen.infohashes.intersects(set));
        // A hybrid answers to its v1 no more once its handle is the v2's front.
        let by_v1 = sets.iter().any(|set| set.v2().is_none() && !is_found(set));
        if by_v1 { client.observe(&Scope::Everything).await } else { Ok(found) }
    };
    // What ails a client its own watcher tells.
    timeout(PATIENCE, asked).await.ok().and_then(Result::ok).unwrap_or_default()
}

/// Has the client that has the torrent keep it, as long as nobody named another one.
pub(crate) async fn leave_it_there(
    pipeline: &Pipeline,
    id: DownloadId,
    holder: &str,
) -> Result<(), StoreError> {
    let client = holder.to_owned();
    let reasons = json!({ "client": client, "why": "has-it" });
    let settled = pipeline
        .db
        .write(&Actor::Worker, move |tx| settle_choice(tx, id, &client, reasons))
        .await?;
    if settled {
        info!(download_id = %id, client = holder, why = "has-it", "client chosen");
    }
    Ok(())
}

/// Writes down that a torrent went to the client that a person or a rule named,
/// though another one has it too.
pub(crate) async fn warn_of(
    pipeline: &Pipeline,
    id: DownloadId,
    client: &str,
    holder: &str,
) -> Result<(), StoreError> {
    warn!(download_id = %id, client, also_in = holder, "two clients have this torrent");
    let reasons = json!({ "client": client, "also_in": holder });
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            let what = "another client has the same torrent";
            let event = NewEvent::of_download(EventType::DownloadInTwoClients, id, what);
            tx.append_event(event.with(reasons)).map(drop)
        })
        .await
}
