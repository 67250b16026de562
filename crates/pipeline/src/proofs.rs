//! Whether links can be made from the downloads of a client into a library: found
//! out by making one, at the start, in `doctor`, and before the first batch of a
//! pair that is not proven yet.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tracker_domain::health::{Check, Level};
use tracker_domain::library::Library;
use tracker_domain::observed::ClientPath;
use tracker_domain::{DownloadState, UnixMillis};
use tracker_ingest::ClientEntry;
use tracker_layout::{ProbeOutcome, probe};
use tracker_store::{DownloadFilter, StoreError};

use crate::Pipeline;
use crate::roots::try_again;
use crate::stage::{Ends, Stage};

/// How often what was found is looked at again: rights and mounts change.
const AGAIN_MS: u64 = 600_000;

/// So many of the newest downloads are searched for a file of the client.
const NEWEST: u32 = 20;

/// What is known of each client with each library.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    proven: Mutex<HashSet<(String, String)>>,
    looked: Mutex<Option<UnixMillis>>,
}

impl Proofs {
    fn is_proven(&self, client: &str, library: &str) -> bool {
        let proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        proven.contains(&(client.to_owned(), library.to_owned()))
    }

    fn note(&self, client: &str, library: &str, proven: bool) {
        let pair = (client.to_owned(), library.to_owned());
        let mut all = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        if proven {
            all.insert(pair);
        } else {
            all.remove(&pair);
        }
    }

    /// Whether it is time for another look at all of them.
    fn is_due(&self, now: UnixMillis) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.is_none_or(|last| now < last || now.since(last) >= AGAIN_MS);
        if due {
            *looked = Some(now);
        }
        due
    }
}

/// The stage.
pub(crate) struct ProofsStage {
    pub pipeline: Pipeline,
}

impl Stage for ProofsStage {
    const NAME: &'static str = "proofs";
    const ENDS: Ends = Ends::BetweenPasses;

    async fn pass(&self) -> Result<(), StoreError> {
        let ready = self.pipeline.statuses.iter().any(|status| status.online_since().is_some());
        // Where a client saves is known once it has answered.
        if ready && self.pipeline.proofs.is_due(self.pipeline.db.clock().now_ms()) {
            pass(&self.pipeline).await?;
        }
        Ok(())
    }
}

/// Probes each client with each library.
pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    for status in pipeline.statuses.iter() {
        let entry = &status.entry;
        let asked = ClientPath(entry.policy.save_path.clone());
        let folder = if asked.0.is_empty() { status.default_folder() } else { Some(asked) };
        let Some(Ok(folder)) = folder.map(|folder| entry.client.locate(&folder)) else { continue };
        let existing = file_of(pipeline, entry).await?;
        for library in pipeline.libraries.iter() {
            let subject = subject(&entry.name, library);
            let was_fine = pipeline.board.is_fine("links", &subject);
            look(pipeline, &entry.name, library, folder.clone(), existing.clone()).await;
            if was_fine == Some(false) && pipeline.board.is_fine("links", &subject) == Some(true) {
                try_again(pipeline, &library.root).await?;
            }
        }
    }
    Ok(())
}

/// A file that the client has written, of one of the newest complete downloads.
async fn file_of(pipeline: &Pipeline, entry: &ClientEntry) -> Result<Option<PathBuf>, StoreError> {
    let filter = DownloadFilter {
        states: vec![DownloadState::Downloaded, DownloadState::Done],
        limit: NEWEST,
        ..DownloadFilter::default()
    };
    let rows = pipeline
        .db
        .read(move |tx| {
            let mut found = Vec::new();
            for row in tx.downloads(&filter)? {
                let files = tx.download_files(row.id)?;
                found.push((row, files));
            }
            Ok::<_, StoreError>(found)
        })
        .await?;
    for (row, files) in rows {
        let ours = pipeline.clients.of(row.client.as_deref());
        if ours.is_none_or(|client| client.name != entry.name) {
            continue;
        }
        let folder = row.save_path.as_ref().and_then(|path| entry.client.locate(path).ok());
        let file = files.into_iter().find(|file| file.selected && file.complete);
        let Some((folder, file)) = folder.zip(file) else { continue };
        let path = folder.join(file.path);
        let there = path.clone();
        let stat = pipeline.on_disk(move |files| files.stat(&there)).await;
        if matches!(stat, Some(Ok(Some(stat))) if stat.is_file) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Before the first batch of a client and a library that are not proven: whether
/// this file can be linked. The remedy where it cannot.
pub(crate) async fn settle(
    pipeline: &Pipeline,
    client: &str,
    library: &Library,
    folder: &Path,
    file: &Path,
) -> Result<(), String> {
    if pipeline.proofs.is_proven(client, &library.name) {
        return Ok(());
    }
    let (folder, file) = (folder.to_path_buf(), Some(file.to_path_buf()));
    match look(pipeline, client, library, folder, file).await {
        Some(ProbeOutcome::Failed { errno, remedy, .. }) => Err(format!("{errno}: {remedy}")),
        _ => Ok(()),
    }
}

async fn look(
    pipeline: &Pipeline,
    client: &str,
    library: &Library,
    folder: PathBuf,
    existing: Option<PathBuf>,
) -> Option<ProbeOutcome> {
    let place = library.clone();
    let from = folder.clone();
    let found =
        pipeline.on_disk(move |files| probe(files, &from, existing.as_deref(), &place)).await?;
    pipeline.proofs.note(client, &library.name, found == ProbeOutcome::Proven);
    let subject = subject(client, library);
    let (code, level, detail, remedy) = told(&found, &folder, library);
    let check = Check {
        code,
        subject: subject.clone(),
        level,
        detail,
        remedy,
        checked_at: pipeline.db.clock().now(),
    };
    pipeline.board.set_checks("links", &subject, vec![check]);
    Some(found)
}

/// What health calls a client with a library.
fn subject(client: &str, library: &Library) -> String {
    format!("{client} -> {}", library.name)
}

fn told(
    found: &ProbeOutcome,
    folder: &Path,
    library: &Library,
) -> (&'static str, Level, String, String) {
    let (from, to) = (folder.display(), library.root.display());
    let mode = library.mode;
    match found {
        ProbeOutcome::Proven => (
            "links-proven",
            Level::Ok,
            format!("a file of the client below {from} was linked into {to} ({mode})"),
            String::new(),
        ),
        ProbeOutcome::NotProven(why) => (
            "links-not-proven",
            Level::Notice,
            format!(
                "nothing speaks against links from {from} into {to} ({mode}): {}",
                why.as_str()
            ),
            "nothing to do: the first completed file settles it before it is linked".to_owned(),
        ),
        ProbeOutcome::Failed { errno, remedy, .. } => (
            "links-impossible",
            Level::Error,
            format!("nothing can be linked from {from} into {to} ({mode}): {errno}"),
            remedy.clone(),
        ),
    }
}
