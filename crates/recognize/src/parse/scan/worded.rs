//! Numbers with a word: `season 3`, `серии 1-8 из 10`, `part 2`, `3 сезон`.

use super::marked::is_tight_range;
use super::{List, Scan};
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::{Class, Gap};
use crate::parse::piece;
use crate::parse::vocab::{Tag, look_up};

impl Scan<'_> {
    /// `season 3`, `серии 1-8 из 10`, `part 2`.
    pub(super) fn worded(&mut self, at: usize) -> Option<usize> {
        if self.lex.word(at) == "series"
            && at > 0
            && let Some(next) = self.british_series(at)
        {
            return Some(next);
        }
        if matches!(self.lex.word(at), "тв" | "tv")
            && let Some(next) = self.broadcast(at)
        {
            return Some(next);
        }
        if let Some(number) = ordinal(self.lex.word(at))
            && at > 0
            && let Some(next) = self.ordinal_season(at, number)
        {
            return Some(next);
        }
        if let Some(month) = self.month_of(at) {
            return self.month_first(at, month);
        }
        let known = look_up(self.lex.word(at))?;
        match known.tag {
            Tag::Season => self.season_word(at),
            Tag::Episode => self.episode_word(at),
            Tag::Part => self.part_word(at),
            Tag::Special => {
                self.special = true;
                // The word stays in the title, as databases have it; `SP`, `NCOP` do not.
                let number = self
                    .digits(at + 1, 2)
                    .filter(|_| self.lex.gap(at + 1).within(Gap::SPACE.and(Gap::UNDERSCORE)))?;
                self.add_episodes(&[number], Strength::Marked, at + 1, at + 2, "special");
                Some(self.tenths(at + 2).unwrap_or(at + 2))
            }
            _ => None,
        }
    }

    /// The digits of `ED2`, `OVA3.5`: the word before them stays in the title.
    pub(super) fn special_number(&mut self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).filter(|_| self.lex.gap(at) == Gap::NONE)?;
        let kind =
            matches!(self.lex.word(before), "ed" | "op" | "ex" | "ova" | "oad" | "ncop" | "nced");
        let number = self.digits(at, 2).filter(|_| kind)?;
        self.special = true;
        self.add_episodes(&[number], Strength::Marked, at, at + 1, "special");
        Some(self.tenths(at + 1).unwrap_or(at + 1))
    }

    /// `Series 2 Part 11`, `Series 2 Episode 3`, ` - Series 2`: a season in Britain.
    fn british_series(&mut self, at: usize) -> Option<usize> {
        let plain = |_: &List| self.lex.gap(at + 1).plain();
        let list = self.list(at + 1, false).filter(plain).filter(|list| list.digits <= 2)?;
        let (seasons, next) = (list.numbers, list.next);
        let disc = matches!(self.lex.word(next), "disk" | "disc" | "cd");
        if matches!(self.tag_of(next), Some(Tag::Part | Tag::Episode))
            && !disc
            && let Some(episode) = self.digits(next + 1, 3)
        {
            self.add_seasons(&seasons, at, next, "series word");
            self.add_episodes(&[episode], Strength::Full, next, next + 2, "series word");
            return Some(next + 2);
        }
        let ends = self.lex.get(next).is_none()
            || disc
            || self.lex.word(next) == "complete"
            || self.tag_of(next).is_some_and(Tag::is_technical);
        if !ends && !self.lex.gap(at).spaced_dash() {
            return None;
        }
        self.add_seasons(&seasons, at, next, "series word");
        Some(next)
    }

    /// `(ТВ-2)`: the second season, as anime is counted in Russia.
    fn broadcast(&mut self, at: usize) -> Option<usize> {
        let number = self.digits(at + 1, 2)?;
        let bracket = self.lex.bracket_of(at)?;
        let alone = bracket.first as usize == at && bracket.last as usize == at + 2;
        if !alone || self.lex.gap(at + 1) != Gap::DASH || !self.seasons.is_empty() {
            return None;
        }
        self.add_seasons(&[number], at, at + 2, "broadcast");
        Some(at + 2)
    }

    /// `season 3`, `Seasons 1-4`, `Season two`, `Season II`.
    fn season_word(&mut self, at: usize) -> Option<usize> {
        let loose = Gap::PHRASE.and(Gap::COLON).and(Gap::DASH).and(Gap::HASH).and(Gap::PLUS);
        let gap = self.lex.gap(at + 1);
        // `The Final Season - 05`: the number of an episode behind the title.
        // `Se.3 afl.4`; elsewhere it is a word of many languages.
        let dutch = self.lex.word(at) != "se" || gap == Gap::DOT && at > 0 && self.lex.spaced;
        if !gap.within(loose) || gap.spaced_dash() || !dutch {
            return None;
        }
        if let Some(list) = self.list(at + 1, true).filter(|list| list.digits <= 2) {
            return self.listed_seasons(at, list);
        }
        if let Some(more) = self.numbers_at(at + 1).filter(|more| !more.seasons.is_empty()) {
            self.cover(at, at + 1, Cover::Number);
            return if more.episodes.is_empty() { self.season_mark(at + 1, &more) } else { None };
        }
        let word = self.lex.word(at + 1);
        // `Season 2of5`
        let number = piece::roman(word)
            .or_else(|| spelled(word))
            .or_else(|| piece::number_of(word).map(|(number, _)| number))?;
        self.add_seasons(&[number], at, at + 2, "season word");
        Some(at + 2)
    }

    fn listed_seasons(&mut self, at: usize, list: List) -> Option<usize> {
        let List { mut numbers, next, .. } = list;
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        // `Season 2 - 03`: the list took the episode with it.
        let taken = numbers.len() > 1 && last < 100 && self.lex.gap(at + 2).spaced_dash();
        // `[Group] Title Season 11 - 14 [1080p]`
        let grouped = self.lex.gap(0).has(Gap::OPEN) && self.lex.gap(at + 3).has(Gap::OPEN);
        let shapes = self.is_of_length(at + 1, 1) || grouped;
        if taken && shapes && self.is_of_length(at + 2, 2) && self.lex.is_outside(at) {
            self.add_seasons(&[first], at, at + 2, "season word");
            return Some(self.episodes_behind_season(at + 2).unwrap_or(at + 2));
        }
        let next = self.further_seasons(&mut numbers, next);
        let next = self.repeated_season_words(&mut numbers, next);
        self.add_seasons(&numbers, at, next, "season word");
        Some(self.episodes_behind_season(next).unwrap_or(next))
    }

    /// `Seasons 1 and 2`, `Season 1 2 3 4`, `Season 1:11`
    fn further_seasons(&self, numbers: &mut Vec<u32>, mut next: usize) -> usize {
        loop {
            let last = numbers.last().copied().unwrap_or(0);
            let gap = self.lex.gap(next);
            let and = usize::from(matches!(self.lex.word(next), "and" | "и" | "y" | "e" | "und"));
            // `Temporada 1 a 3`
            let to =
                usize::from(gap.plain() && matches!(self.lex.word(next), "a" | "à" | "al" | "bis"));
            let greater = |other: &u32| *other > last && *other < 60;
            let Some(other) = self.digits(next + and + to, 2).filter(greater) else { return next };
            let range = gap.has(Gap::COLON) && gap.within(Gap::COLON.and(Gap::SPACE)) || to > 0;
            if range && numbers.len() == 1 {
                numbers.extend(last + 1..=other);
            } else if gap == Gap::SPACE && other == last + 1 {
                numbers.push(other);
            } else {
                return next;
            }
            next += 1 + and + to;
        }
    }

    /// `season 1 to season 22`
    fn repeated_season_words(&self, numbers: &mut Vec<u32>, mut next: usize) -> usize {
        let last = numbers.last().copied().unwrap_or(0);
        loop {
            // `season 1 to season 22`, `Season 1-Season 3`
            let to = usize::from(matches!(self.lex.word(next), "to" | "through"));
            if numbers.len() > 100
                || to == 0 && !is_tight_range(self.lex.gap(next))
                || self.tag_of(next + to) != Some(Tag::Season)
            {
                return next;
            }
            let behind = next + to + 1;
            let Some(other) = self.digits(behind, 2).filter(|other| *other > last) else {
                return next;
            };
            numbers.extend(last + 1..=other);
            next = behind + 1;
        }
    }

    /// `Episode 5`, `серии 1-8 из 10`, `Ep 05v2`.
    fn episode_word(&mut self, at: usize) -> Option<usize> {
        const LOOSE: Gap =
            Gap::PHRASE.and(Gap::COLON).and(Gap::HASH).and(Gap::DASH).and(Gap::PLUS).and(Gap::OPEN);
        let word = self.lex.word(at);
        if !self.lex.gap(at + 1).within(LOOSE) || at == 0 && word == "cap" {
            return None;
        }
        if word == "cap" {
            return self.spanish(at);
        }
        // `Ep 2x03`
        if self.numbers_at(at + 1).is_some_and(|more| more.crossed) {
            self.cover(at, at + 1, Cover::Number);
            return None;
        }
        let plural = is_plural(word);
        let Some(List { mut numbers, mut next, .. }) = self.list(at + 1, true) else {
            let (number, version) = piece::versioned(self.lex.word(at + 1))?;
            self.version = self.version.or(Some(version));
            self.add_episodes(&[number], Strength::Marked, at, at + 2, "episode word");
            return Some(at + 2);
        };
        if let Some((count, behind)) = self.of(next) {
            self.count = self.count.or(count);
            numbers = if plural { from_first(numbers) } else { numbers };
            next = behind;
        }
        self.add_episodes(&numbers, Strength::Marked, at, next, "episode word");
        Some(self.tenths(next).unwrap_or(next))
    }

    /// `Cap.101`, `Cap.111_120`: season and episode in one number.
    fn spanish(&mut self, at: usize) -> Option<usize> {
        let number = self.digits(at + 1, 4)?;
        if number < 100 {
            self.add_episodes(&[number], Strength::Marked, at, at + 2, "capítulo");
            return Some(at + 2);
        }
        let (season, first) = (number / 100, number % 100);
        let mut episodes = vec![first];
        let mut next = at + 2;
        if self.lex.gap(next).within(Gap::UNDERSCORE.and(Gap::DASH))
            && let Some(last) =
                self.digits(next, 4).filter(|last| *last > number && last / 100 == season)
        {
            episodes.extend(first + 1..=last % 100);
            next += 1;
        }
        // A season word before it says less than this number.
        self.seasons.clear();
        self.found.retain(|found| found.field != "seasons");
        self.add_seasons(&[season], at, next, "capítulo");
        self.add_episodes(&episodes, Strength::Full, at, next, "capítulo");
        Some(next)
    }

    fn part_word(&mut self, at: usize) -> Option<usize> {
        if at == 0 || !self.lex.gap(at + 1).plain() {
            return None;
        }
        let number = self
            .digits(at + 1, 2)
            .or_else(|| piece::roman(self.lex.word(at + 1)))
            .or_else(|| spelled(self.lex.word(at + 1)))?;
        self.parts.push((number, at));
        self.found("part", Value::Number(number), at, at + 2, "part word");
        // Its words may belong to the title: `decide` says.
        None
    }

    /// A number before a word: `3 сезон`, `2nd season`, `1-8 серии из 10`, `12 из 12`.
    pub(super) fn counted(&mut self, at: usize) -> Option<usize> {
        let list = self.list(at, true)?;
        let mut next = list.next;
        // `5-й сезон`
        if self.lex.gap(next) == Gap::DASH
            && matches!(self.lex.word(next), "й" | "я" | "ый" | "ой" | "ая" | "е")
        {
            next += 1;
        }
        if !self.lex.gap(next).within(Gap::PHRASE.and(Gap::DASH)) {
            return None;
        }
        match self.tag_of(next)? {
            Tag::Season => self.counted_seasons(at, next, &list),
            Tag::Episode => self.counted_episodes(at, next, list.numbers),
            Tag::Of => self.counted_of(at, next, list.numbers),
            _ => None,
        }
    }

    /// `3 сезон`; of `Title 2 Season 1` the number behind the English word counts.
    fn counted_seasons(&mut self, at: usize, word: usize, list: &List) -> Option<usize> {
        let in_front = matches!(self.lex.word(word), "sezon" | "évad" | "evad" | "řada");
        let latin = !self.is_cyrillic(word) && !in_front;
        if latin && self.digits(word + 1, 2).is_some() || list.digits > 2 {
            return None;
        }
        let next = word + 1;
        self.add_seasons(&list.numbers, at, next, "season word");
        Some(self.episodes_behind_season(next).unwrap_or(next))
    }

    /// `1-8 серии из 10`; `8 серий` are eight, `8 серия` is the eighth.
    fn counted_episodes(&mut self, at: usize, word: usize, numbers: Vec<u32>) -> Option<usize> {
        let text = self.lex.word(word);
        let in_front = matches!(
            text,
            "seria" | "serii" | "seriya" | "bölüm" | "bolum" | "blm" | "rész" | "resz" | "díl"
        );
        if !in_front && !self.is_cyrillic(word) {
            return None;
        }
        let plural = is_plural(text) || matches!(text, "serii" | "эпизодов" | "выпусков");
        let mut next = word + 1;
        if let Some((count, behind)) = self.of(next) {
            self.count = self.count.or(count);
            next = behind;
        }
        let numbers = if plural { from_first(numbers) } else { numbers };
        self.add_episodes(&numbers, Strength::Marked, at, next, "episode word");
        Some(next)
    }

    /// `12 из 12` are twelve, `3 of 12` is the third.
    fn counted_of(&mut self, at: usize, word: usize, numbers: Vec<u32>) -> Option<usize> {
        let (count, next) = self.of(word)?;
        // `Disk 2 of 2`
        if at.checked_sub(1).and_then(|before| self.tag_of(before)) == Some(Tag::Part) {
            return None;
        }
        let russian = matches!(self.lex.word(word), "из" | "iz" | "з");
        let beyond = |count: u32| numbers.iter().any(|number| *number > count);
        if !russian && count.is_none_or(beyond) {
            return None;
        }
        let numbers = if russian { from_first(numbers) } else { numbers };
        self.count = self.count.or(count);
        self.add_episodes(&numbers, Strength::Marked, at, next, "number of a count");
        Some(next)
    }

    fn is_cyrillic(&self, at: usize) -> bool {
        self.lex.get(at).is_some_and(|token| token.class == Class::Cyrillic)
    }
}

/// Words that count episodes.
fn is_plural(word: &str) -> bool {
    matches!(word, "серии" | "серий" | "эпизоды" | "выпуски")
}

/// One number alone is how many there are: all from the first to it.
fn from_first(numbers: Vec<u32>) -> Vec<u32> {
    match numbers.as_slice() {
        [count] => (1..=*count).collect(),
        _ => numbers,
    }
}

/// The place in a row as a word: `Second Season`, `второй сезон`.
fn ordinal(word: &str) -> Option<u32> {
    const WORDS: &[&[&str]] = &[
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"],
        &["primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "séptima", "octava"],
        &["primeira", "segunda", "terceira", "quarta", "quinta", "sexta", "sétima", "oitava"],
        &["prima", "seconda", "terza", "quarta", "quinta", "sesta", "settima", "ottava"],
        &["première", "deuxième", "troisième", "quatrième", "cinquième", "sixième"],
        &["erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte", "achte"],
        &["первый", "второй", "третий", "четвертый", "пятый", "шестой", "седьмой", "восьмой"],
        &["перший", "другий", "третій", "четвертий", "п'ятий", "шостий", "сьомий", "восьмий"],
    ];
    let at = WORDS.iter().find_map(|words| words.iter().position(|spelled| *spelled == word))?;
    u32::try_from(at + 1).ok()
}

/// A number as a word of the languages in which seasons are called so.
fn spelled(word: &str) -> Option<u32> {
    const WORDS: &[[&str; 10]] = &[
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
        ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
        ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
        ["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"],
        ["uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"],
        ["um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"],
    ];
    let at = WORDS.iter().find_map(|words| words.iter().position(|spelled| *spelled == word))?;
    u32::try_from(at + 1).ok()
}
