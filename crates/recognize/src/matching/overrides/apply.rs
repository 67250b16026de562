//! Lets a person's overrides act on what was recognised.

use std::collections::BTreeMap;

use tracker_domain::recognised::{EpisodeNumber, Evidence, Fields, Recognised, Role};
use tracker_domain::remark::Remark;

use super::change::{is_special, numbers, renumber, set_season, shift, wanted_role};
use super::doubts::settle;
use super::said::{Numbering, OfFile, OverrideError, Said};
use super::{FROM, RULE};
use crate::matching::adopt::gather;
use crate::matching::fold::is_cyrillic;

/// An override that could not act. Each is a doubt of the recognition as well.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.remark())]
pub enum OverrideProblem {
    /// It could not be kept today.
    Refused(#[from] OverrideError),
    /// It is about a file that there is not.
    NoSuchFile {
        /// The field.
        field: String,
    },
    /// A library could not hold the file.
    NoVideo {
        /// The field.
        field: String,
    },
    /// A number would go below 0, so none was moved.
    BelowZero {
        /// The offset.
        offset: i32,
        /// The number that does not fit.
        episode: EpisodeNumber,
    },
    /// Numbers that count through all seasons belong to none.
    SeasonOfAbsolute,
}

impl OverrideProblem {
    /// What is said of it.
    #[must_use]
    pub fn remark(&self) -> Remark {
        match self {
            OverrideProblem::Refused(refused) => refused.remark(),
            OverrideProblem::NoSuchFile { field } => Remark::NoSuchFile { field: field.clone() },
            OverrideProblem::NoVideo { field } => Remark::NoVideoFile { field: field.clone() },
            OverrideProblem::BelowZero { offset, episode } => {
                Remark::OffsetBelowZero { offset: *offset, episode: *episode }
            }
            OverrideProblem::SeasonOfAbsolute => Remark::SeasonOfAbsolute,
        }
    }
}

/// Lets overrides, as pairs of field and value, act on a fresh recognition; a
/// second time the offset would be added twice.
///
/// Their order does not matter: first comes what holds for all files, then what
/// is said of single ones, which wins. Of two values for one field the later
/// counts. `season`, `numbering` and `episode_offset` leave specials (season 0)
/// alone where there are other episodes beside them. `library` and `candidate`
/// change no field; they are kept as evidence.
///
/// What could not act is given back, and stands among the doubts.
pub fn apply_overrides(
    recognised: &mut Recognised,
    overrides: &[(String, String)],
) -> Vec<OverrideProblem> {
    if overrides.is_empty() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let mut read: BTreeMap<&str, Said> = BTreeMap::new();
    for (field, value) in overrides {
        match Said::parse(field, value) {
            Ok(said) => {
                read.insert(field, said);
            }
            Err(refused) => problems.push(refused.into()),
        }
    }
    let mut apply = Apply { recognised, read, problems };
    apply.whole();
    apply.numbers_of_all();
    apply.single_files();
    apply.finish()
}

struct Apply<'a> {
    recognised: &'a mut Recognised,
    read: BTreeMap<&'a str, Said>,
    problems: Vec<OverrideProblem>,
}

impl Apply<'_> {
    /// What names the work. What the name of a single file says about it would
    /// win, so it makes room.
    fn whole(&mut self) {
        let files = self.recognised.files.iter_mut().map(|file| &mut file.fields);
        let mut all: Vec<&mut Fields> = vec![&mut self.recognised.fields];
        all.extend(files);
        for (at, fields) in all.into_iter().enumerate() {
            for said in self.read.values() {
                name(fields, said, at == 0);
            }
        }
    }

    fn numbers_of_all(&mut self) {
        let numbering = self.read.values().find_map(|said| match said {
            Said::Numbering(numbering) => Some(*numbering),
            _ => None,
        });
        let season = self.read.values().find_map(|said| match said {
            Said::Season(season) => Some(*season),
            _ => None,
        });
        if let Some(numbering) = numbering {
            self.each(|fields| renumber(fields, numbering));
            if numbering == Numbering::Absolute {
                self.recognised.fields.seasons.clear();
            }
        }
        match (season, numbering) {
            (Some(_), Some(Numbering::Absolute)) => {
                self.read.remove("season");
                self.problems.push(OverrideProblem::SeasonOfAbsolute);
            }
            (Some(season), _) => self.each(|fields| set_season(fields, season)),
            (None, _) => {}
        }
        self.offset();
    }

    /// All numbers move, or none.
    fn offset(&mut self) {
        let Some(Said::EpisodeOffset(offset)) = self.read.get("episode_offset") else {
            return;
        };
        let offset = *offset;
        let mut refused = None;
        let mut moved = self.recognised.clone();
        let places = self.places();
        for fields in chosen(&mut moved, &places) {
            if let Err(episode) = shift(fields, offset) {
                refused.get_or_insert(episode);
            }
        }
        match refused {
            None => *self.recognised = moved,
            Some(episode) => {
                self.read.remove("episode_offset");
                self.problems.push(OverrideProblem::BelowZero { offset, episode });
            }
        }
    }

    fn each(&mut self, change: impl Fn(&mut Fields)) {
        let places = self.places();
        for fields in chosen(self.recognised, &places) {
            change(fields);
        }
    }

    /// The files whose numbers are those of episodes. What is said of a file
    /// itself is said in its final numbers.
    fn places(&self) -> Vec<usize> {
        let said_otherwise = |index: u32| {
            self.read.values().any(|said| {
                let Said::File(at, what) = said else { return false };
                *at == index && matches!(what, OfFile::Episodes(_) | OfFile::Skip(true))
            })
        };
        let files = self.recognised.files.iter().enumerate().filter(|(_, file)| match file.role {
            Role::Main => true,
            Role::Subtitle => !numbers(&file.fields).is_empty(),
            _ => false,
        });
        let files: Vec<_> = files.collect();
        let regular = files.iter().any(|(_, file)| !is_special(&file.fields));
        let meant = files.into_iter().filter(|(_, file)| {
            let apart = regular && is_special(&file.fields);
            !apart && !said_otherwise(file.index)
        });
        meant.map(|(at, _)| at).collect()
    }

    fn single_files(&mut self) {
        // The season of a file comes before its episodes, which follow it.
        let rank = |said: &Said| match said {
            Said::File(_, OfFile::Skip(_)) => 0,
            Said::File(_, OfFile::Season(_)) => 1,
            _ => 2,
        };
        let of_files = self.read.iter().filter(|(_, said)| matches!(said, Said::File(..)));
        let mut of_files: Vec<(String, Said)> =
            of_files.map(|(field, said)| ((*field).to_owned(), said.clone())).collect();
        of_files.sort_by_key(|(_, said)| rank(said));
        for (field, said) in of_files {
            let Said::File(index, what) = said else { continue };
            // Before the files are known nothing can be said of them.
            if !self.recognised.files.is_empty()
                && let Err(problem) = self.single(&field, index, &what)
            {
                self.read.remove(field.as_str());
                self.problems.push(problem);
            }
        }
    }

    fn single(&mut self, field: &str, index: u32, what: &OfFile) -> Result<(), OverrideProblem> {
        let season = self.season_of_whole();
        let absolute = self.read.get("numbering") == Some(&Said::Numbering(Numbering::Absolute));
        let files = &mut self.recognised.files;
        let file = files.iter_mut().find(|file| file.index == index);
        let file = file.ok_or_else(|| OverrideProblem::NoSuchFile { field: field.to_owned() })?;
        let fields = &mut file.fields;
        match what {
            OfFile::Season(season) => set_season(fields, *season),
            OfFile::Episodes(list) if absolute && fields.seasons.is_empty() => {
                fields.episodes.clear();
                fields.absolute_episodes.clone_from(list);
            }
            OfFile::Episodes(list) => {
                fields.absolute_episodes.clear();
                fields.episodes.clone_from(list);
                if fields.seasons.is_empty() {
                    fields.seasons.extend(season);
                }
            }
            OfFile::Part(part) => fields.part = vec![*part],
            OfFile::Skip(true) => file.role = Role::LeftOut,
            OfFile::Skip(false) => {
                let refused = || OverrideProblem::NoVideo { field: field.to_owned() };
                file.role = wanted_role(file).ok_or_else(refused)?;
            }
        }
        Ok(())
    }

    /// The season of a file that states none: what a person said, or the only
    /// one of the torrent.
    fn season_of_whole(&self) -> Option<u32> {
        match (self.read.get("season"), self.recognised.fields.seasons.as_slice()) {
            (Some(Said::Season(season)), _) => Some(*season),
            (_, [only]) => Some(*only),
            _ => None,
        }
    }

    fn finish(self) -> Vec<OverrideProblem> {
        let Apply { recognised, read, problems } = self;
        let counts = |said: &Said| {
            matches!(
                said,
                Said::Season(_) | Said::EpisodeOffset(_) | Said::Numbering(_) | Said::File(..)
            )
        };
        let known = recognised.files.iter().any(|file| file.role == Role::Main);
        if known && read.values().any(counts) {
            gather(recognised);
        }
        recognised.evidence.extend(read.iter().map(|(field, said)| Evidence {
            field: (*field).to_owned(),
            value: said.to_string(),
            from: FROM.to_owned(),
            text: said.to_string(),
            span: None,
            rule: RULE.to_owned(),
        }));
        let said: Vec<Said> = read.into_values().collect();
        settle(recognised, &said, problems.iter().map(OverrideProblem::remark).collect());
        problems
    }
}

/// The fields of the files at these places; those of the torrent as long as its
/// files are not known.
fn chosen<'a>(recognised: &'a mut Recognised, places: &[usize]) -> Vec<&'a mut Fields> {
    if recognised.files.is_empty() {
        return vec![&mut recognised.fields];
    }
    let files = recognised.files.iter_mut().enumerate();
    files.filter(|(at, _)| places.contains(at)).map(|(_, file)| &mut file.fields).collect()
}

fn name(fields: &mut Fields, said: &Said, whole: bool) {
    match said {
        Said::Title(title) => {
            // Other names would lead the search astray.
            (fields.title_ru, fields.title_orig) = (None, None);
            fields.other_titles.clear();
            fields.title = whole.then(|| title.clone());
            fields.title_ru = fields.title.clone().filter(|title| is_cyrillic(title));
        }
        Said::Year(year) => {
            fields.year = whole.then_some(*year);
            fields.year_end = None;
        }
        Said::Kind(kind) => fields.kind = whole.then_some(*kind),
        Said::Edition(words) => {
            fields.edition = if whole { words.clone() } else { Vec::new() };
        }
        _ => {}
    }
}
