//! `download.state` changes in one module, behind the guards.

use crate::tokens::Kind;
use crate::violation::Violation;
use crate::workspace::RustFile;

use super::sql::{self, SqlToken};

const RULE: &str = "state-write";
const HOME: &str = "crates/store/src/lifecycle.rs";
const MESSAGE: &str = "`download.state` is written outside `lifecycle.rs`";

/// The statements in a Rust file that write the state past the guards.
pub fn check(file: &RustFile) -> Vec<Violation> {
    if file.path == HOME || file.package == "xtask" {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let token = &tokens.0[at];
        if token.kind != Kind::Literal {
            continue;
        }
        let Some(text) = token.string() else { continue };
        if writes_state(&sql::tokenize(&text)) {
            found.push(Violation::new(&file.path, token.line, RULE, MESSAGE));
        }
    }
    found
}

/// The same for a `.sql` file that is no migration.
pub fn check_sql(path: &str, text: &str) -> Vec<Violation> {
    let tokens = sql::tokenize(text);
    if writes_state(&tokens) {
        let line = tokens.first().map_or(1, |token| token.line);
        return vec![Violation::new(path, line, RULE, MESSAGE)];
    }
    Vec::new()
}

fn writes_state(tokens: &[SqlToken]) -> bool {
    (0..tokens.len()).any(|at| {
        let word =
            |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|t| t.is_word(text));
        if word(0, "REPLACE") && word(1, "INTO") && names_download(&tokens[at + 2..]).is_some() {
            return true;
        }
        if !word(0, "UPDATE") {
            return false;
        }
        let skipped = if word(1, "OR") { 3 } else { 1 };
        let Some(rest) = tokens.get(at + skipped..).and_then(names_download) else {
            return false;
        };
        let Some(set) = rest.iter().take(3).position(|token| token.is_word("SET")) else {
            // The text ends before its SET: what follows is put together elsewhere.
            return rest.is_empty();
        };
        let clause: Vec<&SqlToken> = rest[set + 1..]
            .iter()
            .take_while(|token| {
                !["WHERE", "RETURNING", "FROM"].iter().any(|end| token.is_word(end))
                    && !token.is_sign(";")
            })
            .collect();
        // An empty list of columns is filled in elsewhere, where no rule sees it.
        clause.is_empty() || clause.iter().any(|token| token.is_name("state"))
    })
}

/// What follows the name of the table, where it is `download`.
fn names_download(tokens: &[SqlToken]) -> Option<&[SqlToken]> {
    let mut rest = tokens;
    if rest.first()?.is_name("main") && rest.get(1)?.is_sign(".") {
        rest = &rest[2..];
    }
    rest.first()?.is_name("download").then(|| &rest[1..])
}
