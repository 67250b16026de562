//! The answers of TVmaze as works and episodes. Pure, and it never fails on
//! what it does not need.

use serde::Deserialize;
use tracker_domain::metadata::{Episode, Provider, SeasonOutline, Work, WorkId, WorkKind};
use tracker_domain::number::Date;
use tracker_domain::ports::MetadataError;

use super::language;
use crate::html;
use crate::names::Names;
use crate::read::{self, List, Soft, unreadable};

/// The weight of a series that everybody looks at.
const HEAVIEST: f64 = 100.0;
/// More specials than any series has; a lie must not count on.
const MOST_SPECIALS: usize = 1000;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Hit {
    show: Soft<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    id: Soft<u64>,
    name: Soft<String>,
    r#type: Soft<String>,
    language: Soft<String>,
    genres: List<String>,
    premiered: Soft<String>,
    weight: Soft<f64>,
    externals: Soft<Externals>,
    image: Soft<Image>,
    summary: Soft<String>,
    #[serde(rename = "_embedded")]
    embedded: Soft<Embedded>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Externals {
    imdb: Soft<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Image {
    original: Soft<String>,
    medium: Soft<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Embedded {
    seasons: List<Season>,
    akas: List<Aka>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Season {
    number: Soft<u32>,
    #[serde(rename = "episodeOrder")]
    episode_order: Soft<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Aka {
    name: Soft<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Listed {
    name: Soft<String>,
    season: Soft<u32>,
    number: Soft<u32>,
    r#type: Soft<String>,
    airdate: Soft<String>,
}

/// A series in full, and its seasons of which TVmaze does not say how long they are.
pub(crate) struct Show {
    pub(crate) work: Work,
    open: Vec<u32>,
}

impl Show {
    pub(crate) fn has_open_seasons(&self) -> bool {
        !self.open.is_empty()
    }

    /// Counts the episodes of the seasons whose length is not said.
    pub(crate) fn fill(&mut self, episodes: &[Episode]) {
        for season in &mut self.work.seasons {
            if self.open.contains(&season.number) {
                let listed = episodes.iter().filter(|episode| episode.season == season.number);
                season.episodes = u32::try_from(listed.count()).unwrap_or(u32::MAX);
            }
        }
    }
}

/// The works of a search.
pub(crate) fn works(body: &[u8]) -> Result<Vec<Work>, MetadataError> {
    let list: List<Hit> = read::listed(body)?;
    let shows = list.entries.iter().filter_map(|hit| hit.show.0.as_ref());
    let mut read: Vec<Work> = shows.filter_map(Entry::work).collect();
    read::warn_of_left_out(Provider::Tvmaze, list.left_out + (list.entries.len() - read.len()));
    read.truncate(read::MOST_FOUND);
    Ok(read)
}

/// The number of the series that a lookup leads to.
pub(crate) fn looked_up(body: &[u8]) -> Result<u64, MetadataError> {
    let entry: Entry = read::whole(body)?;
    read::id(entry.id.0).ok_or_else(|| unreadable("it has no number"))
}

/// One series in full, which has to be the one that was asked for.
pub(crate) fn details(body: &[u8], number: u64) -> Result<Show, MetadataError> {
    let entry: Entry = read::whole(body)?;
    let mut work = entry.work().ok_or_else(|| unreadable("it has no name"))?;
    if work.id.number != number {
        return Err(unreadable("it is of another series"));
    }
    let mut open = Vec::new();
    if let Some(embedded) = &entry.embedded.0 {
        let mut names = Names::besides([work.title.as_str()]);
        for aka in &embedded.akas.entries {
            names.push(read::name(aka.name.0.as_deref()));
        }
        work.other_titles = names.into_vec();
        for season in &embedded.seasons.entries {
            let Some(number) = season.number.0 else { continue };
            let episodes = season.episode_order.0.unwrap_or_else(|| {
                open.push(number);
                0
            });
            work.seasons.push(SeasonOutline { number, episodes });
        }
    }
    work.seasons.sort_by_key(|season| season.number);
    work.seasons.dedup_by_key(|season| season.number);
    Ok(Show { work, open })
}

/// All episodes of a series, by season and number; what has no number is a special.
pub(crate) fn episodes(body: &[u8]) -> Result<Vec<Episode>, MetadataError> {
    let list: List<Listed> = read::listed(body)?;
    let (mut usual, mut special) = (Vec::new(), Vec::new());
    for listed in &list.entries {
        let title = read::name(listed.name.0.as_deref()).unwrap_or_default();
        let date: Option<Date> = listed.airdate.0.as_deref().and_then(|text| text.parse().ok());
        let regular = listed.r#type.0.as_deref().is_none_or(|kind| kind == "regular");
        match (listed.season.0, listed.number.0) {
            (Some(season), Some(number)) if regular && season > 0 => {
                usual.push(Episode { season, number, title, date });
            }
            (Some(_), _) => special.push(Episode { season: 0, number: 0, title, date }),
            (None, _) => {}
        }
    }
    let read = usual.len() + special.len();
    read::warn_of_left_out(Provider::Tvmaze, list.left_out + (list.entries.len() - read));
    // Those without a day come last; else the order of the list stays.
    special.sort_by_key(|episode| (episode.date.is_none(), episode.date));
    special.truncate(MOST_SPECIALS);
    for (number, episode) in (1..).zip(&mut special) {
        episode.number = number;
    }
    usual.append(&mut special);
    usual.sort_by_key(|episode| (episode.season, episode.number));
    usual.dedup_by_key(|episode| (episode.season, episode.number));
    Ok(usual)
}

impl Entry {
    /// What a search and the full answer have in common; nothing without a
    /// number or a name.
    fn work(&self) -> Option<Work> {
        let number = read::id(self.id.0)?;
        let image = self.image.0.as_ref();
        let poster = image.and_then(|image| {
            // The original may have any size, and a page shows a small one.
            read::name(image.medium.0.as_deref())
                .or_else(|| read::name(image.original.0.as_deref()))
        });
        let imdb = self.externals.0.as_ref().and_then(|known| known.imdb.0.as_deref());
        let overview = self.summary.0.as_deref().map(html::text_of);
        let language = self.language.0.as_deref().and_then(language::code);
        Some(Work {
            id: WorkId { provider: Provider::Tvmaze, kind: WorkKind::Series, number },
            title: read::name(self.name.0.as_deref())?,
            original_title: None,
            other_titles: Vec::new(),
            year: read::year(self.premiered.0.as_deref()),
            overview: read::prose(overview.as_deref()),
            poster,
            popularity: (self.weight.0.unwrap_or(0.0) / HEAVIEST).clamp(0.0, 1.0),
            imdb: read::imdb(imdb),
            language: language.map(str::to_owned),
            animated: self.r#type.0.as_deref() == Some("Animation")
                || self.genres.entries.iter().any(|genre| genre == "Anime"),
            seasons: Vec::new(),
        })
    }
}
