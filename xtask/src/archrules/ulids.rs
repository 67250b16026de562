//! A ULID is made and parsed in `ident` alone, tests included.

use crate::tokens::Kind;
use crate::violation::Violation;
use crate::workspace::{Layer, RustFile};

const RULE: &str = "ulid-outside-ident";
/// Who has this at hand writes or reads ids by hand.
const ALPHABET: &str = concat!("0123456789ABCDEF", "GHJKMNPQRSTVWXYZ");

/// The uses of the `ulid` crate outside its home.
pub fn check(file: &RustFile) -> Vec<Violation> {
    if file.layer == Layer::Ident {
        return Vec::new();
    }
    let tokens = &file.tokens;
    let mut found = Vec::new();
    for (at, token) in tokens.0.iter().enumerate() {
        let before = |text: &str| at > 0 && tokens.is(at - 1, text);
        let krate =
            token.is("ulid") && (tokens.is(at + 1, "::") || before("use") || before("crate"));
        // A type of that name which only describes an id, like a schema, makes and parses none.
        let made = token.is("Ulid") && (tokens.is(at + 1, "::") || before("<"));
        let alphabet = token.kind == Kind::Literal
            && token.text.trim_start_matches('b').trim_matches('"').eq_ignore_ascii_case(ALPHABET);
        let message = if alphabet {
            "the alphabet of ULIDs: ids come from `tracker-ident`".to_owned()
        } else if krate || made {
            format!("`{}`: ids come from `tracker-ident`", token.text)
        } else {
            continue;
        };
        found.push(Violation::new(&file.path, token.line, RULE, message));
    }
    found
}
