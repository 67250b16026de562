//! Torrents of each version, by each kind of link, on each client.

use std::collections::BTreeSet;

use tracker_testkit::{Flavour, spec};

use crate::bench::Bench;
use crate::daemon::id_of;
use crate::in_labs;

/// Hands each over, by the command and by REST in turn, and waits until all have
/// arrived.
async fn all_arrive(bench: &Bench, links: &[(&str, &str)]) {
    let mut accepted = Vec::new();
    for (index, (torrent, which)) in links.iter().enumerate() {
        let magnet = bench.magnet(torrent, which);
        let (id, actor) = if index % 2 == 0 {
            let said = bench.daemon.tracker(&["ingest", &magnet]);
            assert!(said.done().ends_with("\tcreated\n"), "{said:?}");
            (said.ids().remove(0), "api:local")
        } else {
            let body = serde_json::json!({ "magnet": magnet });
            let answer = bench.daemon.post("/downloads", &body).await;
            answer.expect(201);
            let id = id_of(&answer.json());
            assert_eq!(answer.headers["location"], format!("/api/v1/downloads/{id}"));
            (id, "api:local")
        };
        let created = bench.daemon.events(&id).await.remove(0);
        assert_eq!(
            (&created["type"], &created["actor"]),
            (&"download.created".into(), &actor.into())
        );
        accepted.push((id, *torrent));
    }
    for (id, torrent) in accepted {
        bench.arrives(&id, torrent).await;
    }
}

#[tokio::test]
async fn each_kind_by_each_link_backports() {
    spec!("main-job#every-torrent-arrives/by-each-kind-of-link");
    spec!("main-job#every-torrent-arrives/identical-in-the-library");
    spec!("main-job#every-torrent-arrives/by-command-and-by-rest");
    let mut bench = Bench::at(Flavour::Backports).await;
    all_arrive(
        &bench,
        &[
            ("movie-v1", "full"),
            ("movie-v2", "full"),
            ("movie-hybrid", "full"),
            ("season-hybrid", "v1_only"),
            ("season-v1", "full"),
            ("season-v2", "full"),
        ],
    )
    .await;
    bench.renew().await;
    all_arrive(&bench, &[("movie-hybrid", "v1_only"), ("season-hybrid", "v2_only")]).await;
    bench.renew().await;
    all_arrive(&bench, &[("season-hybrid", "full"), ("movie-hybrid", "v2_only")]).await;
}

in_labs!(each_kind: Bookworm bookworm, Trixie trixie);

async fn each_kind(bench: Bench) {
    spec!("main-job#every-torrent-arrives/by-each-kind-of-link");
    all_arrive(
        &bench,
        &[
            ("movie-v1", "full"),
            ("movie-v2", "full"),
            ("movie-hybrid", "v1_only"),
            ("season-hybrid", "full"),
        ],
    )
    .await;
}

in_labs!(what_stays_hidden: Backports backports, Bookworm bookworm, Trixie trixie);

async fn what_stays_hidden(bench: Bench) {
    spec!("identity#a-set-of-infohashes/a-hybrid-reveals-itself");
    spec!("identity#a-set-of-infohashes/match-by-v2-only");
    let by_v1 = bench.daemon.ingest(&bench.magnet("movie-hybrid", "v1_only")).await;
    let by_v2 = bench.daemon.ingest(&bench.magnet("cyrillic-hybrid", "v2_only")).await;
    bench.arrives(&by_v1, "movie-hybrid").await;
    bench.arrives(&by_v2, "cyrillic-hybrid").await;
    for (id, torrent) in [(by_v1, "movie-hybrid"), (by_v2, "cyrillic-hybrid")] {
        let events = bench.daemon.events(&id).await;
        let added = events.iter().filter(|event| event["type"] == "download.infohash_added");
        assert_eq!(added.count(), 1, "{torrent}: {events:#?}");
    }
}

#[tokio::test]
async fn subtitles_and_alphabets_backports() {
    spec!("main-job#every-torrent-arrives/beside-the-video");
    spec!("main-job#every-torrent-arrives/another-alphabet");
    let bench = Bench::at(Flavour::Backports).await;
    all_arrive(&bench, &[("cyrillic-v1", "full"), ("season-v1", "full"), ("movie-v1", "full")])
        .await;
    let mut expected =
        BTreeSet::from(["movies/Some Film (2021)/Some Film (2021) - 1080p.mkv".to_owned()]);
    for title in ["Show Name", "Сериал Название С Кириллицей"] {
        for episode in 1..=3 {
            let stem = format!("tv/{title}/Season 01/{title} S01E{episode:02}");
            expected.extend([format!("{stem}.mkv"), format!("{stem}.srt")]);
        }
    }
    assert_eq!(bench.library(), expected);
}

in_labs!(torrent_files: Backports backports, Bookworm bookworm);

async fn torrent_files(bench: Bench) {
    spec!("main-job#every-torrent-arrives/a-torrent-file");
    let file = |id: &str| bench.lab.torrent(id).torrent_file.clone();
    let read = |id: &str| std::fs::read(file(id)).unwrap();
    let daemon = &bench.daemon;
    let answer = daemon.upload(read("movie-hybrid"), "?hint=a+film").await;
    let by_rest = id_of(&answer.expect(201));
    let again = daemon.upload(read("movie-hybrid"), "").await.expect(200);
    assert_eq!((id_of(&again), &again["created"]), (by_rest.clone(), &false.into()));

    let season = file("season-v2");
    let said = daemon.tracker(&["ingest", season.to_str().unwrap()]);
    let by_command = said.ids().remove(0);
    // Its v2 alone leads to the same one.
    let magnet = bench.magnet("season-v2", "full");
    let again = daemon.tracker(&["ingest", &magnet]);
    assert_eq!(again.done(), format!("{by_command}\texisting\n"));
    bench.arrives(&by_rest, "movie-hybrid").await;
    bench.arrives(&by_command, "season-v2").await;

    let broken = daemon.upload(read("movie-v1")[..200].to_vec(), "").await;
    assert_eq!((broken.status, broken.code()), (422, "invalid-torrent".to_owned()));
}
