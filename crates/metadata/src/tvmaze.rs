//! TVmaze, which knows series alone and asks for no key.

mod language;
pub(crate) mod shape;

use std::sync::Arc;

use async_trait::async_trait;
use tracker_domain::metadata::{Episode, MetadataQuery, Pin, Provider, Work, WorkId, WorkKind};
use tracker_domain::ports::{Clock, MetadataError, MetadataSource};

use crate::call::{Credential, Http};
use crate::config::{MetadataConfigError, TvmazeConfig};
use crate::guard::{Asking, Guard};
use crate::read;
use crate::status::MetadataStatus;

const DEFAULT_URL: &str = "https://api.tvmaze.com/";
/// In any ten seconds; TVmaze bears 20 from one address, and a redirect counts.
const CALLS: usize = 18;

/// TVmaze as a source of titles. Its names are those of its own pages, whatever
/// the language that is asked for; those of other countries are further names.
pub struct Tvmaze {
    guard: Guard,
}

impl Tvmaze {
    /// Checks the configuration; asks nobody yet.
    ///
    /// # Errors
    /// When the address cannot be used, or TLS cannot be set up.
    pub fn new(config: TvmazeConfig, clock: Arc<dyn Clock>) -> Result<Self, MetadataConfigError> {
        let TvmazeConfig { url, timeout } = config;
        let nobody = Credential::Nothing;
        let http = Http::new(Provider::Tvmaze, url, DEFAULT_URL, nobody, clock.clone())?;
        Ok(Tvmaze { guard: Guard::new(Provider::Tvmaze, http, CALLS, timeout, clock) })
    }

    /// How TVmaze does; asks nobody.
    #[must_use]
    pub fn status(&self) -> MetadataStatus {
        self.guard.status()
    }
}

impl std::fmt::Debug for Tvmaze {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tvmaze").finish_non_exhaustive()
    }
}

#[async_trait]
impl MetadataSource for Tvmaze {
    fn provider(&self) -> Provider {
        Provider::Tvmaze
    }

    /// The year is left out: TVmaze cannot look for one.
    async fn search(&self, query: &MetadataQuery) -> Result<Vec<Work>, MetadataError> {
        let title = query.title.trim();
        if title.is_empty() || !Provider::Tvmaze.covers(query.kind) {
            return Ok(Vec::new());
        }
        let fields = vec![("q", title.to_owned())];
        let body = self.guard.asking().get("search/shows".to_owned(), fields).await?;
        shape::works(&body)
    }

    async fn work(&self, id: WorkId, _language: &str) -> Result<Work, MetadataError> {
        let number = number_of(id).ok_or(MetadataError::NotFound)?;
        show(&self.guard.asking(), number).await
    }

    async fn resolve(&self, pin: &Pin, _language: &str) -> Result<Vec<Work>, MetadataError> {
        let asking = self.guard.asking();
        let found = match pin {
            Pin::Work(id) => match number_of(*id) {
                Some(number) => show(&asking, number).await,
                None => return Ok(Vec::new()),
            },
            Pin::Imdb(imdb) => match read::imdb(Some(imdb)) {
                Some(imdb) => look_up(&asking, imdb).await,
                None => return Ok(Vec::new()),
            },
            Pin::Tmdb(_) => return Ok(Vec::new()),
        };
        match found {
            Ok(work) => Ok(vec![work]),
            Err(MetadataError::NotFound) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// The specials of all seasons are season 0, counted by their first broadcast:
    /// TVmaze gives them no numbers.
    async fn episodes(
        &self,
        id: WorkId,
        season: u32,
        _language: &str,
    ) -> Result<Vec<Episode>, MetadataError> {
        let number = number_of(id).ok_or(MetadataError::NotFound)?;
        let mut episodes = all_episodes(&self.guard.asking(), number).await?;
        episodes.retain(|episode| episode.season == season);
        if episodes.is_empty() { Err(MetadataError::NotFound) } else { Ok(episodes) }
    }
}

/// A series with its names and seasons.
async fn show(asking: &Asking<'_>, number: u64) -> Result<Work, MetadataError> {
    let embedded = ["seasons", "akas"].map(|part| ("embed[]", part.to_owned()));
    let body = asking.get(format!("shows/{number}"), embedded.to_vec()).await?;
    let mut show = shape::details(&body, number)?;
    if show.has_open_seasons() {
        // TVmaze does not say how long a running season is; then what is listed counts.
        match all_episodes(asking, number).await {
            Ok(episodes) => show.fill(&episodes),
            Err(MetadataError::NotFound | MetadataError::Unreadable(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(show.work)
}

/// The answer is a redirect to the series, without its names and seasons.
async fn look_up(asking: &Asking<'_>, imdb: String) -> Result<Work, MetadataError> {
    let body = asking.get("lookup/shows".to_owned(), vec![("imdb", imdb)]).await?;
    show(asking, shape::looked_up(&body)?).await
}

async fn all_episodes(asking: &Asking<'_>, number: u64) -> Result<Vec<Episode>, MetadataError> {
    let fields = vec![("specials", "1".to_owned())];
    shape::episodes(&asking.get(format!("shows/{number}/episodes"), fields).await?)
}

/// The number of a work that TVmaze can have.
fn number_of(id: WorkId) -> Option<u64> {
    let ours = id.provider == Provider::Tvmaze && id.kind == WorkKind::Series;
    ours.then_some(id.number)
}
