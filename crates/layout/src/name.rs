//! Names of folders and files in a library: safe on every filesystem that people
//! share libraries over, and short enough in bytes.
//!
//! Only targets are cleaned. The name of a source is opaque.

use std::path::Path;

use sanitise_file_name::{Options, sanitise_with_options};
use tracker_domain::unseen::is_unseen;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::joiner::{is_joiner, is_needed};

/// What stands where nothing usable is left of a name.
const NOTHING: &str = "_";

/// Makes one path component of any text: NFC, without characters, endings and
/// names that some filesystem refuses, never empty, `.` or `..`.
#[must_use]
pub fn safe_component(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.nfc().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            // `Fool: Us` reads well as `Fool - Us`, `2:1` as `2-1`.
            ':' if chars.peek() == Some(&' ') => plain.push_str(" -"),
            ':' | '/' | '\\' | '|' => plain.push('-'),
            '"' => plain.push('\''),
            '<' | '>' | '?' | '*' => {}
            ch if is_joiner(ch)
                && is_needed(ch, plain.chars().next_back(), chars.peek().copied()) =>
            {
                plain.push(ch);
            }
            ch if is_unseen(ch) => {}
            ch if ch.is_control() => plain.push(' '),
            ch => plain.push(ch),
        }
    }
    // The crate trims both ends and knows the rest of what Windows refuses.
    let options = Options {
        length_limit: usize::MAX,
        extension_cleverness: false,
        trim_more_punctuation: false,
        six_measures_of_barley: NOTHING,
        replace_with: None::<char>,
        ..Options::DEFAULT
    };
    // What was taken out may have kept two marks of one letter apart.
    let plain: String = plain.nfc().collect();
    let clean = sanitise_with_options(&plain, &options);
    without_reserved(&clean)
}

/// `CON` is a device on Windows, with or without an extension.
fn without_reserved(name: &str) -> String {
    let (base, rest) = match name.find('.') {
        Some(dot) => name.split_at(dot),
        None => (name, ""),
    };
    let upper = base.trim_end().to_ascii_uppercase();
    let numbered = |front: &str| {
        upper.strip_prefix(front).is_some_and(|rest| {
            let mut chars = rest.chars();
            chars.next().is_some_and(|ch| ch.is_ascii_digit() || "¹²³".contains(ch))
                && chars.next().is_none()
        })
    };
    let reserved = matches!(upper.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT");
    if reserved { format!("{base}_{rest}") } else { name.to_owned() }
}

/// The form in which two target names are compared: a filesystem that folds case
/// or normalises takes them for one.
#[must_use]
pub fn name_key(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// The same of a path.
pub fn path_key(path: &Path) -> String {
    name_key(&path.to_string_lossy())
}

/// Cuts a clean component to so many bytes, never inside a letter with its
/// marks, and leaves no dot or space at the end.
pub fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = text.floor_char_boundary(bytes);
    while end > 0 {
        let joins = |ch: char| {
            is_combining_mark(ch)
                || is_joiner(ch)
                || matches!(ch, '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
        };
        let (kept, dropped) = text.split_at(end);
        let next_joins = dropped.chars().next().is_some_and(joins);
        let last_joins = kept.ends_with(is_joiner);
        if !next_joins && !last_joins {
            break;
        }
        end = text.floor_char_boundary(end - 1);
    }
    let cut = text.get(..end).unwrap_or("").trim_end_matches([' ', '.', '-']);
    if cut.is_empty() { NOTHING } else { cut }
}
