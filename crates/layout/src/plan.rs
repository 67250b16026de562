//! The plan: which file goes where, what is left out and why, and what stands
//! in the way. Pure; it touches no file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tracker_domain::library::Library;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{FileRole, Recognised, Role};

use crate::name::name_key;
use crate::target::{Subtitles, Target, safe_source, video_target};

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
        /// Artwork, a trailer, a featurette.
        Extra = "extra",
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
        /// A folder on the way is a file or a symbolic link.
        NotAFolder = "not-a-folder",
    }
}

/// Plans the links of one torrent.
#[must_use]
pub fn plan(input: &PlanInput<'_>) -> Plan {
    let roles: HashMap<u32, &FileRole> =
        input.recognised.files.iter().map(|role| (role.index, role)).collect();
    let mut files: Vec<&RemoteFile> = input.files.iter().collect();
    files.sort_by_key(|file| file.index);

    let mut plan = Plan::default();
    let mut subtitles = Subtitles::default();
    let mut waiting = Vec::new();
    for file in files {
        let role = roles.get(&file.index).copied();
        let target = match sort(file, role) {
            Ok(Kind::Subtitle) => {
                waiting.push(file);
                continue;
            }
            Ok(Kind::Video(role)) => video_target(input, file, &role.fields),
            Err(reason) => Err(reason),
        };
        if let Ok(target) = &target {
            subtitles.add_video(file, target);
        }
        plan.add(input, file, target);
    }
    for file in waiting {
        let target = subtitles.target(file, input.name_limit);
        plan.add(input, file, target);
    }
    plan.links.sort_by_key(|link| link.file);
    plan.skipped.sort_by_key(|skipped| skipped.file);
    plan.part_equal_targets();
    plan
}

enum Kind<'a> {
    Video(&'a FileRole),
    Subtitle,
}

/// Whether a file may be linked at all, by what it is.
fn sort<'a>(file: &RemoteFile, role: Option<&'a FileRole>) -> Result<Kind<'a>, SkipReason> {
    if !file.selected {
        return Err(SkipReason::NotSelected);
    }
    if !safe_source(&file.path) {
        return Err(SkipReason::UnsafePath);
    }
    let role = role.ok_or(SkipReason::UnknownKind)?;
    let kind = match role.role {
        Role::Main => Kind::Video(role),
        Role::Subtitle => Kind::Subtitle,
        Role::Sample => return Err(SkipReason::Sample),
        Role::Info => return Err(SkipReason::Info),
        Role::Extra => return Err(SkipReason::Extra),
        Role::Archive => return Err(SkipReason::Archive),
        Role::Executable => return Err(SkipReason::Executable),
        Role::Unknown => return Err(SkipReason::UnknownKind),
    };
    if file.complete { Ok(kind) } else { Err(SkipReason::Incomplete) }
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
        hash.text(b"plan 1");
        hash.number(self.links.len() as u64);
        for link in &self.links {
            hash.number(u64::from(link.file));
            hash.path(&link.source);
            hash.path(&link.target);
            hash.number(link.size_bytes);
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

    fn add(
        &mut self,
        input: &PlanInput<'_>,
        file: &RemoteFile,
        target: Result<Target, SkipReason>,
    ) {
        match target {
            Ok(target) => self.links.push(PlannedLink {
                file: file.index,
                source: input.source_root.join(&file.path),
                target: input.library.root.join(target.path()),
                size_bytes: file.size_bytes,
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

    /// Two sources of one target: neither gets it.
    fn part_equal_targets(&mut self) {
        let key = |link: &PlannedLink| name_key(&link.target.to_string_lossy());
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
        Conflict { file: self.file, source: self.source, target: self.target, kind }
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
