//! Where the title ends, and the names it has.

use super::{COUNTRIES, Decider, Family, Layout, SMALL_WORDS, strips};
use crate::parse::finding::{Cover, Strength};
use crate::parse::lex::{Class, Gap};
use crate::parse::vocab::Tag;

/// More names than these have no work.
const MOST_NAMES: usize = 8;

impl Decider<'_, '_> {
    /// The names of the title. On Russian trackers they are parted by slashes,
    /// and numbers may stand between them.
    pub(super) fn names(&self, stop: usize, year: Option<usize>) -> Vec<(usize, usize)> {
        let mut names = Vec::new();
        let mut from = self.start;
        loop {
            let to = self.name_end(from, stop, year);
            let kept = self.without_weak(from, to);
            if kept > from {
                names.extend(self.parted(from, kept));
            }
            let Some(next) = self.next_name(from, to, year) else { break };
            let piped = self.scan.lex.gap(next).any(Gap::PIPE) && to < next;
            let over = match self.cover(next) {
                Cover::Year => !names.is_empty(),
                Cover::Strong(_) => true,
                _ => piped && self.family != Family::Russian && !self.has_cjk(),
            };
            if over || names.len() >= MOST_NAMES {
                break;
            }
            from = next;
        }
        names.truncate(MOST_NAMES);
        names
    }

    /// Where the next name begins: behind a slash outside of brackets, as long as
    /// nothing but numbers and names has come.
    fn next_name(&self, from: usize, to: usize, year: Option<usize>) -> Option<usize> {
        let lex = &self.scan.lex;
        let class = |at: usize| lex.get(at).map(|token| token.class);
        for next in to.max(from)..self.len() {
            let outside = lex.is_outside(next);
            let gap = lex.gap(next);
            let slash = gap.any(Gap::SLASH.and(Gap::PIPE)) && gap.any(Gap::SPACE);
            // A Latin name behind the brackets of a Chinese one.
            let latin = gap.any(Gap::CLOSE)
                && class(next) == Some(Class::Latin)
                && class(from) == Some(Class::Cjk)
                && self.cover(next) == Cover::Word;
            if next > from && outside && (slash || latin) {
                return Some(next);
            }
            let ends = match self.cover(next) {
                Cover::Year => Some(next) == year || outside,
                Cover::Strong(_) | Cover::Date | Cover::Site => true,
                _ => false,
            };
            if ends {
                return None;
            }
        }
        None
    }

    /// Where a name ends that begins at a token.
    fn name_end(&self, from: usize, stop: usize, year: Option<usize>) -> usize {
        let lex = &self.scan.lex;
        let first = from == self.start;
        let mut at = from;
        while at < self.len() {
            let gap = lex.gap(at);
            if at > from
                && lex.is_outside(at)
                && gap.any(Gap::SLASH.and(Gap::PIPE))
                && gap.any(Gap::SPACE)
            {
                break;
            }
            // `Title Vol. 2 [BD]`: a disc of a series.
            let volume = self.family == Family::Anime
                && at > from
                && lex.word(at) == "vol"
                && lex.word(at + 1).starts_with(|one: char| one.is_ascii_digit());
            if Some(at) == year || (first && at == stop) || volume {
                break;
            }
            let hard = match self.cover(at) {
                Cover::Strong(_) => at > from || !first,
                Cover::Number | Cover::Date | Cover::Crc | Cover::Site => true,
                _ => false,
            };
            if hard {
                break;
            }
            if at > from && gap.any(Gap::OPEN) && self.bracket_ends_title(at) {
                break;
            }
            at += 1;
        }
        // A bracket that the stop lies in is no part of the title.
        while at > from
            && let Some(bracket) =
                lex.bracket_of(at.min(self.len().saturating_sub(1))).filter(|_| at < self.len())
            && (bracket.first as usize) > from
            && (bracket.first as usize) < at
        {
            at = bracket.first as usize;
        }
        at
    }

    fn bracket_ends_title(&self, at: usize) -> bool {
        let Some(bracket) = self.scan.lex.bracket_of(at) else { return false };
        let (first, last) = (bracket.first as usize, (bracket.last as usize).min(self.len()));
        let covers = self.scan.cover.get(first..last).unwrap_or(&[]);
        if self.family == Family::Russian {
            let latin = self.scan.lex.get(last).is_some_and(|token| token.class == Class::Latin);
            let short = last == first + 1 && self.cover(first) == Cover::Word;
            return !(short
                && latin
                && self.cover(last) == Cover::Word
                && self.scan.lex.gap(last) == Gap::CLOSE.and(Gap::SPACE));
        }
        if covers.iter().any(|cover| !matches!(cover, Cover::Word)) {
            return true;
        }
        // `You Are [Not] Alone`: the title goes on behind it.
        let goes_on = self.cover(last) == Cover::Word
            && self.scan.lex.is_outside(last)
            && (self.family == Family::Anime || !self.scan.lex.gap(last).has(Gap::DASH));
        let marked = last < self.len()
            && matches!(self.cover(last), Cover::Year | Cover::Number)
            && !self.has_cjk();
        !(goes_on
            || !bracket.round && marked && self.scan.lex.spaced
            || self.has_cjk() && bracket.round)
    }

    /// Takes off the weak words of releases at the end of a title.
    fn without_weak(&self, from: usize, to: usize) -> usize {
        let before_number =
            matches!(self.cover(to), Cover::Number) && self.scan.strength != Some(Strength::Guess);
        let before_year = matches!(self.cover(to), Cover::Year | Cover::Date);
        let open = to >= self.len() && self.scan.strength.is_none() && !self.has_tags();
        let mut end = to;
        while end > from + 1 {
            let weak = match self.cover(end - 1) {
                Cover::Weak(Tag::Complete) => {
                    matches!(self.scan.lex.word(end - 1), "complete" | "batch")
                }
                Cover::Weak(_) if before_number || open => false,
                Cover::Weak(tag) => strips(tag),
                _ => false,
            };
            if !weak {
                break;
            }
            end -= 1;
        }
        // The country of a remake stands between title and number.
        let country = end.checked_sub(1).filter(|at| *at > from && (before_number || before_year));
        let is_country = |at: usize| {
            COUNTRIES.contains(&self.scan.lex.raw(at))
                || before_number && matches!(self.scan.lex.raw(at), "uk" | "au" | "nz")
        };
        if let Some(at) = country
            && is_country(at)
            && !SMALL_WORDS.contains(&self.scan.lex.word(at - 1))
            && (before_number || self.scan.lex.bracket_of(at).is_some())
        {
            return at;
        }
        // Before a year one word alone is the title's, unless it shouts.
        // `The Good German`: behind an article a language may be the noun.
        let article = SMALL_WORDS.contains(&self.scan.lex.word(from));
        let language = matches!(
            self.cover(end),
            Cover::Weak(Tag::Language(spoken)) if spoken != "en" && !self.is_spoken(spoken, to)
        ) && self.has_tags()
            && self.scan.lex.gap(end).plain()
            && (!article || end - from >= 3);
        // No title ends in one of these.
        let edition = matches!(
            self.cover(end),
            Cover::Weak(Tag::Edition(
                "imax" | "extended" | "unrated" | "remastered" | "theatrical" | "uncensored"
            ))
        ) && !SMALL_WORDS.contains(&self.scan.lex.word(end - 1));
        if before_year && to - end == 1 && !language && !edition && !self.shouts(from, end) {
            end = to;
        }
        // `The Complete`
        if end > from + 1
            && matches!(self.cover(end), Cover::Weak(Tag::Complete) | Cover::Strong(Tag::Complete))
            && self.scan.lex.word(end - 1) == "the"
        {
            end -= 1;
        }
        // Nothing but an article is left: the words belong to the title.
        let article = end == from + 1
            && matches!(
                self.scan.lex.word(from),
                "the" | "a" | "an" | "le" | "la" | "der" | "die" | "das"
            );
        if article { to } else { end }
    }

    /// `003. Name - Episode`: in a list the name of the work comes first.
    pub(super) fn title_before_dash(&self, layout: &mut Layout) {
        let lex = &self.scan.lex;
        let [(from, to)] = layout.names.as_slice() else { return };
        let (from, to) = (*from, *to);
        let dash = (from + 1..to).find(|at| lex.is_outside(*at) && lex.gap(*at).spaced_dash());
        if let Some(dash) = dash.filter(|_| to >= self.len() && self.family == Family::Plain) {
            layout.names = vec![(from, dash)];
            layout.episode_title = Some((dash, to));
        }
    }

    /// Whether a language is told from a token on.
    fn is_spoken(&self, language: &str, from: usize) -> bool {
        let told = |cover: &Cover| matches!(cover, Cover::Strong(Tag::Language(one)) | Cover::Weak(Tag::Language(one)) if *one == language);
        self.scan.cover.iter().skip(from).any(told)
    }

    /// Names inside one run of words: `A / B`, `A AKA B`, Chinese beside Latin.
    fn parted(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let lex = &self.scan.lex;
        let mut names = Vec::new();
        let mut begun = from;
        let mut at = from + 1;
        let hangul = (from..to).any(|at| lex.raw(at).starts_with(is_hangul));
        while at < to {
            let aka = lex.word(at) == "aka" && at > begun;
            let class = |index: usize| lex.get(index).map(|token| token.class == Class::Cjk);
            // Korean names hold Latin words: `나는 SOLO 그 후`.
            let turns = class(at) != class(at - 1)
                && self.has_cjk()
                && !hangul
                && lex.gap(at).any(
                    Gap::SPACE.and(Gap::SLASH).and(Gap::PIPE).and(Gap::UNDERSCORE).and(Gap::DOT),
                )
                && lex.get(at).is_some_and(|token| token.class != Class::Digits)
                && lex.get(at - 1).is_some_and(|token| {
                    token.class != Class::Digits || class(begun) == Some(true)
                });
            let slash = lex.gap(at).any(Gap::SLASH) && self.has_cjk();
            let far = |at: usize| lex.raw(at).starts_with(is_far);
            let latin = |at: usize| lex.get(at).is_some_and(|token| token.class == Class::Latin);
            let far_turns = far(at - 1) && latin(at) && lex.gap(at).plain();
            if aka || turns || slash || far_turns {
                names.push((begun, at));
                begun = if aka { at + 1 } else { at };
            }
            at += 1;
        }
        if begun < to {
            names.push((begun, to));
        }
        names
    }

    /// Round brackets behind a name with nothing but words in them. On Russian
    /// trackers the last one names the director.
    pub(super) fn asides(&self, names: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let lex = &self.scan.lex;
        let aside = |to: &usize| {
            let bracket = lex
                .bracket_of(*to)
                .filter(|bracket| bracket.round && bracket.first as usize == *to)?;
            let (first, last) = (bracket.first as usize, bracket.last as usize);
            let words = self.scan.cover.get(first..last)?.iter().all(|cover| *cover == Cover::Word);
            let country = last == first + 1 && lex.get(first).is_some_and(|token| token.len() <= 3);
            let named = self.family != Family::Russian || lex.gap(last).has(Gap::SLASH);
            (words && !country && named).then_some((first, last))
        };
        names.iter().filter_map(|(_, to)| aside(to)).collect()
    }

    /// A name of brackets alone: `[Group][国漫][Title][234][1080P]`.
    pub(super) fn fallback(&self, layout: &mut Layout) {
        let lex = &self.scan.lex;
        let mut options: Vec<(usize, usize)> = Vec::new();
        let long = layout.lead.is_some_and(|(from, to)| to - from >= 3);
        let is_mark = |at: &usize| matches!(self.cover(*at), Cover::Number | Cover::Strong(_));
        let first_mark = (layout.start..self.len()).find(is_mark).unwrap_or_else(|| self.len());
        let mut numbered = false;
        for bracket in &lex.brackets {
            let (first, last) = (bracket.first as usize, bracket.last as usize);
            if first >= last
                || Some((first, last)) == layout.lead
                || first < layout.start && layout.lead.is_some()
            {
                continue;
            }
            // What stands behind the number in a bracket of its own is of the release.
            let covers = self.scan.cover.get(first..last).unwrap_or(&[]);
            numbered |= covers.iter().all(|cover| matches!(cover, Cover::Number));
            if numbered && !options.is_empty() {
                break;
            }
            let words = (first..last)
                .take_while(|at| matches!(self.cover(*at), Cover::Word | Cover::Weak(_)))
                .count();
            if words == 0 || matches!(self.cover(first), Cover::Weak(Tag::Category)) {
                continue;
            }
            // A long name in front of a number is the title itself.
            if long && first_mark < first && options.is_empty() {
                break;
            }
            let mixed = (first..first + words).any(|at| self.cover(at) == Cover::Word);
            if mixed {
                let end = self.without_weak(first, first + words);
                options.extend(self.parted(first, end));
            }
            if options.len() >= 4 {
                break;
            }
        }
        if options.is_empty()
            && let Some(lead) = layout.lead.take()
        {
            options.extend(self.parted(lead.0, self.without_weak(lead.0, lead.1)));
        }
        // A bracket in Latin letters alone before a part of one.
        let whole = |(from, to): &(usize, usize)| {
            let latin =
                (*from..*to).all(|at| lex.get(at).is_some_and(|token| token.class != Class::Cjk));
            let bracket =
                lex.bracket_of(*from).is_some_and(|bracket| bracket.first as usize == *from);
            !(latin && bracket)
        };
        if self.has_cjk() && options.iter().any(|option| !whole(option)) {
            options.sort_by_key(whole);
        }
        options.truncate(MOST_NAMES);
        layout.names = options;
    }
}

/// Scripts that share no letters with Latin names beside them.
const fn is_far(one: char) -> bool {
    matches!(one, '\u{590}'..='\u{6ff}' | '\u{900}'..='\u{e7f}')
}

const fn is_hangul(one: char) -> bool {
    matches!(one, '\u{ac00}'..='\u{d7af}')
}
