//! What is left behind the title: the name of the episode, the group.

use super::{Decider, Family, Layout, strips};
use crate::parse::finding::Cover;
use crate::parse::lex::{Class, Gap};
use crate::parse::vocab::{Tag, look_up};

/// Words that sites put behind the name of the group.
const SENT_ON: &[&str] = &[
    "obfuscated",
    "scrambled",
    "postbot",
    "xpost",
    "rakuvus",
    "rakuv",
    "asrequested",
    "buymore",
    "rp",
    "altezachen",
    "sample",
    "proof",
    "1",
    "whiterev",
    "nzbgeek",
    "chamele0n",
    "4planet",
    "4p",
    "alternative",
    "viper",
];

impl Decider<'_, '_> {
    /// The words between the episode and the words of the release.
    pub(super) fn episode_title(&self, layout: &mut Layout) {
        let lex = &self.scan.lex;
        let marks = || {
            (layout.start..self.len())
                .filter(|at| matches!(self.cover(*at), Cover::Number | Cover::Date))
        };
        if self.scan.episodes.is_empty() && self.scan.date.is_none()
            || self.family == Family::Russian
        {
            return;
        }
        let Some(last) = marks().rfind(|at| lex.is_outside(*at) || self.family != Family::Anime)
        else {
            return;
        };
        let from = last + 1;
        if from <= layout.start {
            return;
        }
        let mut to = from;
        while to < self.len() {
            let gap = lex.gap(to);
            if self.is_hard(to)
                || gap.any(Gap::OPEN)
                || lex.get(to).is_some_and(|token| token.bracket != 0)
            {
                break;
            }
            to += 1;
        }
        if layout.year.is_some_and(|(_, _, at, _)| at >= from && at < to) {
            return;
        }
        let comes_off = |at: usize| match self.cover(at) {
            Cover::Weak(Tag::Edition(_)) => self.shouts(from, at),
            Cover::Weak(tag) => strips(tag),
            _ => false,
        };
        while to > from && comes_off(to - 1) {
            to -= 1;
        }
        if to >= self.len() && lex.gap(to.saturating_sub(1)) == Gap::DASH && to - from == 1 {
            // `S01E02-GROUP`
            return;
        }
        if to > from {
            layout.episode_title = Some((from, to));
        }
    }

    /// Who made the release: behind the last dash, in a bracket, or the last word.
    pub(super) fn group(&self, layout: &mut Layout) {
        let title_end = layout.episode_title.map_or(layout.end, |(_, to)| to);
        let end = self.before_senders(layout, title_end);
        layout.group = self
            .dashed_group(layout, title_end, end)
            .or(layout.lead)
            .or_else(|| self.boxed_group(layout))
            .or_else(|| self.last_word(title_end, end));
    }

    /// The end of the name without what was put behind it by those who share it.
    fn before_senders(&self, layout: &Layout, title_end: usize) -> usize {
        let lex = &self.scan.lex;
        let mut end = self.len();
        while end > layout.end + 1
            && let Some(bracket) = lex.bracket_of(end - 1)
        {
            end = bracket.first as usize;
        }
        while end > title_end + 2
            && lex.gap(end - 1) == Gap::DASH
            && SENT_ON.contains(&lex.word(end - 1))
        {
            end -= 1;
        }
        end
    }

    /// `x264-GROUP`
    fn dashed_group(&self, layout: &Layout, from: usize, end: usize) -> Option<(usize, usize)> {
        let lex = &self.scan.lex;
        let mut last = (from.max(1)..end).rev().take(6);
        let at = last.find(|at| lex.gap(*at).has(Gap::DASH))?;
        let tight = lex.gap(at) == Gap::DASH;
        let few = end - at <= if tight { 4 } else { 3 };
        // Some groups are called like a word of releases.
        let called = match self.cover(at) {
            Cover::Word | Cover::Weak(_) => true,
            // The last year of `2001-2004` is none.
            Cover::Year => layout.year.is_none_or(|(_, _, from, to)| !(from..to).contains(&at)),
            Cover::Strong(Tag::Resolution(_) | Tag::Part) => false,
            Cover::Strong(_) => tight && !self.is_compound(at),
            Cover::Number | Cover::Date | Cover::Crc | Cover::Site => false,
        };
        let behind_tags = (layout.end..at).any(|index| self.cover(index) != Cover::Word);
        let only_words = (at..end)
            .all(|index| matches!(self.cover(index), Cover::Word | Cover::Weak(_) | Cover::Year));
        (few && called && behind_tags && (only_words || end == at + 1)).then_some((at, end))
    }

    /// `[Group]` at the end.
    fn boxed_group(&self, layout: &Layout) -> Option<(usize, usize)> {
        let mut brackets = self.scan.lex.brackets.iter().rev();
        let last =
            brackets.find(|bracket| bracket.last as usize == self.len() && !bracket.round)?;
        let (first, last) = (last.first as usize, last.last as usize);
        let words = (first..last).all(|at| self.cover(at) == Cover::Word);
        let fits = words && last - first <= 3 && first > layout.end;
        (fits && self.family != Family::Russian).then_some((first, last))
    }

    /// A word that nothing explains right behind the words of the release.
    fn last_word(&self, title_end: usize, end: usize) -> Option<(usize, usize)> {
        let lex = &self.scan.lex;
        let at = end.checked_sub(1).filter(|at| *at > title_end)?;
        let fits = self.cover(at) == Cover::Word
            && matches!(self.cover(at - 1), Cover::Strong(_) | Cover::Weak(_))
            && lex.get(at).is_some_and(|token| token.class != Class::Digits)
            && look_up(lex.word(at)).is_none();
        fits.then_some((at, end))
    }

    /// The dash inside a tag: `WEB-DL`.
    fn is_compound(&self, at: usize) -> bool {
        (at.saturating_sub(3)..at).any(|from| {
            let width = self.scan.width.get(from).copied().unwrap_or(1) as usize;
            from + width > at
        })
    }
}
