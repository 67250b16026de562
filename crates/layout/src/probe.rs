//! Whether links can be made at all from a folder of downloads into a library,
//! found out by making one: device numbers lie in both directions.

use std::cell::Cell;
use std::path::Path;

use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{Files, FilesError, FilesErrorKind};

use crate::below::root_is_there;
use crate::error::{LinkError, LinkErrorKind};
use crate::make::make;
use crate::plan::words;

/// The file of ours that is made in the folder of downloads. It is empty and
/// gone at once.
const OURS: &str = ".tracker-probe.tmp";

/// The names that it and the client's file get in the library. They are always
/// the same, so that the next probe removes what a killed one left.
const LINK_OF_OURS: &str = ".tracker-probe-ours.tmp";
const LINK_OF_THEIRS: &str = ".tracker-probe-theirs.tmp";

words! {
    /// Why links are not proven.
    NotProven {
        /// There is no file of the client yet. One of ours can be linked, but
        /// the client's may belong to somebody else.
        NoFileYet = "no-file-yet",
        /// The client's file can be linked, one of ours cannot: a filesystem of
        /// several branches decides file by file.
        FileByFile = "file-by-file",
        /// Another program is probing, or left a folder in the way.
        Busy = "busy",
    }
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// A file of the client was really linked and removed again.
    Proven,
    /// Nothing speaks against it, but it was not shown.
    NotProven(NotProven),
    /// It does not work.
    Failed {
        /// The cause.
        kind: LinkErrorKind,
        /// The system's name for it; a word of ours where no call failed.
        errno: String,
        /// What happened and what helps.
        remedy: String,
    },
}

/// Links a new file of ours in `from`, where that may be written, and `existing`,
/// a file of the client, into the root of the library. Both names are removed at
/// once. Of a copy only the first bytes are made.
pub fn probe(
    files: &dyn Files,
    from: &Path,
    existing: Option<&Path>,
    library: &Library,
) -> ProbeOutcome {
    match root_is_there(files, &library.root) {
        Ok(true) => {}
        Ok(false) => {
            let error = LinkError::refused(LinkErrorKind::RootMissing, from, &library.root);
            return failed(&error);
        }
        Err(cause) => return failed(&LinkError::failed(&cause, from, &library.root)),
    }
    let theirs = existing.and_then(|path| try_existing(files, path, library));
    let ours = try_ours(files, from, library);
    match (theirs, ours) {
        (Some(Ok(())), Some(Err(error))) if error.kind == LinkErrorKind::CrossDevice => {
            ProbeOutcome::NotProven(NotProven::FileByFile)
        }
        (Some(Err(error)), _) | (_, Some(Err(error))) => verdict(&error),
        (Some(Ok(())), _) => ProbeOutcome::Proven,
        // To be led to, a file needs no right of its owner.
        (None, Some(Ok(()))) if library.mode == LinkMode::Symlink => ProbeOutcome::Proven,
        (None, _) => ProbeOutcome::NotProven(NotProven::NoFileYet),
    }
}

fn verdict(error: &LinkError) -> ProbeOutcome {
    if error.kind == LinkErrorKind::Conflict {
        return ProbeOutcome::NotProven(NotProven::Busy);
    }
    failed(error)
}

fn failed(error: &LinkError) -> ProbeOutcome {
    ProbeOutcome::Failed {
        kind: error.kind,
        errno: error.errno.clone(),
        remedy: error.kind.advice().to_owned(),
    }
}

/// `None` when there is no such file to try.
fn try_existing(
    files: &dyn Files,
    existing: &Path,
    library: &Library,
) -> Option<Result<(), LinkError>> {
    match files.stat(existing) {
        Ok(Some(stat)) if stat.is_file => Some(try_one(files, existing, LINK_OF_THEIRS, library)),
        Ok(_) => None,
        Err(cause) => Some(Err(LinkError::failed(&cause, existing, &library.root))),
    }
}

/// `None` when no file of ours can be made there, which is no fault.
fn try_ours(files: &dyn Files, from: &Path, library: &Library) -> Option<Result<(), LinkError>> {
    let source = from.join(OURS);
    if let Err(cause) = files.make_file(&source) {
        if cause.kind != FilesErrorKind::Exists {
            return None;
        }
        // Left by a process that was killed while it probed.
        files.unlink(&source).and_then(|()| files.make_file(&source)).ok()?;
    }
    let result = try_one(files, &source, LINK_OF_OURS, library);
    let removed = files.unlink(&source);
    let removed = removed.map_err(|cause| LinkError::failed(&cause, &source, &source));
    Some(result.and(removed))
}

fn try_one(
    files: &dyn Files,
    source: &Path,
    name: &str,
    library: &Library,
) -> Result<(), LinkError> {
    let target = library.root.join(name);
    let fail = |cause: FilesError| LinkError::failed(&cause, source, &target);
    let renamed = library.root.join(format!("{name}.new"));
    // Left by a process that was killed while it probed.
    for left in [&target, &renamed] {
        if files.stat(left).map_err(fail)?.is_some_and(|found| !found.is_dir) {
            files.unlink(left).map_err(fail)?;
        }
    }
    // A film is not copied to find out whether it could be.
    let stopped = Cell::new(false);
    let mut first_chunk = |_bytes| {
        stopped.set(true);
        false
    };
    match make(files, library.mode, source, &target, &mut first_chunk) {
        Ok(()) => {}
        Err(_) if stopped.get() => return Ok(()),
        Err(cause) => return Err(fail(cause)),
    }
    let lasts = keeps_its_identity(files, library.mode, source, (&target, &renamed)).map_err(fail);
    for made in [&target, &renamed] {
        match files.unlink(made) {
            // Renamed, or removed by another process that probes.
            Err(cause) if cause.kind != FilesErrorKind::NotFound => return Err(fail(cause)),
            _ => {}
        }
    }
    if lasts? {
        return Ok(());
    }
    Err(LinkError::refused(LinkErrorKind::UnstableInodes, source, &target))
}

/// Whether a link is the same file as its source, where it should be, and stays
/// the same when it is renamed.
fn keeps_its_identity(
    files: &dyn Files,
    mode: LinkMode,
    source: &Path,
    (made, renamed): (&Path, &Path),
) -> Result<bool, FilesError> {
    let identity = |path: &Path| Ok(files.stat(path)?.map(|found| found.identity));
    let first = identity(made)?;
    if mode == LinkMode::Hardlink && first != identity(source)? {
        return Ok(false);
    }
    files.rename_new(made, renamed)?;
    Ok(identity(renamed)? == first)
}
