//! `[log]`: form and level of the log.

use super::reader::Section;
use super::values::log_filter;

/// The form of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line for people.
    Text,
    /// A JSON object a line.
    Json,
}

/// The section `[log]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The form.
    pub format: LogFormat,
    /// A level, or parts of the form `target=level`.
    pub level: String,
}

impl Log {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Log {
            format: section.word(
                "format",
                LogFormat::Text,
                &[("text", LogFormat::Text), ("json", LogFormat::Json)],
            ),
            level: section.parsed("level", "info".to_owned(), String::clone, log_filter),
        }
    }
}
