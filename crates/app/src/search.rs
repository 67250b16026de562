//! Finding a thing by whatever a person has of it: its name, its number at a
//! source, the address of its page, its id here, or an infohash.
//!
//! The sources are asked as they are, without the answers that recognition keeps:
//! a person who looks wants what is there now, and asks seldom.

use std::str::FromStr;
use std::sync::Arc;

use tokio::task::JoinSet;
use tracker_domain::metadata::{MetadataQuery, Pin, Provider, Work, WorkKind};
use tracker_domain::ports::{Live, MetadataError, MetadataSource};
use tracker_domain::{DownloadId, Infohash, Magnet};
use tracker_ident::AnyId;
use tracker_ingest::Clients;
use tracker_store::{Db, DownloadFilter, ReadTx, SHORT_ID};

use crate::convert::{download_view, entity_view};
use crate::error::{AppError, FieldError};
use crate::review_views::CauseView;
use crate::views::{DownloadView, EntityView};

/// The longest text, in characters.
const LONGEST: usize = 500;

/// So many downloads are found by a name.
const MOST_DOWNLOADS: u32 = 50;

/// So many works are shown of one answer; a source puts the best first.
const MOST_WORKS: usize = 20;

/// So many things whose ids end alike are looked at.
const MOST_ENTITIES: usize = 20;

/// So many downloads are named with a work.
const MOST_OF_WORK: u32 = 20;

/// What a source is asked to see whether it answers.
const TRIAL: &str = "Metropolis";

/// So many digits of a hash are enough to look for it.
const FEWEST_DIGITS: usize = 8;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchView {
    /// What has the id that was asked for.
    pub entity: Option<EntityView>,
    /// Downloads, newest first.
    pub downloads: Vec<DownloadView>,
    /// Downloads that were taken out of the lists, newest first.
    pub removed: Vec<DownloadView>,
    /// Works of the sources, in the order of each.
    pub works: Vec<FoundWorkView>,
    /// The sources that gave no answer.
    pub causes: Vec<CauseView>,
    /// How many sources were asked; `None` where no title was looked for.
    pub asked: Option<usize>,
}

impl SearchView {
    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entity.is_none()
            && self.works.is_empty()
            && self.downloads.is_empty()
            && self.removed.is_empty()
    }
}

/// A work that a source knows.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundWorkView {
    /// The work as a pin names it, such as `tmdb:movie/603`.
    pub work: String,
    /// The source.
    pub provider: Provider,
    /// A film or a series.
    pub kind: WorkKind,
    /// Its title in the first language of the configuration.
    pub title: String,
    /// Its title in its own language.
    pub original_title: Option<String>,
    /// The year of the first release.
    pub year: Option<i32>,
    /// What it is about.
    pub overview: Option<String>,
    /// Whether links of it stand in a library.
    pub in_library: bool,
    /// The downloads that are taken for it, newest first.
    pub downloads: Vec<DownloadId>,
}

/// The service that finds things.
#[derive(Clone)]
pub struct Search {
    db: Db,
    clients: Clients,
    live: Arc<dyn Live>,
    sources: Arc<[Arc<dyn MetadataSource>]>,
    language: Arc<str>,
}

/// What a text was taken for.
#[derive(Debug, PartialEq)]
enum Asked {
    /// The id of something here.
    Id(AnyId),
    /// Torrents.
    Torrent(Vec<Infohash>),
    /// A work that is named, and nothing else.
    Pin(Pin),
    /// A bare number: of a film, of a series, or a name after all.
    Number(u64, String),
    /// A name, and the year that stood behind it.
    Name(String, Option<i32>),
}

impl Search {
    pub(crate) fn new(db: Db, clients: Clients, live: Arc<dyn Live>) -> Self {
        Search { db, clients, live, sources: Arc::new([]), language: "en".into() }
    }

    pub(crate) fn with_sources(mut self, sources: Vec<Arc<dyn MetadataSource>>) -> Self {
        self.sources = sources.into();
        self
    }

    pub(crate) fn with_language(mut self, language: &str) -> Self {
        self.language = language.into();
        self
    }

    /// Whether there is a source of titles to ask.
    #[must_use]
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Everything that a text may mean. Nothing that a source does makes it fail.
    ///
    /// # Errors
    /// When the text is too long.
    pub async fn find(&self, text: &str) -> Result<SearchView, AppError> {
        let text = text.trim();
        if text.chars().count() > LONGEST {
            let detail = format!("the text is too long; at most {LONGEST} characters");
            return Err(AppError::InvalidRequest(vec![FieldError::query("q", detail)]));
        }
        if text.is_empty() {
            return Ok(SearchView::default());
        }
        match asked(text) {
            Asked::Id(id) => self.by_id(id, text).await,
            Asked::Torrent(hashes) => self.by_hashes(hashes).await,
            Asked::Pin(pin) => self.by_sources(vec![Question::Pin(pin)]).await,
            words @ (Asked::Number(..) | Asked::Name(..)) => {
                match self.by_part(&text.to_ascii_lowercase()).await? {
                    Some(found) => Ok(found),
                    None => self.by_words(text, words).await,
                }
            }
        }
    }

    /// The works of a name or a number, and the downloads of that name.
    async fn by_words(&self, text: &str, words: Asked) -> Result<SearchView, AppError> {
        match words {
            Asked::Number(number, name) => {
                let mut questions = vec![Question::Pin(Pin::Tmdb(number))];
                questions.extend(named(&name, None));
                self.with_downloads(&name, questions).await
            }
            Asked::Name(name, Some(year)) => {
                self.with_downloads(&name, named(&name, Some(year))).await
            }
            _ => self.with_downloads(text, named(text, None)).await,
        }
    }

    /// What has an id that ends so, as pages show ids, or a hash that begins so. One that
    /// is alone is told as by its whole id. `None` where nothing has.
    async fn by_part(&self, part: &str) -> Result<Option<SearchView>, AppError> {
        let (may_end, may_begin) = (may_end_an_id(part), may_begin_a_hash(part));
        if !may_end && !may_begin {
            return Ok(None);
        }
        let (search, part) = (self.clone(), part.to_owned());
        let found = self.db.read(move |tx| {
            let entities =
                if may_end { tx.entities_ending(&part, MOST_ENTITIES)? } else { Vec::new() };
            let mut ids: Vec<DownloadId> =
                if may_begin { tx.downloads_beginning(&part, MOST_DOWNLOADS)? } else { Vec::new() };
            let entity = match entities.as_slice() {
                [one] if ids.is_empty() => Some(entity_view(*one)),
                _ => None,
            };
            ids.extend(entities.iter().filter_map(|entity| entity.download));
            ids.sort_unstable();
            ids.dedup();
            let found = search.shown(tx, ids.into_iter().rev())?;
            Ok::<_, AppError>(SearchView { entity, ..found })
        });
        Ok(Some(found.await?).filter(|found| !found.is_empty()))
    }

    /// What has this id; a name of 26 letters may look like one, and is then looked for.
    async fn by_id(&self, id: AnyId, text: &str) -> Result<SearchView, AppError> {
        let search = self.clone();
        let found = self
            .db
            .read(move |tx| {
                let Some(entity) = tx.entity(id)? else { return Ok::<_, AppError>(None) };
                let entity = entity_view(entity);
                let found = search.shown(tx, entity.download_id)?;
                Ok(Some(SearchView { entity: Some(entity), ..found }))
            })
            .await?;
        match found {
            Some(found) => Ok(found),
            None => match self.by_part(&text.to_ascii_lowercase()).await? {
                Some(found) => Ok(found),
                None => self.with_downloads(text, named(text, None)).await,
            },
        }
    }

    async fn by_hashes(&self, hashes: Vec<Infohash>) -> Result<SearchView, AppError> {
        let search = self.clone();
        self.db
            .read(move |tx| {
                let newest_first = tx.downloads_with(hashes)?.into_iter().rev();
                search.shown(tx, newest_first)
            })
            .await
    }

    /// Downloads by their ids, and those apart that were taken out of the lists.
    fn shown(
        &self,
        tx: &ReadTx<'_>,
        ids: impl IntoIterator<Item = DownloadId>,
    ) -> Result<SearchView, AppError> {
        let mut views = Vec::new();
        for id in ids {
            let row = tx.download(id)?;
            views.extend(row.map(|row| download_view(row, &self.clients, &*self.live)));
        }
        let (downloads, removed) = views.into_iter().partition(|view| view.hidden_at.is_none());
        Ok(SearchView { downloads, removed, ..SearchView::default() })
    }

    /// The works, with the downloads of which this is a part of the name before them.
    async fn with_downloads(
        &self,
        part: &str,
        questions: Vec<Question>,
    ) -> Result<SearchView, AppError> {
        let filter = DownloadFilter {
            name_part: Some(part.to_owned()),
            limit: MOST_DOWNLOADS,
            ..DownloadFilter::default()
        };
        let found = self.by_sources(questions).await?;
        let hidden = DownloadFilter { only_hidden: true, ..filter.clone() };
        let rows = self
            .db
            .read(move |tx| Ok::<_, AppError>((tx.downloads(&filter)?, tx.downloads(&hidden)?)));
        let (listed, hidden) = rows.await?;
        let view = |row| download_view(row, &self.clients, &*self.live);
        Ok(SearchView {
            downloads: listed.into_iter().map(view).collect(),
            removed: hidden.into_iter().map(view).collect(),
            ..found
        })
    }

    /// Asks each source one question, and tells why it gave no answer, where it gave
    /// none.
    pub(crate) async fn ask_all(&self) -> Result<Vec<(String, Option<String>)>, AppError> {
        let found = self.by_sources(named(TRIAL, None)).await?;
        let name = |source: &Arc<dyn MetadataSource>| source.provider().as_str().to_owned();
        let with_cause = |name: String| {
            let cause = found.causes.iter().find(|cause| cause.source == name);
            let detail = cause.map(|cause| cause.detail.clone());
            (name, detail)
        };
        Ok(self.sources.iter().map(name).map(with_cause).collect())
    }

    /// Asks every source at once; each answers within ten seconds or says why not.
    async fn by_sources(&self, questions: Vec<Question>) -> Result<SearchView, AppError> {
        let mut asking = JoinSet::new();
        for (place, source) in self.sources.iter().enumerate() {
            let (source, questions) = (Arc::clone(source), questions.clone());
            let language = Arc::clone(&self.language);
            asking.spawn(async move {
                let provider = source.provider();
                (place, provider, ask(&*source, &questions, &language).await)
            });
        }
        let mut answers = Vec::new();
        while let Some(answer) = asking.join_next().await {
            answers.push(answer.map_err(|broken| AppError::Internal(Box::new(broken)))?);
        }
        answers.sort_by_key(|(place, ..)| *place);
        let mut works: Vec<Work> = Vec::new();
        let mut causes = Vec::new();
        for (_, provider, (found, failure)) in answers {
            works.extend(found);
            causes.extend(failure.map(|failure| cause_view(provider, &failure)));
        }
        let works = self.known(works).await?;
        let asked = Some(self.sources.len());
        Ok(SearchView { works, causes, asked, ..SearchView::default() })
    }

    /// The works with what is here of each.
    async fn known(&self, works: Vec<Work>) -> Result<Vec<FoundWorkView>, AppError> {
        self.db
            .read(move |tx| {
                let mut views = Vec::new();
                for work in works {
                    let here = tx.downloads_of_work(work.id, MOST_OF_WORK)?;
                    views.push(FoundWorkView {
                        work: work.id.to_string(),
                        provider: work.id.provider,
                        kind: work.id.kind,
                        title: work.title,
                        original_title: work.original_title,
                        year: work.year,
                        overview: work.overview,
                        in_library: here.iter().any(|download| download.is_linked),
                        downloads: here
                            .into_iter()
                            .filter(|download| !download.is_hidden)
                            .map(|download| download.download)
                            .collect(),
                    });
                }
                Ok(views)
            })
            .await
    }
}

/// What every source is asked.
#[derive(Clone)]
enum Question {
    Pin(Pin),
    Name { title: String, year: Option<i32>, kind: WorkKind },
}

/// A name may be that of a film and of a series.
fn named(title: &str, year: Option<i32>) -> Vec<Question> {
    let of = |kind| Question::Name { title: title.to_owned(), year, kind };
    vec![of(WorkKind::Movie), of(WorkKind::Series)]
}

/// All that a source says, each work once, and why it stopped saying more.
async fn ask(
    source: &dyn MetadataSource,
    questions: &[Question],
    language: &str,
) -> (Vec<Work>, Option<MetadataError>) {
    let mut works: Vec<Work> = Vec::new();
    let mut failure = None;
    for question in questions {
        let answer = match question {
            Question::Pin(pin) => source.resolve(pin, language).await,
            Question::Name { kind, .. } if !source.provider().covers(*kind) => continue,
            Question::Name { title, year, kind } => {
                let query = MetadataQuery {
                    title: title.clone(),
                    kind: *kind,
                    year: *year,
                    language: language.to_owned(),
                };
                source.search(&query).await
            }
        };
        match answer {
            Ok(found) => {
                for work in found.into_iter().take(MOST_WORKS) {
                    if works.iter().all(|known| known.id != work.id) {
                        works.push(work);
                    }
                }
            }
            Err(MetadataError::NotFound) => {}
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    (works, failure)
}

fn cause_view(provider: Provider, failure: &MetadataError) -> CauseView {
    let cause = match failure {
        MetadataError::Denied(_) => "denied",
        MetadataError::NotFound => "not-found",
        MetadataError::Limited { .. } => "limited",
        MetadataError::Unreachable(_) => "unreachable",
        MetadataError::Unreadable(_) => "unreadable",
    };
    CauseView {
        source: provider.as_str().to_owned(),
        cause: cause.to_owned(),
        detail: failure.to_string(),
    }
}

/// What a text most likely is. A thing that has one spelling comes before a name.
fn asked(text: &str) -> Asked {
    if let Ok(id) = AnyId::from_str(text) {
        return Asked::Id(id);
    }
    if let Some(hashes) = hashes(text) {
        return Asked::Torrent(hashes);
    }
    if let Ok(pin) = Pin::from_str(text) {
        return Asked::Pin(pin);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && let Ok(Pin::Tmdb(number)) = Pin::from_str(&format!("tmdb:{text}")) {
        return Asked::Number(number, text.to_owned());
    }
    match year_behind(text) {
        Some((name, year)) => Asked::Name(name.to_owned(), Some(year)),
        None => Asked::Name(text.to_owned(), None),
    }
}

/// Whether pages show an id so: its last letters.
fn may_end_an_id(text: &str) -> bool {
    // The alphabet of ids has no i, l, o and u.
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() && !b"ilou".contains(&byte);
    text.len() == SHORT_ID && text.bytes().all(is_letter)
}

/// Whether a hash may begin so.
fn may_begin_a_hash(text: &str) -> bool {
    text.len() >= FEWEST_DIGITS
        && text.len() < 64
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The infohashes of a bare hash, 40 or 64 hex or 32 base32, or of a magnet link.
fn hashes(text: &str) -> Option<Vec<Infohash>> {
    if let Ok(hash) = text.to_ascii_lowercase().parse::<Infohash>() {
        return Some(vec![hash]);
    }
    let link = if text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        format!("magnet:?xt=urn:btih:{text}")
    } else {
        text.to_owned()
    };
    let magnet = Magnet::parse(&link).ok()?;
    Some(magnet.infohashes().iter().collect())
}

/// `Name 1999` or `Name (1999)`. A year alone is a name.
fn year_behind(text: &str) -> Option<(&str, i32)> {
    let (name, last) = text.rsplit_once(char::is_whitespace)?;
    let digits = last.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(last);
    let is_plain = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let year: i32 = if is_plain { digits.parse().ok()? } else { return None };
    let name = name.trim();
    ((1870..2100).contains(&year) && !name.is_empty()).then_some((name, year))
}

#[cfg(test)]
mod tests;
