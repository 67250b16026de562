//! A tree of files in memory: inodes, mounts, symbolic links, and a failure on
//! the call that a test names. And the contract that it shares with the disk.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracker_domain::ports::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind};

/// The device of everything that is below no mount.
const ROOT_DEVICE: u64 = 1;

/// How many symbolic links one path may go through.
const MOST_SYMLINKS: usize = 20;

#[derive(Clone, Debug)]
enum Node {
    Dir,
    /// A file: its identity and size.
    File(FileIdentity, u64),
    Symlink(PathBuf),
}

#[derive(Debug)]
struct Tree {
    nodes: BTreeMap<PathBuf, Node>,
    mounts: Vec<(PathBuf, u64)>,
    next_inode: u64,
    name_limit: usize,
    free_bytes: u64,
    calls: usize,
    fail_on: Option<(usize, FilesErrorKind)>,
    dead_from: Option<usize>,
}

/// Files in memory.
#[derive(Debug)]
pub struct FakeFiles(Mutex<Tree>);

impl Default for FakeFiles {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeFiles {
    /// An empty root folder.
    #[must_use]
    pub fn new() -> Self {
        FakeFiles(Mutex::new(Tree {
            nodes: BTreeMap::from([(PathBuf::from("/"), Node::Dir)]),
            mounts: Vec::new(),
            next_inode: 100,
            name_limit: 255,
            free_bytes: 1 << 40,
            calls: 0,
            fail_on: None,
            dead_from: None,
        }))
    }

    /// Makes a folder and those above it.
    pub fn dir(&self, path: impl AsRef<Path>) {
        let mut tree = self.tree();
        for above in path.as_ref().ancestors().collect::<Vec<_>>().into_iter().rev() {
            tree.nodes.entry(above.to_path_buf()).or_insert(Node::Dir);
        }
    }

    /// Makes a new file of this size and the folders above it.
    pub fn file(&self, path: impl AsRef<Path>, size_bytes: u64) -> FileIdentity {
        let path = path.as_ref();
        if let Some(parent) = path.parent() {
            self.dir(parent);
        }
        let mut tree = self.tree();
        tree.next_inode += 1;
        let identity = FileIdentity { device: tree.device(path), inode: tree.next_inode };
        tree.nodes.insert(path.to_path_buf(), Node::File(identity, size_bytes));
        identity
    }

    /// Makes a symbolic link.
    pub fn symlink(&self, path: impl AsRef<Path>, to: impl AsRef<Path>) {
        self.tree()
            .nodes
            .insert(path.as_ref().to_path_buf(), Node::Symlink(to.as_ref().to_path_buf()));
    }

    /// Puts another device at a folder, so that links across it are refused.
    pub fn mount(&self, path: impl AsRef<Path>, device: u64) {
        self.dir(&path);
        self.tree().mounts.push((path.as_ref().to_path_buf(), device));
    }

    /// Removes a path and all below it, as another program would.
    pub fn remove(&self, path: impl AsRef<Path>) {
        self.tree().nodes.retain(|known, _| !known.starts_with(&path));
    }

    /// Lets the nth call from now fail once, counted from 1.
    pub fn fail_on_call(&self, nth: usize, kind: FilesErrorKind) {
        let mut tree = self.tree();
        tree.fail_on = Some((tree.calls + nth, kind));
    }

    /// Lets the nth call from now and all after it do nothing and fail, as if
    /// the process had been killed there.
    pub fn die_on_call(&self, nth: usize) {
        let mut tree = self.tree();
        tree.dead_from = Some(tree.calls + nth);
    }

    /// Ends what [`FakeFiles::die_on_call`] and [`FakeFiles::fail_on_call`] began.
    pub fn heal(&self) {
        let mut tree = self.tree();
        tree.dead_from = None;
        tree.fail_on = None;
    }

    /// How many calls there were so far.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.tree().calls
    }

    /// Sets the longest name.
    pub fn set_name_limit(&self, bytes: usize) {
        self.tree().name_limit = bytes;
    }

    /// Sets the free space.
    pub fn set_free_bytes(&self, bytes: u64) {
        self.tree().free_bytes = bytes;
    }

    /// Every path with what is there, in order: `/a/`, `/a/b = 101`, `/c -> /a`.
    #[must_use]
    pub fn listing(&self) -> Vec<String> {
        let shown = |(path, node): (&PathBuf, &Node)| match node {
            Node::Dir => format!("{}/", path.display()),
            Node::File(identity, _) => format!("{} = {}", path.display(), identity.inode),
            Node::Symlink(to) => format!("{} -> {}", path.display(), to.display()),
        };
        self.tree().nodes.iter().map(shown).collect()
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the call, lets it fail if it is its turn, and resolves the path.
    fn call(
        &self,
        operation: &'static str,
        path: &Path,
    ) -> Result<(MutexGuard<'_, Tree>, PathBuf), FilesError> {
        let mut tree = self.tree();
        tree.calls += 1;
        if let Some((nth, kind)) = tree.fail_on
            && nth == tree.calls
        {
            tree.fail_on = None;
            return Err(error(operation, path, kind));
        }
        if tree.dead_from.is_some_and(|from| tree.calls >= from) {
            return Err(error(operation, path, FilesErrorKind::Other));
        }
        let real =
            tree.resolve(path).ok_or_else(|| error(operation, path, FilesErrorKind::NotFound))?;
        Ok((tree, real))
    }
}

impl Tree {
    fn device(&self, path: &Path) -> u64 {
        let above = self.mounts.iter().filter(|(mount, _)| path.starts_with(mount));
        above
            .max_by_key(|(mount, _)| mount.as_os_str().len())
            .map_or(ROOT_DEVICE, |(_, device)| *device)
    }

    /// Follows the symbolic links above the last component, as a kernel does; a
    /// `.` at the end makes the last one count as above it.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let through = path.as_os_str().as_encoded_bytes().ends_with(b"/.");
        let mut rest: Vec<OsString> = names(path);
        rest.reverse();
        let mut real = PathBuf::from("/");
        let mut left = MOST_SYMLINKS;
        while let Some(name) = rest.pop() {
            let next = real.join(name);
            let last = rest.is_empty() && !through;
            match self.nodes.get(&next) {
                Some(Node::Symlink(to)) if !last => {
                    left = left.checked_sub(1)?;
                    rest.extend(names(to).into_iter().rev());
                    real = PathBuf::from("/");
                }
                _ => real = next,
            }
        }
        Some(real)
    }

    fn stat(&self, path: &Path) -> Option<FileStat> {
        let node = self.nodes.get(path)?;
        let other = |is_dir| FileStat {
            // Folders and symbolic links are told apart by nothing that matters here.
            identity: FileIdentity { device: self.device(path), inode: 1 },
            size_bytes: 0,
            is_file: false,
            is_dir,
            links: 1,
        };
        Some(match node {
            Node::Dir => other(true),
            Node::Symlink(_) => other(false),
            Node::File(identity, size_bytes) => FileStat {
                identity: *identity,
                size_bytes: *size_bytes,
                is_file: true,
                is_dir: false,
                links: self
                    .nodes
                    .values()
                    .map(|node| {
                        u64::from(matches!(node, Node::File(found, _) if found == identity))
                    })
                    .sum(),
            },
        })
    }

    /// What makes a new name impossible at this path.
    fn refuse_new(&self, path: &Path) -> Result<(), FilesErrorKind> {
        let too_long = path.file_name().is_some_and(|name| name.len() > self.name_limit);
        if too_long {
            return Err(FilesErrorKind::NameTooLong);
        }
        if self.nodes.contains_key(path) {
            return Err(FilesErrorKind::Exists);
        }
        match path.parent().and_then(|parent| self.nodes.get(parent)) {
            Some(Node::Dir) => Ok(()),
            Some(_) => Err(FilesErrorKind::Other),
            None => Err(FilesErrorKind::NotFound),
        }
    }

    fn has_children(&self, path: &Path) -> bool {
        self.nodes.keys().any(|known| known.parent() == Some(path))
    }
}

fn names(path: &Path) -> Vec<OsString> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            _ => None,
        })
        .collect()
}

fn error(operation: &'static str, path: &Path, kind: FilesErrorKind) -> FilesError {
    let errno = match kind {
        FilesErrorKind::NotFound => "ENOENT",
        FilesErrorKind::Exists => "EEXIST",
        FilesErrorKind::CrossDevice => "EXDEV",
        FilesErrorKind::Denied => "EPERM",
        FilesErrorKind::NoSpace => "ENOSPC",
        FilesErrorKind::ReadOnly => "EROFS",
        FilesErrorKind::NameTooLong => "ENAMETOOLONG",
        FilesErrorKind::Other => "EIO",
    };
    FilesError { operation, path: path.display().to_string(), errno: errno.to_owned(), kind }
}

impl Files for FakeFiles {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        let (tree, real) = self.call("stat", path)?;
        Ok(tree.stat(&real))
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        let (mut tree, from) = self.call("link", source)?;
        let to =
            tree.resolve(target).ok_or_else(|| error("link", target, FilesErrorKind::NotFound))?;
        let node = match tree.nodes.get(&from) {
            Some(Node::Dir) => return Err(error("link", source, FilesErrorKind::Denied)),
            Some(node) => node.clone(),
            None => return Err(error("link", source, FilesErrorKind::NotFound)),
        };
        tree.refuse_new(&to).map_err(|kind| error("link", target, kind))?;
        if tree.device(&from) != tree.device(&to) {
            return Err(error("link", target, FilesErrorKind::CrossDevice));
        }
        tree.nodes.insert(to, node);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        let (mut tree, old) = self.call("rename", from)?;
        let new = tree.resolve(to).ok_or_else(|| error("rename", to, FilesErrorKind::NotFound))?;
        let node = tree.nodes.get(&old).cloned();
        let node = node.ok_or_else(|| error("rename", from, FilesErrorKind::NotFound))?;
        tree.refuse_new(&new).map_err(|kind| error("rename", to, kind))?;
        tree.nodes.remove(&old);
        tree.nodes.insert(new, node);
        Ok(())
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        let (mut tree, real) = self.call("unlink", path)?;
        match tree.nodes.get(&real) {
            Some(Node::Dir) => Err(error("unlink", path, FilesErrorKind::Other)),
            Some(_) => {
                tree.nodes.remove(&real);
                Ok(())
            }
            None => Err(error("unlink", path, FilesErrorKind::NotFound)),
        }
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        let (mut tree, real) = self.call("mkdir", path)?;
        if matches!(tree.nodes.get(&real), Some(Node::Dir)) {
            return Ok(false);
        }
        tree.refuse_new(&real).map_err(|kind| error("mkdir", path, kind))?;
        tree.nodes.insert(real, Node::Dir);
        Ok(true)
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        let (mut tree, real) = self.call("rmdir", path)?;
        match tree.nodes.get(&real) {
            Some(Node::Dir) if tree.has_children(&real) => Ok(false),
            Some(Node::Dir) => {
                tree.nodes.remove(&real);
                Ok(true)
            }
            Some(_) => Err(error("rmdir", path, FilesErrorKind::Other)),
            None => Err(error("rmdir", path, FilesErrorKind::NotFound)),
        }
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        let (tree, real) = self.call("fsync", &path.join("."))?;
        match tree.nodes.get(&real) {
            Some(Node::Dir) => Ok(()),
            Some(_) => Err(error("fsync", path, FilesErrorKind::Other)),
            None => Err(error("fsync", path, FilesErrorKind::NotFound)),
        }
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        let (tree, real) = self.call("list", &path.join("."))?;
        match tree.nodes.get(&real) {
            Some(Node::Dir) => {}
            Some(_) => return Err(error("list", path, FilesErrorKind::Other)),
            None => return Err(error("list", path, FilesErrorKind::NotFound)),
        }
        let below = tree.nodes.keys().filter(|known| known.parent() == Some(&real));
        Ok(below.filter_map(|known| known.file_name().map(ToOwned::to_owned)).collect())
    }

    fn name_limit(&self, path: &Path) -> Result<usize, FilesError> {
        Ok(self.call("statvfs", &path.join("."))?.0.name_limit)
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        Ok(self.call("statvfs", &path.join("."))?.0.free_bytes)
    }
}

/// What every implementation of [`Files`] has to do, shown in the empty folder
/// `root`. The port can neither make a file nor a symbolic link, so the caller
/// says how: `make_file(path, size)`, `make_symlink(path, to)`.
///
/// # Panics
/// When the implementation breaks the contract.
#[allow(clippy::unwrap_used)]
pub fn files_contract(
    files: &dyn Files,
    root: &Path,
    make_file: &dyn Fn(&Path, u64),
    make_symlink: &dyn Fn(&Path, &Path),
) {
    let (a, b, c) = (root.join("a"), root.join("b"), root.join("c"));
    let kind = |result: Result<(), FilesError>| result.unwrap_err().kind;

    assert_eq!(files.stat(&a).unwrap(), None);
    make_file(&a, 7);
    let stat = files.stat(&a).unwrap().unwrap();
    assert_eq!((stat.size_bytes, stat.is_file, stat.is_dir, stat.links), (7, true, false, 1));

    files.hard_link(&a, &b).unwrap();
    let linked = files.stat(&b).unwrap().unwrap();
    assert_eq!((linked.identity, linked.links), (stat.identity, 2));
    let again = files.hard_link(&a, &b).unwrap_err();
    assert_eq!((again.kind, again.errno.as_str()), (FilesErrorKind::Exists, "EEXIST"));
    assert_eq!(kind(files.hard_link(&root.join("none"), &c)), FilesErrorKind::NotFound);
    assert_eq!(kind(files.hard_link(&a, &root.join("no/c"))), FilesErrorKind::NotFound);

    make_file(&c, 1);
    assert_eq!(kind(files.rename_new(&b, &c)), FilesErrorKind::Exists);
    assert_eq!(kind(files.rename_new(&b, &a)), FilesErrorKind::Exists, "also for the same inode");
    assert!(files.stat(&b).unwrap().is_some());
    let d = root.join("d");
    files.rename_new(&b, &d).unwrap();
    assert_eq!(files.stat(&b).unwrap(), None);
    assert_eq!(files.stat(&d).unwrap().unwrap().identity, stat.identity);

    folders_contract(files, root, &a);
    symlink_contract(files, root, &a, make_symlink);

    files.unlink(&d).unwrap();
    assert_eq!(files.stat(&a).unwrap().unwrap().links, 1);
    assert_eq!(kind(files.unlink(&d)), FilesErrorKind::NotFound);
    let limit = files.name_limit(root).unwrap();
    assert!(limit >= 64, "{limit}");
    let long = root.join("x".repeat(limit + 1));
    assert_eq!(kind(files.hard_link(&a, &long)), FilesErrorKind::NameTooLong);
    assert!(files.free_bytes(root).unwrap() > 0);
}

#[allow(clippy::unwrap_used)]
fn folders_contract(files: &dyn Files, root: &Path, file: &Path) {
    let folder = root.join("folder");
    assert!(files.make_dir(&folder).unwrap());
    assert!(!files.make_dir(&folder).unwrap(), "it was there already");
    let stat = files.stat(&folder).unwrap().unwrap();
    assert_eq!((stat.is_dir, stat.is_file), (true, false));
    assert_eq!(files.make_dir(file).unwrap_err().kind, FilesErrorKind::Exists);
    let deep = root.join("no/such").join("folder");
    assert_eq!(files.make_dir(&deep).unwrap_err().kind, FilesErrorKind::NotFound);

    let inside = folder.join("inside");
    files.hard_link(file, &inside).unwrap();
    files.sync_dir(&folder).unwrap();
    assert_eq!(files.list_dir(&folder).unwrap(), [OsString::from("inside")]);
    assert!(!files.remove_empty_dir(&folder).unwrap(), "it is not empty");
    files.unlink(&inside).unwrap();
    assert!(files.remove_empty_dir(&folder).unwrap());
    assert_eq!(files.stat(&folder).unwrap(), None);
    assert_eq!(files.remove_empty_dir(&folder).unwrap_err().kind, FilesErrorKind::NotFound);
    assert_eq!(files.list_dir(&folder).unwrap_err().kind, FilesErrorKind::NotFound);
    assert_eq!(files.sync_dir(&folder).unwrap_err().kind, FilesErrorKind::NotFound);
}

#[allow(clippy::unwrap_used)]
fn symlink_contract(
    files: &dyn Files,
    root: &Path,
    file: &Path,
    make_symlink: &dyn Fn(&Path, &Path),
) {
    let link = root.join("symlink");
    make_symlink(&link, root);
    let stat = files.stat(&link).unwrap().unwrap();
    assert_eq!((stat.is_dir, stat.is_file), (false, false), "not followed");
    files.sync_dir(&link).unwrap();
    assert!(!files.list_dir(&link).unwrap().is_empty(), "folders are opened through it");
    // A dot at the end asks for what the symbolic link leads to.
    assert!(files.stat(&link.join(".")).unwrap().unwrap().is_dir);
    let name = file.file_name().unwrap();
    let through = files.stat(&link.join(name)).unwrap().unwrap();
    assert_eq!(through.identity, files.stat(file).unwrap().unwrap().identity);
    files.unlink(&link).unwrap();
    assert!(files.stat(root).unwrap().unwrap().is_dir, "only the symbolic link is gone");
}

#[cfg(test)]
mod tests {
    use super::{FakeFiles, files_contract};

    #[test]
    fn the_fake_keeps_the_contract() {
        let files = FakeFiles::new();
        files.dir("/base/here");
        files_contract(
            &files,
            "/base/here".as_ref(),
            &|path, size| {
                files.file(path, size);
            },
            &|path, to| files.symlink(path, to),
        );
    }
}
