//! Reading one key at a time: flag, variable, file, default, in that order.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::context::Context;
use super::document::{Node, Table, parse_value};
use super::environment::Environment;
use super::given::{Given, boolean, spelling, text, texts, whole, word, wrong_type};
use super::problem::Origin;
use super::show::ShownValue;
use super::values::{nearest, suggestion};
use super::variables::fold;
use tracker_domain::Secret;

struct Found {
    given: Given,
    origin: Origin,
}

/// One table of the file with the variables that go with it.
pub(super) struct Section<'c, 'a> {
    context: &'c mut Context<'a>,
    name: &'static str,
    item: Option<String>,
    table: Table,
    seen: Vec<&'static str>,
    ignores_rest: bool,
    fallback: Option<(&'static str, String)>,
}

impl<'c, 'a> Section<'c, 'a> {
    pub fn new(
        context: &'c mut Context<'a>,
        name: &'static str,
        item: Option<String>,
        table: Table,
    ) -> Self {
        let seen = if item.is_some() { vec!["name"] } else { Vec::new() };
        Section { context, name, item, table, seen, ignores_rest: false, fallback: None }
    }

    /// The surroundings, for defaults.
    pub fn environment(&self) -> &'a Environment {
        self.context.environment()
    }

    /// `[http] listen`, `[[client]] "home" url`.
    fn place(&self, key: &str) -> String {
        match &self.item {
            Some(item) if item.is_empty() => format!("[[{}]] {key}", self.name),
            Some(item) => format!("[[{}]] {item:?} {key}", self.name),
            None => format!("[{}] {key}", self.name),
        }
    }

    /// Tells of something wrong with a key that was read before.
    pub fn complain(&mut self, key: &'static str, message: impl Into<String>) {
        let origin =
            match self.context.values.iter().rev().find(|value| {
                value.section == self.name && value.item == self.item && value.key == key
            }) {
                Some(value) if value.origin != Origin::Default => value.origin.clone(),
                _ => self.header(),
            };
        let place = self.place(key);
        self.context.problem(origin, &place, message.into());
    }

    fn header(&self) -> Origin {
        self.context.at_line(self.table.line)
    }

    /// Stops the search for unknown keys: which ones there are depends on a
    /// word that was not understood.
    pub fn ignore_rest(&mut self) {
        self.ignores_rest = true;
    }

    /// What the next key takes when nobody sets it: a variable of another program.
    pub fn fall_back_to(&mut self, variable: &'static str, value: String) {
        self.fallback = Some((variable, value));
    }

    fn find(&mut self, key: &'static str, secret: bool) -> Option<Found> {
        self.seen.push(key);
        self.context.keys.entry(self.name).or_default().insert(key, secret);
        let fallback = self.fallback.take();
        let variable = self.variable(key, secret);
        if self.name == "general"
            && key == "data_dir"
            && let Some(path) = &self.context.flags.data_dir
        {
            let given = Given::Text(path.to_string_lossy().into_owned());
            return Some(Found { given, origin: Origin::Flag("--data-dir") });
        }
        variable
            .or_else(|| {
                let entry = self.table.get(key)?;
                let origin = self.context.at_line(entry.line);
                Some(Found { given: Given::Node(entry.node.clone()), origin })
            })
            .or_else(|| {
                let (name, value) = fallback?;
                Some(Found { given: Given::Text(value), origin: Origin::Variable(name.to_owned()) })
            })
    }

    /// What a variable says, directly or by naming a file.
    fn variable(&mut self, key: &'static str, secret: bool) -> Option<Found> {
        let item = self.item.as_deref().map(fold);
        let file_key = format!("{key}_file");
        let mut set: Vec<(String, String, bool)> = Vec::new();
        for variable in &mut self.context.variables {
            let in_file = secret && variable.key == file_key;
            let ours = variable.section == self.name && variable.item == item;
            if ours && (variable.key == key || in_file) {
                variable.used = true;
                set.push((variable.name.clone(), variable.value.clone(), in_file));
            }
        }
        let place = self.place(key);
        if let [(first, ..), (second, ..), ..] = set.as_slice() {
            let message = format!("{first} and {second} are both set; unset one of them");
            self.context.problem(Origin::Variable(first.clone()), &place, message);
        }
        let (name, value, in_file) = set.into_iter().next()?;
        let origin = Origin::Variable(name);
        if !in_file {
            return Some(Found { given: Given::Text(value), origin });
        }
        let path = self.context.environment().absolute(Path::new(&value));
        match std::fs::read_to_string(&path) {
            Ok(text) if !text.trim().is_empty() => {
                let given = Given::Text(text.trim_end_matches(['\r', '\n']).to_owned());
                Some(Found { given, origin })
            }
            Ok(_) => {
                let message =
                    format!("the file {} is empty; write the secret into it", path.display());
                self.context.problem(origin, &place, message);
                None
            }
            Err(error) => {
                let message = format!("the file {} cannot be read: {error}", path.display());
                self.context.problem(origin, &place, message);
                None
            }
        }
    }

    /// Reads one key: what is unusable is told, and the default stands in.
    pub fn value<T>(
        &mut self,
        key: &'static str,
        secret: bool,
        default: T,
        show: impl Fn(&T) -> Value,
        parse: impl FnOnce(Given, &Origin) -> Result<T, String>,
    ) -> T {
        let (value, origin) = match self.find(key, secret) {
            None => (default, Origin::Default),
            Some(Found { given, origin }) => match parse(given, &origin) {
                Ok(value) => (value, origin),
                Err(message) => {
                    let place = self.place(key);
                    self.context.problem(origin.clone(), &place, message);
                    (default, origin)
                }
            },
        };
        let shown = show(&value);
        let (section, item) = (self.name, self.item.clone());
        self.context.values.push(ShownValue { section, item, key, value: shown, secret, origin });
        value
    }

    /// A text that becomes a value of another type.
    pub fn parsed<T>(
        &mut self,
        key: &'static str,
        default: T,
        show: impl Fn(&T) -> String,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> T {
        let show = |value: &T| Value::String(show(value));
        self.value(key, false, default, show, |given, _| parse(&text(given)?))
    }

    /// The same, where the empty text means that there is none.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        show: impl Fn(&T) -> String,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let show =
            |value: &Option<T>| value.as_ref().map_or(Value::Null, |v| Value::String(show(v)));
        self.value(key, false, None, show, |given, _| match text(given)? {
            empty if empty.is_empty() => Ok(None),
            found => parse(&found).map(Some),
        })
    }

    /// A text that may be missing or empty.
    pub fn optional_text(&mut self, key: &'static str) -> Option<String> {
        self.optional(key, String::clone, |text| Ok(text.to_owned()))
    }

    /// A secret, which may come from a file that a variable names.
    pub fn secret(&mut self, key: &'static str) -> Option<Secret> {
        let show = |value: &Option<Secret>| match value {
            Some(_) => Value::String("***".to_owned()),
            None => Value::Null,
        };
        self.value(key, true, None, show, |given, _| {
            Ok(Some(text(given)?).filter(|text| !text.is_empty()).map(Secret::new))
        })
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, key: &'static str, default: bool) -> bool {
        self.value(key, false, default, |value| Value::Bool(*value), |given, _| boolean(given))
    }

    /// A whole number in a range.
    pub fn whole(&mut self, key: &'static str, default: u64, range: RangeInclusive<u64>) -> u64 {
        self.value(
            key,
            false,
            default,
            |value| Value::from(*value),
            |given, _| whole(given, &range),
        )
    }

    /// The same, which may be missing.
    pub fn optional_whole(&mut self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let show = |value: &Option<u64>| value.map_or(Value::Null, Value::from);
        self.value(key, false, None, show, |given, _| whole(given, &range).map(Some))
    }

    /// One of a few words.
    pub fn word<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        default: T,
        words: &[(&'static str, T)],
    ) -> T {
        self.parsed(key, default, |value| spelling(value, words), |text| word(text, words))
    }

    /// The same, with another value where the word is none of them.
    pub fn word_or<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        default: T,
        unknown: T,
        words: &[(&'static str, T)],
    ) -> T {
        let before = self.context.problems.len();
        let found = self.word(key, default, words);
        if self.context.problems.len() == before { found } else { unknown }
    }

    /// A text that has to be given.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        what_to_write: &str,
        show: impl Fn(&T) -> String,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        if !self.is_set(key) {
            self.missing(key, what_to_write);
            return None;
        }
        let show = |value: &Option<T>| value.as_ref().map_or_else(String::new, &show);
        self.parsed(key, None, show, |text| parse(text).map(Some))
    }

    /// A word that has to be given.
    pub fn required_word<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Option<T> {
        let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let what = format!("write one of {}", list.join(", "));
        self.required(key, &what, |value| spelling(value, words), |text| word(text, words))
    }

    /// Texts of another type.
    pub fn list<T>(
        &mut self,
        key: &'static str,
        default: Vec<T>,
        show: impl Fn(&T) -> Value,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let show = |values: &Vec<T>| Value::Array(values.iter().map(&show).collect());
        self.value(key, false, default, show, |given, _| {
            texts(given)?.iter().map(|text| parse(text)).collect()
        })
    }

    /// A list that reads the nodes of the file itself.
    pub fn nodes<T>(
        &mut self,
        key: &'static str,
        show: impl Fn(&T) -> Value,
        parse: impl Fn(Node) -> Result<T, String>,
    ) -> Vec<T> {
        let show = |values: &Vec<T>| Value::Array(values.iter().map(&show).collect());
        self.value(key, false, Vec::new(), show, |given, _| {
            let node = match given {
                Given::Node(node) => node,
                Given::Text(text) => parse_value(&text)
                    .ok_or_else(|| "write it as in the file, between [ and ]".to_owned())?,
            };
            match node {
                Node::List(items) => items.into_iter().map(&parse).collect(),
                other => Err(wrong_type("a list between [ and ]", &other)),
            }
        })
    }

    /// A folder or a file. What is relative starts at the folder of the file
    /// that says so, or where the command was started.
    pub fn path(&mut self, key: &'static str, default: Option<PathBuf>) -> Option<PathBuf> {
        let base = self.context.file.as_deref().and_then(Path::parent).map(Path::to_owned);
        let current = self.environment().current_dir.clone();
        let show = |value: &Option<PathBuf>| {
            value
                .as_ref()
                .map_or(Value::Null, |path| Value::String(path.to_string_lossy().into_owned()))
        };
        let fallback = default.clone();
        self.value(key, false, default, show, |given, _| {
            let base = match &given {
                Given::Node(_) => base.unwrap_or(current),
                Given::Text(_) => current,
            };
            match text(given)? {
                empty if empty.is_empty() => Ok(fallback),
                found if found.starts_with('~') => {
                    Err(format!("{found:?}: ~ is not resolved here; write the whole path"))
                }
                found => Ok(Some(base.join(found))),
            }
        })
    }

    /// Whether a variable or the file has the key.
    fn is_set(&self, key: &str) -> bool {
        let item = self.item.as_deref().map(fold);
        self.table.get(key).is_some()
            || self.context.variables.iter().any(|variable| {
                variable.section == self.name && variable.item == item && variable.key == key
            })
    }

    /// Tells that a key has to be given.
    fn missing(&mut self, key: &'static str, what_to_write: &str) {
        self.seen.push(key);
        self.context.keys.entry(self.name).or_default().insert(key, false);
        let (origin, place) = (self.header(), self.place(key));
        self.context.problem(origin, &place, format!("the value is missing; {what_to_write}"));
    }
}

impl Drop for Section<'_, '_> {
    /// Tells of keys in the file that nobody asked for.
    fn drop(&mut self) {
        if self.ignores_rest {
            let (name, item) = (self.name, self.item.as_deref().map(fold));
            for variable in &mut self.context.variables {
                variable.used |= variable.section == name && variable.item == item;
            }
            return;
        }
        let unknown: Vec<(String, usize)> = self
            .table
            .entries
            .iter()
            .filter(|entry| !self.seen.contains(&entry.key.as_str()))
            .map(|entry| (entry.key.clone(), entry.line))
            .collect();
        for (key, line) in unknown {
            let hint = nearest(&key, self.seen.iter().copied());
            let message = format!("there is no such key{}", suggestion(hint));
            let (origin, place) = (self.context.at_line(line), self.place(&key));
            self.context.problem(origin, &place, message);
        }
    }
}
