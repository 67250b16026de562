//! A name cut into words, and the form in which titles are compared.

use unicode_normalization::UnicodeNormalization;

/// One word of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The word as written.
    pub text: &'a str,
    /// Whether it stands in brackets of any kind.
    pub bracketed: bool,
}

/// Cuts a name at dots, underscores, white space and brackets. A hyphen is part
/// of a word (`Spider-Man`, `S01E01-E02`); alone it is a word of its own.
pub fn tokens(name: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = 0usize;
    for (at, ch) in name.char_indices() {
        let opens = matches!(ch, '(' | '[' | '{' | '【');
        let closes = matches!(ch, ')' | ']' | '}' | '】');
        if !(opens || closes || ch == '.' || ch == '_' || ch.is_whitespace()) {
            continue;
        }
        push(&mut found, name, start, at, depth);
        start = at + ch.len_utf8();
        if opens {
            depth += 1;
        } else if closes {
            depth = depth.saturating_sub(1);
        }
    }
    push(&mut found, name, start, name.len(), depth);
    found
}

fn push<'a>(found: &mut Vec<Token<'a>>, name: &'a str, start: usize, end: usize, depth: usize) {
    if let Some(text) = name.get(start..end)
        && !text.is_empty()
    {
        found.push(Token { text, bracketed: depth > 0 });
    }
}

/// The form in which two titles are compared: without case, marks and
/// punctuation; `&` is `and`, `ё` is `е` (its dots are a mark).
pub fn fold(title: &str) -> String {
    let mut folded = String::with_capacity(title.len());
    for ch in title.nfkd() {
        if ch == '&' {
            folded.push_str("and");
        } else if ch.is_alphanumeric() {
            folded.extend(ch.to_lowercase());
        }
    }
    folded
}

/// The last extension of a file name without its dot, lower case. Only short
/// ASCII ones count, so that `Mr. Robot` has none.
pub fn extension(file_name: &str) -> Option<String> {
    let (stem, ext) = file_name.rsplit_once('.')?;
    let shaped = !stem.is_empty()
        && (1..=8).contains(&ext.len())
        && ext.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'!');
    shaped.then(|| ext.to_ascii_lowercase())
}

/// Whether all of a non-empty text are ASCII digits.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The ASCII digits at the front, if there are one to `most` of them, and the
/// rest.
pub fn leading_number(text: &str, most: usize) -> Option<(u32, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 || count > most {
        return None;
    }
    let (digits, rest) = text.split_at_checked(count)?;
    Some((digits.parse().ok()?, rest))
}
