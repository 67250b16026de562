//! A transaction is opened in one file, so that every write passes one door.

use crate::violation::Violation;
use crate::workspace::RustFile;

const RULE: &str = "write-door";
const HOME: &str = "crates/store/src/db.rs";

/// The transactions that are opened elsewhere.
pub fn check(file: &RustFile) -> Vec<Violation> {
    if file.path == HOME || file.package == "xtask" {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let token = &tokens.0[at];
        let called =
            ["transaction_with_behavior", "unchecked_transaction", "set_transaction_behavior"]
                .iter()
                .any(|name| token.is(name))
                || tokens.matches(at, &[".", "transaction", "(", ")"])
                || tokens.matches(at, &["Transaction", "::", "new"])
                || tokens.matches(at, &["Transaction", "::", "new_unchecked"]);
        if called || token.string().is_some_and(|text| begins_transaction(&text)) {
            let message = format!("a transaction outside `{HOME}`");
            found.push(Violation::new(&file.path, token.line, RULE, message));
        }
    }
    found
}

/// Whether one of the statements in the text is a `BEGIN`.
fn begins_transaction(text: &str) -> bool {
    text.split(';').any(|statement| {
        let words: Vec<String> =
            statement.split_whitespace().take(2).map(str::to_ascii_uppercase).collect();
        let known = ["DEFERRED", "IMMEDIATE", "EXCLUSIVE", "TRANSACTION"];
        match words.as_slice() {
            // Lower case alone is a word of prose; as SQL it is written in capitals here.
            [begin] => begin == "BEGIN" && statement.trim() == "BEGIN",
            [begin, next] => begin == "BEGIN" && known.contains(&next.as_str()),
            _ => false,
        }
    })
}
