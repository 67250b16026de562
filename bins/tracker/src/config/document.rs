//! TOML text as a plain tree in which each key knows its line.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{Origin, Problem};

/// One table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// The line of its header.
    pub line: usize,
    /// Its keys, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One key.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    pub line: usize,
    pub node: Node,
}

/// One value.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Date,
    /// A number that does not fit.
    Huge,
    List(Vec<Node>),
    Table(Table),
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Node {
    /// What it is, for a message.
    pub const fn noun(&self) -> &'static str {
        match self {
            Node::Text(_) => "a text",
            Node::Integer(_) | Node::Float(_) => "a number",
            Node::Bool(_) => "true or false",
            Node::Date => "a date",
            Node::Huge => "a number that is too large",
            Node::List(_) => "a list",
            Node::Table(_) => "a table",
        }
    }
}

/// Parses a file.
///
/// With broken syntax what can be read of the rest says little, so only the
/// broken places are told then, all of them.
pub(super) fn parse(path: &Path, text: &str) -> Result<Table, Vec<Problem>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(table_of(text, &table));
    }
    Err(errors.iter().map(|error| syntax_problem(path, text, error)).collect())
}

/// Parses one value, as a variable may hold it.
pub(super) fn parse_value(text: &str) -> Option<Node> {
    let value = DeValue::parse(text).ok()?;
    Some(node_of(text, &value))
}

fn syntax_problem(path: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let (line, column) = position(text, error.span().map_or(0, |span| span.start));
    Problem {
        origin: Origin::File { path: path.to_owned(), line, column: Some(column) },
        place: String::new(),
        message: format!("this is not TOML: {}", error.message().replace('\n', " ")),
    }
}

/// Line and column, both from 1, of a byte offset.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
    (line, column)
}

fn table_of(text: &str, table: &Spanned<DeTable<'_>>) -> Table {
    Table { line: position(text, table.span().start).0, entries: entries_of(text, table.get_ref()) }
}

fn entries_of(text: &str, table: &DeTable<'_>) -> Vec<Entry> {
    let mut entries: Vec<(usize, Entry)> = table
        .iter()
        .map(|(key, value)| {
            let start = key.span().start;
            let entry = Entry {
                key: key.get_ref().clone().into_owned(),
                line: position(text, start).0,
                node: node_of(text, value),
            };
            (start, entry)
        })
        .collect();
    entries.sort_by_key(|(start, _)| *start);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn node_of(text: &str, value: &Spanned<DeValue<'_>>) -> Node {
    match value.get_ref() {
        DeValue::String(found) => Node::Text(found.clone().into_owned()),
        DeValue::Integer(found) => {
            i64::from_str_radix(found.as_str(), found.radix()).map_or(Node::Huge, Node::Integer)
        }
        DeValue::Float(found) => found.as_str().parse().map_or(Node::Huge, Node::Float),
        DeValue::Boolean(found) => Node::Bool(*found),
        DeValue::Datetime(_) => Node::Date,
        DeValue::Array(items) => Node::List(items.iter().map(|item| node_of(text, item)).collect()),
        DeValue::Table(table) => Node::Table(Table {
            line: position(text, value.span().start).0,
            entries: entries_of(text, table),
        }),
    }
}
