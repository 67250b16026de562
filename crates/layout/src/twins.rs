//! Names that differ in nothing but case or the composition of their letters: two
//! for some filesystems, one for others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tracker_domain::ports::{Files, FilesError};

use crate::name::path_key;

/// Whether two paths differ in nothing but case or composition.
#[must_use]
pub fn are_twins(one: &Path, other: &Path) -> bool {
    one != other && path_key(one) == path_key(other)
}

/// The pairs of an old and a new name that are twins.
pub fn twins_of<'p>(
    old: &'p [PathBuf],
    new: &'p [PathBuf],
) -> impl Iterator<Item = (&'p PathBuf, &'p PathBuf)> {
    let by_key: HashMap<String, &PathBuf> = new.iter().map(|path| (path_key(path), path)).collect();
    old.iter().filter_map(move |old| {
        let new = *by_key.get(&path_key(old))?;
        (old != new).then_some((old, new))
    })
}

/// Whether two twins are one entry on the disk: the folder in which they begin to
/// differ does not list both.
///
/// # Errors
/// What the filesystem refuses.
pub fn is_one_entry(files: &dyn Files, one: &Path, other: &Path) -> Result<bool, FilesError> {
    let mut common = PathBuf::new();
    for (left, right) in one.components().zip(other.components()) {
        if left == right {
            common.push(left);
            continue;
        }
        let names = files.list_dir(&common)?;
        let listed =
            |part: &std::path::Component<'_>| names.iter().any(|name| name == part.as_os_str());
        return Ok(!(listed(&left) && listed(&right)));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_testkit::{FakeFiles, spec};

    use super::*;

    #[test]
    fn one_entry_or_two() {
        spec!("batches#linked-anew-after-a-correction/case-alone");
        let files = FakeFiles::new();
        files.dir("/lib/The Film");
        let (one, other) = (Path::new("/lib/The Film/a.mkv"), Path::new("/lib/THE FILM/a.mkv"));
        assert!(are_twins(one, other) && !are_twins(one, one));
        assert!(!are_twins(one, Path::new("/lib/Another/a.mkv")));
        // A disk that folds case lists the name that it has.
        assert!(is_one_entry(&files, one, other).unwrap());
        files.dir("/lib/THE FILM");
        assert!(!is_one_entry(&files, one, other).unwrap());
        assert!(is_one_entry(&files, Path::new("/no/a"), Path::new("/no/A")).is_err());
    }
}
