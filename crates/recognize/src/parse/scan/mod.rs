//! The one pass: every token gets its cover, numbers and days are read.
//!
//! Nothing is decided here that depends on the whole name; `decide` does that.

mod bare;
mod behind;
mod cjk;
mod date;
mod marked;
mod mixed;
mod phrase;
mod tag;
mod worded;

use tracker_domain::number::{Date, EpisodeNumber};
use tracker_domain::remark::Remark;

use super::finding::{Cover, Found, Strength, Value};
use super::lex::{Class, Gap, Lexed};
use super::piece;
use super::vocab::{Tag, look_up};

/// A run of numbers that may be episodes, where nothing says so.
#[derive(Clone, Debug)]
pub struct Bare {
    /// Its first token.
    pub from: usize,
    /// The token behind it.
    pub to: usize,
    /// The numbers.
    pub numbers: Vec<EpisodeNumber>,
    /// The version behind them.
    pub version: Option<u32>,
    /// How it stands there.
    pub place: Place,
}

/// Where a bare number stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind a dash with room: ` - 03`.
    Dash,
    /// Alone in a bracket: `[03]`.
    Bracket,
    /// Behind a number sign: `#03`.
    Hash,
    /// Between words.
    Inline,
}

/// What the pass has found.
#[derive(Debug)]
pub struct Scan<'a> {
    /// The name.
    pub lex: Lexed<'a>,
    /// The cover of each token.
    pub cover: Vec<Cover>,
    /// How many tokens a cover takes, at the first of them.
    pub width: Vec<u8>,
    /// What was read, by its place.
    pub found: Vec<Found>,
    /// Seasons.
    pub seasons: Vec<u32>,
    /// Episodes that are marked as such.
    pub episodes: Vec<EpisodeNumber>,
    /// How they are marked.
    pub strength: Option<Strength>,
    /// How many there are.
    pub count: Option<u32>,
    /// The version of the release.
    pub version: Option<u32>,
    /// The day.
    pub date: Option<Date>,
    /// A day and a month without a year.
    pub day_month: Option<(u8, u8)>,
    /// Numbers that may be of parts of a film, and where.
    pub parts: Vec<(u32, usize)>,
    /// The part of a season.
    pub season_part: Option<u32>,
    /// Numbers that may be episodes.
    pub bare: Vec<Bare>,
    /// Numbers that count through, beside those of a season.
    pub beside: Vec<EpisodeNumber>,
    /// A word that says it is a special.
    pub special: bool,
    /// A word of releases that no title has came before.
    tagged: bool,
    /// What is odd about the numbers.
    pub odd: Option<Remark>,
}

/// More episodes than a series has are a mistake.
const MOST_EPISODES: u32 = 3000;
/// More seasons than a series has.
const MOST_SEASONS: usize = 300;
/// A name of numbers alone gives no more for being longer.
const MOST_BARE: usize = 64;
/// A longer list of numbers says nothing more.
const MOST_LISTED: usize = 64;
/// A name that repeats itself gives no more evidence for being longer.
const MOST_FOUND: usize = 256;

/// Numbers joined by dashes and commas.
struct List {
    numbers: Vec<u32>,
    next: usize,
    digits: u32,
}

impl<'a> Scan<'a> {
    /// Reads a name.
    pub fn new(text: &'a str) -> Self {
        let lex = Lexed::new(text);
        let count = lex.tokens.len();
        let mut scan = Scan {
            lex,
            cover: vec![Cover::Word; count],
            width: vec![1; count],
            found: Vec::with_capacity(8),
            seasons: Vec::new(),
            episodes: Vec::new(),
            strength: None,
            count: None,
            version: None,
            date: None,
            day_month: None,
            parts: Vec::new(),
            season_part: None,
            bare: Vec::new(),
            beside: Vec::new(),
            special: false,
            tagged: false,
            odd: None,
        };
        let mut at = 0;
        while at < count {
            let next = scan.step(at);
            at = next.max(at + 1);
        }
        scan
    }

    fn step(&mut self, at: usize) -> usize {
        let Some(token) = self.lex.get(at).copied() else { return at + 1 };
        let next = match token.class {
            Class::Digits => {
                self.special_number(at).or_else(|| self.date(at)).or_else(|| self.number(at))
            }
            Class::Mixed => self
                .marked(at)
                .or_else(|| self.version_bare(at))
                .or_else(|| self.mixed_tag(at))
                .or_else(|| self.tag(at)),
            Class::Cyrillic => self.marked(at).or_else(|| self.worded(at)).or_else(|| self.tag(at)),
            Class::Cjk => self.cjk(at).or_else(|| self.tag(at)),
            Class::Other => self
                .mixed_tag(at)
                .or_else(|| self.site(at))
                .or_else(|| self.worded(at))
                .or_else(|| self.tag(at)),
            Class::Latin => self.site(at).or_else(|| self.worded(at)).or_else(|| self.tag(at)),
        };
        next.unwrap_or(at + 1)
    }

    fn number(&mut self, at: usize) -> Option<usize> {
        if self.bare.len() >= MOST_BARE {
            return None;
        }
        self.counted(at).or_else(|| self.bare(at))
    }

    fn digits(&self, at: usize, most: u32) -> Option<u32> {
        let token = self.lex.get(at)?;
        token.number.filter(|_| token.len() <= most)
    }

    fn is_of_length(&self, at: usize, length: u32) -> bool {
        self.lex.get(at).is_some_and(|token| token.len() == length)
    }

    fn tag_of(&self, at: usize) -> Option<Tag> {
        look_up(self.lex.word(at)).map(|known| known.tag)
    }

    /// Puts a cover on some tokens.
    pub fn mark(&mut self, from: usize, to: usize, cover: Cover) {
        for slot in self.cover.iter_mut().take(to).skip(from) {
            *slot = cover;
        }
    }

    /// The same for tokens that are one thing.
    fn cover(&mut self, from: usize, to: usize, cover: Cover) {
        self.mark(from, to, cover);
        self.tagged |= matches!(cover, Cover::Strong(_));
        if let Some(width) = self.width.get_mut(from) {
            *width = u8::try_from(to - from).unwrap_or(u8::MAX);
        }
    }

    /// Notes what was read, and where.
    pub fn found(
        &mut self,
        field: &'static str,
        value: Value,
        from: usize,
        to: usize,
        rule: &'static str,
    ) {
        if self.found.len() >= MOST_FOUND {
            return;
        }
        let start = self.lex.get(from).map_or(0, |token| token.start);
        let end =
            to.checked_sub(1).and_then(|last| self.lex.get(last)).map_or(start, |token| token.end);
        self.found.push(Found { field, value, start, end, rule });
    }

    fn numbers_at(&self, at: usize) -> Option<piece::Numbers> {
        let token = self.lex.get(at)?;
        let word = self.lex.lower_of(token);
        match token.class {
            Class::Mixed => piece::numbers(word).or_else(|| {
                // `1x01-x03`, `S03-x01`: a cross behind a number.
                let before = at.checked_sub(1).map(|before| self.cover.get(before));
                let behind =
                    before == Some(Some(&Cover::Number)) || at > 0 && token.gap == Gap::DASH;
                let episode = piece::cross(word).filter(|_| behind)?;
                Some(piece::Numbers {
                    episodes: vec![episode],
                    digits: 2,
                    ..piece::Numbers::default()
                })
            }),
            Class::Cyrillic if word.bytes().any(|byte| byte.is_ascii_digit()) => {
                piece::numbers(&piece::latin(word)).or_else(|| piece::numbers(word))
            }
            _ => None,
        }
    }

    /// Numbers from `at` on, joined by dashes (a range) or commas (a list).
    fn list(&self, at: usize, roomy: bool) -> Option<List> {
        const MORE: Gap = Gap::COMMA.and(Gap::PLUS).and(Gap::AMPERSAND);
        let first = self.lex.get(at)?;
        let room = if roomy { Gap::SPACE.and(Gap::UNDERSCORE) } else { Gap::NONE };
        let mut list =
            List { numbers: vec![self.digits(at, 4)?], next: at + 1, digits: first.len() };
        while let Some(token) = self.lex.get(list.next).filter(|_| list.next - at < MOST_LISTED) {
            let gap = token.gap;
            // `Ep.01.-.12`: points in the place of spaces.
            let point = if self.lex.spaced { Gap::NONE } else { Gap::DOT };
            let wide = if roomy { room.and(point) } else { room };
            let range = gap.any(Gap::RANGE) && gap.within(Gap::RANGE.and(wide));
            let more = gap.any(MORE) && gap.within(MORE.and(Gap::SPACE).and(point));
            let to = gap.plain() && matches!(self.lex.word(list.next), "to" | "по" | "до" | "thru");
            let last = list.numbers.last().copied().unwrap_or(0);
            // `3 en 4`, `3 and 4`
            let and = gap.plain()
                && matches!(self.lex.word(list.next), "and" | "en" | "und" | "et" | "и")
                && self.digits(list.next + 1, 4) == Some(last + 1);
            if !(range || more || to || and) {
                break;
            }
            let place = list.next + usize::from(to || and);
            let Some(number) = self.digits(place, 4).filter(|number| *number > last) else { break };
            if !to && token.bracket != first.bracket {
                break;
            }
            if (range || to) && number - last < MOST_EPISODES {
                list.numbers.extend(last + 1..=number);
            } else if !to {
                list.numbers.push(number);
            }
            list.next = place + 1;
        }
        Some(list)
    }

    /// `из 20`, `of 20`, `из ??`: the count, and what is behind it.
    fn of(&self, at: usize) -> Option<(Option<u32>, usize)> {
        if self.tag_of(at) != Some(Tag::Of) || self.lex.gap(at).any(Gap::SLASH.and(Gap::CLOSE)) {
            return None;
        }
        match self.digits(at + 1, 4) {
            Some(count) => Some((Some(count), at + 2)),
            // Not known yet: `из ??`, `из XX`.
            None if matches!(self.lex.word(at), "из" | "з") => match self.lex.word(at + 1) {
                "xx" | "хх" | "n" => Some((None, at + 2)),
                _ => Some((None, at + 1)),
            },
            None => None,
        }
    }

    /// Whether a phrase ends before a token: a bracket, a dash, the end, a tag.
    fn ends_phrase(&self, at: usize) -> bool {
        let gap = self.lex.gap(at);
        self.lex.get(at).is_none()
            || gap.any(Gap::OPEN.and(Gap::CLOSE).and(Gap::PIPE))
            || gap.spaced_dash()
            || look_up(self.lex.word(at)).is_some()
            || self.lex.get(at).is_some_and(|token| token.class == Class::Mixed)
    }

    fn add_seasons(&mut self, numbers: &[u32], from: usize, to: usize, rule: &'static str) {
        for number in numbers {
            if !self.seasons.contains(number) && self.seasons.len() < MOST_SEASONS {
                self.seasons.push(*number);
            }
        }
        let value = range_of(numbers);
        self.found("seasons", value, from, to, rule);
        self.cover(from, to, Cover::Number);
    }

    fn add_episodes(
        &mut self,
        numbers: &[u32],
        strength: Strength,
        from: usize,
        to: usize,
        rule: &'static str,
    ) {
        self.cover(from, to, Cover::Number);
        match self.strength {
            Some(known) if known > strength => {
                if known == Strength::Full && rule == "number of a count" {
                    self.odd = Some(Remark::PartCountedBeside);
                }
                return;
            }
            Some(known) if known < strength => self.episodes.clear(),
            _ => {}
        }
        self.strength = Some(strength);
        if !numbers.is_sorted_by(|one, next| one < next) {
            self.odd = Some(Remark::NumbersBackwards);
        }
        let far = |pair: &[u32]| matches!(pair, [one, next] if next.saturating_sub(*one) >= MOST_EPISODES);
        if numbers.windows(2).any(far) {
            self.odd = Some(Remark::LongRange);
        }
        // A name that repeats itself says no more.
        let room = (MOST_EPISODES as usize).saturating_sub(self.episodes.len());
        for number in numbers.iter().take(room) {
            self.episodes.push(EpisodeNumber::whole(*number));
        }
        let value = range_of(numbers);
        self.found("episodes", value, from, to, rule);
    }
}

fn range_of(numbers: &[u32]) -> Value {
    match numbers {
        [] => Value::Text,
        [only] => Value::Number(*only),
        [first, .., last] => Value::Range(*first, *last),
    }
}
