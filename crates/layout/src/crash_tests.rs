//! Batches that are cut off at every call, before and after its effect, and in
//! the middle of those that have one.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracker_domain::library::{Library, LinkMode};
use tracker_domain::ports::{FileStat, Files, FilesError, FilesErrorKind, Filesystem};
use tracker_testkit::{FakeFiles, spec};

use crate::file_tests::{batch_id, library, link, link_id};
use crate::{
    LinkToMake, LinkToRemove, RecoveredState, StagedLink, WrittenLink, commit, recover, stage,
    take_back, undo,
};

const ROOT: &str = "/lib";

/// Where the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Before the call has any effect.
    Before,
    /// When a call that is more than one step is half done.
    Within,
    /// When the call is done, and nobody has heard of it.
    After,
}

const MOMENTS: [Moment; 3] = [Moment::Before, Moment::Within, Moment::After];

/// A disk whose process dies at the nth call: that call and all later ones fail.
struct Mortal<'a> {
    disk: &'a FakeFiles,
    /// As a filesystem without `RENAME_NOREPLACE`: a rename is two steps.
    renames_by_link: bool,
    state: Mutex<(usize, usize, Moment)>,
}

impl<'a> Mortal<'a> {
    fn new(disk: &'a FakeFiles, renames_by_link: bool, dies_at: usize, moment: Moment) -> Self {
        Mortal { disk, renames_by_link, state: Mutex::new((0, dies_at, moment)) }
    }

    fn died(&self) -> bool {
        let (calls, dies_at, _) = *self.state.lock().unwrap();
        calls >= dies_at
    }

    fn call<T>(
        &self,
        half: impl FnOnce(),
        whole: impl FnOnce() -> Result<T, FilesError>,
    ) -> Result<T, FilesError> {
        let (calls, dies_at, moment) = {
            let mut state = self.state.lock().unwrap();
            state.0 += 1;
            *state
        };
        if calls < dies_at {
            return whole();
        }
        if calls == dies_at {
            match moment {
                Moment::Before => {}
                Moment::Within => half(),
                Moment::After => drop(whole()),
            }
        }
        Err(FilesError {
            operation: "live",
            path: String::new(),
            errno: "dead".to_owned(),
            kind: FilesErrorKind::Other,
        })
    }
}

impl Files for Mortal<'_> {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        self.call(|| {}, || self.disk.stat(path))
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        self.call(|| {}, || self.disk.hard_link(source, target))
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        let half = || drop(self.disk.make_file(target));
        self.call(half, || self.disk.clone_file(source, target))
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        let half = || drop(self.disk.make_file(target));
        self.call(half, || self.disk.copy_file(source, target, progress))
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        self.call(|| {}, || self.disk.symbolic_link(to, link))
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        self.call(|| {}, || self.disk.read_link(link))
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        self.call(|| {}, || self.disk.make_file(path))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        let half = || {
            if self.renames_by_link {
                drop(self.disk.hard_link(from, to));
            }
        };
        self.call(half, || self.disk.rename_new(from, to))
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        self.call(|| {}, || self.disk.unlink(path))
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.call(|| {}, || self.disk.make_dir(path))
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.call(|| {}, || self.disk.remove_empty_dir(path))
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        self.call(|| {}, || self.disk.sync_dir(path))
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        self.call(|| {}, || self.disk.list_dir(path))
    }

    fn name_limit(&self, path: &Path) -> Result<usize, FilesError> {
        self.call(|| {}, || self.disk.name_limit(path))
    }

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        self.call(|| {}, || self.disk.filesystem(path))
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        self.call(|| {}, || self.disk.free_bytes(path))
    }
}

/// Twenty files in four seasons: three replace another file, two of a hard-link
/// batch are there already.
fn twenty(mode: LinkMode) -> (FakeFiles, Library, Vec<LinkToMake>) {
    let files = FakeFiles::new();
    files.dir(ROOT);
    files.file("/lib/Other/film.mkv", 3);
    let mut batch = Vec::new();
    for number in 1..=20 {
        let source = format!("/dl/show/{number:02}.mkv");
        files.file(&source, 10);
        let season = number % 4;
        let target = format!("/lib/Show/Season {season:02}/Show {number:02}.mkv");
        batch.push(LinkToMake { replace: true, ..link(number, &source, &target) });
    }
    for replaced in [3, 8, 16] {
        files.file(&batch[replaced].target, 7);
    }
    for there in [5, 13] {
        let (source, target) = (&batch[there].source, &batch[there].target);
        match mode {
            LinkMode::Hardlink => {
                files.dir(target.parent().unwrap());
                files.hard_link(source, target).unwrap();
            }
            LinkMode::Symlink => {
                files.dir(target.parent().unwrap());
                files.symlink(target, source);
            }
            // A copy of ours cannot be told from any other file.
            LinkMode::Reflink | LinkMode::Copy => {}
        }
    }
    (files, Library { mode, ..library() }, batch)
}

/// What is there; new inodes of a copy count as alike.
fn shape(files: &FakeFiles, mode: LinkMode) -> Vec<String> {
    let alike = |line: String| match line.split_once(" = ") {
        Some((path, _)) if path.starts_with("/lib/Show") && mode != LinkMode::Hardlink => {
            path.to_owned()
        }
        _ => line,
    };
    files.listing().into_iter().map(alike).collect()
}

fn written(batch: &[LinkToMake], staged: Option<&[StagedLink]>) -> Vec<WrittenLink> {
    let Some(staged) = staged else {
        let nothing = |link: &LinkToMake| WrittenLink {
            link_id: link.link_id,
            source: link.source.clone(),
            target: link.target.clone(),
            identity: None,
            replaces: None,
            there_already: false,
        };
        return batch.iter().map(nothing).collect();
    };
    batch.iter().zip(staged).map(|(link, staged)| link.written(staged)).collect()
}

/// Applies a batch on a disk that may die; tells what was written down.
fn apply(
    disk: &dyn Files,
    library: &Library,
    batch: &[LinkToMake],
) -> (Option<Vec<StagedLink>>, bool) {
    let Ok(staged) = stage(disk, library, batch, &|_| {}) else {
        return (None, false);
    };
    let done = commit(disk, library, batch_id(), batch, &staged).is_ok();
    (Some(staged), done)
}

fn plan_done(mode: LinkMode) -> Vec<String> {
    let (files, library, batch) = twenty(mode);
    assert!(apply(&files, &library, &batch).1);
    shape(&files, mode)
}

/// One crash and the way on from there; tells whether the batch was finished.
fn crash(
    (mode, by_link): (LinkMode, bool),
    nth: usize,
    moment: Moment,
    forward: bool,
    planned: &[String],
) -> Option<bool> {
    let (files, library, batch) = twenty(mode);
    let before = files.listing();
    let mortal = Mortal::new(&files, by_link, nth, moment);
    let (staged, done) = apply(&mortal, &library, &batch);
    if !mortal.died() {
        assert!(done);
        return None;
    }
    if forward && staged.is_none() {
        // There is only the way back, which is taken in a run of its own.
        return Some(false);
    }
    let context = format!("{mode} by_link={by_link} call {nth} {moment:?} forward={forward}");
    let links = written(&batch, staged.as_deref());
    let found = recover(&files, Path::new(ROOT), batch_id(), &links).unwrap();
    let whole: Option<Vec<StagedLink>> = found
        .iter()
        .zip(&links)
        .map(|(found, link)| match found.state {
            RecoveredState::Staged(staged) => Some(staged),
            RecoveredState::Made(made) => Some(StagedLink {
                link_id: made.link_id,
                identity: made.identity,
                size_bytes: made.size_bytes,
                there_already: link.there_already,
                replaces: link.replaces,
                modified_ns: None,
            }),
            RecoveredState::Missing | RecoveredState::Foreign => None,
        })
        .collect();
    match whole.filter(|_| forward && staged.is_some()) {
        Some(whole) => {
            assert!(whole.iter().all(|link| link.size_bytes == 10), "{context}");
            commit(&files, &library, batch_id(), &batch, &whole).unwrap();
            assert_eq!(shape(&files, mode), planned, "{context}");
            Some(true)
        }
        None => {
            // The way back is cut off as well, somewhere else each time.
            let again = Mortal::new(&files, by_link, nth * 7 % 90 + 1, moment);
            take_back(&again, Path::new(ROOT), batch_id(), &links);
            let report = take_back(&files, Path::new(ROOT), batch_id(), &links);
            assert!(report.is_complete() && report.errors.is_empty(), "{context}: {report:?}");
            assert_eq!(files.listing(), before, "{context}");
            // And it can be applied again; as nothing is left, once in a while is enough.
            if nth.is_multiple_of(16) {
                assert!(apply(&files, &library, &batch).1, "{context}");
                assert_eq!(shape(&files, mode), planned, "{context}");
            }
            Some(false)
        }
    }
}

fn crash_everywhere(mode: LinkMode, by_link: bool, moments: &[Moment]) {
    let planned = plan_done(mode);
    let (mut finished, mut taken_back) = (0, 0);
    for (moment, forward) in moments.iter().flat_map(|at| [(*at, true), (*at, false)]) {
        for nth in 1.. {
            match crash((mode, by_link), nth, moment, forward, &planned) {
                None => break,
                Some(true) => finished += 1,
                Some(false) => taken_back += 1,
            }
        }
    }
    assert!(finished > 50 && taken_back > 200, "{mode}: {finished} {taken_back}");
}

#[test]
fn a_crash_at_any_call_is_finished_or_taken_back() {
    spec!("file-layout#a-batch-in-two-phases/killed-at-any-call");
    spec!("layout#a-crash-is-finished-or-taken-back/killed-at-any-step");
    crash_everywhere(LinkMode::Hardlink, false, &MOMENTS);
}

#[test]
fn also_where_a_rename_is_two_steps() {
    spec!("file-layout#a-batch-in-two-phases/killed-at-any-call");
    crash_everywhere(LinkMode::Hardlink, true, &[Moment::Within]);
}

#[test]
fn also_for_copies() {
    spec!("file-layout#a-batch-in-two-phases/killed-while-copying");
    crash_everywhere(LinkMode::Copy, false, &MOMENTS);
    crash_everywhere(LinkMode::Reflink, false, &[Moment::Within]);
}

#[test]
fn also_for_symbolic_links() {
    spec!("file-layout#a-batch-in-two-phases/killed-at-any-call");
    crash_everywhere(LinkMode::Symlink, false, &[Moment::Within]);
}

#[test]
fn a_failure_at_any_call_takes_back_what_was_replaced() {
    spec!("file-layout#a-batch-in-two-phases/failure-at-any-call");
    for mode in [LinkMode::Hardlink, LinkMode::Copy, LinkMode::Symlink] {
        let (files, library, batch) = twenty(mode);
        let calls = files.calls();
        assert!(apply(&files, &library, &batch).1);
        for nth in 1..=files.calls() - calls {
            let (files, library, batch) = twenty(mode);
            let before = files.listing();
            files.fail_on_call(nth, FilesErrorKind::NoSpace);
            assert!(!apply(&files, &library, &batch).1, "{mode} call {nth}");
            assert_eq!(files.listing(), before, "{mode} call {nth}");
        }
    }
}

#[test]
fn nothing_shows_before_the_identities_are_written_down() {
    spec!("file-layout#a-batch-in-two-phases/staged-names-are-hidden");
    let (files, library, batch) = twenty(LinkMode::Hardlink);
    let before = files.listing();
    let staged = stage(&files, &library, &batch, &|_| {}).unwrap();
    assert_eq!(staged.iter().filter(|link| link.there_already).count(), 2);
    assert_eq!(staged.iter().filter(|link| link.replaces.is_some()).count(), 3);
    let new: Vec<String> =
        files.listing().into_iter().filter(|line| !before.contains(line)).collect();
    let files_made: Vec<_> = new.iter().filter(|line| !line.ends_with('/')).collect();
    assert_eq!(files_made.len(), 18);
    assert!(files_made.iter().all(|line| line.contains("/.tracker-")), "{files_made:?}");
    let links = written(&batch, Some(&staged));
    let report = take_back(&files, Path::new(ROOT), batch_id(), &links);
    assert!(report.is_complete());
    assert_eq!(files.listing(), before);
}

#[test]
fn undo_that_is_cut_off_can_be_asked_for_again() {
    spec!("file-layout#undo-gives-back-what-was-there/killed-at-any-call");
    let done = Cell::new(false);
    let moments = [Moment::Before, Moment::After];
    for (moment, nth) in moments.into_iter().flat_map(|at| (1..250).map(move |nth| (at, nth))) {
        let (files, library, batch) = twenty(LinkMode::Hardlink);
        let before = files.listing();
        let (staged, _) = apply(&files, &library, &batch);
        // A link that was there before is no link of this batch.
        let remove: Vec<LinkToRemove> = batch
            .iter()
            .zip(staged.unwrap())
            .filter(|(_, staged)| !staged.there_already)
            .map(|(link, staged)| LinkToRemove {
                link_id: link.link_id,
                identity: staged.identity,
                target: link.target.clone(),
                replaced: staged.replaces,
                size_bytes: None,
                modified_ns: None,
                last_stays: false,
                trash_of: None,
            })
            .collect();
        let mortal = Mortal::new(&files, false, nth, moment);
        undo(&mortal, Path::new(ROOT), batch_id(), &remove);
        done.set(done.get() || !mortal.died());
        let report = undo(&files, Path::new(ROOT), batch_id(), &remove);
        assert!(report.is_complete(), "call {nth} {moment:?}: {report:?}");
        assert_eq!(files.listing(), before, "call {nth} {moment:?}");
    }
    assert!(done.get(), "the last ones were not cut off");
}

#[test]
fn a_link_that_another_program_made_meanwhile_stays() {
    spec!("file-layout#a-batch-in-two-phases/same-link-made-by-another");
    let (files, library, batch) = twenty(LinkMode::Hardlink);
    let batch = &batch[..3];
    let staged = stage(&files, &library, batch, &|_| {}).unwrap();
    files.hard_link(&batch[0].source, &batch[0].target).unwrap();
    files.file(&batch[2].target, 1);
    let error = commit(&files, &library, batch_id(), batch, &staged).unwrap_err();
    assert_eq!((error.target_path, error.left_behind), (batch[2].target.clone(), vec![]));
    let stat = |path: &Path| files.stat(path).unwrap().map(|found| found.identity);
    assert_eq!(stat(&batch[0].target), stat(&batch[0].source), "it is theirs");
    assert_eq!(stat(&batch[1].target), None);
    assert!(!files.listing().iter().any(|line| line.contains("/.tracker-")));
}

#[test]
fn a_batch_that_lost_its_temporary_names_is_taken_back() {
    spec!("file-layout#a-batch-in-two-phases/temporary-names-are-gone");
    let (files, library, batch) = twenty(LinkMode::Hardlink);
    let before = files.listing();
    let staged = stage(&files, &library, &batch, &|_| {}).unwrap();
    files.remove(batch[18].target.with_file_name(crate::temporary_name(link_id(19))));
    let error = commit(&files, &library, batch_id(), &batch, &staged).unwrap_err();
    assert_eq!(error.kind, crate::LinkErrorKind::NotStaged);
    assert!(error.to_string().ends_with("nothing was changed"), "{error}");
    assert_eq!(files.listing(), before);
}

#[test]
fn a_link_that_was_there_before_has_to_be_there_still() {
    spec!("file-layout#a-batch-in-two-phases/temporary-names-are-gone");
    let (files, library, batch) = twenty(LinkMode::Hardlink);
    let staged = stage(&files, &library, &batch, &|_| {}).unwrap();
    let there = staged.iter().position(|link| link.there_already).unwrap();
    files.remove(&batch[there].target);
    let error = commit(&files, &library, batch_id(), &batch, &staged).unwrap_err();
    assert_eq!(error.kind, crate::LinkErrorKind::NotStaged);
    assert_eq!(error.target_path, batch[there].target);
    assert!(!files.listing().iter().any(|line| line.contains("/.tracker-")));
}

#[test]
fn a_temporary_name_that_was_exchanged_is_taken_back() {
    spec!("file-layout#a-batch-in-two-phases/temporary-names-are-gone");
    let (files, library, batch) = twenty(LinkMode::Hardlink);
    let before = files.listing();
    let staged = stage(&files, &library, &batch, &|_| {}).unwrap();
    files.file(batch[18].target.with_file_name(crate::temporary_name(link_id(19))), 10);
    let error = commit(&files, &library, batch_id(), &batch, &staged).unwrap_err();
    assert_eq!(error.kind, crate::LinkErrorKind::SourceChanged);
    assert_eq!(files.listing(), before);
}

#[test]
fn a_temporary_name_of_an_earlier_attempt_is_made_anew() {
    spec!("file-layout#a-batch-in-two-phases/killed-at-any-call");
    for mode in [LinkMode::Hardlink, LinkMode::Copy, LinkMode::Symlink] {
        let (files, library, batch) = twenty(mode);
        let batch = &batch[..1];
        files.file(batch[0].target.with_file_name(crate::temporary_name(link_id(1))), 4);
        let staged = stage(&files, &library, batch, &|_| {}).unwrap();
        commit(&files, &library, batch_id(), batch, &staged).unwrap();
        let found = files.stat(&batch[0].target).unwrap().unwrap();
        assert_eq!(found.identity, staged[0].identity);
        assert!(!files.listing().iter().any(|line| line.contains("/.tracker-")));
    }
}
