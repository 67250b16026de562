//! Which number without a mark is the episode.

use tracker_domain::number::EpisodeNumber;

use super::{Decider, Family, Resolved};
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::{Class, Gap, Token};
use crate::parse::scan::{Bare, Place};
use crate::parse::vocab::Tag;

impl Decider<'_, '_> {
    pub(super) fn resolve_bare(&mut self) -> Resolved {
        self.televised_part();
        let marked = self.scan.strength.is_some();
        if marked || self.scan.date.is_some() {
            // A day beside a marked episode: a broadcast of one season.
            let daily = self.scan.date.is_some()
                || self.start == 1
                    && self
                        .scan
                        .lex
                        .get(0)
                        .is_some_and(|token| token.class == Class::Digits && token.len() == 6);
            if marked
                && daily
                && self.scan.seasons.is_empty()
                && self.scan.strength == Some(Strength::Marked)
                && self.family != Family::Russian
            {
                self.scan.seasons.push(1);
            }
            let absolute = self.scan.strength == Some(Strength::Marked)
                && self.scan.seasons.is_empty()
                && self.family != Family::Russian;
            if marked && self.scan.strength == Some(Strength::Full) {
                self.absolute_beside();
            }
            return Resolved { absolute, ..Resolved::default() };
        }
        let bare = std::mem::take(&mut self.scan.bare);
        if self.two_numbers(&bare) {
            return Resolved::default();
        }
        let stop = self.hard_stop();
        let pick = self.pick(&bare, stop);
        let Some((chosen, rule)) = pick else {
            return self.guess(&bare, stop);
        };
        let listed = chosen.from == self.start
            && chosen.to < self.len()
            && matches!(self.cover(chosen.to), Cover::Word | Cover::Weak(_));
        if listed {
            self.start = chosen.to;
        }
        let with_season = !self.scan.seasons.is_empty();
        self.take(chosen, rule);
        Resolved { absolute: !with_season, guessed: None, listed }
    }

    /// `Title - 14 (S00E01)`: the absolute number beside a full one.
    fn absolute_beside(&mut self) {
        let bare = std::mem::take(&mut self.scan.bare);
        let stop = self.hard_stop();
        let behind = (stop..self.len()).find(|at| self.cover(*at) != Cover::Number);
        let same = self.scan.episodes.len();
        let found = bare.into_iter().find(|bare| {
            let dashed = bare.place == Place::Dash;
            // `Title 313-315 S16E03-05`, `S01E01-02 - 001-002`: as many of them.
            let range = bare.numbers.len() == same && same > 1;
            let in_front = bare.to == stop && bare.from > self.start && (dashed || range);
            let after = Some(bare.from) == behind
                && dashed
                && (range || same == 1 && bare.numbers.len() == 1 && self.digits_of(bare) >= 3)
                && self.scan.lex.gap(bare.to).spaced_dash();
            (in_front || after) && !self.is_year_like(bare)
        });
        if let Some(bare) = found {
            let value = bare.numbers.first().copied().map_or(Value::Text, Value::Episode);
            let rule = "number that counts through, beside the season's";
            self.scan.found("absolute_episodes", value, bare.from, bare.to, rule);
            self.scan.mark(bare.from, bare.to, Cover::Number);
            self.scan.beside = bare.numbers;
        }
    }

    fn is_year_like(&self, bare: &Bare) -> bool {
        let last = bare.numbers.last().copied();
        // `2020-13-45` is no day, but no episodes either.
        let behind_a_year =
            bare.from.checked_sub(1).is_some_and(|at| self.cover(at) == Cover::Year)
                && matches!(self.scan.lex.gap(bare.from), Gap::DASH | Gap::DOT);
        behind_a_year
            || self.cover(bare.from) == Cover::Year
                && last.and_then(EpisodeNumber::as_whole).is_some_and(|last| last < 2100)
    }

    pub(super) fn take(&mut self, bare: &Bare, rule: &'static str) {
        self.scan.episodes.clone_from(&bare.numbers);
        self.scan.strength = Some(Strength::Bare);
        self.scan.version = self.scan.version.or(bare.version);
        self.scan.mark(bare.from, bare.to, Cover::Number);
        let value = bare.numbers.first().copied().map_or(Value::Text, Value::Episode);
        self.scan.found("episodes", value, bare.from, bare.to, rule);
    }

    /// Which bare number is the episode, and why.
    fn pick<'b>(&self, bare: &'b [Bare], stop: usize) -> Option<(&'b Bare, &'static str)> {
        let usable: Vec<&Bare> = bare.iter().filter(|one| self.is_usable(one)).collect();
        let inline = usable.iter().copied().filter(|one| self.is_inline(one, stop));
        let inline: Vec<&Bare> = inline.collect();
        let russian = self.family == Family::Russian;
        let numbered = !self.scan.seasons.is_empty();
        let because = |found: Option<&'b Bare>, rule: &'static str| Some((found?, rule));
        // `321 - Mail #1`: a list counts in front.
        let listed = || self.leading(bare).filter(|one| !numbered && self.digits_of(one) == 3);
        because(self.dashed(&usable, stop, Place::Dash), "number behind a dash")
            .or_else(|| because(listed(), "number in front"))
            .or_else(|| because(self.dashed(&usable, stop, Place::Hash), "number behind a sign"))
            .or_else(|| because(self.boxed(&usable).filter(|_| !russian), "number in a bracket"))
            .or_else(|| because(versioned(&usable, stop), "number with a version"))
            .or_else(|| because(self.closing(&inline, stop), "last number of the title"))
            .or_else(|| {
                let range = self.range(&inline, stop).filter(|_| !russian);
                because(range, "range behind the title")
            })
            .or_else(|| {
                let padded = self.padded(&inline, stop).filter(|_| !russian && !numbered);
                because(padded, "number with a nought")
            })
            .or_else(|| because(self.leading(bare).filter(|_| !numbered), "number in front"))
            .or_else(|| because(self.televised(&inline, stop), "number before television"))
    }

    fn digits_of(&self, bare: &Bare) -> u32 {
        self.scan.lex.get(bare.from).map_or(0, Token::len)
    }

    /// Nothing comes behind it, or a bracket.
    fn ends_words(&self, bare: &Bare) -> bool {
        bare.to >= self.len() || self.scan.lex.gap(bare.to).any(Gap::OPEN)
    }

    /// No year, and no first word of a title.
    fn is_usable(&self, bare: &Bare) -> bool {
        let first = bare.from == self.start;
        let alone = self.family == Family::Anime && self.ends_words(bare);
        (!first || alone) && !self.is_year_like(bare)
    }

    /// Between words, outside of brackets.
    fn is_inline(&self, bare: &Bare, stop: usize) -> bool {
        let digits = self.digits_of(bare);
        bare.place == Place::Inline
            && self.scan.lex.is_outside(bare.from)
            && (digits >= 2 || bare.numbers.len() > 1)
            && digits <= 4
            && !self.is_decimal(bare.from)
            && (self.scan.seasons.is_empty() || bare.from > stop)
    }

    /// ` - 03`, the last before the tags; a number sign.
    fn dashed<'b>(&self, usable: &[&'b Bare], stop: usize, place: Place) -> Option<&'b Bare> {
        let lex = &self.scan.lex;
        let ends = |one: &Bare| {
            let after = lex.gap(one.to);
            lex.get(one.to).is_none()
                || after.any(Gap::OPEN.and(Gap::CLOSE).and(Gap::PIPE))
                || after.spaced_dash()
                || self.is_hard(one.to)
                || matches!(self.cover(one.to), Cover::Weak(_))
        };
        let fits = |one: &&&Bare| {
            let outside = lex.is_outside(one.from);
            let in_title = one.from <= stop && (2..=4).contains(&self.digits_of(one));
            match one.place {
                Place::Hash => outside || self.family == Family::Anime,
                Place::Dash => outside && (ends(one) || in_title),
                Place::Bracket | Place::Inline => false,
            }
        };
        usable.iter().filter(|one| one.place == place).rfind(fits).copied()
    }

    /// `[03]`, and in names of anime `(01-12)`.
    fn boxed<'b>(&self, usable: &[&'b Bare]) -> Option<&'b Bare> {
        let lex = &self.scan.lex;
        let anime = self.family == Family::Anime;
        let fits = |one: &&&Bare| {
            let digits = self.digits_of(one);
            let several = one.numbers.len() > 1;
            let square = lex.bracket_of(one.from).is_some_and(|bracket| !bracket.round);
            let height = matches!(lex.word(one.from), "2160" | "1080" | "720" | "480" | "576");
            let last = anime && one.to >= self.len();
            // `Title (05) [1080p]`, `Title (1-10)`
            let padded = lex.word(one.from).starts_with('0') && lex.gap(one.to).has(Gap::OPEN);
            let counted = several && one.numbers.first() == Some(&EpisodeNumber::whole(1));
            one.place == Place::Bracket
                && (digits >= 2 || last)
                && digits <= 4
                && (several || !height)
                && (square || anime && several || last || padded || counted)
        };
        usable.iter().find(fits).copied()
    }

    /// The number with which a title of anime ends.
    fn closing<'b>(&self, inline: &[&'b Bare], stop: usize) -> Option<&'b Bare> {
        let anime = self.family == Family::Anime;
        if !anime && !self.has_cjk() {
            return None;
        }
        // No series has come that far: `Nightfall 3000 [1080p]`.
        let late = |one: &Bare| {
            let first = one.numbers.first().and_then(|number| number.as_whole());
            first.is_some_and(|first| first >= 2000)
        };
        let ends = |one: &&&Bare| (one.to == stop || self.ends_words(one)) && !(anime && late(one));
        let within = |one: &&&Bare| anime && one.from < stop && self.digits_of(one) == 2;
        inline.iter().rfind(ends).or_else(|| inline.iter().find(within)).copied()
    }

    /// `Show Name 13-16`, `Series Title 921-928 [English Dub]`
    fn range<'b>(&self, inline: &[&'b Bare], stop: usize) -> Option<&'b Bare> {
        let padded = |one: &Bare| self.scan.lex.word(one.from).starts_with('0');
        let ends = |one: &Bare| {
            one.to == stop || self.ends_words(one) || padded(one) && self.is_hard(one.to)
        };
        inline.iter().find(|one| one.numbers.len() > 1 && ends(one)).copied()
    }

    /// A number with a nought in front counts something: `Title.05.Name`.
    fn padded<'b>(&self, inline: &[&'b Bare], stop: usize) -> Option<&'b Bare> {
        let fits = |one: &&&Bare| {
            let word = self.scan.lex.word(one.from);
            (2..=3).contains(&self.digits_of(one))
                && word.starts_with('0')
                && word != "00"
                && one.from <= stop
                && one.numbers.len() == 1
        };
        inline.iter().find(fits).copied()
    }

    /// `01 - Name`, `003. Name`, `06 Name`: a file of a list.
    fn leading<'b>(&self, bare: &'b [Bare]) -> Option<&'b Bare> {
        let lex = &self.scan.lex;
        let anime = self.family == Family::Anime;
        bare.iter().find(|one| {
            let behind = lex.gap(one.to);
            let digits = self.digits_of(one);
            let nought = lex.word(one.from).starts_with('0');
            let parted = behind.spaced_dash() && (nought || anime || digits == 3)
                || behind == Gap::DOT.and(Gap::SPACE) && nought;
            one.from == self.start
                && lex.is_outside(one.from)
                && (one.numbers.len() == 1 || digits == 3 && one.numbers.len() < 6)
                && (2..=3).contains(&digits)
                && matches!(self.cover(one.to), Cover::Word | Cover::Weak(_))
                && (parted || nought && anime)
        })
    }

    /// `Test.14.HDTV`
    fn televised<'b>(&self, inline: &[&'b Bare], stop: usize) -> Option<&'b Bare> {
        let television = matches!(self.cover(stop), Cover::Strong(Tag::Source("hdtv" | "tv")));
        if self.family != Family::Scene || !television {
            return None;
        }
        inline.iter().find(|one| one.to == stop && self.digits_of(one) <= 2).copied()
    }

    /// The digits behind a point or a comma: `2.22`, `20,000`.
    fn is_decimal(&self, at: usize) -> bool {
        let lex = &self.scan.lex;
        let gap = lex.gap(at);
        let before = at.checked_sub(1).and_then(|before| lex.get(before));
        before.is_some_and(|before| before.class == Class::Digits)
            && (gap == Gap::COMMA || gap == Gap::DOT && lex.spaced)
    }
}

fn versioned<'b>(usable: &[&'b Bare], stop: usize) -> Option<&'b Bare> {
    usable.iter().find(|one| one.version.is_some() && one.from <= stop).copied()
}
