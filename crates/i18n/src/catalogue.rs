//! The texts by their keys.

use std::fmt;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use tracker_domain::remark::{Remark, Value};
use unic_langid::LanguageIdentifier;

use crate::Language;

/// The files of one language, with what they are called in a fault.
type Files = &'static [(&'static str, &'static str)];

const EN: Files = &[
    ("en/pages.ftl", include_str!("../locales/en/pages.ftl")),
    ("en/words.ftl", include_str!("../locales/en/words.ftl")),
    ("en/telegram.ftl", include_str!("../locales/en/telegram.ftl")),
    ("en/problems.ftl", include_str!("../locales/en/problems.ftl")),
];
const RU: Files = &[
    ("ru/pages.ftl", include_str!("../locales/ru/pages.ftl")),
    ("ru/words.ftl", include_str!("../locales/ru/words.ftl")),
    ("ru/telegram.ftl", include_str!("../locales/ru/telegram.ftl")),
    ("ru/problems.ftl", include_str!("../locales/ru/problems.ftl")),
    // English remarks are sentences of `domain`.
    ("ru/remarks.ftl", include_str!("../locales/ru/remarks.ftl")),
];

/// What stands in a text for a name in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// Words, put in as they are.
    Text(&'a str),
    /// A number, which also chooses the plural form.
    Count(u64),
}

impl<'a> From<&'a str> for Argument<'a> {
    fn from(text: &'a str) -> Self {
        Argument::Text(text)
    }
}

impl<'a> From<&'a String> for Argument<'a> {
    fn from(text: &'a String) -> Self {
        Argument::Text(text)
    }
}

impl From<u64> for Argument<'_> {
    fn from(count: u64) -> Self {
        Argument::Count(count)
    }
}

/// A value of a remark as the text needs it.
enum Told {
    Text(String),
    Count(u64),
}

impl<'a> From<&'a Told> for Argument<'a> {
    fn from(told: &'a Told) -> Self {
        match told {
            Told::Text(text) => Argument::Text(text),
            Told::Count(count) => Argument::Count(*count),
        }
    }
}

/// A text file of the program that cannot be used: a fault of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the texts in {file} cannot be read: {detail}")]
pub struct CatalogueError {
    file: &'static str,
    detail: String,
}

/// All texts in all languages. Made once; reading needs no lock of ours.
pub struct Catalogue {
    en: FluentBundle<FluentResource>,
    ru: FluentBundle<FluentResource>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue").finish_non_exhaustive()
    }
}

impl Catalogue {
    /// Reads the texts that are part of the program.
    ///
    /// # Errors
    /// When a file of texts is not well-formed, or has a key twice.
    pub fn new() -> Result<Self, CatalogueError> {
        Ok(Catalogue { en: bundle(Language::En, EN)?, ru: bundle(Language::Ru, RU)? })
    }

    /// Whether there is a text of this key in this language.
    #[must_use]
    pub fn has(&self, language: Language, key: &str) -> bool {
        self.bundle(language).get_message(key).is_some_and(|message| message.value().is_some())
    }

    /// The text of a key, else of the same key in English, else the key: what cannot be
    /// told well is still told.
    #[must_use]
    pub fn text(
        &self,
        language: Language,
        key: &str,
        arguments: &[(&str, Argument<'_>)],
    ) -> String {
        self.known(language, key, arguments).unwrap_or_else(|| key.to_owned())
    }

    /// The text of a key, else of the same key in English.
    #[must_use]
    pub fn known(
        &self,
        language: Language,
        key: &str,
        arguments: &[(&str, Argument<'_>)],
    ) -> Option<String> {
        self.find(language, key, arguments).or_else(|| self.find(Language::En, key, arguments))
    }

    /// The text of a key in this language alone.
    #[must_use]
    pub fn find(
        &self,
        language: Language,
        key: &str,
        arguments: &[(&str, Argument<'_>)],
    ) -> Option<String> {
        let bundle = self.bundle(language);
        let pattern = bundle.get_message(key)?.value()?;
        let given: FluentArgs<'_> =
            arguments.iter().map(|(name, value)| (*name, fluent(*value))).collect();
        // A name that is missing is shown as `{$name}`; the tests find those.
        let mut faults = Vec::new();
        Some(bundle.format_pattern(pattern, Some(&given), &mut faults).into_owned())
    }

    /// A remark in this language. In English it is its own sentence, and so is one that
    /// has no text.
    #[must_use]
    pub fn remark(&self, language: Language, remark: &Remark) -> String {
        let known = remark.code().filter(|_| language != Language::En);
        let translated = known.and_then(|code| {
            let values: Vec<(&str, Told)> = remark
                .values()
                .into_iter()
                .map(|(name, value)| (name, self.told(language, value)))
                .collect();
            let arguments: Vec<_> =
                values.iter().map(|(name, told)| (*name, told.into())).collect();
            self.find(language, &format!("remark-{code}"), &arguments)
        });
        translated.unwrap_or_else(|| remark.to_string())
    }

    fn told(&self, language: Language, value: Value) -> Told {
        match value {
            Value::Count(count) => Told::Count(count),
            Value::Text(text) => Told::Text(text),
            Value::Word(group, word) => {
                Told::Text(self.text(language, &format!("{group}-{word}"), &[]))
            }
            Value::Remark(remark) => Told::Text(self.remark(language, &remark)),
        }
    }

    fn bundle(&self, language: Language) -> &FluentBundle<FluentResource> {
        match language {
            Language::En => &self.en,
            Language::Ru => &self.ru,
        }
    }
}

fn fluent(argument: Argument<'_>) -> FluentValue<'_> {
    match argument {
        Argument::Text(text) => FluentValue::from(text),
        Argument::Count(count) => FluentValue::from(count),
    }
}

fn bundle(
    language: Language,
    files: Files,
) -> Result<FluentBundle<FluentResource>, CatalogueError> {
    let identifier: LanguageIdentifier =
        language.as_str().parse().map_err(|error| CatalogueError {
            file: "the list of languages",
            detail: format!("{language} is no language: {error}"),
        })?;
    let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
    // The marks of direction would stand in titles, attributes and chats.
    bundle.set_use_isolating(false);
    for &(file, source) in files {
        let resource = FluentResource::try_new(source.to_owned()).map_err(|(_, faults)| {
            let detail = faults.first().map_or_else(String::new, ToString::to_string);
            CatalogueError { file, detail }
        })?;
        bundle.add_resource(resource).map_err(|faults| {
            let detail = faults.first().map_or_else(String::new, ToString::to_string);
            CatalogueError { file, detail }
        })?;
    }
    Ok(bundle)
}
