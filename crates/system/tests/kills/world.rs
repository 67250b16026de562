//! A payload in one folder, a library, and the batch that lays the one out in
//! the other.

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_layout::LinkToMake;

use crate::journal::Journal;
use crate::link_id;

/// How big a batch is, and of what kind.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub mode: LinkMode,
    pub files: u64,
    /// Folders that the targets are in.
    pub seasons: u64,
    /// One of so many replaces another file; with hard links, one of so many is
    /// there already.
    pub one_in: u64,
}

impl Shape {
    /// A copy cannot be told from any other file, so it is never there already.
    fn is_there(self, number: u64) -> bool {
        self.mode == LinkMode::Hardlink && number % self.one_in == 3
    }

    fn replaces(self, number: u64) -> bool {
        number % self.one_in == self.one_in / 2 + 1
    }

    /// How many links have to be made.
    pub fn to_make(self) -> usize {
        (1..=self.files).filter(|number| !self.is_there(*number)).count()
    }
}

/// Folders of one test, which the process that is killed shares with it.
pub struct World {
    pub shape: Shape,
    folder: PathBuf,
}

impl World {
    pub fn at(folder: &Path, shape: Shape) -> Self {
        World { shape, folder: folder.to_path_buf() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn downloads(&self) -> PathBuf {
        self.folder.join("downloads")
    }

    pub fn root(&self) -> PathBuf {
        self.folder.join("library")
    }

    pub fn journal(&self) -> Journal {
        Journal::at(self.folder.join("journal"))
    }

    pub fn library(&self) -> Library {
        let (name, mode) = ("l".to_owned(), self.shape.mode);
        Library { name, kind: LibraryKind::Series, root: self.root(), mode }
    }

    /// The plan.
    pub fn links(&self) -> Vec<LinkToMake> {
        let link = |number| LinkToMake {
            link_id: link_id(number),
            source: self.downloads().join("Show.2001").join(format!("{number:04}.mkv")),
            target: self.target(number),
            size_bytes: Some(content(number).len() as u64),
            replace: self.shape.replaces(number),
            ours: None,
        };
        (1..=self.shape.files).map(link).collect()
    }

    fn target(&self, number: u64) -> PathBuf {
        let season = number % self.shape.seasons;
        let name = format!("Show (2001) S{season:02}E{number:04}.mkv");
        self.root().join("Show (2001)").join(format!("Season {season:02}")).join(name)
    }

    pub fn make_payload(&self) {
        std::fs::create_dir_all(self.downloads().join("Show.2001")).unwrap();
        for (number, link) in (1..).zip(self.links()) {
            std::fs::write(&link.source, content(number)).unwrap();
        }
    }

    /// A new library without the batch, and an empty journal: some targets are
    /// there already, some are other files, and some names are of no concern.
    pub fn make_library(&self) {
        self.journal().clear();
        let root = self.root();
        if root.exists() {
            std::fs::remove_dir_all(&root).unwrap();
        }
        std::fs::create_dir_all(root.join("Empty")).unwrap();
        std::fs::create_dir(root.join("Film (1999)")).unwrap();
        std::fs::write(root.join("Film (1999)/Film (1999).mkv"), b"a film").unwrap();
        for (number, link) in (1..).zip(self.links()) {
            let (is_there, replaces) = (self.shape.is_there(number), self.shape.replaces(number));
            if is_there || replaces {
                std::fs::create_dir_all(link.target.parent().unwrap()).unwrap();
            }
            if is_there {
                std::fs::hard_link(&link.source, &link.target).unwrap();
            } else if replaces {
                std::fs::write(&link.target, format!("an older release of {number}")).unwrap();
            }
        }
    }
}

fn content(number: u64) -> String {
    format!("episode {number}\n").repeat(1 + usize::try_from(number % 40).unwrap())
}
