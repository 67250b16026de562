//! The worker that chooses a client for each new download that names none, where
//! the configuration has rules for that.

use serde_json::json;
use tracing::info;
use tracker_domain::Actor;
use tracker_domain::library::LibraryKind;
use tracker_domain::observed::ClientPath;
use tracker_ingest::{
    Candidate, Choose, Wanted, choose, free_bytes, settle_choice, wait_for_client,
};
use tracker_recognize::parse_name;
use tracker_store::{Download, StoreError};

use crate::Pipeline;
use crate::clients::ClientStatus;
use crate::stage::{Stage, survive};
use crate::twins;

/// The stage.
pub(crate) struct ChooseStage {
    pub pipeline: Pipeline,
}

impl Stage for ChooseStage {
    const NAME: &'static str = "choose";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline).await
    }
}

/// Whether a client is chosen at all: one alone, or none that differs from the
/// others, needs no choice.
pub(crate) fn is_needed(pipeline: &Pipeline) -> bool {
    let ruled = pipeline.clients.iter().any(|entry| !entry.policy.rule.is_empty());
    pipeline.clients.iter().count() > 1 && (ruled || pipeline.policy.choose == Choose::FreeSpace)
}

/// Whether a download still waits for its client to be chosen.
pub(crate) fn waits(pipeline: &Pipeline, row: &Download) -> bool {
    row.client.is_none() && is_needed(pipeline)
}

pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    let now = pipeline.db.clock().now();
    let due = pipeline.db.read(move |tx| tx.due_hand_overs(now)).await?;
    let open: Vec<Download> = due.into_iter().filter(|row| waits(pipeline, row)).collect();
    // A client that nobody has asked yet may be the one that fits.
    let asked = |status: &ClientStatus| {
        pipeline.board.is_fine("client", &status.entry.name).is_some()
            || status.online_since().is_some()
    };
    if open.is_empty() || !pipeline.statuses.iter().all(|status| asked(status)) {
        return Ok(());
    }
    let free = free(pipeline).await;
    let holders = twins::holders(pipeline, None, &open).await;
    let mut waiting = Vec::new();
    for row in open {
        let id = row.id;
        if let Some(holder) = holders.get(&id) {
            survive(ChooseStage::NAME, id, twins::leave_it_there(pipeline, id, holder).await);
            continue;
        }
        match one(pipeline, &row, &free).await {
            Ok(true) => {}
            Ok(false) => waiting.push(row),
            Err(failure) => survive(ChooseStage::NAME, id, Err(failure)),
        }
    }
    wait_for_client(&pipeline.db, "to be chosen", &waiting).await
}

/// Free bytes where each client puts torrents, as far as it answers.
async fn free(pipeline: &Pipeline) -> Vec<Option<u64>> {
    let mut free = Vec::new();
    for status in pipeline.statuses.iter() {
        let policy = &status.entry.policy;
        let folder = if policy.save_path.is_empty() {
            status.default_folder()
        } else {
            Some(ClientPath(policy.save_path.clone()))
        };
        free.push(match folder.filter(|_| status.online_since().is_some()) {
            Some(folder) => free_bytes(&*status.entry.client, &pipeline.files, &folder).await,
            None => None,
        });
    }
    free
}

/// Whether a client was chosen for it, or is no matter any more.
async fn one(
    pipeline: &Pipeline,
    row: &Download,
    free: &[Option<u64>],
) -> Result<bool, StoreError> {
    let wanted = wanted(pipeline, row).await?;
    let candidates: Vec<Candidate<'_>> = pipeline
        .statuses
        .iter()
        .zip(free)
        .map(|(status, free)| Candidate {
            rule: &status.entry.policy.rule,
            answers: status.online_since().is_some(),
            free_bytes: *free,
        })
        .collect();
    let Some((index, why)) = choose(pipeline.policy.choose, &wanted, &candidates) else {
        return Ok(false);
    };
    let client = pipeline.statuses[index].entry.name.clone();
    let reasons = json!({
        "client": client,
        "why": why.as_str(),
        "kind": wanted.kind.map(LibraryKind::as_str),
        "library": wanted.library,
        "size_bytes": wanted.size_bytes,
        "free_bytes": free[index],
    });
    let (id, name) = (row.id, client.clone());
    let chosen =
        pipeline.db.write(&Actor::Worker, move |tx| settle_choice(tx, id, &name, reasons)).await?;
    if chosen {
        info!(download_id = %id, client, why = why.as_str(), "client chosen");
    }
    Ok(true)
}

/// What it is, as far as that is known before its file list: by a person's word,
/// the library it is meant for, or its name.
async fn wanted(pipeline: &Pipeline, row: &Download) -> Result<Wanted, StoreError> {
    let id = row.id;
    let (kind, library) = pipeline
        .db
        .read(move |tx| {
            Ok::<_, StoreError>((tx.override_of(id, "kind")?, tx.override_of(id, "library")?))
        })
        .await?;
    let library = library.map(|said| said.value);
    let said = kind.and_then(|said| said.value.parse().ok());
    let of_library = || {
        let known = pipeline.libraries.iter();
        known.filter(|known| Some(&known.name) == library.as_ref()).map(|known| known.kind).next()
    };
    let by_name = || parse_name(&row.name).fields.kind.map(LibraryKind::from);
    let kind = said.or_else(of_library).or_else(by_name);
    Ok(Wanted { kind, library, size_bytes: row.size_bytes })
}
