//! The disks of this machine, in a process that kills itself at a given step.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Signal, getpid, kill_process};
use tracker_domain::ports::{FileStat, Files, FilesError, Filesystem};
use tracker_system::LocalFiles;

/// Counts the steps, and dies before the nth is done.
#[derive(Debug, Default)]
pub struct Mortal {
    steps: AtomicU64,
    dies_at: Option<u64>,
}

impl Mortal {
    /// Dies at this step; never without one.
    pub fn new(dies_at: Option<u64>) -> Self {
        Mortal { steps: AtomicU64::new(0), dies_at }
    }

    /// One step, of the disk or of the journal, is about to be done.
    pub fn step(&self) {
        let step = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if self.dies_at == Some(step) {
            kill_process(getpid(), Signal::KILL).unwrap();
            unreachable!("it is killed when the call returns");
        }
    }

    fn disk(&self) -> LocalFiles {
        self.step();
        LocalFiles
    }
}

impl Files for Mortal {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        self.disk().stat(path)
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        self.disk().hard_link(source, target)
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        self.disk().clone_file(source, target)
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        self.disk().copy_file(source, target, &mut |bytes| {
            // Written and not durable yet, perhaps not whole.
            self.step();
            progress(bytes)
        })
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        self.disk().symbolic_link(to, link)
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        self.disk().read_link(link)
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        self.disk().make_file(path)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        self.disk().rename_new(from, to)
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        self.disk().unlink(path)
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.disk().make_dir(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.disk().remove_empty_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        self.disk().sync_dir(path)
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        self.disk().list_dir(path)
    }

    fn name_limit(&self, path: &Path) -> Result<usize, FilesError> {
        self.disk().name_limit(path)
    }

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        self.disk().filesystem(path)
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        self.disk().free_bytes(path)
    }
}
