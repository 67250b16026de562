//! `review`, `recognize`, `accept`, `reject`, `hint`, `override`, `parse`.

use tracker_testkit::spec;
use tracker_wire::Page;

use super::fake::{Fake, ID, candidate, download, hint, recognition, remembered, set};
use super::server::Server;
use super::{ALONE, Ran, asked, json, ran, typed};
use crate::{Surroundings, Token};

pub(super) const FIRST: &str = "01jz0000000000000000000001";

pub(super) fn with_candidates() -> Fake {
    let fake = Fake::new();
    fake.state.lock().unwrap().candidates = vec![candidate(1), candidate(2)];
    fake
}

pub(super) async fn answered(fake: &Fake, input: &str) -> Ran {
    asked(fake, &["review", ID], input, Some(100)).await
}

#[tokio::test]
async fn a_review_shows_why() {
    spec!("command-line#review-at-the-command-line/shown");
    let fake = with_candidates();
    fake.state.lock().unwrap().look = Some(|download| {
        download.attention = Some("needs-review".to_owned());
        download.attention_detail = Some("two works have this name".to_owned());
    });
    let found = ran(&fake, &["review", ID]).await;
    insta::assert_snapshot!(found.out, @r"
    download     01jzabcdefghjkmnpqrstvwxyz
    name         Some.Film.2020
    state        downloading
    attention    needs-review: two works have this name
    recognition  01jzabcdefghjkmnpqrstvwxy0
    match        proposed
    verdict      doubt
    kind         series
    title        Some Series
    seasons      1, 2
    file         0: Some Series/1.mkv (main, 1.5 MiB, seasons 1, episodes 1, 12.5)
    file         1: (info)
    doubt        two works have this name
    waits for    tmdb (unreachable): no connection

    #  SCORE  WORK       KIND    YEAR  TITLE
    1  0.70   tmdb:tv/1  series  2001  Some Series (Eine Serie)
                                       +0.60 title: the same title
                                       -0.10 year: a year off
    2  0.70   tmdb:tv/2  series  2001  Some Series (Eine Serie)
                                       +0.60 title: the same title
                                       -0.10 year: a year off
    ");
    assert!(found.err.contains(&format!("tracker accept {ID} WORK")), "{}", found.err);
    let shape = json(&ran(&fake, &["review", ID, "--json"]).await.out);
    assert_eq!(shape["recognition"]["fields"]["title"], "Some Series");
    assert_eq!(shape["candidates"]["items"][1]["work"], "tmdb:tv/2");
    fake.state.lock().unwrap().candidates[0].excluded = Some("\u{1b}[31mno".to_owned());
    let found = ran(&fake, &["review", ID]).await.out;
    assert!(found.contains("it cannot be: \u{fffd}[31mno"), "{found}");
}

#[tokio::test]
async fn a_review_says_whether_somebody_is_needed() {
    spec!("command-line#review-at-the-command-line/the-exit-code-of-a-review");
    for (state, code) in
        [("proposed", 4), ("rejected", 4), ("accepted", 0), ("pending", 0), ("waiting", 0)]
    {
        let fake = with_candidates();
        fake.state.lock().unwrap().recognition = state;
        assert_eq!(ran(&fake, &["review", ID]).await.code, code, "{state}");
        assert_eq!(ran(&fake, &["review", ID, "--json"]).await.code, code, "{state}");
        assert!(!fake.calls().iter().any(|call| call.starts_with("accept")), "{state}");
    }
    assert_eq!(ran(&Fake::new(), &["review", "abc"]).await.code, 3);
}

#[tokio::test]
async fn a_review_asks() {
    spec!("command-line#review-at-the-command-line/asked");
    let second = "Some(\"01jz0000000000000000000002\")";
    let accepted = Some(format!("accept {ID} {second}"));
    for (input, code, call) in [
        ("2\n", 0, accepted.clone()),
        ("0\n7\nwhat\n2\n", 0, accepted.clone()),
        ("\n 2 \n", 0, accepted),
        ("n\n", 4, Some(format!("reject {ID}"))),
        ("s\n", 4, None),
        ("", 4, None),
    ] {
        let fake = with_candidates();
        let found = answered(&fake, input).await;
        assert_eq!(found.code, code, "{input:?} {}", found.err);
        assert!(found.err.contains("Which one? 1 to 2, n for none"), "{}", found.err);
        assert_eq!(fake.calls().get(3), call.as_ref(), "{input:?}");
        assert_eq!(found.err.ends_with(ALONE), call.is_some(), "{}", found.err);
    }
    // Where no candidate can be it, the names may.
    for excluded in [true, false] {
        let fake = if excluded { with_candidates() } else { Fake::new() };
        for one in &mut fake.state.lock().unwrap().candidates {
            one.excluded = Some("another title".to_owned());
        }
        assert_eq!(answered(&fake, "0\n").await.code, 0);
        assert_eq!(fake.calls()[3], format!("accept {ID} None"));
    }
    let fake = with_candidates();
    fake.state.lock().unwrap().recognition = "accepted";
    let found = answered(&fake, "1\n").await;
    assert_eq!((found.code, found.err.as_str()), (0, ""));
}

#[tokio::test]
async fn decisions_print_the_state() {
    spec!("command-line#review-at-the-command-line/decided");
    let fake = with_candidates();
    for (line, state) in [
        (&["accept", ID][..], "accepted"),
        (&["accept", ID, FIRST], "accepted"),
        (&["accept", ID, "https://www.themoviedb.org/tv/1-some"], "accepted"),
        (&["reject", ID], "rejected"),
        (&["recognize", ID], "pending"),
    ] {
        let found = ran(&fake, line).await;
        assert_eq!((found.code, found.out), (0, format!("{ID}\t{state}\n")), "{line:?}");
        assert_eq!(found.err, ALONE);
    }
    let (first, look) = (format!("accept {ID} Some({FIRST:?})"), format!("download {ID}"));
    assert_eq!(
        fake.calls(),
        [
            format!("accept {ID} None"),
            look.clone(),
            first.clone(),
            look.clone(),
            format!("candidates {ID}"),
            first,
            look.clone(),
            format!("reject {ID}"),
            look.clone(),
            format!("rerun {ID}"),
            look,
        ]
    );
    assert_eq!(json(&ran(&fake, &["accept", ID, "--json"]).await.out)["state"], "accepted");
}

#[tokio::test]
async fn words_are_printed_as_they_are_kept() {
    spec!("command-line#review-at-the-command-line/said");
    let fake = Fake::new();
    let found = ran(&fake, &["hint", ID, "the", "first one"]).await;
    assert_eq!((found.code, found.out), (0, format!("{ID}\tthe first one\n")));
    let found = ran(&fake, &["override", ID, "episode_offset", "-12"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "episode_offset\t-12\n"), "{}", found.err);
    let found = ran(&fake, &["override", ID, "edition", ""]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "edition\t\n"));
    let found = ran(&fake, &["override", ID, "year", "--remove"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "year\tremoved\n"));
    assert_eq!(json(&ran(&fake, &["hint", ID, "x", "--json"]).await.out)["text"], "x");
    let shape = json(&ran(&fake, &["override", ID, "year", "--remove", "--json"]).await.out);
    assert_eq!(shape["field"], "year");
    let before = fake.calls().len();
    for wrong in [
        &["override", ID, "year"][..],
        &["override", ID, "year", "1999", "--remove"],
        &["override", ID, "a/b", "1"],
        &["override", ID, "..", "1"],
        &["override", ID, "", "1"],
        &["hint", ID],
    ] {
        assert_eq!(ran(&fake, wrong).await.code, 2, "{wrong:?}");
    }
    assert_eq!(fake.calls().len(), before);
}

#[tokio::test]
async fn a_rule_to_be_asked_is_made_and_taken_back() {
    spec!("command-line#review-at-the-command-line/asked-first");
    let fake = Fake::new();
    for (line, call, told) in [
        (&["ask", ID][..], "ask {ID} download", "asks: download"),
        (&["ask", ID, "--title"], "ask {ID} title", "asks: title"),
        (&["ask", ID, "--off"], "ask no more {ID} download", "asks: none"),
        (&["ask", ID, "--off", "--title"], "ask no more {ID} title", "asks: none"),
    ] {
        let before = fake.calls().len();
        let found = ran(&fake, line).await;
        assert_eq!(found.code, 0, "{line:?}: {}", found.err);
        assert_eq!(fake.calls()[before], call.replace("{ID}", ID));
        assert_eq!(found.out, format!("{ID}\tproposed\t{told}\n"));
    }
}

#[tokio::test]
async fn what_is_remembered_is_listed_and_forgotten() {
    spec!("command-line#review-at-the-command-line/remembered");
    let fake = Fake::new();
    let found = ran(&fake, &["override", ID, "kind", "anime", "--remember"]).await;
    assert_eq!((found.code, found.out.as_str()), (0, "kind\tanime\n"), "{}", found.err);
    assert_eq!(fake.calls()[0], format!("override {ID} kind anime, remembered"));
    assert_eq!(ran(&fake, &["override", ID, "kind", "--remove", "--remember"]).await.code, 2);
    for line in [&["remembered"][..], &["remembered", "list"]] {
        let found = ran(&fake, line).await;
        assert_eq!(found.code, 0, "{}", found.err);
        for word in [ID, "GRP", "Some Show", "kind", "anime", "cli:me"] {
            assert!(found.out.contains(word), "{}", found.out);
        }
    }
    let shape = json(&ran(&fake, &["remembered", "--json"]).await.out);
    assert_eq!(shape["items"][0]["release_group"], "GRP");
    let found = ran(&fake, &["remembered", "forget", ID]).await;
    assert_eq!((found.code, found.out), (0, format!("{ID}\tforgotten\n")));
    assert!(fake.calls().contains(&format!("forget {ID}")));
    assert_eq!(ran(&fake, &["remembered", "forget", "x"]).await.code, 3);
}

#[tokio::test]
async fn what_is_remembered_is_asked_over_rest() {
    spec!("command-line#review-at-the-command-line/at-a-daemon");
    let server = Server::start(vec![
        answer(200, &set("kind", "anime")),
        answer(200, &download(ID)),
        answer(200, &Page { items: vec![remembered()], next: None }),
        (204, "text/plain", String::new()),
    ])
    .await;
    for line in [
        &["override", ID, "kind", "anime", "--remember"][..],
        &["remembered"],
        &["remembered", "forget", ID],
    ] {
        let found = typed(&Fake::new(), line, "", &at(&server)).await;
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{line:?}");
    }
    let requests = server.requests();
    let asked: Vec<&str> = requests.iter().map(|text| text.lines().next().unwrap()).collect();
    assert_eq!(
        asked,
        [
            format!("PUT /api/v1/downloads/{ID}/overrides/kind HTTP/1.1"),
            format!("GET /api/v1/downloads/{ID} HTTP/1.1"),
            "GET /api/v1/remembered HTTP/1.1".to_owned(),
            format!("DELETE /api/v1/remembered/{ID} HTTP/1.1"),
        ]
    );
    assert!(requests[0].ends_with(r#"{"value":"anime","remember":true}"#));
}

/// A daemon is named.
fn at(server: &Server) -> Surroundings {
    Surroundings {
        server: Some(server.url.clone()),
        token: Some(Token::new("t0ken")),
        token_file: None,
    }
}

fn answer(status: u16, body: &impl serde::Serialize) -> (u16, &'static str, String) {
    (status, "application/json", serde_json::to_string(body).unwrap())
}

#[tokio::test]
async fn a_daemon_is_asked_over_rest() {
    spec!("command-line#review-at-the-command-line/at-a-daemon");
    let page = Page { items: vec![candidate(1)], next: None };
    let it = answer(200, &recognition(ID, "accepted"));
    let look = answer(200, &download(ID));
    let server = Server::start(vec![
        look.clone(),
        it.clone(),
        answer(200, &page),
        it.clone(),
        look.clone(),
        it.clone(),
        look.clone(),
        it.clone(),
        look.clone(),
        it,
        look.clone(),
        answer(201, &hint("x")),
        look.clone(),
        answer(200, &set("year", "1999")),
        look.clone(),
        (204, "text/plain", String::new()),
        look.clone(),
        answer(200, &recognition(ID, "pending")),
        look.clone(),
        answer(200, &recognition(ID, "pending")),
        look,
    ])
    .await;
    let lines: [&[&str]; 10] = [
        &["review", ID],
        &["accept", ID],
        &["accept", ID, FIRST],
        &["reject", ID],
        &["recognize", ID],
        &["hint", ID, "x"],
        &["override", ID, "year", "1999"],
        &["override", ID, "year", "--remove"],
        &["ask", ID],
        &["ask", ID, "--title", "--off"],
    ];
    let surroundings = at(&server);
    for line in lines {
        let found = typed(&Fake::new(), line, "", &surroundings).await;
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{line:?}");
    }
    let of = format!("/api/v1/downloads/{ID}");
    let requests = server.requests();
    // After each change, a look at the download says whether it is done.
    let look = format!("GET {of} HTTP/1.1");
    let asked: Vec<&str> = requests.iter().map(|text| text.lines().next().unwrap()).collect();
    assert_eq!(asked.iter().filter(|line| **line == look).count(), 10);
    let asked: Vec<&str> = asked.into_iter().filter(|line| *line != look).collect();
    assert_eq!(
        asked,
        [
            format!("GET {of}/recognition HTTP/1.1"),
            format!("GET {of}/candidates HTTP/1.1"),
            format!("POST {of}/recognition/accept HTTP/1.1"),
            format!("POST {of}/candidates/{FIRST}/accept HTTP/1.1"),
            format!("POST {of}/recognition/reject HTTP/1.1"),
            format!("POST {of}/recognition/rerun HTTP/1.1"),
            format!("POST {of}/hints HTTP/1.1"),
            format!("PUT {of}/overrides/year HTTP/1.1"),
            format!("DELETE {of}/overrides/year HTTP/1.1"),
            format!("PUT {of}/ask HTTP/1.1"),
            format!("DELETE {of}/ask HTTP/1.1"),
        ]
    );
    assert!(requests.iter().any(|request| request.ends_with(r#"{"text":"x"}"#)));
    assert!(requests.iter().any(|request| request.ends_with(r#"{"value":"1999"}"#)));
    for scope in [r#"{"scope":"download"}"#, r#"{"scope":"title"}"#] {
        assert!(requests.iter().any(|request| request.ends_with(scope)), "{scope}");
    }
}

#[tokio::test]
async fn names_are_read_without_anything() {
    spec!("command-line#review-at-the-command-line/names");
    let fake = Fake::new();
    let name = "Some.Film.2020.1080p.mkv";
    let found = ran(&fake, &["parse", name, "Some.Series.S01E02.mkv"]).await;
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    let first = found.out.lines().next().unwrap();
    assert_eq!(first, name);
    assert!(found.out.contains("  title ") && found.out.contains("Some Film"), "{}", found.out);
    assert!(found.out.contains("from \"2020\""), "{}", found.out);
    let here = Surroundings::default();
    let found = typed(&fake, &["parse", "--json", name, "-"], "\nA.2001.mkv\n", &here).await;
    let lines: Vec<_> = found.out.lines().map(json).collect();
    assert_eq!((&lines[0]["title"], &lines[0]["year"]), (&"Some Film".into(), &2020.into()));
    assert_eq!((lines.len(), &lines[1]["year"]), (2, &2001.into()));
    assert!(lines[0]["evidence"].is_array());
    assert_eq!(fake.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn one_bad_name_does_not_stop_the_others() {
    spec!("command-line#review-at-the-command-line/a-name-that-is-none");
    let found = ran(&Fake::new(), &["parse", "", "Some.Film.2020.mkv"]).await;
    assert_eq!(found.code, 2);
    assert!(found.err.starts_with("tracker: name 1: "), "{}", found.err);
    assert!(found.out.contains("Some Film"), "{}", found.out);
}
