//! The settings that hold, with where each comes from, as a page shows them.

use std::path::PathBuf;

/// All settings of this process. They are read at its start and stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsView {
    /// The file that was read, where there is one.
    pub file: Option<PathBuf>,
    /// The sections, in the order of the documentation.
    pub sections: Vec<SettingsSection>,
    /// Names as the patterns that hold make them.
    pub names: Vec<NameExampleView>,
}

/// A section, or one item of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsSection {
    /// Its name, such as `http` or `client`.
    pub name: String,
    /// Which item of an array, by its name.
    pub item: Option<String>,
    /// Its values.
    pub values: Vec<SettingView>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingView {
    /// The key.
    pub key: String,
    /// The value as the file would have it; nothing where there is none. A secret
    /// is `***` here.
    pub value: Option<String>,
    /// Whether it is a secret.
    pub secret: bool,
    /// Where it comes from.
    pub origin: OriginView,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginView {
    /// `default`, `file`, `variable` or `flag`.
    pub kind: &'static str,
    /// The line of the file, the name of the variable, or the flag; nothing for a
    /// default.
    pub place: Option<String>,
}

/// A pattern for names with what it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameExampleView {
    /// `film`, `episode`, `special` or `anime`.
    pub what: &'static str,
    /// The pattern.
    pub pattern: String,
    /// The name below the root of a library.
    pub path: PathBuf,
}
