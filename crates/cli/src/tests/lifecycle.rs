//! `retry`, `move`, `cancel`, `remove`, `discover`, `adopt`, and the exit codes of refusals.

use tracker_app::{AppError, FieldError};
use tracker_domain::{DownloadState, EntityKind, MagnetError};
use tracker_testkit::spec;
use tracker_wire::{AdoptionDto, DiscoveredDto, DownloadDto, ErrorDto, Problem};

use super::fake::{Fake, HASH, ID, download};
use super::{ALONE, asked, json, ran};
use crate::{ApiFailure, failure_of};

#[tokio::test]
async fn retry_and_cancel_print_the_download() {
    spec!("command-line#lifecycle-commands/retry-and-cancel");
    let fake = Fake::new();
    let found = ran(&fake, &["retry", ID, "--client", "other"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, format!("{ID}\tdownloading\n").as_str()));
    let found = ran(&fake, &["cancel", ID, "--remove-torrent", "--delete-data", "--json"]).await;
    assert_eq!(json(&found.out)["revision"], 7);
    assert_eq!(found.err, ALONE);
    assert_eq!(
        fake.calls(),
        [format!("retry {ID} Some(\"other\")"), format!("cancel {ID} true true")]
    );
    assert_eq!(ran(&fake, &["cancel", ID, "--delete-data"]).await.code, 2);
    assert_eq!(fake.calls().len(), 2);
}

#[tokio::test]
async fn remove_prints_the_download_and_what_stays() {
    spec!("command-line#lifecycle-commands/remove");
    let fake = Fake::new();
    let found = ran(&fake, &["remove", ID]).await;
    assert_eq!((found.code, found.out), (0, format!("{ID}\tdownloading\tremoved\n")));
    assert_eq!(found.err, "", "nothing is left to do for a daemon");
    let all = ["remove", ID, "--links", "--remove-torrent", "--delete-data"];
    let found = ran(&fake, &all).await;
    assert_eq!((found.code, found.out), (0, format!("{ID}\tdownloading\tremoved\n")));
    assert_eq!(found.err, format!("left: /lib/Film.mkv (shared)\n{ALONE}"));
    let found = ran(&fake, &["remove", ID, "--links", "--json"]).await;
    let told = json(&found.out);
    assert_eq!((&told["id"], &told["left"][0]["reason"]), (&ID.into(), &"shared".into()));
    assert_eq!(
        fake.calls(),
        [
            format!("remove {ID} false false false"),
            format!("remove {ID} true true true"),
            format!("remove {ID} true false false"),
        ]
    );
    assert_eq!(ran(&fake, &["remove", ID, "--delete-data"]).await.code, 2);
    assert_eq!(ran(&fake, &["remove", "no-id"]).await.code, 3);
    assert_eq!(fake.calls().len(), 3);
}

#[tokio::test]
async fn move_prints_the_download() {
    spec!("command-line#lifecycle-commands/move");
    let fake = Fake::new();
    let found = ran(&fake, &["move", ID, "other"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, format!("{ID}\tdownloading\n").as_str()));
    assert_eq!(fake.calls(), [format!("move {ID} other")]);
    assert_eq!(ran(&fake, &["move", ID]).await.code, 2);
}

#[tokio::test]
async fn priority_prints_the_download() {
    spec!("command-line#lifecycle-commands/priority");
    let fake = Fake::new();
    let found = ran(&fake, &["priority", ID, "first"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, format!("{ID}\tdownloading\n").as_str()));
    assert_eq!(json(&ran(&fake, &["priority", ID, "last", "--json"]).await.out)["id"], ID);
    assert_eq!(fake.calls(), [format!("prioritise {ID} first"), format!("prioritise {ID} last")]);
    let wrong = ran(&fake, &["priority", ID, "7"]).await;
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("first") && wrong.err.contains("last"), "{}", wrong.err);
}

#[tokio::test]
async fn a_pause_is_shown() {
    spec!("command-line#lifecycle-commands/pause-and-resume");
    let fake = Fake::new();
    let paused = ran(&fake, &["pause", ID]).await;
    assert_eq!(
        (paused.code, paused.out.as_str()),
        (0, format!("{ID}\tdownloading\tpaused\n").as_str())
    );
    assert_eq!(json(&ran(&fake, &["pause", ID, "--json"]).await.out)["paused"], true);
    let resumed = ran(&fake, &["resume", ID]).await;
    assert_eq!(
        (resumed.out.as_str(), resumed.err.as_str()),
        (format!("{ID}\tdownloading\n").as_str(), ALONE)
    );
    let calls = fake.calls();
    assert_eq!(calls, [format!("pause {ID}"), format!("pause {ID}"), format!("resume {ID}")]);
    {
        let mut state = fake.state.lock().unwrap();
        state.downloads = vec![DownloadDto { paused: true, ..download(ID) }];
        state.look = Some(|download| download.paused = true);
    }
    assert!(ran(&fake, &["list"]).await.out.contains("downloading (paused)"));
    assert!(ran(&fake, &["show", ID]).await.out.contains("downloading (paused)"));
}

fn found(client: &str, name: &str) -> DiscoveredDto {
    DiscoveredDto {
        client: client.to_owned(),
        name: name.to_owned(),
        infohashes: vec![HASH.to_owned()],
        size: Some(1_610_612_736),
        state: "uploading".to_owned(),
        note: None,
    }
}

#[tokio::test]
async fn what_is_nobodys_is_listed_with_whole_hashes() {
    spec!("command-line#lifecycle-commands/discover");
    let fake = Fake::new();
    fake.state.lock().unwrap().discovered = vec![found("home", "A")];
    insta::assert_snapshot!(ran(&fake, &["discover"]).await.out, @r"
    CLIENT  INFOHASH                                  SIZE     STATE      NAME
    home    00112233445566778899aabbccddeeff00112233  1.5 GiB  uploading  A
    ");
    assert_eq!(
        json(&ran(&fake, &["discover", "--json"]).await.out)["items"][0]["size"],
        1_610_612_736_u64
    );
}

#[tokio::test]
async fn one_is_adopted() {
    spec!("command-line#lifecycle-commands/adopt");
    let fake = Fake::new();
    let one = ran(&fake, &["adopt", HASH, "--client", "home"]).await;
    assert_eq!((one.code, one.out.as_str()), (0, format!("{ID}\tcreated\n").as_str()));
    assert_eq!(fake.calls(), [format!("adopt Some(\"home\") {HASH}")]);
    let wrong: [&[&str]; 6] = [
        &["adopt"],
        &["adopt", "xyz"],
        &["adopt", HASH, "--all"],
        &["adopt", HASH, "--yes"],
        &["adopt", HASH, "--dry-run"],
        &["adopt", "--all", "--yes", "--dry-run"],
    ];
    for wrong in wrong {
        assert_eq!(ran(&fake, wrong).await.code, 2, "{wrong:?}");
    }
}

/// Two clients with torrents of nobody, and one that does not answer.
fn in_use() -> Fake {
    let fake = Fake::new();
    let mut state = fake.state.lock().unwrap();
    state.discovered = vec![found("home", "A"), found("office", "B"), found("home", "C")];
    state.discovered[2].note = Some("the same torrent as one in \"office\"".to_owned());
    state.away = vec![AdoptionDto {
        client: "shed".to_owned(),
        error: Some(ErrorDto {
            code: "client-unreachable".to_owned(),
            detail: "no answer".to_owned(),
        }),
        known: 0,
        twins: Vec::new(),
        torrents: Vec::new(),
    }];
    drop(state);
    fake
}

#[tokio::test]
async fn all_are_shown_before_they_are_adopted() {
    spec!("command-line#moving-in/a-rehearsal");
    let fake = in_use();
    let shown = ran(&fake, &["adopt", "--all", "--dry-run"]).await;
    insta::assert_snapshot!(shown.out, @r#"
    CLIENT  INFOHASH                                  SIZE     STATE      NAME
    home    00112233445566778899aabbccddeeff00112233  1.5 GiB  uploading  A
    home    00112233445566778899aabbccddeeff00112233  1.5 GiB  uploading  C
                                                                          (the same torrent as one in "office")
    office  00112233445566778899aabbccddeeff00112233  1.5 GiB  uploading  B
    home: 2 torrents to adopt, 3.0 GiB; 2 known already
    office: 1 torrent to adopt, 1.5 GiB; 2 known already
    "#);
    assert_eq!((shown.code, shown.err.as_str()), (6, "tracker: shed: no answer\n"));
    assert_eq!(fake.calls(), ["adoption None"]);
    let shape = json(&ran(&fake, &["adopt", "--all", "--dry-run", "--json"]).await.out);
    assert_eq!(shape["items"][0]["torrents"][1]["note"], "the same torrent as one in \"office\"");
}

#[tokio::test]
async fn all_are_adopted_whatever_becomes_of_one() {
    spec!("command-line#moving-in/without-a-terminal");
    let fake = in_use();
    let refused = ApiFailure::not_found("gone meanwhile");
    fake.state.lock().unwrap().failures = [None, None, Some(refused)].into();
    let all = ran(&fake, &["adopt", "--all"]).await;
    // A client that is away weighs more than a torrent that is gone.
    assert_eq!(all.code, 6);
    assert_eq!(all.out.lines().count(), 2, "{}", all.out);
    assert!(all.err.contains(&format!("{HASH}: gone meanwhile")), "{}", all.err);
    assert!(all.err.contains("home: 2 torrents to adopt, 3.0 GiB; 2 known already"), "{}", all.err);
    assert!(all.err.ends_with(ALONE));
    assert_eq!(fake.calls(), ["adoption None", "adopt home 2", "adopt office 1"]);
    // A client whose answer fails as a whole keeps no other from it.
    let fake = in_use();
    fake.state.lock().unwrap().failures = [None, Some(ApiFailure::unreachable("broken"))].into();
    let all = ran(&fake, &["adopt", "--all", "--yes"]).await;
    assert_eq!((all.code, all.out.lines().count()), (6, 1));
    let fake = in_use();
    let one = ran(&fake, &["adopt", "--all", "--client", "office", "--json"]).await;
    assert_eq!(json(&one.out)["created"], true);
    assert_eq!(fake.calls(), ["adoption Some(\"office\")", "adopt office 1"]);
}

#[tokio::test]
async fn a_person_is_asked() {
    spec!("command-line#moving-in/on-a-terminal");
    for (said, adopted) in
        [("y\n", true), ("YES\n", true), ("n\n", false), ("\n", false), ("", false)]
    {
        let fake = in_use();
        let all = asked(&fake, &["adopt", "--all"], said, Some(200)).await;
        assert!(all.err.contains("Adopt 3?"), "{}", all.err);
        assert!(all.out.contains("(the same torrent as one in"), "{}", all.out);
        assert_eq!(fake.calls().len(), if adopted { 3 } else { 1 }, "{said:?}");
    }
    let fake = in_use();
    let all = asked(&fake, &["adopt", "--all", "--yes"], "", Some(200)).await;
    assert!(!all.err.contains("Adopt 3?"), "{}", all.err);
    assert_eq!(fake.calls().len(), 3);
}

#[tokio::test]
async fn what_waits_for_a_daemon_is_told() {
    spec!("command-line#commands-run-where-the-data-is/nobody-goes-on-with-it");
    for line in [&["ingest", HASH, HASH][..], &["retry", ID], &["cancel", ID], &["adopt", HASH]] {
        assert_eq!(ran(&Fake::new(), line).await.err, ALONE, "{line:?}");
        let shape = ran(&Fake::new(), &[line, &["--json"]].concat()).await;
        assert_eq!(shape.err, ALONE, "{line:?}");
    }
    // Where nothing was noted down there is nothing to go on with.
    let refused = Fake::failing(ApiFailure::refused("illegal-transition", "no"));
    assert_eq!(ran(&refused, &["retry", ID]).await.err, "tracker: no\n");
    assert_eq!(ran(&Fake::new(), &["adopt", "--all"]).await.err, "");
    assert!(!ran(&Fake::new(), &["ingest", "bad"]).await.err.contains(ALONE));
}

#[tokio::test]
async fn a_refusal_is_on_stderr_and_in_the_exit_code() {
    spec!("command-line#exit-codes-say-what-happened/a-refusal");
    let refusals = [
        (ApiFailure::failed("a"), 1),
        (ApiFailure::usage("b"), 2),
        (ApiFailure::not_found("c"), 3),
        (ApiFailure::refused("illegal-transition", "d"), 5),
        (ApiFailure::unreachable("e"), 6),
        (ApiFailure::unauthorised("f"), 7),
    ];
    for (failure, code) in refusals {
        let text = failure.to_string();
        let ran = ran(&Fake::failing(failure), &["retry", ID]).await;
        assert_eq!((ran.code, ran.out.as_str()), (code, ""));
        assert_eq!(ran.err, format!("tracker: {text}\n"));
    }
}

#[test]
fn each_refusal_of_the_services_has_a_code() {
    spec!("command-line#exit-codes-say-what-happened/by-kind-of-refusal");
    let id: tracker_ident::AnyId = ID.parse().unwrap();
    let named = || ("x".to_owned(), "a, b".to_owned());
    let cases = [
        (
            AppError::InvalidRequest(vec![FieldError::body("/hint", "too long")]),
            2,
            "invalid-request",
        ),
        (AppError::InvalidMagnet(MagnetError::Empty), 2, "invalid-magnet"),
        (AppError::InvalidPin("x".to_owned()), 2, "invalid-pin"),
        (AppError::UnknownField("x".to_owned()), 2, "unknown-field"),
        (AppError::Superseded, 5, "superseded"),
        (AppError::UnknownLibrary { name: named().0, known: named().1 }, 2, "unknown-library"),
        (AppError::UnknownClient { name: named().0, known: named().1 }, 2, "unknown-client"),
        (AppError::NotFound { kind: EntityKind::Download, id }, 3, "not-found"),
        (AppError::TorrentNotFound { client: "x".to_owned() }, 3, "not-found"),
        (
            AppError::WrongEntityKind { kind: EntityKind::Event, id, url: "/u".to_owned() },
            3,
            "wrong-entity-kind",
        ),
        (
            AppError::InfohashOwned { owner: id.typed(), detail: "d".to_owned() },
            5,
            "infohash-owned",
        ),
        (
            AppError::IllegalTransition { state: DownloadState::Done, detail: "d".to_owned() },
            5,
            "illegal-transition",
        ),
        (
            AppError::ClientUnreachable { client: "x".to_owned(), detail: "d".to_owned() },
            6,
            "client-unreachable",
        ),
        (AppError::Busy, 6, "not-ready"),
        (AppError::Internal("disk on fire".into()), 1, "internal-error"),
    ];
    for (error, exit, code) in cases {
        let said = error.to_string();
        let failure = failure_of(error);
        assert_eq!((failure.exit, failure.problem.code.as_str()), (exit, code), "{said}");
        assert!(failure.to_string().starts_with(&said), "{failure}");
        // A daemon that says the same leads to the same exit code.
        if code != "internal-error" {
            assert_eq!(ApiFailure::of_problem(*failure.problem).exit, exit);
        }
    }
    let fields = failure_of(AppError::InvalidRequest(vec![FieldError::body("/hint", "too long")]));
    assert!(fields.to_string().contains("/hint: too long"));
    assert!(
        failure_of(AppError::Internal("disk on fire".into())).to_string().contains("disk on fire")
    );
}

#[test]
fn a_code_of_a_newer_daemon_goes_by_its_status() {
    spec!("command-line#exit-codes-say-what-happened/an-unknown-code");
    for (status, exit) in [(401, 7), (403, 7), (404, 3), (409, 5), (422, 2), (500, 1), (503, 6)] {
        let problem = Problem { code: "brand-new".to_owned(), status, ..Problem::default() };
        assert_eq!(ApiFailure::of_problem(problem).exit, exit, "{status}");
    }
}
