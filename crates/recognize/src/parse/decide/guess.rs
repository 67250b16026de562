//! Numbers that may be a season and an episode in one: `Series.525`.

use tracker_domain::number::EpisodeNumber;

use super::{Decider, Family, Resolved};
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::Gap;
use crate::parse::lex::Token;
use crate::parse::scan::Bare;
use crate::parse::vocab::{Tag, look_up};

impl Decider<'_, '_> {
    /// `Series.525`, `Series.0715.720p`: season and episode in one number.
    pub(super) fn guess(&mut self, bare: &[Bare], stop: usize) -> Resolved {
        let none = Resolved::default();
        if !self.scan.seasons.is_empty() || !matches!(self.family, Family::Scene | Family::Plain) {
            return none;
        }
        let Some(chosen) = self.joined_number(bare, stop) else {
            return none;
        };
        // `Title.300.GERMAN`: the number belongs to the title.
        let spoken = matches!(self.cover(stop), Cover::Strong(Tag::Language(_)));
        if spoken && chosen.to == stop {
            return none;
        }
        let Some(number) = self.number_of(chosen) else { return none };
        let (episodes, to) = self.joined_numbers(bare, chosen, number);
        // Events are numbered: `UFC.179.PPV`.
        if to < stop && stop < self.len() || self.cover(to) == Cover::Strong(Tag::Source("ppv")) {
            return none;
        }
        let guessed = (episodes.len() == 1).then_some(number);
        self.take_joined(chosen.from, to, number / 100, &episodes);
        Resolved { guessed, ..Resolved::default() }
    }

    fn number_of(&self, bare: &Bare) -> Option<u32> {
        self.scan.lex.get(bare.from)?.number
    }

    /// The number that may be both, where nothing but numbers comes before the tags.
    fn joined_number<'b>(&self, bare: &'b [Bare], stop: usize) -> Option<&'b Bare> {
        let reaches = |one: &Bare| one.to >= stop || self.runs_to(bare, one.to, stop);
        // `Series_209_Name`, where nothing else says anything.
        let lonely = self.family == Family::Scene && stop >= self.len();
        let mut fitting = bare.iter().filter(|one| self.is_joined(one, stop));
        fitting.clone().find(|one| reaches(one)).or_else(|| fitting.next().filter(|_| lonely))
    }

    fn is_joined(&self, bare: &Bare, stop: usize) -> bool {
        let digits = self.scan.lex.get(bare.from).map_or(0, Token::len);
        let number = self.number_of(bare).unwrap_or(0);
        let televised = matches!(self.cover(stop), Cover::Strong(Tag::Source("hdtv" | "tv")));
        let fits = match digits {
            3 => number >= 100 && !matches!(number, 264 | 265 | 480 | 720),
            4 if number == 1080 => false,
            4 => (100..1880).contains(&number) || televised && bare.to == stop && number > 2100,
            _ => false,
        };
        fits && !number.is_multiple_of(100)
            && bare.numbers.len() == 1
            && bare.from > self.start
            && self.scan.lex.is_outside(bare.from)
    }

    /// The episodes of `103.104`, and the token behind them.
    fn joined_numbers(&self, bare: &[Bare], first: &Bare, number: u32) -> (Vec<u32>, usize) {
        let mut last = number;
        let mut episodes = vec![number % 100];
        let mut to = first.to;
        while let Some(next) = bare.iter().find(|one| one.from == to && one.numbers.len() == 1)
            && self.number_of(next) == Some(last + 1)
            && (last + 1) / 100 == number / 100
        {
            last += 1;
            episodes.push(last % 100);
            to = next.to;
        }
        (episodes, to)
    }

    fn take_joined(&mut self, from: usize, to: usize, season: u32, episodes: &[u32]) {
        self.scan.seasons.push(season);
        self.scan.episodes = episodes.iter().copied().map(EpisodeNumber::whole).collect();
        self.scan.strength = Some(Strength::Guess);
        self.scan.mark(from, to, Cover::Number);
        let first = self.scan.episodes.first().copied().map_or(Value::Text, Value::Episode);
        let rule = "season and episode in one number";
        self.scan.found("seasons", Value::Number(season), from, to, rule);
        self.scan.found("episodes", first, from, to, rule);
    }

    /// `Name.02.09`, `name-04_05.F` and nothing else: season and episode. Tells
    /// whether it was.
    pub(super) fn two_numbers(&mut self, bare: &[Bare]) -> bool {
        let lex = &self.scan.lex;
        let two = |one: &Bare| {
            one.numbers.len() == 1 && lex.get(one.from).is_some_and(|token| token.len() == 2)
        };
        let [.., first, second] = bare else { return false };
        let behind = self.len() - second.to.min(self.len());
        let letter = behind == 1 && lex.get(second.to).is_some_and(|token| token.len() == 1);
        let joint = matches!(lex.gap(second.from), Gap::DOT | Gap::UNDERSCORE);
        let alone = !lex.spaced
            && joint
            && (behind == 0 || letter)
            && first.to == second.from
            && first.from > self.start
            && self.scan.seasons.is_empty()
            && self.family != Family::Anime;
        if !alone || !two(first) || !two(second) || self.has_tags() {
            return false;
        }
        let number = |one: &Bare| lex.get(one.from).and_then(|token| token.number);
        let (Some(season), Some(episode)) = (number(first), number(second)) else { return false };
        self.scan.seasons.push(season);
        self.take(second, "two numbers");
        self.scan.mark(first.from, self.len(), Cover::Number);
        self.scan.episodes = vec![EpisodeNumber::whole(episode)];
        self.scan.strength = Some(Strength::Guess);
        true
    }

    fn runs_to(&self, bare: &[Bare], from: usize, stop: usize) -> bool {
        let mut at = from;
        while at < stop {
            match bare.iter().find(|one| one.from == at) {
                Some(next) => at = next.to,
                None => return false,
            }
        }
        true
    }

    /// `Part.2.HDTV` without a year: an episode of a short series.
    pub(super) fn televised_part(&mut self) {
        let [(part, _)] = self.scan.parts.as_slice() else { return };
        let part = *part;
        let stop = self.hard_stop();
        let television = matches!(self.cover(stop), Cover::Strong(Tag::Source("hdtv" | "tv")));
        let before = stop.checked_sub(2).filter(|at| {
            look_up(self.scan.lex.word(*at)).is_some_and(|known| known.tag == Tag::Part)
        });
        let year = (self.start + 1..self.len()).any(|at| self.cover(at) == Cover::Year);
        if let Some(from) = before.filter(|_| television && !year && self.scan.strength.is_none()) {
            self.scan.episodes = vec![EpisodeNumber::whole(part)];
            self.scan.strength = Some(Strength::Marked);
            self.scan.mark(from, stop, Cover::Number);
        }
    }
}
