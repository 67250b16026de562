//! A media server without a network. It sees every folder as we do.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tracker_domain::ports::{MediaServer, MediaServerError, OutsideFolder, Section};

use crate::failures::Failures;

/// A call as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the method of its name with its arguments")]
pub enum MediaServerCall {
    Sections,
    Refresh(Vec<PathBuf>),
}

/// The fake. Share it in an `Arc`.
pub struct FakeMediaServer {
    name: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    roots: Vec<String>,
    calls: Vec<MediaServerCall>,
    scanned: Vec<PathBuf>,
    failures: Failures<MediaServerError>,
}

impl FakeMediaServer {
    /// A server with one library for each of these folders.
    #[must_use]
    pub fn new(name: &str, roots: &[&str]) -> Self {
        let fake = FakeMediaServer { name: name.to_owned(), state: Mutex::new(State::default()) };
        fake.set_roots(roots);
        fake
    }

    /// Gives it other libraries.
    pub fn set_roots(&self, roots: &[&str]) {
        self.state().roots = roots.iter().map(|root| (*root).to_owned()).collect();
    }

    /// Fails every call from now on.
    pub fn fail_with(&self, error: MediaServerError) {
        self.state().failures.always(error);
    }

    /// Fails the next call alone; several queue.
    pub fn fail_next(&self, error: MediaServerError) {
        self.state().failures.once(error);
    }

    /// Answers again, whatever it was told before.
    pub fn answer_again(&self) {
        self.state().failures.end();
    }

    /// Every call so far, in order, failed ones too.
    #[must_use]
    pub fn calls(&self) -> Vec<MediaServerCall> {
        self.state().calls.clone()
    }

    /// The folders of each call to refresh so far, failed ones too.
    #[must_use]
    pub fn refreshes(&self) -> Vec<Vec<PathBuf>> {
        let calls = self.calls().into_iter();
        calls
            .filter_map(|call| match call {
                MediaServerCall::Refresh(folders) => Some(folders),
                MediaServerCall::Sections => None,
            })
            .collect()
    }

    /// The folders that it has scanned, in order.
    #[must_use]
    pub fn scanned(&self) -> Vec<PathBuf> {
        self.state().scanned.clone()
    }

    /// Takes note of a call, and gives the state unless it is to fail.
    fn called(&self, call: MediaServerCall) -> Result<MutexGuard<'_, State>, MediaServerError> {
        let mut state = self.state();
        state.calls.push(call);
        let failure = state.failures.of_call();
        failure.map_or(Ok(state), Err)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl MediaServer for FakeMediaServer {
    fn name(&self) -> &str {
        &self.name
    }

    async fn sections(&self) -> Result<Vec<Section>, MediaServerError> {
        let state = self.called(MediaServerCall::Sections)?;
        let section =
            |root: &String| Section { name: format!("of {root}"), roots: vec![root.clone()] };
        Ok(state.roots.iter().map(section).collect())
    }

    fn covers(&self, sections: &[Section], folder: &Path) -> bool {
        sections.iter().flat_map(|section| &section.roots).any(|root| folder.starts_with(root))
    }

    async fn refresh(&self, folders: &[PathBuf]) -> Result<(), MediaServerError> {
        if folders.is_empty() {
            return Ok(());
        }
        let mut state = self.called(MediaServerCall::Refresh(folders.to_vec()))?;
        let roots = state.roots.clone();
        let (inside, outside): (Vec<PathBuf>, Vec<PathBuf>) = folders
            .iter()
            .cloned()
            .partition(|folder| roots.iter().any(|root| folder.starts_with(root)));
        state.scanned.extend(inside);
        if outside.is_empty() {
            return Ok(());
        }
        let seen =
            |folder: PathBuf| OutsideFolder { seen_as: folder.to_str().map(str::to_owned), folder };
        let folders = outside.into_iter().map(seen).collect();
        Err(MediaServerError::OutsideSections { folders, roots })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media_server::{CONTRACT_ROOTS, media_server_contract};

    #[tokio::test]
    async fn the_fake_passes_the_contract() {
        crate::spec!("media-servers#one-contract-for-all-media-servers/every-media-server");
        let fake = FakeMediaServer::new("fake", &CONTRACT_ROOTS);
        media_server_contract(&fake, || fake.scanned().len()).await;
    }

    #[tokio::test]
    async fn it_fails_as_it_is_told() {
        let fake = FakeMediaServer::new("fake", &["/a"]);
        let down = MediaServerError::Unreachable("off".into());
        fake.fail_next(down.clone());
        assert_eq!(fake.sections().await, Err(down.clone()));
        assert_eq!(fake.sections().await.map(|found| found.len()), Ok(1));
        fake.fail_with(down.clone());
        assert_eq!(fake.refresh(&["/a/b".into()]).await, Err(down));
        fake.answer_again();
        assert_eq!(fake.refresh(&["/a/b".into()]).await, Ok(()));
        assert_eq!((fake.refreshes().len(), fake.scanned().len()), (2, 1));
    }
}
