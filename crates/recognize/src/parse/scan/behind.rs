//! Episodes right behind a season: `S01 E02`, `S2 - 07`, `Season 1 13-14`.

use super::Scan;
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::Gap;
use crate::parse::piece;
use crate::parse::vocab::Tag;

impl Scan<'_> {
    /// Episodes right behind a season: `E02`, `Ep 2`, ` - 07`, `13-14`, `Part 2`.
    pub(super) fn episodes_behind_season(&mut self, at: usize) -> Option<usize> {
        let gap = self.lex.gap(at);
        let dashed = Gap::PHRASE.and(Gap::DASH);
        if let Some(more) = self.numbers_at(at)
            && more.seasons.is_empty()
            && gap.within(dashed.and(Gap::COMMA))
        {
            let next = self.episode_mark(at, &more)?;
            self.strength = Some(Strength::Full);
            return Some(next);
        }
        if gap.plain() && self.tag_of(at) == Some(Tag::Part) {
            return self.part_of_season(at);
        }
        if self.strength.is_some() {
            None
        } else if gap.plain() {
            self.plain_behind_season(at)
        } else if gap.spaced_dash() && gap.within(dashed) {
            self.dashed_behind_season(at)
        } else {
            None
        }
    }

    fn part_of_season(&mut self, at: usize) -> Option<usize> {
        let number = self.digits(at + 1, 2)?;
        self.season_part = Some(number);
        self.cover(at, at + 2, Cover::Number);
        self.found("season_part", Value::Number(number), at, at + 2, "part of a season");
        Some(at + 2)
    }

    /// `S01.E.01`, `S06.01.`, `S02 03`, `S02 13-14`.
    fn plain_behind_season(&mut self, at: usize) -> Option<usize> {
        let gap = self.lex.gap(at);
        if matches!(self.lex.word(at), "e" | "ep")
            && !self.lex.gap(at + 1).has(Gap::OPEN)
            && let Some(list) = self.list(at + 1, false).filter(|list| list.digits <= 3)
        {
            let rule = "season and episode";
            self.add_episodes(&list.numbers, Strength::Full, at, list.next, rule);
            return Some(list.next);
        }
        let ends = self.lex.get(at + 1).is_none();
        let behind = self.lex.gap(at + 1);
        // `2.Sezon.10.Bölüm`: the number belongs to the word behind it.
        let worded = self.tag_of(at + 1) == Some(Tag::Episode);
        let two = self.digits(at, 2).filter(|_| self.is_of_length(at, 2) && !worded);
        let (fits, rule) = match gap {
            Gap::DOT => (ends || behind == Gap::DOT, "season and episode"),
            Gap::SPACE => (ends || behind.any(Gap::OPEN), "number behind a season"),
            _ => (false, ""),
        };
        if let Some(number) = two.filter(|_| fits) {
            self.add_episodes(&[number], Strength::Full, at, at + 1, rule);
            return Some(at + 1);
        }
        let list = self.list(at, false)?;
        if list.numbers.len() < 2 || list.digits > 3 {
            return None;
        }
        let rule = "numbers behind a season";
        self.add_episodes(&list.numbers, Strength::Full, at, list.next, rule);
        Some(list.next)
    }

    /// `S2 - 07`, `S2 - 07v2`.
    fn dashed_behind_season(&mut self, at: usize) -> Option<usize> {
        let rule = "number behind a season";
        if let Some((number, version)) = piece::versioned(self.lex.word(at)) {
            self.version = Some(version);
            self.add_episodes(&[number], Strength::Full, at, at + 1, rule);
            return Some(at + 1);
        }
        let list = self.list(at, false)?;
        let first = *list.numbers.first()?;
        let is_year = list.digits == 4 && (1900..2100).contains(&first);
        if is_year || !self.ends_phrase(list.next) {
            return None;
        }
        self.add_episodes(&list.numbers, Strength::Full, at, list.next, rule);
        Some(list.next)
    }
}
