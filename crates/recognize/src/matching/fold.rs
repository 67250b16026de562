//! The form in which names are compared, and how alike two of them are.

use strsim::normalized_damerau_levenshtein;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters of a name that are looked at. Anybody can write a long name, and
/// comparing costs the square of the length.
const LONGEST: usize = 120;

/// The least likeness of two names for one work; below it they are others.
const NEAR: f64 = 0.8;

/// A name without case, marks, punctuation and articles.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    words: Vec<String>,
    key: String,
}

/// How alike two names are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Likeness {
    /// The same name.
    Equal,
    /// Nearly the same letters, from 0.8 to 1.
    Near(f64),
    /// One of them goes on where the other ends, or begins before it.
    Extended,
    /// They differ by a number: mostly another part of the same story.
    Renumbered,
    /// Another name.
    Other,
}

impl Folded {
    pub fn new(name: &str) -> Self {
        let all = words(name);
        let kept: Vec<String> = all
            .iter()
            .enumerate()
            .filter(|(at, word)| !is_article(word, *at, all.get(at + 1)))
            .map(|(at, word)| arabic(at, word).map_or_else(|| word.clone(), str::to_owned))
            .collect();
        // A title may be nothing but articles.
        let words = if kept.is_empty() { all } else { kept };
        Folded { key: words.concat(), words }
    }

    /// Nothing of it can be compared.
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// Two names are equal when their keys are.
    pub fn key(&self) -> &str {
        &self.key
    }

    pub fn likeness(&self, other: &Folded) -> Likeness {
        if self.is_empty() || other.is_empty() {
            return Likeness::Other;
        }
        if self.key == other.key {
            return Likeness::Equal;
        }
        if let Some(rest) = self.rest_of(other).or_else(|| other.rest_of(self)) {
            let numbered = rest.iter().any(|word| is_number(word));
            return if numbered { Likeness::Renumbered } else { Likeness::Extended };
        }
        if self.numbers() != other.numbers() {
            let plain = self.without_numbers();
            let same = !plain.is_empty() && plain == other.without_numbers();
            return if same { Likeness::Renumbered } else { Likeness::Other };
        }
        let ratio = self.ratio(other);
        if ratio >= NEAR { Likeness::Near(ratio) } else { Likeness::Other }
    }

    /// The words that a longer name has beside all of this one.
    fn rest_of<'a>(&self, longer: &'a Folded) -> Option<&'a [String]> {
        let all = longer.words.as_slice();
        let rest = all.strip_prefix(self.words.as_slice());
        rest.or_else(|| all.strip_suffix(self.words.as_slice())).filter(|rest| !rest.is_empty())
    }

    fn numbers(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).filter(|word| is_number(word)).collect()
    }

    fn without_numbers(&self) -> String {
        self.words.iter().map(String::as_str).filter(|word| !is_number(word)).collect()
    }

    fn ratio(&self, other: &Folded) -> f64 {
        let (ours, theirs) = (self.key.chars().count(), other.key.chars().count());
        // Letters that one of them lacks count against it in any case.
        if ours.min(theirs) * 10 < ours.max(theirs) * 8 {
            return 0.0;
        }
        let straight = normalized_damerau_levenshtein(&self.key, &other.key);
        straight.max(normalized_damerau_levenshtein(&self.sorted(), &other.sorted()))
    }

    fn sorted(&self) -> String {
        let mut words = self.words.clone();
        words.sort_unstable();
        words.concat()
    }
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for ch in name.nfkd().take(LONGEST) {
        let Some(word) = words.last_mut() else { break };
        if let Some(spelled) = spelled(ch) {
            word.push_str(spelled);
        } else if ch.is_alphanumeric() {
            word.extend(ch.to_lowercase());
        } else if ch == '&' {
            words.extend(["and".to_owned(), String::new()]);
        } else if !is_combining_mark(ch) && !matches!(ch, '\'' | '’' | 'ʼ' | '`') {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Letters that no decomposition takes apart, as they are written without them.
fn spelled(ch: char) -> Option<&'static str> {
    Some(match ch {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' => "l",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'þ' | 'Þ' => "th",
        'ı' => "i",
        _ => return None,
    })
}

/// `Film, The` is `The Film`; `A` counts only where it begins a name and a word
/// follows, since it may be a letter, as in `A.I.`.
fn is_article(word: &str, at: usize, next: Option<&String>) -> bool {
    let begins = at == 0 && next.is_some_and(|next| next.chars().nth(1).is_some());
    word == "the" || (begins && matches!(word, "a" | "an"))
}

/// A Roman number behind the first word. `I`, `V` and `X` are left alone: they
/// are words and letters too.
fn arabic(at: usize, word: &str) -> Option<&'static str> {
    if at == 0 {
        return None;
    }
    Some(match word {
        "ii" => "2",
        "iii" => "3",
        "iv" => "4",
        "vi" => "6",
        "vii" => "7",
        "viii" => "8",
        "ix" => "9",
        _ => return None,
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a name is written in Cyrillic letters.
pub(super) fn is_cyrillic(name: &str) -> bool {
    name.chars().any(|ch| matches!(ch, '\u{400}'..='\u{52f}'))
}

/// Whether it is Cyrillic and has no letter that Russian lacks.
pub(super) fn is_russian(name: &str) -> bool {
    let foreign =
        |ch: char| matches!(ch, 'і' | 'І' | 'ї' | 'Ї' | 'є' | 'Є' | 'ґ' | 'Ґ' | 'ў' | 'Ў');
    is_cyrillic(name) && !name.chars().any(foreign)
}
