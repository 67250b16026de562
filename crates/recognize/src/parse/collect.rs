//! Writes down what was decided, as fields with their evidence.

mod ambiguous;

use tracker_domain::number::Date;
use tracker_domain::recognised::{Fields, TitleKind};

use super::decide::{COUNTRIES, Family, Layout};
use super::finding::{Cover, Found, Strength, Value};
use super::lex::Gap;
use super::scan::Scan;
use super::text::clean;
use super::vocab::Tag;
use super::{Parsed, piece};

pub fn collect<'a>(mut scan: Scan<'a>, layout: &Layout) -> Parsed<'a> {
    let found = std::mem::take(&mut scan.found);
    let mut collector = Collector { scan, layout, fields: Fields::default(), found };
    collector.names();
    collector.asides();
    collector.with_country();
    collector.numbers();
    collector.tags();
    collector.group();
    collector.kind();
    let ambiguities = collector.ambiguities();
    let Collector { scan, fields, found, .. } = collector;
    let title_end = layout
        .names
        .iter()
        .filter_map(|(_, to)| scan.lex.get(to.checked_sub(1)?))
        .map(|token| token.end);
    Parsed {
        text: scan.lex.text,
        kind: fields.kind,
        fields,
        family: layout.family,
        guessed: layout.guessed,
        bounded: layout.end < scan.lex.tokens.len(),
        leading_number: layout.names.iter().all(|(from, _)| *from > 0)
            && matches!(scan.cover.first(), Some(Cover::Number)),
        ambiguities,
        title_end: title_end.max().unwrap_or(0) as usize,
        special: scan.special,
        found,
    }
}

struct Collector<'s, 'a> {
    scan: Scan<'a>,
    layout: &'s Layout,
    fields: Fields,
    found: Vec<Found>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Eastern,
}

impl Collector<'_, '_> {
    fn note(
        &mut self,
        field: &'static str,
        value: Value,
        from: usize,
        to: usize,
        rule: &'static str,
    ) {
        let (start, end) = self.span(from, to);
        self.found.push(Found { field, value, start, end, rule });
    }

    fn span(&self, from: usize, to: usize) -> (u32, u32) {
        let lex = &self.scan.lex;
        let start = lex.get(from).map_or(0, |token| token.start);
        let end = to.checked_sub(1).and_then(|last| lex.get(last)).map_or(start, |token| token.end);
        (start, end)
    }

    /// The words of some tokens, with the marks that belong to the last of them.
    fn words(&self, from: usize, to: usize) -> String {
        let lex = &self.scan.lex;
        let (start, mut end) = self.span(from, to);
        let rest = lex.text.get(end as usize..).unwrap_or("");
        let mark = rest
            .chars()
            .next()
            .filter(|mark| matches!(mark, '!' | '?' | '…' | '»' | '"' | '”' | '°' | '*'));
        if let Some(mark) = mark {
            let same = rest.chars().take_while(|one| *one == mark).count();
            end += u32::try_from(same * mark.len_utf8()).unwrap_or(0);
        }
        // A bracket that begins inside the title ends inside it as well, and so does markup.
        let inside = lex.slice(start, end);
        let behind = lex.text.get(end as usize..).unwrap_or("");
        if (inside.matches('(').count() > inside.matches(')').count() && behind.starts_with(')'))
            || (inside.rfind('<') > inside.rfind('>') && behind.starts_with('>'))
        {
            end += 1;
        }
        let before = lex.text.get(..start as usize).unwrap_or("");
        // `(500) Days`, `<b>Name`: and one that ends inside begins there.
        let open = inside.matches(')').count() > inside.matches('(').count();
        let tagged = inside.find('>').is_some_and(|at| inside.find('<').is_none_or(|it| at < it));
        let start = if (open && before.ends_with('(')) || (tagged && before.ends_with('<')) {
            start - 1
        } else if before.ends_with(['«', '"', '“', '¡', '¿']) {
            let mark = before.chars().last().map_or(0, char::len_utf8);
            start - u32::try_from(mark).unwrap_or(0)
        } else {
            start
        };
        clean(lex.slice(start, end))
    }

    fn names(&mut self) {
        let mut names: Vec<(String, Script, usize, usize)> = Vec::new();
        for (from, to) in &self.layout.names {
            let text = self.words(*from, *to);
            if !text.is_empty() && !names.iter().any(|(known, ..)| *known == text) {
                let script = script_of(&text);
                names.push((text, script, *from, *to));
            }
        }
        let several = names.len() > 1;
        // Of a Russian or Chinese name and a Latin one the Latin one is the original
        // or its official form: what databases and media servers file it under.
        let first = match names.first() {
            Some((_, Script::Eastern | Script::Cyrillic, ..)) => {
                names.iter().position(|(_, script, ..)| *script == Script::Latin).unwrap_or(0)
            }
            _ => 0,
        };
        let cyrillic = names.iter().position(|(_, script, ..)| *script == Script::Cyrillic);
        let latin = names.iter().position(|(_, script, ..)| *script == Script::Latin);
        for (index, (text, _, from, to)) in names.into_iter().enumerate() {
            let mut used = false;
            if index == first {
                self.note("title", Value::Text, from, to, "words before the first mark");
                self.fields.title = Some(text.clone());
                used = true;
            }
            if Some(index) == cyrillic {
                self.note("title_ru", Value::Text, from, to, "name in Cyrillic letters");
                self.fields.title_ru = Some(text.clone());
                used = true;
            }
            if Some(index) == latin && several {
                self.note("title_orig", Value::Text, from, to, "name in Latin letters");
                self.fields.title_orig = Some(text.clone());
                used = true;
            }
            if !used {
                self.note("other_titles", Value::Text, from, to, "further name");
                self.fields.other_titles.push(text);
            }
        }
    }

    /// The name with the country of a remake, which parts it from the original:
    /// `The Office US`.
    fn with_country(&mut self) {
        let Some((from, to)) = self.layout.names.first().copied() else { return };
        let country = self.scan.lex.raw(to);
        if !COUNTRIES.contains(&country) || self.scan.cover.get(to) != Some(&Cover::Word) {
            return;
        }
        let text = format!("{} {country}", self.words(from, to));
        self.note("other_titles", Value::Text, from, to + 1, "name with a country");
        self.fields.other_titles.push(text);
    }

    /// Names in brackets behind a name: `Title (Other Title) 2011`.
    fn asides(&mut self) {
        for (from, to) in &self.layout.asides {
            let text = self.words(*from, *to);
            let known = self.fields.title.as_ref() == Some(&text)
                || self.fields.other_titles.contains(&text);
            if !text.is_empty() && !known {
                self.note("other_titles", Value::Text, *from, *to, "name in brackets");
                self.fields.other_titles.push(text);
            }
        }
    }

    fn numbers(&mut self) {
        if let Some((year, end, from, to)) = self.layout.year {
            self.fields.year = i32::try_from(year).ok();
            self.fields.year_end = end.and_then(|end| i32::try_from(end).ok());
            let value = end.map_or(Value::Number(year), |end| Value::Range(year, end));
            self.note("year", value, from, to, "year");
        }
        let scan = &mut self.scan;
        scan.seasons.sort_unstable();
        self.fields.seasons.clone_from(&scan.seasons);
        scan.episodes.sort_unstable();
        scan.episodes.dedup();
        let bare = self.layout.absolute && scan.strength != Some(Strength::Full);
        if bare && self.fields.seasons.is_empty() {
            self.fields.absolute_episodes.clone_from(&scan.episodes);
            for found in self.found.iter_mut().filter(|found| found.field == "episodes") {
                found.field = "absolute_episodes";
            }
        } else {
            self.fields.episodes.clone_from(&scan.episodes);
        }
        if !scan.beside.is_empty() {
            self.fields.absolute_episodes.clone_from(&scan.beside);
        }
        if let Some(number) = self.layout.guessed {
            self.fields.absolute_episodes = vec![number.into()];
        }
        // A season that is called by its year says the year.
        if self.fields.year.is_none()
            && let [season @ 1900..=2100] = self.fields.seasons.as_slice()
        {
            self.fields.year = i32::try_from(*season).ok();
        }
        self.fields.episode_count = scan.count;
        self.fields.date = scan.date.or_else(|| {
            let (day, month) = scan.day_month?;
            Date::new(u16::try_from(self.fields.year?).ok()?, month, day)
        });
        self.fields.version = scan.version;
        self.fields.season_part = scan.season_part;
        let numbered =
            !self.fields.episodes.is_empty() || !self.fields.absolute_episodes.is_empty();
        if !numbered && self.fields.seasons.is_empty() {
            // In the title it is a word of it: `Kill Bill Part 2`.
            let behind = scan.parts.iter().filter(|(_, at)| *at >= self.layout.end);
            self.fields.part = behind.map(|(number, _)| *number).collect();
        }
        if self.fields.part.is_empty() {
            self.found.retain(|found| found.field != "part");
        }
        if let Some((from, to)) = self.layout.episode_title {
            let text = self.words(from, to);
            if !text.is_empty() {
                self.fields.episode_title = Some(text);
                self.note("episode_title", Value::Text, from, to, "words behind the episode");
            }
        }
    }

    fn tags(&mut self) {
        let count = self.scan.lex.tokens.len();
        let mut at = 0;
        while at < count {
            let width = self.scan.width.get(at).copied().unwrap_or(1).max(1) as usize;
            let in_title = self.layout.names.iter().any(|(from, to)| (*from..*to).contains(&at));
            let in_episode =
                self.layout.episode_title.is_some_and(|(from, to)| (from..to).contains(&at));
            let tag = match self.scan.cover.get(at) {
                Some(Cover::Strong(tag)) => Some(*tag),
                Some(Cover::Weak(tag)) if !in_title && !in_episode => Some(*tag),
                _ => None,
            };
            if let Some(tag) = tag
                && !self.is_in_lead(at)
            {
                self.tag(tag, at, at + width);
            }
            at += width;
        }
        self.bare_height();
        // Streams that are not encoded anew are those of a disc.
        if self.fields.remux && self.fields.source.is_none() {
            self.fields.source = Some("bluray".to_owned());
        }
        self.fields.audio.sort();
        self.fields.hdr.sort();
        self.fields.languages.sort();
        self.fields.edition.sort();
    }

    fn is_in_lead(&self, at: usize) -> bool {
        self.layout.lead.is_some_and(|(from, to)| (from..to).contains(&at))
    }

    fn tag(&mut self, tag: Tag, from: usize, to: usize) {
        let once = |slot: &mut Option<String>, word: &str| {
            let fresh = slot.is_none();
            if fresh {
                *slot = Some(word.to_owned());
            }
            fresh
        };
        let add = |list: &mut Vec<String>, word: &str| {
            let fresh = !list.iter().any(|known| known == word);
            if fresh {
                list.push(word.to_owned());
            }
            fresh
        };
        let (field, word, fresh) = match tag {
            Tag::Resolution("") => {
                self.height(from);
                return;
            }
            Tag::Resolution(word) => ("resolution", word, once(&mut self.fields.resolution, word)),
            Tag::Source(word) => ("source", word, self.source(word)),
            Tag::RemuxOf(word) => {
                if !std::mem::replace(&mut self.fields.remux, true) {
                    self.note("remux", Value::Word("true"), from, to, "word of releases");
                }
                ("source", word, once(&mut self.fields.source, word))
            }
            Tag::Video(word) => ("video_codec", word, once(&mut self.fields.video_codec, word)),
            Tag::Audio(word) => ("audio", word, add(&mut self.fields.audio, word)),
            Tag::Hdr(word) => ("hdr", word, add(&mut self.fields.hdr, word)),
            Tag::Language(word) => ("languages", word, add(&mut self.fields.languages, word)),
            Tag::Edition(word) => ("edition", word, add(&mut self.fields.edition, word)),
            Tag::Remux => ("remux", "true", !std::mem::replace(&mut self.fields.remux, true)),
            Tag::Proper => ("proper", "true", !std::mem::replace(&mut self.fields.proper, true)),
            Tag::Repack => ("repack", "true", !std::mem::replace(&mut self.fields.repack, true)),
            _ => return,
        };
        if fresh {
            self.note(field, Value::Word(word), from, to, "word of releases");
        }
    }

    /// The first source counts, except that a plain one gives way to one that
    /// says more: `UHD`, `WEB`, `TV`.
    fn source(&mut self, word: &str) -> bool {
        match self.fields.source.as_deref() {
            None => {}
            Some("web") if matches!(word, "web-dl" | "webrip") => {}
            Some("tv") if word != "tv" => {}
            Some(_) => return false,
        }
        self.fields.source = Some(word.to_owned());
        true
    }

    /// `1920x800`, `400p`.
    fn height(&mut self, at: usize) {
        if self.fields.resolution.is_some() {
            return;
        }
        let word = self.scan.lex.word(at);
        let name = match piece::picture(word) {
            Some((width, height)) => {
                let height = match (width, height) {
                    (3800..=4100, _) => 2160,
                    (1920, 780..=1088) => 1080,
                    (1280, 500..=738) => 720,
                    (_, height) => height,
                };
                format!("{height}p")
            }
            None => {
                let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
                let interlaced = word.get(digits.len()..).is_some_and(|rest| rest.starts_with('i'));
                format!("{digits}{}", if interlaced { 'i' } else { 'p' })
            }
        };
        self.fields.resolution = Some(name);
        self.note("resolution", Value::Text, at, at + 1, "size of the picture");
    }

    /// `1080` without its letter, behind the title.
    fn bare_height(&mut self) {
        if self.fields.resolution.is_some() {
            return;
        }
        let found = (self.layout.end..self.scan.lex.tokens.len()).find_map(|at| {
            let number = self.scan.lex.get(at)?.number?;
            let word = self.scan.cover.get(at) == Some(&Cover::Word);
            let height = match number {
                2160 => "2160p",
                1080 => "1080p",
                720 => "720p",
                480 => "480p",
                _ => return None,
            };
            word.then_some((at, height))
        });
        if let Some((at, height)) = found {
            self.fields.resolution = Some(height.to_owned());
            self.note("resolution", Value::Word(height), at, at + 1, "height of the picture");
        }
    }

    fn group(&mut self) {
        let Some((from, to)) = self.layout.group else { return };
        let lex = &self.scan.lex;
        let (start, end) = self.span(from, to);
        let text = lex.slice(start, end);
        let text =
            if lex.gap(from).any(Gap::OPEN) { text.to_owned() } else { text.trim().to_owned() };
        if !text.is_empty() {
            self.fields.group = Some(text);
            self.note("group", Value::Text, from, to, "who made the release");
        }
    }

    fn kind(&mut self) {
        let fields = &self.fields;
        let numbered =
            !fields.seasons.is_empty() || !fields.episodes.is_empty() || fields.date.is_some();
        let absolute = !fields.absolute_episodes.is_empty();
        let beside = !self.scan.beside.is_empty();
        self.fields.kind = if absolute && !beside && self.layout.family == Family::Anime {
            Some(TitleKind::Anime)
        } else if numbered || absolute {
            Some(TitleKind::Series)
        } else if fields.year.is_some() {
            Some(TitleKind::Movie)
        } else {
            None
        };
    }
}

/// The letters that most words of a name are written in.
fn script_of(name: &str) -> Script {
    let (mut latin, mut cyrillic, mut cjk) = (0, 0, 0);
    for word in name.split(|one: char| !one.is_alphanumeric()) {
        match word.chars().find(|one| one.is_alphabetic()) {
            Some('\u{400}'..='\u{52f}') => cyrillic += 1,
            Some(
                '\u{3040}'..='\u{30ff}'
                | '\u{3400}'..='\u{9fff}'
                | '\u{ac00}'..='\u{d7af}'
                | '\u{590}'..='\u{6ff}'
                | '\u{900}'..='\u{e7f}',
            ) => {
                cjk += 1;
            }
            Some(_) => latin += 1,
            None => {}
        }
    }
    if cyrillic > 0 && cyrillic >= latin {
        Script::Cyrillic
    } else if cjk > 0 {
        Script::Eastern
    } else {
        Script::Latin
    }
}
