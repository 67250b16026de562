//! What pages say of a download follows from what is so.

use std::path::PathBuf;
use std::sync::Arc;

use axum::http::Method;
use tracker_domain::library::LinkMode;
use tracker_domain::metadata::Provider;
use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::ports::MetadataError;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{
    Actor, Attention, BatchId, DownloadCause as C, DownloadId, FileLinkId, Remark,
};
use tracker_store::{
    LinkSeen, NewBatch, NewLink, NewRecognition, Reason, StoreError, WaitCause, WriteTx,
};
use tracker_testkit::{FakeMetadata, spec};

use crate::fixture::{Ask, Daemon};
use crate::removal::linked;
use crate::review::{recognise, recognise_film};

/// A page as a reader of a language gets it.
async fn read(daemon: &Daemon, path: &str, language: &str) -> String {
    let headers = vec![("accept-language", language), ("accept", "text/html")];
    let page = daemon.ask(Ask { path, headers, ..Ask::default() }).await;
    assert_eq!(page.status.as_u16(), 200, "{path}: {}", page.text);
    page.text
}

async fn write<T: Send + 'static>(
    daemon: &Daemon,
    body: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
) -> T {
    daemon.db.write(&Actor::Worker, body).await.unwrap()
}

#[tokio::test]
async fn a_mark_that_went_is_told_as_gone() {
    spec!("web-ui#pages-say-what-is-so/a-mark-that-went");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    let of: DownloadId = id.parse().unwrap();
    let written = daemon.db.write(&Actor::Worker, move |tx| {
        tx.raise_attention(of, Attention::Stalled, "since noon")?.unwrap();
        tx.clear_attention(of, None)?.unwrap();
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    for (language, needed, gone) in [
        ("en", ">needs a look<", ">needs no look any more<"),
        ("ru", ">требует внимания<", ">больше не требует внимания<"),
    ] {
        let story = read(&daemon, &format!("/download/{id}"), language).await;
        assert_eq!((story.matches(needed).count(), story.matches(gone).count()), (1, 1), "{story}");
        let journal = read(&daemon, "/events", language).await;
        assert_eq!(journal.matches(gone).count(), 1, "{journal}");
    }
    let events = daemon.get("/api/v1/events?type=download.attention").await.json();
    assert_eq!(events["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_is_in_no_library_is_told_so() {
    spec!("web-ui#pages-say-what-is-so/done-and-in-no-library");
    let (daemon, disk) = (Daemon::start().await, tempfile::tempdir().unwrap());
    let target = disk.path().join("movies/Film.mkv");
    for (digit, is_removed) in [('a', false), ('b', true)] {
        let id = daemon.accepted(digit).await;
        linked(&daemon, &id, disk.path(), &target).await;
        let home = format!("/download/{id}");
        let of = format!("/api/v1/downloads/{id}");
        let before = daemon.get(&of).await.json();
        assert!(read(&daemon, &home, "en").await.contains("It is in the library."));
        let undone = if is_removed {
            daemon.form(&format!("{home}/remove"), "links=1").await
        } else {
            let page = read(&daemon, &home, "en").await;
            let (_, rest) = page.split_once("action=\"/batches/").unwrap();
            let path = format!("/batches/{}", rest.split('"').next().unwrap());
            daemon.form(&path, "").await
        };
        assert_eq!(undone.status.as_u16(), 303, "{}", undone.text);
        let page = read(&daemon, &home, "en").await;
        assert!(!page.contains("It is in the library."), "{page}");
        let may = "puts it into the library where its downloaded files are still there.";
        for part in [
            "It is done, and nothing of it is in the library.",
            "1 link was taken back.",
            "</span>done, not in the library</span>",
            if is_removed { may } else { "The downloaded files stay as they are" },
            "<button>Link again</button>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(read(&daemon, &home, "ru").await.contains("Снята 1 ссылка."));
        let inbox = read(&daemon, "/", "en").await;
        let row = inbox.split("<tr data-row").find(|row| row.contains(&id));
        let shown = row.map(|row| row.contains("done, not in the library"));
        assert_eq!(shown, (!is_removed).then_some(true), "{inbox}");
        let mut after = daemon.get(&of).await.json();
        for changing in ["revision", "updated_at", "hidden_at"] {
            after[changing] = before[changing].clone();
        }
        assert_eq!(after, before);
    }
}

/// The part of a review that says what it is.
async fn what(daemon: &Daemon, id: &str) -> String {
    let page = read(daemon, &format!("/download/{id}/review"), "en").await;
    let (_, rest) = page.split_once("id=\"what-title\"").unwrap();
    rest.split("id=\"adjust\"").next().unwrap().to_owned()
}

/// The part of a review that says what will happen.
async fn plan(daemon: &Daemon, id: &str) -> String {
    let page = read(daemon, &format!("/download/{id}/review"), "en").await;
    let (_, rest) = page.split_once("id=\"plan-title\"").unwrap();
    rest.split("</section>").next().unwrap().to_owned()
}

#[tokio::test]
async fn why_there_is_nothing_to_choose_from_is_told() {
    spec!("web-ui#pages-say-what-is-so/why-nothing-can-be-chosen");
    let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
    let none = Daemon::start().await;
    let id = none.accepted('a').await;
    assert!(what(&none, &id).await.contains("Its files are not known yet."));
    let later = plan(&none, &id).await;
    assert!(later.contains("as soon as it is known what it is") && !later.contains("<form"));
    recognise_film(&none, &id).await;
    assert!(what(&none, &id).await.contains("No source of titles is set up"));

    let daemon = Daemon::start().await.serving(|app| app.with_sources(vec![tmdb]));
    let id = daemon.accepted('a').await;
    recognise_film(&daemon, &id).await;
    let of: DownloadId = id.parse().unwrap();
    let found = daemon.db.read(move |tx| Ok::<_, StoreError>(tx.recognition_of(of)?.unwrap()));
    let found = found.await.unwrap();
    let names = tracker_domain::recognised::Recognised {
        fields: found.fields,
        files: found.files,
        evidence: Vec::new(),
        verdict: tracker_domain::recognised::Verdict::Doubt,
        confidence: 0.5,
        doubts: vec![Remark::NoSuchWork],
    };
    let known = names.clone();
    write(&daemon, move |tx| {
        tx.record_recognition(of, &NewRecognition::of_names(&known, RecognitionState::Proposed))
    })
    .await;
    assert!(what(&daemon, &id).await.contains("none of them knows a work that fits"));
    for (detail, said, folds) in [
        (
            Remark::SourceUnreachable { source: Provider::Tvmaze }.to_string(),
            "<p>tvmaze cannot be reached; it is asked again by itself</p>",
            false,
        ),
        ("no route to host".to_owned(), "<p>tvmaze does not answer.</p>", true),
    ] {
        let (names, detail) = (names.clone(), detail);
        write(&daemon, move |tx| {
            let cause =
                WaitCause { source: "tvmaze".to_owned(), cause: "unreachable".to_owned(), detail };
            let new = NewRecognition {
                causes: &[cause],
                next_look_at: Some(tx.now()),
                ..NewRecognition::of_names(&names, RecognitionState::Waiting)
            };
            tx.record_recognition(of, &new)
        })
        .await;
        let review = what(&daemon, &id).await;
        assert!(review.contains("A source has not answered, so"), "{review}");
        assert!(review.contains("It is asked again at "), "{review}");
        let home = read(&daemon, &format!("/download/{id}"), "en").await;
        for page in [&review, home.split("id=\"files\"").next().unwrap()] {
            assert!(page.contains(said), "{page}");
            assert_eq!(page.contains("no route to host"), folds, "{page}");
        }
    }
}

#[tokio::test]
async fn a_match_that_was_taken_is_neither_offered_nor_doubted() {
    spec!("web-ui#pages-say-what-is-so/a-match-that-was-taken");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    recognise(&daemon, &id).await;
    let before = what(&daemon, &id).await;
    assert!(before.contains("proposed, in doubt"), "{before}");
    assert_eq!(before.matches("value=\"accept\"").count(), 2, "{before}");
    daemon.post(&format!("/api/v1/downloads/{id}/recognition/accept"), "").await;
    let after = what(&daemon, &id).await;
    assert!(
        after.contains("<p class=\"quiet\">accepted") && !after.contains("in doubt"),
        "{after}"
    );
    assert_eq!(after.matches("value=\"accept\"").count(), 1, "{after}");
    assert_eq!(after.matches("</span>taken</span>").count(), 1, "{after}");
    let home = read(&daemon, &format!("/download/{id}"), "en").await;
    assert!(home.contains("<small>accepted</small>"), "{home}");
}

#[tokio::test]
async fn a_button_says_what_it_does_and_does_all_of_it_or_nothing() {
    spec!("web-ui#pages-say-what-is-so/what-the-button-does");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    complete(&daemon, &id).await;
    let form = plan(&daemon, &id).await;
    assert!(form.contains(">Take this match and make 1 link</button>"), "{form}");
    // Its client does not show it, so nothing can be linked.
    let path = format!("/download/{id}/review");
    let refused = daemon.form(&path, "do=apply").await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
    let of = format!("/api/v1/downloads/{id}");
    assert_eq!(daemon.get(&format!("{of}/recognition")).await.json()["state"], "proposed");
    daemon.form(&path, "do=as-read").await;
    assert!(plan(&daemon, &id).await.contains(">Apply 1 link</button>"));
    // Without a link there is nothing to press.
    let field = format!("{of}/overrides/file.0.skip");
    let set = daemon.send(Method::PUT, &field, r#"{"value":"true"}"#).await;
    assert!(set.status.is_success(), "{}", set.text);
    recognise_film(&daemon, &id).await;
    let form = plan(&daemon, &id).await;
    assert!(form.contains("There is nothing to link; each file says why."), "{form}");
    assert!(!form.contains("value=\"apply\""), "{form}");
}

/// A film whose files are known and all here.
async fn complete(daemon: &Daemon, id: &str) {
    recognise_film(daemon, id).await;
    let id: DownloadId = id.parse().unwrap();
    write(daemon, move |tx| {
        tx.set_place(id, &Handle("a".repeat(40)), &ClientPath("/downloads".to_owned()))?;
        for cause in [C::Shown, C::Finished] {
            tx.set_download_state(id, cause, &Reason::none())?.unwrap();
        }
        Ok(())
    })
    .await;
}

/// Writes down that the plan of a download stands.
async fn carried_out(daemon: &Daemon, id: &str) -> (BatchId, Vec<FileLinkId>) {
    let plan = daemon.get(&format!("/api/v1/downloads/{id}/plan")).await.json();
    let path = |link: &serde_json::Value, name: &str| PathBuf::from(link[name].as_str().unwrap());
    let link = |link: &serde_json::Value| NewLink {
        file_index: 0,
        source: path(link, "source"),
        target: path(link, "target"),
    };
    let links: Vec<NewLink> = plan["links"].as_array().unwrap().iter().map(link).collect();
    let id: DownloadId = id.parse().unwrap();
    write(daemon, move |tx| {
        let recognition = tx.recognition_of(id)?.unwrap().id;
        tx.set_download_state(id, C::PlanAccepted, &Reason::none())?.unwrap();
        let root = links[0].target.parent().unwrap().to_path_buf();
        let (batch, ids) = tx.plan_batch(&NewBatch {
            download: id,
            recognition,
            plan_id: "0".repeat(64),
            library: "movies".to_owned(),
            root,
            mode: LinkMode::Hardlink,
            links,
        })?;
        tx.record_batch(batch, id)?;
        tx.set_download_state(id, C::BatchRecorded, &Reason::none())?.unwrap();
        Ok((batch, ids))
    })
    .await
}

#[tokio::test]
async fn a_plan_that_stands_is_shown_as_done() {
    spec!("web-ui#pages-say-what-is-so/a-plan-that-was-carried-out");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    complete(&daemon, &id).await;
    daemon.form(&format!("/download/{id}/review"), "do=as-read").await;
    let (batch, links) = carried_out(&daemon, &id).await;
    let form = plan(&daemon, &id).await;
    assert!(form.contains("3. What was done") && form.contains("These links stand"), "{form}");
    assert!(!form.contains("value=\"apply\""), "{form}");
    let of: DownloadId = id.parse().unwrap();
    write(&daemon, move |tx| {
        let seen = [LinkSeen { id: links[0], health: "missing" }];
        tx.verify_batch(batch, of, &seen)
    })
    .await;
    let form = plan(&daemon, &id).await;
    assert!(form.contains(">Apply 1 link</button>"), "{form}");
}

#[tokio::test]
async fn a_search_that_finds_nothing_says_what_may_help() {
    spec!("web-ui#search-on-a-page/nothing-is-found");
    let none = Daemon::start().await;
    let page = read(&none, "/search?q=Nobody+Knows", "en").await;
    for part in [
        "No source of titles is set up, so titles were not looked for.",
        "No download here has this name, id or hash.",
        "Nothing was found for “Nobody Knows”.",
        "href=\"/add\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let tmdb = Arc::new(FakeMetadata::with_catalogue(Provider::Tmdb));
    let source = tmdb.clone();
    let daemon = Daemon::start().await.serving(|app| app.with_sources(vec![source]));
    let id = daemon.accepted('a').await;
    let page = read(&daemon, "/search?q=Nobody+Knows", "ru").await;
    assert!(page.contains("Ни один источник такого названия не знает."), "{page}");
    tmdb.fail_with(MetadataError::Unreachable("nobody is there".to_owned()));
    let page = read(&daemon, "/search?q=Nobody+Knows", "en").await;
    assert!(page.contains("tmdb does not answer."), "{page}");
    assert!(page.contains("not every source has answered"), "{page}");
    // What has a short id leads there, as its whole id does.
    let found = daemon.get(&format!("/search?q={}", &id[18..])).await;
    assert_eq!(
        (found.status.as_u16(), found.header("location")),
        (303, format!("/download/{id}").as_str())
    );
}

#[tokio::test]
async fn what_was_removed_is_found_and_marked() {
    spec!("web-ui#search-on-a-page/removed-ones");
    let daemon = Daemon::start().await;
    let id = daemon.accepted('a').await;
    for path in ["cancel", "remove"] {
        daemon.form(&format!("/download/{id}/{path}"), "").await;
    }
    let name = daemon.get(&format!("/api/v1/downloads/{id}")).await.json()["name"].clone();
    for text in [name.as_str().unwrap(), "aaaaaaaa"] {
        let page = read(&daemon, &format!("/search?q={text}"), "en").await;
        let (listed, removed) = page.split_once("id=\"removed\"").unwrap();
        assert!(!listed.contains(&id) && listed.contains("No download here"), "{listed}");
        assert!(removed.contains("1 removed download<") && removed.contains(">removed</span>"));
        assert!(removed.contains(&format!("/download/{id}\"")), "{removed}");
    }
}
