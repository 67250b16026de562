//! A name as tokens: what stands between separators, and in which brackets.
//!
//! One pass over the characters. Every token keeps its place in the name, so that
//! each finding can be shown where it was read.

use super::piece;
use super::vocab::look_up;

/// What stands between a token and the one before it, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap(u16);

impl Gap {
    pub const NONE: Gap = Gap(0);
    pub const SPACE: Gap = Gap(1);
    pub const DOT: Gap = Gap(1 << 1);
    pub const UNDERSCORE: Gap = Gap(1 << 2);
    pub const DASH: Gap = Gap(1 << 3);
    pub const SLASH: Gap = Gap(1 << 4);
    pub const COMMA: Gap = Gap(1 << 5);
    pub const PLUS: Gap = Gap(1 << 6);
    pub const TILDE: Gap = Gap(1 << 7);
    pub const PIPE: Gap = Gap(1 << 8);
    pub const COLON: Gap = Gap(1 << 9);
    pub const OPEN: Gap = Gap(1 << 10);
    pub const CLOSE: Gap = Gap(1 << 11);
    pub const HASH: Gap = Gap(1 << 12);
    pub const OTHER: Gap = Gap(1 << 13);
    pub const AMPERSAND: Gap = Gap(1 << 14);
    /// What stands between the words of a phrase.
    pub const PHRASE: Gap = Gap(Gap::SPACE.0 | Gap::DOT.0 | Gap::UNDERSCORE.0);
    /// What makes a range of two numbers.
    pub const RANGE: Gap = Gap(Gap::DASH.0 | Gap::TILDE.0);
    /// What may stand between two numbers that belong together.
    pub const JOINT: Gap =
        Gap(Gap::PHRASE.0 | Gap::RANGE.0 | Gap::PLUS.0 | Gap::AMPERSAND.0 | Gap::COMMA.0);

    /// Whether all of another set are in this one.
    pub const fn has(self, other: Gap) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of another set is in this one.
    pub const fn any(self, other: Gap) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    pub const fn and(self, other: Gap) -> Gap {
        Gap(self.0 | other.0)
    }

    /// Nothing but members of another set.
    pub const fn within(self, other: Gap) -> bool {
        self.0 & !other.0 == 0
    }

    fn add(&mut self, other: Gap) {
        self.0 |= other.0;
    }

    /// A space, a point or an underscore and nothing else: the same phrase goes on.
    pub const fn plain(self) -> bool {
        self.within(Gap::PHRASE)
    }

    /// A dash with room around it.
    pub const fn spaced_dash(self) -> bool {
        self.has(Gap::DASH) && self.any(Gap::PHRASE)
    }
}

/// Which letters a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Digits only.
    Digits,
    /// ASCII letters only.
    Latin,
    /// ASCII letters and digits.
    Mixed,
    /// Some Cyrillic letter.
    Cyrillic,
    /// Chinese, Japanese or Korean.
    Cjk,
    /// Anything else.
    Other,
}

/// A run of letters and digits.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its first byte.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
    /// What stands before it.
    pub gap: Gap,
    /// The innermost bracket around it: its index plus one, or 0.
    pub bracket: u32,
    /// Its letters.
    pub class: Class,
    /// Its value, where it is made of at most nine digits.
    pub number: Option<u32>,
    len: u32,
}

impl Token {
    /// How many digits, or bytes of a word.
    pub const fn len(&self) -> u32 {
        self.len
    }
}

/// A pair of brackets.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    /// The index of its first token.
    pub first: u32,
    /// The index behind its last token.
    pub last: u32,
    /// The bracket around it: index plus one, or 0.
    pub outer: u32,
    /// Round ones.
    pub round: bool,
}

/// A name cut into tokens.
#[derive(Debug)]
pub struct Lexed<'a> {
    /// The name.
    pub text: &'a str,
    /// The same in lower case, byte for byte as long.
    pub lower: String,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Its brackets, by their opening.
    pub brackets: Vec<Bracket>,
    /// What stands behind the last token.
    pub tail: Gap,
    /// There is a space in it.
    pub spaced: bool,
    /// There is a Chinese, Japanese or Korean word in it.
    pub cjk: bool,
}

/// Brackets inside brackets inside brackets say nothing more.
const MOST_NESTED: usize = 16;

impl<'a> Lexed<'a> {
    /// Cuts a name.
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer {
            tokens: Vec::with_capacity(text.len() / 4 + 4),
            brackets: Vec::new(),
            open: Vec::new(),
            gap: Gap::NONE,
            begun: None,
        };
        for (at, character) in text.char_indices() {
            lexer.take(text, at, character);
        }
        lexer.end_token(text, text.len());
        let open = std::mem::take(&mut lexer.open);
        lexer.forget(&open);
        let tail = lexer.gap;
        Lexed {
            text,
            lower: lower(text),
            spaced: text.contains(' '),
            cjk: lexer.tokens.iter().any(|token| token.class == Class::Cjk),
            tokens: lexer.tokens,
            brackets: lexer.brackets,
            tail,
        }
    }

    /// A token by its index.
    pub fn get(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index)
    }

    /// A token in lower case; empty behind the last.
    pub fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| self.lower_of(token))
    }

    /// The lower case of a token.
    pub fn lower_of(&self, token: &Token) -> &str {
        self.lower.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// A token as written.
    pub fn raw(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| self.slice(token.start, token.end))
    }

    /// A part of the name.
    pub fn slice(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// What stands before a token; behind the last, what ends the name.
    pub fn gap(&self, index: usize) -> Gap {
        self.tokens.get(index).map_or(self.tail, |token| token.gap)
    }

    /// The innermost bracket around a token.
    pub fn bracket_of(&self, index: usize) -> Option<&Bracket> {
        let bracket = self.tokens.get(index)?.bracket;
        self.brackets.get((bracket as usize).checked_sub(1)?)
    }

    /// Whether a token stands in no bracket.
    pub fn is_outside(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.bracket == 0)
    }
}

struct Lexer {
    tokens: Vec<Token>,
    brackets: Vec<Bracket>,
    open: Vec<usize>,
    gap: Gap,
    /// Where the token under way began, and what it is made of so far.
    begun: Option<(usize, Class)>,
}

impl Lexer {
    fn take(&mut self, text: &str, at: usize, character: char) {
        let gap = match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => return self.letter(text, at, character),
            // Kept inside a word: Ocean's, S.H.I.E.L.D. has points of its own.
            '\'' | '’' | '`' if self.begun.is_some() => return self.letter(text, at, character),
            ' ' | '\t' | '\u{a0}' | '\u{3000}' | '\n' | '\r' => Gap::SPACE,
            '.' | '·' | '•' => Gap::DOT,
            '_' => Gap::UNDERSCORE,
            '-' | '–' | '—' | '‐' | '−' | '―' => Gap::DASH,
            '/' | '\\' | '／' => Gap::SLASH,
            ',' | ';' | '，' | '、' => Gap::COMMA,
            '+' => Gap::PLUS,
            '~' | '～' | '〜' => Gap::TILDE,
            '|' | '｜' => Gap::PIPE,
            ':' | '：' => Gap::COLON,
            '#' | '№' => Gap::HASH,
            '&' => Gap::AMPERSAND,
            '(' | '[' | '{' | '【' | '（' | '［' | '「' | '『' | '《' | '〈' => {
                self.end_token(text, at);
                self.gap.add(Gap::OPEN);
                if self.open.len() < MOST_NESTED {
                    let round = matches!(character, '(' | '（');
                    self.open_bracket(round);
                }
                return;
            }
            ')' | ']' | '}' | '】' | '）' | '］' | '」' | '』' | '》' | '〉' => {
                self.end_token(text, at);
                self.gap.add(Gap::CLOSE);
                if let Some(index) = self.open.pop() {
                    self.close(index);
                }
                return;
            }
            _ if character.is_alphanumeric() || is_joined(character) => {
                return self.letter(text, at, character);
            }
            _ => Gap::OTHER,
        };
        self.end_token(text, at);
        self.gap.add(gap);
    }

    fn open_bracket(&mut self, round: bool) {
        let outer = self.open.last().map_or(0, |index| small(*index) + 1);
        let first = small(self.tokens.len());
        self.open.push(self.brackets.len());
        self.brackets.push(Bracket { first, last: first, outer, round });
    }

    fn close(&mut self, index: usize) {
        let last = small(self.tokens.len());
        if let Some(bracket) = self.brackets.get_mut(index) {
            bracket.last = last;
        }
    }

    /// A bracket that is never closed is none: `[[Group] Title`.
    fn forget(&mut self, open: &[usize]) {
        if open.is_empty() {
            return;
        }
        let mut outer: Vec<u32> = Vec::with_capacity(self.brackets.len() + 1);
        outer.push(0);
        for (index, bracket) in self.brackets.iter_mut().enumerate() {
            bracket.outer = outer.get(bracket.outer as usize).copied().unwrap_or(0);
            let closed = open.binary_search(&index).is_err();
            outer.push(if closed { small(index) + 1 } else { bracket.outer });
        }
        for token in &mut self.tokens {
            token.bracket = outer.get(token.bracket as usize).copied().unwrap_or(0);
        }
    }

    fn letter(&mut self, text: &str, at: usize, character: char) {
        let class = class_of(character);
        match &mut self.begun {
            None => self.begun = Some((at, class)),
            Some((_, so_far)) => {
                let cjk = Class::Cjk;
                // Between Chinese and Latin letters there is no space.
                if (*so_far == cjk) != (class == cjk) && class != Class::Other {
                    self.end_token(text, at);
                    self.begun = Some((at, class));
                } else {
                    *so_far = join(*so_far, class);
                }
            }
        }
    }

    fn end_token(&mut self, text: &str, at: usize) {
        let Some((start, class)) = self.begun.take() else { return };
        if class == Class::Mixed
            && (self.split_glued(text, start, at)
                || self.split_tags(text, start, at)
                || self.split_special(text, start, at))
        {
            return;
        }
        let number = match class {
            Class::Digits => text.get(start..at).and_then(number_of),
            _ => None,
        };
        self.push(start, at, class, number);
        let digits =
            text.get(start..at).filter(|digits| class == Class::Digits && !digits.is_ascii());
        if let (Some(digits), Some(token)) = (digits, self.tokens.last_mut()) {
            token.len = small(digits.chars().count());
        }
    }

    /// `NameS01E02Name` is three tokens.
    fn split_glued(&mut self, text: &str, start: usize, end: usize) -> bool {
        let Some(raw) = text.get(start..end).filter(|raw| raw.len() > 6) else { return false };
        let inside = piece::glued(raw).filter(|(from, to)| *from > 0 || *to < raw.len());
        let Some((from, to)) = inside else { return false };
        // `S01E02v2`, `S01E02E03` are read as they are.
        if piece::numbers(&raw.to_ascii_lowercase()).is_some() {
            return false;
        }
        self.push_parts(raw, start, &[0, from, to, raw.len()]);
        true
    }

    /// `BD1080p`, `PDTVx264`: two words of releases without anything between.
    fn split_tags(&mut self, text: &str, start: usize, end: usize) -> bool {
        let short = |raw: &&str| (5..=16).contains(&raw.len());
        let Some(raw) = text.get(start..end).filter(short) else { return false };
        let lower = raw.to_ascii_lowercase();
        if look_up(&lower).is_some() {
            return false;
        }
        let known = |part: &str| look_up(part).is_some_and(|known| known.tag.is_technical());
        let at = (2..lower.len()).find(|at| {
            let parts = lower.split_at_checked(*at);
            parts.is_some_and(|(left, right)| right.len() > 2 && known(left) && known(right))
        });
        let Some(at) = at else { return false };
        self.push_parts(raw, start, &[0, at, raw.len()]);
        true
    }

    /// `ED2`, `OVA3`: what kind of special, and which.
    fn split_special(&mut self, text: &str, start: usize, end: usize) -> bool {
        let Some(raw) = text.get(start..end).filter(|raw| raw.len() <= 6) else { return false };
        let kinds = ["ED", "OP", "EX", "OVA", "OAD", "NCOP", "NCED"];
        let digits = kinds.iter().find_map(|kind| raw.strip_prefix(kind));
        let Some(digits) = digits.filter(|rest| (1..=2).contains(&rest.len())) else {
            return false;
        };
        let Ok(number) = digits.parse() else { return false };
        let cut = end - digits.len();
        self.push(start, cut, Class::Latin, None);
        self.push(cut, end, Class::Digits, Some(number));
        true
    }

    /// A word as several tokens, cut at some of its bytes.
    fn push_parts(&mut self, raw: &str, start: usize, cuts: &[usize]) {
        for cut in cuts.windows(2) {
            let [from, to] = *cut else { continue };
            let part = raw.get(from..to).unwrap_or("");
            // Nothing is left in front of `S01E02Name`.
            if let Some(class) = part.chars().map(class_of).reduce(join) {
                self.push(start + from, start + to, class, None);
            }
        }
    }

    fn push(&mut self, start: usize, end: usize, class: Class, number: Option<u32>) {
        self.tokens.push(Token {
            start: small(start),
            end: small(end),
            gap: std::mem::take(&mut self.gap),
            bracket: self.open.last().map_or(0, |index| small(*index) + 1),
            class,
            number,
            len: small(end - start),
        });
    }
}

/// Names beyond four gigabytes do not exist.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The value of at most nine digits, also of full width: `１２`.
fn number_of(digits: &str) -> Option<u32> {
    if digits.is_ascii() {
        return digits.parse().ok().filter(|_| digits.len() <= 9);
    }
    let value = |one: char| u32::from(one).checked_sub(u32::from('０')).filter(|value| *value < 10);
    let add = |sum: u32, one: char| Some(sum * 10 + value(one)?);
    digits.chars().try_fold(0, add).filter(|_| digits.len() <= 3 * 9)
}

/// Marks that belong to the letter before them.
fn is_joined(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe0f}' | '々' | 'ー')
}

fn class_of(character: char) -> Class {
    match character {
        '0'..='9' | '０'..='９' => Class::Digits,
        'a'..='z' | 'A'..='Z' => Class::Latin,
        '\u{400}'..='\u{52f}' => Class::Cyrillic,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '々' => Class::Cjk,
        _ => Class::Other,
    }
}

const fn join(one: Class, other: Class) -> Class {
    match (one, other) {
        (Class::Digits, Class::Digits) => Class::Digits,
        (Class::Latin, Class::Latin) => Class::Latin,
        (Class::Cjk, _) | (_, Class::Cjk) => Class::Cjk,
        (Class::Cyrillic, _) | (_, Class::Cyrillic) => Class::Cyrillic,
        (Class::Other, _) | (_, Class::Other) => Class::Other,
        _ => Class::Mixed,
    }
}

/// Lower case with every letter as long as before, so that places stay places.
fn lower(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            lower.push(character.to_ascii_lowercase());
            continue;
        }
        let mut changed = character.to_lowercase();
        match (changed.next(), changed.next()) {
            (Some(one), None) if one.len_utf8() == character.len_utf8() => lower.push(one),
            _ => lower.push(character),
        }
    }
    lower
}
