//! An error is told by its variant, never by its text: the text is for people
//! and changes without notice.

use crate::tokens::{Kind, Tokens};
use crate::violation::Violation;
use crate::workspace::RustFile;

const RULE: &str = "error-text";
const SAME_TEXT: [&str; 9] = [
    "as_str",
    "as_ref",
    "to_lowercase",
    "to_ascii_lowercase",
    "to_uppercase",
    "to_ascii_uppercase",
    "trim",
    "clone",
    "as_bytes",
];
const COMPARISONS: [&str; 11] = [
    "contains",
    "starts_with",
    "ends_with",
    "eq",
    "ne",
    "eq_ignore_ascii_case",
    "find",
    "rfind",
    "matches",
    "strip_prefix",
    "strip_suffix",
];

/// The places where the text of an error decides.
pub fn check(file: &RustFile) -> Vec<Violation> {
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let Some((first, after)) = error_text(tokens, at) else {
            continue;
        };
        if decides(tokens, first, after) || bound_and_decides(tokens, first, after) {
            let message = "matched by its text; match the variant";
            found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
        }
    }
    found
}

/// Where `err.to_string()` or `format!("{err}")` begins at `at`: its first
/// token and one past its last.
fn error_text(tokens: &Tokens, at: usize) -> Option<(usize, usize)> {
    if tokens.matches(at, &[".", "to_string", "(", ")"]) {
        let first = error_receiver(tokens, at.checked_sub(1)?)?;
        return Some((first, at + 4));
    }
    if tokens.matches(at, &["format", "!", "("]) {
        let end = tokens.0[at + 2].partner;
        let text = tokens.0[at + 3].string()?;
        let inline = text
            .split('{')
            .skip(1)
            .any(|part| part.split(['}', ':']).next().is_some_and(is_error_name));
        let argument = (at + 4..end).any(|inner| {
            tokens.0[inner].kind == Kind::Ident && is_error_name(&tokens.0[inner].text)
        });
        return (inline || argument).then_some((at, end + 1));
    }
    None
}

/// The first token of a receiver that is an error and ends at `at`.
fn error_receiver(tokens: &Tokens, at: usize) -> Option<usize> {
    let mut name = at;
    if tokens.is(at, ")") {
        name = tokens.0[at].partner.checked_sub(1)?;
    }
    let token = &tokens.0[name];
    if token.kind != Kind::Ident || !is_error_name(&token.text) {
        return None;
    }
    let mut first = name;
    while first >= 2 && tokens.is(first - 1, ".") && tokens.0[first - 2].kind == Kind::Ident {
        first -= 2;
    }
    while first >= 1 && (tokens.is(first - 1, "&") || tokens.is(first - 1, "*")) {
        first -= 1;
    }
    Some(first)
}

fn is_error_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["e", "err", "error", "cause", "source", "root_cause", "unwrap_err", "expect_err", "failure"]
        .contains(&name.as_str())
        || name.ends_with("_err")
        || name.ends_with("_error")
}

/// Whether the expression `first..after` is compared there and then.
fn decides(tokens: &Tokens, first: usize, mut after: usize) -> bool {
    while tokens.is(after, ".") && SAME_TEXT.iter().any(|name| tokens.is(after + 1, name)) {
        match tokens.0.get(after + 2) {
            Some(open) if open.is("(") => after = open.partner + 1,
            _ => break,
        }
    }
    let compared =
        tokens.is(after, ".") && COMPARISONS.iter().any(|name| tokens.is(after + 1, name));
    let equated = tokens.is(after, "==") || tokens.is(after, "!=");
    let before = |text: &str| first > 0 && tokens.is(first - 1, text);
    let matched = before("match") || before("&") && first > 1 && tokens.is(first - 2, "match");
    compared || equated || before("==") || before("!=") || matched
}

/// Whether `let text = err.to_string();` is followed, in its block, by a comparison of `text`.
fn bound_and_decides(tokens: &Tokens, first: usize, after: usize) -> bool {
    let bound = first >= 3
        && tokens.is(first - 1, "=")
        && tokens.is(first - 3, "let")
        && tokens.0[first - 2].kind == Kind::Ident;
    if !bound {
        return false;
    }
    let name = tokens.0[first - 2].text.as_str();
    let mut depth = 0_i32;
    for at in after..tokens.0.len() {
        match tokens.0[at].kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        let shadowed = tokens.is(at, name) && tokens.is(at - 1, "let");
        if shadowed {
            return false;
        }
        let mine = tokens.is(at, name) && !tokens.is(at - 1, ".");
        if mine && decides(tokens, at, at + 1) {
            return true;
        }
    }
    false
}
