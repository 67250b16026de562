//! Handing over, as it goes over the wire.

use tracker_domain::observed::ClientPath;
use tracker_domain::ports::{AddOutcome, AddRequest, AddSource, ClientError, TorrentClient};
use tracker_testkit::{RECORDED_VERSIONS, StubReply, recording, spec};

use super::*;

const ADD: &str = "torrents/add";

fn magnet() -> AddRequest {
    AddRequest {
        source: AddSource::Magnet(format!("magnet:?xt=urn:btih:{V1}&dn=A%20%26%20B")),
        save_path: Some(ClientPath("/downloads/Кино & co".into())),
        tags: vec!["tracker".into(), "tracker-01h".into()],
        category: "films".into(),
    }
}

#[tokio::test]
async fn an_add_says_everything() {
    spec!("qbittorrent-client#an-add-says-everything/a-magnet");
    for (api, unchecked) in
        [("2.8.19", "skip_checking"), ("2.11.4", "skip_checking"), ("2.16.2", "seedMode")]
    {
        let stub = QbtStub::with_api(api).await;
        stub.on(ADD, StubReply::text(200, "Ok."));
        let (client, _) = client(&stub);
        assert_eq!(client.add(&magnet()).await, Ok(AddOutcome::Accepted));
        let sent = stub.requests_to(ADD).remove(0);
        let link = format!("magnet:?xt=urn:btih:{V1}&dn=A%20%26%20B");
        for (field, value) in [
            ("urls", link.as_str()),
            ("savepath", "/downloads/Кино & co"),
            ("autoTMM", "false"),
            ("useDownloadPath", "false"),
            ("downloadPath", ""),
            ("stopCondition", "None"),
            ("contentLayout", "Original"),
            ("category", "films"),
            ("tags", "tracker,tracker-01h"),
            ("paused", "false"),
            ("stopped", "false"),
            (unchecked, "false"),
        ] {
            assert_eq!(sent.form(field).as_deref(), Some(value), "{field} for {api}");
        }
    }
}

#[tokio::test]
async fn a_torrent_file_goes_as_a_file() {
    spec!("qbittorrent-client#an-add-says-everything/a-torrent-file");
    let stub = QbtStub::with_api("2.16.2").await;
    stub.on(ADD, StubReply::text(200, "Ok."));
    let (client, _) = client(&stub);
    let file = AddRequest {
        source: AddSource::Torrent(b"d4:infod4:name1:aee".to_vec()),
        save_path: None,
        ..magnet()
    };
    assert_eq!(client.add(&file).await, Ok(AddOutcome::Accepted));
    let sent = stub.requests_to(ADD).remove(0);
    assert_eq!(sent.form("torrents").as_deref(), Some("d4:infod4:name1:aee"));
    assert_eq!(sent.form("contentLayout").as_deref(), Some("Original"));
    assert_eq!(sent.form("stopped").as_deref(), Some("false"));
    // Without a folder of ours the client's default counts.
    assert_eq!((sent.form("savepath"), sent.form("urls")), (None, None));
}

#[tokio::test]
async fn recorded_answers_mean_the_same_in_each_version() {
    spec!("qbittorrent-client#answers-to-an-add/answers-of-each-version");
    for (version, api) in RECORDED_VERSIONS.into_iter().zip(["2.8.19", "2.11.4", "2.16.2"]) {
        let steps = recording(version, "add");
        for (name, meaning) in [
            ("new v1 magnet that nobody has", Ok(AddOutcome::Accepted)),
            ("the same magnet again", Ok(AddOutcome::Refused)),
            ("magnet with a short hash", Ok(AddOutcome::Refused)),
            ("no parameters", Ok(AddOutcome::Refused)),
            ("new .torrent", Ok(AddOutcome::Accepted)),
            ("hybrid magnet (both hashes) while present", Ok(AddOutcome::Refused)),
            ("new v2-only magnet", Ok(AddOutcome::Accepted)),
            ("a file that is no torrent", Err(())),
            ("an empty file", Err(())),
        ] {
            let stub = QbtStub::with_api(api).await;
            let step = steps.iter().find(|step| step["step"] == name).unwrap();
            stub.on(ADD, StubReply::recorded(step));
            let (client, _) = client(&stub);
            let got = client.add(&magnet()).await;
            match meaning {
                Ok(meaning) => assert_eq!(got, Ok(meaning), "{version}: {name}"),
                Err(()) => {
                    assert!(matches!(got, Err(ClientError::Rejected(_))), "{version}: {name}");
                }
            }
        }
        let stub = QbtStub::with_api(api).await;
        let step =
            steps.iter().find(|step| step["step"] == "link to a server that refuses").unwrap();
        stub.on(ADD, StubReply::recorded(step));
        let (client, _) = client(&stub);
        let later = if version == "5.3.0" { AddOutcome::Pending } else { AddOutcome::Accepted };
        assert_eq!(client.add(&magnet()).await, Ok(later), "{version}");
    }
}

#[tokio::test]
async fn a_lost_answer_is_not_sent_again() {
    spec!("qbittorrent-client#answers-to-an-add/an-unclear-answer");
    let stub = QbtStub::with_api("2.16.2").await;
    let (client, _) = client(&stub);
    let counts = r#"{"success_count":1,"failure_count":0,"pending_count":0}"#;
    for reply in [
        StubReply::status(500),
        StubReply::status(400),
        StubReply::text(200, counts).cut_at(20),
        StubReply::text(200, &counts[..20]),
    ] {
        stub.once(ADD, reply);
        assert!(matches!(client.add(&magnet()).await, Err(ClientError::Unreachable(_))));
    }
    assert_eq!(stub.requests_to(ADD).len(), 4, "one try for one add");
}
