//! What an accepted work changes in the fields that the layout uses.

use std::collections::BTreeSet;

use tracker_domain::metadata::{Work, WorkKind};
use tracker_domain::recognised::{EpisodeNumber, Evidence, Fields, Recognised, Role, TitleKind};
use tracker_domain::remark::Remark;

use super::fold::{Folded, is_cyrillic};
use super::overrides::said;
use super::through;
use super::titles::{names_of, undated};

/// The most further names that are kept.
const MOST_NAMES: usize = 20;

/// Languages in Cyrillic letters that cannot be told by these letters.
const OTHER_CYRILLIC: &[&str] = &["be", "bg", "kk", "mk", "mn", "sr", "uk"];

/// Takes over the title, year and kind of a work; the names of before stay as
/// further names. `language` is the preferred one, ISO 639-1: `ru` wants the
/// name in Cyrillic letters where there is one, any other the one that the
/// source gave, or one in Latin letters.
///
/// What a person said in an override stays. The numbers stay those of the
/// files, but for two cases in which the source gives the season:
///
/// - *Numbers that count through all seasons* become a season and a number
///   within it, by the lengths of the seasons. Where one of them has no place,
///   or a file holds the end of a season and the beginning of the next, all
///   files are left as they were, and a doubt is added.
/// - *Episodes without a season* get the only season of a work that has one.
pub fn adopt(recognised: &mut Recognised, work: &Work, language: &str) {
    let from_person = |field: &str| said(recognised, field).is_some();
    let (titled, dated, kinded) = (from_person("title"), from_person("year"), from_person("kind"));
    // The layout writes the year itself.
    let title = undated(title_in(work, language), work.year).to_owned();
    if !titled && !title.trim().is_empty() {
        set_names(&mut recognised.fields, title, work);
    }
    if let Some(year) = work.year.filter(|_| !dated) {
        recognised.fields.year = Some(year);
        recognised.fields.year_end = None;
    }
    if !kinded {
        recognised.fields.kind = Some(kind(recognised.fields.kind, work));
    }
    for file in &mut recognised.files {
        // What the names of single files say about these would win over the work.
        let own = &mut file.fields;
        (own.title, own.title_ru, own.title_orig) = (None, None, None);
        own.other_titles.clear();
        (own.year, own.year_end, own.kind) = (None, None, None);
    }
    add_evidence(recognised, work);
    if work.id.kind == WorkKind::Series {
        give_seasons(recognised, work);
    }
}

/// Anime is a series to the sources.
fn kind(before: Option<TitleKind>, work: &Work) -> TitleKind {
    match (work.id.kind, before) {
        (WorkKind::Movie, _) => TitleKind::Movie,
        (WorkKind::Series, Some(TitleKind::Anime)) => TitleKind::Anime,
        (WorkKind::Series, _) => TitleKind::Series,
    }
}

fn title_in<'a>(work: &'a Work, language: &str) -> &'a str {
    let cyrillic = language == "ru";
    let latin = |name: &&str| name.chars().any(|ch| ch.is_ascii_alphabetic());
    let fits = |name: &&str| is_cyrillic(name) == cyrillic && (cyrillic || latin(name));
    let as_given = OTHER_CYRILLIC.contains(&language) || is_cyrillic(&work.title) == cyrillic;
    if as_given { &work.title } else { names_of(work).find(fits).unwrap_or(&work.title) }
}

fn set_names(fields: &mut Fields, title: String, work: &Work) {
    let before = [fields.title.take(), fields.title_orig.take(), fields.title_ru.take()];
    let known = before.into_iter().flatten().chain(std::mem::take(&mut fields.other_titles));
    let original = work.original_title.clone().into_iter();
    let mut rest: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([Folded::new(&title).key().to_owned()]);
    for name in original.chain(names_of(work).map(str::to_owned)).chain(known) {
        let name = undated(&name, work.year).to_owned();
        let folded = Folded::new(&name);
        if !folded.is_empty() && seen.insert(folded.key().to_owned()) {
            rest.push(name);
        }
    }
    let mut take = |wanted: &dyn Fn(&str) -> bool| {
        let at = rest.iter().position(|name| wanted(name))?;
        Some(rest.remove(at))
    };
    if is_cyrillic(&title) {
        let original = work.original_title.as_deref().map(|name| undated(name, work.year));
        fields.title_ru = Some(title.clone());
        fields.title_orig = take(&|name: &str| original == Some(name) && !is_cyrillic(name));
    } else {
        fields.title_ru = take(&is_cyrillic);
        fields.title_orig = fields.title_ru.is_some().then(|| title.clone());
    }
    rest.truncate(MOST_NAMES);
    fields.other_titles = rest;
    fields.title = Some(title);
}

fn add_evidence(recognised: &mut Recognised, work: &Work) {
    let entry = |field: &str, value: String| Evidence {
        field: field.to_owned(),
        value,
        from: work.id.provider.as_str().to_owned(),
        text: work.id.to_string(),
        span: None,
        rule: "adopted".to_owned(),
    };
    recognised.evidence.retain(|known| known.rule != "adopted");
    let fields = &recognised.fields;
    let found = [
        fields.title.clone().map(|title| entry("title", title)),
        work.year.map(|year| entry("year", year.to_string())),
        fields.kind.map(|kind| entry("kind", kind.to_string())),
    ];
    let taken = |entry: &Evidence| said(recognised, &entry.field).is_none();
    let found: Vec<Evidence> = found.into_iter().flatten().filter(taken).collect();
    recognised.evidence.extend(found);
}

/// A season and the numbers within it, for the file at this place.
type Placed = (usize, u32, Vec<EpisodeNumber>);

fn give_seasons(recognised: &mut Recognised, work: &Work) {
    let Some(placed) = place_files(recognised, work) else {
        let doubt = match through::total(&work.seasons) {
            0 => Remark::SeasonsNotKnownForNumbers,
            episodes => Remark::NumbersDoNotFit { episodes },
        };
        if !recognised.doubts.contains(&doubt) {
            recognised.doubts.push(doubt);
        }
        return;
    };
    if placed.is_empty() {
        return;
    }
    for (at, season, episodes) in placed {
        if let Some(file) = recognised.files.get_mut(at) {
            file.fields.seasons = vec![season];
            file.fields.episodes = episodes;
        }
    }
    gather(recognised);
}

/// Where the files without a season fall; `None` where one of them does not fit.
fn place_files(recognised: &Recognised, work: &Work) -> Option<Vec<Placed>> {
    let regular = through::regular(&work.seasons);
    let mut placed = Vec::new();
    let seasons_of_whole = &recognised.fields.seasons;
    for (at, file) in recognised.files.iter().enumerate() {
        let own = &file.fields;
        let numbered = matches!(file.role, Role::Main | Role::Subtitle);
        if !numbered || !own.seasons.is_empty() || !seasons_of_whole.is_empty() {
            continue;
        }
        if own.episodes.is_empty() && !own.absolute_episodes.is_empty() {
            let (season, episodes) = through::place_all(&work.seasons, &own.absolute_episodes)?;
            placed.push((at, season, episodes));
        } else if let (false, [only]) = (own.episodes.is_empty(), regular.as_slice()) {
            placed.push((at, only.number, own.episodes.clone()));
        }
    }
    Some(placed)
}

/// Lets the numbers of the torrent follow those of its files, where they have any.
pub(super) fn gather(recognised: &mut Recognised) {
    let mains = || recognised.files.iter().filter(|file| file.role == Role::Main);
    let seasons: BTreeSet<u32> = mains().flat_map(|file| file.fields.seasons.clone()).collect();
    let episodes: BTreeSet<EpisodeNumber> =
        mains().flat_map(|file| file.fields.episodes.clone()).collect();
    let absolute: BTreeSet<EpisodeNumber> =
        mains().flat_map(|file| file.fields.absolute_episodes.clone()).collect();
    let fields = &mut recognised.fields;
    if !seasons.is_empty() {
        fields.seasons = seasons.into_iter().collect();
    }
    if !(episodes.is_empty() && absolute.is_empty()) {
        // Numbers of several seasons in one list would say nothing.
        let single = fields.seasons.len() <= 1;
        fields.episodes = if single { episodes.into_iter().collect() } else { Vec::new() };
        fields.absolute_episodes = absolute.into_iter().collect();
    }
}
