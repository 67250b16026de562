//! `config init`: a file with comments, from which a person starts.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use super::environment::{Environment, Flags};

/// Why no file was written.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// There is one.
    #[error("{0} is there already and stays as it is; look at the commented one with --stdout")]
    Exists(PathBuf),
    /// No place is known.
    #[error("no place for the file is known, as HOME is not set; name one with --config")]
    NoPlace,
    /// The system refused.
    #[error("{path} cannot be written: {source}")]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// The file with comments. Every setting in it is commented out, so that it
/// says the same as no file at all.
#[must_use]
pub const fn template() -> &'static str {
    include_str!("init.toml")
}

/// Writes the file with comments to the place of `--config`, or to the
/// person's own, and says where.
///
/// # Errors
/// A file that is there is never replaced.
pub fn init(environment: &Environment, flags: &Flags) -> Result<PathBuf, InitError> {
    let path = match &flags.config {
        Some(given) => environment.absolute(given),
        None => environment.user_file().ok_or(InitError::NoPlace)?,
    };
    let failed = |source| InitError::Io { path: path.clone(), source };
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    }
    // A password may be written into it later, so nobody else reads it.
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    match opened {
        Ok(mut file) => file.write_all(template().as_bytes()).map_err(failed)?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(InitError::Exists(path));
        }
        Err(error) => return Err(failed(error)),
    }
    Ok(path)
}
