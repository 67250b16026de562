//! Gives a file a new name, in the one way that the library asks for.

use std::path::Path;

use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileStat, Files, FilesError};

/// Makes `target`, which must not be there, from `source`.
pub fn make(
    files: &dyn Files,
    mode: LinkMode,
    source: &Path,
    target: &Path,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), FilesError> {
    match mode {
        LinkMode::Hardlink => files.hard_link(source, target),
        LinkMode::Reflink => files.clone_file(source, target),
        LinkMode::Copy => files.copy_file(source, target, progress),
        LinkMode::Symlink => files.symbolic_link(source, target),
    }
}

/// Whether the name that was just made is what it was made of, given a look at
/// the source from after it was made.
pub fn is_what_was_made(
    mode: LinkMode,
    before: &FileStat,
    after: &FileStat,
    made: &FileStat,
) -> bool {
    match mode {
        // Compared with the later look: an overlay may give a file another
        // inode when it gets its second name.
        LinkMode::Hardlink => {
            made.is_file && made.identity == after.identity && made.size_bytes == before.size_bytes
        }
        LinkMode::Reflink | LinkMode::Copy => {
            made.is_file && made.size_bytes == before.size_bytes && unchanged(before, after)
        }
        LinkMode::Symlink => made.is_symlink && unchanged(before, after),
    }
}

fn unchanged(before: &FileStat, after: &FileStat) -> bool {
    (before.identity, before.size_bytes, before.modified_ns)
        == (after.identity, after.size_bytes, after.modified_ns)
}

/// Whether the target already is what would be made. A copy cannot be told from
/// any other file, so it never is.
pub fn is_there_already(
    files: &dyn Files,
    mode: LinkMode,
    source: (&Path, &FileStat),
    target: (&Path, &FileStat),
) -> Result<bool, FilesError> {
    let ((source_path, source), (target_path, target)) = (source, target);
    Ok(match mode {
        LinkMode::Hardlink => target.is_file && target.identity == source.identity,
        LinkMode::Reflink | LinkMode::Copy => false,
        LinkMode::Symlink => target.is_symlink && files.read_link(target_path)? == source_path,
    })
}
