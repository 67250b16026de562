//! What keeps the name of a film or an episode from being plain, although its
//! shape is right.

use crate::marker::{is_numbered_part, is_range, other_numbering, year_of};
use crate::name::Name;
use crate::token::is_number;
use crate::words;

impl Name<'_> {
    /// Another way to count episodes, or parts, anywhere in the name.
    pub fn numbering_doubt(&self) -> Option<&'static str> {
        // Before the year they belong to the title: `Kill Bill Vol 1 2003`.
        let year = self.year_index().unwrap_or(0);
        let part = |at: usize, word: &str, next: &str| {
            words::PART.contains(&word) && is_number(next) && next.len() < 3 && at + 1 >= year
        };
        let pairs = self.lower.iter().zip(self.lower.iter().skip(1)).enumerate();
        let found = pairs.into_iter().any(|(at, (word, next))| part(at, word, next))
            || self.lower.iter().any(|word| other_numbering(word) || is_numbered_part(word))
            || self.counts_in_words();
        found.then_some("the name counts episodes or parts in another way than SxxEyy")
    }

    /// `Episode 5`, `2.sezon`, `8 из 12`, `Season-1`.
    fn counts_in_words(&self) -> bool {
        let parts: Vec<&str> = self
            .lower
            .iter()
            .flat_map(|word| word.split(['-', ',', ':']))
            .filter(|part| !part.is_empty())
            .collect();
        let number = |part: &str| {
            let digit = part.starts_with(|ch: char| ch.is_ascii_digit());
            digit && part.len() <= 4 && year_of(part).is_none()
        };
        let counts = |part: &str| words::EPISODE.contains(&part) || words::SEASON.contains(&part);
        let beside = parts.iter().zip(parts.iter().skip(1));
        let around = parts.iter().zip(parts.iter().skip(2));
        beside
            .into_iter()
            .any(|(one, two)| counts(one) && number(two) || number(one) && counts(two))
            || around
                .zip(parts.iter().skip(1))
                .any(|((one, three), two)| words::OF.contains(two) && number(one) && number(three))
    }

    /// What looks wrong in the words of the title, which end before `end`.
    pub fn title_doubt(&self, end: usize) -> Option<&'static str> {
        let dashes = self.lower.iter().take(end).rev().take_while(|word| *word == "-").count();
        let end = end.saturating_sub(dashes);
        // The year directly before an episode is no word of the title.
        let last = end.checked_sub(1).and_then(|at| self.words.get(at));
        let dated = end > 1 && last.is_some_and(|token| year_of(token.text).is_some());
        let end = end - usize::from(dated);
        let tag = self.words.iter().take(end).take_while(|token| token.bracketed).count();
        if self.words.iter().take(end).skip(tag).any(|token| token.bracketed) {
            return Some("there are brackets within the title");
        }
        let title = self.lower.get(..end).unwrap_or(&[]);
        let small = |word: &String| word.len() <= 2 && is_number(word);
        if title.iter().zip(title.iter().skip(1)).any(|(one, two)| small(one) && small(two)) {
            return Some("there is a date in the title");
        }
        if title.iter().any(|word| is_range(word)) {
            return Some("there is a range of numbers in the title");
        }
        if title.iter().skip(1).any(|word| word == "aka") {
            return Some("there are two titles");
        }
        let last = title.iter().rfind(|word| *word != "-").filter(|_| title.len() > 1);
        if last.is_some_and(|word| words::VERSION.contains(&word.as_str())) {
            return Some("the title may end with a word about the version");
        }
        if last.is_some_and(|word| words::MONTH.contains(&word.as_str())) {
            return Some("the year may be part of a date");
        }
        let written = self.words.iter().take(end);
        let first = title.first().filter(|word| word.contains('-') && title.len() > 1);
        if first.is_some() && !written.flat_map(|token| token.text.chars()).any(char::is_uppercase)
        {
            // `grp-some.film.2010` is how some groups name their files.
            return Some("the title may start with the name of a group");
        }
        None
    }

    /// What makes the year at this place a poor witness.
    pub fn year_doubt(&self, at: usize) -> Option<&'static str> {
        let before = |back: usize| at.checked_sub(back).and_then(|place| self.lower.get(place));
        if before(1).is_some_and(|word| word.len() <= 2 && is_number(word))
            && before(2).is_some_and(|word| word == "-")
        {
            return Some("the number before the year may be an episode");
        }
        let mut earlier = self.words.iter().enumerate().take(at).skip(1);
        if earlier.any(|(place, token)| year_of(token.text).is_some() && place + 1 != at) {
            return Some("the name has several years");
        }
        if self.lower.iter().any(|word| is_range(word)) {
            return Some("the name has a range of years or numbers");
        }
        for word in self.lower.iter().take(self.boundary()).skip(at + 1) {
            let front = word.split('-').next().unwrap_or(word);
            if is_number(front) {
                return Some("a number follows the year");
            }
            if words::ROMAN.contains(&word.as_str()) || words::PART.contains(&word.as_str()) {
                return Some("the title seems to go on after the year");
            }
            if words::SET.contains(&word.as_str()) {
                return Some("the name speaks of a set of films");
            }
        }
        None
    }
}
