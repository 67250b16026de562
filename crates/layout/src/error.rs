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
    /// A folder above the source is a symbolic link, or the source is not below
    /// the payload.
    SourceLeadsOut,
    /// Two mounts: a hard link or a clone cannot cross (`EXDEV`).
    CrossDevice,
    /// This file may not get another name (`EPERM`).
    NotPermitted,
    /// A folder or a file is closed to this user (`EACCES`).
    Denied,
    /// The file has as many names as the filesystem allows (`EMLINK`).
    TooManyLinks,
    /// No space or no inode is left (`ENOSPC`).
    NoSpace,
    /// A quota is reached (`EDQUOT`).
    Quota,
    /// The library is mounted read-only (`EROFS`).
    ReadOnly,
    /// A name is too long for the filesystem (`ENAMETOOLONG`).
    NameTooLong,
    /// The filesystem cannot do what the mode asks for (`EOPNOTSUPP`).
    Unsupported,
    /// The filesystem gives one file several inode numbers, so that nobody could
    /// tell later whose a link is.
    UnstableInodes,
    /// The disk failed (`EIO`).
    Io,
    /// Another file has the target's name.
    Conflict,
    /// A folder on the way to the target is a file or a symbolic link.
    NotAFolder,
    /// The root of the library is not there; it is never made.
    RootMissing,
    /// The target is not below the root of the library.
    OutsideRoot,
    /// The temporary name of a link is gone, or a link that was there before, so
    /// the batch cannot be finished.
    NotStaged,
    /// Anything else.
    Other,
}

/// A batch that could not be made. Nothing of it is left, except what
/// `left_behind` lists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot link {} to {}: {errno}: {}; {}",
    source_path.display(),
    target_path.display(),
    kind.advice(),
    outcome(left_behind)
)]
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

/// What a failure left of the batch.
fn outcome(left_behind: &[PathBuf]) -> String {
    match left_behind.first() {
        None => "nothing was changed".to_owned(),
        Some(first) => format!(
            "{} names could not be taken back, the first is {}; it is tried again",
            left_behind.len(),
            first.display()
        ),
    }
}

impl LinkErrorKind {
    /// The code that the download gets.
    #[must_use]
    pub const fn attention(self) -> Attention {
        match self {
            LinkErrorKind::SourceMissing => Attention::SourceMissing,
            LinkErrorKind::SourceChanged => Attention::SourceChanged,
            LinkErrorKind::Conflict => Attention::Conflict,
            LinkErrorKind::SourceLeadsOut => Attention::UnsafeContent,
            LinkErrorKind::NotAFile
            | LinkErrorKind::CrossDevice
            | LinkErrorKind::NotPermitted
            | LinkErrorKind::Denied
            | LinkErrorKind::TooManyLinks
            | LinkErrorKind::NoSpace
            | LinkErrorKind::Quota
            | LinkErrorKind::ReadOnly
            | LinkErrorKind::NameTooLong
            | LinkErrorKind::Unsupported
            | LinkErrorKind::UnstableInodes
            | LinkErrorKind::Io
            | LinkErrorKind::NotAFolder
            | LinkErrorKind::RootMissing
            | LinkErrorKind::OutsideRoot
            | LinkErrorKind::NotStaged
            | LinkErrorKind::Other => Attention::LinkFailed,
        }
    }

    /// What it means and what helps, for a person.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            LinkErrorKind::SourceMissing => {
                "the source is not there; let the client check the torrent"
            }
            LinkErrorKind::SourceChanged => {
                "the source is not what the client says it is, or it was written to meanwhile; let the client check the torrent"
            }
            LinkErrorKind::NotAFile => "the source is not a regular file",
            LinkErrorKind::SourceLeadsOut => {
                "a folder above the source is a symbolic link; links inside a payload are not followed"
            }
            LinkErrorKind::CrossDevice => {
                "source and library are on two mounts; mount one common parent of both"
            }
            LinkErrorKind::NotPermitted => {
                "not permitted: to get another name for a file, this user needs to own the source or have write access to it (fs.protected_hardlinks); let the client run with umask 002 and share a group with it, or run both as one user; a filesystem without hard links says the same, there use mode = \"copy\""
            }
            LinkErrorKind::Denied => {
                "access denied: this user needs to reach the source and to write to the folder in the library; give it those rights, by a common group or by running as the owner"
            }
            LinkErrorKind::TooManyLinks => {
                "the file has as many names as its filesystem allows; remove some of them, or use mode = \"copy\""
            }
            LinkErrorKind::NoSpace => "no space or no inode is left there; free some",
            LinkErrorKind::Quota => {
                "the quota of this user is used up there; free some or raise it"
            }
            LinkErrorKind::ReadOnly => {
                "the filesystem is read-only; mount it writable, and look in the system's log if nobody made it read-only"
            }
            LinkErrorKind::NameTooLong => {
                "the name is too long for the filesystem; shorten the title or the template"
            }
            LinkErrorKind::Unsupported => {
                "the filesystem of the library cannot do this; mode = \"reflink\" needs btrfs, or XFS with reflinks, under downloads and library alike, and mode = \"symlink\" a filesystem with symbolic links; else use mode = \"hardlink\" or \"copy\""
            }
            LinkErrorKind::UnstableInodes => {
                "the filesystem gives one file several inode numbers, so a link could not be told from other files later; mount it so that they last (mergerfs: use_ino), or use the disks below it"
            }
            LinkErrorKind::Io => {
                "the disk could not read or write; look at its health and at the system's log"
            }
            LinkErrorKind::Conflict => "another file has this name already",
            LinkErrorKind::NotAFolder => {
                "a folder on the way is a file or a symbolic link that may lead out of the library"
            }
            LinkErrorKind::RootMissing => {
                "the root of the library is not there; it may be a disk that is not mounted"
            }
            LinkErrorKind::OutsideRoot => "the target is not below the root of the library",
            LinkErrorKind::NotStaged => "what was prepared for this batch is gone; apply it again",
            LinkErrorKind::Other => "the operation failed",
        }
    }

    /// The word that stands where no system call failed.
    const fn word(self) -> &'static str {
        match self {
            LinkErrorKind::SourceMissing => "source-missing",
            LinkErrorKind::SourceChanged => "source-changed",
            LinkErrorKind::NotAFile => "not-a-file",
            LinkErrorKind::SourceLeadsOut => "source-leads-out",
            LinkErrorKind::Conflict => "conflict",
            LinkErrorKind::NotAFolder => "not-a-folder",
            LinkErrorKind::RootMissing => "root-missing",
            LinkErrorKind::OutsideRoot => "outside-root",
            LinkErrorKind::NotStaged => "not-staged",
            LinkErrorKind::UnstableInodes => "unstable-inodes",
            LinkErrorKind::CrossDevice
            | LinkErrorKind::NotPermitted
            | LinkErrorKind::Denied
            | LinkErrorKind::TooManyLinks
            | LinkErrorKind::NoSpace
            | LinkErrorKind::Quota
            | LinkErrorKind::ReadOnly
            | LinkErrorKind::NameTooLong
            | LinkErrorKind::Unsupported
            | LinkErrorKind::Io
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
            FilesErrorKind::NotPermitted => LinkErrorKind::NotPermitted,
            FilesErrorKind::Denied => LinkErrorKind::Denied,
            FilesErrorKind::TooManyLinks => LinkErrorKind::TooManyLinks,
            FilesErrorKind::NoSpace => LinkErrorKind::NoSpace,
            FilesErrorKind::Quota => LinkErrorKind::Quota,
            FilesErrorKind::ReadOnly => LinkErrorKind::ReadOnly,
            FilesErrorKind::NameTooLong => LinkErrorKind::NameTooLong,
            FilesErrorKind::Unsupported => LinkErrorKind::Unsupported,
            FilesErrorKind::Io => LinkErrorKind::Io,
            FilesErrorKind::Exists => LinkErrorKind::Conflict,
            FilesErrorKind::NotFound | FilesErrorKind::Other => LinkErrorKind::Other,
        };
        LinkError { errno: cause.errno.clone(), ..Self::refused(kind, source, target) }
    }
}
