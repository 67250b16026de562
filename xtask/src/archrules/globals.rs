//! No globals: what a part needs, it is given.

use crate::violation::Violation;
use crate::workspace::RustFile;

const RULE: &str = "global-state";

/// The `static` items, in whatever dress.
pub fn check(file: &RustFile) -> Vec<Violation> {
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        let lifetime = at > 0 && tokens.is(at - 1, "'");
        let message = if tokens.is(at, "static") && !lifetime {
            "a `static`; pass it as an argument, or make it a `const`"
        } else if tokens.matches(at, &["thread_local", "!"])
            || tokens.matches(at, &["lazy_static", "!"])
        {
            "a global in a macro; pass it as an argument"
        } else {
            continue;
        };
        found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
    }
    found
}
