//! The environment is read in `bins/`; everything else gets its settings as arguments.

use crate::tokens::Tokens;
use crate::violation::Violation;
use crate::workspace::{Layer, RustFile};

const RULE: &str = "env-outside-bins";

/// The reads of the environment outside `bins/`.
pub fn check(file: &RustFile) -> Vec<Violation> {
    if matches!(file.layer, Layer::Bin | Layer::Test) {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        if !tokens.matches(at, &["env", "::"]) {
            continue;
        }
        let read = if tokens.is(at + 2, "{") {
            let end = tokens.0[at + 2].partner;
            (at + 3..end).find(|&inner| is_read(tokens, inner))
        } else {
            Some(at + 2).filter(|&next| is_read(tokens, next) || tokens.is(next, "*"))
        };
        if let Some(read) = read {
            let message = format!("`env::{}`: settings are arguments", tokens.0[read].text);
            found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
        }
    }
    for at in tokens.production() {
        if tokens.matches(at, &["std", "::", "env", "as"]) {
            let message = "`std::env` under another name hides a read of the environment";
            found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
        }
    }
    found
}

fn is_read(tokens: &Tokens, at: usize) -> bool {
    ["var", "var_os", "vars", "vars_os", "set_var", "remove_var"]
        .iter()
        .any(|name| tokens.is(at, name))
}
