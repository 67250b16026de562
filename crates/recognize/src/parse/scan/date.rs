//! Days: `2020.05.12`, `12.05.2020`, `200512`, `5th Mar 2025`.

use tracker_domain::number::Date;

use super::Scan;
use crate::parse::finding::{Cover, Value};
use crate::parse::lex::Gap;
use crate::parse::piece;
use crate::parse::vocab::Tag;

impl Scan<'_> {
    pub(super) fn date(&mut self, at: usize) -> Option<usize> {
        if self.date.is_some() {
            return None;
        }
        let token = self.lex.get(at)?;
        let first = token.number?;
        let (date, next) = match token.len() {
            4 => (self.year_month_day(at, first)?, at + 3),
            1 | 2 => self.day_month_year(at, first)?,
            6 => (self.six_digits(at, first)?, at + 1),
            8 => {
                let date = day(first / 10_000, first / 100 % 100, first % 100)?;
                (date, at + 1)
            }
            _ => return None,
        };
        self.date = Some(date);
        self.cover(at, next, Cover::Date);
        self.found("date", Value::Day(date), at, next, "date");
        Some(next)
    }

    fn same_gap(&self, at: usize) -> bool {
        let (one, two) = (self.lex.gap(at + 1), self.lex.gap(at + 2));
        let bare = Gap::DOT.and(Gap::DASH).and(Gap::UNDERSCORE).and(Gap::SPACE).and(Gap::SLASH);
        one == two && one.within(bare) && one != Gap::NONE
    }

    fn year_month_day(&self, at: usize, year: u32) -> Option<Date> {
        if !self.same_gap(at) {
            return None;
        }
        let (month, last) = (self.digits(at + 1, 2)?, self.digits(at + 2, 2)?);
        let two = |at: usize| self.is_of_length(at, 2);
        if !two(at + 1) && !two(at + 2) && self.lex.gap(at + 1) == Gap::SPACE {
            return None;
        }
        day(year, month, last).or_else(|| day(year, last, month))
    }

    fn day_month_year(&mut self, at: usize, first: u32) -> Option<(Date, usize)> {
        // `5th Mar 2025` comes with an ordinal; `14 Feb 2020` here.
        if let Some(month) = self.month_of(at + 1)
            && self.lex.gap(at + 1).plain()
        {
            let year = self.digits(at + 2, 4).filter(|year| *year > 1900)?;
            return Some((day(year, u32::from(month), first)?, at + 3));
        }
        let second = self.digits(at + 1, 2)?;
        let dotted = self
            .lex
            .gap(at + 1)
            .within(Gap::DOT.and(Gap::DASH).and(Gap::SLASH).and(Gap::UNDERSCORE));
        if !dotted {
            return None;
        }
        if self.same_gap(at)
            && let Some(token) = self.lex.get(at + 2).copied()
            && let Some(third) = token.number
        {
            if token.len() == 4 {
                let date = day(third, second, first).or_else(|| day(third, first, second))?;
                return Some((date, at + 3));
            }
            if token.len() == 2 && self.lex.gap(at) != Gap::NONE {
                // Two digits a year: only where each has two.
                let two = |at: usize| self.is_of_length(at, 2);
                if two(at) && two(at + 1) && self.lex.gap(at + 1) == Gap::DOT {
                    let century = |year: u32| if year < 40 { 2000 + year } else { 1900 + year };
                    let scene = !self.lex.text.contains(' ');
                    let (one, other) =
                        (day(century(first), second, third), day(century(third), second, first));
                    let date = if scene { one.or(other) } else { other.or(one) };
                    return Some((date?, at + 3));
                }
            }
        }
        // `эфир от 17.05`: the year stands elsewhere.
        let before = at.checked_sub(1).map_or("", |before| self.lex.word(before));
        if matches!(before, "от" | "эфир")
            && (1..=12).contains(&second)
            && (1..=31).contains(&first)
        {
            self.day_month = Some((u8::try_from(first).ok()?, u8::try_from(second).ok()?));
            self.cover(at, at + 2, Cover::Date);
        }
        None
    }

    /// The month that a token names. `May` is short for Malay as well.
    pub(super) fn month_of(&self, at: usize) -> Option<u8> {
        match self.tag_of(at)? {
            Tag::Month(month) => Some(month),
            _ if self.lex.word(at) == "may" => Some(5),
            _ => None,
        }
    }

    /// `140722` between separators.
    fn six_digits(&self, at: usize, number: u32) -> Option<Date> {
        let bare = Gap::DOT.and(Gap::UNDERSCORE).and(Gap::SPACE);
        if at == 0 || !self.lex.gap(at).within(bare) || self.lex.get(at + 1).is_none() {
            return None;
        }
        let year = number / 10_000;
        day(if year < 40 { 2000 + year } else { 1900 + year }, number / 100 % 100, number % 100)
    }

    /// `Mar 5 2025`, `5th Mar 2025`.
    pub(super) fn month_first(&mut self, at: usize, month: u8) -> Option<usize> {
        if self.date.is_some() {
            return None;
        }
        let before = at.checked_sub(1).and_then(|before| piece::ordinal(self.lex.word(before)));
        let (date, from, next) = match before {
            Some(number) if self.lex.gap(at).plain() => {
                (day(self.digits(at + 1, 4)?, u32::from(month), number)?, at - 1, at + 2)
            }
            _ => {
                let number =
                    self.digits(at + 1, 2).or_else(|| piece::ordinal(self.lex.word(at + 1)))?;
                let year = self.digits(at + 2, 4).filter(|year| *year > 1900)?;
                (day(year, u32::from(month), number)?, at, at + 3)
            }
        };
        self.date = Some(date);
        self.cover(from, next, Cover::Date);
        self.found("date", Value::Day(date), from, next, "date with a month");
        Some(next)
    }
}

fn day(year: u32, month: u32, day: u32) -> Option<Date> {
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    Date::new(u16::try_from(year).ok()?, month, day)
}
