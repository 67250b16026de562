//! A source of titles without a network.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tracker_domain::metadata::{Episode, MetadataQuery, Pin, Provider, Work, WorkId};
use tracker_domain::ports::{MetadataError, MetadataSource};

use super::catalogue::{self, fits};
use crate::failures::Failures;

/// A call as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the method of its name with its arguments")]
pub enum MetadataCall {
    Search(MetadataQuery),
    Work(WorkId),
    Resolve(Pin),
    Episodes(WorkId, u32),
}

/// The fake. Share it in an `Arc`.
pub struct FakeMetadata {
    provider: Provider,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    works: Vec<(Work, Vec<Episode>)>,
    calls: Vec<MetadataCall>,
    failures: Failures<MetadataError>,
}

impl FakeMetadata {
    /// A source that knows nothing.
    #[must_use]
    pub fn new(provider: Provider) -> Self {
        FakeMetadata { provider, state: Mutex::new(State::default()) }
    }

    /// A source that knows the works of the catalogue, by their English names.
    #[must_use]
    pub fn with_catalogue(provider: Provider) -> Self {
        let fake = Self::new(provider);
        for entry in catalogue::ALL {
            if let Some(work) = entry.work(provider, "en") {
                fake.put(work, entry.episodes());
            }
        }
        fake
    }

    /// With one more work and its episodes.
    #[must_use]
    pub fn with_work(self, work: Work, episodes: Vec<Episode>) -> Self {
        self.put(work, episodes);
        self
    }

    /// Puts a work in, or another one in its place.
    pub fn put(&self, work: Work, episodes: Vec<Episode>) {
        let mut state = self.state();
        state.works.retain(|(known, _)| known.id != work.id);
        state.works.push((work, episodes));
    }

    /// Fails every call from now on.
    pub fn fail_with(&self, error: MetadataError) {
        self.state().failures.always(error);
    }

    /// Fails the next call alone; several queue.
    pub fn fail_next(&self, error: MetadataError) {
        self.state().failures.once(error);
    }

    /// Answers again, whatever it was told before.
    pub fn answer_again(&self) {
        self.state().failures.end();
    }

    /// Every call so far, in order, failed ones too.
    #[must_use]
    pub fn calls(&self) -> Vec<MetadataCall> {
        self.state().calls.clone()
    }

    /// How many calls there were.
    #[must_use]
    pub fn call_count(&self) -> usize {
        self.state().calls.len()
    }

    /// Forgets the calls so far.
    pub fn forget_calls(&self) {
        self.state().calls.clear();
    }

    /// Takes note of a call, and gives the works unless it is to fail.
    fn called(&self, call: MetadataCall) -> Result<MutexGuard<'_, State>, MetadataError> {
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
impl MetadataSource for FakeMetadata {
    fn provider(&self) -> Provider {
        self.provider
    }

    async fn search(&self, query: &MetadataQuery) -> Result<Vec<Work>, MetadataError> {
        let state = self.called(MetadataCall::Search(query.clone()))?;
        // TVmaze cannot look for a year.
        let year = query.year.filter(|_| self.provider == Provider::Tmdb);
        let meant = |work: &&Work| {
            let names = work.other_titles.iter().chain(&work.original_title);
            let names = names.map(String::as_str).chain([work.title.as_str()]);
            work.id.kind == query.kind
                && year.is_none_or(|year| work.year == Some(year))
                && fits(&query.title, names)
        };
        let found = state.works.iter().map(|(work, _)| work).filter(meant);
        Ok(found
            .map(|work| Work { seasons: Vec::new(), other_titles: Vec::new(), ..work.clone() })
            .collect())
    }

    async fn work(&self, id: WorkId, _language: &str) -> Result<Work, MetadataError> {
        let state = self.called(MetadataCall::Work(id))?;
        let found = state.works.iter().find(|(work, _)| work.id == id);
        found.map(|(work, _)| work.clone()).ok_or(MetadataError::NotFound)
    }

    async fn resolve(&self, pin: &Pin, _language: &str) -> Result<Vec<Work>, MetadataError> {
        let state = self.called(MetadataCall::Resolve(pin.clone()))?;
        let meant = |work: &&Work| match pin {
            Pin::Work(id) => work.id == *id,
            Pin::Tmdb(number) => self.provider == Provider::Tmdb && work.id.number == *number,
            Pin::Imdb(imdb) => work.imdb.as_ref() == Some(imdb),
        };
        let mut found: Vec<Work> =
            state.works.iter().map(|(work, _)| work).filter(meant).cloned().collect();
        found.sort_by_key(|work| work.id);
        Ok(found)
    }

    async fn episodes(
        &self,
        id: WorkId,
        season: u32,
        _language: &str,
    ) -> Result<Vec<Episode>, MetadataError> {
        let state = self.called(MetadataCall::Episodes(id, season))?;
        let found = state.works.iter().find(|(work, _)| work.id == id);
        let (_, all) = found.ok_or(MetadataError::NotFound)?;
        let mut episodes: Vec<Episode> =
            all.iter().filter(|episode| episode.season == season).cloned().collect();
        episodes.sort_by_key(|episode| episode.number);
        if episodes.is_empty() { Err(MetadataError::NotFound) } else { Ok(episodes) }
    }
}

#[cfg(test)]
mod tests;
