//! Questions to the sources within one turn: first the answers that are kept,
//! then the source, unless it has given up in this turn already.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;
use tracing::{debug, warn};
use tracker_domain::metadata::{MetadataQuery, Pin, Provider, Work, WorkId};
use tracker_domain::ports::{MetadataError, MetadataSource};
use tracker_domain::{Actor, Timestamp};
use tracker_store::StoreError;

use crate::Pipeline;

/// How long an answer is used without asking again.
pub(crate) const FRESH_S: i64 = 30 * 86_400;

/// How long "there is none" is used: works are added to the sources every day.
const FRESH_NONE_S: i64 = 86_400;

/// A question to one source.
pub(super) enum Request<'a> {
    /// Works that may be meant.
    Search(&'a MetadataQuery),
    /// One work in full.
    Work(WorkId, &'a str),
    /// What a person's pin means.
    Resolve(&'a Pin, &'a str),
}

impl Request<'_> {
    /// The same text for the same question. TVmaze knows neither the year nor
    /// the language, so questions that differ in these alone are one.
    fn key(&self, provider: Provider) -> String {
        let knows_all = provider == Provider::Tmdb;
        let told = |language: &str| knows_all.then(|| language.to_owned());
        let key = match self {
            Request::Search(query) => {
                let words: Vec<&str> = query.title.split_whitespace().collect();
                let title = words.join(" ").to_lowercase();
                let year = query.year.filter(|_| knows_all);
                json!(["search", query.kind, title, year, told(&query.language)])
            }
            Request::Work(id, language) => json!(["work", id, told(language)]),
            Request::Resolve(pin, language) => {
                json!(["resolve", pin.to_string(), told(language)])
            }
        };
        key.to_string()
    }

    async fn send(&self, source: &dyn MetadataSource) -> Result<Vec<Work>, MetadataError> {
        let answer = match self {
            Request::Search(query) => source.search(query).await,
            Request::Work(id, language) => source.work(*id, language).await.map(|work| vec![work]),
            Request::Resolve(pin, language) => source.resolve(pin, language).await,
        };
        match answer {
            Err(MetadataError::NotFound) => Ok(Vec::new()),
            other => other,
        }
    }
}

/// What the sources have said in one turn of the stage.
pub(super) struct Round<'a> {
    pipeline: &'a Pipeline,
    /// Those that are left alone until the next turn, and why.
    failed: HashMap<Provider, MetadataError>,
}

impl<'a> Round<'a> {
    pub(super) fn new(pipeline: &'a Pipeline) -> Self {
        Round { pipeline, failed: HashMap::new() }
    }

    /// Asks one source; an empty answer is "none".
    pub(super) async fn ask(
        &mut self,
        source: &Arc<dyn MetadataSource>,
        request: Request<'_>,
    ) -> Result<Result<Vec<Work>, MetadataError>, StoreError> {
        let provider = source.provider();
        let key = request.key(provider);
        if let Some(works) = self.kept(provider, key.clone()).await? {
            return Ok(Ok(works));
        }
        if let Some(error) = self.failed.get(&provider) {
            return Ok(Err(error.clone()));
        }
        let answer = request.send(&**source).await;
        let now = self.pipeline.db.clock().now_ms();
        let failure = answer.as_ref().err();
        self.pipeline.source_health.note(&self.pipeline.board, provider, failure, now);
        self.pipeline.wake.note(provider, failure.is_some());
        match answer {
            Ok(works) => {
                self.keep(provider, key, &works).await?;
                Ok(Ok(works))
            }
            Err(error) => {
                debug!(source = provider.as_str(), error = %error, "a source gave no answer");
                // An answer that cannot be read says nothing of the next one.
                if !matches!(error, MetadataError::Unreadable(_)) {
                    self.failed.insert(provider, error.clone());
                }
                Ok(Err(error))
            }
        }
    }

    /// An answer of before that is young enough.
    async fn kept(&self, provider: Provider, key: String) -> Result<Option<Vec<Work>>, StoreError> {
        let kept = self.pipeline.db.read(move |tx| tx.cached(provider, &key)).await?;
        let Some((answer, at)) = kept else { return Ok(None) };
        // One of another version of this program may have another form.
        let Ok(works) = serde_json::from_str::<Vec<Work>>(&answer) else { return Ok(None) };
        Ok(is_fresh(&works, at, self.pipeline.db.clock().now()).then_some(works))
    }

    async fn keep(
        &self,
        provider: Provider,
        key: String,
        works: &[Work],
    ) -> Result<(), StoreError> {
        let answer = match serde_json::to_string(works) {
            Ok(answer) => answer,
            Err(failure) => {
                warn!(source = provider.as_str(), error = %failure, "an answer cannot be kept");
                return Ok(());
            }
        };
        let write = move |tx: &mut tracker_store::WriteTx<'_>| {
            let now = tx.now();
            tx.put_cached(provider, &key, &answer, now)
        };
        self.pipeline.db.write(&Actor::Worker, write).await
    }
}

/// An answer from the future comes from a clock that was set back since.
fn is_fresh(works: &[Work], at: Timestamp, now: Timestamp) -> bool {
    let longest = if works.is_empty() { FRESH_NONE_S } else { FRESH_S };
    (0..longest).contains(&now.seconds_since(at))
}
