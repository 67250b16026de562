//! A Rust file as a flat list of tokens, each marked as production or test.
//!
//! The rules work on tokens and not on syntax trees, because a tree ends where
//! a macro begins, and `select!` or `info!` hide code as well as any function.
//! Comments and doc comments are gone, string literals are one token.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Ident,
    /// An operator; those of two signs are one token (`::`, `==`, `!=`, `=>`, `->`).
    Punct,
    /// A literal as it is written.
    Literal,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
}

/// One token of a Rust file.
#[derive(Debug, Clone)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// As it is written.
    pub text: String,
    /// The line, counted from 1.
    pub line: usize,
    /// Whether it belongs to test code.
    pub test: bool,
    /// Of a delimiter, the place of its other half; of anything else, its own.
    pub partner: usize,
}

impl Token {
    /// Whether this is that word, sign or delimiter; never true of a literal.
    pub fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }

    /// The value of a string literal.
    pub fn string(&self) -> Option<String> {
        if self.kind != Kind::Literal {
            return None;
        }
        match syn::parse_str::<syn::Lit>(&self.text) {
            Ok(syn::Lit::Str(text)) => Some(text.value()),
            _ => None,
        }
    }
}

/// The tokens of a file.
pub struct Tokens(pub Vec<Token>);

impl Tokens {
    /// Reads a file. `test` says that all of it is test code.
    pub fn parse(text: &str, test: bool) -> Result<Self, String> {
        let stream: TokenStream = text.strip_prefix('\u{feff}').unwrap_or(text).parse().map_err(
            |err: proc_macro2::LexError| {
                format!("line {}: does not parse: {err}", err.span().start().line)
            },
        )?;
        let mut list = Vec::new();
        flatten(stream, &mut list);
        let mut tokens = Tokens(list);
        if test {
            tokens.mark_all();
        } else {
            tokens.mark_tests();
        }
        Ok(tokens)
    }

    /// Makes all of it test code.
    pub fn mark_all(&mut self) {
        for token in &mut self.0 {
            token.test = true;
        }
    }

    /// Whether the tokens from `at` on are these.
    pub fn matches(&self, at: usize, pattern: &[&str]) -> bool {
        pattern.iter().enumerate().all(|(offset, text)| self.is(at + offset, text))
    }

    /// Whether the token at `at` is that word, sign or delimiter.
    pub fn is(&self, at: usize, text: &str) -> bool {
        self.0.get(at).is_some_and(|token| token.is(text))
    }

    /// The places of the production tokens.
    pub fn production(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|&at| !self.0[at].test)
    }

    /// The path that ends at `at` (`tokio::time::Instant`), outermost first.
    pub fn path_ending_at(&self, at: usize) -> Vec<String> {
        let mut first = at;
        let mut path = vec![self.0[at].text.clone()];
        while first >= 2 && self.is(first - 1, "::") && self.0[first - 2].kind == Kind::Ident {
            first -= 2;
            path.insert(0, self.0[first].text.clone());
        }
        path
    }

    fn mark_tests(&mut self) {
        let mut at = 0;
        while at < self.0.len() {
            if self.matches(at, &["#", "!", "["]) && self.is_test_attribute(at + 2) {
                self.mark_all();
                return;
            }
            if self.matches(at, &["#", "["]) && self.is_test_attribute(at + 1) {
                let end = self.end_of_item(self.0[at + 1].partner + 1);
                for token in &mut self.0[at..end] {
                    token.test = true;
                }
                at = end;
            } else {
                at += 1;
            }
        }
    }

    /// Whether the attribute whose `[` is at `open` marks a test.
    fn is_test_attribute(&self, open: usize) -> bool {
        let inside = &self.0[open + 1..self.0[open].partner];
        let words: Vec<&str> = inside.iter().map(|token| token.text.as_str()).collect();
        match words.as_slice() {
            ["cfg", "(", "test", ")"] => true,
            // `any(test, …)` is production under the other condition.
            ["cfg", "(", "all", "(", rest @ ..] => rest.contains(&"test") && !rest.contains(&"not"),
            _ => {
                let path = words.iter().position(|word| *word == "(").unwrap_or(words.len());
                path > 0 && words[path - 1] == "test"
            }
        }
    }

    /// One past the last token of the item, field or arm that begins at `at`.
    fn end_of_item(&self, mut at: usize) -> usize {
        const ITEMS: [&str; 17] = [
            "fn",
            "mod",
            "impl",
            "struct",
            "enum",
            "trait",
            "const",
            "static",
            "use",
            "type",
            "async",
            "unsafe",
            "extern",
            "macro_rules",
            "pub",
            "let",
            "union",
        ];
        while self.matches(at, &["#", "["]) {
            at = self.0[at + 1].partner + 1;
        }
        let item = ITEMS.iter().any(|word| self.is(at, word));
        while let Some(token) = self.0.get(at) {
            match token.kind {
                Kind::Close => return at,
                Kind::Open if token.text == "{" => return token.partner + 1,
                Kind::Open => at = token.partner + 1,
                Kind::Punct if token.text == ";" || (token.text == "," && !item) => return at + 1,
                _ => at += 1,
            }
        }
        at
    }
}

fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let line = tree.span().start().line;
        let mut push = |kind, text: String, line| {
            let partner = out.len();
            out.push(Token { kind, text, line, test: false, partner });
        };
        match tree {
            TokenTree::Ident(ident) => push(Kind::Ident, ident.to_string(), line),
            TokenTree::Literal(literal) => push(Kind::Literal, literal.to_string(), line),
            TokenTree::Punct(first) => {
                let pair = match trees.peek() {
                    Some(TokenTree::Punct(second)) if first.spacing() == Spacing::Joint => {
                        format!("{}{}", first.as_char(), second.as_char())
                    }
                    _ => String::new(),
                };
                if ["::", "==", "!=", "=>", "->"].contains(&pair.as_str()) {
                    trees.next();
                    push(Kind::Punct, pair, line);
                } else {
                    push(Kind::Punct, first.as_char().to_string(), line);
                }
            }
            TokenTree::Group(group) => {
                if is_doc(&group) && drop_hash(out) {
                    continue;
                }
                flatten_group(&group, out);
            }
        }
    }
}

fn flatten_group(group: &proc_macro2::Group, out: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => return flatten(group.stream(), out),
    };
    let first = out.len();
    let mut push = |kind, text: &str, line, partner| {
        out.push(Token { kind, text: text.to_owned(), line, test: false, partner });
    };
    push(Kind::Open, open, group.span_open().start().line, first);
    flatten(group.stream(), out);
    let last = out.len();
    out.push(Token {
        kind: Kind::Close,
        text: close.to_owned(),
        line: group.span_close().start().line,
        test: false,
        partner: first,
    });
    out[first].partner = last;
}

/// Whether the group is the `[doc = "…"]` that a doc comment turns into.
fn is_doc(group: &proc_macro2::Group) -> bool {
    let mut inside = group.stream().into_iter();
    group.delimiter() == Delimiter::Bracket
        && matches!(inside.next(), Some(TokenTree::Ident(word)) if word == "doc")
        && matches!(inside.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '=')
}

/// Takes the `#` or `#!` before a doc attribute back off the list.
fn drop_hash(out: &mut Vec<Token>) -> bool {
    let mut end = out.len();
    if end > 0 && out[end - 1].is("!") {
        end -= 1;
    }
    if end > 0 && out[end - 1].is("#") {
        out.truncate(end - 1);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn production(text: &str) -> String {
        let tokens = Tokens::parse(text, false).expect("the fixture parses");
        let words: Vec<&str> = tokens.production().map(|at| tokens.0[at].text.as_str()).collect();
        words.join(" ")
    }

    #[test]
    fn comments_and_doc_comments_are_gone() {
        assert_eq!(production("//! x\n/// y\n// z\nfn a() {} // q"), "fn a ( ) { }");
    }

    #[test]
    fn test_items_are_marked_wherever_they_stand() {
        assert_eq!(
            production("fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}"),
            "fn a ( ) { } fn c ( ) { }"
        );
        assert_eq!(
            production("#[tokio::test(start_paused = true)] async fn b<A, B>() { x } use c;"),
            "use c ;"
        );
        assert_eq!(production("struct S { #[cfg(test)] a: u8, b: u8 }"), "struct S { b : u8 }");
        assert_eq!(production("proptest! { #[test] fn b(x in 0..3) { y } }"), "proptest ! { }");
        assert_eq!(
            production("#[cfg(not(test))] fn a() {}"),
            "# [ cfg ( not ( test ) ) ] fn a ( ) { }"
        );
        assert_eq!(production("#![cfg(test)] fn a() {}"), "");
    }

    #[test]
    fn string_values_are_unescaped() {
        let tokens = Tokens::parse(r##"f(r#"a"b"#, "c\n")"##, false).expect("the fixture parses");
        assert_eq!(tokens.0[2].string().as_deref(), Some("a\"b"));
        assert_eq!(tokens.0[4].string().as_deref(), Some("c\n"));
    }
}
