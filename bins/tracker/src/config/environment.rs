//! What the configuration is given from outside: variables, the folder we are
//! in, flags; and where files are by default.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::problem::{Origin, Problem};

/// The file for the whole machine.
const SYSTEM_FILE: &str = "/etc/tracker/tracker.toml";

/// The surroundings of the process, as values.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Every variable.
    pub vars: BTreeMap<String, String>,
    /// The folder we are in; relative paths of flags and variables start here.
    pub current_dir: PathBuf,
    /// The file for the whole machine; a test gives another one.
    pub system_file: PathBuf,
}

/// What the command line says about the configuration.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--data-dir`
    pub data_dir: Option<PathBuf>,
}

impl Environment {
    /// The surroundings of this process.
    ///
    /// A variable that is not UTF-8 cannot be one of ours and is left out.
    #[must_use]
    pub fn of_process() -> Self {
        let vars = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Environment {
            vars,
            current_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
            system_file: PathBuf::from(SYSTEM_FILE),
        }
    }

    /// A base folder of the XDG rules: its variable, else a folder below the
    /// home. A relative value counts as unset, as those rules say.
    fn base(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let absolute =
            |name: &str| self.vars.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))
    }

    /// Where data is by default.
    #[must_use]
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.base("XDG_DATA_HOME", ".local/share").map(|base| base.join("tracker"))
    }

    /// Where what can be made again is by default.
    #[must_use]
    pub fn cache_dir(&self) -> Option<PathBuf> {
        self.base("XDG_CACHE_HOME", ".cache").map(|base| base.join("tracker"))
    }

    /// The file of the person.
    #[must_use]
    pub fn user_file(&self) -> Option<PathBuf> {
        self.base("XDG_CONFIG_HOME", ".config").map(|base| base.join("tracker/tracker.toml"))
    }

    /// A path of a flag or a variable.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.current_dir.join(path)
    }
}

/// Finds and reads the file: the flag's, else the person's, else the machine's.
pub(super) fn find_file(
    environment: &Environment,
    flags: &Flags,
) -> Result<Option<(PathBuf, String)>, Problem> {
    if let Some(given) = &flags.config {
        let path = environment.absolute(given);
        let text = read(&path)?.ok_or_else(|| Problem {
            origin: Origin::Flag("--config"),
            place: String::new(),
            message: format!(
                "there is no file {}; `tracker config init` writes one with comments",
                path.display()
            ),
        })?;
        return Ok(Some((path, text)));
    }
    for path in environment.user_file().into_iter().chain([environment.system_file.clone()]) {
        if let Some(text) = read(&path)? {
            return Ok(Some((path, text)));
        }
    }
    Ok(None)
}

/// The text of a file; `None` when it does not exist.
fn read(path: &Path) -> Result<Option<String>, Problem> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(Problem {
            origin: Origin::File { path: path.to_owned(), line: 1, column: None },
            place: String::new(),
            message: format!("the file cannot be read: {error}"),
        }),
    }
}
