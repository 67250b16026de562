//! A call to the outside goes through the one timing wrapper of its crate,
//! `call.rs`, which logs target, duration and outcome.

use crate::violation::Violation;
use crate::workspace::{Layer, RustFile};

const RULE: &str = "untimed-call";

/// The requests that are sent around the wrapper.
pub fn check(file: &RustFile) -> Vec<Violation> {
    let may_call = matches!(file.layer, Layer::Adapter | Layer::Transport);
    if file.package == "xtask" || may_call && file.file_name() == "call.rs" {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for at in tokens.production() {
        // A channel's `send` has an argument, a request's has none.
        let sent = tokens.matches(at, &[".", "send", "(", ")"]);
        let executed = tokens.matches(at, &[".", "execute", "("]) && may_call;
        let shortcut = tokens.matches(at, &["reqwest", "::", "get"])
            || tokens.matches(at, &["reqwest", "::", "blocking"]);
        let foreign =
            tokens.matches(at, &["reqwest", "::"]) && !may_call && file.layer != Layer::Bin;
        let message = if sent || executed || shortcut {
            "a request is sent through `call.rs`, where it is timed and logged"
        } else if foreign {
            "`reqwest` is for adapters and transports"
        } else {
            continue;
        };
        found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
    }
    found
}
