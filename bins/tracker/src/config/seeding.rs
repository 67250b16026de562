//! `[seeding]`, and `seeding = { … }` in a client or a library: when a finished
//! torrent has given enough, and what is done then.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tracker_domain::seeding::{Limit, SeedingAction, SeedingWords};

use super::document::{Node, parse_value};
use super::given::{Given, boolean, number, text, word, wrong_type};
use super::reader::Section;
use super::values::{duration, duration_text, nearest, suggestion};

/// The word that sets no end, also where a wider place sets one.
const NEVER: &str = "never";

const KEYS: &[&str] = &["ratio", "time", "min_time", "keep_while_linked", "action", "dry_run"];

/// The section, whose words hold where no nearer place says otherwise.
pub(super) fn from_source(mut section: Section<'_, '_>) -> SeedingWords {
    let section = &mut section;
    let plain = |value: &Option<bool>| json!(value);
    SeedingWords {
        ratio: section.value("ratio", false, None, show_ratio, |given, _| or_none(given, ratio)),
        time: section.value("time", false, None, show_time, |given, _| or_none(given, time)),
        min_time: section.value(
            "min_time",
            false,
            Some(Duration::ZERO),
            |time| json!(time.map(duration_text)),
            |given, _| or_none(given, least),
        ),
        keep_while_linked: section.value(
            "keep_while_linked",
            false,
            Some(false),
            plain,
            |given, _| boolean(given).map(Some),
        ),
        action: section.value(
            "action",
            false,
            Some(SeedingAction::Stop),
            |action| json!(action.map(SeedingAction::as_str)),
            |given, _| or_none(given, action),
        ),
        dry_run: section
            .value("dry_run", false, Some(false), plain, |given, _| boolean(given).map(Some)),
    }
}

/// The same keys in a table of a client or a library; what is missing there is left to
/// the wider places.
pub(super) fn table(section: &mut Section<'_, '_>) -> SeedingWords {
    section.value("seeding", false, SeedingWords::default(), show, |given, _| {
        let node = match given {
            Given::Text(text) if text.is_empty() => return Ok(SeedingWords::default()),
            Given::Text(text) => parse_value(&text)
                .ok_or_else(|| "write it as in the file, between { and }".to_owned())?,
            Given::Node(node) => node,
        };
        words(node)
    })
}

fn words(node: Node) -> Result<SeedingWords, String> {
    let Node::Table(table) = node else {
        return Err(wrong_type("a table such as { ratio = 2.0, time = \"30d\" }", &node));
    };
    let mut words = SeedingWords::default();
    for entry in table.entries {
        let given = Given::Node(entry.node);
        let read = match entry.key.as_str() {
            "ratio" => or_none(given, ratio).map(|value| words.ratio = value),
            "time" => or_none(given, time).map(|value| words.time = value),
            "min_time" => or_none(given, least).map(|value| words.min_time = value),
            "keep_while_linked" => {
                boolean(given).map(|value| words.keep_while_linked = Some(value))
            }
            "action" => or_none(given, action).map(|value| words.action = value),
            "dry_run" => boolean(given).map(|value| words.dry_run = Some(value)),
            other => {
                let hint = suggestion(nearest(other, KEYS.iter().copied()));
                return Err(format!("it has no key {other:?}{hint}; keys: {}", KEYS.join(", ")));
            }
        };
        read.map_err(|error| format!("{}: {error}", entry.key))?;
    }
    Ok(words)
}

/// The empty text says nothing.
fn or_none<T>(
    given: Given,
    parse: impl FnOnce(Given) -> Result<T, String>,
) -> Result<Option<T>, String> {
    match &given {
        Given::Text(text) | Given::Node(Node::Text(text)) if text.is_empty() => Ok(None),
        _ => parse(given).map(Some),
    }
}

fn is_never(given: &Given) -> bool {
    matches!(given, Given::Text(text) | Given::Node(Node::Text(text)) if text == NEVER)
}

fn ratio(given: Given) -> Result<Limit<f64>, String> {
    if is_never(&given) {
        return Ok(Limit::Never);
    }
    match number(given).map_err(|error| format!("{error}, or \"{NEVER}\""))? {
        found if found > 0.0 => Ok(Limit::At(found)),
        // Some programs take 0 for no end: to guess would delete or upload too much.
        _ => Err(format!("0 is reached at once; write a number above it, or \"{NEVER}\"")),
    }
}

fn time(given: Given) -> Result<Limit<Duration>, String> {
    if is_never(&given) {
        return Ok(Limit::Never);
    }
    match least(given).map_err(|error| format!("{error}, or {NEVER}"))? {
        Duration::ZERO => Err(format!("0 is reached at once; write a longer time, or {NEVER:?}")),
        found => Ok(Limit::At(found)),
    }
}

fn least(given: Given) -> Result<Duration, String> {
    duration(&text(given)?)
}

fn action(given: Given) -> Result<SeedingAction, String> {
    word(&text(given)?, &SeedingAction::ALL.map(|action| (action.as_str(), action)))
}

fn show_ratio(value: &Option<Limit<f64>>) -> Value {
    value.map_or(Value::Null, |limit| limit.at().map_or(json!(NEVER), Value::from))
}

fn show_time(value: &Option<Limit<Duration>>) -> Value {
    value.map_or(Value::Null, |limit| {
        json!(limit.at().map_or_else(|| NEVER.to_owned(), duration_text))
    })
}

fn show(words: &SeedingWords) -> Value {
    let all = [
        ("ratio", show_ratio(&words.ratio)),
        ("time", show_time(&words.time)),
        ("min_time", json!(words.min_time.map(duration_text))),
        ("keep_while_linked", json!(words.keep_while_linked)),
        ("action", json!(words.action.map(SeedingAction::as_str))),
        ("dry_run", json!(words.dry_run)),
    ];
    let said: Map<String, Value> = all
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
    if said.is_empty() { Value::Null } else { Value::Object(said) }
}
