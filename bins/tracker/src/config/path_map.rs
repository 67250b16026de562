//! Pairs of one folder as another program sees it and as it is here.

use std::path::{Component, PathBuf};

use serde_json::json;

use super::document::Node;
use super::given::{Given, text};
use super::reader::Section;

/// One pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPair {
    /// As the other program sees it.
    pub theirs: String,
    /// As it is here.
    pub local: PathBuf,
}

impl PathPair {
    /// Reads pairs whose other side goes by this word, such as `client`.
    pub(super) fn list(
        section: &mut Section<'_, '_>,
        key: &'static str,
        word: &'static str,
    ) -> Vec<Self> {
        section.nodes(
            key,
            |pair: &PathPair| json!({ word: pair.theirs, "local": pair.local }),
            |node| PathPair::from_node(node, word),
        )
    }

    fn from_node(node: Node, word: &str) -> Result<Self, String> {
        let form = format!("write {{ {word} = \"/downloads\", local = \"/srv/downloads\" }}");
        let Node::Table(table) = node else {
            return Err(format!("a pair is {}; {form}", node.noun()));
        };
        if let Some(entry) = table.entries.iter().find(|e| e.key != word && e.key != "local") {
            return Err(format!("a pair has no key {:?}; {form}", entry.key));
        }
        let part = |key: &str| match table.get(key) {
            Some(entry) => {
                text(Given::Node(entry.node.clone())).map_err(|error| format!("{key}: {error}"))
            }
            None => Err(format!("a pair lacks {key}; {form}")),
        };
        let (theirs, local) = (part(word)?, PathBuf::from(part("local")?));
        if theirs.is_empty() {
            return Err(format!("{word} is empty; {form}"));
        }
        if !is_whole(&theirs) {
            return Err(format!(
                "{word} is {theirs:?}, which is not a whole path without ..; write one such as \"/downloads\", 'D:\\Torrents' or '\\\\nas\\share'"
            ));
        }
        if !local.is_absolute() {
            return Err(format!("local is {local:?}, which is not a whole path from /; {form}"));
        }
        if local.components().any(|part| part == Component::ParentDir) {
            return Err(format!("local is {local:?}, which leads upwards by ..; {form}"));
        }
        Ok(PathPair { theirs, local })
    }
}

/// Whether another program's path is whole, as Unix or Windows writes it, and
/// does not lead upwards. The adapter of the client refuses everything else.
fn is_whole(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
    let windows = drive || path.starts_with("\\\\") || path.starts_with("//");
    // A backslash is an ordinary character of a name on Unix.
    let separates = |c: char| c == '/' || (windows && c == '\\');
    (windows || path.starts_with('/')) && path.split(separates).all(|part| part != "..")
}
