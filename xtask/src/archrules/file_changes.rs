//! Who touches files: adapters and `bins/`. The store keeps its own database
//! file; nothing else inside moves, links or removes one.

use crate::tokens::Kind;
use crate::violation::Violation;
use crate::workspace::{Layer, RustFile};

const RULE: &str = "file-change";
const MOVES: [&str; 8] = [
    "copy",
    "rename",
    "remove_file",
    "remove_dir",
    "remove_dir_all",
    "hard_link",
    "soft_link",
    "symlink",
];
const WRITES: [&str; 4] = ["write", "create_dir", "create_dir_all", "set_permissions"];

/// The changes of files outside their homes.
pub fn check(file: &RustFile) -> Vec<Violation> {
    let core = matches!(file.layer, Layer::Ident | Layer::Core);
    let outer = matches!(file.layer, Layer::App | Layer::Shared | Layer::Transport);
    if file.package == "tracker-store" || !core && !outer {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let banned = |at: usize| {
        MOVES.iter().any(|name| tokens.is(at, name))
            || core && WRITES.iter().any(|name| tokens.is(at, name))
    };
    let mut found = Vec::new();
    for at in tokens.production() {
        if !tokens.matches(at, &["fs", "::"]) {
            continue;
        }
        let change = if tokens.is(at + 2, "{") {
            (at + 3..tokens.0[at + 2].partner).find(|&inner| banned(inner))
        } else {
            Some(at + 2).filter(|&next| banned(next))
        };
        if let Some(change) = change.filter(|&change| tokens.0[change].kind == Kind::Ident) {
            let message = format!(
                "`fs::{}`: files are changed through the port `Files`",
                tokens.0[change].text
            );
            found.push(Violation::new(&file.path, tokens.0[at].line, RULE, message));
        }
    }
    found
}
