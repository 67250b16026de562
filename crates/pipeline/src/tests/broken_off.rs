//! Batches that are cut off at any moment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tracker_domain::event::EventType;
use tracker_domain::ports::{FileStat, Files, FilesError, Filesystem};
use tracker_domain::{DownloadCause, DownloadId, DownloadState};
use tracker_store::{Db, Reason};
use tracker_testkit::{FakeFiles, spec};

use super::fixture::{Fixture, Setup, one, person, season, v1};

const EPISODES: [&str; 2] = [
    "/media/series/The Show/Season 01/The Show S01E01.mkv",
    "/media/series/The Show/Season 01/The Show S01E02.mkv",
];

/// The files in the library, temporary ones too.
fn linked(fixture: &Fixture) -> Vec<String> {
    let files = fixture.below("/media/series/").into_iter();
    let paths = files.filter_map(|line| line.split_once(" = ").map(|(path, _)| path.to_owned()));
    // The next trial removes what one that was cut off left.
    paths.filter(|path| !path.contains("/.tracker-probe")).collect()
}

/// A season that is about to be linked.
async fn about_to_link() -> (Fixture, DownloadId) {
    let fixture = Fixture::new();
    let id = fixture.complete(season(one(v1(1)))).await;
    fixture.recognise().await;
    (fixture, id)
}

/// A disk that does something at the first link.
struct Hooked {
    disk: Arc<FakeFiles>,
    hook: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// A folder that is not there: nothing is mounted on it.
    absent: Option<PathBuf>,
}

impl Files for Hooked {
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, FilesError> {
        if self.absent.as_ref().is_some_and(|absent| path.starts_with(absent)) {
            return Ok(None);
        }
        self.disk.stat(path)
    }

    fn hard_link(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        // What is tried before anything is planned is no link of a batch.
        let tried = target.to_string_lossy().contains("/.tracker-probe");
        if let Some(hook) = self.hook.lock().unwrap().take_if(|_| !tried) {
            hook();
        }
        self.disk.hard_link(source, target)
    }

    fn clone_file(&self, source: &Path, target: &Path) -> Result<(), FilesError> {
        self.disk.clone_file(source, target)
    }

    fn copy_file(
        &self,
        source: &Path,
        target: &Path,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), FilesError> {
        self.disk.copy_file(source, target, progress)
    }

    fn symbolic_link(&self, to: &Path, link: &Path) -> Result<(), FilesError> {
        self.disk.symbolic_link(to, link)
    }

    fn read_link(&self, link: &Path) -> Result<PathBuf, FilesError> {
        self.disk.read_link(link)
    }

    fn make_file(&self, path: &Path) -> Result<(), FilesError> {
        self.disk.make_file(path)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FilesError> {
        self.disk.rename_new(from, to)
    }

    fn unlink(&self, path: &Path) -> Result<(), FilesError> {
        self.disk.unlink(path)
    }

    fn make_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.disk.make_dir(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> Result<bool, FilesError> {
        self.disk.remove_empty_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<(), FilesError> {
        self.disk.sync_dir(path)
    }

    fn list_dir(&self, path: &Path) -> Result<Vec<OsString>, FilesError> {
        self.disk.list_dir(path)
    }

    fn name_limit(&self, path: &Path) -> Result<usize, FilesError> {
        self.disk.name_limit(path)
    }

    fn filesystem(&self, path: &Path) -> Result<Filesystem, FilesError> {
        self.disk.filesystem(path)
    }

    fn free_bytes(&self, path: &Path) -> Result<u64, FilesError> {
        self.disk.free_bytes(path)
    }
}

/// A fixture whose disk calls `hook` when the first link is made.
fn hooked(hook: impl FnOnce(Db) + Send + 'static) -> Fixture {
    let disk = Arc::new(FakeFiles::new());
    Fixture::on(Setup::default(), disk.clone(), |db| {
        let db = db.clone();
        let hook: Box<dyn FnOnce() + Send> = Box::new(move || hook(db));
        Arc::new(Hooked { disk, hook: Mutex::new(Some(hook)), absent: None })
    })
}

#[tokio::test]
async fn the_batch_is_there_before_the_first_link() {
    spec!("pipeline#intended-before-made/written-down-first");
    let seen = Arc::new(Mutex::new(None));
    let told = Arc::clone(&seen);
    let fixture = hooked(move |db| {
        let found = db.read_blocking(|tx| {
            let batch = tx.planned_batches()?.pop().expect("a planned batch");
            let state = tx.download(batch.download.expect("a download"))?.expect("a row").state;
            Ok::<_, tracker_store::StoreError>((state, tx.links_of(batch.id)?))
        });
        *told.lock().unwrap() = Some(found.unwrap());
    });
    let id = fixture.settle(season(one(v1(1)))).await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    let (state, links) = seen.lock().unwrap().take().unwrap();
    assert_eq!(state, DownloadState::Linking);
    let targets: Vec<_> = links.iter().map(|link| link.target.to_str().unwrap()).collect();
    assert_eq!(targets, EPISODES);
    assert!(links.iter().all(|link| link.state == "planned"));
}

#[tokio::test]
async fn a_cancel_takes_the_links_back() {
    spec!("pipeline#intended-before-made/cancelled-while-linking");
    let fixture = hooked(|db| {
        let cancelled = db.write_blocking(&person(), |tx| {
            let batch = tx.planned_batches()?.pop().expect("a planned batch");
            tx.set_download_state(
                batch.download.expect("a download"),
                DownloadCause::Cancel,
                &Reason::none(),
            )
        });
        cancelled.unwrap().unwrap();
    });
    let id = fixture.settle(season(one(v1(1)))).await;
    assert_eq!(fixture.state(id).await, DownloadState::Cancelled);
    assert_eq!(fixture.below("/media/series/"), ["/media/series/"]);
    let undone = fixture.told(EventType::BatchUndone).await;
    assert_eq!(undone.len(), 1);
    assert_eq!(undone[0].actor, person().to_string());
    assert_eq!(fixture.count(EventType::BatchApplied).await, 0);
}

/// Kills the disk at each call of the linking in turn, starts again, and tells
/// the states in which a start found the download.
#[tokio::test]
async fn killed_at_any_moment_it_is_finished_or_taken_back() {
    spec!("pipeline#intended-before-made/killed-after-the-links-were-made");
    spec!("pipeline#intended-before-made/killed-half-way");
    let mut finished = 0;
    let mut taken_back = 0;
    for nth in 1.. {
        let (fixture, id) = about_to_link().await;
        fixture.disk.die_on_call(nth);
        fixture.link().await;
        let state = fixture.state(id).await;
        if state == DownloadState::Done {
            break;
        }
        fixture.disk.heal();
        let planned = fixture.read(|tx| tx.planned_batches()).await.len();
        if !linked(&fixture).is_empty() {
            assert_eq!(planned, 1, "call {nth}: a link without a batch");
        }
        fixture.pipeline.recover().await.unwrap();
        assert_eq!(fixture.read(|tx| tx.planned_batches()).await, vec![], "call {nth}");
        match fixture.state(id).await {
            DownloadState::Done => {
                assert_eq!(planned, 1, "call {nth}");
                finished += 1;
            }
            DownloadState::Downloaded => {
                assert_eq!(linked(&fixture), Vec::<String>::new(), "call {nth}");
                taken_back += usize::from(planned > 0);
                if fixture.mark(id).await.is_some() {
                    fixture.retry(id).await;
                }
                fixture.link().await;
            }
            other => panic!("call {nth}: {other}"),
        }
        assert_eq!(fixture.state(id).await, DownloadState::Done, "call {nth}");
        assert_eq!(linked(&fixture), EPISODES, "call {nth}");
    }
    assert!(finished > 0 && taken_back > 3, "{finished} {taken_back}");
}

/// A batch that was cut off when both links, or only the first one, were made.
async fn cut_off(links: usize) -> (Fixture, DownloadId) {
    for nth in 1..200 {
        let (fixture, id) = about_to_link().await;
        fixture.disk.die_on_call(nth);
        fixture.link().await;
        fixture.disk.heal();
        let open = fixture.state(id).await == DownloadState::Linking;
        // The others have their temporary names.
        let mut made = linked(&fixture);
        made.retain(|path| !path.ends_with(".tmp"));
        if open && made == EPISODES[..links] {
            return (fixture, id);
        }
    }
    panic!("never cut off there");
}

#[tokio::test]
async fn a_library_that_is_not_configured_any_more() {
    spec!("pipeline#intended-before-made/library-gone-from-the-configuration");
    for named in [2, 1] {
        let (fixture, id) = cut_off(named).await;
        fixture.restarted(Vec::new()).recover().await.unwrap();
        assert_eq!(fixture.state(id).await, DownloadState::Done, "{named}");
        assert_eq!(linked(&fixture), EPISODES, "{named}");
    }
    // Nothing is written down of a batch that ended while it was staged.
    let (fixture, id) = cut_off(0).await;
    fixture.restarted(Vec::new()).recover().await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Downloaded);
    assert_eq!(linked(&fixture), Vec::<String>::new());
}

#[tokio::test]
async fn a_library_that_is_not_mounted() {
    spec!("pipeline#intended-before-made/library-not-mounted");
    let (fixture, id) = cut_off(2).await;
    let absent = Some(PathBuf::from("/media/series"));
    let disk = Hooked { disk: fixture.disk.clone(), hook: Mutex::new(None), absent };
    let early = fixture.restarted_on(Arc::new(disk), Setup::default().libraries);
    early.recover().await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Linking);
    assert_eq!(fixture.read(|tx| tx.planned_batches()).await.len(), 1);
    assert_eq!(linked(&fixture), EPISODES);
    fixture.restarted(Setup::default().libraries).recover().await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}
