//! What a flag, a variable or the file gave, as the type that is wanted.

use super::document::{Node, parse_value};
use super::values::{nearest, suggestion};

/// A value as it was given.
pub(super) enum Given {
    /// By a flag or a variable: text that the wanted type has to make sense of.
    Text(String),
    /// By the file, which has types of its own.
    Node(Node),
}

pub(super) fn wrong_type(wanted: &str, found: &Node) -> String {
    format!("this is {}; write {wanted}", found.noun())
}

/// A text, whatever way it was given.
pub(super) fn text(given: Given) -> Result<String, String> {
    match given {
        Given::Text(text) | Given::Node(Node::Text(text)) => Ok(text),
        Given::Node(node) => Err(wrong_type("a text in quotes", &node)),
    }
}

pub(super) fn texts(given: Given) -> Result<Vec<String>, String> {
    let node = match given {
        Given::Text(text) if text.trim_start().starts_with('[') => {
            parse_value(&text).ok_or_else(|| {
                "the list cannot be read; write it as in the file, or with commas".to_owned()
            })?
        }
        Given::Text(text) => {
            return Ok(text
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect());
        }
        Given::Node(node) => node,
    };
    match node {
        Node::List(items) => items
            .into_iter()
            .map(|item| match item {
                // An id may stand there with quotes or without.
                Node::Integer(number) => Ok(number.to_string()),
                other => text(Given::Node(other)),
            })
            .collect(),
        other => Err(wrong_type("a list between [ and ]", &other)),
    }
}

pub(super) fn whole(given: Given, range: &std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let wanted = || format!("write a whole number from {} to {}", range.start(), range.end());
    let number = match given {
        Given::Node(Node::Integer(number)) => u64::try_from(number).ok(),
        Given::Text(text) => text.parse().ok(),
        Given::Node(Node::Huge) => None,
        Given::Node(node) => {
            return Err(format!("this is {}; {} without quotes", node.noun(), wanted()));
        }
    };
    number.filter(|number| range.contains(number)).ok_or_else(wanted)
}

/// `true` or `false`.
pub(super) fn boolean(given: Given) -> Result<bool, String> {
    match given {
        Given::Node(Node::Bool(value)) => Ok(value),
        Given::Text(text) if text == "true" => Ok(true),
        Given::Text(text) if text == "false" => Ok(false),
        Given::Text(text) => Err(format!("{text:?} is neither true nor false")),
        Given::Node(node) => Err(wrong_type("true or false without quotes", &node)),
    }
}

/// A number that is not negative.
pub(super) fn number(given: Given) -> Result<f64, String> {
    let number = match given {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a ratio of that size has no meaning anyway"
        )]
        Given::Node(Node::Integer(value)) => value as f64,
        Given::Node(Node::Float(value)) => value,
        Given::Text(text) => {
            text.parse().map_err(|_| format!("{text:?} is not a number; write one such as 2.0"))?
        }
        Given::Node(node) => return Err(wrong_type("a number without quotes", &node)),
    };
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err(format!("{number} cannot be used; write a number that is not negative"))
    }
}

pub(super) fn word<T: Copy>(text: &str, words: &[(&'static str, T)]) -> Result<T, String> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let hint = nearest(text, list.iter().copied());
        format!("{text:?} is not one of {}{}", list.join(", "), suggestion(hint))
    })
}

pub(super) fn spelling<T: PartialEq>(value: &T, words: &[(&'static str, T)]) -> String {
    words
        .iter()
        .find(|(_, known)| known == value)
        .map_or_else(String::new, |(word, _)| (*word).to_owned())
}
