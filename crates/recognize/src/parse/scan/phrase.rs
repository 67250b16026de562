//! Words of releases that are several tokens: `WEB-DL`, `DTS-HD MA`.

use super::Scan;
use crate::parse::lex::Gap;
use crate::parse::vocab::Tag;

impl Scan<'_> {
    /// Words of releases that are several tokens: what they say, and how many they are.
    pub(super) fn phrase(&self, at: usize, word: &str) -> Option<(Tag, usize)> {
        let gap = self.lex.gap(at + 1);
        let next = self.lex.word(at + 1);
        if next.is_empty() || !gap.within(Gap::PHRASE.and(Gap::DASH)) {
            return None;
        }
        let third = self.lex.word(at + 2);
        let tight = self.lex.gap(at + 2) == Gap::DASH;
        match (word, next, third) {
            ("web", "dl" | "hd", "rip") if tight => return Some((Tag::Source("web-dl"), 3)),
            ("blu" | "blue", "ray", "rip") => return Some((Tag::Source("bluray"), 3)),
            ("dts", "hd", "ma" | "hra" | "hr" | "master") => {
                return Some((Tag::Audio("dts-hd"), 3));
            }
            ("dolby", "digital", "plus") => return Some((Tag::Audio("eac3"), 3)),
            ("complete", "season" | "seasons", _) if at > 0 => return Some((Tag::Complete, 1)),
            ("complete", "series" | "version" | "collection", _) if at > 0 => {
                return Some((Tag::Complete, 2));
            }
            _ => {}
        }
        let tag = source(word, next).or_else(|| stream(word, next))?;
        Some((tag, 2))
    }
}

/// Where the picture is from.
fn source(word: &str, next: &str) -> Option<Tag> {
    Some(match (word, next) {
        ("web", "dl" | "hd" | "dlrip" | "dlmux") => Tag::Source("web-dl"),
        ("web", "rip" | "cap") => Tag::Source("webrip"),
        ("blu" | "blue", "ray")
        | ("bd" | "br", "rip")
        | ("uhd", "bluray" | "bdrip" | "bd")
        | ("bluray", "rip") => Tag::Source("bluray"),
        ("bd" | "uhd" | "bluray" | "bdrip", "remux") => Tag::RemuxOf("bluray"),
        ("hd", "dvd") => Tag::Source("hddvd"),
        ("hd", "tv") | ("ultra", "hdtv") | ("hdtv", "rip") => Tag::Source("hdtv"),
        ("hd", "rip") => Tag::Source("hdrip"),
        ("hd" | "hq", "cam") | ("cam", "rip") => Tag::Source("cam"),
        ("hd", "ts") => Tag::Source("telesync"),
        ("hd", "tc") => Tag::Source("telecine"),
        ("dvd", "rip" | "r") => Tag::Source("dvd"),
        ("dvd" | "bd" | "web" | "br", "scr" | "screener") | ("pre", "dvd") => {
            Tag::Source("screener")
        }
        ("vhs", "rip") => Tag::Source("vhs"),
        ("tv" | "sat" | "dvb" | "ds", "rip") => Tag::Source("tv"),
        _ => return None,
    })
}

/// What picture and sound are made of.
fn stream(word: &str, next: &str) -> Option<Tag> {
    Some(match (word, next) {
        ("h" | "x", "264") => Tag::Video("h264"),
        ("h" | "x", "265") => Tag::Video("h265"),
        ("mpeg", "2") => Tag::Video("mpeg2"),
        ("mpeg", "4") => Tag::Video("mpeg4"),
        ("vc", "1") => Tag::Video("vc1"),
        ("dts", "hd" | "ma") => Tag::Audio("dts-hd"),
        ("dts", "x") => Tag::Audio("dts-x"),
        ("dts", "es") => Tag::Audio("dts"),
        ("dolby", "atmos") => Tag::Audio("atmos"),
        ("dolby", "digital") | ("ac", "3") => Tag::Audio("ac3"),
        ("true", "hd") => Tag::Audio("truehd"),
        ("e", "ac3") => Tag::Audio("eac3"),
        ("aac", "lc") | ("he", "aac") => Tag::Audio("aac"),
        ("dolby", "vision") => Tag::Hdr("dv"),
        ("hdr", "10") => Tag::Hdr("hdr"),
        ("hdr10", "plus") => Tag::Hdr("hdr10+"),
        ("open", "matte") => Tag::Edition("open-matte"),
        ("edition" | "édition", "collector") => Tag::Edition("collectors"),
        ("edition" | "édition", "speciale" | "spéciale") => Tag::Edition("special"),
        ("version", "longue") | ("versione", "estesa") => Tag::Edition("extended"),
        ("international", "cut" | "version") => Tag::Junk,
        ("dual" | "multi", "audio" | "audios" | "subs" | "sub")
        | ("multiple", "subtitle")
        | ("read", "nfo")
        | ("half" | "full", "sbs" | "ou")
        | ("10" | "8", "bit" | "bits") => Tag::Junk,
        _ => return None,
    })
}
