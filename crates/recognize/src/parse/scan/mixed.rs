//! Words of releases with digits in them: `400p`, `DDP5`, `1920x1080`, `2of4`.

use tracker_domain::number::EpisodeNumber;

use super::Scan;
use crate::parse::finding::{Cover, Strength, Value};
use crate::parse::lex::Gap;
use crate::parse::piece;
use crate::parse::vocab::{Tag, look_up};

impl Scan<'_> {
    /// Tags with digits in them that the vocabulary cannot list.
    pub(super) fn mixed_tag(&mut self, at: usize) -> Option<usize> {
        let word = self.lex.word(at).to_owned();
        let word = word.as_str();
        if look_up(word).is_some() {
            return None;
        }
        if piece::picture(word).is_some() {
            return Some(self.strong(at, at + 1, Tag::Resolution("")));
        }
        if let Some(number) = piece::ordinal(word) {
            return self.ordinal_season(at, number);
        }
        self.crc(at)
            .or_else(|| self.several_discs(at, word))
            .or_else(|| self.numbered_part(at, word))
            .or_else(|| self.amount(at, word))
            .or_else(|| self.picture_height(at, word))
            .or_else(|| self.last_number(at, word))
            .or_else(|| self.number_of(at, word))
            .or_else(|| self.sound(at, word))
    }

    fn strong(&mut self, from: usize, to: usize, tag: Tag) -> usize {
        self.cover(from, to, Cover::Strong(tag));
        to
    }

    /// `2nd season`, `1ª a 8ª Temporada`
    pub(super) fn ordinal_season(&mut self, at: usize, number: u32) -> Option<usize> {
        let gap = self.lex.gap(at + 1);
        let to = gap.plain() && matches!(self.lex.word(at + 1), "a" | "à" | "to" | "bis");
        let second = at + 1 + usize::from(to);
        if (to || gap.any(Gap::RANGE))
            && let Some(last) = piece::ordinal(self.lex.word(second)).filter(|last| *last > number)
            && self.tag_of(second + 1) == Some(Tag::Season)
            && self.lex.gap(second + 1).plain()
        {
            let seasons: Vec<u32> = (number..=last.min(number + 100)).collect();
            self.add_seasons(&seasons, at, second + 2, "season word");
            return Some(second + 2);
        }
        if self.tag_of(at + 1) != Some(Tag::Season) || !gap.plain() {
            return None;
        }
        self.add_seasons(&[number], at, at + 2, "season word");
        Some(self.episodes_behind_season(at + 2).unwrap_or(at + 2))
    }

    /// `2DVD5`
    fn several_discs(&mut self, at: usize, word: &str) -> Option<usize> {
        let rest = word.strip_prefix(|one: char| one.is_ascii_digit())?;
        let tag = look_up(rest)?.tag;
        matches!(tag, Tag::Source(_)).then(|| self.strong(at, at + 1, tag))
    }

    /// `cd1`, `pt2`, `part01`, `CD1of2`
    fn numbered_part(&mut self, at: usize, word: &str) -> Option<usize> {
        let (front, _) = word.split_once(|one: char| one.is_ascii_digit())?;
        if at == 0 || !matches!(front, "cd" | "pt" | "part" | "disc" | "disk") {
            return None;
        }
        let rest = word.strip_prefix(front)?;
        let number = rest.split("of").next().unwrap_or(rest).parse::<u32>().ok()?;
        if number >= 100 {
            return None;
        }
        self.parts.push((number, at));
        self.found("part", Value::Number(number), at, at + 1, "part word");
        Some(self.strong(at, at + 1, Tag::Part))
    }

    /// `700mb`, `1.4GB`, `23.976fps`
    fn amount(&mut self, at: usize, word: &str) -> Option<usize> {
        let unit = word.trim_start_matches(|one: char| one.is_ascii_digit());
        let known =
            matches!(unit, "gb" | "mb" | "gib" | "mib" | "kbps" | "mbps" | "fps" | "hz" | "khz")
                || matches!(unit, "ch" | "bit" | "bits" | "min");
        if !known {
            return None;
        }
        let before = at.checked_sub(1).filter(|before| self.digits(*before, 3).is_some());
        let from = before.filter(|_| self.lex.gap(at) == Gap::DOT).unwrap_or(at);
        self.bare.retain(|bare| bare.to <= from);
        Some(self.strong(from, at + 1, Tag::Junk))
    }

    /// `400p`, `1080p60`
    fn picture_height(&mut self, at: usize, word: &str) -> Option<usize> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let letter = word.trim_start_matches(|one: char| one.is_ascii_digit());
        let plain = matches!(letter, "p" | "i" | "р") && word.len() - letter.len() >= 3;
        let rate = word.rsplit_once(['p', 'i']).is_some_and(|(height, rate)| {
            (3..=4).contains(&height.len()) && rate.len() == 2 && digits(height) && digits(rate)
        });
        (plain || rate).then(|| self.strong(at, at + 1, Tag::Resolution("")))
    }

    /// `[12END]`, `08fin`
    fn last_number(&mut self, at: usize, word: &str) -> Option<usize> {
        let number = ["end", "final", "fin"].into_iter().find_map(|end| word.strip_suffix(end))?;
        let number = EpisodeNumber::whole(number.parse().ok()?);
        let place = self.place(at, at + 1);
        self.push_bare(at, at + 1, vec![number], None, place);
        Some(at + 1)
    }

    /// `2of4`
    fn number_of(&mut self, at: usize, word: &str) -> Option<usize> {
        let (number, count) = piece::number_of(word)?;
        self.count = Some(count);
        self.add_episodes(&[number], Strength::Marked, at, at + 1, "number of a count");
        Some(at + 1)
    }

    /// `2xAC3`, `DDP5.1`, `AAC2.0`, `FLAC2`, `DD51`
    fn sound(&mut self, at: usize, word: &str) -> Option<usize> {
        let audio = |word: &str| look_up(word).map(|known| known.tag).filter(is_audio);
        let behind = word.trim_start_matches(|one: char| one.is_ascii_digit());
        if let Some(tag) = behind.strip_prefix('x').and_then(audio) {
            return Some(self.strong(at, at + 1, tag));
        }
        let letters = word.trim_end_matches(|one: char| one.is_ascii_digit());
        let channels = word.len() - letters.len();
        let tag = audio(letters).filter(|_| (1..=2).contains(&channels))?;
        let pair = self.lex.gap(at + 1).within(Gap::DOT.and(Gap::SPACE))
            && self.digits(at + 1, 1).is_some();
        let to = if channels == 1 && pair { at + 2 } else { at + 1 };
        Some(self.strong(at, to, tag))
    }
}

fn is_audio(tag: &Tag) -> bool {
    matches!(tag, Tag::Audio(_))
}
