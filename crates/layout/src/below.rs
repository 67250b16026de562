//! What is below the root of a library, and nothing else.

use std::path::{Component, Path, PathBuf};

use tracker_domain::ports::{Files, FilesError};

/// The folders between the root and the target, outermost first; `None` when the
/// target is not below the root.
pub fn folders_between(root: &Path, target: &Path) -> Option<Vec<PathBuf>> {
    let below = target.strip_prefix(root).ok()?;
    let mut folders = Vec::new();
    let mut path = root.to_path_buf();
    let mut components = below.components().peekable();
    components.peek()?;
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else {
            return None;
        };
        path.push(name);
        if components.peek().is_some() {
            folders.push(path.clone());
        }
    }
    Some(folders)
}

/// Whether the root is a folder. It may be reached through a symbolic link: that
/// is the choice of who configured it.
pub fn root_is_there(files: &dyn Files, root: &Path) -> Result<bool, FilesError> {
    Ok(files.stat(&root.join("."))?.is_some_and(|stat| stat.is_dir))
}

/// The first of these folders that is something else than a folder, such as a
/// symbolic link that would lead out of the library.
pub fn first_not_a_folder(
    files: &dyn Files,
    folders: &[PathBuf],
) -> Result<Option<PathBuf>, FilesError> {
    for folder in folders {
        match files.stat(folder)? {
            Some(stat) if stat.is_dir => {}
            Some(_) => return Ok(Some(folder.clone())),
            None => return Ok(None),
        }
    }
    Ok(None)
}
