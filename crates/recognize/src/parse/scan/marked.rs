//! Numbers with a mark: `S01E02`, `1x02`, `E05`, `S01` and what goes on behind them.

use tracker_domain::number::EpisodeNumber;
use tracker_domain::remark::Remark;

use super::{MOST_EPISODES, MOST_SEASONS, Scan};
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::{Class, Gap};
use crate::parse::piece;

/// Numbers of several tokens that belong together.
struct Run {
    seasons: Vec<u32>,
    episodes: Vec<u32>,
    version: Option<u32>,
    /// The token behind them.
    next: usize,
}

impl Scan<'_> {
    /// `S01E02`, `1x02`, `E05`, `S01` and what goes on behind them.
    pub(super) fn marked(&mut self, at: usize) -> Option<usize> {
        if let Some(number) = piece::special(self.lex.word(at)) {
            self.special = true;
            self.add_episodes(&[number], Strength::Marked, at, at + 1, "special");
            return Some(at + 1);
        }
        let numbers = self.numbers_at(at)?;
        if numbers.half {
            self.odd = Some(Remark::PartByLetter);
        }
        match (numbers.seasons.is_empty(), numbers.episodes.is_empty()) {
            (false, false) => self.full(at, &numbers),
            (false, true) => self.season_mark(at, &numbers),
            (true, false) => self.episode_mark(at, &numbers),
            (true, true) => None,
        }
    }

    /// `S01E02` and what is joined to it: `S01E01-E03`, `1x02-03`, `S01E01 S01E02`.
    fn full(&mut self, at: usize, numbers: &piece::Numbers) -> Option<usize> {
        // `2x2` in a bracket is a channel or a count of sound tracks.
        if numbers.crossed && numbers.digits < 2 && !self.lex.is_outside(at) {
            return None;
        }
        let Run { seasons, episodes, version, mut next } = self.full_run(at, numbers)?;
        if let Some((count, behind)) = self.of(next).filter(|(count, _)| count.is_some()) {
            self.count = count;
            self.cover(next, behind, Cover::Number);
            next = behind;
        }
        self.version = self.version.or(version);
        if self.strength == Some(Strength::Full) {
            // The same again, as in a name that was written twice.
            self.cover(at, next, Cover::Number);
            return Some(next);
        }
        self.add_seasons(&seasons, at, next, "season and episode");
        self.add_episodes(&episodes, Strength::Full, at, next, "season and episode");
        Some(self.half_behind(next).unwrap_or(next))
    }

    /// `.5` of `S01E12.5.1080p`: between two episodes.
    fn half_behind(&mut self, at: usize) -> Option<usize> {
        let tenth = self.digits(at, 1).filter(|_| self.lex.gap(at) == Gap::DOT)?;
        let [only] = self.episodes.as_slice() else { return None };
        let behind = self.lex.get(at + 1);
        let ends = behind.is_none_or(|token| token.class == Class::Mixed)
            || self.lex.gap(at + 1).any(Gap::OPEN.and(Gap::SPACE))
            || self.tag_of(at + 1).is_some();
        let number = EpisodeNumber::with_hundredths(only.as_whole().filter(|_| ends)?, tenth * 10);
        self.episodes = vec![number];
        self.cover(at, at + 1, Cover::Number);
        self.found("episodes", Value::Episode(number), at, at + 1, "tenths of an episode");
        Some(at + 1)
    }

    fn full_run(&self, at: usize, numbers: &piece::Numbers) -> Option<Run> {
        let season = *numbers.seasons.first()?;
        let mut run = Run {
            seasons: numbers.seasons.clone(),
            episodes: numbers.episodes.clone(),
            version: numbers.version,
            next: at + 1,
        };
        loop {
            let gap = self.lex.gap(run.next);
            if !gap.within(Gap::JOINT) {
                break;
            }
            // `S01E01 to E05`, `S01E01 and S01E02`
            let between = self.lex.word(run.next);
            let to = matches!(between, "to" | "thru" | "through");
            let word = (to || between == "and") && self.numbers_at(run.next + 1).is_some();
            let place = run.next + usize::from(word);
            let range = gap.any(Gap::RANGE) || to && word;
            let last = run.episodes.last().copied()?;
            if let Some(more) = self.numbers_at(place).filter(|more| !more.episodes.is_empty()) {
                let same = more.seasons.first().is_none_or(|other| *other == season);
                if more.crossed != numbers.crossed && !more.seasons.is_empty() {
                    break;
                }
                if same && range {
                    up_to(&mut run.episodes, *more.episodes.first()?);
                } else if !same {
                    run.seasons.extend(more.seasons.iter().copied());
                }
                run.episodes.extend(more.episodes.iter().copied());
                run.version = run.version.or(more.version);
            } else if let Some(number) = self.tight_episode(place, last) {
                if range {
                    up_to(&mut run.episodes, number);
                }
                run.episodes.push(number);
            } else {
                break;
            }
            run.next = place + 1;
        }
        Some(run)
    }

    /// `03` of `S01E01-03`: close behind, and greater than the one before.
    fn tight_episode(&self, at: usize, last: u32) -> Option<u32> {
        let tight = [Gap::DASH, Gap::TILDE, Gap::PLUS, Gap::AMPERSAND, Gap::COMMA];
        let number = self.digits(at, 3).filter(|number| *number > last && number - last < 200)?;
        let close = tight.contains(&self.lex.gap(at));
        close.then_some(number)
    }

    /// `S01` and what goes on: `S01E02` with room, `S01-S03`, `S2 - 07`.
    pub(super) fn season_mark(&mut self, at: usize, numbers: &piece::Numbers) -> Option<usize> {
        let first = *numbers.seasons.first()?;
        let short = self.lex.get(at).is_some_and(|token| token.len() == 2);
        // Behind the words of a release it is the name of a group: `x264-S97`.
        if self.tagged && (self.lex.gap(at) == Gap::DASH || !self.lex.is_outside(at)) {
            return None;
        }
        // One letter and one digit in front of words are a name: `S4 The Story`.
        let worded =
            |next: &crate::parse::lex::Token| next.class == Class::Latin && next.gap == Gap::SPACE;
        if at == 0 && short && self.lex.get(1).is_some_and(worded) {
            return None;
        }
        let mut seasons = numbers.seasons.clone();
        let mut next = at + 1;
        while let Some(gap) = self.lex.get(next).map(|token| token.gap)
            && gap.within(Gap::JOINT)
            && seasons.len() < MOST_SEASONS
        {
            let last = seasons.last().copied().unwrap_or(first);
            if let Some(width) = self.more_seasons(next, &mut seasons, last) {
                next += width;
                continue;
            }
            let Some(other) = self.digits(next, 2).filter(|_| is_tight_range(gap)) else { break };
            // `S2-07` is an episode, `S01-07` a range.
            let padded = self.lex.word(next).starts_with('0') || other > last + 12;
            if short && seasons.len() == 1 && padded {
                self.add_seasons(&seasons, at, next + 1, "season and episode");
                self.add_episodes(&[other], Strength::Full, at, next + 1, "season and episode");
                return Some(next + 1);
            }
            if other <= last {
                break;
            }
            seasons.extend(last + 1..=other);
            next += 1;
        }
        self.add_seasons(&seasons, at, next, "season");
        Some(self.episodes_behind_season(next).unwrap_or(next))
    }

    /// A further season at a token, and how many tokens it takes: `S03`, `to S03`.
    fn more_seasons(&self, at: usize, seasons: &mut Vec<u32>, last: u32) -> Option<usize> {
        let season = |at: usize| {
            let more = self.numbers_at(at).filter(|more| more.episodes.is_empty())?;
            more.seasons.first().copied()
        };
        if matches!(self.lex.word(at), "to" | "по" | "до")
            && let Some(other) = season(at + 1)
        {
            seasons.extend((last + 1..=other).take(100));
            return Some(2);
        }
        let other = season(at)?;
        if self.lex.gap(at).any(Gap::RANGE) && other > last && other - last < 100 {
            seasons.extend(last + 1..=other);
        } else if !seasons.contains(&other) {
            seasons.push(other);
        }
        Some(1)
    }

    /// `E05` and what is joined to it: `E05-E07`, `E05 - 07`, `E05 из 12`.
    pub(super) fn episode_mark(&mut self, at: usize, numbers: &piece::Numbers) -> Option<usize> {
        // A letter and a number at the beginning is a name: `E1` the channel.
        let padded = self.lex.word(at).len() > 2;
        if at == 0 && self.lex.tokens.len() > 1 && !self.lex.word(0).starts_with("ep") && !padded {
            return None;
        }
        let (episodes, mut next) = self.episode_run(at, numbers)?;
        if let Some((count, behind)) = self.of(next) {
            self.count = self.count.or(count);
            self.cover(next, behind, Cover::Number);
            next = behind;
        }
        self.version = self.version.or(numbers.version);
        self.add_episodes(&episodes, Strength::Marked, at, next, "episode");
        Some(self.tenths(next).unwrap_or(next))
    }

    fn episode_run(&self, at: usize, numbers: &piece::Numbers) -> Option<(Vec<u32>, usize)> {
        let same = |more: &piece::Numbers| {
            let season = more.seasons.first();
            season.is_none() || season == self.seasons.last() && !more.episodes.is_empty()
        };
        let mut episodes = numbers.episodes.clone();
        let mut next = at + 1;
        loop {
            let gap = self.lex.gap(next);
            let joined = gap.within(Gap::JOINT);
            let last = episodes.last().copied()?;
            if let Some(more) = self.numbers_at(next).filter(|more| joined && same(more)) {
                if gap.any(Gap::RANGE) {
                    up_to(&mut episodes, *more.episodes.first()?);
                }
                episodes.extend(more.episodes.iter().copied());
            } else if let Some(number) = self.loose_episode(next, last) {
                up_to(&mut episodes, number);
                episodes.push(number);
            } else {
                return Some((episodes, next));
            }
            next += 1;
        }
    }

    /// `07` of `E05-07` and of `E05 - 07`.
    fn loose_episode(&self, at: usize, last: u32) -> Option<u32> {
        let gap = self.lex.gap(at);
        let roomy = gap == Gap::DASH.and(Gap::SPACE);
        let number = self.digits(at, 4).filter(|number| *number > last)?;
        let fits = number - last < MOST_EPISODES && !(1900..2100).contains(&number);
        let ends = is_tight_range(gap) || roomy && self.ends_phrase(at + 1);
        (fits && ends).then_some(number)
    }

    /// `24.9` behind a mark: the tenths of an episode.
    pub(super) fn tenths(&mut self, at: usize) -> Option<usize> {
        let tenth = self.digits(at, 1)?;
        let ends = self.lex.get(at + 1).is_none()
            || self.lex.gap(at + 1).any(Gap::OPEN.and(Gap::CLOSE).and(Gap::SPACE));
        if self.lex.gap(at) != Gap::DOT || !ends || self.strength > Some(Strength::Marked) {
            return None;
        }
        let whole = self.episodes.pop()?;
        let number = EpisodeNumber::with_hundredths(whole.as_whole()?, tenth * 10);
        self.episodes.push(number);
        self.cover(at, at + 1, Cover::Number);
        self.found("episodes", Value::Episode(number), at, at + 1, "tenths of an episode");
        Some(at + 1)
    }
}

/// Adds what lies between the last number and another one, without it.
fn up_to(numbers: &mut Vec<u32>, number: u32) {
    let last = numbers.last().copied().unwrap_or(number);
    let near = number > last && number - last < MOST_EPISODES;
    if near && numbers.len() < MOST_EPISODES as usize {
        numbers.extend(last + 1..number);
    }
}

pub(super) fn is_tight_range(gap: Gap) -> bool {
    gap == Gap::DASH || gap == Gap::TILDE
}
