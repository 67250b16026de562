//! The contract that files in memory share with the disk.

use std::ffi::OsString;
use std::path::Path;

use tracker_domain::ports::{Files, FilesError, FilesErrorKind};

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

    copies_contract(files, root, &a);
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
fn copies_contract(files: &dyn Files, root: &Path, file: &Path) {
    let (copy, clone, empty) = (root.join("copy"), root.join("clone"), root.join("empty"));
    let mut told = 0;
    let mut all = |bytes| {
        told += bytes;
        true
    };
    files.copy_file(file, &copy, &mut all).unwrap();
    let (from, to) = (files.stat(file).unwrap().unwrap(), files.stat(&copy).unwrap().unwrap());
    assert_eq!((told, to.size_bytes, to.is_file), (from.size_bytes, from.size_bytes, true));
    assert_ne!(to.identity, from.identity);
    assert_eq!(files.stat(file).unwrap().unwrap(), from, "the source is as it was");
    let again = files.copy_file(file, &copy, &mut |_| true).unwrap_err();
    assert_eq!(again.kind, FilesErrorKind::Exists);
    files.unlink(&copy).unwrap();
    let stopped = files.copy_file(file, &copy, &mut |_| false).unwrap_err();
    assert_eq!(stopped.errno, "ECANCELED");
    assert_eq!(files.stat(&copy).unwrap(), None, "a copy that was stopped is gone");
    let none = files.copy_file(&root.join("none"), &copy, &mut |_| true).unwrap_err();
    assert_eq!(none.kind, FilesErrorKind::NotFound);

    match files.clone_file(file, &clone) {
        Ok(()) => {
            let cloned = files.stat(&clone).unwrap().unwrap();
            assert_eq!(cloned.size_bytes, from.size_bytes);
            assert_ne!(cloned.identity, from.identity);
            files.unlink(&clone).unwrap();
        }
        // Most filesystems cannot, and say so.
        Err(cause) => assert_eq!(cause.kind, FilesErrorKind::Unsupported, "{cause}"),
    }
    assert_eq!(files.stat(&clone).unwrap(), None);

    files.make_file(&empty).unwrap();
    let made = files.stat(&empty).unwrap().unwrap();
    assert_eq!((made.size_bytes, made.is_file, made.links), (0, true, 1));
    assert_eq!(files.make_file(&empty).unwrap_err().kind, FilesErrorKind::Exists);
    files.unlink(&empty).unwrap();
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
    assert_eq!(files.read_link(&link).unwrap(), root);
    files.unlink(&link).unwrap();
    files.symbolic_link(file, &link).unwrap();
    let made = files.stat(&link).unwrap().unwrap();
    assert_eq!((made.is_symlink, made.is_file), (true, false));
    assert_eq!(files.read_link(&link).unwrap(), file);
    assert_eq!(files.symbolic_link(file, &link).unwrap_err().kind, FilesErrorKind::Exists);
    assert!(files.copy_file(&link, &root.join("copy"), &mut |_| true).is_err(), "not followed");
    let moved = root.join("moved");
    files.rename_new(&link, &moved).unwrap();
    assert_eq!(files.stat(&moved).unwrap().unwrap().identity, made.identity);
    files.unlink(&moved).unwrap();
    assert!(files.stat(root).unwrap().unwrap().is_dir, "only the symbolic link is gone");
}
