//! Why a batch of links could not be made.

use std::path::{Path, PathBuf};

use tracker_domain::Attention;
use tracker_domain::ports::{FilesError, FilesErrorKind};

/// The cause, as far as somebody acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkErrorKind {
    /// The source is not there.
    SourceMissing,
    /// The source has another size than the client states, or was exchanged.
    SourceChanged,
    /// The source is a folder, a symbolic link or a device.
    NotAFile,
    /// Two mounts: a hard link cannot cross.
    CrossDevice,
    /// The system does not allow it.
    Denied,
    /// No space, no inode or no quota left.
    NoSpace,
    /// The library is mounted read-only.
    ReadOnly,
    /// A name is too long for the filesystem.
    NameTooLong,
    /// Another file has the target's name.
    Conflict,
    /// A folder on the way to the target is a file or a symbolic link.
    NotAFolder,
    /// The root of the library is not there; it is never made.
    RootMissing,
    /// The target is not below the root of the library.
    OutsideRoot,
    /// The library asks for a way to link that this version does not have.
    ModeUnsupported,
    /// Anything else.
    Other,
}

/// A batch that could not be made. Nothing of it is left, except what
/// `left_behind` lists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot link {} to {}: {errno}: {}", source_path.display(), target_path.display(), kind.advice())]
pub struct LinkError {
    /// The cause.
    pub kind: LinkErrorKind,
    /// The system's name for it, such as `EXDEV`; a word of ours where no call
    /// failed.
    pub errno: String,
    /// The file that was to be linked.
    pub source_path: PathBuf,
    /// The name it was to get.
    pub target_path: PathBuf,
    /// What could not be taken back.
    pub left_behind: Vec<PathBuf>,
}

impl LinkErrorKind {
    /// The code that the download gets.
    #[must_use]
    pub const fn attention(self) -> Attention {
        match self {
            LinkErrorKind::SourceMissing => Attention::SourceMissing,
            LinkErrorKind::SourceChanged => Attention::SourceChanged,
            LinkErrorKind::Conflict => Attention::Conflict,
            LinkErrorKind::NotAFile
            | LinkErrorKind::CrossDevice
            | LinkErrorKind::Denied
            | LinkErrorKind::NoSpace
            | LinkErrorKind::ReadOnly
            | LinkErrorKind::NameTooLong
            | LinkErrorKind::NotAFolder
            | LinkErrorKind::RootMissing
            | LinkErrorKind::OutsideRoot
            | LinkErrorKind::ModeUnsupported
            | LinkErrorKind::Other => Attention::LinkFailed,
        }
    }

    /// What it means and what helps, for a person.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            LinkErrorKind::SourceMissing => "the source is not there",
            LinkErrorKind::SourceChanged => "the source is not what the client says it is",
            LinkErrorKind::NotAFile => "the source is not a regular file",
            LinkErrorKind::CrossDevice => {
                "source and library are on two mounts; mount one common parent of both"
            }
            LinkErrorKind::Denied => {
                "not allowed; this user needs to own the source or have write access to it, and write access to the library"
            }
            LinkErrorKind::NoSpace => "no space, inode or quota is left there",
            LinkErrorKind::ReadOnly => "the library is read-only",
            LinkErrorKind::NameTooLong => "the name is too long for the filesystem",
            LinkErrorKind::Conflict => "another file has this name already",
            LinkErrorKind::NotAFolder => {
                "a folder on the way is a file or a symbolic link that may lead out of the library"
            }
            LinkErrorKind::RootMissing => {
                "the root of the library is not there; it may be a disk that is not mounted"
            }
            LinkErrorKind::OutsideRoot => "the target is not below the root of the library",
            LinkErrorKind::ModeUnsupported => {
                "this way to link is not available; use mode = \"hardlink\""
            }
            LinkErrorKind::Other => "the operation failed",
        }
    }

    /// The word that stands where no system call failed.
    const fn word(self) -> &'static str {
        match self {
            LinkErrorKind::SourceMissing => "source-missing",
            LinkErrorKind::SourceChanged => "source-changed",
            LinkErrorKind::NotAFile => "not-a-file",
            LinkErrorKind::Conflict => "conflict",
            LinkErrorKind::NotAFolder => "not-a-folder",
            LinkErrorKind::RootMissing => "root-missing",
            LinkErrorKind::OutsideRoot => "outside-root",
            LinkErrorKind::ModeUnsupported => "mode-unsupported",
            LinkErrorKind::CrossDevice
            | LinkErrorKind::Denied
            | LinkErrorKind::NoSpace
            | LinkErrorKind::ReadOnly
            | LinkErrorKind::NameTooLong
            | LinkErrorKind::Other => "failed",
        }
    }
}

impl LinkError {
    /// A refusal of our own.
    pub(crate) fn refused(kind: LinkErrorKind, source: &Path, target: &Path) -> Self {
        LinkError {
            kind,
            errno: kind.word().to_owned(),
            source_path: source.to_path_buf(),
            target_path: target.to_path_buf(),
            left_behind: Vec::new(),
        }
    }

    /// A call that failed.
    pub(crate) fn failed(cause: &FilesError, source: &Path, target: &Path) -> Self {
        let kind = match cause.kind {
            FilesErrorKind::CrossDevice => LinkErrorKind::CrossDevice,
            FilesErrorKind::Denied => LinkErrorKind::Denied,
            FilesErrorKind::NoSpace => LinkErrorKind::NoSpace,
            FilesErrorKind::ReadOnly => LinkErrorKind::ReadOnly,
            FilesErrorKind::NameTooLong => LinkErrorKind::NameTooLong,
            FilesErrorKind::Exists => LinkErrorKind::Conflict,
            FilesErrorKind::NotFound | FilesErrorKind::Other => LinkErrorKind::Other,
        };
        LinkError { errno: cause.errno.clone(), ..Self::refused(kind, source, target) }
    }
}
