//! One work that was found more than once: by several queries, or by two
//! sources. It counts once, and is no rival of itself.

use tracker_domain::metadata::{Provider, Work};

use super::titles::{names_of, share_a_name};

/// Every work once, in an order that does not depend on the order of `works`.
pub(super) fn each_once(mut works: Vec<Work>) -> Vec<Work> {
    // The text of a work is the one order that tells any two of them apart.
    works.sort_by_cached_key(|work| (work.id, format!("{work:?}")));
    let mut once: Vec<Work> = Vec::with_capacity(works.len());
    for work in works {
        match once.last_mut().filter(|known| known.id == work.id) {
            Some(known) => take_in(known, work),
            None => once.push(work),
        }
    }
    across_sources(once)
}

/// Folds what TVmaze found into what TMDB found.
///
/// By name and year only where each of the two has one such work: of two films
/// with one name and year, nothing here could tell which is meant.
fn across_sources(works: Vec<Work>) -> Vec<Work> {
    let (mut first, second): (Vec<Work>, Vec<Work>) =
        works.into_iter().partition(|work| work.id.provider == Provider::Tmdb);
    let mut alone = Vec::new();
    let mut partners: Vec<Option<usize>> =
        second.iter().map(|work| first.iter().position(|other| same_number(other, work))).collect();
    let by_name: Vec<Option<usize>> = second
        .iter()
        .map(|work| only(&first, work).filter(|_| only_other(&second, work)))
        .collect();
    let taken = partners.clone();
    for (partner, named) in partners.iter_mut().zip(by_name) {
        *partner = partner.or(named.filter(|_| !taken.contains(&named)));
    }
    for (work, partner) in second.into_iter().zip(partners) {
        match partner.and_then(|at| first.get_mut(at)) {
            Some(known) => take_in(known, work),
            None => alone.push(work),
        }
    }
    first.extend(alone);
    first
}

fn same_number(one: &Work, other: &Work) -> bool {
    one.id.kind == other.id.kind && one.imdb.is_some() && one.imdb == other.imdb
}

fn same_name(one: &Work, other: &Work) -> bool {
    let differ = one.imdb.is_some() && other.imdb.is_some() && one.imdb != other.imdb;
    let dated = one.year.is_some() && one.year == other.year;
    one.id.kind == other.id.kind && dated && !differ && share_a_name(one, other)
}

fn only(works: &[Work], wanted: &Work) -> Option<usize> {
    let mut found = works.iter().enumerate().filter(|(_, work)| same_name(work, wanted));
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

/// Whether no second work of the same source is called the same.
fn only_other(works: &[Work], wanted: &Work) -> bool {
    !works.iter().any(|work| work.id != wanted.id && same_name(work, wanted))
}

/// Adds what the second knows beside the first.
fn take_in(known: &mut Work, other: Work) {
    let Work {
        id: _,
        title: _,
        original_title,
        other_titles: _,
        year,
        overview,
        poster,
        popularity,
        imdb,
        language,
        animated,
        seasons,
    } = &other;
    known.original_title = known.original_title.take().or_else(|| original_title.clone());
    known.year = known.year.or(*year);
    known.overview = known.overview.take().or_else(|| overview.clone());
    if known.poster.is_none() && known.id.provider == other.id.provider {
        known.poster.clone_from(poster);
    }
    known.popularity = known.popularity.max(*popularity);
    known.imdb = known.imdb.take().or_else(|| imdb.clone());
    known.language = known.language.take().or_else(|| language.clone());
    known.animated |= animated;
    if known.seasons.is_empty() {
        known.seasons.clone_from(seasons);
    }
    for name in names_of(&other) {
        if !names_of(known).any(|other| other == name) {
            known.other_titles.push(name.to_owned());
        }
    }
}
