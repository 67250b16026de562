//! Posters: fetched once from the host of their source, and kept in a folder.
//!
//! A picture is never worth an error. What cannot be had now is not asked for
//! again for a while, however often a page wants it.

mod cache;
mod call;
mod kind;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tracing::debug;
use tracker_domain::UnixMillis;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Clock, Image, Images};

use crate::config::{MetadataConfigError, PostersConfig};
use cache::Cache;
use call::{Fetch, Fetched};

/// How many are fetched at once.
const AT_ONCE: usize = 4;
/// For how long it is remembered that there is no picture, or none that is taken.
const NONE_MS: u64 = 24 * 3600 * 1000;
/// For how long a host that gave no answer is not asked for the same picture.
const FAILED_MS: u64 = 5 * 60 * 1000;
/// For how long a host that gave no answer is not asked for anything: a page with
/// many pictures would wait for each.
const REST_MS: u64 = 30 * 1000;
/// How many such notes are kept.
const MOST_NOTES: usize = 10_000;

/// Posters of all sources behind one folder.
pub struct Posters {
    fetch: Fetch,
    cache: Cache,
    clock: Arc<dyn Clock>,
    slots: Semaphore,
    /// One per picture that somebody waits for, so that it is fetched once.
    running: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    /// Until when a picture, or the host of a source, is not asked for.
    missing: Mutex<HashMap<String, UnixMillis>>,
}

impl Posters {
    /// Checks the configuration; asks nobody and touches no file yet.
    ///
    /// # Errors
    /// When an address cannot be used, or TLS cannot be set up.
    pub fn new(config: PostersConfig, clock: Arc<dyn Clock>) -> Result<Self, MetadataConfigError> {
        Ok(Posters {
            fetch: Fetch::new(&config, clock.clone())?,
            cache: Cache::new(config.folder, config.most, config.largest),
            clock,
            slots: Semaphore::new(AT_ONCE),
            running: Mutex::default(),
            missing: Mutex::default(),
        })
    }

    async fn look(&self, provider: Provider, place: &str, key: &str) -> Option<Image> {
        if let Some(bytes) = self.cache.get(key, self.clock.now_ms()).await
            && let Some(known) = image(bytes)
        {
            return Some(known);
        }
        let source = provider.as_str();
        if self.is_missing(key) || self.is_missing(source) {
            return None;
        }
        let _slot = self.slots.acquire().await.ok()?;
        // Others in front may have found that the host gives no answer.
        if self.is_missing(source) {
            return None;
        }
        match self.fetch.get(provider, place).await {
            Fetched::Bytes(bytes) => {
                let found = image(bytes);
                match &found {
                    Some(found) => self.cache.put(key, &found.bytes, self.clock.now_ms()).await,
                    None => {
                        debug!(provider = source, "a poster is no picture of a known type");
                        self.note(key, NONE_MS);
                    }
                }
                found
            }
            Fetched::Nothing => {
                self.note(key, NONE_MS);
                None
            }
            Fetched::NotNow => {
                self.note(key, FAILED_MS);
                self.note(source, REST_MS);
                None
            }
        }
    }

    fn is_missing(&self, key: &str) -> bool {
        let now = self.clock.now_ms();
        lock(&self.missing).get(key).is_some_and(|until| now < *until)
    }

    fn note(&self, key: &str, for_ms: u64) {
        let now = self.clock.now_ms();
        let mut missing = lock(&self.missing);
        if missing.len() >= MOST_NOTES {
            missing.retain(|_, until| now < *until);
            if missing.len() >= MOST_NOTES {
                missing.clear();
            }
        }
        missing.insert(key.to_owned(), UnixMillis(now.0.saturating_add(for_ms)));
    }
}

impl std::fmt::Debug for Posters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Posters").finish_non_exhaustive()
    }
}

#[async_trait]
impl Images for Posters {
    async fn poster(&self, provider: Provider, place: &str) -> Option<Image> {
        let key = key_of(provider, place);
        let turn = Arc::clone(lock(&self.running).entry(key.clone()).or_default());
        let held = turn.lock().await;
        let found = self.look(provider, place, &key).await;
        drop(held);
        let mut running = lock(&self.running);
        // The map's own and this one: nobody else waits.
        if Arc::strong_count(&turn) <= 2 {
            running.remove(&key);
        }
        found
    }
}

fn image(bytes: Vec<u8>) -> Option<Image> {
    kind::of(&bytes).map(|media_type| Image { bytes, media_type })
}

/// The name of the file: nothing that a source says gets into a path.
fn key_of(provider: Provider, place: &str) -> String {
    hex::encode(Sha256::digest(format!("{provider}\n{place}")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
