//! Whether a library holds the data of a payload, so that the payload may go. It
//! only looks.

use std::path::{Path, PathBuf};

use tracker_domain::library::LinkMode;
use tracker_domain::ports::{FileStat, Files, FilesError};

use crate::verify::{LinkHealth, LinkToVerify, verify};

/// One file of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Whether the client has all of its bytes.
    pub complete: bool,
}

/// Why the data of a payload has to stay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotHeld {
    /// The client names no file with bytes: nothing can be said about them.
    #[error("the client names no files")]
    NoFiles,
    /// A file that the client has whole is not where it should be.
    #[error("{} is not there", .0.display())]
    NotThere(PathBuf),
    /// No link to it stands as it was made.
    #[error("no link in a library holds {}", .0.display())]
    NoLink(PathBuf),
    /// A look failed.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Whether each file with bytes is held by a link that still is what was made:
/// another name of the same file, or a file of its own with the same size. A
/// symbolic link holds nothing, nor does a name in the folder that goes. `links` come
/// with the root that they lie below.
///
/// # Errors
/// The first file that is not held.
pub fn held(
    files: &dyn Files,
    folder: &Path,
    payload: &[PayloadFile],
    links: &[(PathBuf, LinkToVerify)],
) -> Result<(), NotHeld> {
    if payload.iter().all(|file| file.size_bytes == 0) {
        return Err(NotHeld::NoFiles);
    }
    for file in payload.iter().filter(|file| file.size_bytes > 0) {
        let Some(stat) = files.stat(&file.path)? else {
            // What was not chosen was never written.
            if file.complete {
                return Err(NotHeld::NotThere(file.path.clone()));
            }
            continue;
        };
        let mine =
            |link: &LinkToVerify| link.source == file.path && !link.target.starts_with(folder);
        let mut mine = links.iter().filter(|(_, link)| mine(link));
        let holds = mine.any(|(root, link)| holds(files, root, link, &stat).unwrap_or(false));
        if !holds {
            return Err(NotHeld::NoLink(file.path.clone()));
        }
    }
    Ok(())
}

fn holds(
    files: &dyn Files,
    root: &Path,
    link: &LinkToVerify,
    source: &FileStat,
) -> Result<bool, FilesError> {
    let looked = verify(files, Some(root), std::slice::from_ref(link));
    if !matches!(looked.as_slice(), [(_, LinkHealth::Present)]) {
        return Ok(false);
    }
    let Some(target) = files.stat(&link.target)?.filter(|target| target.is_file) else {
        return Ok(false);
    };
    if !source.is_file || source.size_bytes != link.size_bytes {
        return Ok(false);
    }
    Ok(match link.mode {
        LinkMode::Hardlink => {
            target.identity == source.identity
                && target.links >= 2
                && !is_same_entry(files, &link.source, &link.target)?
        }
        LinkMode::Reflink | LinkMode::Copy => target.identity != source.identity,
        LinkMode::Symlink => false,
    })
}

/// Whether two paths are one name of a file, by two ways to the same folder.
fn is_same_entry(files: &dyn Files, one: &Path, other: &Path) -> Result<bool, FilesError> {
    let folder = |path: &Path| {
        // The folder itself may be reached by a symbolic link.
        let stat = path.parent().map(|parent| files.stat(&parent.join("."))).transpose()?;
        Ok::<_, FilesError>(stat.flatten().map(|stat| stat.identity))
    };
    Ok(one.file_name() == other.file_name() && folder(one)? == folder(other)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tracker_domain::FileLinkId;
    use tracker_testkit::{FakeFiles, spec};

    use super::*;

    const FILM: &str = "/dl/id/film.mkv";
    const LINK: &str = "/lib/Film.mkv";

    fn disk() -> FakeFiles {
        let files = FakeFiles::new();
        files.dir("/lib");
        files.file(FILM, 10);
        files
    }

    fn payload(paths: &[&str]) -> Vec<PayloadFile> {
        let file = |path: &&str| PayloadFile { path: path.into(), size_bytes: 10, complete: true };
        paths.iter().map(file).collect()
    }

    fn link(files: &FakeFiles, mode: LinkMode) -> (PathBuf, LinkToVerify) {
        let stat = files.stat(Path::new(LINK)).unwrap().unwrap();
        let link_id: FileLinkId = "01hx0000000000000000000004".parse().unwrap();
        let link = LinkToVerify {
            link_id,
            source: FILM.into(),
            target: LINK.into(),
            identity: stat.identity,
            size_bytes: 10,
            modified_ns: (mode != LinkMode::Hardlink).then_some(stat.modified_ns),
            mode,
        };
        ("/lib".into(), link)
    }

    fn made(files: &FakeFiles, mode: LinkMode) -> (PathBuf, LinkToVerify) {
        let (from, to) = (Path::new(FILM), Path::new(LINK));
        match mode {
            LinkMode::Hardlink => files.hard_link(from, to).unwrap(),
            LinkMode::Reflink => files.clone_file(from, to).unwrap(),
            LinkMode::Copy => files.copy_file(from, to, &mut |_| true).unwrap(),
            LinkMode::Symlink => files.symbolic_link(from, to).unwrap(),
        }
        link(files, mode)
    }

    fn ask(files: &FakeFiles, links: &[(PathBuf, LinkToVerify)]) -> Result<(), NotHeld> {
        held(files, Path::new("/dl/id"), &payload(&[FILM]), links)
    }

    #[test]
    fn links_and_copies_hold_and_symbolic_links_do_not() {
        spec!("seeding#data-goes-only-where-a-library-holds-it/by-mode");
        for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
            let files = disk();
            files.set_clones(true);
            let links = [made(&files, mode)];
            assert_eq!(ask(&files, &links).is_ok(), mode != LinkMode::Symlink, "{mode}");
        }
        assert_eq!(ask(&disk(), &[]), Err(NotHeld::NoLink(FILM.into())));
    }

    #[test]
    fn every_file_with_bytes_counts() {
        spec!("seeding#data-goes-only-where-a-library-holds-it/a-file-nobody-holds");
        let files = disk();
        let links = [made(&files, LinkMode::Hardlink)];
        let nfo = "/dl/id/film.nfo";
        let ask = |payload: &[PayloadFile]| held(&files, Path::new("/dl/id"), payload, &links);
        let both = payload(&[FILM, nfo]);
        assert_eq!(ask(&both), Err(NotHeld::NotThere(nfo.into())));
        files.file(nfo, 10);
        assert_eq!(ask(&both), Err(NotHeld::NoLink(nfo.into())));
        // Empty, or never written: there is nothing to lose.
        let empty = PayloadFile { path: nfo.into(), size_bytes: 0, complete: true };
        assert_eq!(ask(&[both[0].clone(), empty]), Ok(()));
        let never = PayloadFile { path: "/dl/id/x".into(), size_bytes: 9, complete: false };
        assert_eq!(ask(&[both[0].clone(), never]), Ok(()));
        assert_eq!(ask(&[]), Err(NotHeld::NoFiles));
    }

    #[test]
    fn a_link_that_is_not_what_was_made_holds_nothing() {
        spec!("seeding#data-goes-only-where-a-library-holds-it/the-link-changed");
        let files = disk();
        let links = [made(&files, LinkMode::Hardlink)];
        files.remove(LINK);
        assert!(ask(&files, &links).is_err(), "gone");
        files.file(LINK, 10);
        assert!(ask(&files, &links).is_err(), "another file");
        files.remove(LINK);
        let links = [made(&files, LinkMode::Hardlink)];
        assert_eq!(ask(&files, &links), Ok(()));
        files.remove(FILM);
        files.file(FILM, 10);
        assert!(ask(&files, &links).is_err(), "the payload was written anew");
        let copied = disk();
        let links = [made(&copied, LinkMode::Copy)];
        copied.write_in_place(LINK);
        assert!(ask(&copied, &links).is_err(), "the copy was written to");
    }

    #[test]
    fn a_name_that_goes_with_the_payload_holds_nothing() {
        spec!("seeding#data-goes-only-where-a-library-holds-it/the-same-folder");
        let files = disk();
        let (root, link) = made(&files, LinkMode::Hardlink);
        let all = Path::new("/");
        assert!(held(&files, all, &payload(&[FILM]), &[(root, link.clone())]).is_err());
        // Two names of the file, one of which is the payload's own by another way.
        files.symlink("/way", "/dl/id");
        let other = LinkToVerify { target: "/way/film.mkv".into(), ..link };
        assert!(ask(&files, &[("/way".into(), other)]).is_err());
    }
}
