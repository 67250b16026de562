//! The port `WatchFolder` on a folder of this machine.
//!
//! A file is locked as long as somebody works on it, and renamed into the
//! subfolder of claims before anything is done with it. Of two processes one
//! gets the lock, and one that dies leaves a claim that nobody holds.

mod names;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use tracker_domain::ports::{
    Drawer, Dropped, FileIdentity, Files, FilesError, FilesErrorKind, Held, WatchFolder,
};

use crate::errno::errno_of;
use crate::files::{LocalFiles, convert, fail, open_source};
use names::numbered;

/// Files whose taking has begun. Out of sight, since they are there for moments.
const CLAIMS: &str = ".tracker-claimed";

/// Files that were taken in.
const PROCESSED: &str = "processed";

/// Files that were not, with the reason beside each.
const REJECTED: &str = "rejected";

/// What the reason is called.
const REASON: &str = ".reason.txt";

/// More files of one name than this are a mistake.
const MOST_OF_A_NAME: u32 = 100_000;

/// The folder at a path.
#[derive(Clone, Debug)]
pub struct LocalWatchFolder {
    path: PathBuf,
}

impl LocalWatchFolder {
    /// The folder at `path`, which may lead there through a symbolic link.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        LocalWatchFolder { path }
    }

    fn at(&self, file: &Dropped) -> PathBuf {
        if file.claimed {
            self.path.join(CLAIMS).join(&file.name)
        } else {
            self.path.join(&file.name)
        }
    }
}

impl WatchFolder for LocalWatchFolder {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn look(&self, wanted: &dyn Fn(&OsStr) -> bool) -> Result<Vec<Dropped>, FilesError> {
        let mut waiting = regular_files(&self.path, false, wanted)?;
        // What cannot be moved out could be taken in again and again.
        rustix::fs::accessat(CWD, &self.path, Access::WRITE_OK | Access::EXEC_OK, AtFlags::empty())
            .map_err(fail("write into", &self.path))?;
        let claims = self.path.join(CLAIMS);
        let mut found = match LocalFiles.stat(&claims)? {
            Some(stat) if stat.is_dir => regular_files(&claims, true, wanted)?,
            _ => Vec::new(),
        };
        found.append(&mut waiting);
        found.sort_by(|one, other| {
            let place = |file: &Dropped| (!file.claimed, file.modified_ns);
            place(one).cmp(&place(other)).then_with(|| one.name.cmp(&other.name))
        });
        Ok(found)
    }

    fn open(&self, file: &Dropped, limit: usize) -> Result<Option<Box<dyn Held>>, FilesError> {
        let path = self.at(file);
        let opened = match open_source(&path) {
            Ok(opened) => opened,
            Err(error) if error.kind == FilesErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let locked = rustix::fs::flock(&opened, FlockOperation::NonBlockingLockExclusive);
        // Some network filesystems have no such locks; the rename decides there.
        if locked == Err(Errno::WOULDBLOCK) {
            return Ok(None);
        }
        let stat = convert(&rustix::fs::fstat(&opened).map_err(fail("stat", &path))?);
        // Who had the lock before us may have filed it away.
        if !is_at(&path, stat.identity)? {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        (&opened)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| fail("read", &path)(errno_of(&error)))?;
        Ok(Some(Box::new(HeldFile {
            folder: self.path.clone(),
            name: file.name.clone(),
            path,
            identity: stat.identity,
            claimed: file.claimed,
            bytes,
            _lock: opened,
        })))
    }
}

/// A file under its lock.
struct HeldFile {
    folder: PathBuf,
    name: OsString,
    /// Where it is now.
    path: PathBuf,
    identity: FileIdentity,
    claimed: bool,
    bytes: Vec<u8>,
    /// Closing it ends the lock.
    _lock: File,
}

impl Held for HeldFile {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn claim(&mut self) -> Result<bool, FilesError> {
        // What could not be filed away would be taken in again and again. A
        // symbolic link of such a name is refused: it could lead anywhere.
        for folder in [PROCESSED, REJECTED, CLAIMS] {
            LocalFiles.make_dir(&self.folder.join(folder))?;
        }
        if self.claimed {
            return Ok(true);
        }
        let claims = self.folder.join(CLAIMS);
        let claim = claims.join(&self.name);
        match LocalFiles.rename_new(&self.path, &claim) {
            Ok(()) => {}
            Err(error)
                if matches!(error.kind, FilesErrorKind::Exists | FilesErrorKind::NotFound) =>
            {
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        // Another file may have taken the name; it is a claim of nobody then, and
        // found at the next look.
        self.claimed = is_at(&claim, self.identity)?;
        self.path = claim;
        Ok(self.claimed)
    }

    fn file_away(self: Box<Self>, drawer: Drawer<'_>) -> Result<String, FilesError> {
        match drawer {
            Drawer::Processed => self.move_into(PROCESSED, None),
            Drawer::Rejected(reason) => self.move_into(REJECTED, Some(reason)),
        }
    }
}

impl HeldFile {
    fn move_into(&self, drawer: &str, reason: Option<&str>) -> Result<String, FilesError> {
        let folder = self.folder.join(drawer);
        let mut room = LocalFiles.name_limit(&folder)?;
        let told = reason.map(|reason| self.write_reason(reason)).transpose()?;
        if told.is_some() {
            room = room.saturating_sub(REASON.len());
        }
        for number in 1..=MOST_OF_A_NAME {
            let name = numbered(&self.name, number, room);
            if self.settle(&folder.join(&name), told.as_deref())? {
                LocalFiles.sync_dir(&folder)?;
                return Ok(Path::new(drawer).join(name).display().to_string());
            }
        }
        Err(fail("rename", &folder.join(&self.name))(Errno::EXIST))
    }

    /// The reason under a name of its own, to be given its place at once and whole.
    fn write_reason(&self, reason: &str) -> Result<PathBuf, FilesError> {
        // No name that is ever taken in ends so, so it is nobody's claim. The name
        // itself may be too long with it.
        let path = self.folder.join(CLAIMS).join(format!("{:x}{REASON}", self.identity.inode));
        let flags = OFlags::CREATE
            | OFlags::TRUNC
            | OFlags::WRONLY
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        let file = rustix::fs::open(&path, flags, mode).map_err(fail("create", &path))?;
        let mut file = File::from(file);
        let written = file.write_all(reason.as_bytes()).and_then(|()| file.sync_all());
        written.map_err(|error| fail("write", &path)(errno_of(&error)))?;
        Ok(path)
    }

    /// Gives the file this place, its reason beside it first: a file without one
    /// would be a riddle. `false` when a name is taken.
    fn settle(&self, target: &Path, reason: Option<&Path>) -> Result<bool, FilesError> {
        if LocalFiles.stat(target)?.is_some() {
            return Ok(false);
        }
        let Some(reason) = reason else { return taken(LocalFiles.rename_new(&self.path, target)) };
        let mut beside = target.as_os_str().to_owned();
        beside.push(REASON);
        let beside = PathBuf::from(beside);
        if !taken(LocalFiles.rename_new(reason, &beside))? {
            // One that was broken off right here has left it without its file.
            if !same_text(reason, &beside) {
                return Ok(false);
            }
            LocalFiles.unlink(reason)?;
        }
        if taken(LocalFiles.rename_new(&self.path, target))? {
            return Ok(true);
        }
        // Somebody was faster; the reason goes with the file.
        LocalFiles.rename_new(&beside, reason)?;
        Ok(false)
    }
}

/// Whether a rename was done; a name that is taken is an answer.
fn taken(renamed: Result<(), FilesError>) -> Result<bool, FilesError> {
    match renamed {
        Ok(()) => Ok(true),
        Err(error) if error.kind == FilesErrorKind::Exists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether both are readable and say the same.
fn same_text(one: &Path, other: &Path) -> bool {
    let read = |path: &Path| {
        let mut bytes = Vec::new();
        open_source(path).ok()?.take(1 << 20).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    read(one).is_some_and(|bytes| read(other) == Some(bytes))
}

fn is_at(path: &Path, identity: FileIdentity) -> Result<bool, FilesError> {
    Ok(LocalFiles.stat(path)?.is_some_and(|stat| stat.identity == identity))
}

/// The regular files of a folder whose names are wanted.
fn regular_files(
    path: &Path,
    claimed: bool,
    wanted: &dyn Fn(&OsStr) -> bool,
) -> Result<Vec<Dropped>, FilesError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(path, flags, Mode::empty()).map_err(fail("open", path))?;
    let mut found = Vec::new();
    for entry in Dir::read_from(&folder).map_err(fail("list", path))? {
        let entry = entry.map_err(fail("list", path))?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        let may_be = matches!(entry.file_type(), FileType::RegularFile | FileType::Unknown);
        if !may_be || !wanted(name) {
            continue;
        }
        let stat = match rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => convert(&stat),
            // Gone since the folder was read.
            Err(Errno::NOENT) => continue,
            Err(errno) => return Err(fail("stat", &path.join(name))(errno)),
        };
        if stat.is_file {
            found.push(Dropped {
                name: name.to_owned(),
                size_bytes: stat.size_bytes,
                modified_ns: stat.modified_ns,
                claimed,
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
