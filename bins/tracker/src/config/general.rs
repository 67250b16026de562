//! `[general]`: folders, language, modes.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use tracker_domain::access::Language;

use super::reader::Section;
use super::values::{octal, timezone};

/// The section `[general]`.
#[derive(Clone, Debug)]
pub struct General {
    /// Where the database is.
    pub data_dir: PathBuf,
    /// Where what can be made again is.
    pub cache_dir: PathBuf,
    /// The name of the zone of quiet hours, and of times on pages where neither the
    /// person nor the browser says one.
    pub timezone_name: String,
    /// The zone itself.
    pub timezone: TimeZone,
    /// The language.
    pub language: Language,
    /// What is taken from the mode of new files and folders.
    pub umask: u32,
    /// The mode of `api-token` and `daemon.json`.
    pub token_mode: u32,
}

impl General {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        let environment = section.environment();
        let data_dir = section.path("data_dir", environment.data_dir());
        let cache_dir = section.path("cache_dir", environment.cache_dir());
        if data_dir.is_none() {
            section.complain(
                "data_dir",
                "no folder is known, as HOME is not set; give --data-dir or write the whole path",
            );
        }
        if cache_dir.is_none() && data_dir.is_none() {
            section.complain(
                "cache_dir",
                "no folder is known, as HOME is not set; write the whole path",
            );
        }
        let data_dir = data_dir.unwrap_or_default();
        let cache_dir = cache_dir.unwrap_or_else(|| data_dir.join("cache"));
        let (timezone_name, timezone) = zone(&mut section);
        let language =
            section.word("language", Language::En, &[("en", Language::En), ("ru", Language::Ru)]);
        let umask = section.parsed("umask", 0o002, |mode| format!("{mode:04o}"), octal);
        let token_mode =
            section.parsed("token_mode", 0o600, |mode| format!("{mode:04o}"), token_mode);
        General { data_dir, cache_dir, timezone_name, timezone, language, umask, token_mode }
    }
}

/// The zone; `TZ` stands in for it, as containers set it, where it is a name.
fn zone(section: &mut Section<'_, '_>) -> (String, TimeZone) {
    if let Some(name) = section.environment().vars.get("TZ").filter(|name| timezone(name).is_ok()) {
        section.fall_back_to("TZ", name.clone());
    }
    section.parsed(
        "timezone",
        ("UTC".to_owned(), TimeZone::UTC),
        |(name, _)| name.clone(),
        |text| timezone(text).map(|zone| (text.to_owned(), zone)),
    )
}

/// A mode in which the owner can use the file and nobody else but the group.
fn token_mode(text: &str) -> Result<u32, String> {
    let mode = octal(text)?;
    if mode & 0o600 == 0o600 && mode & 0o137 == 0 {
        Ok(mode)
    } else {
        Err(format!(
            "{text:?} would lock us out or let others in; write \"0600\", \"0640\" or \"0660\""
        ))
    }
}
