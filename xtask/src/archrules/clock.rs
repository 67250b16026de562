//! The clock is read in one file; everything else is given the time.

use crate::tokens::{Kind, Tokens};
use crate::violation::Violation;
use crate::workspace::{Layer, RustFile};

const RULE: &str = "clock-outside-adapter";
const HOME: &str = "crates/system/src/clock.rs";
const CLOCKS: [&str; 7] =
    ["SystemTime", "Instant", "Timestamp", "Zoned", "Utc", "Local", "OffsetDateTime"];
const READS: [&str; 4] = ["now", "now_utc", "now_local", "now_with_offset"];

/// The clock reads outside the adapter.
pub fn check(file: &RustFile) -> Vec<Violation> {
    if file.path == HOME || file.layer == Layer::Test || file.package == "xtask" {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let token = &tokens.0[at];
        let clock = CLOCKS.iter().any(|name| token.is(name));
        let message = if clock && tokens.is(at + 1, "::") && reads(tokens, at + 2) {
            if is_allowed(file, at) {
                continue;
            }
            format!("`{}::{}`: time comes from the `Clock` port", token.text, tokens.0[at + 2].text)
        } else if clock && tokens.is(at + 1, "as") && in_use(tokens, at) {
            format!("`{}` under another name hides a clock read", token.text)
        } else if tokens.matches(at, &["UNIX_EPOCH", ".", "elapsed"]) || token.is("clock_gettime") {
            format!("`{}`: time comes from the `Clock` port", token.text)
        } else {
            continue;
        };
        found.push(Violation::new(&file.path, token.line, RULE, message));
    }
    found
}

fn reads(tokens: &Tokens, at: usize) -> bool {
    READS.iter().any(|name| tokens.is(at, name))
}

/// A monotonic `Instant` measures and decides nothing: tokio's stands still in
/// tests, and the timing wrapper is there to measure.
fn is_allowed(file: &RustFile, at: usize) -> bool {
    if !file.tokens.is(at, "Instant") {
        return false;
    }
    let path = file.tokens.path_ending_at(at);
    file.file_name() == "call.rs"
        || path.starts_with(&["tokio".to_owned(), "time".to_owned()])
        || path == ["time", "Instant"] && imports_from_tokio(&file.tokens, "time")
        || path.len() == 1 && imports_from_tokio(&file.tokens, "Instant")
}

/// Whether a `use tokio::…;` of the file brings in this name, and nothing of `std` does.
fn imports_from_tokio(tokens: &Tokens, name: &str) -> bool {
    let imports = |root: &str| {
        (0..tokens.0.len()).filter(|&at| tokens.is(at, "use") && tokens.is(at + 1, root)).any(
            |at| {
                tokens.0[at..].iter().take_while(|token| !token.is(";")).any(|token| token.is(name))
            },
        )
    };
    imports("tokio") && !imports("std")
}

fn in_use(tokens: &Tokens, at: usize) -> bool {
    tokens.0[..at]
        .iter()
        .rev()
        .take_while(|token| !token.is(";") && token.kind != Kind::Literal)
        .any(|token| token.is("use"))
}
