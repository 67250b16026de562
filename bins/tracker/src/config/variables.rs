//! Variables of the form `TRACKER__SECTION__KEY` and `TRACKER__SECTION__NAME__KEY`.

use std::collections::BTreeMap;

use super::ARRAYS;

const PREFIX: &str = "TRACKER__";

/// One variable that claims to be a setting.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// As it stands in the environment.
    pub name: String,
    /// What it is set to.
    pub value: String,
    /// The section it names, in lower case.
    pub section: String,
    /// The item of an array it names, folded.
    pub item: Option<String>,
    /// The key it names, in lower case.
    pub key: String,
    /// Whether a section asked for it.
    pub used: bool,
}

/// How names are compared with variables: letter case is nothing, and what no
/// shell allows in a variable is an underscore.
pub(super) fn fold(name: &str) -> String {
    name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// Picks out the variables that are settings.
pub(super) fn collect(vars: &BTreeMap<String, String>) -> Vec<Variable> {
    vars.iter()
        .filter_map(|(name, value)| {
            let rest = name.strip_prefix(PREFIX)?;
            let (section, rest) = rest.split_once("__").unwrap_or((rest, ""));
            let section = section.to_lowercase();
            let (item, key) = match rest.rsplit_once("__") {
                Some((item, key)) if ARRAYS.contains(&section.as_str()) => (Some(fold(item)), key),
                _ => (None, rest),
            };
            let key = key.to_lowercase();
            let (name, value) = (name.clone(), value.clone());
            Some(Variable { name, value, section, item, key, used: false })
        })
        .collect()
}

/// The variable for a key, as a person writes it.
pub(super) fn spelled(section: &str, item: Option<&str>, key: &str) -> String {
    let key = key.to_uppercase();
    let section = section.to_uppercase();
    match item {
        Some(item) => format!("{PREFIX}{section}__{}__{key}", fold(item).to_uppercase()),
        None => format!("{PREFIX}{section}__{key}"),
    }
}
