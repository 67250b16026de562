//! The answers of TMDB as works and episodes. Pure, and it never fails on what
//! it does not need.

use serde::Deserialize;
use serde_json::value::RawValue;
use tracker_domain::metadata::{Episode, Provider, SeasonOutline, Work, WorkId, WorkKind};
use tracker_domain::ports::MetadataError;

use crate::names::Names;
use crate::read::{self, List, Soft, unreadable};

/// The genre of what is drawn or modelled.
const ANIMATION: u64 = 16;
/// A popularity of this is in the middle between unknown and known to all.
const MIDDLING: f64 = 20.0;

/// A page of a search.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Page<'a> {
    #[serde(borrow)]
    results: Option<&'a RawValue>,
}

/// What goes by a number of IMDb.
#[derive(Deserialize)]
struct Found {
    movie_results: Option<List<Numbered>>,
    tv_results: Option<List<Numbered>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Numbered {
    id: Soft<u64>,
}

/// A film or a series, found or in full: films have `title`, series have `name`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    id: Soft<u64>,
    title: Soft<String>,
    name: Soft<String>,
    original_title: Soft<String>,
    original_name: Soft<String>,
    release_date: Soft<String>,
    first_air_date: Soft<String>,
    overview: Soft<String>,
    poster_path: Soft<String>,
    popularity: Soft<f64>,
    original_language: Soft<String>,
    genre_ids: List<u64>,
    genres: List<Numbered>,
    imdb_id: Soft<String>,
    external_ids: Soft<ExternalIds>,
    alternative_titles: Soft<Alternatives>,
    translations: Soft<Translations>,
    seasons: List<Season>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExternalIds {
    imdb_id: Soft<String>,
}

/// Films have `titles`, series have `results`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Alternatives {
    titles: List<Alternative>,
    results: List<Alternative>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Alternative {
    title: Soft<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Translations {
    translations: List<Translation>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Translation {
    iso_639_1: Soft<String>,
    data: Soft<Translated>,
}

/// The name is empty where it is the original one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Translated {
    title: Soft<String>,
    name: Soft<String>,
    overview: Soft<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Season {
    season_number: Soft<u32>,
    episode_count: Soft<u32>,
    episodes: Option<List<SeasonEpisode>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SeasonEpisode {
    episode_number: Soft<u32>,
    name: Soft<String>,
    air_date: Soft<String>,
}

/// The works of a search.
pub(crate) fn works(body: &[u8], kind: WorkKind) -> Result<Vec<Work>, MetadataError> {
    let text = std::str::from_utf8(body).map_err(|_| unreadable("it is no UTF-8"))?;
    let page: Page<'_> = serde_json::from_str(text).map_err(|_| unreadable("it is no page"))?;
    let list: Option<List<Entry>> = page.results.and_then(|raw| List::strict(raw.get()));
    let list = list.ok_or_else(|| unreadable("it has no list of results"))?;
    let mut read: Vec<Work> = list.entries.iter().filter_map(|entry| entry.work(kind)).collect();
    let left_out = list.left_out + (list.entries.len() - read.len());
    read::warn_of_left_out(Provider::Tmdb, left_out);
    read.truncate(read::MOST_FOUND);
    Ok(read)
}

/// The film and the series of a number of IMDb.
pub(crate) fn found(body: &[u8]) -> Result<(Option<WorkId>, Option<WorkId>), MetadataError> {
    let found: Found = read::whole(body)?;
    let (Some(films), Some(series)) = (found.movie_results, found.tv_results) else {
        return Err(unreadable("it has no lists of films and series"));
    };
    let first = |list: &List<Numbered>, kind| {
        let number = list.entries.iter().find_map(|entry| read::id(entry.id.0))?;
        Some(WorkId { provider: Provider::Tmdb, kind, number })
    };
    Ok((first(&films, WorkKind::Movie), first(&series, WorkKind::Series)))
}

/// One work in full, which has to be the one that was asked for.
pub(crate) fn details(body: &[u8], id: WorkId, language: &str) -> Result<Work, MetadataError> {
    let entry: Entry = read::whole(body)?;
    let mut work = entry.work(id.kind).ok_or_else(|| unreadable("it has no name"))?;
    if work.id != id {
        return Err(unreadable("it is of another work"));
    }
    work.other_titles = entry.other_titles(&work, language);
    work.seasons = entry.seasons();
    if work.overview.is_none() {
        work.overview = entry.translated("en").find_map(|data| read::prose(str_of(&data.overview)));
    }
    Ok(work)
}

/// The episodes of a season.
pub(crate) fn episodes(body: &[u8], season: u32) -> Result<Vec<Episode>, MetadataError> {
    let answer: Season = read::whole(body)?;
    if answer.season_number.0.is_some_and(|number| number != season) {
        return Err(unreadable("it is of another season"));
    }
    let list = answer.episodes.ok_or_else(|| unreadable("it has no list of episodes"))?;
    let total = list.entries.len();
    let mut read: Vec<Episode> = list
        .entries
        .iter()
        .filter_map(|entry| {
            Some(Episode {
                season,
                number: entry.episode_number.0?,
                title: read::name(str_of(&entry.name)).unwrap_or_default(),
                date: str_of(&entry.air_date).and_then(|text| text.parse().ok()),
            })
        })
        .collect();
    read::warn_of_left_out(Provider::Tmdb, list.left_out + (total - read.len()));
    read.sort_by_key(|episode| episode.number);
    read.dedup_by_key(|episode| episode.number);
    Ok(read)
}

impl Entry {
    /// What a search and the full answer have in common; nothing without a
    /// number or any name.
    fn work(&self, kind: WorkKind) -> Option<Work> {
        let (title, original, date) = match kind {
            WorkKind::Movie => (&self.title, &self.original_title, &self.release_date),
            WorkKind::Series => (&self.name, &self.original_name, &self.first_air_date),
        };
        let original_title = read::name(str_of(original));
        let title = read::name(str_of(title)).or_else(|| original_title.clone())?;
        let external = self.external_ids.0.as_ref().and_then(|ids| str_of(&ids.imdb_id));
        let drawn = |number: &u64| *number == ANIMATION;
        Some(Work {
            id: WorkId { provider: Provider::Tmdb, kind, number: read::id(self.id.0)? },
            title,
            original_title,
            other_titles: Vec::new(),
            year: read::year(str_of(date)),
            overview: read::prose(str_of(&self.overview)),
            poster: read::name(str_of(&self.poster_path)),
            popularity: popularity(self.popularity.0),
            imdb: read::imdb(str_of(&self.imdb_id)).or_else(|| read::imdb(external)),
            language: language_of(str_of(&self.original_language)),
            animated: self.genre_ids.entries.iter().any(drawn)
                || self.genres.entries.iter().filter_map(|genre| genre.id.0.as_ref()).any(drawn),
            seasons: Vec::new(),
        })
    }

    /// The names in the languages that matter most, then the other names, then
    /// the names in all other languages.
    fn other_titles(&self, work: &Work, language: &str) -> Vec<String> {
        let known = [Some(work.title.as_str()), work.original_title.as_deref()];
        let mut names = Names::besides(known.into_iter().flatten());
        let first = [Some(language), Some("en"), work.language.as_deref()];
        for code in first.into_iter().flatten() {
            self.translated(code).for_each(|data| names.push(data.name()));
        }
        let alternatives = self.alternative_titles.0.iter();
        for other in
            alternatives.flat_map(|all| all.titles.entries.iter().chain(&all.results.entries))
        {
            names.push(read::name(str_of(&other.title)));
        }
        for translation in self.translations.0.iter().flat_map(|all| &all.translations.entries) {
            names.push(translation.data.0.as_ref().and_then(Translated::name));
        }
        names.into_vec()
    }

    /// The translations into one language; there may be several, by country.
    fn translated<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a Translated> {
        let all = self.translations.0.iter().flat_map(|all| &all.translations.entries);
        all.filter(move |one| str_of(&one.iso_639_1) == Some(language))
            .filter_map(|one| one.data.0.as_ref())
    }

    fn seasons(&self) -> Vec<SeasonOutline> {
        let outline = |season: &Season| {
            let number = season.season_number.0?;
            Some(SeasonOutline { number, episodes: season.episode_count.0.unwrap_or(0) })
        };
        let mut seasons: Vec<_> = self.seasons.entries.iter().filter_map(outline).collect();
        seasons.sort_by_key(|season| season.number);
        seasons.dedup_by_key(|season| season.number);
        seasons
    }
}

impl Translated {
    fn name(&self) -> Option<String> {
        read::name(str_of(&self.title)).or_else(|| read::name(str_of(&self.name)))
    }
}

fn str_of(field: &Soft<String>) -> Option<&str> {
    field.0.as_deref()
}

/// TMDB counts without an upper end.
fn popularity(number: Option<f64>) -> f64 {
    let number = number.filter(|number| number.is_finite() && *number > 0.0).unwrap_or(0.0);
    number / (number + MIDDLING)
}

/// A code of two letters; `xx` is TMDB's word for none.
fn language_of(code: Option<&str>) -> Option<String> {
    let code = code.filter(|code| code.len() == 2 && *code != "xx")?;
    code.bytes().all(|byte| byte.is_ascii_lowercase()).then(|| code.to_owned())
}
