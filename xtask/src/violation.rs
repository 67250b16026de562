//! What every checker returns: one broken rule at one place.
//! It knows nothing of the rules themselves.

use std::fmt;

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The file, relative to the workspace root.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The name of the rule.
    pub rule: &'static str,
    /// What is wrong, in a few words.
    pub message: String,
}

impl Violation {
    /// A violation of `rule` at `path:line`.
    pub fn new(path: &str, line: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Violation { path: path.to_owned(), line, rule, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { path, line, rule, message } = self;
        write!(f, "{path}:{line}: [{rule}] {message}")
    }
}

/// The violations as lines, for a message that names them all.
#[cfg(test)]
pub fn render(violations: &[Violation]) -> String {
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
