//! Which four digits are the year.

use super::Decider;
use crate::parse::finding::{Cover, Strength};
use crate::parse::lex::Gap;

/// No film of a later year is on any tracker; a later number belongs to a title.
const LATEST_YEAR: u32 = 2035;
/// The first films.
const EARLIEST_YEAR: u32 = 1880;
impl Decider<'_, '_> {
    fn year_at(&self, at: usize) -> Option<u32> {
        if self.cover(at) != Cover::Year {
            return None;
        }
        let number = self.scan.lex.get(at)?.number?;
        (EARLIEST_YEAR..=LATEST_YEAR).contains(&number).then_some(number)
    }

    /// Alone in a bracket, or with a second year: `(2017)`, `(2018-2019)`.
    fn is_boxed_year(&self, at: usize) -> bool {
        let Some(bracket) = self.scan.lex.bracket_of(at) else { return false };
        let (first, last) = (bracket.first as usize, bracket.last as usize);
        first == at && (last == at + 1 || last == at + 2 && self.cover(at + 1) == Cover::Year)
    }

    /// Beside a day only a year of its own is one.
    pub(super) fn boxed_year(&self) -> Option<(u32, Option<u32>, usize, usize)> {
        let boxed = |at: &usize| *at > self.start && self.is_boxed_year(*at);
        let at = (self.start..self.len()).filter(|at| self.year_at(*at).is_some()).find(boxed)?;
        Some((self.year_at(at)?, None, at, at + 1))
    }

    /// The year and its tokens.
    pub(super) fn year(&self, stop: usize) -> Option<(u32, Option<u32>, usize, usize)> {
        let candidates = || (self.start..self.len()).filter_map(|at| Some((at, self.year_at(at)?)));
        let leading = (0..self.start)
            .filter_map(|at| Some((at, self.year_at(at)?)))
            .find(|(at, _)| self.is_boxed_year(*at));
        let boxed =
            candidates().find(|(at, _)| *at > self.start && self.is_boxed_year(*at)).or(leading);
        let by_number = matches!(self.cover(stop), Cover::Number);
        let before = || {
            let last = candidates().rfind(|(at, _)| *at > self.start && *at < stop)?;
            // In front of an episode only what stands right before it is a year.
            let near = !by_number
                || self.scan.strength == Some(Strength::Bare)
                || (last.0 + 1..stop).all(|at| matches!(self.cover(at), Cover::Weak(_)));
            near.then_some(last)
        };
        let behind = || {
            candidates().filter(|(at, _)| *at > stop).take(32).find(|(at, number)| {
                *at > stop
                    && (self.scan.lex.bracket_of(*at).is_some() || self.follows_tags(*at))
                    && !self.title_has(*number, stop)
            })
        };
        let (at, number) =
            boxed.or_else(before).or_else(behind).or_else(|| self.year_in_front())?;
        let mut to = at + 1;
        let mut end = None;
        if self.scan.lex.gap(to).any(Gap::DASH.and(Gap::SLASH).and(Gap::TILDE))
            && let Some(second) =
                self.year_at(to).filter(|second| *second >= number && second - number < 100)
        {
            end = Some(second);
            to += 1;
        }
        // `1999 2003`: the pass may have taken the first of a range for the last.
        if end.is_none()
            && let Some(first) = at.checked_sub(1).and_then(|before| self.year_at(before))
            && at - 1 > self.start
            && first < number
            && self.scan.lex.gap(at).any(Gap::DASH)
        {
            return Some((first, Some(number), at - 1, to));
        }
        Some((number, end, at, to))
    }

    /// `2008 Some Long Title`, `2008 - Title`, where no other year is in the name.
    fn year_in_front(&self) -> Option<(usize, u32)> {
        let at = self.start;
        let number = self.year_at(at)?;
        let numbered = self.scan.strength.is_some() || !self.scan.seasons.is_empty();
        let words = (at + 1..self.len()).take_while(|at| self.cover(*at) == Cover::Word).count();
        let parted = words > 0 && self.scan.lex.gap(at + 1).spaced_dash();
        let plain = self.scan.lex.gap(at + 1).plain();
        (!numbered && (parted || words >= 3 && plain)).then_some((at, number))
    }

    fn follows_tags(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.cover(before));
        let behind = self.cover(at + 1);
        let tagged = |cover: Cover| !matches!(cover, Cover::Word | Cover::Year);
        before.is_some_and(tagged)
            && (tagged(behind)
                || at + 1 >= self.len()
                || self.scan.lex.gap(at + 1).any(Gap::OPEN.and(Gap::SLASH).and(Gap::CLOSE)))
            || self.scan.lex.gap(at).has(Gap::SLASH)
            || self.ends_the_name(at)
    }

    /// `… 3 сезон (ТВ-3) 2023`: the last word, behind a bracket, or of a film.
    fn ends_the_name(&self, at: usize) -> bool {
        let film = self.scan.strength.is_none() && self.scan.seasons.is_empty();
        at + 1 >= self.len() && (film || self.scan.lex.gap(at).has(Gap::CLOSE))
    }

    fn title_has(&self, number: u32, stop: usize) -> bool {
        (self.start..stop)
            .any(|at| self.scan.lex.get(at).and_then(|token| token.number) == Some(number))
    }
}
