//! Plans that a person sees, carries out, undoes and looks at again.

use std::path::{Path, PathBuf};

use tracker_domain::event::EventType;
use tracker_domain::ports::Files;
use tracker_domain::{Attention, BatchId, DownloadId, DownloadState};
use tracker_layout::{Action, ApplyWish, LayError, Laying, Looked};
use tracker_testkit::spec;

use super::fixture::{FILM_IN_LIBRARY, Fixture, film, one, person, resolved, season, v1};

const FILM_FOLDER: &str = "/media/films/The Film (2020)";

impl Fixture {
    async fn apply(&self, id: DownloadId, wish: ApplyWish) -> Result<BatchId, LayError> {
        self.pipeline.apply(id, wish, &person()).await
    }

    /// The batch of a download that was linked by itself.
    async fn batch_of(&self, id: DownloadId) -> BatchId {
        self.read(move |tx| tx.batches_of(id)).await.remove(0).id
    }

    async fn batch_state(&self, id: BatchId) -> String {
        self.read(move |tx| tx.batch(id)).await.unwrap().state
    }

    /// Another name for a file.
    fn disk_link(&self, source: &Path, target: &str) {
        self.disk.hard_link(source, Path::new(target)).unwrap();
    }

    fn library(&self) -> Vec<String> {
        let entries = self.below("/media/").into_iter();
        entries.filter_map(|line| line.split_once(" = ").map(|(path, _)| path.to_owned())).collect()
    }
}

/// A film that is complete and whose name in the library is another file's.
async fn in_the_way() -> (Fixture, DownloadId) {
    let fixture = Fixture::new();
    fixture.disk.dir(FILM_FOLDER);
    fixture.disk.file(FILM_IN_LIBRARY, 7);
    let id = fixture.settle(film(one(v1(1)))).await;
    assert_eq!(fixture.row(id).await.attention, Some(Attention::Conflict));
    (fixture, id)
}

#[tokio::test]
async fn the_plan_is_what_is_made() {
    spec!("batches#the-plan-is-shown/as-it-will-be-made");
    let fixture = Fixture::new();
    let id = fixture.complete(season(one(v1(1)))).await;
    fixture.recognise().await;
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    assert!(fixture.library().is_empty(), "a look changes nothing");
    let wish = ApplyWish { plan: Some(plan.id()), ..ApplyWish::default() };
    let batch = fixture.apply(id, wish).await.unwrap();
    let links = fixture.read(move |tx| tx.links_of(batch)).await;
    let made: Vec<_> = links.into_iter().map(|link| (link.source, link.target)).collect();
    let planned: Vec<_> = plan.links.into_iter().map(|link| (link.source, link.target)).collect();
    assert_eq!(made, planned);
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn the_plan_is_shown_before_the_files_are_there() {
    spec!("batches#the-plan-is-shown/before-it-is-complete");
    let fixture = Fixture::new();
    let torrent = film(one(v1(1)));
    let id = fixture.accept(&[v1(1)], &torrent.name).await;
    let missing = fixture.pipeline.plan_of(id).await;
    spec!("batches#the-plan-is-shown/too-little-is-known");
    assert!(matches!(missing, Err(LayError::Illegal { .. })), "{missing:?}");
    fixture.tick().await;
    fixture.hand_over().await;
    fixture.client.edit(&v1(1), |there| {
        there.name = torrent.name.clone();
        there.files = torrent.files.clone();
        there.has_metadata = true;
    });
    fixture.listing().await;
    fixture.recognise().await;
    assert_eq!(fixture.state(id).await, DownloadState::Downloading);
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    assert_eq!(plan.links[0].target.to_str(), Some(FILM_IN_LIBRARY));
    let early = fixture.apply(id, ApplyWish::default()).await;
    spec!("batches#a-person-carries-a-plan-out/not-in-this-state");
    assert!(matches!(early, Err(LayError::Illegal { .. })), "{early:?}");
}

#[tokio::test]
async fn what_was_not_seen_is_not_done() {
    spec!("batches#a-person-carries-a-plan-out/another-plan-by-now");
    let fixture = Fixture::new();
    let id = fixture.complete(film(one(v1(1)))).await;
    fixture.recognise().await;
    let wish = ApplyWish { plan: Some("0".repeat(64)), ..ApplyWish::default() };
    let changed = fixture.apply(id, wish).await;
    let present = fixture.pipeline.plan_of(id).await.unwrap().id();
    assert!(
        matches!(&changed, Err(LayError::PlanChanged(plan)) if plan.id() == present),
        "{changed:?}"
    );
    spec!("batches#a-person-carries-a-plan-out/somebody-changed-it");
    let revision = fixture.row(id).await.revision;
    let wish = ApplyWish { revision: Some(revision + 1), ..ApplyWish::default() };
    let stale = fixture.apply(id, wish).await;
    assert!(matches!(stale, Err(LayError::Stale(now)) if now == revision), "{stale:?}");
    assert_eq!(fixture.row(id).await.revision, revision);
    assert!(fixture.library().is_empty());
}

#[tokio::test]
async fn a_name_that_is_taken_needs_a_word() {
    spec!("batches#a-person-carries-a-plan-out/a-name-is-taken");
    let (fixture, id) = in_the_way().await;
    let refused = fixture.apply(id, ApplyWish::default()).await;
    assert!(matches!(&refused, Err(LayError::Conflict(all)) if all.len() == 1), "{refused:?}");
    let unknown = fixture.apply(id, resolved("/media/films/other.mkv", Action::Keep)).await;
    assert!(matches!(unknown, Err(LayError::Resolve(_))), "{unknown:?}");

    let other = resolved(FILM_IN_LIBRARY, Action::OtherName);
    let batch = fixture.apply(id, other).await.unwrap();
    assert_eq!(fixture.library().len(), 2, "{:?}", fixture.library());
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
}

#[tokio::test]
async fn who_keeps_everything_is_done() {
    spec!("batches#a-person-carries-a-plan-out/everything-is-kept");
    let (fixture, id) = in_the_way().await;
    let batch = fixture.apply(id, resolved(FILM_IN_LIBRARY, Action::Keep)).await.unwrap();
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
    let row = fixture.row(id).await;
    assert_eq!((row.state, row.attention), (DownloadState::Done, None));
    assert!(fixture.read(move |tx| tx.links_of(batch)).await.is_empty());
    fixture.restart().await;
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
}

#[tokio::test]
async fn a_folder_is_never_replaced() {
    spec!("batches#a-person-carries-a-plan-out/a-folder-has-the-name");
    let fixture = Fixture::new();
    fixture.disk.file(Path::new(FILM_IN_LIBRARY).join("inside.txt"), 7);
    let id = fixture.settle(film(one(v1(1)))).await;
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    assert_eq!(plan.conflicts[0].kind.as_str(), "folder-there");
    let refused = fixture.apply(id, resolved(FILM_IN_LIBRARY, Action::Replace)).await;
    assert!(matches!(&refused, Err(LayError::Conflict(all)) if all.len() == 1), "{refused:?}");
    fixture.apply(id, resolved(FILM_IN_LIBRARY, Action::OtherName)).await.unwrap();
    assert_eq!(fixture.state(id).await, DownloadState::Done);
}

#[tokio::test]
async fn what_is_replaced_comes_back() {
    spec!("batches#undo/replaced-files-come-back");
    let (fixture, id) = in_the_way().await;
    let before = fixture.disk.listing();
    let replace = resolved(FILM_IN_LIBRARY, Action::Replace);
    let batch = fixture.apply(id, replace).await.unwrap();
    let trash = format!("/media/films/.tracker-trash/{batch}/The Film (2020)/");
    assert!(fixture.library().iter().any(|path| path.starts_with(&trash)));
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(fixture.disk.listing(), before);
}

#[tokio::test]
async fn apply_undo_and_apply_again() {
    spec!("batches#undo/applied-and-undone");
    let fixture = Fixture::new();
    let id = fixture.complete(season(one(v1(1)))).await;
    fixture.recognise().await;
    let before = fixture.disk.listing();
    fixture.link().await;
    let after = fixture.disk.listing();
    let first = fixture.batch_of(id).await;
    let undone = fixture.pipeline.undo(first, &person()).await.unwrap();
    assert!(undone.left.is_empty(), "{undone:?}");
    assert_eq!(fixture.disk.listing(), before);
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.batch_state(first).await, "undone");

    spec!("batches#undo/undone-again");
    let revision = fixture.row(id).await.revision;
    let again = fixture.pipeline.undo(first, &person()).await.unwrap();
    assert!(again.left.is_empty());
    assert_eq!(fixture.row(id).await.revision, revision);

    spec!("batches#undo/applied-again");
    let second = fixture.apply(id, ApplyWish::default()).await.unwrap();
    assert_ne!(second, first);
    assert_eq!(fixture.disk.listing(), after);
}

#[tokio::test]
async fn a_foreign_file_stays() {
    spec!("batches#undo/a-link-that-is-another-file-now");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.disk.remove(FILM_IN_LIBRARY);
    fixture.disk.file(FILM_IN_LIBRARY, 9);
    let undone = fixture.pipeline.undo(fixture.batch_of(id).await, &person()).await.unwrap();
    let left: Vec<_> = undone.left.iter().map(|left| (left.target.to_str(), left.reason)).collect();
    assert_eq!(left, [(Some(FILM_IN_LIBRARY), "not-our-link")]);
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
    assert_eq!(fixture.batch_state(undone.batch).await, "undone");
}

#[tokio::test]
async fn what_was_replaced_comes_back_after_it_was_applied_again() {
    spec!("batches#undo/replaced-files-come-back");
    let (fixture, id) = in_the_way().await;
    let before = fixture.disk.listing();
    fixture.apply(id, resolved(FILM_IN_LIBRARY, Action::Replace)).await.unwrap();
    let again = fixture.apply(id, ApplyWish::default()).await.unwrap();
    fixture.pipeline.undo(again, &person()).await.unwrap();
    assert_eq!(fixture.disk.listing(), before);
}

#[tokio::test]
async fn what_cannot_be_brought_back_is_brought_back_later() {
    spec!("batches#undo/its-name-is-taken");
    let (fixture, id) = in_the_way().await;
    let before = fixture.library();
    let batch = fixture.apply(id, resolved(FILM_IN_LIBRARY, Action::Replace)).await.unwrap();
    fixture.disk.remove(FILM_IN_LIBRARY);
    fixture.disk.file(FILM_IN_LIBRARY, 9);
    let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
    let reasons: Vec<_> = undone.left.iter().map(|left| left.reason).collect();
    assert_eq!(reasons, ["not-our-link", "not-restored"]);
    assert_eq!(fixture.batch_state(batch).await, "applied");
    fixture.disk.remove(FILM_IN_LIBRARY);
    let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert!(undone.left.is_empty(), "{undone:?}");
    assert_eq!(fixture.batch_state(batch).await, "undone");
    assert_eq!(fixture.library(), before);
}

#[tokio::test]
async fn the_last_name_of_a_file_stays() {
    spec!("batches#undo/the-payload-is-gone");
    let fixture = Fixture::new();
    let id = fixture.settle(season(one(v1(1)))).await;
    let links = fixture.pipeline.verify(Some(id)).await.unwrap();
    let last = links[1].target.to_str().unwrap().to_owned();
    fixture.disk.remove(&links[1].source);
    let batch = fixture.batch_of(id).await;
    let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
    let left: Vec<_> = undone.left.iter().map(|left| (left.target.to_str(), left.reason)).collect();
    assert_eq!(left, [(Some(last.as_str()), "last-copy")]);
    assert_eq!(fixture.library(), [last]);
}

#[tokio::test]
async fn a_link_that_somebody_had_made_stays() {
    spec!("batches#undo/somebody-s-link");
    let fixture = Fixture::new();
    let id = fixture.complete(film(one(v1(1)))).await;
    fixture.recognise().await;
    let source = fixture.pipeline.plan_of(id).await.unwrap().links[0].source.clone();
    fixture.disk.dir(FILM_FOLDER);
    fixture.disk_link(&source, FILM_IN_LIBRARY);
    fixture.link().await;
    // Once more: the second batch is no maker either.
    let batch = fixture.apply(id, ApplyWish::default()).await.unwrap();
    let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
    let reasons: Vec<_> = undone.left.iter().map(|left| left.reason).collect();
    assert_eq!(reasons, ["there-before"]);
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
}

#[tokio::test]
async fn links_on_a_disk_that_is_away_are_not_forgotten() {
    spec!("batches#undo/the-disk-is-away");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    let batch = fixture.batch_of(id).await;
    fixture.disk.remove("/media/films");
    for stands in [false, true] {
        if stands {
            fixture.disk.mount("/media/films", 77);
        }
        let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
        let reasons: Vec<_> = undone.left.iter().map(|left| left.reason).collect();
        assert_eq!(reasons, ["root-missing"]);
        assert_eq!(fixture.batch_state(batch).await, "applied");
    }
}

#[tokio::test]
async fn a_shared_name_stays_for_the_other() {
    spec!("batches#undo/shared-with-another-batch");
    let fixture = Fixture::new();
    let first = fixture.settle(film(one(v1(1)))).await;
    // The same file under the same name, as a torrent that was added again has it.
    let second = fixture.accept(&[v1(2)], "The.Film.2020.1080p.WEB").await;
    let batch = fixture.batch_of(first).await;
    fixture
        .write(move |tx| {
            let links = tx.links_of(batch)?;
            let recognition = tx.recognition_of(first)?.expect("a recognition").id;
            let new = tracker_store::NewBatch {
                download: second,
                recognition,
                plan_id: String::new(),
                library: "films".to_owned(),
                root: PathBuf::from("/media/films"),
                mode: tracker_domain::library::LinkMode::Hardlink,
                links: links
                    .iter()
                    .map(|link| tracker_store::NewLink {
                        file_index: 0,
                        source: link.source.clone(),
                        target: link.target.clone(),
                    })
                    .collect(),
            };
            let (id, _) = tx.plan_batch(&new)?;
            tx.record_batch(id, second)
        })
        .await;
    let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert_eq!(undone.left[0].reason, "shared");
    assert_eq!(fixture.library(), [FILM_IN_LIBRARY]);
    assert_eq!(fixture.batch_state(batch).await, "undone");
}

#[tokio::test]
async fn a_correction_moves_the_links() {
    spec!("batches#linked-anew-after-a-correction/corrected-title");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    let old = fixture.batch_of(id).await;
    fixture.write(move |tx| tx.set_override(id, "title", "Another Film").map(drop)).await;
    let new = fixture.apply(id, ApplyWish::default()).await.unwrap();
    let there = "/media/films/Another Film (2020)/Another Film (2020) - 1080p.mkv";
    assert_eq!(fixture.library(), [there]);
    assert!(!fixture.disk.listing().iter().any(|line| line.contains("The Film (2020)")));
    let row = fixture.read(move |tx| tx.batch(old)).await.unwrap();
    assert_eq!((row.state.as_str(), row.superseded_by), ("undone", Some(new)));

    spec!("batches#undo/under-a-newer-one");
    let refused = fixture.pipeline.undo(old, &person()).await;
    assert!(matches!(refused, Err(LayError::Superseded { by }) if by == new), "{refused:?}");
    fixture.pipeline.undo(new, &person()).await.unwrap();
    assert!(fixture.library().is_empty());
    assert!(fixture.pipeline.undo(old, &person()).await.is_ok());
}

#[tokio::test]
async fn a_name_that_changes_in_case_alone() {
    spec!("batches#linked-anew-after-a-correction/case-alone");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.write(move |tx| tx.set_override(id, "title", "THE Film").map(drop)).await;
    fixture.apply(id, ApplyWish::default()).await.unwrap();
    assert_eq!(fixture.library(), ["/media/films/THE Film (2020)/THE Film (2020) - 1080p.mkv"]);
    assert!(!fixture.disk.listing().iter().any(|line| line.contains("The Film (2020)")));
}

#[tokio::test]
async fn a_wiped_library_is_filled_again() {
    spec!("batches#linked-anew-after-a-correction/the-library-was-wiped");
    let fixture = Fixture::new();
    let id = fixture.settle(season(one(v1(1)))).await;
    let before = fixture.disk.listing();
    for path in fixture.library() {
        fixture.disk.remove(path);
    }
    fixture.apply(id, ApplyWish::default()).await.unwrap();
    assert_eq!(fixture.disk.listing(), before);
}

/// A film that is linked, and corrected since.
async fn corrected() -> (Fixture, DownloadId, BatchId) {
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    let old = fixture.batch_of(id).await;
    fixture.write(move |tx| tx.set_override(id, "title", "Another Film").map(drop)).await;
    (fixture, id, old)
}

#[tokio::test]
async fn a_crash_at_any_step_of_a_relink_leaves_one_name() {
    spec!("batches#linked-anew-after-a-correction/the-old-links-cannot-go");
    let (fixture, id, _) = corrected().await;
    let begun = fixture.disk.calls();
    fixture.apply(id, ApplyWish::default()).await.unwrap();
    let steps = fixture.disk.calls() - begun;
    let there = "/media/films/Another Film (2020)/Another Film (2020) - 1080p.mkv";
    let (mut kept, mut moved) = (0, 0);
    for step in 1..=steps {
        let (fixture, id, old) = corrected().await;
        fixture.disk.die_on_call(step);
        // It may end well: the old link goes later then.
        let _asked = fixture.apply(id, ApplyWish::default()).await;
        fixture.disk.heal();
        fixture.restart().await;
        let stands = fixture.batch_state(old).await == "applied";
        let expected = if stands { FILM_IN_LIBRARY } else { there };
        assert_eq!(fixture.library(), [expected], "step {step}");
        assert_eq!(fixture.state(id).await, DownloadState::Done, "step {step}");
        if stands {
            kept += 1;
        } else {
            moved += 1;
        }
    }
    assert!(kept > 0 && moved > 0, "{kept} {moved} of {steps}");
}

#[tokio::test]
async fn links_are_looked_at() {
    spec!("batches#links-are-looked-at-again/present-and-missing");
    let fixture = Fixture::new();
    let id = fixture.settle(season(one(v1(1)))).await;
    let words = |looked: Vec<Looked>| -> Vec<&'static str> {
        looked.into_iter().map(|one| one.health).collect()
    };
    assert_eq!(words(fixture.pipeline.verify(None).await.unwrap()), ["present", "present"]);
    assert_eq!(fixture.row(id).await.attention, None);
    let paths = fixture.library();
    let source = fixture.pipeline.verify(Some(id)).await.unwrap()[1].source.clone();
    fixture.disk.remove(&paths[1]);
    assert_eq!(words(fixture.pipeline.verify(Some(id)).await.unwrap()), ["present", "missing"]);
    let row = fixture.row(id).await;
    assert_eq!(row.attention, Some(Attention::LinkFailed));
    assert!(row.attention_detail.unwrap().contains(&paths[1]));
    assert_eq!(fixture.count(EventType::BatchVerified).await, 1);

    spec!("batches#links-are-looked-at-again/all-is-well-again");
    fixture.disk_link(&source, &paths[1]);
    assert_eq!(words(fixture.pipeline.verify(Some(id)).await.unwrap()), ["present", "present"]);
    assert_eq!(fixture.row(id).await.attention, None);

    spec!("batches#links-are-looked-at-again/undone-instead");
    fixture.disk.remove(&paths[1]);
    fixture.pipeline.verify(Some(id)).await.unwrap();
    assert!(fixture.row(id).await.attention.is_some());
    fixture.pipeline.undo(fixture.batch_of(id).await, &person()).await.unwrap();
    assert_eq!(fixture.row(id).await.attention, None);
    fixture.apply(id, ApplyWish::default()).await.unwrap();

    spec!("batches#links-are-looked-at-again/the-library-is-not-there");
    fixture.disk.remove("/media/series");
    for stands in [false, true] {
        if stands {
            fixture.disk.mount("/media/series", 77);
        }
        assert_eq!(words(fixture.pipeline.verify(Some(id)).await.unwrap()), ["unknown", "unknown"]);
        assert_eq!(fixture.row(id).await.attention, None);
    }
    let nobody = fixture.pipeline.verify(Some(batchless())).await;
    assert!(matches!(nobody, Err(LayError::NotFound(_))), "{nobody:?}");
}

/// An id that nothing has.
fn batchless() -> DownloadId {
    "01jzabcdefghjkmnpqrstvwxyz".parse().unwrap()
}

#[tokio::test]
async fn who_stops_waiting_does_not_stop_the_work() {
    spec!("batches#a-person-carries-a-plan-out/the-caller-goes-away");
    let fixture = Fixture::new();
    let id = fixture.complete(season(one(v1(1)))).await;
    fixture.recognise().await;
    let mut asked = Box::pin(fixture.apply(id, ApplyWish::default()));
    // Asked once, and dropped.
    let first = futures_poll(&mut asked).await;
    assert!(first.is_none());
    drop(asked);
    // Whoever lays out next waits for it.
    let _laying = fixture.pipeline.laying.lock().await;
    assert_eq!(fixture.state(id).await, DownloadState::Done);
    assert_eq!(fixture.library().len(), 2);
}

/// Polls a future once, and lets what it started begin.
async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let polled = std::future::poll_fn(|context| {
        std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
            std::task::Poll::Ready(value) => Some(value),
            std::task::Poll::Pending => None,
        })
    })
    .await;
    tokio::task::yield_now().await;
    polled
}
