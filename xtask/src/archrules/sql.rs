//! SQL as tokens: comments are gone, strings and quoted names are one token.
//! It never fails, so a rule that works on it cannot be blinded by a statement
//! that a parser does not know.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlKind {
    /// A bare name, keyword or number.
    Word,
    /// `'…'`.
    Text,
    /// `"…"`, `` `…` `` or `[…]`: a name, or in SQLite also a text.
    Quoted,
    /// Any other sign.
    Sign,
}

/// One token.
#[derive(Debug, Clone)]
pub struct SqlToken {
    /// What it is.
    pub kind: SqlKind,
    /// As written, without its quotes.
    pub text: String,
    /// The line, counted from 1.
    pub line: usize,
    /// Where it begins and ends in the text.
    pub span: (usize, usize),
}

impl SqlToken {
    /// Whether this is that keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == SqlKind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether this is that name, bare or quoted.
    pub fn is_name(&self, name: &str) -> bool {
        matches!(self.kind, SqlKind::Word | SqlKind::Quoted) && self.text.eq_ignore_ascii_case(name)
    }

    /// Whether this is that sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == SqlKind::Sign && self.text == sign
    }
}

/// Reads any text as SQL.
pub fn tokenize(text: &str) -> Vec<SqlToken> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while at < chars.len() {
        let (start, sign) = chars[at];
        let next = chars.get(at + 1).map(|pair| pair.1);
        let first = at;
        let kind = match (sign, next) {
            ('-', Some('-')) => {
                at = find(&chars, at, |c| c == '\n');
                continue;
            }
            ('/', Some('*')) => {
                at += 2;
                while at < chars.len()
                    && !(chars[at].1 == '/' && chars[at - 1].1 == '*' && at > first + 2)
                {
                    at += 1;
                }
                at = (at + 1).min(chars.len());
                line += newlines(&chars[first..at]);
                continue;
            }
            ('\'', _) => SqlKind::Text,
            ('"' | '`' | '[', _) => SqlKind::Quoted,
            _ if is_word(sign) => SqlKind::Word,
            _ if sign.is_whitespace() => {
                line += usize::from(sign == '\n');
                at += 1;
                continue;
            }
            _ => SqlKind::Sign,
        };
        let value = match kind {
            SqlKind::Text | SqlKind::Quoted => quoted(&chars, &mut at),
            SqlKind::Word => {
                at = find(&chars, at, |c| !is_word(c));
                chars[first..at].iter().map(|pair| pair.1).collect()
            }
            SqlKind::Sign => {
                at += 1;
                sign.to_string()
            }
        };
        let end = chars.get(at).map_or(text.len(), |pair| pair.0);
        tokens.push(SqlToken { kind, text: value, line, span: (start, end) });
        line += newlines(&chars[first..at]);
    }
    tokens
}

/// Takes a quoted token, in which a doubled quote stands for one.
fn quoted(chars: &[(usize, char)], at: &mut usize) -> String {
    let close = if chars[*at].1 == '[' { ']' } else { chars[*at].1 };
    let mut value = String::new();
    *at += 1;
    while let Some(&(_, sign)) = chars.get(*at) {
        *at += 1;
        if sign == close {
            let doubled = close != ']' && chars.get(*at).is_some_and(|pair| pair.1 == close);
            if !doubled {
                break;
            }
            *at += 1;
        }
        value.push(sign);
    }
    value
}

fn find(chars: &[(usize, char)], from: usize, stop: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|&at| stop(chars[at].1)).unwrap_or(chars.len())
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

fn newlines(chars: &[(usize, char)]) -> usize {
    chars.iter().filter(|pair| pair.1 == '\n').count()
}
