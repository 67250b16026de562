//! A tree of files in memory: inodes, mounts, symbolic links, and a failure on
//! the call that a test names. And the contract that it shares with the disk.

mod contract;

pub use contract::files_contract;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracker_domain::ports::{
    FileIdentity, FileStat, Files, FilesError, FilesErrorKind, Filesystem, Reach,
};

/// The device of everything that is below no mount.
const ROOT_DEVICE: u64 = 1;

/// How many symbolic links one path may go through.
const MOST_SYMLINKS: usize = 20;

#[derive(Clone, Debug)]
enum Node {
    Dir,
    /// A file: its identity and size.
    File(FileIdentity, u64),
    /// A symbolic link: its identity and where it leads.
    Symlink(FileIdentity, PathBuf),
}

#[derive(Debug)]
struct Tree {
    nodes: BTreeMap<PathBuf, Node>,
    mounts: Vec<(PathBuf, u64)>,
    next_inode: u64,
    name_limit: usize,
    free_bytes: u64,
    filesystem: Filesystem,
    clones: bool,
    folds_case: bool,
    /// Files that were written since they were made, and how often.
    written: BTreeMap<u64, i64>,
    refused_names: Vec<(PathBuf, FilesErrorKind)>,
    refused_links: Vec<(PathBuf, FilesErrorKind)>,
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
            filesystem: Filesystem { name: "ext4".to_owned(), reach: Reach::Local },
            clones: true,
            folds_case: false,
            written: BTreeMap::new(),
            refused_names: Vec::new(),
            refused_links: Vec::new(),
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
        let identity = tree.new_identity(path);
        tree.nodes.insert(path.to_path_buf(), Node::File(identity, size_bytes));
        identity
    }

    /// Makes a symbolic link.
    pub fn symlink(&self, path: impl AsRef<Path>, to: impl AsRef<Path>) {
        let mut tree = self.tree();
        let node = Node::Symlink(tree.new_identity(path.as_ref()), to.as_ref().to_path_buf());
        tree.nodes.insert(path.as_ref().to_path_buf(), node);
    }

    /// Puts another device at a folder, so that links across it are refused.
    pub fn mount(&self, path: impl AsRef<Path>, device: u64) {
        self.dir(&path);
        self.tree().mounts.push((path.as_ref().to_path_buf(), device));
    }

    /// Gives everything another device number, as a restart of the machine may.
    pub fn renumber(&self, device: u64) {
        let mut tree = self.tree();
        tree.mounts = vec![(PathBuf::from("/"), device)];
        for node in tree.nodes.values_mut() {
            match node {
                Node::File(identity, _) | Node::Symlink(identity, _) => identity.device = device,
                Node::Dir => {}
            }
        }
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

    /// Writes to a file in place, as another program would: its size stays.
    pub fn write_in_place(&self, path: impl AsRef<Path>) {
        let mut tree = self.tree();
        if let Some(Node::File(identity, _)) = tree.nodes.get(path.as_ref()).cloned() {
            *tree.written.entry(identity.inode).or_default() += 1;
        }
    }

    /// Takes names that differ in case alone for one from now on.
    pub fn fold_case(&self) {
        self.tree().folds_case = true;
    }

    /// Sets the longest name.
    pub fn set_name_limit(&self, bytes: usize) {
        self.tree().name_limit = bytes;
    }

    /// What the filesystem is, everywhere.
    pub fn set_filesystem(&self, name: &str, reach: Reach) {
        self.tree().filesystem = Filesystem { name: name.to_owned(), reach };
    }

    /// Sets the free space.
    pub fn set_free_bytes(&self, bytes: u64) {
        self.tree().free_bytes = bytes;
    }

    /// Whether files can be cloned.
    pub fn set_clones(&self, possible: bool) {
        self.tree().clones = possible;
    }

    /// Refuses new names in a folder, as the rights of a user would.
    pub fn refuse_names_in(&self, folder: impl AsRef<Path>, kind: FilesErrorKind) {
        self.tree().refused_names.push((folder.as_ref().to_path_buf(), kind));
    }

    /// Refuses further names for a file, as a kernel does for files of others.
    pub fn refuse_links_of(&self, file: impl AsRef<Path>, kind: FilesErrorKind) {
        self.tree().refused_links.push((file.as_ref().to_path_buf(), kind));
    }

    /// Every path with what is there, in order: `/a/`, `/a/b = 101`, `/c -> /a`.
    #[must_use]
    pub fn listing(&self) -> Vec<String> {
        let shown = |(path, node): (&PathBuf, &Node)| match node {
            Node::Dir => format!("{}/", path.display()),
            Node::File(identity, _) => format!("{} = {}", path.display(), identity.inode),
            Node::Symlink(_, to) => format!("{} -> {}", path.display(), to.display()),
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
    fn new_identity(&mut self, path: &Path) -> FileIdentity {
        self.next_inode += 1;
        FileIdentity { device: self.device(path), inode: self.next_inode }
    }

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
            let next = self.spelled(real.join(name));
            let last = rest.is_empty() && !through;
            match self.nodes.get(&next) {
                Some(Node::Symlink(_, to)) if !last => {
                    left = left.checked_sub(1)?;
                    rest.extend(names(to).into_iter().rev());
                    real = PathBuf::from("/");
                }
                _ => real = next,
            }
        }
        Some(real)
    }

    /// The path with the letters that its entry has, where case does not count.
    fn spelled(&self, path: PathBuf) -> PathBuf {
        if !self.folds_case || self.nodes.contains_key(&path) {
            return path;
        }
        let folded = |path: &Path| path.to_string_lossy().to_lowercase();
        let known = self.nodes.keys().find(|known| folded(known) == folded(&path));
        known.cloned().unwrap_or(path)
    }

    fn stat(&self, path: &Path) -> Option<FileStat> {
        let node = self.nodes.get(path)?;
        Some(match node {
            Node::Dir => FileStat {
                // Folders are told apart by nothing that matters here.
                identity: FileIdentity { device: self.device(path), inode: 1 },
                size_bytes: 0,
                is_file: false,
                is_dir: true,
                is_symlink: false,
                links: 1,
                modified_ns: 0,
            },
            Node::Symlink(identity, to) => FileStat {
                identity: *identity,
                size_bytes: to.as_os_str().len() as u64,
                is_file: false,
                is_dir: false,
                is_symlink: true,
                links: 1,
                modified_ns: 0,
            },
            Node::File(identity, size_bytes) => FileStat {
                identity: *identity,
                size_bytes: *size_bytes,
                is_file: true,
                is_dir: false,
                is_symlink: false,
                modified_ns: self.written.get(&identity.inode).copied().unwrap_or_default(),
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
        let refused = self.refused_names.iter().find(|(folder, _)| path.parent() == Some(folder));
        if let Some((_, kind)) = refused {
            return Err(*kind);
        }
        match path.parent().and_then(|parent| self.nodes.get(parent)) {
            Some(Node::Dir) => Ok(()),
            Some(_) => Err(FilesErrorKind::Other),
            None => Err(FilesErrorKind::NotFound),
        }
    }

    /// Where a copy goes and how big it is.
    fn new_copy(
        &self,
        operation: &'static str,
        (source, from): (&Path, &Path),
        target: &Path,
    ) -> Result<(PathBuf, u64), FilesError> {
        let to = self.resolve(target);
        let to = to.ok_or_else(|| error(operation, target, FilesErrorKind::NotFound))?;
        let size_bytes = match self.nodes.get(from) {
            Some(Node::File(_, size_bytes)) => *size_bytes,
            Some(_) => return Err(error(operation, source, FilesErrorKind::Other)),
            None => return Err(error(operation, source, FilesErrorKind::NotFound)),
        };
        self.refuse_new(&to).map_err(|kind| error(operation, target, kind))?;
        Ok((to, size_bytes))
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
        FilesErrorKind::NotPermitted => "EPERM",
        FilesErrorKind::Denied => "EACCES",
        FilesErrorKind::TooManyLinks => "EMLINK",
        FilesErrorKind::NoSpace => "ENOSPC",
        FilesErrorKind::Quota => "EDQUOT",
        FilesErrorKind::ReadOnly => "EROFS",
        FilesErrorKind::NameTooLong => "ENAMETOOLONG",
        FilesErrorKind::Unsupported => "EOPNOTSUPP",
        FilesErrorKind::Io => "EIO",
        FilesErrorKind::Other => "EINVAL",
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
            Some(Node::Dir) => return Err(error("link", source, FilesErrorKind::NotPermitted)),
            Some(node) => node.clone(),
            None => return Err(error("link", source, FilesErrorKind::NotFound)),
        };
        tree.refuse_new(&to).map_err(|kind| error("link", target, kind))?;
        if let Some((_, kind)) = tree.refused_links.iter().find(|(file, _)| *file == from) {
            return Err(error("link", target, *kind));
        }
        if tree.device(&from) != tree.device(&to) {
            return Err(error("link", target, FilesErrorKind::CrossDevice));
        }
        tree.nodes.insert(to, node);
        Ok(())
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        let (mut tree, from) = self.call("clone", source)?;
        let (to, size_bytes) = tree.new_copy("clone", (source, &from), target)?;
        if !tree.clones {
            return Err(error("clone", target, FilesErrorKind::Unsupported));
        }
        if tree.device(&from) != tree.device(&to) {
            return Err(error("clone", target, FilesErrorKind::CrossDevice));
        }
        let identity = tree.new_identity(&to);
        tree.nodes.insert(to, Node::File(identity, size_bytes));
        Ok(())
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        let (tree, from) = self.call("copy", source)?;
        let (to, size_bytes) = tree.new_copy("copy", (source, &from), target)?;
        if size_bytes > tree.free_bytes {
            return Err(error("copy", target, FilesErrorKind::NoSpace));
        }
        // Who watches may look at the files, or change them.
        drop(tree);
        if size_bytes > 0 && !progress(size_bytes) {
            return Err(FilesError {
                errno: "ECANCELED".to_owned(),
                ..error("copy", target, FilesErrorKind::Other)
            });
        }
        let mut tree = self.tree();
        tree.refuse_new(&to).map_err(|kind| error("copy", target, kind))?;
        let identity = tree.new_identity(&to);
        tree.nodes.insert(to, Node::File(identity, size_bytes));
        Ok(())
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        let (mut tree, real) = self.call("symlink", link)?;
        tree.refuse_new(&real).map_err(|kind| error("symlink", link, kind))?;
        let identity = tree.new_identity(&real);
        tree.nodes.insert(real, Node::Symlink(identity, to.to_path_buf()));
        Ok(())
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        let (tree, real) = self.call("readlink", link)?;
        match tree.nodes.get(&real) {
            Some(Node::Symlink(_, to)) => Ok(to.clone()),
            Some(_) => Err(error("readlink", link, FilesErrorKind::Other)),
            None => Err(error("readlink", link, FilesErrorKind::NotFound)),
        }
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        let (mut tree, real) = self.call("create", path)?;
        tree.refuse_new(&real).map_err(|kind| error("create", path, kind))?;
        let identity = tree.new_identity(&real);
        tree.nodes.insert(real, Node::File(identity, 0));
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        let (mut tree, old) = self.call("rename", from)?;
        let new = tree.resolve(to).ok_or_else(|| error("rename", to, FilesErrorKind::NotFound))?;
        let node = tree.nodes.get(&old).cloned();
        let node = node.ok_or_else(|| error("rename", from, FilesErrorKind::NotFound))?;
        tree.refuse_new(&new).map_err(|kind| error("rename", to, kind))?;
        if tree.device(&old) != tree.device(&new) {
            return Err(error("rename", to, FilesErrorKind::CrossDevice));
        }
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

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        Ok(self.call("statfs", &path.join("."))?.0.filesystem.clone())
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        Ok(self.call("statvfs", &path.join("."))?.0.free_bytes)
    }
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
