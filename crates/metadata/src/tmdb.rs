//! The Movie Database, by the third version of its API.

pub(crate) mod shape;

use std::sync::Arc;

use async_trait::async_trait;
use tracker_domain::metadata::{Episode, MetadataQuery, Pin, Provider, Work, WorkId, WorkKind};
use tracker_domain::ports::{Clock, MetadataError, MetadataSource};

use crate::call::{Fields, Http, tmdb_credential};
use crate::config::{MetadataConfigError, TmdbConfig};
use crate::guard::{Asking, Guard};
use crate::read;
use crate::status::MetadataStatus;

const DEFAULT_URL: &str = "https://api.themoviedb.org/3/";
/// In any ten seconds; TMDB bears more, about 40 in one.
const CALLS: usize = 40;
const APPENDED: &str = "alternative_titles,translations,external_ids";

/// TMDB as a source of titles. A new one starts without a memory of refusals,
/// so a new token is tried at once.
pub struct Tmdb {
    guard: Guard,
}

impl Tmdb {
    /// Checks the configuration; asks nobody yet.
    ///
    /// # Errors
    /// When the address or the token cannot be used, or TLS cannot be set up.
    pub fn new(config: TmdbConfig, clock: Arc<dyn Clock>) -> Result<Self, MetadataConfigError> {
        let TmdbConfig { url, token, timeout } = config;
        let credential = tmdb_credential(&token)?;
        let http = Http::new(Provider::Tmdb, url, DEFAULT_URL, credential, clock.clone())?;
        Ok(Tmdb { guard: Guard::new(Provider::Tmdb, http, CALLS, timeout, clock) })
    }

    /// How TMDB does; asks nobody.
    #[must_use]
    pub fn status(&self) -> MetadataStatus {
        self.guard.status()
    }

    /// The work, or nothing where there is none.
    async fn if_any(
        asking: &Asking<'_>,
        id: Option<WorkId>,
        language: &str,
    ) -> Result<Option<Work>, MetadataError> {
        let Some(id) = id else { return Ok(None) };
        match details(asking, id, language).await {
            Ok(work) => Ok(Some(work)),
            Err(MetadataError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A film and a series, whichever there are; both are asked for at once.
    async fn both(
        asking: &Asking<'_>,
        film: Option<WorkId>,
        series: Option<WorkId>,
        language: &str,
    ) -> Result<Vec<Work>, MetadataError> {
        let (film, series) = tokio::join!(
            Self::if_any(asking, film, language),
            Self::if_any(asking, series, language)
        );
        Ok(film?.into_iter().chain(series?).collect())
    }
}

impl std::fmt::Debug for Tmdb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tmdb").finish_non_exhaustive()
    }
}

#[async_trait]
impl MetadataSource for Tmdb {
    fn provider(&self) -> Provider {
        Provider::Tmdb
    }

    async fn search(&self, query: &MetadataQuery) -> Result<Vec<Work>, MetadataError> {
        if query.title.trim().is_empty() {
            return Ok(Vec::new());
        }
        let (route, year) = match query.kind {
            // Not the primary year alone: a film may have been shown elsewhere a year before.
            WorkKind::Movie => ("search/movie", "year"),
            WorkKind::Series => ("search/tv", "first_air_date_year"),
        };
        let mut fields = in_language(&query.language);
        fields.push(("query", query.title.trim().to_owned()));
        if let Some(number) = query.year {
            fields.push((year, number.to_string()));
        }
        let body = self.guard.asking().get(route.to_owned(), fields).await?;
        shape::works(&body, query.kind)
    }

    async fn work(&self, id: WorkId, language: &str) -> Result<Work, MetadataError> {
        if id.provider != Provider::Tmdb {
            return Err(MetadataError::NotFound);
        }
        details(&self.guard.asking(), id, language).await
    }

    async fn resolve(&self, pin: &Pin, language: &str) -> Result<Vec<Work>, MetadataError> {
        let asking = self.guard.asking();
        let (film, series) = match pin {
            Pin::Work(id) if id.provider == Provider::Tmdb => (Some(*id), None),
            Pin::Work(_) => return Ok(Vec::new()),
            Pin::Tmdb(number) => {
                (Some(id_of(WorkKind::Movie, *number)), Some(id_of(WorkKind::Series, *number)))
            }
            Pin::Imdb(imdb) => {
                let Some(imdb) = read::imdb(Some(imdb)) else { return Ok(Vec::new()) };
                let mut fields = in_language(language);
                fields.push(("external_source", "imdb_id".to_owned()));
                match asking.get(format!("find/{imdb}"), fields).await {
                    Ok(body) => shape::found(&body)?,
                    Err(MetadataError::NotFound) => return Ok(Vec::new()),
                    Err(error) => return Err(error),
                }
            }
        };
        Self::both(&asking, film, series, language).await
    }

    async fn episodes(
        &self,
        id: WorkId,
        season: u32,
        language: &str,
    ) -> Result<Vec<Episode>, MetadataError> {
        if id.provider != Provider::Tmdb || id.kind != WorkKind::Series {
            return Err(MetadataError::NotFound);
        }
        let route = format!("tv/{}/season/{season}", id.number);
        let body = self.guard.asking().get(route, in_language(language)).await?;
        shape::episodes(&body, season)
    }
}

async fn details(asking: &Asking<'_>, id: WorkId, language: &str) -> Result<Work, MetadataError> {
    let route = match id.kind {
        WorkKind::Movie => format!("movie/{}", id.number),
        WorkKind::Series => format!("tv/{}", id.number),
    };
    let mut fields = in_language(language);
    fields.push(("append_to_response", APPENDED.to_owned()));
    let body = asking.get(route, fields).await?;
    shape::details(&body, id, language)
}

fn id_of(kind: WorkKind, number: u64) -> WorkId {
    WorkId { provider: Provider::Tmdb, kind, number }
}

/// The field of a language; none where that is no code of one.
fn in_language(language: &str) -> Fields {
    let plain = (2..=5).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if plain { vec![("language", language.to_owned())] } else { Vec::new() }
}
