//! Words of a name as a person writes them.

use std::borrow::Cow;

use super::piece;

/// What stands for a letter in the text of a page.
const ENTITIES: &[(&str, &str)] = &[
    ("&amp;", "&"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&#039;", "'"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&nbsp;", " "),
];

/// The longest word of a tag that is taken for one.
const LONGEST_TAG: usize = 6;

/// Extensions of files that hold a film, its sound or its words.
const EXTENSIONS: &[&str] = &[
    "mkv", "mp4", "avi", "m4v", "mov", "wmv", "mpg", "mpeg", "ts", "m2ts", "vob", "webm", "flv",
    "ogm", "ogv", "divx", "rmvb", "rm", "3gp", "asf", "m2v", "iso", "img", "srt", "ass", "ssa",
    "sub", "idx", "sup", "vtt", "smi", "mka", "nfo", "torrent", "mk3d", "f4v", "strm", "mts",
    "wtv", "rar", "zip", "7z", "par2", "nzb", "txt", "jpg",
];

/// A name without its extension, and the extension, where it is one of a film.
pub fn split_extension(name: &str) -> (&str, Option<&str>) {
    let Some((stem, extension)) = name.rsplit_once('.') else { return (name, None) };
    let known = extension.len() <= 8
        && EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        && !stem.is_empty();
    if known { (stem, Some(extension)) } else { (name, None) }
}

/// Words with single spaces between them. Points are spaces where there are no
/// others; those of an abbreviation stay.
pub fn clean(part: &str) -> String {
    let part = &*unmarked(part);
    let spaced = part.contains(' ');
    let mut clean = String::with_capacity(part.len());
    let mut letters = 0_usize;
    let mut characters = part.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '_' => push_space(&mut clean),
            '+' if !spaced => push_space(&mut clean),
            '.' if !spaced => {
                // S.H.I.E.L.D.
                let single = letters == 1 && clean.chars().last().is_some_and(char::is_alphabetic);
                let mut rest = characters.clone();
                let more = rest.next().is_none_or(|next| {
                    next.is_alphabetic() && rest.next().is_none_or(|after| after == '.')
                });
                if single
                    && (more
                        || clean.ends_with(|last: char| last.is_uppercase())
                            && clean.rsplit(' ').next().is_some_and(|word| word.contains('.')))
                {
                    clean.push('.');
                    letters = 0;
                    if !more {
                        push_space(&mut clean);
                    }
                    continue;
                }
                push_space(&mut clean);
            }
            ' ' | '\t' | '\n' | '\r' | '\u{a0}' | '\u{3000}' => push_space(&mut clean),
            _ => {
                clean.push(character);
                letters += 1;
                continue;
            }
        }
        letters = 0;
    }
    let trimmed = clean.trim_matches(|one: char| {
        one == ' ' || matches!(one, '-' | '–' | '—' | '/' | '|' | ',' | ':')
    });
    if !trimmed.split(' ').any(|word| piece::unmixed(word).is_some()) {
        return trimmed.to_owned();
    }
    // Letters that only look right are found by nobody.
    let words =
        trimmed.split(' ').map(|word| piece::unmixed(word).unwrap_or_else(|| word.to_owned()));
    words.collect::<Vec<_>>().join(" ")
}

/// The text without the markup of the page that it was copied from: `<b>` and `&amp;`.
fn unmarked(part: &str) -> Cow<'_, str> {
    if !part.contains(['<', '&']) {
        return Cow::Borrowed(part);
    }
    let mut plain = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(first) = rest.chars().next() {
        let entity = ENTITIES
            .iter()
            .find_map(|(entity, letter)| Some((*letter, rest.strip_prefix(entity)?)));
        if let Some((letter, behind)) = entity {
            plain.push_str(letter);
            rest = behind;
        } else if let Some(behind) = behind_tag(rest) {
            rest = behind;
        } else {
            plain.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    Cow::Owned(plain)
}

/// What follows `<b>` or `</b>`.
fn behind_tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let (word, behind) = inner.strip_prefix('/').unwrap_or(inner).split_once('>')?;
    let is_word = (1..=LONGEST_TAG).contains(&word.len())
        && word.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_word.then_some(behind)
}

fn push_space(text: &mut String) {
    if !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
}
