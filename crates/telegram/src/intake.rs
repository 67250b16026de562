//! What a message hands over: every magnet link and infohash in it, wherever they
//! stand, and what else it says.
//!
//! Whether a text is a link is decided by the parsers of `domain` alone.

use tracker_domain::{Infohash, Magnet, MagnetError};
use url::Url;

use crate::update::{Entity, EntityKind};

const SCHEME: &str = "magnet:?";

/// What may stand around a link or a hash without belonging to it.
const AROUND: &[char] = &[
    '"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', '«', '»', '“', '”', ',', ';', '|', '!',
];

/// What people say around a link. A text of such words alone says nothing of the
/// torrent, and would be taken for another title of it.
const POLITE: [&str; 24] = [
    "a",
    "also",
    "and",
    "download",
    "get",
    "hello",
    "hi",
    "here",
    "it",
    "please",
    "pls",
    "thank",
    "thanks",
    "this",
    "you",
    "вот",
    "ещё",
    "и",
    "пожалуйста",
    "пж",
    "привет",
    "скачай",
    "спасибо",
    "это",
];

/// How many lines and words a link may have been broken into.
const MOST_PIECES: usize = 100;

/// The parts of a link by which a line is known to go on with it.
const FIELDS: [&str; 8] = ["&xt", "&dn=", "&tr", "&xl=", "&ws=", "&as=", "&x.pe=", "&amp;"];

/// What was found in a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    /// Each torrent once, in the order of the message.
    pub found: Vec<Magnet>,
    /// What is written like a link and is none that can be used.
    pub refused: Vec<MagnetError>,
    /// The rest of the text, where there is any.
    pub hint: Option<String>,
}

/// Reads a text (or a caption) with what Telegram has marked in it.
#[must_use]
pub fn read_intake(text: &str, entities: &[Entity]) -> Intake {
    let mut intake = Intake::default();
    // What is left for the hint: the text with what was taken turned into spaces.
    let mut rest = text.to_owned();
    for entity in entities {
        let Some(span) = span_of(text, entity) else { continue };
        match &entity.kind {
            EntityKind::TextLink(url) => {
                let links = links_behind(url);
                if !links.is_empty() {
                    links.iter().for_each(|link| intake.take(link));
                    blank(&mut rest, span);
                }
            }
            // What the bot is told to do is no part of a title.
            EntityKind::Command if entity.offset == 0 => blank(&mut rest, span),
            EntityKind::Command | EntityKind::Other => {}
        }
    }
    while let Some((start, link)) = next_link(&rest) {
        let end = start + link.taken;
        intake.take(&link.text);
        blank(&mut rest, (start, end));
    }
    for (start, end) in words(&rest) {
        let word = rest.get(start..end).unwrap_or_default();
        if let Some(hash) = bare_hash(word) {
            intake.take(hash);
            blank(&mut rest, (start, end));
        }
    }
    intake.hint = hint_of(&rest);
    intake
}

impl Intake {
    fn take(&mut self, text: &str) {
        let magnet = match Magnet::parse(text) {
            Ok(magnet) => magnet,
            Err(error) if self.refused.contains(&error) => return,
            Err(error) => return self.refused.push(error),
        };
        let same = |known: &&mut Magnet| {
            known.infohashes().iter().any(|hash| magnet.infohashes().contains(&hash))
        };
        match self.found.iter_mut().find(same) {
            // A link says more than the hash beside it.
            Some(known) if known.is_bare() => *known = magnet,
            Some(_) => {}
            None => self.found.push(magnet),
        }
    }
}

/// A link as it was found.
struct Link {
    /// Without line breaks.
    text: String,
    /// How many bytes of the message it is.
    taken: usize,
}

/// The first link of a text, and where it begins.
fn next_link(text: &str) -> Option<(usize, Link)> {
    let start = find_scheme(text, 0)?;
    let (_, tail) = text.split_at(start);
    let first = link_part(tail);
    let mut link = Link { text: first.to_owned(), taken: first.len() };
    for _ in 0..MOST_PIECES {
        let (_, rest) = tail.split_at(link.taken);
        let ahead = rest.trim_start();
        let (between, _) = rest.split_at(rest.len() - ahead.len());
        let part = link_part(ahead);
        let joint = if between.contains(['\n', '\r']) {
            goes_on(&link.text, part).then_some("")
        } else {
            name_goes_on(&link.text, ahead).then_some(" ")
        };
        let Some(joint) = joint.filter(|_| !part.is_empty()) else { break };
        link.text.push_str(joint);
        link.text.push_str(part);
        link.taken += between.len() + part.len();
    }
    Some((start, link))
}

/// Where the scheme of a link stands, in any case, at this place or later.
fn find_scheme(text: &str, from: usize) -> Option<usize> {
    let is_it = |at: &usize| {
        let head = text.get(*at..*at + SCHEME.len());
        *at >= from && head.is_some_and(|head| head.eq_ignore_ascii_case(SCHEME))
    };
    text.char_indices().map(|(at, _)| at).find(is_it)
}

/// What of a line belongs to the link: up to a space, a quote, or the next link.
fn link_part(line: &str) -> &str {
    let ends = |ch: char| ch.is_whitespace() || ch.is_control() || "<>\"'`«»“”".contains(ch);
    let (part, _) = line.split_at(line.find(ends).unwrap_or(line.len()));
    let (part, _) = part.split_at(find_scheme(part, 1).unwrap_or(part.len()));
    part.trim_end_matches(|ch: char| ",;)]}!|".contains(ch))
}

/// Whether what stands in the next line is more of the link.
fn goes_on(link: &str, part: &str) -> bool {
    let open_end = link.ends_with(['&', '=', '%', ':', '?', '/']);
    let unfinished =
        || Magnet::parse(link).is_err() && Magnet::parse(&format!("{link}{part}")).is_ok();
    // Else the line was broken within a value, and a field comes later in it.
    find_scheme(part, 0) != Some(0) && (open_end || leads_to_field(part) || unfinished())
}

/// Whether the link was cut within its name, in which somebody left the spaces.
fn name_goes_on(link: &str, ahead: &str) -> bool {
    let line = ahead.lines().next().unwrap_or_default();
    let last = link.rsplit(['&', '?', ';']).next().unwrap_or_default();
    last.starts_with("dn=") && leads_to_field(line)
}

/// Whether fields of a link come before anything that begins another address.
fn leads_to_field(text: &str) -> bool {
    let field = FIELDS.iter().filter_map(|field| text.find(field)).min();
    let front = field.and_then(|at| text.get(..at));
    front.is_some_and(|front| !front.contains("://") && find_scheme(front, 0).is_none())
}

/// The links that an address is or carries.
fn links_behind(url: &str) -> Vec<String> {
    if find_scheme(url, 0) == Some(0) {
        return vec![url.to_owned()];
    }
    // Telegram marks no magnet as a link by itself, so sites lead to them in a query.
    let Ok(address) = Url::parse(url) else { return Vec::new() };
    let values = address.query_pairs().map(|(_, value)| value.into_owned());
    values.filter(|value| find_scheme(value, 0) == Some(0)).collect()
}

/// The words of a text, without what stands around them.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split(char::is_whitespace) {
        let word = piece.trim_start_matches(AROUND);
        let start = at + piece.len() - word.len();
        let word = word.trim_end_matches(|ch: char| AROUND.contains(&ch) || ".:?".contains(ch));
        if !word.is_empty() {
            found.push((start, start + word.len()));
        }
        let after = text.get(at + piece.len()..).and_then(|rest| rest.chars().next());
        at += piece.len() + after.map_or(0, char::len_utf8);
    }
    found
}

/// The infohash that a word is. A word in running text is no hash of 32 letters in
/// mixed case: people copy them as they are made, in one.
fn bare_hash(word: &str) -> Option<&str> {
    let front = ["urn:btih:", "btih:"]
        .into_iter()
        .find(|front| word.get(..front.len()).is_some_and(|head| head.eq_ignore_ascii_case(front)));
    let hash = word.get(front.map_or(0, str::len)..)?;
    let mixed = hash.contains(|ch: char| ch.is_ascii_lowercase())
        && hash.contains(|ch: char| ch.is_ascii_uppercase());
    let doubtful = hash.len() == 32 && mixed;
    (!doubtful && Infohash::from_any_form(hash).is_ok()).then_some(hash)
}

/// The bytes that an entity covers. Its offsets count UTF-16 units.
fn span_of(text: &str, entity: &Entity) -> Option<(usize, usize)> {
    let at = |units: usize| {
        let mut seen = 0;
        for (index, ch) in text.char_indices() {
            if seen >= units {
                return Some(index);
            }
            seen += ch.len_utf16();
        }
        (seen >= units).then_some(text.len())
    };
    let start = at(entity.offset)?;
    let end = at(entity.offset.checked_add(entity.length)?)?;
    (start < end).then_some((start, end))
}

/// Turns a stretch into spaces, so that all places stay where they are.
fn blank(text: &mut String, (start, end): (usize, usize)) {
    text.replace_range(start..end, &" ".repeat(end - start));
}

/// What is left, on one line; nothing where it holds no word that could tell anything.
fn hint_of(rest: &str) -> Option<String> {
    let line = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut words = line.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    let tells = words.any(|word| !POLITE.contains(&word.to_lowercase().as_str()));
    tells.then_some(line)
}

#[cfg(test)]
mod tests;
