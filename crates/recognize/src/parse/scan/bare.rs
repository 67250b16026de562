//! Numbers without a mark: noted with their place, and decided later.

use tracker_domain::number::EpisodeNumber;

use super::{Bare, MOST_BARE, MOST_EPISODES, Place, Scan};
use crate::parse::finding::{Cover, Strength};
use crate::parse::lex::{Class, Gap};
use crate::parse::piece;
use crate::parse::vocab::Tag;

impl Scan<'_> {
    /// `01v2`, `01-03v2`: nothing but an episode has a version.
    pub(super) fn version_bare(&mut self, at: usize) -> Option<usize> {
        let (number, version) = piece::versioned(self.lex.word(at))?;
        let mut to = at + 1;
        let last = self.digits(to, 4).or_else(|| Some(piece::versioned(self.lex.word(to))?.0));
        let near = |last: &u32| *last > number && last - number < MOST_EPISODES;
        let last = last.filter(near).filter(|_| self.lex.gap(to) == Gap::DASH);
        to += usize::from(last.is_some());
        let numbers = (number..=last.unwrap_or(number)).map(EpisodeNumber::whole).collect();
        let place = self.place(at, to);
        self.push_bare(at, to, numbers, Some(version), place);
        Some(to)
    }

    /// Digits that nothing explains: noted, and decided later.
    pub(super) fn bare(&mut self, at: usize) -> Option<usize> {
        let token = *self.lex.get(at)?;
        let number = token.number?;
        if token.len() == 4 && (1880..2100).contains(&number) {
            self.cover(at, at + 1, Cover::Year);
            // A year in a bracket is one; an episode is never that late.
            if self.lex.bracket_of(at).is_some_and(|bracket| bracket.last - bracket.first == 1) {
                return None;
            }
        }
        if token.len() > 4 {
            return self.crc(at);
        }
        self.fraction(at, number)
            .or_else(|| self.two_numbers(at, number))
            .or_else(|| self.measure(at))
            .or_else(|| self.bare_list(at))
    }

    /// ` - 12.5`, `[12.75]`
    fn fraction(&mut self, at: usize, number: u32) -> Option<usize> {
        let part = self.digits(at + 1, 2).filter(|_| self.lex.gap(at + 1) == Gap::DOT)?;
        let tenths = self.is_of_length(at + 1, 1);
        if !(tenths || part == 75) || self.is_channels(at) {
            return None;
        }
        let place = self.place(at, at + 2);
        if place == Place::Inline {
            return None;
        }
        let hundredths = if tenths { part * 10 } else { part };
        let numbers = vec![EpisodeNumber::with_hundredths(number, hundredths)];
        self.push_bare(at, at + 2, numbers, None, place);
        Some(at + 2)
    }

    /// ` - 6.01 - `, `[5.01]`, `4-13 Name`: season and episode.
    fn two_numbers(&mut self, at: usize, number: u32) -> Option<usize> {
        if self.strength.is_some() || !self.is_of_length(at + 1, 2) {
            return None;
        }
        let episode = self.digits(at + 1, 2)?;
        let (gap, behind) = (self.lex.gap(at + 1), self.lex.gap(at + 2));
        let boxed = matches!(self.place(at, at + 2), Place::Dash | Place::Bracket);
        let dotted = gap == Gap::DOT && boxed && self.is_of_length(at, 1);
        let worded = self.lex.get(at + 2).is_some_and(|token| token.class != Class::Digits)
            && behind.plain()
            && behind != Gap::NONE;
        let leading = at == 0 && gap == Gap::DASH && worded && self.digits(at, 2).is_some();
        if !dotted && !leading {
            return None;
        }
        self.add_seasons(&[number], at, at + 2, "season and episode");
        self.add_episodes(&[episode], Strength::Full, at, at + 2, "season and episode");
        Some(at + 2)
    }

    /// `700 MB`, `5.1`: no number of anything in a library.
    fn measure(&mut self, at: usize) -> Option<usize> {
        let unit = matches!(
            self.lex.word(at + 1),
            "gb" | "mb" | "gib" | "mib" | "kbps" | "mbps" | "fps" | "гб" | "мб"
        );
        if !unit && !self.is_channels(at) {
            return None;
        }
        self.cover(at, at + 2, Cover::Strong(Tag::Junk));
        Some(at + 2)
    }

    fn bare_list(&mut self, at: usize) -> Option<usize> {
        // `Title 2 - 05` is no range, `Title 01 - 12 [` is one.
        let boxed = self.lex.bracket_of(at).is_some();
        let mut list = self.list(at, boxed || !self.is_of_length(at, 1))?;
        if !boxed && !self.ends_phrase(list.next) {
            list = self.list(at, false)?;
        }
        let mut to = list.next;
        let mut version = None;
        if let [b'v', digit @ b'0'..=b'9'] = self.lex.word(to).as_bytes()
            && self.lex.gap(to).plain()
        {
            version = Some(u32::from(digit - b'0'));
            self.cover(to, to + 1, Cover::Number);
            to += 1;
        }
        // `[12END]`, `12 END`, `24（END）`.
        let room = Gap::SPACE.and(Gap::UNDERSCORE).and(Gap::OPEN);
        if self.tag_of(to) == Some(Tag::End) && self.lex.gap(to).within(room) {
            self.cover(to, to + 1, Cover::Strong(Tag::End));
            to += 1;
        }
        let place = self.place(at, to);
        let years = self.cover.get(at) == Some(&Cover::Year);
        let next = if list.numbers.len() > 1 && !years { list.next } else { at + 1 };
        let numbers = list.numbers.into_iter().map(EpisodeNumber::whole).collect();
        self.push_bare(at, list.next, numbers, version, place);
        Some(next)
    }

    pub(super) fn push_bare(
        &mut self,
        from: usize,
        to: usize,
        numbers: Vec<EpisodeNumber>,
        version: Option<u32>,
        place: Place,
    ) {
        if self.bare.len() < MOST_BARE {
            self.bare.push(Bare { from, to, numbers, version, place });
        }
    }

    pub(super) fn place(&self, from: usize, to: usize) -> Place {
        let gap = self.lex.gap(from);
        if gap.has(Gap::HASH) {
            return Place::Hash;
        }
        let behind_tv =
            |first: usize| first + 1 == from && matches!(self.lex.word(first), "tv" | "тв");
        if let Some(bracket) = self.lex.bracket_of(from)
            && (bracket.first as usize == from || behind_tv(bracket.first as usize))
            && (bracket.last as usize == to
                || to > from + 1 && self.lex.gap(to).any(Gap::PLUS.and(Gap::COMMA).and(Gap::SPACE)))
        {
            return Place::Bracket;
        }
        if gap.spaced_dash() && !gap.any(Gap::OPEN) { Place::Dash } else { Place::Inline }
    }

    /// `5.1`, `7 1`: how many loudspeakers.
    fn is_channels(&self, at: usize) -> bool {
        let pair = (self.digits(at, 1), self.digits(at + 1, 1));
        let (Some(front), Some(sub)) = pair else { return false };
        matches!((front, sub), (1 | 2 | 4 | 5 | 6 | 7 | 9, 0 | 1))
            && self.lex.gap(at + 1).within(Gap::DOT.and(Gap::SPACE))
            && self.lex.gap(at + 1) != Gap::NONE
            && (at > 0 && !matches!(self.cover.get(at - 1), Some(Cover::Word))
                || self.lex.gap(at).any(Gap::OPEN))
    }
}
