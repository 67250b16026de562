//! A log message is a constant; what varies is a field.

use crate::tokens::{Kind, Token, Tokens};
use crate::violation::Violation;
use crate::workspace::RustFile;

const RULE: &str = "log-message";
const EVENTS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "event"];
const SPANS: [&str; 6] =
    ["error_span", "warn_span", "info_span", "debug_span", "trace_span", "span"];

/// The log calls whose message varies, or that have none.
pub fn check(file: &RustFile) -> Vec<Violation> {
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let name = &tokens.0[at];
        let span = SPANS.iter().any(|word| name.is(word));
        let event = EVENTS.iter().any(|word| name.is(word));
        let opened =
            tokens.is(at + 1, "!") && tokens.0.get(at + 2).is_some_and(|t| t.kind == Kind::Open);
        if !(span || event) || !opened {
            continue;
        }
        let level = name.is("event") || name.is("span");
        if let Some(message) = problem(&arguments(tokens, at + 2), span, level) {
            found.push(Violation::new(
                &file.path,
                name.line,
                RULE,
                format!("`{}!` {message}", name.text),
            ));
        }
    }
    found
}

/// The arguments between a delimiter and its other half, split at the commas.
fn arguments(tokens: &Tokens, open: usize) -> Vec<&[Token]> {
    let end = tokens.0[open].partner;
    let mut parts = Vec::new();
    let mut first = open + 1;
    let mut at = first;
    while at < end {
        if tokens.is(at, ",") {
            parts.push(&tokens.0[first..at]);
            first = at + 1;
        }
        at = if tokens.0[at].kind == Kind::Open { tokens.0[at].partner } else { at } + 1;
    }
    if first < end {
        parts.push(&tokens.0[first..end]);
    }
    parts
}

/// What is wrong with a call, if anything is.
fn problem(arguments: &[&[Token]], span: bool, level: bool) -> Option<&'static str> {
    // `target: …`, `parent: …` and `name: …` stand in front; then the level of `event!` and `span!`.
    let mut rest = arguments
        .iter()
        .skip_while(|part| part.len() > 1 && part[0].kind == Kind::Ident && part[1].is(":"))
        .skip(usize::from(level));
    if span {
        return match rest.next() {
            Some([name]) => constant(name),
            _ => Some("has a name that is not a string literal"),
        };
    }
    while let Some(part) = rest.next() {
        if let [message] = part
            && message.kind == Kind::Literal
        {
            return constant(message).or_else(|| {
                rest.next().map(|_| "has arguments after its message; make them fields before it")
            });
        }
        if part.len() > 1 && part[0].is("message") && part[1].is("=") {
            return match &part[2..] {
                [message] => constant(message),
                _ => Some("has a message that is not a string literal"),
            };
        }
        if !is_field(part) {
            return Some("has a message that is not a string literal");
        }
    }
    Some("has no constant message")
}

fn constant(message: &Token) -> Option<&'static str> {
    let Some(text) = message.string() else {
        return Some("has a message that is not a string literal");
    };
    let plain = text.replace("{{", "").replace("}}", "");
    plain.contains('{').then_some("has a message that varies; make what varies a field")
}

/// `name = value`, `a.b`, `%value`, `?value` or `"name" = value`.
fn is_field(part: &[Token]) -> bool {
    match part {
        [] => true,
        [first, ..] if first.is("%") || first.is("?") => true,
        [name, sign, ..] if name.kind == Kind::Literal && sign.is("=") => true,
        [group, ..] if group.is("{") => true,
        _ => {
            let named = part.iter().take_while(|t| t.kind == Kind::Ident || t.is(".")).count();
            named > 0 && part.get(named).is_none_or(|token| token.is("="))
        }
    }
}
