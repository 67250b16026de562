//! A person's answers to conflicts, and other names for what stands in the way.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::name::{cut, path_key, safe_component};
use crate::plan::{Conflict, ConflictKind, Plan, PlannedLink, SkipReason, Skipped};
use crate::target::extension;

/// What to do about a name that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The file that has the name stays; this one is left out.
    Keep,
    /// This one takes the place of the file that has the name.
    Replace,
    /// This one gets another name.
    OtherName,
}

/// The answer for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The target of the conflict, as the plan shows it.
    pub target: PathBuf,
    /// What to do.
    pub action: Action,
}

/// Why a plan is not ready after the answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// An answer is about no conflict of the plan.
    #[error("the plan has no conflict about {}; look at it again", .0.display())]
    UnknownTarget(PathBuf),
    /// Conflicts that have no answer, or one that cannot be followed: two files of
    /// a torrent cannot replace each other, and a folder cannot be replaced.
    #[error("{} conflicts are not resolved", .0.len())]
    Unresolved(Vec<Conflict>),
}

impl Action {
    /// Every action there is.
    pub const ALL: &'static [Action] = &[Action::Keep, Action::Replace, Action::OtherName];

    /// The word of REST.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Keep => "keep",
            Action::Replace => "replace",
            Action::OtherName => "other-name",
        }
    }
}

impl std::str::FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Self, ParseActionError> {
        let known = Self::ALL.iter().find(|action| action.as_str() == text);
        known.copied().ok_or_else(|| ParseActionError(text.to_owned()))
    }
}

/// The text is no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not one of keep, replace, other-name")]
pub struct ParseActionError(String);

/// More files of one name than these is no library.
const MOST_TRIES: u32 = 1_000;

/// The name with ` (2)`, ` (3)`, … before its extension that is free, cut so that
/// it stays within the limit; `None` where there is none.
#[must_use]
pub fn other_name(
    target: &Path,
    name_limit: usize,
    taken: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let (stem, ext) = parted(target.file_name()?.to_str()?);
    let mut names = numbered(stem, ext, name_limit).map(|name| target.with_file_name(name));
    names.find(|path| !taken(path))
}

/// The target with such a number after the name of one of its folders.
fn other_folder(
    target: &Path,
    folder: &Path,
    name_limit: usize,
    taken: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let rest = target.strip_prefix(folder).ok()?;
    let name = folder.file_name()?.to_str()?;
    let mut names = numbered(name, "", name_limit).map(|name| folder.with_file_name(name));
    Some(names.find(|folder| !taken(folder))?.join(rest))
}

/// A name and its extension with the point, letter by letter.
fn parted(name: &str) -> (&str, &str) {
    extension(name).map_or((name, ""), |(stem, _)| name.split_at(stem.len()))
}

/// The name with each number there is, cut to the limit.
fn numbered<'n>(stem: &'n str, ext: &'n str, limit: usize) -> impl Iterator<Item = String> + 'n {
    (2..=MOST_TRIES).filter_map(move |number| {
        let tail = format!(" ({number})");
        let room = limit.checked_sub(tail.len() + ext.len())?;
        let name = format!("{}{tail}{ext}", cut(stem, room));
        (name.len() <= limit).then(|| safe_component(&name))
    })
}

/// Whether `name` is what [`Action::OtherName`] makes of `target`: one part of it
/// has a number.
#[must_use]
pub fn is_other_name(name: &Path, target: &Path) -> bool {
    let text = |path: &Path| {
        let parts = path.components();
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let (name, target) = (text(name), text(target));
    if name.len() != target.len() {
        return false;
    }
    let mut changed = name.iter().zip(&target).filter(|(name, target)| name != target);
    let (Some((name, plain)), None) = (changed.next(), changed.next()) else {
        return false;
    };
    has_number(name, plain)
}

/// Whether a name is another one with a number, after it or before its extension.
fn has_number(name: &str, plain: &str) -> bool {
    if before_number(name) == Some(plain) {
        return true;
    }
    let ((stem, ext), (plain_stem, plain_ext)) = (parted(name), parted(plain));
    // A long name was cut for its number.
    ext == plain_ext && before_number(stem).is_some_and(|front| plain_stem.starts_with(front))
}

/// What stands before a number that [`Action::OtherName`] gives.
fn before_number(text: &str) -> Option<&str> {
    let (front, number) = text.strip_suffix(')')?.rsplit_once(" (")?;
    (number.parse::<u32>().ok()? >= 2).then_some(front)
}

impl Plan {
    /// Follows a person's answers. `taken` says whether the library has a name.
    ///
    /// # Errors
    /// [`ResolveError`]; the plan itself is as it was, with whoever asked.
    pub fn resolve(
        mut self,
        answers: &[Resolution],
        name_limit: usize,
        taken: &dyn Fn(&Path) -> bool,
    ) -> Result<Plan, ResolveError> {
        let by_target: HashMap<&Path, Action> =
            answers.iter().map(|answer| (answer.target.as_path(), answer.action)).collect();
        let known: HashSet<&Path> =
            self.conflicts.iter().map(|conflict| conflict.target.as_path()).collect();
        if let Some(unknown) = answers.iter().find(|one| !known.contains(one.target.as_path())) {
            return Err(ResolveError::UnknownTarget(unknown.target.clone()));
        }
        let mut names = TakenNames {
            planned: self.links.iter().map(|link| path_key(&link.target)).collect(),
            // Two files that stand in each other's way are in nobody else's.
            first: HashSet::new(),
            library: taken,
            name_limit,
        };
        let mut open = Vec::new();
        let mut renamed = HashMap::new();
        // Videos first: their sidecars follow them.
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.sort_by_key(|conflict| (conflict.beside.is_some(), conflict.file));
        for conflict in conflicts {
            let action = by_target.get(conflict.target.as_path()).copied();
            match action.and_then(|action| names.follow(&conflict, action, &self, &renamed)) {
                Some(Outcome::Skip(reason)) => {
                    self.skip_sidecars(conflict.file, reason);
                    self.skipped.push(Skipped {
                        file: conflict.file,
                        source: conflict.source,
                        reason,
                    });
                }
                Some(Outcome::Link { target, replaces }) => {
                    if conflict.beside.is_none() && target != conflict.target {
                        renamed.insert(conflict.file, (conflict.target.clone(), target.clone()));
                        self.rename_sidecars(conflict.file, &conflict.target, &target);
                    }
                    self.links.push(conflict.into_link(target, replaces));
                }
                None => open.push(conflict),
            }
        }
        let mut plan = self.finish();
        open.append(&mut plan.conflicts);
        if open.is_empty() {
            return Ok(plan);
        }
        open.sort_by_key(|conflict| conflict.file);
        Err(ResolveError::Unresolved(open))
    }

    /// What belongs to a video that is left out is of no use beside another one.
    fn skip_sidecars(&mut self, video: u32, reason: SkipReason) {
        let (beside, links) = std::mem::take(&mut self.links)
            .into_iter()
            .partition(|link: &PlannedLink| link.beside == Some(video));
        self.links = links;
        let beside: Vec<PlannedLink> = beside;
        self.skipped.extend(beside.into_iter().map(|link| Skipped {
            file: link.file,
            source: link.source,
            reason,
        }));
    }

    /// Sidecars have the name of their video, also a new one.
    pub(crate) fn rename_sidecars(&mut self, video: u32, from: &Path, to: &Path) {
        for link in self.links.iter_mut().filter(|link| link.beside == Some(video)) {
            if let Some(target) = following(&link.target, from, to) {
                link.target = target;
            }
        }
    }

    /// Leaves out pictures whose name is taken: another season brings its own
    /// poster, and no film waits for one.
    #[must_use]
    pub fn without_taken_artwork(mut self) -> Plan {
        let is_artwork = |conflict: &Conflict| {
            conflict.role == tracker_domain::recognised::Role::Artwork
                && conflict.kind == ConflictKind::TargetExists
        };
        let (artwork, others) = self.conflicts.into_iter().partition(is_artwork);
        self.conflicts = others;
        let artwork: Vec<Conflict> = artwork;
        self.skipped.extend(artwork.into_iter().map(|conflict| Skipped {
            file: conflict.file,
            source: conflict.source,
            reason: SkipReason::KeptExisting,
        }));
        self.skipped.sort_by_key(|skipped| skipped.file);
        self
    }
}

/// The name of a sidecar whose video has another one now.
fn following(sidecar: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    let tail = sidecar.file_name()?.to_str()?.strip_prefix(from.file_stem()?.to_str()?)?;
    Some(to.with_file_name(format!("{}{tail}", to.file_stem()?.to_str()?)))
}

/// What becomes of a conflict.
enum Outcome {
    Skip(SkipReason),
    Link { target: PathBuf, replaces: bool },
}

struct TakenNames<'t> {
    planned: HashSet<String>,
    /// Names that the first of several files has got.
    first: HashSet<String>,
    library: &'t dyn Fn(&Path) -> bool,
    name_limit: usize,
}

impl TakenNames<'_> {
    fn follow(
        &mut self,
        conflict: &Conflict,
        action: Action,
        plan: &Plan,
        renamed: &HashMap<u32, (PathBuf, PathBuf)>,
    ) -> Option<Outcome> {
        match (action, conflict.kind) {
            // Where nothing is there that could be kept, the first of them is.
            (Action::Keep, ConflictKind::TwoSources) => {
                let target = conflict.target.clone();
                let is_first = !(self.library)(&target) && self.first.insert(path_key(&target));
                Some(if is_first {
                    self.planned.insert(path_key(&target));
                    Outcome::Link { target, replaces: false }
                } else {
                    Outcome::Skip(SkipReason::Duplicate)
                })
            }
            (Action::Keep, _) => Some(Outcome::Skip(SkipReason::KeptExisting)),
            (Action::Replace, ConflictKind::TargetExists) => {
                Some(Outcome::Link { target: conflict.target.clone(), replaces: true })
            }
            (Action::Replace, _) | (Action::OtherName, ConflictKind::NotAFolder) => None,
            (Action::OtherName, kind) => {
                let target = self.rename(conflict, kind, plan, renamed)?;
                self.planned.insert(path_key(&target));
                Some(Outcome::Link { target, replaces: false })
            }
        }
    }

    fn rename(
        &mut self,
        conflict: &Conflict,
        kind: ConflictKind,
        plan: &Plan,
        renamed: &HashMap<u32, (PathBuf, PathBuf)>,
    ) -> Option<PathBuf> {
        // The first of several files may have the name itself.
        let own = path_key(&conflict.target);
        if kind == ConflictKind::TwoSources
            && !(self.library)(&conflict.target)
            && self.first.insert(own)
        {
            return Some(conflict.target.clone());
        }
        let moved = conflict.beside.and_then(|video| renamed.get(&video));
        if let Some(target) = moved.and_then(|(from, to)| following(&conflict.target, from, to))
            && !self.is_taken(&target)
        {
            return Some(target);
        }
        // Where the twin is a folder above, that one gets the number.
        let missing = conflict.target.ancestors().take_while(|path| !(self.library)(path)).last();
        if let Some(folder) = missing.filter(|folder| *folder != conflict.target)
            && matches!(kind, ConflictKind::CaseTwin | ConflictKind::UnicodeTwin)
        {
            return other_folder(&conflict.target, folder, self.name_limit, self.library);
        }
        let sidecars: Vec<&PlannedLink> =
            plan.links.iter().filter(|link| link.beside == Some(conflict.file)).collect();
        let longest = sidecars.iter().filter_map(|link| {
            let name = link.target.file_name()?.len();
            name.checked_sub(conflict.target.file_name()?.len())
        });
        let limit = self.name_limit.saturating_sub(longest.max().unwrap_or(0));
        other_name(&conflict.target, limit, &|path| {
            let follow = |link: &&PlannedLink| following(&link.target, &conflict.target, path);
            self.is_taken(path)
                || sidecars.iter().filter_map(follow).any(|sidecar| self.is_taken(&sidecar))
        })
    }

    fn is_taken(&self, path: &Path) -> bool {
        self.planned.contains(&path_key(path)) || (self.library)(path)
    }
}

impl Conflict {
    pub(crate) fn into_link(self, target: PathBuf, replaces: bool) -> PlannedLink {
        PlannedLink {
            file: self.file,
            source: self.source,
            target,
            size_bytes: self.size_bytes,
            role: self.role,
            beside: self.beside,
            replaces,
            ours: None,
        }
    }
}
