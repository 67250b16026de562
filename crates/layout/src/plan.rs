//! The plan: which file goes where, what is left out and why, and what stands
//! in the way. Pure; it touches no file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tracker_domain::library::Library;
use tracker_domain::observed::RemoteFile;
use tracker_domain::ports::FileIdentity;
use tracker_domain::recognised::{Recognised, Role};

use crate::draft::plan_as;
use crate::name::path_key;
use crate::naming::Naming;
use crate::target::Target;

/// Everything a plan depends on.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// What the torrent is, after a person's corrections.
    pub recognised: &'a Recognised,
    /// Its files as the client lists them.
    pub files: &'a [RemoteFile],
    /// The local folder that the paths of the files are relative to.
    pub source_root: &'a Path,
    /// Where the links go.
    pub library: &'a Library,
    /// The longest name in bytes that the library's filesystem takes.
    pub name_limit: usize,
}

/// How the names of a plan are made.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// The patterns and choices of the configuration.
    pub naming: &'a Naming,
    /// The number of the accepted work at TMDB.
    pub tmdb: Option<u64>,
}

/// Who goes where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The links, by index of their file.
    pub links: Vec<PlannedLink>,
    /// What is left out, by index.
    pub skipped: Vec<Skipped>,
    /// What a person has to resolve first.
    pub conflicts: Vec<Conflict>,
}

/// One link that will be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedLink {
    /// The index of the file in the torrent.
    pub file: u32,
    /// The file as it lies on disk.
    pub source: PathBuf,
    /// The name it gets in the library.
    pub target: PathBuf,
    /// The size that the client states; the file on disk must have it.
    pub size_bytes: u64,
    /// What it is: a film or an episode, its subtitles, …
    pub role: Role,
    /// The file whose name it shares: the video that a sidecar goes with.
    pub beside: Option<u32>,
    /// Another file has the name, and this one takes its place: a person wants it,
    /// or the file is a link of the same download.
    pub replaces: bool,
    /// The file that has the name is a link of the same download, and is what would
    /// be made.
    pub ours: Option<FileIdentity>,
}

/// One file that gets no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The index of the file in the torrent.
    pub file: u32,
    /// The file as it lies on disk.
    pub source: PathBuf,
    /// Why.
    pub reason: SkipReason,
}

/// One link that cannot be made as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The index of the file in the torrent.
    pub file: u32,
    /// The file as it lies on disk.
    pub source: PathBuf,
    /// The name it should get.
    pub target: PathBuf,
    /// What stands in the way.
    pub kind: ConflictKind,
    /// The size that the client states.
    pub size_bytes: u64,
    /// What it is.
    pub role: Role,
    /// The file whose name it shares.
    pub beside: Option<u32>,
}

/// Declares a closed list of words with its text form.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$var_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$var_doc])* $variant,)+
        }

        impl $name {
            /// Every word there is.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The word of REST.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Why a file gets no link.
    SkipReason {
        /// A sample.
        Sample = "sample",
        /// A text about the release.
        Info = "info",
        /// Artwork, a trailer, a featurette, where the policy or the torrent does not
        /// say where it goes.
        Extra = "extra",
        /// A person left it out.
        LeftOut = "left-out",
        /// The client does not download it.
        NotSelected = "not-selected",
        /// Bytes are missing.
        Incomplete = "incomplete",
        /// A packed archive.
        Archive = "archive",
        /// A program or bait.
        Executable = "executable",
        /// A file of a kind that no library holds.
        UnknownKind = "unknown-kind",
        /// Subtitles without a video of that name beside them.
        OrphanSubtitle = "orphan-subtitle",
        /// Sound without a video of that name beside it.
        OrphanAudio = "orphan-audio",
        /// A file of the disc it belongs to is not downloaded or not complete; a disc
        /// is linked as a whole.
        IncompleteDisc = "incomplete-disc",
        /// Another file of the torrent would have its name, and a person left it out.
        Duplicate = "duplicate",
        /// Another file has its name in the library, and stays.
        KeptExisting = "kept-existing",
        /// There is no title to name it by.
        NoTitle = "no-title",
        /// An episode whose season or number is not known.
        NoEpisode = "no-episode",
        /// Its path leads out of the torrent.
        UnsafePath = "unsafe-path",
        /// Its name fits the filesystem in no form.
        NameTooLong = "name-too-long",
    }
}

words! {
    /// What stands in the way of a link.
    ConflictKind {
        /// Two files of the torrent would get one name.
        TwoSources = "two-sources",
        /// Another file has the name already.
        TargetExists = "target-exists",
        /// A folder has the name already.
        FolderThere = "folder-there",
        /// A name that differs in nothing but case is there: one and the same
        /// for many filesystems and shares.
        CaseTwin = "case-twin",
        /// A name that differs in nothing but the composition of its letters is
        /// there.
        UnicodeTwin = "unicode-twin",
        /// A folder on the way is a file or a symbolic link.
        NotAFolder = "not-a-folder",
    }
}

/// Plans the links of one torrent, with the names that are built in.
#[must_use]
pub fn plan(input: &PlanInput<'_>) -> Plan {
    plan_as(input, &Style { naming: &Naming::default(), tmdb: None })
}

impl Plan {
    /// Nothing stands in the way, and there is something to do.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.conflicts.is_empty() && !self.links.is_empty()
    }

    /// The SHA-256 of the canonical plan, in hex. Two plans with one id make the
    /// same links.
    #[must_use]
    pub fn id(&self) -> String {
        let mut hash = Canonical(Sha256::new());
        hash.text(b"plan 2");
        hash.number(self.links.len() as u64);
        for link in &self.links {
            hash.number(u64::from(link.file));
            hash.path(&link.source);
            hash.path(&link.target);
            hash.number(link.size_bytes);
            hash.number(u64::from(link.replaces));
        }
        hash.number(self.skipped.len() as u64);
        for skipped in &self.skipped {
            hash.number(u64::from(skipped.file));
            hash.path(&skipped.source);
            hash.text(skipped.reason.as_str().as_bytes());
        }
        hash.number(self.conflicts.len() as u64);
        for conflict in &self.conflicts {
            hash.number(u64::from(conflict.file));
            hash.path(&conflict.source);
            hash.path(&conflict.target);
            hash.text(conflict.kind.as_str().as_bytes());
        }
        hex::encode(hash.0.finalize())
    }

    /// Adds what becomes of a file.
    pub(crate) fn add(
        &mut self,
        input: &PlanInput<'_>,
        file: &RemoteFile,
        what: (Role, Option<u32>),
        target: Result<Target, SkipReason>,
    ) {
        match target.and_then(|target| target.fits(input.name_limit)) {
            Ok(target) => self.links.push(PlannedLink {
                file: file.index,
                source: input.source_root.join(&file.path),
                target: input.library.root.join(target.path()),
                size_bytes: file.size_bytes,
                role: what.0,
                beside: what.1,
                replaces: false,
                ours: None,
            }),
            // A path that leads out of the torrent is shown, never joined.
            Err(reason @ SkipReason::UnsafePath) => self.skipped.push(Skipped {
                file: file.index,
                source: PathBuf::from(&file.path),
                reason,
            }),
            Err(reason) => self.skipped.push(Skipped {
                file: file.index,
                source: input.source_root.join(&file.path),
                reason,
            }),
        }
    }

    /// Puts everything in its order, and parts what has one name.
    pub(crate) fn finish(mut self) -> Plan {
        self.links.sort_by_key(|link| link.file);
        self.skipped.sort_by_key(|skipped| skipped.file);
        self.part_equal_targets();
        self
    }

    /// Two sources of one target: neither gets it.
    fn part_equal_targets(&mut self) {
        let key = |link: &PlannedLink| path_key(&link.target);
        let mut seen: HashMap<String, usize> = HashMap::new();
        for link in &self.links {
            *seen.entry(key(link)).or_default() += 1;
        }
        for link in std::mem::take(&mut self.links) {
            if seen.get(&key(&link)).is_some_and(|count| *count > 1) {
                self.conflicts.push(link.into_conflict(ConflictKind::TwoSources));
            } else {
                self.links.push(link);
            }
        }
    }
}

impl PlannedLink {
    /// The same, as something that a person has to resolve.
    pub(crate) fn into_conflict(self, kind: ConflictKind) -> Conflict {
        Conflict {
            file: self.file,
            source: self.source,
            target: self.target,
            kind,
            size_bytes: self.size_bytes,
            role: self.role,
            beside: self.beside,
        }
    }
}

/// Feeds values with their lengths, so that no two plans give one stream.
struct Canonical(Sha256);

impl Canonical {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_be_bytes());
    }

    fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn path(&mut self, path: &Path) {
        self.text(path.as_os_str().as_encoded_bytes());
    }
}
