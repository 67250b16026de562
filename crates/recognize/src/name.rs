//! One name read: title, year, season, episodes, and whether it is plain.

use crate::marker::{
    episode_marker, is_release_word, other_numbering, resolution_of, season_number, season_word,
    year_of,
};
use crate::token::{Token, fold, tokens};
use crate::words;

/// What shape a name has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Title.SxxEyy.…`
    Episode,
    /// `Title.S01.…` without an episode.
    Season,
    /// `Title.Year.…`
    Film,
    /// None of these.
    Other,
}

/// What one name says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its shape.
    pub shape: Shape,
    /// The title as written, words joined by spaces.
    pub title: String,
    /// The title in the form that is compared.
    pub folded: String,
    /// The year and the word it was read from.
    pub year: Option<i32>,
    /// The seasons.
    pub seasons: Vec<u32>,
    /// The episodes.
    pub episodes: Vec<u32>,
    /// The word that gave season and episodes.
    pub marker: Option<String>,
    /// The resolution.
    pub resolution: Option<String>,
    /// What keeps the shape from being plain.
    pub doubts: Vec<&'static str>,
}

/// Reads one name, without its extension.
pub fn read(stem: &str) -> Reading {
    let words = tokens(stem);
    let lower: Vec<String> = words.iter().map(|token| token.text.to_lowercase()).collect();
    let name = Name { words: &words, lower: &lower };
    let mut reading = match name.first_episode_marker() {
        Some((at, season, episodes)) => name.episode(at, season, episodes),
        None => match name.season_marker() {
            Some((at, seasons)) => name.season(at, seasons),
            None => name.film(),
        },
    };
    if words.first().is_some_and(|first| first.bracketed && year_of(first.text).is_none()) {
        reading.doubts.push("the name starts with a tag in brackets");
    }
    if lower.first().is_some_and(|first| first.starts_with("www") || first == "ww") {
        reading.doubts.push("the name starts with the address of a site");
    }
    reading
}

/// Whether a name says that it is a sample: the word `sample` as the first word,
/// or after the year or the episode. Between them it belongs to the title.
pub fn says_sample(stem: &str) -> bool {
    says(stem, &["sample"], true)
}

/// Whether a name says that it is a trailer or a featurette.
pub fn says_extra(stem: &str) -> bool {
    says(stem, &["trailer", "featurette", "featurettes"], false)
}

fn says(stem: &str, wanted: &[&str], as_first: bool) -> bool {
    let words = tokens(stem);
    let lower: Vec<String> = words.iter().map(|token| token.text.to_lowercase()).collect();
    let name = Name { words: &words, lower: &lower };
    let title_end = match name.first_episode_marker() {
        Some((at, ..)) => at,
        None => name.year_index().unwrap_or(0),
    };
    lower.iter().enumerate().any(|(at, word)| {
        let mut parts = word.split('-');
        if at == 0 && as_first && parts.clone().next().is_some_and(|part| wanted.contains(&part)) {
            return true;
        }
        // A hyphenated tail such as `movie-sample` counts anywhere; it is never
        // how a title is written.
        let tail = word.rsplit_once('-').is_some_and(|(_, tail)| wanted.contains(&tail));
        tail || (at >= title_end && parts.any(|part| wanted.contains(&part)))
    })
}

/// A name as words, as written and in lower case.
pub struct Name<'a> {
    /// The words.
    pub words: &'a [Token<'a>],
    /// The same in lower case.
    pub lower: &'a [String],
}

impl Name<'_> {
    fn first_episode_marker(&self) -> Option<(usize, u32, Vec<u32>)> {
        self.words.iter().enumerate().find_map(|(at, token)| {
            episode_marker(token.text).map(|(season, episodes)| (at, season, episodes))
        })
    }

    /// The first word of a season without an episode, and the season numbers.
    fn season_marker(&self) -> Option<(usize, Vec<u32>)> {
        (0..self.words.len()).find_map(|at| {
            let word = self.words.get(at)?.text;
            if let Some(seasons) = season_word(word) {
                return Some((at, seasons));
            }
            let lower = self.lower.get(at)?;
            if !words::SEASON.contains(&lower.as_str()) {
                return None;
            }
            // `Season 1`, and the other way round as Russian has it: `1 сезон`.
            let after = self.lower.get(at + 1).and_then(|next| season_number(next));
            let before = at.checked_sub(1).and_then(|prev| self.lower.get(prev));
            let before = before.filter(|_| lower.starts_with("сезон"));
            match (after, before.and_then(|prev| season_number(prev))) {
                (_, Some(season)) => Some((at - 1, vec![season])),
                (Some(season), None) => Some((at, vec![season])),
                (None, None) => None,
            }
        })
    }

    /// Where the words of the release begin; never at the first word.
    pub fn boundary(&self) -> usize {
        self.lower
            .iter()
            .enumerate()
            .skip(1)
            .find(|(_, word)| is_release_word(word))
            .map_or(self.lower.len(), |(at, _)| at)
    }

    /// The year of a film: the last one before the words of the release.
    pub fn year_index(&self) -> Option<usize> {
        let boundary = self.boundary();
        self.words.iter().take(boundary).rposition(|token| year_of(token.text).is_some())
    }

    fn resolution(&self, from: usize) -> Option<String> {
        self.lower.iter().skip(from).find_map(|word| resolution_of(word))
    }

    /// The title in the words before `end`, and its year when the last of them
    /// is one and something is left before it.
    fn title_before(&self, end: usize) -> (String, Option<i32>) {
        let mut words: Vec<&str> = self.words.iter().take(end).map(|token| token.text).collect();
        let tagged = self.words.iter().take(end).take_while(|token| token.bracketed).count();
        if tagged < words.len() {
            words.drain(..tagged);
        }
        let is_dash = |word: &str| matches!(word, "-" | "–" | "—");
        while words.last().is_some_and(|word| is_dash(word)) {
            words.pop();
        }
        let mut year = None;
        if words.len() > 1 {
            year = words.last().and_then(|word| year_of(word));
        }
        if year.is_some() {
            words.pop();
        }
        while words.last().is_some_and(|word| is_dash(word)) {
            words.pop();
        }
        let title = words.into_iter().skip_while(|word| is_dash(word)).collect::<Vec<_>>();
        (title.join(" "), year)
    }

    fn episode(&self, at: usize, season: u32, episodes: Vec<u32>) -> Reading {
        let (title, year) = self.title_before(at);
        let mut doubts = Vec::new();
        if fold(&title).is_empty() {
            doubts.push("no title stands before the episode number");
        }
        let later = self.words.iter().skip(at + 1);
        if later.clone().any(|token| episode_marker(token.text).is_some()) {
            doubts.push("the name has several episode numbers");
        }
        let next = self.lower.iter().skip(at + 1).find(|word| *word != "-");
        if next.is_some_and(|word| other_numbering(word)) {
            doubts.push("the episode number goes on after a separator");
        }
        doubts.extend(self.title_doubt(at));
        let before = self.lower.iter().take(at);
        if before.clone().any(|word| season_word(word).is_some() || other_numbering(word)) {
            doubts.push("there is a second numbering before the episode number");
        }
        self.reading(Shape::Episode, title, year, at, doubts).with(vec![season], episodes)
    }

    fn season(&self, at: usize, seasons: Vec<u32>) -> Reading {
        let (title, year) = self.title_before(at);
        let doubts = vec!["the name has a season and no episode"];
        self.reading(Shape::Season, title, year, at, doubts).with(seasons, Vec::new())
    }

    fn film(&self) -> Reading {
        let Some(at) = self.year_index() else {
            let (title, _) = self.title_before(self.boundary());
            let mut doubts = vec!["there is neither a year nor an episode number"];
            doubts.extend(self.numbering_doubt());
            return self.reading(Shape::Other, title, None, 0, doubts);
        };
        let (title, year) = self.title_before(at + 1);
        let mut doubts = Vec::new();
        let mut shape = Shape::Film;
        if fold(&title).is_empty() || year.is_none() {
            shape = Shape::Other;
            doubts.push("no title stands before the year");
        }
        doubts.extend(self.numbering_doubt());
        doubts.extend(self.title_doubt(at));
        doubts.extend(self.year_doubt(at));
        self.reading(shape, title, year, at, doubts)
    }

    fn reading(
        &self,
        shape: Shape,
        title: String,
        year: Option<i32>,
        at: usize,
        doubts: Vec<&'static str>,
    ) -> Reading {
        Reading {
            shape,
            folded: fold(&title),
            title,
            year,
            seasons: Vec::new(),
            episodes: Vec::new(),
            marker: self.words.get(at).map(|token| token.text.to_owned()),
            resolution: self.resolution(at + 1),
            doubts,
        }
    }
}

impl Reading {
    fn with(self, seasons: Vec<u32>, episodes: Vec<u32>) -> Reading {
        Reading { seasons, episodes, ..self }
    }

    /// Whether the name says plainly what it is.
    pub fn is_plain(&self) -> bool {
        self.doubts.is_empty() && matches!(self.shape, Shape::Film | Shape::Episode)
    }
}
