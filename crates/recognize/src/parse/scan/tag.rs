//! Words of releases: checksums, sites, and what the vocabulary knows.

use super::Scan;
use crate::parse::finding::Cover;
use crate::parse::lex::Gap;
use crate::parse::piece;
use crate::parse::vocab::{Tag, look_up};

impl Scan<'_> {
    /// `[1A2B3C4D]`
    pub(super) fn crc(&mut self, at: usize) -> Option<usize> {
        let bracket = self.lex.bracket_of(at)?;
        let alone = bracket.last - bracket.first == 1;
        let hex = self.lex.word(at).bytes().all(|byte| byte.is_ascii_hexdigit());
        if !(alone && hex && self.is_of_length(at, 8)) {
            return None;
        }
        self.cover(at, at + 1, Cover::Crc);
        Some(at + 1)
    }

    /// `www.example.org`, `[example.org]`.
    pub(super) fn site(&mut self, at: usize) -> Option<usize> {
        const ENDS: &[&str] = &[
            "com", "org", "net", "ru", "me", "to", "cc", "tv", "info", "io", "se", "li", "ws",
            "nz", "eu", "co", "in", "pw", "xyz", "re", "is", "st", "lol", "pics", "sbs", "cymru",
            "phd", "hair", "xx", "fans",
        ];
        let word = self.lex.word(at);
        let front = at == 0 || self.lex.gap(at).any(Gap::OPEN) || self.lex.gap(at).spaced_dash();
        let named = ENDS.contains(&self.lex.word(at + 2)) && self.lex.gap(at + 2) == Gap::DOT;
        let www = matches!(word, "www" | "ww" | "wwww") && (front || named);
        let spaced = self.lex.spaced && self.lex.gap(at).spaced_dash();
        let begins = self.lex.get(at)?.bracket != 0 && self.lex.gap(at).any(Gap::OPEN) || spaced;
        if !www && !begins {
            return None;
        }
        let bracket = self.lex.get(at)?.bracket;
        let mut next = at + 1;
        while let Some(token) = self.lex.get(next) {
            let dotted = token.gap == Gap::DOT
                || (www && token.gap.within(Gap::DOT.and(Gap::DASH).and(Gap::COMMA)));
            // `www.name.org-title`
            let ended = token.gap == Gap::DASH && ENDS.contains(&self.lex.word(next - 1));
            if !dotted || ended || token.bracket != bracket {
                break;
            }
            next += 1;
        }
        let last = self.lex.word(next - 1);
        if next < at + 2 || !(www || ENDS.contains(&last)) {
            return None;
        }
        self.cover(at, next, Cover::Site);
        Some(next)
    }

    /// A word of the vocabulary, or several that say one thing.
    pub(super) fn tag(&mut self, at: usize) -> Option<usize> {
        let word = self.lex.word(at);
        // `х264`, `1080р`
        if !word.is_ascii()
            && word.bytes().any(|byte| byte.is_ascii_digit())
            && let Some(known) =
                look_up(&piece::latin(word)).filter(|known| known.tag.is_technical())
        {
            self.cover(at, at + 1, Cover::Strong(known.tag));
            return Some(at + 1);
        }
        if let Some((tag, width)) = self.phrase(at, word) {
            self.cover(at, at + width, Cover::Strong(tag));
            return Some(at + width);
        }
        let known = match look_up(word) {
            Some(known) => known,
            // `BRRipMux`, `WEBMux`
            None => look_up(word.strip_suffix("mux")?)
                .filter(|known| matches!(known.tag, Tag::Source(_)))?,
        };
        let plus = self.lex.gap(at + 1).has(Gap::PLUS);
        let cover = match known.tag {
            // In Russian an edition is told in a bracket; elsewhere it is a title's.
            Tag::Edition(_) if !word.is_ascii() && self.lex.is_outside(at) => return None,
            Tag::Edition(_) => match self.edition(at) {
                Some(next) => return Some(next),
                None => Cover::Weak(known.tag),
            },
            // `DD+5.1`
            Tag::Audio("ac3") if plus => Cover::Strong(Tag::Audio("eac3")),
            Tag::Hdr("hdr") if plus && word == "hdr10" => Cover::Strong(Tag::Hdr("hdr10+")),
            tag if known.weak => Cover::Weak(tag),
            tag => Cover::Strong(tag),
        };
        self.cover(at, at + 1, cover);
        Some(at + 1)
    }

    /// `Director's Cut`, `Special Extended Edition`: with the second word it is plain.
    fn edition(&mut self, at: usize) -> Option<usize> {
        let says_edition = |at| matches!(self.tag_of(at), Some(Tag::Edition(_)));
        let mut cut = at + 1;
        while cut < at + 3 && self.lex.gap(cut).plain() && says_edition(cut) {
            cut += 1;
        }
        if self.tag_of(cut) != Some(Tag::Cut) || !self.lex.gap(cut).plain() {
            return None;
        }
        for index in at..=cut {
            if let Some(tag) = self.tag_of(index) {
                self.cover(index, index + 1, Cover::Strong(tag));
            }
        }
        // `15th Anniversary Edition`
        if let Some(before) = at.checked_sub(1)
            && piece::ordinal(self.lex.word(before)).is_some()
        {
            self.cover(before, at, Cover::Strong(Tag::Junk));
        }
        Some(cut + 1)
    }
}
