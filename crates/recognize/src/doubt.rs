//! What keeps names from being plain, in words for a person.

use std::collections::HashSet;

use tracker_domain::recognised::{Role, TitleKind};

use crate::file::Sorted;
use crate::gather::{Main, Whole};
use crate::matching::NO_YEAR;

/// The title has further names beside it, and which is meant is not told.
pub const SEVERAL_NAMES: &str = "the title has several names";
/// A word at the end may be of the title or of the release.
pub const WORD_OF_RELEASE: &str = "the title ends in a word of releases";
/// There is a second number that may be the year.
pub const SEVERAL_YEARS: &str = "there are several years in the name";
/// Somebody put a tag in front.
pub const TAG_IN_FRONT: &str = "the name starts with a tag in brackets before the title";

/// The year may be a word of the title.
pub const YEAR_OR_TITLE: &str = "the year in the name may belong to the title";

/// `grp-some.film.2010`, beside `spider-man.2002`.
pub const GROUP_OR_TITLE: &str = "the first word may be the group, or belong to the title";

/// Doubts that a metadata source settles: it knows the title and the year.
pub const SETTLED_BY_A_SOURCE: &[&str] = &[
    NO_YEAR,
    SEVERAL_NAMES,
    WORD_OF_RELEASE,
    SEVERAL_YEARS,
    TAG_IN_FRONT,
    YEAR_OR_TITLE,
    GROUP_OR_TITLE,
];

/// A list without repetitions.
#[derive(Debug, Default)]
pub struct Doubts(Vec<String>);

impl Doubts {
    /// Adds a doubt that is not there yet.
    pub fn add(&mut self, doubt: impl Into<String>) {
        let doubt = doubt.into();
        if !self.0.contains(&doubt) {
            self.0.push(doubt);
        }
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

/// What is in the torrent that a person should see first, whatever the names say.
pub fn of_content(sorted: &[Sorted<'_>], doubts: &mut Doubts) {
    let has = |role: Role| sorted.iter().any(|file| file.role == role);
    if let Some(file) = sorted.iter().find(|file| file.role == Role::Executable) {
        let ext = file.extension.as_deref().unwrap_or("");
        doubts.add(format!("it carries a program or bait (.{ext})"));
    }
    if sorted.iter().any(|file| file.disc) {
        doubts.add("it is a disc");
    }
    if has(Role::Archive) {
        let packed = if has(Role::Main) { "a part of it" } else { "its content" };
        doubts.add(format!("{packed} is packed in an archive"));
    }
}

/// What the main files say, taken together.
pub fn of_mains(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    match whole.fields.kind {
        Some(TitleKind::Series | TitleKind::Anime) => of_series(mains, whole, doubts),
        Some(TitleKind::Movie) => of_film(mains, whole, doubts),
        Some(TitleKind::Other) => {}
        None if mains.len() > 1 => doubts.add(if whole.numbered == 0 {
            "there are several videos without episode numbers"
        } else {
            "some videos have episode numbers and some do not"
        }),
        None => doubts.add(NO_YEAR),
    }
    if whole.fields.title.is_none() {
        doubts.add("no title was found");
    }
    if whole.titles > 1 {
        doubts.add("the files have several titles");
    }
    for main in mains {
        for doubt in main.parsed.ambiguities.iter().chain(&main.contradictions) {
            doubts.add(*doubt);
        }
        // `S02E05 Name`, with nothing around it that says more.
        let of_file = main.evidence.iter().any(|one| one.field == "title" && one.from == "file");
        if main.parsed.leading_number && of_file {
            doubts.add("the words behind the number may be the title, or the episode's name");
        }
    }
}

fn of_film(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    if whole.fields.year.is_none() {
        doubts.add(NO_YEAR);
    }
    if whole.fields.year_end.is_some() {
        doubts.add(SEVERAL_YEARS);
    }
    if mains.iter().any(|main| !main.fields.part.is_empty()) {
        doubts.add("it is a part of a film");
    } else if mains.len() > 1 {
        doubts.add("there are several videos");
    }
    if whole.years > 1 {
        doubts.add("the files have several years");
    }
    if whole.fields.other_titles.len() + usize::from(whole.fields.title_orig.is_some()) > 0 {
        doubts.add(SEVERAL_NAMES);
    }
}

fn of_series(mains: &[Main<'_>], whole: &Whole, doubts: &mut Doubts) {
    let mut seen = HashSet::new();
    for main in mains {
        let fields = &main.fields;
        if fields.date.is_some() && fields.episodes.is_empty() {
            doubts.add("an episode is told by its date");
        } else if fields.episodes.is_empty() && !fields.absolute_episodes.is_empty() {
            doubts.add("an episode is told by its absolute number alone");
        } else if fields.seasons.is_empty() || fields.episodes.is_empty() {
            doubts.add("a video has no season or no episode");
        }
        if fields.seasons.len() > 1 {
            doubts.add("a video has several seasons");
        }
        if fields.episodes.len() > 20 {
            doubts.add("a video has more than 20 episodes");
        }
        if main.parsed.guessed.is_some() {
            doubts.add("a number may be an absolute number, or a season with an episode");
        }
        if fields
            .episodes
            .iter()
            .chain(&fields.absolute_episodes)
            .any(|number| number.as_whole().is_none())
        {
            doubts.add("an episode has a fraction: it needs a season and an episode");
        }
        if main.parsed.special && !fields.seasons.contains(&0) {
            doubts.add("a special has no season or episode of its own");
        }
        for episode in fields.episodes.iter().chain(&fields.absolute_episodes) {
            if !seen.insert((fields.seasons.first().copied(), *episode)) {
                doubts.add("two files hold one episode");
            }
        }
    }
    if whole.years > 1 {
        doubts.add("the files have several years");
    }
}
