//! What all sections share while they are read, and what is left in the end.
//!
//! What a section asks for is what it knows. What nobody asked for is told as
//! unknown in the end, so no second list of keys can go stale.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::document::{Entry, Node, Table};
use super::environment::{Environment, Flags};
use super::given::{Given, text};
use super::problem::{Origin, Problem};
use super::reader::Section;
use super::show::ShownValue;
use super::values::{item_name, nearest, suggestion};
use super::variables::{Variable, collect, fold, spelled};
use super::{ARRAYS, SECTIONS};

/// What all sections share while they are read.
pub(super) struct Context<'a> {
    environment: &'a Environment,
    pub flags: &'a Flags,
    pub file: Option<PathBuf>,
    table: Table,
    pub variables: Vec<Variable>,
    /// The keys each section asked for, and whether they are secret.
    pub keys: BTreeMap<&'static str, BTreeMap<&'static str, bool>>,
    /// The names of the items of each array.
    names: BTreeMap<&'static str, Vec<String>>,
    pub problems: Vec<Problem>,
    pub values: Vec<ShownValue>,
}

impl<'a> Context<'a> {
    pub fn new(
        environment: &'a Environment,
        flags: &'a Flags,
        file: Option<PathBuf>,
        table: Table,
    ) -> Self {
        Context {
            environment,
            flags,
            file,
            table,
            variables: collect(&environment.vars),
            keys: BTreeMap::new(),
            names: BTreeMap::new(),
            problems: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The surroundings, for defaults.
    pub fn environment(&self) -> &'a Environment {
        self.environment
    }

    /// A line of the file; 0 is none, of what stands in for what nobody set.
    pub fn at_line(&self, line: usize) -> Origin {
        match &self.file {
            Some(path) if line > 0 => Origin::File { path: path.clone(), line, column: None },
            _ => Origin::Default,
        }
    }

    pub fn problem(&mut self, origin: Origin, place: &str, message: String) {
        self.problems.push(Problem { origin, place: place.to_owned(), message });
    }

    /// Tells of sections that do not exist or have the wrong form.
    pub fn check_sections(&mut self) {
        for entry in self.table.entries.clone() {
            let origin = self.at_line(entry.line);
            let key = entry.key.as_str();
            let wrong_form = match &entry.node {
                Node::Table(_) if SECTIONS.contains(&key) => continue,
                Node::List(items)
                    if ARRAYS.contains(&key)
                        && items.iter().all(|item| matches!(item, Node::Table(_))) =>
                {
                    continue;
                }
                _ if SECTIONS.contains(&key) => Some(format!("write it as a table, [{key}]")),
                _ if ARRAYS.contains(&key) => Some(format!("write each one as an item, [[{key}]]")),
                _ => None,
            };
            let message = wrong_form.unwrap_or_else(|| {
                let hint = nearest(key, SECTIONS.iter().chain(ARRAYS).copied());
                format!("there is no such section{}", suggestion(hint))
            });
            self.problem(origin, &format!("[{key}]"), message);
        }
    }

    /// A section of one table.
    pub fn section<'c>(&'c mut self, name: &'static str) -> Section<'c, 'a> {
        let table = match self.table.get(name).map(|entry| &entry.node) {
            Some(Node::Table(table)) => table.clone(),
            _ => Table::default(),
        };
        Section::new(self, name, None, table)
    }

    /// Puts items where the file does not speak of an array at all. An empty list
    /// says that there is none.
    pub fn suppose(&mut self, name: &'static str, items: Vec<Table>) {
        if self.table.get(name).is_none() {
            let node = Node::List(items.into_iter().map(Node::Table).collect());
            self.table.entries.push(Entry { key: name.to_owned(), line: 0, node });
        }
    }

    /// Whether what an array holds was set by nobody.
    pub fn is_supposed(&self, name: &str) -> bool {
        self.table.get(name).is_none_or(|entry| entry.line == 0)
    }

    /// The items of an array; each has a name of its own.
    pub fn items<T>(
        &mut self,
        name: &'static str,
        mut read: impl FnMut(&str, Section<'_, 'a>) -> Option<T>,
    ) -> Vec<T> {
        let tables: Vec<Table> = match self.table.get(name).map(|entry| &entry.node) {
            Some(Node::List(items)) => items
                .iter()
                .filter_map(|item| match item {
                    Node::Table(table) => Some(table.clone()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        for table in tables {
            let item = self.item_name(name, &table);
            let section = Section::new(self, name, Some(item.clone().unwrap_or_default()), table);
            let value = read(item.as_deref().unwrap_or_default(), section);
            found.extend(value.filter(|_| item.is_some()));
        }
        found
    }

    /// The name of an item; a missing, unusable or repeated one is told.
    fn item_name(&mut self, section: &'static str, table: &Table) -> Option<String> {
        let place = format!("[[{section}]] name");
        let Some(entry) = table.get("name") else {
            let message = "the name is missing; give each item one of its own".to_owned();
            self.problem(self.at_line(table.line), &place, message);
            return None;
        };
        let origin = self.at_line(entry.line);
        let name = match text(Given::Node(entry.node.clone())).and_then(|name| item_name(&name)) {
            Ok(name) => name,
            Err(message) => {
                self.problem(origin, &place, message);
                return None;
            }
        };
        let others = self.names.entry(section).or_default();
        let twin = others.iter().find(|other| fold(other) == fold(&name)).cloned();
        others.push(name.clone());
        if let Some(twin) = twin {
            let message = format!(
                "{name:?} is taken by {twin:?}; names differ in more than letter case and punctuation"
            );
            self.problem(origin.clone(), &place, message);
        }
        let value = Value::String(name.clone());
        let item = Some(name.clone());
        self.values.push(ShownValue { section, item, key: "name", value, secret: false, origin });
        Some(name)
    }

    /// Tells of variables that no section asked for.
    pub fn check_variables(&mut self) {
        let unused: Vec<Variable> = self.variables.iter().filter(|v| !v.used).cloned().collect();
        for variable in unused {
            let message = self.why_unknown(&variable);
            self.problem(Origin::Variable(variable.name), "", message);
        }
    }

    fn why_unknown(&self, variable: &Variable) -> String {
        let section = variable.section.as_str();
        let Some(known) = SECTIONS.iter().chain(ARRAYS).copied().find(|known| *known == section)
        else {
            let hint = nearest(section, SECTIONS.iter().chain(ARRAYS).copied());
            return format!("there is no section {section:?}{}", suggestion(hint));
        };
        let mut item = None;
        if ARRAYS.contains(&known) {
            let names = self.names.get(known).map(Vec::as_slice).unwrap_or_default();
            let Some(wanted) = &variable.item else {
                return format!(
                    "an item is set by its name: {}",
                    spelled(known, Some("NAME"), "KEY")
                );
            };
            item = names.iter().find(|name| fold(name) == *wanted).map(String::as_str);
            if item.is_none() {
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                return format!(
                    "the file has no [[{known}]] of that name (it has: {names}); a variable sets keys of an item that is there"
                );
            }
        }
        if variable.key == "name" {
            return "a name is set in the file only".to_owned();
        }
        let keys = self.keys.get(known);
        if let Some(base) = variable.key.strip_suffix("_file")
            && keys.is_some_and(|keys| keys.get(base) == Some(&false))
        {
            return format!("{base} is no secret; set {} itself", spelled(known, item, base));
        }
        let hint = keys
            .and_then(|keys| nearest(&variable.key, keys.keys().copied()))
            .map(|key| spelled(known, item, key));
        format!("there is no such setting{}", suggestion(hint.as_deref()))
    }

    /// What was found wrong, and every value.
    pub fn finish(self) -> (Vec<Problem>, Vec<ShownValue>) {
        (self.problems, self.values)
    }
}
