//! Everything else that goes over the wire.

use std::time::Duration;

use serde_json::json;
use tracker_domain::observed::{Handle, Scope};
use tracker_domain::ports::{ClientError, Removal, TorrentClient, TorrentControl};
use tracker_domain::queue::QueueEnd;
use tracker_testkit::{StubReply, spec};

use super::*;
use crate::{ConfigError, Marking, PathMapping};

const INFO: &str = "torrents/info";
const FILES: &str = "torrents/files";

#[tokio::test]
async fn ours_are_asked_for_by_tag() {
    spec!("qbittorrent-client#cheap-questions/ours");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(
        INFO,
        StubReply::json(
            &json!([{"hash": V1, "infohash_v1": V1, "state": "uploading", "progress": 1}]),
        ),
    );
    let (client, _) = client(&stub);
    assert_eq!(client.observe(&Scope::Ours).await.unwrap().len(), 1);
    assert_eq!(stub.requests_to(INFO).remove(0).query("tag"), Some("tracker"));
    assert_eq!(stub.requests_to(INFO).remove(0).header("accept-encoding"), Some("gzip"));
    let untagged = QbittorrentConfig { ours: Marking::Everything, ..config(&stub) };
    let untagged = Qbittorrent::new(untagged, Arc::new(FixedClock::new())).unwrap();
    untagged.observe(&Scope::Ours).await.unwrap();
    assert!(stub.requests_to(INFO).remove(1).query.is_empty());
    assert!(stub.requests_to("sync/maindata").is_empty());
}

#[tokio::test]
async fn two_questions_about_one_torrent_give_it_once() {
    spec!("qbittorrent-client#cheap-questions/many-infohashes");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(INFO, StubReply::json(&json!([{"hash": V1, "infohash_v1": V1}])));
    let (client, _) = client(&stub);
    let hashes = (0..150).map(|n| format!("{n:040x}").parse().unwrap()).collect();
    let seen = client.observe(&Scope::Infohashes(hashes)).await.unwrap();
    assert_eq!((seen.len(), stub.requests_to(INFO).len()), (1, 2));
}

#[tokio::test]
async fn a_broken_answer_is_never_an_empty_list() {
    spec!("qbittorrent-client#listings/an-answer-that-is-cut-off");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    let list = json!([{"hash": V1}]).to_string();
    for reply in [
        StubReply::text(200, list.clone()).cut_at(12),
        StubReply::text(200, &list[..12]),
        StubReply::text(200, ""),
        StubReply::text(200, "<html>"),
        StubReply::json(&json!({"torrents": []})),
        StubReply::status(500),
        StubReply::status(404),
        StubReply::status(204),
    ] {
        stub.once(INFO, reply.clone());
        let got = client.observe(&Scope::Everything).await;
        assert!(matches!(got, Err(ClientError::Unreachable(_))), "{reply:?}: {got:?}");
    }
}

#[tokio::test]
async fn a_call_ends_in_time_and_in_size() {
    spec!("qbittorrent-client#calls-are-bounded/a-client-that-does-not-answer");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(FILES, StubReply::silence());
    stub.on("app/version", StubReply::text(200, "v".repeat(65 * 1024)));
    let short = QbittorrentConfig { timeout: Duration::from_millis(200), ..config(&stub) };
    let hurried = Qbittorrent::new(short, Arc::new(FixedClock::new())).unwrap();
    assert!(matches!(hurried.files(&handle()).await, Err(ClientError::Unreachable(_))));
    let (client, _) = client(&stub);
    let Err(ClientError::Unreachable(why)) = client.probe().await else { panic!("too much") };
    assert_eq!(why, "app/version: the answer has more than 65536 bytes");
    let gone = QbittorrentConfig { url: "http://127.0.0.1:9".into(), ..config(&stub) };
    let gone = Qbittorrent::new(gone, Arc::new(FixedClock::new())).unwrap();
    let Err(ClientError::Unreachable(why)) = gone.probe().await else { panic!("nobody there") };
    assert_eq!(why, "auth/login: no connection");
}

#[tokio::test]
async fn files_of_a_torrent() {
    spec!("qbittorrent-client#file-lists/before-metadata-and-unknown");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    stub.once(FILES, StubReply::text(200, "[]"));
    assert_eq!(client.files(&handle()).await, Ok(Vec::new()));
    assert_eq!(stub.requests_to(FILES).remove(0).query("hash"), Some(V1));
    stub.once(FILES, StubReply::text(404, "Not Found"));
    assert_eq!(client.files(&handle()).await, Err(ClientError::NotFound));
    stub.once(FILES, StubReply::text(200, r#"[{"index":0,"name":"a","size":1}"#));
    assert!(matches!(client.files(&handle()).await, Err(ClientError::Unreachable(_))));
}

#[tokio::test]
async fn files_are_chosen_by_what_is_different() {
    spec!("qbittorrent-client#steering/choosing-files");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    let prio = "torrents/filePrio";
    stub.on(prio, StubReply::status(200));
    // Priorities of a person: the highest one, and one that is not wanted.
    let listed = json!([
        {"index": 0, "name": "a", "size": 1, "priority": 7},
        {"index": 1, "name": "b", "size": 1, "priority": 1},
        {"index": 2, "name": "c", "size": 1, "priority": 0},
        {"index": 3, "name": "d", "size": 1, "priority": 1},
    ]);
    stub.on(FILES, StubReply::json(&listed));
    client.select_files(&handle(), &[1, 3].into()).await.unwrap();
    let told: Vec<_> = stub
        .requests_to(prio)
        .iter()
        .map(|call| [call.form("hash"), call.form("id"), call.form("priority")].map(Option::unwrap))
        .collect();
    assert_eq!(told, [[V1, "1|3", "0"], [V1, "2", "1"]]);
    client.select_files(&handle(), &[2].into()).await.unwrap();
    assert_eq!(stub.requests_to(prio).len(), 2, "nothing is different");
    stub.on(FILES, StubReply::text(200, "[]"));
    let early = client.select_files(&handle(), &[0].into()).await;
    assert!(matches!(early, Err(ClientError::Unreachable(_))), "{early:?}");
}

#[tokio::test]
async fn a_place_in_the_queue() {
    spec!("qbittorrent-client#steering/a-place-in-the-queue");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    for (end, endpoint) in
        [(QueueEnd::First, "torrents/topPrio"), (QueueEnd::Last, "torrents/bottomPrio")]
    {
        stub.on(endpoint, StubReply::status(200));
        assert_eq!(client.queue(&handle(), end).await, Ok(()));
        assert_eq!(stub.requests_to(endpoint).remove(0).form("hashes").as_deref(), Some(V1));
        stub.on(endpoint, StubReply::text(409, "Torrent queueing must be enabled"));
        let off = client.queue(&handle(), end).await;
        assert!(
            matches!(&off, Err(ClientError::Rejected(why)) if why.contains("options")),
            "{off:?}"
        );
        stub.on(endpoint, StubReply::text(500, "oops"));
        let broken = client.queue(&handle(), end).await;
        assert!(matches!(broken, Err(ClientError::Unreachable(_))), "{broken:?}");
        let all = client.queue(&Handle("all".to_owned()), end).await;
        assert_eq!(all, Err(ClientError::NotFound));
    }
}

#[tokio::test]
async fn stop_and_start_by_the_name_of_the_version() {
    spec!("qbittorrent-client#steering/stop-and-start");
    for (api, stop, start) in [
        ("2.8.19", "torrents/pause", "torrents/resume"),
        ("2.11.4", "torrents/stop", "torrents/start"),
        ("2.16.2", "torrents/stop", "torrents/start"),
    ] {
        let stub = QbtStub::with_api(api).await;
        stub.on(stop, StubReply::status(200));
        stub.on(start, StubReply::status(204));
        let (client, _) = client(&stub);
        client.stop(&handle()).await.unwrap();
        client.start(&handle()).await.unwrap();
        assert_eq!(stub.requests_to(stop).remove(0).form("hashes").as_deref(), Some(V1));
        assert_eq!(stub.requests_to(start).remove(0).form("hashes").as_deref(), Some(V1));
        assert_eq!(stub.requests_to("app/webapiVersion").len(), 1, "asked once a session");
    }
    // A client that says it is new and knows only the old names.
    let stub = QbtStub::with_api("2.11.4").await;
    stub.on("torrents/pause", StubReply::status(200));
    let (client, _) = client(&stub);
    client.stop(&handle()).await.unwrap();
    assert_eq!(client.start(&handle()).await, Err(ClientError::NotFound));
}

#[tokio::test]
async fn the_version_is_asked_again_after_a_login() {
    spec!("qbittorrent-client#versions-by-the-api/a-client-that-was-updated");
    let stub = QbtStub::with_api("2.8.19").await;
    stub.on("torrents/pause", StubReply::status(200));
    let (client, _) = client(&stub);
    client.stop(&handle()).await.unwrap();
    // It restarts as another version: the session is gone.
    stub.require_cookie("SID=two");
    stub.on("auth/login", StubReply::status(204).header("Set-Cookie", "SID=two"));
    stub.on("app/webapiVersion", StubReply::text(200, "2.16.2"));
    stub.on("torrents/stop", StubReply::status(204));
    stub.on("torrents/pause", StubReply::status(404));
    client.stop(&handle()).await.unwrap();
    client.stop(&handle()).await.unwrap();
    assert_eq!(stub.requests_to("app/webapiVersion").len(), 2);
}

#[tokio::test]
async fn a_wish_about_one_torrent_never_reaches_others() {
    spec!("qbittorrent-client#steering/a-handle-that-means-many");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    client.probe().await.unwrap_err();
    let before = stub.requests().len();
    for odd in ["all", "", &format!("{V1}|{V1}"), "zz"] {
        let odd = Handle(odd.into());
        assert_eq!(client.remove(&odd, Removal::DeleteData).await, Err(ClientError::NotFound));
        assert_eq!(client.stop(&odd).await, Err(ClientError::NotFound));
        assert_eq!(client.drop_tags(&odd, &["a".into()]).await, Err(ClientError::NotFound));
    }
    assert_eq!(stub.requests().len(), before);
}

#[tokio::test]
async fn removing_says_what_becomes_of_the_data() {
    spec!("qbittorrent-client#steering/removing");
    let stub = QbtStub::with_api("2.16.2").await;
    let delete = "torrents/delete";
    stub.on(delete, StubReply::status(200));
    let (client, _) = client(&stub);
    client.remove(&handle(), Removal::KeepData).await.unwrap();
    client.remove(&handle(), Removal::DeleteData).await.unwrap();
    let told: Vec<_> =
        stub.requests_to(delete).iter().map(|request| request.form("deleteFiles")).collect();
    assert_eq!(told, [Some("false".into()), Some("true".into())]);
    stub.on(delete, StubReply::status(404));
    assert_eq!(client.remove(&handle(), Removal::KeepData).await, Ok(()));
    stub.on(delete, StubReply::status(409));
    let got = client.remove(&handle(), Removal::KeepData).await;
    assert!(matches!(got, Err(ClientError::Unreachable(_))));
}

#[tokio::test]
async fn dropped_tags_are_deleted_and_no_tags_are_no_call() {
    spec!("qbittorrent-client#steering/tags");
    let stub = QbtStub::with_api("2.16.2").await;
    for endpoint in ["torrents/addTags", "torrents/removeTags", "torrents/deleteTags"] {
        stub.on(endpoint, StubReply::status(204));
    }
    let (client, _) = client(&stub);
    client.add_tags(&handle(), &["a".into(), "b".into()]).await.unwrap();
    client.drop_tags(&handle(), &["b".into()]).await.unwrap();
    let put = stub.requests_to("torrents/addTags").remove(0);
    assert_eq!(
        (put.form("hashes").as_deref(), put.form("tags").as_deref()),
        (Some(V1), Some("a,b"))
    );
    let off = stub.requests_to("torrents/removeTags").remove(0);
    assert_eq!((off.form("hashes").as_deref(), off.form("tags").as_deref()), (Some(V1), Some("b")));
    let gone = stub.requests_to("torrents/deleteTags").remove(0);
    assert_eq!(gone.form("tags").as_deref(), Some("b"));
    let before = stub.requests().len();
    client.add_tags(&handle(), &[]).await.unwrap();
    client.drop_tags(&handle(), &[]).await.unwrap();
    assert_eq!(stub.requests().len(), before, "no tags would mean all tags");
}

#[tokio::test]
async fn a_probe_tells_what_the_client_is() {
    spec!("qbittorrent-client#what-the-client-is/a-healthy-client");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on("app/version", StubReply::text(200, "v5.3.0\n"));
    stub.on("app/defaultSavePath", StubReply::text(200, "/downloads"));
    stub.on(
        "app/preferences",
        StubReply::json(
            &json!({"max_ratio_enabled": true, "max_ratio_act": 1, "temp_path_enabled": true}),
        ),
    );
    let (client, _) = client(&stub);
    let info = client.probe().await.unwrap();
    assert_eq!(
        (info.version.as_str(), info.default_save_path.0.as_str()),
        ("v5.3.0", "/downloads")
    );
    assert_eq!(info.notices.len(), 1);
    stub.on("app/webapiVersion", StubReply::text(404, "Not Found"));
    let (other, _) = super::client(&stub);
    assert!(matches!(other.probe().await, Err(ClientError::Unreachable(_))));
}

#[tokio::test]
async fn a_path_in_front_of_the_api_is_kept() {
    spec!("qbittorrent-client#calls-are-bounded/behind-a-proxy-path");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(INFO, StubReply::text(200, "[]"));
    let behind = QbittorrentConfig { url: format!("{}/qbt/?x#y", stub.url()), ..config(&stub) };
    let client = Qbittorrent::new(behind, Arc::new(FixedClock::new())).unwrap();
    assert_eq!(client.observe(&Scope::Everything).await, Ok(Vec::new()));
    assert!(stub.requests().iter().all(|request| request.path.starts_with("/qbt/api/v2/")));
}

#[test]
fn settings_that_cannot_be_used_are_errors() {
    spec!("qbittorrent-client#calls-are-bounded/an-address-that-is-none");
    let new = |config| Qbittorrent::new(config, Arc::new(FixedClock::new())).unwrap_err();
    for url in ["", "localhost:8080", "ftp://h/", "http://"] {
        let config = QbittorrentConfig { url: url.into(), ..QbittorrentConfig::default() };
        assert_eq!(new(config), ConfigError::Url { client: "qbittorrent".into() }, "{url}");
    }
    let key =
        QbittorrentConfig { api_key: Some(Secret::new("a\nb")), ..QbittorrentConfig::default() };
    assert!(matches!(new(key), ConfigError::ApiKey { .. }));
    let mapping = PathMapping { client: "downloads".into(), local: "/data".into() };
    let path = QbittorrentConfig { path_map: vec![mapping], ..QbittorrentConfig::default() };
    assert!(matches!(new(path), ConfigError::PathMap { .. }));
}
