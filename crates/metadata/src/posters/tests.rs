//! Posters from a server that plays their hosts.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::{Image, Images};
use tracker_testkit::{FixedClock, MetadataStub, StubAnswer, StubMode, spec};

use super::Posters;
use crate::PostersConfig;

const PLACE: &str = "/a.jpg";

/// A folder for pictures, their host, and the clock.
struct Play {
    stub: MetadataStub,
    clock: Arc<FixedClock>,
    dir: TempDir,
}

impl Play {
    async fn start() -> Self {
        let stub = MetadataStub::start().await;
        stub.unlimited();
        Play { stub, clock: Arc::new(FixedClock::new()), dir: tempfile::tempdir().unwrap() }
    }

    fn config(&self) -> PostersConfig {
        PostersConfig {
            tmdb_image_url: Some(self.stub.tmdb_url().parse().unwrap()),
            tvmaze_url: Some(self.stub.tvmaze_url().parse().unwrap()),
            ..PostersConfig::new(Provider::ALL.to_vec(), self.folder())
        }
    }

    fn posters(&self) -> Posters {
        Posters::new(self.config(), self.clock.clone()).unwrap()
    }

    fn folder(&self) -> std::path::PathBuf {
        self.dir.path().join("posters")
    }

    fn says(&self, bytes: &[u8]) {
        // The word of the server does not count.
        let answer = StubAnswer::of_kind(200, "text/html", bytes);
        self.stub.set(Provider::Tmdb, StubMode::Says(answer));
    }

    fn answers(&self, answer: StubAnswer) {
        self.stub.set(Provider::Tmdb, StubMode::Says(answer));
    }

    fn asked(&self) -> usize {
        self.stub.requests().len()
    }
}

fn jpeg(size: usize) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0".to_vec();
    bytes.resize(size, 7);
    bytes
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

async fn tmdb(posters: &Posters, place: &str) -> Option<Image> {
    posters.poster(Provider::Tmdb, place).await
}

#[tokio::test]
async fn a_poster_is_fetched_once_and_kept() {
    spec!("web-ui#posters-are-ours/fetched-once");
    let play = Play::start().await;
    play.says(&jpeg(1000));
    let expected = Image { bytes: jpeg(1000), media_type: "image/jpeg" };
    let posters = play.posters();
    let (one, two) = tokio::join!(tmdb(&posters, PLACE), tmdb(&posters, PLACE));
    assert_eq!((one.as_ref(), two.as_ref()), (Some(&expected), Some(&expected)));
    assert_eq!(play.asked(), 1);
    let request = &play.stub.requests()[0];
    assert_eq!(request.route, "w342/a.jpg");
    assert_eq!(request.header("authorization"), None);
    play.stub.set(Provider::Tmdb, StubMode::Dead);
    assert_eq!(tmdb(&play.posters(), PLACE).await, Some(expected), "after a restart, offline");
    assert_eq!(play.asked(), 1);
}

#[tokio::test]
async fn the_content_tells_the_type() {
    spec!("web-ui#posters-are-ours/only-pictures");
    let play = Play::start().await;
    let posters = play.posters();
    let png = b"\x89PNG\r\n\x1a\nrest".as_slice();
    let webp = b"RIFF\x10\0\0\0WEBPVP8 ".as_slice();
    for (at, (bytes, kind)) in [
        (png, Some("image/png")),
        (webp, Some("image/webp")),
        (b"GIF89a....", None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"<html><script>alert(1)</script>", None),
        (b"RIFF\x10\0\0\0WAVEfmt ", None),
        (b"", None),
    ]
    .into_iter()
    .enumerate()
    {
        play.says(bytes);
        let found = tmdb(&posters, &format!("/{at}.jpg")).await;
        assert_eq!(found.map(|image| image.media_type), kind, "{at}");
    }
    assert_eq!(names(&play.folder()).len(), 2);
}

#[tokio::test]
async fn one_that_is_too_large_is_none() {
    spec!("web-ui#posters-are-ours/too-large");
    let play = Play::start().await;
    let posters =
        Posters::new(PostersConfig { largest: 1000, ..play.config() }, play.clock.clone()).unwrap();
    play.says(&jpeg(1001));
    assert_eq!(tmdb(&posters, "/large.jpg").await, None);
    play.answers(StubAnswer::of_kind(200, "image/jpeg", jpeg(100)).endless());
    assert_eq!(tmdb(&posters, "/endless.jpg").await, None);
    play.says(&jpeg(1000));
    assert_eq!(tmdb(&posters, "/fits.jpg").await.unwrap().bytes.len(), 1000);
}

#[tokio::test]
async fn no_other_host_is_asked() {
    spec!("web-ui#posters-are-ours/only-the-host-of-the-source");
    let (play, other) = (Play::start().await, MetadataStub::start().await);
    let posters = play.posters();
    play.answers(StubAnswer::redirect(&format!("{}a.jpg", other.tmdb_url())));
    assert_eq!(tmdb(&posters, PLACE).await, None);
    let elsewhere = format!("{}b.jpg", other.tvmaze_url());
    let with_name = play.stub.tvmaze_url().replace("http://", "http://me:word@");
    for place in [elsewhere.as_str(), with_name.as_str(), "file:///etc/passwd", "/b.jpg", ""] {
        assert_eq!(posters.poster(Provider::Tvmaze, place).await, None, "{place}");
    }
    for place in ["", "/", "/../../x.jpg", "/a/b.jpg", "/a.jpg?x", "//host/a.jpg", "/.."] {
        assert_eq!(tmdb(&posters, place).await, None, "{place}");
    }
    assert_eq!((play.asked(), other.requests().len()), (1, 0));
    let own = format!("{}b.jpg", play.stub.tvmaze_url());
    let answer = StubAnswer::of_kind(200, "image/jpeg", jpeg(10));
    play.stub.set(Provider::Tvmaze, StubMode::Says(answer));
    assert!(posters.poster(Provider::Tvmaze, &own).await.is_some());
}

#[tokio::test]
async fn a_source_that_is_off_is_not_asked() {
    spec!("web-ui#posters-are-ours/a-source-that-is-off");
    let play = Play::start().await;
    play.says(&jpeg(10));
    let off = PostersConfig { sources: vec![Provider::Tvmaze], ..play.config() };
    let posters = Posters::new(off, play.clock.clone()).unwrap();
    assert_eq!(tmdb(&posters, PLACE).await, None);
    assert_eq!(play.asked(), 0);
}

#[tokio::test]
async fn what_cannot_be_had_is_not_asked_for_again_at_once() {
    spec!("web-ui#posters-are-ours/none-for-a-while");
    let play = Play::start().await;
    let posters = play.posters();
    play.answers(StubAnswer::of_kind(404, "text/plain", "no"));
    assert_eq!(tmdb(&posters, PLACE).await, None);
    play.says(&jpeg(10));
    assert_eq!(tmdb(&posters, PLACE).await, None);
    assert_eq!(play.asked(), 1);
    play.clock.advance_seconds(24 * 3600);
    assert!(tmdb(&posters, PLACE).await.is_some());
    play.stub.set(Provider::Tmdb, StubMode::Dead);
    assert_eq!(tmdb(&posters, "/one.jpg").await, None);
    let asked = play.asked();
    play.says(&jpeg(10));
    assert_eq!(tmdb(&posters, "/two.jpg").await, None, "the host rests");
    assert_eq!(play.asked(), asked);
    play.clock.advance_seconds(30);
    assert!(tmdb(&posters, "/two.jpg").await.is_some());
    assert_eq!(tmdb(&posters, "/one.jpg").await, None, "this one rests longer");
    play.clock.advance_seconds(5 * 60);
    assert!(tmdb(&posters, "/one.jpg").await.is_some());
}

#[tokio::test]
async fn the_longest_not_looked_at_goes_first() {
    spec!("web-ui#posters-are-ours/room");
    let play = Play::start().await;
    play.says(&jpeg(1000));
    let small = PostersConfig { most: 2500, ..play.config() };
    let posters = Posters::new(small, play.clock.clone()).unwrap();
    for place in ["/1.jpg", "/2.jpg", "/1.jpg", "/3.jpg"] {
        assert!(tmdb(&posters, place).await.is_some());
        play.clock.advance_seconds(1);
    }
    assert_eq!(names(&play.folder()).len(), 2);
    assert_eq!(play.asked(), 3);
    assert!(tmdb(&posters, "/1.jpg").await.is_some());
    assert_eq!(play.asked(), 3, "the first was looked at later than the second");
    assert!(tmdb(&posters, "/2.jpg").await.is_some());
    assert_eq!(play.asked(), 4);
}

#[tokio::test]
async fn leftovers_of_a_crash_are_cleaned() {
    spec!("web-ui#posters-are-ours/after-a-crash");
    let play = Play::start().await;
    let folder = play.folder();
    std::fs::create_dir(&folder).unwrap();
    let key = super::key_of(Provider::Tmdb, PLACE);
    std::fs::write(folder.join(format!("{key}.part")), jpeg(3)).unwrap();
    std::fs::write(folder.join("notes.part"), "a person's").unwrap();
    // The name without the bytes, as a power loss may leave it.
    std::fs::write(folder.join(&key), "").unwrap();
    play.says(&jpeg(10));
    assert_eq!(tmdb(&play.posters(), PLACE).await.unwrap().bytes, jpeg(10));
    let mut left = names(&folder);
    left.sort();
    assert_eq!(left, [key, "notes.part".to_owned()]);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_costs_no_poster() {
    spec!("web-ui#posters-are-ours/a-folder-that-cannot-be-used");
    let play = Play::start().await;
    std::fs::write(play.folder(), "a file").unwrap();
    play.says(&jpeg(10));
    assert!(tmdb(&play.posters(), PLACE).await.is_some());
}

#[tokio::test]
async fn a_few_are_fetched_at_once() {
    spec!("web-ui#posters-are-ours/a-few-at-once");
    let play = Play::start().await;
    play.stub.set(Provider::Tmdb, StubMode::Silent);
    let posters = Arc::new(play.posters());
    let wanted: Vec<_> = (0..20)
        .map(|number| {
            let posters = Arc::clone(&posters);
            tokio::spawn(async move { tmdb(&posters, &format!("/{number}.jpg")).await })
        })
        .collect();
    let deadline = std::time::Duration::from_secs(10);
    tracker_testkit::eventually(deadline, "four are under way", async || {
        (play.asked() == 4).then_some(())
    })
    .await;
    play.says(&jpeg(10));
    for one in wanted {
        assert!(one.await.unwrap().is_some());
    }
    assert_eq!(play.stub.most_at_once(Provider::Tmdb), 4);
    assert_eq!(play.asked(), 20);
}
