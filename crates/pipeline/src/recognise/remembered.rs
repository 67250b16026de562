//! What is remembered for the release that a download is one of. It acts as if a
//! person had said it of the download, and is taken over with the recognition.

use tracker_domain::DownloadId;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::RecognitionState;
use tracker_recognize::{Names, Release, release};
use tracker_store::{ReadTx, ReleaseKeys, RememberedWord, StoreError};

use super::{Subject, dn_of};
use crate::Pipeline;

/// The words that hold for a download beside its own.
#[derive(Default)]
pub(super) struct Memory {
    pub words: Vec<RememberedWord>,
    /// Where they were looked up; `None` where they are those that hold already.
    looked_up: Option<Release>,
}

impl Memory {
    pub(super) async fn of(
        pipeline: &Pipeline,
        subject: &Subject,
        files: &[RemoteFile],
    ) -> Result<Memory, StoreError> {
        let id = subject.row.id;
        let found = release_of(subject, files);
        // What a person accepted before the file list was known holds as it was then.
        if is_accepted(subject) && found == release_of(subject, &[]) {
            let words = pipeline.db.read(move |tx| tx.taken_over(id)).await?;
            return Ok(Memory { words, looked_up: None });
        }
        let Some(found) = found else { return Ok(Memory::default()) };
        let read = pipeline.db.read(move |tx| {
            let words = tx.remembered_for(id, keys(&found))?;
            Ok::<_, StoreError>(Memory { words, looked_up: Some(found) })
        });
        read.await
    }

    /// Whether nobody has said anything else meanwhile.
    pub(super) fn still_holds(&self, tx: &ReadTx<'_>, id: DownloadId) -> Result<bool, StoreError> {
        match &self.looked_up {
            Some(found) => Ok(tx.remembered_for(id, keys(found))? == self.words),
            None => Ok(true),
        }
    }
}

fn is_accepted(subject: &Subject) -> bool {
    let former = subject.former.as_ref();
    former.is_some_and(|former| {
        former.state == RecognitionState::Accepted && former.chosen_by.is_some()
    })
}

fn release_of(subject: &Subject, files: &[RemoteFile]) -> Option<Release> {
    let dn = dn_of(&subject.row);
    let client = Some(subject.row.name.as_str());
    release(&Names { dn: dn.as_deref(), client, ..Names::default() }, files).ok()
}

fn keys(release: &Release) -> ReleaseKeys<'_> {
    ReleaseKeys { group_key: &release.group_key, title_key: &release.title_key }
}
