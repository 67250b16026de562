//! What a batch writes down, in files that stand in for the rows of the
//! database: each is there whole or not at all, like a transaction.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tracker_domain::ports::FileIdentity;
use tracker_layout::{LinkToMake, StagedLink};

use crate::mortal::Mortal;

const PLANNED: &str = "planned";
const STAGED: &str = "staged";
const APPLIED: &str = "applied";
const UNDONE: &str = "undone";
const GIVEN_UP: &str = "given-up";

/// The folder of one batch's files.
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    pub fn at(folder: PathBuf) -> Self {
        Journal { folder }
    }

    /// An empty one, whatever was there.
    pub fn clear(&self) {
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder).unwrap();
        }
        std::fs::create_dir(&self.folder).unwrap();
    }

    pub fn write_planned(&self, links: &[LinkToMake], life: &Mortal) {
        let line = |link: &LinkToMake| {
            let (source, target) = (text(&link.source), text(&link.target));
            let size = link.size_bytes.unwrap();
            format!("{}\t{source}\t{target}\t{size}\t{}\n", link.link_id, link.replace)
        };
        self.write(PLANNED, &links.iter().map(line).collect::<String>(), life);
    }

    /// The links that were intended; `None` when nothing was.
    pub fn planned(&self) -> Option<Vec<LinkToMake>> {
        let link = |line: &str| {
            let [id, source, target, size, replace] = columns(line);
            LinkToMake {
                link_id: id.parse().unwrap(),
                source: source.into(),
                target: target.into(),
                size_bytes: Some(size.parse().unwrap()),
                replace: replace.parse().unwrap(),
                ours: None,
            }
        };
        Some(self.read(PLANNED)?.lines().map(link).collect())
    }

    pub fn write_staged(&self, staged: &[StagedLink], life: &Mortal) {
        let line = |link: &StagedLink| {
            let identity = identity_text(link.identity);
            let replaces = link.replaces.map_or_else(|| "-".to_owned(), identity_text);
            let (size, there) = (link.size_bytes, link.there_already);
            format!("{}\t{identity}\t{size}\t{there}\t{replaces}\n", link.link_id)
        };
        self.write(STAGED, &staged.iter().map(line).collect::<String>(), life);
    }

    /// The identities; `None` when they were not written down.
    pub fn staged(&self) -> Option<Vec<StagedLink>> {
        let link = |line: &str| {
            let [id, identity, size, there, replaces] = columns(line);
            StagedLink {
                link_id: id.parse().unwrap(),
                identity: identity_of(identity),
                size_bytes: size.parse().unwrap(),
                there_already: there.parse().unwrap(),
                replaces: (replaces != "-").then(|| identity_of(replaces)),
                modified_ns: None,
            }
        };
        Some(self.read(STAGED)?.lines().map(link).collect())
    }

    pub fn write_applied(&self, life: &Mortal) {
        self.write(APPLIED, "", life);
    }

    pub fn is_applied(&self) -> bool {
        self.read(APPLIED).is_some()
    }

    pub fn write_undone(&self, life: &Mortal) {
        self.write(UNDONE, "", life);
    }

    pub fn is_undone(&self) -> bool {
        self.read(UNDONE).is_some()
    }

    /// A person does not want the batch any more.
    pub fn write_given_up(&self, life: &Mortal) {
        self.write(GIVEN_UP, "", life);
    }

    pub fn is_given_up(&self) -> bool {
        self.read(GIVEN_UP).is_some()
    }

    fn write(&self, name: &str, content: &str, life: &Mortal) {
        let new = self.folder.join(format!("{name}.new"));
        life.step();
        let mut file = File::create(&new).unwrap();
        file.write_all(content.as_bytes()).unwrap();
        file.sync_all().unwrap();
        life.step();
        std::fs::rename(&new, self.folder.join(name)).unwrap();
        life.step();
        File::open(&self.folder).unwrap().sync_all().unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        match std::fs::read_to_string(self.folder.join(name)) {
            Ok(content) => Some(content),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn columns(line: &str) -> [&str; 5] {
    line.split('\t').collect::<Vec<_>>().try_into().unwrap()
}

fn identity_text(identity: FileIdentity) -> String {
    format!("{}:{}", identity.device, identity.inode)
}

fn identity_of(text: &str) -> FileIdentity {
    let (device, inode) = text.split_once(':').unwrap();
    FileIdentity { device: device.parse().unwrap(), inode: inode.parse().unwrap() }
}
