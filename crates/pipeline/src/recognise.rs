//! The worker that finds out what a torrent is, as soon as its file list is
//! known.

use tracing::{Instrument, info, info_span};
use tracker_domain::recognised::{RecognitionState, Verdict};
use tracker_domain::{Actor, Attention, DownloadId, DownloadState, Magnet};
use tracker_recognize::{Names, recognise};
use tracker_store::StoreError;

use crate::stage::{Stage, survive};
use crate::{AutoAccept, Pipeline};

/// The stage.
pub(crate) struct RecogniseStage {
    pub pipeline: Pipeline,
}

impl Stage for RecogniseStage {
    const NAME: &'static str = "recognise";

    async fn pass(&self) -> Result<(), StoreError> {
        pass(&self.pipeline).await
    }
}

pub(crate) async fn pass(pipeline: &Pipeline) -> Result<(), StoreError> {
    for id in pipeline.db.read(|tx| tx.downloads_to_recognise()).await? {
        let span = info_span!("download", download_id = %id);
        survive(RecogniseStage::NAME, id, recognise_one(pipeline, id).instrument(span).await);
    }
    Ok(())
}

async fn recognise_one(pipeline: &Pipeline, id: DownloadId) -> Result<(), StoreError> {
    let (row, hints) =
        pipeline.db.read(move |tx| Ok::<_, StoreError>((tx.download(id)?, tx.hints(id)?))).await?;
    let Some(row) = row.filter(|row| pipeline.answers(row)) else { return Ok(()) };
    let (Some(entry), Some(handle)) = (pipeline.clients.of(row.client.as_deref()), &row.handle)
    else {
        return Ok(());
    };
    // A client that does not answer is the watcher's business; it is asked
    // again at the next turn.
    let Ok(files) = entry.client.files(handle).await else { return Ok(()) };
    if files.is_empty() {
        return Ok(());
    }
    let dn = Magnet::parse(&row.magnet).ok().and_then(|magnet| magnet.name().map(str::to_owned));
    let names = Names { torrent: None, dn: dn.as_deref(), client: Some(&row.name), hints: &hints };
    let found = recognise(&names, &files);
    let accept =
        found.verdict == Verdict::Sure && pipeline.policy.auto_accept == AutoAccept::Confident;
    let state = if accept { RecognitionState::Accepted } else { RecognitionState::Proposed };
    info!(download_id = %id, verdict = found.verdict.as_str(), title = found.fields.title,
        "recognised");
    let doubts = match found.doubts.as_slice() {
        [] => "accept the match first".to_owned(),
        doubts => doubts.join("; "),
    };
    pipeline
        .db
        .write(&Actor::Worker, move |tx| {
            // It may have ended while the client was asked.
            let Some(row) = tx.download(id)?.filter(|row| is_open(row.state)) else {
                return Ok(());
            };
            tx.set_files(id, &files)?;
            tx.add_recognition(id, &found, state)?;
            if !accept && row.attention.is_none() {
                tx.raise_attention(id, Attention::NeedsReview, &doubts)?.ok();
            }
            Ok(())
        })
        .await
}

/// Whether a recognition still matters.
const fn is_open(state: DownloadState) -> bool {
    matches!(state, DownloadState::Downloading | DownloadState::Downloaded)
}
