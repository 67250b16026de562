//! `ingest`: a line for each input.

use proptest::prelude::*;
use tracker_testkit::spec;

use super::fake::{Fake, HASH, ID};
use super::{ALONE, json, piped, ran, typed};
use crate::{ApiFailure, Surroundings};

/// A small v1 torrent of one file.
const TORRENT: &[u8] =
    b"d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee";

#[tokio::test]
async fn each_input_has_its_line_in_order() {
    spec!("command-line#ingest-answers-each-input/a-line-for-each-one");
    let fake = Fake::new();
    let link = format!("magnet:?xt=urn:btih:{HASH}&dn=x");
    let found = ran(&fake, &["ingest", &link, &HASH.to_uppercase(), "--hint", "a film"]).await;
    assert_eq!(found.code, 0);
    assert_eq!(found.out, format!("{ID}\tcreated\n{ID}\texisting\n"));
    assert_eq!(found.err, ALONE);
    let call = format!("ingest {HASH} Some(\"a film\")");
    assert_eq!(fake.calls(), [call.clone(), call]);
}

#[tokio::test]
async fn json_prints_the_answer_of_rest_a_line() {
    spec!("command-line#ingest-answers-each-input/as-json");
    let found = ran(&Fake::new(), &["ingest", HASH, HASH, "--json"]).await;
    let lines: Vec<_> = found.out.lines().map(json).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["created"], true);
    assert_eq!(lines[1]["created"], false);
    assert_eq!(lines[1]["download"]["id"], ID);
}

#[tokio::test]
async fn a_bad_input_stops_none_of_the_others() {
    spec!("command-line#ingest-answers-each-input/a-bad-one-among-them");
    let fake = Fake::new();
    let found =
        ran(&fake, &["ingest", "no such thing", HASH, "magnet:?dn=x", "gone.torrent"]).await;
    assert_eq!(found.code, 2);
    assert_eq!(found.out, format!("{ID}\tcreated\n"));
    let told: Vec<&str> = found.err.lines().collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("tracker: input 1: \"no such thing\" is neither a magnet link"));
    assert!(told[1].starts_with("tracker: input 3: the link has no xt="));
    assert!(told[2].starts_with("tracker: input 4: \"gone.torrent\" is neither"));
}

#[tokio::test]
async fn the_highest_exit_code_is_that_of_the_command() {
    spec!("command-line#ingest-answers-each-input/the-exit-code");
    let fake = Fake::new();
    {
        let mut state = fake.state.lock().unwrap();
        state.failures.push_back(Some(ApiFailure::refused("infohash-owned", "owned")));
        state.failures.push_back(None);
        state.failures.push_back(Some(ApiFailure::not_found("none")));
    }
    let found = ran(&fake, &["ingest", HASH, HASH, HASH, "bad"]).await;
    assert_eq!(found.code, 5);
    assert_eq!(found.out.lines().count(), 1);
    assert_eq!(found.err.lines().count(), 4);
}

#[tokio::test]
async fn inputs_can_come_from_stdin() {
    spec!("command-line#ingest-answers-each-input/from-standard-input");
    let fake = Fake::new();
    let input = format!("{HASH}\n\n  magnet:?xt=urn:btih:{HASH}\r\nbad\n{HASH}");
    let found = typed(&fake, &["ingest", "-"], &input, &Surroundings::default()).await;
    assert_eq!(found.out.lines().count(), 3);
    assert_eq!(found.code, 2);
    assert!(found.err.starts_with("tracker: input 3: "), "{}", found.err);
    // A pipe that brought nothing is told, and fails nothing.
    let empty = typed(&fake, &["ingest", "-"], "\n", &Surroundings::default()).await;
    assert_eq!((empty.code, empty.out.as_str()), (0, ""));
    assert_eq!(empty.err, "tracker: there is no link on standard input\n");
}

#[tokio::test]
async fn a_torrent_can_come_from_stdin() {
    spec!("command-line#ingest-answers-each-input/a-torrent-on-standard-input");
    let fake = Fake::new();
    // With every byte there is, line feeds too.
    let hashes: Vec<u8> = (0..=255).cycle().take(20 * 64).collect();
    let head = b"d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces1280:";
    let binary = [&head[..], &hashes, b"ee"].concat();
    let found = piped(&fake, &["ingest", "-", HASH], &binary).await;
    assert_eq!((found.code, found.out), (0, format!("{ID}\tcreated\n{ID}\texisting\n")));
    assert_eq!(fake.calls(), ["ingest torrent a.txt None", &format!("ingest {HASH} None")]);
    let cut = piped(&fake, &["ingest", "-"], &binary[..700]).await;
    assert_eq!((cut.code, cut.out.as_str()), (2, ""));
    assert!(cut.err.starts_with("tracker: input 1: standard input: the file is cut off"));
    let page = piped(&fake, &["ingest", "-"], b"<!DOCTYPE html>\n<html>\n</html>\n").await;
    assert_eq!((page.code, page.err.lines().count()), (2, 1), "{}", page.err);
    assert!(page.err.contains("web page (HTML)"), "{}", page.err);
    let large = piped(&fake, &["ingest", "-"], &[b"d4:info", &[b'1'; 11 << 20][..]].concat()).await;
    assert!(large.err.contains("the limit is 10485760"), "{}", large.err);
}

#[tokio::test]
async fn a_torrent_file_is_read() {
    spec!("command-line#ingest-answers-each-input/a-torrent-file");
    let fake = Fake::new();
    let path = fake.dir.path().join("some file");
    std::fs::write(&path, TORRENT).unwrap();
    let broken = fake.dir.path().join("broken.torrent");
    std::fs::write(&broken, b"<html>").unwrap();
    let folder = fake.dir.path().display().to_string();
    let line = ["ingest", path.to_str().unwrap(), broken.to_str().unwrap(), &folder];
    let found = ran(&fake, &line).await;
    assert_eq!(found.out, format!("{ID}\tcreated\n"));
    assert_eq!(fake.calls(), ["ingest torrent a.txt None"]);
    assert_eq!((found.code, found.err.lines().count()), (2, 3), "{}", found.err);
}

#[tokio::test]
async fn a_link_is_never_repeated() {
    spec!("command-line#ingest-answers-each-input/no-passkey-in-a-message");
    let link = "magnet:?xt=urn:btih:short&tr=http%3A%2F%2Ftracker%2Fpasskey123";
    let found = ran(&Fake::new(), &["ingest", link]).await;
    assert_eq!(found.code, 2);
    assert!(!found.err.contains("passkey123"), "{}", found.err);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Each input has exactly one line, on one of the two streams, whatever it is.
    #[test]
    fn every_input_is_answered_once(kinds in prop::collection::vec(0..3_u8, 1..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let link = format!("magnet:?xt=urn:btih:{HASH}");
        let words: Vec<&str> = kinds
            .iter()
            .map(|kind| match kind { 0 => HASH, 1 => link.as_str(), _ => "neither" })
            .collect();
        let line: Vec<&str> = ["ingest"].into_iter().chain(words).collect();
        let found = runtime.block_on(ran(&Fake::new(), &line));
        let bad = kinds.iter().filter(|kind| **kind > 1).count();
        prop_assert_eq!(found.out.lines().count(), kinds.len() - bad);
        let alone = usize::from(bad < kinds.len());
        prop_assert_eq!(found.err.lines().count(), bad + alone);
        prop_assert_eq!(found.code, if bad > 0 { 2 } else { 0 });
    }
}
