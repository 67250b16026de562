//! `[[notify]]`: who is told.

use serde_json::Value;
use url::Url;

use super::reader::Section;
use super::values::url;
use tracker_domain::Secret;

/// One that is told by a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notify {
    /// Its name; unique.
    pub name: String,
    /// Its address.
    pub url: Url,
    /// What a call is signed with.
    pub secret: Option<Secret>,
    /// Which events; empty is all.
    pub events: Vec<String>,
}

impl Notify {
    pub(super) fn from_source(name: &str, mut section: Section<'_, '_>) -> Option<Self> {
        section.word("kind", (), &[("webhook", ())]);
        let address = section.required(
            "url",
            "write the address that is called",
            ToString::to_string,
            |text| url(text, &["http", "https"]),
        );
        let secret = section.secret("secret");
        let events = section.list(
            "events",
            Vec::new(),
            |event: &String| Value::String(event.clone()),
            |text| Ok(text.to_owned()),
        );
        Some(Notify { name: name.to_owned(), url: address?, secret, events })
    }
}
