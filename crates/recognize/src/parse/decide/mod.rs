//! What the findings of one name mean together: where the title ends, which
//! number is the year, which are episodes.

mod begin;
mod guess;
mod names;
mod numbers;
mod rest;
mod year;

use begin::{begin, family};

use super::finding::Cover;
use super::scan::Scan;
use super::vocab::Tag;

/// Countries that part a remake from its original: `The Office US`.
pub const COUNTRIES: &[&str] = &["US", "UK", "AU", "NZ", "CA"];

/// Words that no title ends in.
const SMALL_WORDS: &[&str] =
    &["the", "a", "an", "of", "le", "la", "les", "der", "die", "das", "el", "il", "in", "on", "my"];

/// Which customs a name follows. Decided by evidence, it steers what a number
/// without a mark may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `[Group] Title - 01 [1080p]`
    Anime,
    /// `Имя / Name / 2019 / …`
    Russian,
    /// `Title.2019.1080p.WEB-GRP`
    Scene,
    /// Anything else.
    Plain,
}

/// Where things stand in a name, by tokens.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The customs.
    pub family: Family,
    /// The first token of the title.
    pub start: usize,
    /// The token behind the title.
    pub end: usize,
    /// The tokens of each name of the title.
    pub names: Vec<(usize, usize)>,
    /// Names in brackets behind a name.
    pub asides: Vec<(usize, usize)>,
    /// A leading bracket that may name the group.
    pub lead: Option<(usize, usize)>,
    /// The year, its end where it is a range, and its tokens.
    pub year: Option<(u32, Option<u32>, usize, usize)>,
    /// The tokens of the episode's name.
    pub episode_title: Option<(usize, usize)>,
    /// The tokens of the group.
    pub group: Option<(usize, usize)>,
    /// Episode numbers were read without a season and count through.
    pub absolute: bool,
    /// Both readings of a number such as `102` are kept.
    pub guessed: Option<u32>,
}

/// Decides.
pub fn decide(scan: &mut Scan<'_>) -> Layout {
    let (start, lead) = begin(scan);
    let family = family(scan, start, lead);
    let mut decider = Decider { scan, start, family };
    decider.keep_words_of_the_title();
    let resolved = decider.resolve_bare();
    decider.title(lead, resolved)
}

/// What became of the numbers without a mark.
#[derive(Clone, Copy, Debug, Default)]
struct Resolved {
    absolute: bool,
    guessed: Option<u32>,
    /// The number stands in front: `003. Name`.
    listed: bool,
}

struct Decider<'s, 'a> {
    scan: &'s mut Scan<'a>,
    start: usize,
    family: Family,
}

impl Decider<'_, '_> {
    fn cover(&self, at: usize) -> Cover {
        self.scan.cover.get(at).copied().unwrap_or(Cover::Word)
    }

    fn len(&self) -> usize {
        self.scan.lex.tokens.len()
    }

    /// A token that no title goes past.
    fn is_hard(&self, at: usize) -> bool {
        matches!(
            self.cover(at),
            Cover::Strong(_) | Cover::Number | Cover::Date | Cover::Crc | Cover::Site
        )
    }

    /// `The Final Cut`, `Night of the Telesync`: behind an article or a
    /// preposition stands a word of the title, whatever else it may say.
    fn keep_words_of_the_title(&mut self) {
        for _ in 0..3 {
            let stop = self.hard_stop();
            let Cover::Strong(tag) = self.cover(stop) else { return };
            let before = stop.checked_sub(1).filter(|at| *at >= self.start);
            let small = before.is_some_and(|at| SMALL_WORDS.contains(&self.scan.lex.word(at)));
            // `Final Cut 2022`: the first word of the name is a part of the mark.
            let halved =
                stop == self.start + 1 && matches!(self.cover(self.start), Cover::Strong(_));
            // `BDRip` and `TRUEFRENCH` are no words of any title.
            let word = self.scan.lex.word(stop);
            let technical = matches!(tag, Tag::Resolution(_) | Tag::Video(_) | Tag::Complete)
                || word.ends_with("rip") && word.len() > 3
                || word.ends_with("mux")
                || self.shouts(self.start, stop) && word.len() > 3;
            let near = self.scan.lex.is_outside(stop) && self.scan.lex.gap(stop).plain();
            if technical || !near || !(small || halved) {
                return;
            }
            let width = usize::from(self.scan.width.get(stop).copied().unwrap_or(1).max(1));
            let mut end = stop + width;
            // `Ultimate Edition` is two marks that belong together.
            while matches!(self.cover(end), Cover::Strong(Tag::Cut | Tag::Edition(_))) {
                end += 1;
            }
            let from = if halved { self.start } else { stop };
            self.scan.mark(from, end, Cover::Word);
        }
    }

    /// The first token behind the start that no title goes past.
    fn hard_stop(&self) -> usize {
        (self.start..self.len())
            .find(|at| {
                self.is_hard(*at)
                    && (*at > self.start
                        || self.cover(*at) == Cover::Number
                        || self.cover(*at) == Cover::Date)
            })
            .unwrap_or_else(|| self.len())
    }

    fn has_cjk(&self) -> bool {
        self.scan.lex.cjk
    }

    fn has_tags(&self) -> bool {
        self.scan.cover.iter().any(|cover| matches!(cover, Cover::Strong(_)))
    }

    /// `EXTENDED` behind a title that is not in capitals.
    fn shouts(&self, from: usize, at: usize) -> bool {
        let is_loud = |at: usize| {
            let word = self.scan.lex.raw(at);
            // Release groups write `MULTi` and `LiMiTED`.
            word.len() > 2
                && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'i')
                && word.bytes().filter(u8::is_ascii_uppercase).count() > 1
        };
        is_loud(at) && !is_loud(from)
    }

    fn title(mut self, lead: Option<(usize, usize)>, resolved: Resolved) -> Layout {
        let stop = self.hard_stop();
        let year = match self.scan.date {
            Some(_) => self.boxed_year(),
            None => self.year(stop),
        };
        let mut end = stop.max(self.start);
        match year {
            // `2008 Some Long Title`
            Some((_, _, at, to)) if at == self.start => self.start = to,
            Some((_, _, at, _)) => end = end.min(at),
            None => {}
        }
        let names = self.names(end, year.map(|(_, _, at, _)| at));
        let mut layout = Layout {
            family: self.family,
            start: self.start,
            end: names.iter().map(|(_, to)| *to).max().unwrap_or(end),
            asides: self.asides(&names),
            names,
            lead,
            year,
            episode_title: None,
            group: None,
            absolute: resolved.absolute,
            guessed: resolved.guessed,
        };
        let boxed = !self.scan.lex.is_outside(self.start)
            && self.start < self.len()
            && self.scan.lex.bracket_of(self.start).is_some_and(|bracket| !bracket.round);
        if layout.names.is_empty() || boxed {
            self.fallback(&mut layout);
        }
        self.episode_title(&mut layout);
        if resolved.listed {
            self.title_before_dash(&mut layout);
        }
        self.group(&mut layout);
        layout
    }
}

/// Whether a weak word comes off the end of a title before the words of a release.
const fn strips(tag: Tag) -> bool {
    match tag {
        Tag::Of
        | Tag::Part
        | Tag::Month(_)
        | Tag::Cut
        | Tag::Season
        | Tag::Episode
        | Tag::End
        | Tag::Category
        | Tag::Special
        | Tag::Foreign(_) => false,
        Tag::Edition(name) => !matches!(
            name.as_bytes(),
            b"special"
                | b"final"
                | b"ultimate"
                | b"collectors"
                | b"anniversary"
                | b"criterion"
                | b"alternative"
        ),
        _ => true,
    }
}
