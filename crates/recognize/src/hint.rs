//! What a person says of a download in free text: `season 2`, `anime`,
//! `it is the 1995 film`, a title.

use std::collections::BTreeSet;

use tracker_domain::recognised::{Evidence, Fields, TitleKind};
use tracker_domain::remark::Remark;

use crate::doubt::Doubts;
use crate::fold::fold;
use crate::gather::{Main, Whole};
use crate::parse::parse;

/// Words around what is said, which name nothing.
const FILLERS: &[&str] = &[
    "it",
    "is",
    "the",
    "a",
    "an",
    "this",
    "one",
    "from",
    "of",
    "its",
    "it's",
    "not",
    "please",
    "for",
    "by",
    "and",
    "in",
    "that",
    "это",
    "фильм",
    "сериал",
    "аниме",
    "film",
    "movie",
    "series",
    "show",
    "tv",
    "anime",
    "season",
    "cartoon",
    "мультфильм",
    "сезон",
    "год",
    "года",
    "evening",
];

/// What the hints say together: of two that say the same field, the later.
#[derive(Debug, Default)]
struct Said {
    kind: Option<TitleKind>,
    year: Option<i32>,
    season: Option<u32>,
    /// Titles, the latest first.
    titles: Vec<String>,
}

/// Lets the hints steer. They are given oldest first, and the latest word wins.
pub fn apply(hints: &[String], whole: &mut Whole, mains: &mut [Main<'_>], doubts: &mut Doubts) {
    let mut said = Said::default();
    for hint in hints {
        said.hear(hint);
        whole.evidence.push(Evidence {
            field: "hint".to_owned(),
            value: hint.clone(),
            from: "hint".to_owned(),
            text: hint.clone(),
            span: None,
            rule: "what a person said".to_owned(),
        });
    }
    said.steer(whole, mains, doubts);
}

impl Said {
    fn hear(&mut self, hint: &str) {
        let hint = without_addresses(hint);
        let read = parse(&hint).fields;
        let lower = hint.to_lowercase();
        let words: Vec<&str> =
            lower.split(|one: char| !one.is_alphanumeric() && one != '\'').collect();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        let kind = if has(&["anime", "аниме"]) {
            Some(TitleKind::Anime)
        } else if has(&["series", "show", "сериал", "season", "сезон"]) || !read.seasons.is_empty()
        {
            Some(TitleKind::Series)
        } else if has(&["film", "movie", "фильм"]) {
            Some(TitleKind::Movie)
        } else {
            None
        };
        let is_year = |word: &&&str| {
            word.len() == 4 && word.parse::<i32>().is_ok_and(|year| (1880..2100).contains(&year))
        };
        let year = read.year.or_else(|| words.iter().find(is_year)?.parse().ok());
        self.kind = kind.or(self.kind);
        self.year = year.or(self.year);
        if let [season] = read.seasons.as_slice() {
            self.season = Some(*season);
        }
        if let Some(title) = read.title.as_deref().and_then(named) {
            self.titles.insert(0, title);
        }
    }

    fn steer(self, whole: &mut Whole, mains: &mut [Main<'_>], doubts: &mut Doubts) {
        if let Some(kind) = self.kind {
            if whole.fields.kind.is_some_and(|known| known != kind) {
                doubts.add(Remark::HintOtherKind);
            }
            whole.fields.kind = Some(kind);
        }
        if let Some(year) = self.year {
            if whole.fields.year.is_some_and(|known| known != year) {
                doubts.add(Remark::HintOtherYear);
            }
            whole.fields.year = Some(year);
        }
        if let Some(season) = self.season {
            let known: BTreeSet<u32> =
                mains.iter().flat_map(|main| main.fields.seasons.iter().copied()).collect();
            if known.iter().any(|known| *known != season) {
                doubts.add(Remark::HintOtherSeason);
            }
            number(season, known.len() <= 1, whole, mains);
        }
        for title in self.titles.into_iter().rev() {
            add_title(title, whole);
        }
    }
}

/// What is said without addresses of pages, whose numbers are no seasons and whose
/// words are no title.
fn without_addresses(hint: &str) -> String {
    let is_address = |word: &&str| word.contains("://") || word.starts_with("www.");
    hint.split_whitespace().filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ")
}

/// Gives a season to every file that has none; to all of them where the names
/// know `one` season at most. A special does not become one of its episodes.
fn number(season: u32, one: bool, whole: &mut Whole, mains: &mut [Main<'_>]) {
    let lacks = |fields: &Fields| fields.seasons.is_empty() || one && fields.seasons != [0];
    for main in mains.iter_mut().filter(|main| lacks(&main.fields)) {
        settle(season, &mut main.fields, main.parsed.special);
    }
    if lacks(&whole.fields) {
        let special = mains.iter().any(|main| main.parsed.special);
        settle(season, &mut whole.fields, special);
    }
}

fn settle(season: u32, fields: &mut Fields, special: bool) {
    fields.seasons = vec![season];
    if fields.episodes.is_empty() && !special {
        fields.episodes = std::mem::take(&mut fields.absolute_episodes);
    }
}

/// The title in the words of a hint, without those around it that name nothing.
fn named(words: &str) -> Option<String> {
    let filler = |word: &&str| {
        let bare = word.trim_matches(|one: char| !one.is_alphanumeric()).to_lowercase();
        FILLERS.contains(&bare.as_str())
    };
    let all: Vec<&str> = words.split(' ').collect();
    let meaning = |word: &&str| !filler(word) && word.parse::<u32>().is_err();
    if !all.iter().any(meaning) {
        return None;
    }
    // `it is the film Some Title`: only a word of kind in front parts it from the
    // title, which may begin with an article itself.
    let kinds = ["film", "movie", "series", "show", "anime", "фильм", "сериал", "аниме"];
    let leading = all.iter().take_while(|word| filler(word)).collect::<Vec<_>>();
    let from = leading
        .iter()
        .rposition(|word| kinds.contains(&word.to_lowercase().as_str()))
        .map_or(0, |at| at + 1);
    Some(all.get(from..)?.join(" "))
}

/// A title that a person names is looked for as well.
fn add_title(title: String, whole: &mut Whole) {
    let known = [&whole.fields.title, &whole.fields.title_ru, &whole.fields.title_orig];
    let same = known
        .into_iter()
        .flatten()
        .chain(&whole.fields.other_titles)
        .any(|known| fold(known) == fold(&title));
    if whole.fields.title.is_none() {
        whole.fields.title = Some(title.clone());
    }
    if !same {
        whole.fields.other_titles.insert(0, title);
    }
}
