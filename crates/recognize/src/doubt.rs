//! What keeps names from being plain.

use std::collections::HashSet;

use tracker_domain::recognised::{Role, TitleKind};
use tracker_domain::remark::Remark;

use crate::file::Sorted;
use crate::gather::{Main, Whole};

/// Doubts that a metadata source settles: it knows the title and the year.
pub const SETTLED_BY_A_SOURCE: &[Remark] = &[
    Remark::NoYear,
    Remark::SeveralNames,
    Remark::WordOfRelease,
    Remark::SeveralYears,
    Remark::TagInFront,
    Remark::YearOrTitle,
    Remark::GroupOrTitle,
];

/// A list without repetitions.
#[derive(Debug, Default)]
pub struct Doubts(Vec<Remark>);

impl Doubts {
    /// Adds a doubt that is not there yet.
    pub fn add(&mut self, doubt: Remark) {
        if !self.0.contains(&doubt) {
            self.0.push(doubt);
        }
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Remark> {
        self.0
    }
}

/// What is in the torrent that a person should see first, whatever the names say.
pub fn of_content(sorted: &[Sorted<'_>], doubts: &mut Doubts) {
    let has = |role: Role| sorted.iter().any(|file| file.role == role);
    if let Some(file) = sorted.iter().find(|file| file.role == Role::Executable) {
        let extension = file.extension.clone().unwrap_or_default();
        doubts.add(Remark::CarriesProgram { extension });
    }
    if sorted.iter().any(|file| file.disc) {
        doubts.add(Remark::IsDisc);
    }
    if has(Role::Archive) {
        doubts.add(if has(Role::Main) { Remark::PartlyPacked } else { Remark::Packed });
    }
}

/// What the main files say, taken together.
pub fn of_mains(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    match whole.fields.kind {
        Some(TitleKind::Series | TitleKind::Anime) => of_series(mains, whole, doubts),
        Some(TitleKind::Movie) => of_film(mains, whole, doubts),
        Some(TitleKind::Other) => {}
        None if mains.len() > 1 => doubts.add(if whole.numbered == 0 {
            Remark::SeveralUnnumbered
        } else {
            Remark::SomeUnnumbered
        }),
        None => doubts.add(Remark::NoYear),
    }
    if whole.fields.title.is_none() {
        doubts.add(Remark::NoTitle);
    }
    if whole.titles > 1 {
        doubts.add(Remark::SeveralTitles);
    }
    for main in mains {
        for doubt in main.parsed.ambiguities.iter().chain(&main.contradictions) {
            doubts.add(doubt.clone());
        }
        // `S02E05 Name`, with nothing around it that says more.
        let of_file = main.evidence.iter().any(|one| one.field == "title" && one.from == "file");
        if main.parsed.leading_number && of_file {
            doubts.add(Remark::TitleOrEpisodeName);
        }
    }
}

fn of_film(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    if whole.fields.year.is_none() {
        doubts.add(Remark::NoYear);
    }
    if whole.fields.year_end.is_some() {
        doubts.add(Remark::SeveralYears);
    }
    if mains.iter().any(|main| !main.fields.part.is_empty()) {
        doubts.add(Remark::PartOfFilm);
    } else if mains.len() > 1 {
        doubts.add(Remark::SeveralVideos);
    }
    if whole.years > 1 {
        doubts.add(Remark::YearsDiffer);
    }
    if whole.fields.other_titles.len() + usize::from(whole.fields.title_orig.is_some()) > 0 {
        doubts.add(Remark::SeveralNames);
    }
}

fn of_series(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    let mut seen = HashSet::new();
    for main in mains {
        let fields = &main.fields;
        if fields.date.is_some() && fields.episodes.is_empty() {
            doubts.add(Remark::ToldByDate);
        } else if fields.episodes.is_empty() && !fields.absolute_episodes.is_empty() {
            doubts.add(Remark::AbsoluteAlone);
        } else if fields.seasons.is_empty() || fields.episodes.is_empty() {
            doubts.add(Remark::NoSeasonOrEpisode);
        }
        if fields.seasons.len() > 1 {
            doubts.add(Remark::SeveralSeasons);
        }
        if fields.episodes.len() > 20 {
            doubts.add(Remark::ManyEpisodes);
        }
        if main.parsed.guessed.is_some() {
            doubts.add(Remark::AbsoluteOrSeason);
        }
        if fields
            .episodes
            .iter()
            .chain(&fields.absolute_episodes)
            .any(|number| number.as_whole().is_none())
        {
            doubts.add(Remark::FractionalEpisode);
        }
        if main.parsed.special && !fields.seasons.contains(&0) {
            doubts.add(Remark::UnnumberedSpecial);
        }
        for episode in fields.episodes.iter().chain(&fields.absolute_episodes) {
            if !seen.insert((fields.seasons.first().copied(), *episode)) {
                doubts.add(Remark::EpisodeTwice);
            }
        }
    }
    if whole.years > 1 {
        doubts.add(Remark::YearsDiffer);
    }
}
