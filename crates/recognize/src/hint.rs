//! What a person says of a download in free text: `season 2`, `anime`,
//! `it is the 1995 film`, a title.

use tracker_domain::recognised::{Evidence, Fields, TitleKind};

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

/// Lets the hints steer, oldest first: the latest word wins.
pub fn apply(hints: &[String], whole: &mut Whole, mains: &mut [Main<'_>], doubts: &mut Doubts) {
    for hint in hints {
        steer(hint, whole, mains, doubts);
        whole.evidence.push(Evidence {
            field: "hint".to_owned(),
            value: hint.clone(),
            from: "hint".to_owned(),
            text: hint.clone(),
            span: None,
            rule: "what a person said".to_owned(),
        });
    }
}

fn steer(hint: &str, whole: &mut Whole, mains: &mut [Main<'_>], doubts: &mut Doubts) {
    let said = parse(hint).fields;
    let lower = hint.to_lowercase();
    let words: Vec<&str> = lower.split(|one: char| !one.is_alphanumeric() && one != '\'').collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let kind = if has(&["anime", "аниме"]) {
        Some(TitleKind::Anime)
    } else if has(&["series", "show", "сериал", "season", "сезон"]) || !said.seasons.is_empty()
    {
        Some(TitleKind::Series)
    } else if has(&["film", "movie", "фильм"]) {
        Some(TitleKind::Movie)
    } else {
        None
    };
    let year = said.year.or_else(|| {
        let year = |word: &&str| {
            word.len() == 4 && word.parse::<i32>().is_ok_and(|year| (1880..2100).contains(&year))
        };
        words.iter().find(|word| year(word))?.parse().ok()
    });
    let differs = |doubts: &mut Doubts, what: &str| {
        doubts.add(format!("a hint says another {what} than the names"));
    };
    if let Some(kind) = kind {
        if whole.fields.kind.is_some_and(|known| known != kind) {
            differs(doubts, "kind");
        }
        whole.fields.kind = Some(kind);
    }
    if let Some(year) = year {
        if whole.fields.year.is_some_and(|known| known != year) {
            differs(doubts, "year");
        }
        whole.fields.year = Some(year);
    }
    if let [season] = said.seasons.as_slice() {
        let known = mains.iter().flat_map(|main| &main.fields.seasons).any(|known| known != season);
        if known {
            differs(doubts, "season");
        } else {
            number(*season, whole, mains);
        }
    }
    title(&said, whole);
}

/// Gives a season to every file that has none. A special does not become one of
/// its episodes.
fn number(season: u32, whole: &mut Whole, mains: &mut [Main<'_>]) {
    for main in mains.iter_mut().filter(|main| main.fields.seasons.is_empty()) {
        settle(season, &mut main.fields, main.parsed.special);
    }
    if whole.fields.seasons.is_empty() {
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

/// A title that a person names is looked for as well.
fn title(said: &Fields, whole: &mut Whole) {
    let Some(title) = &said.title else { return };
    let meaning = title
        .to_lowercase()
        .split(|one: char| !one.is_alphanumeric() && one != '\'')
        .any(|word| !word.is_empty() && !FILLERS.contains(&word) && word.parse::<u32>().is_err());
    let known = [&whole.fields.title, &whole.fields.title_ru, &whole.fields.title_orig];
    let same = known
        .into_iter()
        .flatten()
        .chain(&whole.fields.other_titles)
        .any(|known| fold(known) == fold(title));
    if meaning && !same {
        whole.fields.other_titles.insert(0, title.clone());
    }
    if whole.fields.title.is_none() && meaning {
        whole.fields.title = Some(title.clone());
    }
}
