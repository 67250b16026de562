//! Errors in words.

use std::error::Error;

/// An error and each of its causes, in one line.
#[must_use]
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] io::Error);

    #[test]
    fn every_cause_is_named_in_order() {
        assert_eq!(with_causes(&Outer(io::Error::other("inner"))), "outer: inner");
        assert_eq!(with_causes(&io::Error::other("alone")), "alone");
    }
}
