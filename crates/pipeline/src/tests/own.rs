//! A download that is applied again steps into the place of its own links.

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::ports::{FileIdentity, Files};
use tracker_domain::{BatchId, DownloadId};
use tracker_layout::{Action, ApplyWish, Laying};
use tracker_testkit::{FakeTorrent, spec};

use super::fixture::{
    FILM_IN_LIBRARY, Fixture, Setup, film, film_with_subtitles, library, one, person, resolved,
    season, v1,
};

impl Fixture {
    fn identity(&self, path: impl AsRef<Path>) -> FileIdentity {
        self.disk.stat(path.as_ref()).unwrap().unwrap().identity
    }

    async fn again(&self, id: DownloadId) -> BatchId {
        let plan = self.pipeline.plan_of(id).await.unwrap();
        assert!(plan.conflicts.is_empty(), "{plan:?}");
        self.pipeline.apply(id, ApplyWish::default(), &person()).await.unwrap()
    }

    async fn override_field(&self, id: DownloadId, field: &'static str, value: &'static str) {
        self.write(move |tx| tx.set_override(id, field, value).map(drop)).await;
    }

    async fn source_of(&self, id: DownloadId) -> PathBuf {
        self.pipeline.plan_of(id).await.unwrap().links[0].source.clone()
    }
}

fn setup(mode: LinkMode) -> Setup {
    let films = Library { mode, ..library("films", LibraryKind::Movie, "/media/films") };
    Setup { libraries: vec![films], ..Setup::default() }
}

#[tokio::test]
async fn a_copy_is_made_once() {
    spec!("batches#linked-anew-after-a-correction/copies-that-stand");
    for mode in [LinkMode::Copy, LinkMode::Reflink] {
        let fixture = Fixture::with(setup(mode));
        let empty = fixture.below("/media");
        let id = fixture.settle(film(one(v1(1)))).await;
        let copy = fixture.identity(FILM_IN_LIBRARY);
        let batch = fixture.again(id).await;
        assert_eq!(fixture.identity(FILM_IN_LIBRARY), copy, "nothing is copied twice");
        let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
        assert!(undone.left.is_empty(), "{undone:?}");
        assert_eq!(fixture.below("/media"), empty);
    }
}

#[tokio::test]
async fn a_copy_that_somebody_wrote_since_stays_in_the_way() {
    spec!("batches#linked-anew-after-a-correction/copies-that-stand");
    let fixture = Fixture::with(setup(LinkMode::Copy));
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.disk.remove(FILM_IN_LIBRARY);
    fixture.disk.file(FILM_IN_LIBRARY, 77);
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    assert_eq!(plan.conflicts.len(), 1, "{plan:?}");
}

#[tokio::test]
async fn another_mode_takes_the_place_of_what_stands() {
    spec!("batches#linked-anew-after-a-correction/another-mode");
    let modes = [LinkMode::Hardlink, LinkMode::Copy, LinkMode::Reflink, LinkMode::Symlink];
    for (from, to) in modes.iter().flat_map(|from| modes.iter().map(move |to| (*from, *to))) {
        let fixture = Fixture::with(setup(from));
        let id = fixture.settle(film(one(v1(1)))).await;
        let source = fixture.source_of(id).await;
        let payload = fixture.identity(&source);
        let other = fixture.restarted(setup(to).libraries);
        let batch = other.apply(id, ApplyWish::default(), &person()).await.unwrap();
        let there = fixture.disk.stat(Path::new(FILM_IN_LIBRARY)).unwrap().unwrap();
        let made = (there.is_symlink, there.identity == payload);
        let wanted = (to == LinkMode::Symlink, to == LinkMode::Hardlink);
        assert_eq!(made, wanted, "{from:?} {to:?}");
        // What stood before is of no more use to anybody.
        let listing = fixture.disk.listing();
        assert!(!listing.iter().any(|line| line.contains(".tracker-trash")), "{listing:?}");
        other.undo(batch, &person()).await.unwrap();
        assert!(fixture.disk.stat(Path::new(FILM_IN_LIBRARY)).unwrap().is_none());
        assert_eq!(fixture.identity(&source), payload);
    }
}

#[tokio::test]
async fn an_edited_copy_is_nobodys_to_remove() {
    spec!("batches#undo/a-copy-that-was-edited");
    for mode in [LinkMode::Copy, LinkMode::Reflink] {
        let fixture = Fixture::with(setup(mode));
        let id = fixture.settle(film(one(v1(1)))).await;
        fixture.disk.write_in_place(FILM_IN_LIBRARY);
        let looked = fixture.pipeline.verify(Some(id)).await.unwrap();
        assert_eq!(looked[0].health, "replaced");
        assert_eq!(fixture.pipeline.plan_of(id).await.unwrap().conflicts.len(), 1);
        let edited = fixture.identity(FILM_IN_LIBRARY);
        fixture.override_field(id, "title", "Another Film").await;
        let batch = fixture.again(id).await;
        assert_eq!(fixture.identity(FILM_IN_LIBRARY), edited, "a relink leaves it");
        fixture.pipeline.undo(batch, &person()).await.unwrap();

        let fixture = Fixture::with(setup(mode));
        let id = fixture.settle(film(one(v1(1)))).await;
        fixture.disk.write_in_place(FILM_IN_LIBRARY);
        let batch = fixture.read(move |tx| tx.batches_of(id)).await.remove(0).id;
        let undone = fixture.pipeline.undo(batch, &person()).await.unwrap();
        assert_eq!(undone.left[0].reason, "not-our-link");
        fixture.identity(FILM_IN_LIBRARY);
    }
}

#[tokio::test]
async fn sidecars_stay_with_a_video_of_another_name() {
    spec!("batches#a-person-carries-a-plan-out/another-name-again");
    for mode in [LinkMode::Hardlink, LinkMode::Copy] {
        let fixture = Fixture::with(setup(mode));
        fixture.disk.file(FILM_IN_LIBRARY, 7);
        let id = fixture.settle(film_with_subtitles(one(v1(1)))).await;
        let wish = resolved(FILM_IN_LIBRARY, Action::OtherName);
        fixture.pipeline.apply(id, wish, &person()).await.unwrap();
        let linked = fixture.below("/media/");
        assert!(linked.iter().any(|line| line.contains("1080p (2).srt")), "{linked:?}");
        fixture.again(id).await;
        assert_eq!(fixture.below("/media/"), linked);
    }
}

#[tokio::test]
async fn what_belongs_to_a_kept_video_is_left_out() {
    spec!("batches#a-person-carries-a-plan-out/everything-is-kept");
    let fixture = Fixture::new();
    fixture.disk.file(FILM_IN_LIBRARY, 7);
    let id = fixture.settle(film_with_subtitles(one(v1(1)))).await;
    let wish = resolved(FILM_IN_LIBRARY, Action::Keep);
    fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    assert!(!fixture.below("/media/").iter().any(|line| line.contains(".srt")));
}

#[tokio::test]
async fn a_file_whose_name_was_taken_comes_back_later() {
    spec!("batches#undo/its-name-is-taken");
    let fixture = Fixture::new();
    let first = fixture.disk.file(FILM_IN_LIBRARY, 7);
    let id = fixture.settle(film(one(v1(1)))).await;
    let replace = || resolved(FILM_IN_LIBRARY, Action::Replace);
    let a = fixture.pipeline.apply(id, replace(), &person()).await.unwrap();
    fixture.disk.remove(FILM_IN_LIBRARY);
    let second = fixture.disk.file(FILM_IN_LIBRARY, 9);
    let b = fixture.pipeline.apply(id, replace(), &person()).await.unwrap();
    fixture.pipeline.undo(b, &person()).await.unwrap();
    assert_eq!(fixture.identity(FILM_IN_LIBRARY), second);
    // The older one waits for its name.
    let undone = fixture.pipeline.undo(a, &person()).await.unwrap();
    assert_eq!(undone.left[0].reason, "not-restored");
    fixture.disk.remove(FILM_IN_LIBRARY);
    let undone = fixture.pipeline.undo(a, &person()).await.unwrap();
    assert!(undone.left.is_empty(), "{undone:?}");
    assert_eq!(fixture.identity(FILM_IN_LIBRARY), first);
    assert!(!fixture.disk.listing().iter().any(|line| line.contains(".tracker-trash")));
}

#[tokio::test]
async fn a_link_that_another_download_replaced_goes_with_its_batch() {
    spec!("batches#undo/replaced-by-another-download");
    let fixture = Fixture::new();
    let older = fixture.settle(film(one(v1(1)))).await;
    let first = fixture.read(move |tx| tx.batches_of(older)).await.remove(0).id;
    let name = "The.Film.2020.1080p.BluRay";
    let other = FakeTorrent::new(one(v1(2)), name).file(&format!("{name}/{name}.mkv"), 500);
    let newer = fixture.settle(other).await;
    let wish = resolved(FILM_IN_LIBRARY, Action::Replace);
    let second = fixture.pipeline.apply(newer, wish, &person()).await.unwrap();
    let undone = fixture.pipeline.undo(first, &person()).await.unwrap();
    assert!(undone.left.is_empty(), "{undone:?}");
    fixture.pipeline.undo(second, &person()).await.unwrap();
    assert!(!fixture.below("/media/").iter().any(|line| line.contains(".mkv")));
}

#[tokio::test]
async fn a_source_that_was_written_anew_is_linked_anew() {
    spec!("batches#linked-anew-after-a-correction/a-source-written-anew");
    let fixture = Fixture::new();
    let id = fixture.settle(film(one(v1(1)))).await;
    let source = fixture.source_of(id).await;
    let old = fixture.identity(&source);
    fixture.disk.remove(&source);
    let new = fixture.disk.file(&source, 400);
    let batch = fixture.again(id).await;
    assert_eq!(fixture.identity(FILM_IN_LIBRARY), new);
    // Nothing else has the older form by now.
    let trash =
        format!("/media/films/.tracker-trash/{batch}/The Film (2020)/The Film (2020) - 1080p.mkv");
    assert_eq!(fixture.identity(trash), old);
}

#[tokio::test]
async fn episodes_change_places() {
    spec!("batches#linked-anew-after-a-correction/episodes-that-were-mixed-up");
    let fixture = Fixture::new();
    let id = fixture.settle(season(one(v1(1)))).await;
    let links = fixture.pipeline.plan_of(id).await.unwrap().links;
    let (first, second) = (&links[0], &links[1]);
    fixture.override_field(id, "file.0.episodes", "2").await;
    fixture.override_field(id, "file.1.episodes", "1").await;
    let batch = fixture.again(id).await;
    assert_eq!(fixture.identity(&first.target), fixture.identity(&second.source));
    assert_eq!(fixture.identity(&second.target), fixture.identity(&first.source));
    assert!(!fixture.disk.listing().iter().any(|line| line.contains(".tracker-trash")));
    fixture.pipeline.undo(batch, &person()).await.unwrap();
    assert!(!fixture.below("/media/").iter().any(|line| line.contains("S01E0")));
}

#[tokio::test]
async fn another_name_stays_what_it_is() {
    spec!("batches#a-person-carries-a-plan-out/another-name-again");
    let fixture = Fixture::new();
    fixture.disk.file(FILM_IN_LIBRARY, 7);
    let id = fixture.settle(film(one(v1(1)))).await;
    let wish = resolved(FILM_IN_LIBRARY, Action::OtherName);
    fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    let numbered = "/media/films/The Film (2020)/The Film (2020) - 1080p (2).mkv";
    let link = fixture.identity(numbered);
    for _ in 0..2 {
        fixture.again(id).await;
        assert_eq!(fixture.identity(numbered), link);
        assert!(!fixture.disk.listing().iter().any(|line| line.contains("(3)")));
    }
}

#[tokio::test]
async fn several_files_of_one_name_keep_theirs() {
    spec!("batches#a-person-carries-a-plan-out/several-files-of-one-name");
    let fixture = Fixture::new();
    let name = "The.Show.S01.1080p.WEB";
    let twice = FakeTorrent::new(one(v1(1)), name)
        .file(&format!("{name}/The.Show.S01E01.1080p.WEB.mkv"), 400)
        .file(&format!("{name}/Again/The.Show.S01E01.1080p.WEB.mkv"), 401);
    let id = fixture.settle(twice).await;
    fixture.write(move |tx| tx.accept_as_read(id)).await.unwrap();
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    assert_eq!(plan.conflicts.len(), 2, "{plan:?}");
    let wish = resolved(&plan.conflicts[0].target, Action::OtherName);
    fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    let linked = fixture.below("/media/");
    assert_eq!(linked.iter().filter(|line| line.contains(".mkv")).count(), 2, "{linked:?}");
    fixture.again(id).await;
    assert_eq!(fixture.below("/media/"), linked);
}

#[tokio::test]
async fn a_twin_of_a_folder_gets_a_folder_of_its_own() {
    spec!("batches#a-person-carries-a-plan-out/the-twin-of-a-folder");
    let fixture = Fixture::new();
    fixture.disk.file("/media/films/THE FILM (2020)/other.mkv", 7);
    let id = fixture.settle(film(one(v1(1)))).await;
    let plan = fixture.pipeline.plan_of(id).await.unwrap();
    let wish = resolved(&plan.conflicts[0].target, Action::OtherName);
    fixture.pipeline.apply(id, wish, &person()).await.unwrap();
    fixture.identity("/media/films/The Film (2020) (2)/The Film (2020) - 1080p.mkv");
    fixture.again(id).await;
    fixture.identity("/media/films/The Film (2020) (2)/The Film (2020) - 1080p.mkv");
}

/// A film that is linked on a disk that folds case, and whose title was corrected.
async fn folded(mode: LinkMode) -> (Fixture, DownloadId) {
    let fixture = Fixture::with(setup(mode));
    fixture.disk.fold_case();
    let id = fixture.settle(film(one(v1(1)))).await;
    fixture.override_field(id, "title", "THE Film").await;
    (fixture, id)
}

#[tokio::test]
async fn case_alone_where_the_disk_folds_it() {
    spec!("batches#linked-anew-after-a-correction/case-alone");
    for mode in [LinkMode::Hardlink, LinkMode::Copy, LinkMode::Symlink] {
        let (fixture, id) = folded(mode).await;
        let batch = fixture.again(id).await;
        let entries = fixture.below("/media/");
        // The folder has its letters for as long as something is in it.
        let there = "/media/films/The Film (2020)/THE Film (2020) - 1080p.mkv";
        assert!(entries.iter().any(|line| line.contains(there)), "{mode:?} {entries:?}");
        assert_eq!(entries.iter().filter(|line| line.contains(".mkv")).count(), 1, "{entries:?}");
        let looked = fixture.pipeline.verify(Some(id)).await.unwrap();
        assert!(looked.iter().all(|one| one.health == "present"), "{mode:?} {looked:?}");
        fixture.pipeline.undo(batch, &person()).await.unwrap();
        assert!(!fixture.below("/media/").iter().any(|line| line.contains(".mkv")));
    }
}

#[tokio::test]
async fn a_crash_while_letters_change_loses_no_link() {
    spec!("batches#linked-anew-after-a-correction/case-alone");
    for mode in [LinkMode::Hardlink, LinkMode::Copy] {
        let (fixture, id) = folded(mode).await;
        let begun = fixture.disk.calls();
        fixture.again(id).await;
        let steps = fixture.disk.calls() - begun;
        for step in 1..=steps {
            let (fixture, id) = folded(mode).await;
            fixture.disk.die_on_call(step);
            let _asked = fixture.pipeline.apply(id, ApplyWish::default(), &person()).await;
            fixture.disk.heal();
            fixture.restart().await;
            let entries = fixture.below("/media/");
            let films = entries.iter().filter(|line| line.contains("1080p.mkv")).count();
            assert_eq!(films, 1, "{mode:?} step {step}: {entries:?}");
            assert!(!entries.iter().any(|line| line.contains(".tmp")), "step {step}: {entries:?}");
        }
    }
}
