//! `[backup]`: where copies of the database go.

use std::time::Duration;

use url::Url;

use super::reader::Section;
use super::values::{duration, duration_text, url};
use tracker_domain::Secret;

/// The section `[backup]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Where to; `None` is the data directory.
    pub target: Option<Url>,
    /// How often; `None` is never by itself.
    pub every: Option<Duration>,
    /// How many are kept.
    pub keep: u64,
    /// The address of an object store.
    pub endpoint: Option<Url>,
    /// Its region.
    pub region: Option<String>,
    /// The name of the key to it.
    pub access_key: Option<Secret>,
    /// The key to it.
    pub secret_key: Option<Secret>,
}

impl Backup {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let every = |text: &str| match duration(text)? {
            Duration::ZERO => Ok(None),
            found if found >= Duration::from_secs(1) => Ok(Some(found)),
            _ => Err(format!("{text} cannot be used; write at least 1s, or 0s for never")),
        };
        Backup {
            target: section
                .optional("target", ToString::to_string, |text| url(text, &["file", "s3"])),
            every: section.parsed(
                "every",
                Some(Duration::from_secs(86_400)),
                |every| duration_text(every.unwrap_or_default()),
                every,
            ),
            keep: section.whole("keep", 7, 1..=10_000),
            endpoint: section
                .optional("endpoint", ToString::to_string, |text| url(text, &["http", "https"])),
            region: section.optional_text("region"),
            access_key: section.secret("access_key"),
            secret_key: section.secret("secret_key"),
        }
    }
}
