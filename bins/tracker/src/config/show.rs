//! `config show`: each value with its origin, secrets as `***`.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::problem::Origin;

/// One value and where it comes from. A secret's value is `***` already.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownValue {
    /// The section.
    pub section: &'static str,
    /// The item of an array.
    pub item: Option<String>,
    /// The key.
    pub key: &'static str,
    /// The value; null where there is none.
    pub value: Value,
    /// Whether it is never shown.
    pub secret: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// The text for a person: TOML that says of each line where it comes from.
#[must_use]
pub fn human(values: &[ShownValue]) -> String {
    let mut out = String::new();
    let mut last: Option<(&str, Option<&str>)> = None;
    let lines: Vec<String> = values.iter().map(line).collect();
    let width = lines
        .iter()
        .map(|line| line.chars().count())
        .filter(|width| *width <= 60)
        .max()
        .unwrap_or(0);
    for (shown, line) in values.iter().zip(lines) {
        let here = (shown.section, shown.item.as_deref());
        if last != Some(here) {
            let gap = if last.is_some() { "\n" } else { "" };
            let header = match shown.item {
                Some(_) => format!("[[{}]]", shown.section),
                None => format!("[{}]", shown.section),
            };
            let _ = writeln!(out, "{gap}{header}");
            last = Some(here);
        }
        let _ = writeln!(out, "{line:width$}  # {}", shown.origin);
    }
    out
}

/// The same for programs.
#[must_use]
pub fn json(file: Option<&Path>, values: &[ShownValue]) -> Value {
    let items: Vec<Value> = values
        .iter()
        .map(|shown| {
            let mut origin = json!({ "kind": shown.origin.kind() });
            match &shown.origin {
                Origin::File { path, line, .. } => {
                    origin["path"] = json!(path);
                    origin["line"] = json!(line);
                }
                Origin::Variable(name) => origin["name"] = json!(name),
                Origin::Flag(name) => origin["name"] = json!(name),
                Origin::Default => (),
            }
            json!({
                "section": shown.section,
                "name": shown.item,
                "key": shown.key,
                "value": shown.value,
                "secret": shown.secret,
                "origin": origin,
            })
        })
        .collect();
    json!({ "file": file, "items": items, "next": null })
}

/// One line as the file would have it; what is not set is commented out.
fn line(shown: &ShownValue) -> String {
    let mark = if shown.value.is_null() { "#" } else { "" };
    format!("{mark}{} = {}", shown.key, toml_text(&shown.value))
}

/// A value as the file would have it.
pub(crate) fn toml_text(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(toml_text).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_text(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => value.to_string(),
    }
}
