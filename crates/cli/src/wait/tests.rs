//! The wait as a person meets it, with the clock standing still between looks.

use proptest::prelude::*;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;
use tracker_wire::DownloadDto;

use super::rest::{Rest, advice, passes, rest_of};
use super::screen::words;
use super::{Followed, PATIENCE};
use crate::ApiFailure;
use crate::tests::fake::{Fake, HASH, ID, download};
use crate::tests::{Ran, json, ran};

const GOES_ON: &str = "nothing is seeded while no tracker runs; `tracker serve` goes on\n";

fn stepping(steps: &[fn(&mut DownloadDto)]) -> Fake {
    let fake = Fake::new();
    fake.state.lock().unwrap().steps.extend(steps);
    fake
}

async fn waited(fake: &Fake) -> Ran {
    ran(fake, &["ingest", HASH, "--wait"]).await
}

fn queued(download: &mut DownloadDto) {
    "queued".clone_into(&mut download.state);
    download.progress = None;
}

fn unclear(download: &mut DownloadDto) {
    download.attention = Some("needs-review".to_owned());
    download.attention_detail = Some("two works have this name".to_owned());
}

fn unclear_and_complete(download: &mut DownloadDto) {
    unclear(download);
    "downloaded".clone_into(&mut download.state);
}

fn done(download: &mut DownloadDto) {
    "done".clone_into(&mut download.state);
    download.progress = None;
}

fn failed(download: &mut DownloadDto) {
    "failed".clone_into(&mut download.state);
    download.error = Some(tracker_wire::ErrorDto {
        code: "client-rejected".to_owned(),
        detail: "the client refuses it".to_owned(),
    });
}

#[tokio::test(start_paused = true)]
async fn it_is_followed_to_done() {
    spec!("command-line#ingest-can-wait/to-the-library");
    let fake = stepping(&[queued, |_| (), done]);
    let found = waited(&fake).await;
    assert_eq!(found.code, 0, "{found:?}");
    assert_eq!(found.out, format!("{ID}\tcreated\n"));
    let told: Vec<&str> = found.err.lines().collect();
    assert_eq!(told[0], format!("{ID}  waits for its client, it is Some Series"));
    assert_eq!(told[1], format!("{ID}  downloading, it is Some Series"));
    assert!(found.err.contains("Some.Film.2020: done"), "{}", found.err);
    let calls = fake.calls();
    assert_eq!(calls.first().map(String::as_str), Some("begin work"));
    assert_eq!(calls.last().map(String::as_str), Some("end work"));
}

#[tokio::test(start_paused = true)]
async fn a_question_about_the_match_ends_it_when_the_bytes_are_there() {
    spec!("command-line#ingest-can-wait/a-person-is-needed");
    let fake = stepping(&[unclear, unclear, unclear_and_complete]);
    let found = waited(&fake).await;
    assert_eq!(found.code, 4);
    let looks = fake.calls().iter().filter(|call| call.starts_with("download ")).count();
    assert_eq!(looks, 3);
    assert!(found.err.contains("two works have this name"), "{}", found.err);
    assert!(found.err.contains(&format!("\n  tracker review {ID}\n")), "{}", found.err);
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_with_what_tries_again() {
    spec!("command-line#ingest-can-wait/it-failed");
    let found = waited(&stepping(&[queued, failed])).await;
    assert_eq!(found.code, 1);
    assert!(found.err.contains("the client refuses it"), "{}", found.err);
    assert!(found.err.contains(&format!("tracker retry {ID}")), "{}", found.err);
}

#[tokio::test(start_paused = true)]
async fn the_highest_code_is_that_of_all() {
    spec!("command-line#ingest-can-wait/several");
    let fake = stepping(&[failed]);
    let found = ran(&fake, &["ingest", HASH, "bad", HASH, "--wait"]).await;
    assert_eq!(found.code, 2);
    // One download is followed once, however often it was named.
    assert_eq!(found.err.matches("failed, the client").count(), 1, "{}", found.err);
}

#[tokio::test(start_paused = true)]
async fn programs_get_an_object_a_change() {
    spec!("command-line#ingest-can-wait/for-programs");
    let fake = stepping(&[queued, queued, queued, |_| (), done]);
    let found = ran(&fake, &["ingest", HASH, "--wait", "--json"]).await;
    let lines: Vec<_> = found.out.lines().map(json).collect();
    let states: Vec<_> = lines.iter().map(|line| line["download"]["state"].clone()).collect();
    assert_eq!(lines[0]["created"], true);
    assert_eq!(states, ["downloading", "queued", "downloading", "done"]);
    assert_eq!(found.err, "");
}

#[tokio::test(start_paused = true)]
async fn the_winner_of_a_merge_is_followed() {
    spec!("command-line#ingest-can-wait/it-was-merged");
    let fake = stepping(&[
        |download| {
            "merged".clone_into(&mut download.state);
            download.merged_into = Some("01jzabcdefghjkmnpqrstvwxy9".to_owned());
        },
        queued,
        done,
    ]);
    let found = waited(&fake).await;
    assert_eq!(found.code, 0);
    assert!(fake.calls().contains(&"download 01jzabcdefghjkmnpqrstvwxy9".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn what_another_process_works_on_is_followed_and_taken_over() {
    spec!("command-line#ingest-can-wait/another-process-is-at-it");
    let fake =
        stepping(&[queued, queued, queued, queued, queued, queued, queued, queued, queued, done]);
    fake.state.lock().unwrap().others_looks = 2;
    let found = waited(&fake).await;
    assert_eq!(found.code, 0);
    assert_eq!(fake.calls().iter().filter(|call| *call == "begin work").count(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_daemon_that_starts_anew_is_waited_for() {
    spec!("command-line#ingest-can-wait/the-daemon-is-away");
    let away = || Some(ApiFailure::unreachable("nobody answers"));
    let fake = stepping(&[done]);
    // One for the start of the work, one for the intake, and then the looks.
    fake.state.lock().unwrap().failures.extend([None, None, away(), away()]);
    assert_eq!(waited(&fake).await.code, 0);

    let fake = stepping(&[queued]);
    let looks = usize::try_from(PATIENCE).unwrap() + 1;
    let silent = [None, None].into_iter().chain(std::iter::repeat_with(away).take(looks));
    fake.state.lock().unwrap().failures.extend(silent);
    let found = waited(&fake).await;
    assert_eq!(found.code, 6);
    assert!(found.err.contains("nobody answers"), "{}", found.err);
    assert_eq!(fake.calls().last().map(String::as_str), Some("end work"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_away_is_told() {
    spec!("command-line#ingest-can-wait/its-client-is-away");
    let fake = stepping(&[queued, done]);
    fake.state.lock().unwrap().health = "error";
    let found = waited(&fake).await;
    let line = format!("{ID}  waits for its client, it is Some Series, home: no connection");
    assert!(found.err.lines().any(|told| told == line), "{}", found.err);
}

fn shown(state: DownloadState, attention: Option<Attention>) -> DownloadDto {
    let mut shown = download(ID);
    state.as_str().clone_into(&mut shown.state);
    shown.attention = attention.map(|code| code.as_str().to_owned());
    shown
}

#[test]
fn where_a_download_rests() {
    spec!("command-line#ingest-can-wait/where-it-rests");
    let word = |rest| match rest {
        Some(Rest::Done) => "done",
        Some(Rest::Person(_) | Rest::Paused) => "person",
        Some(Rest::Ended) => "ended",
        None => "-",
    };
    let mut table = String::new();
    for attention in [None].into_iter().chain(Attention::ALL.iter().copied().map(Some)) {
        let each =
            DownloadState::ALL.iter().map(|state| word(rest_of(&shown(*state, attention), true)));
        let name = attention.map_or("none", Attention::as_str);
        table += &format!("{name:20} {}\n", each.collect::<Vec<_>>().join(" "));
    }
    let states: Vec<&str> = DownloadState::ALL.iter().map(|state| state.as_str()).collect();
    let table = format!("{:20} {}\n{table}", "state", states.join(" "));
    insta::assert_snapshot!(table, @r"
    state                queued downloading downloaded linking done failed cancelled merged
    none                 - - - - done ended ended -
    needs-review         - - person - done ended ended -
    no-metadata          - - person - done ended ended -
    metadata-unavailable - - - - done ended ended -
    stalled              - - - - done ended ended -
    client-unknown       person person person - done ended ended -
    client-error         person person person - done ended ended -
    client-rejected      person person person - done ended ended -
    client-cannot-v2     person person person - done ended ended -
    client-missing       person person person - done ended ended -
    gone-from-client     - - person - done ended ended -
    disk-full            person person person - done ended ended -
    path-unmapped        - - person - done ended ended -
    source-missing       - - person - done ended ended -
    source-changed       - - person - done ended ended -
    link-failed          - - person - done ended ended -
    conflict             - - person - done ended ended -
    archive              - - person - done ended ended -
    unsafe-content       - - person - done ended ended -
    not-media            - - person - done ended ended -
    infohash-owned       person person person - done ended ended -
    merge-differs        - - person - done ended ended -
    ");
}

#[tokio::test(start_paused = true)]
async fn what_is_paused_is_not_waited_for() {
    spec!("command-line#ingest-can-wait/a-person-is-needed");
    let found = waited(&stepping(&[queued, |download| download.paused = true])).await;
    assert_eq!(found.code, 4);
    assert!(
        found.err.ends_with(&format!("paused\n  tracker resume {ID}\n{GOES_ON}")),
        "{}",
        found.err
    );
}

#[test]
fn a_source_that_a_person_must_turn_on_is_not_waited_for() {
    spec!("command-line#ingest-can-wait/where-it-rests");
    let waiting = shown(DownloadState::Downloaded, Some(Attention::MetadataUnavailable));
    let cause = |word: &str| tracker_wire::CauseDto {
        source: "tmdb".to_owned(),
        cause: word.to_owned(),
        detail: String::new(),
    };
    for (word, rests) in [("off", true), ("denied", true), ("not-found", true), ("limited", false)]
    {
        let rest = rest_of(&waiting, passes(&[cause("unreachable"), cause(word)]));
        assert_eq!(rest.is_some(), rests, "{word}");
    }
}

proptest! {
    /// Whatever is shown of it, a line says it without a control character.
    #[test]
    fn every_line_is_one(name in any::<String>(), title in any::<Option<String>>(), note in any::<Option<String>>()) {
        let mut shown = download(ID);
        shown.name = name;
        let mut one = Followed::new(shown).unwrap();
        one.title = title;
        one.note = note;
        prop_assert!(!words(&one, true).chars().any(char::is_control));
    }

    /// What a person should type names the download.
    #[test]
    fn advice_names_the_download(code in prop::sample::select(Attention::ALL)) {
        prop_assert!(advice(code, ID).contains(ID));
    }
}
