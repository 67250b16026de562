//! From a message to the library and back.

use serde_json::json;
use tracker_testkit::{BotApiServer, eventually, made_up, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, Stage, film, magnet};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_in_a_chat_comes_into_the_library_and_goes_again() {
    spec!("telegram#a-message-follows-a-download/from-a-link-to-the-library-and-back");
    // With the limits of the real one, to which everything keeps.
    let mut stage = Stage::prepared(BotApiServer::start().await).await;
    stage.daemon.start().await;
    let anna = stage.bot.user(ANNA);
    let written = anna.says(&format!("{}\n", film::magnet()));
    let status = stage.until_said(ANNA, "The.Quiet.Harbour").await;
    assert_eq!(status.reply_to, Some(written), "it answers what was written");
    let [id] = stage.ids().await.try_into().unwrap();
    assert!(status.text.contains(&id), "{status:?}");
    stage.daemon.until_state(&id, "done").await;
    let folder = stage.daemon.library("movies").join("The Quiet Harbour (2011)");
    assert!(folder.is_dir());
    let status = stage.until_button(ANNA, status.id, "Undo").await;
    assert!(status.text.contains("in the library"), "{status:?}");
    let press = anna.presses(status.id, "Undo");
    let told = stage.until_answered(ANNA, &press).await;
    assert_eq!(told.as_deref(), Some("Undone."));
    eventually(DEADLINE, "the links are gone", async || (!folder.is_dir()).then_some(())).await;
    eventually(DEADLINE, "the message says so", async || {
        let shown = stage.bot.chat(ANNA).messages().remove(0);
        (!shown.buttons.iter().flatten().any(|text| text == "Undo")).then_some(())
    })
    .await;
    let messages = stage.bot.chat(ANNA).messages();
    let told: Vec<&str> =
        messages[1..].iter().filter_map(|seen| seen.text.lines().next()).collect();
    assert_eq!(told, ["✓ In the library"], "one message, edited, and one notice");
    assert_eq!(stage.bot.refused_for_pace(), 0);
    for kind in ["download.created", "batch.undone"] {
        assert_eq!(stage.actors(kind).await, [format!("telegram:{ANNA}")], "{kind}");
    }
    assert!(stage.daemon.stop().success());
    let token = BotApiServer::TOKEN.split_once(':').unwrap().1;
    assert!(!stage.daemon.log().contains(token));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_torrent_of_a_message_has_an_answer() {
    spec!("telegram#handing-over-in-a-chat/created-or-here-already");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA);
    anna.says(&format!("Winter films: {} and {}", magnet(1), magnet(2)));
    let both = async || (stage.bot.chat(ANNA).messages().len() == 2).then_some(());
    eventually(DEADLINE, "both are answered", both).await;
    let first = stage.bot.chat(ANNA).messages();
    assert!(first.iter().all(|seen| seen.text.starts_with("Accepted.")), "{first:?}");
    assert!(first.iter().all(|seen| seen.text.contains("Hint: Winter films: and")), "{first:?}");
    anna.says(&format!("{} magnet:?xt=urn:btih:00", magnet(1)));
    stage.until_said(ANNA, "Not accepted").await;
    let all = stage.bot.chat(ANNA).messages();
    assert_eq!(all.len(), 4);
    assert!(all[2].text.starts_with("Already here"), "{all:?}");
    anna.says("hello");
    stage.until_said(ANNA, "There is no magnet link").await;
    assert_eq!(stage.ids().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_fetched_and_handed_over() {
    spec!("telegram#handing-over-in-a-chat/a-torrent-file");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA);
    let torrent = made_up::torrent(made_up::Kind::Hybrid, "The.Long.Winter.2012.1080p");
    anna.sends_file("film.torrent", torrent.bytes());
    let status = stage.until_said(ANNA, "The.Long.Winter.2012").await;
    assert!(status.text.starts_with("Accepted."), "{status:?}");
    anna.sends_file("page.torrent", b"<html>log in</html>");
    stage.until_said(ANNA, "Not accepted").await;
    anna.sends_file_of("film.torrent", b"d", 11 * 1024 * 1024);
    stage.until_said(ANNA, "too large").await;
    assert_eq!(stage.ids().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_acts_on_what_its_reader_saw() {
    spec!("telegram#buttons-act/of-a-past-revision");
    spec!("telegram#buttons-act/giving-up-is-asked");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA);
    anna.says(&magnet(1));
    let status = stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    let press = anna.presses(status.id, "Give up");
    assert_eq!(stage.until_answered(ANNA, &press).await, None);
    stage.until_button(ANNA, status.id, "Yes, give it up").await;
    let old = format!("1y.{id}.0");
    let press = anna.presses_with(status.id, &old);
    let told = stage.until_answered(ANNA, &press).await.unwrap();
    assert!(told.contains("changed meanwhile"), "{told}");
    assert_ne!(stage.daemon.download(&id).await["state"], "cancelled");
    stage.until_button(ANNA, status.id, "Give up").await;
    anna.presses(status.id, "Give up");
    stage.until_button(ANNA, status.id, "Yes, give it up").await;
    anna.presses(status.id, "Yes, give it up");
    stage.daemon.until_state(&id, "cancelled").await;
    stage.until_button(ANNA, status.id, "Retry").await;
    anna.presses(status.id, "Retry");
    stage.daemon.until(&id, DEADLINE, "active again", |one| one["state"] != "cancelled").await;
    for odd in ["0x", "2s.abc.1", "", "1q.01jzabcdefghjkmnpqrstvwxyz.1"] {
        let press = anna.presses_with(status.id, odd);
        assert!(stage.until_answered(ANNA, &press).await.is_some(), "{odd:?}");
    }
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_are_answered() {
    spec!("telegram#commands/each-is-answered");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA);
    anna.says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    for (command, answer) in [
        ("/start", "Send a magnet link"),
        ("/list", "The Long Winter 1"),
        ("/search Winter", "The.Long.Winter.1"),
        ("/search", "Say what to look for"),
        ("/events", "What happened last"),
        ("/health", ""),
        ("/show", "Say which one"),
        ("/show abc", "There is no download"),
        ("/show@our_tracker_bot 01jzabcdefghjkmnpqrstvwxyz", "There is no download"),
        ("/lang", "Say which language"),
        ("/lang ru", "по-русски"),
        ("/lang en", "English"),
    ] {
        let count = stage.bot.chat(ANNA).messages().len();
        anna.says(command);
        let answered = async || {
            let all = stage.bot.chat(ANNA).messages();
            (all.len() > count).then(|| all.last().unwrap().text.clone())
        };
        let text = eventually(DEADLINE, command, answered).await;
        assert!(text.contains(answer), "{command}: {text}");
    }
    anna.says(&format!("/show {id}"));
    let shown = stage.until_said(ANNA, &id).await;
    let press = anna.presses(shown.id, "Give up");
    stage.until_answered(ANNA, &press).await;
    let count = stage.bot.chat(ANNA).messages().len();
    anna.says("/list@another_bot");
    stage.until_handled().await;
    assert_eq!(stage.bot.chat(ANNA).messages().len(), count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_of_a_download_is_kept() {
    spec!("telegram#buttons-act/said-in-an-answer");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA);
    anna.says(&magnet(1));
    let status = stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    let answer = |text: &str| {
        let to = json!({ "message_id": status.id, "chat": { "id": ANNA, "type": "private" } });
        anna.writes(json!({ "text": text, "reply_to_message": to }))
    };
    for (text, field, value) in [
        ("The Long Winter 2012", "hints", "The Long Winter 2012"),
        ("tmdb:movie/603", "overrides", "tmdb:movie/603"),
        ("it is this one: https://www.themoviedb.org/movie/604", "overrides", "tmdb:movie/604"),
    ] {
        let count = stage.bot.chat(ANNA).messages().len();
        answer(text);
        eventually(DEADLINE, "it is noted", async || {
            let all = stage.bot.chat(ANNA).messages();
            let last = all.last().filter(|_| all.len() > count)?;
            last.text.starts_with("Noted").then_some(())
        })
        .await;
        let kept = stage.daemon.get(&format!("/downloads/{id}/{field}")).await.expect(200);
        let author = format!("telegram:{ANNA}");
        assert!(kept.to_string().contains(value) && kept.to_string().contains(&author), "{kept}");
    }
    let revision = stage.daemon.download(&id).await["revision"].as_u64().unwrap();
    let press = anna.presses_with(status.id, &format!("1k1.{id}.{revision}"));
    assert!(stage.until_answered(ANNA, &press).await.unwrap().starts_with("Noted"));
    let kept = stage.daemon.get(&format!("/downloads/{id}/overrides")).await.expect(200);
    assert!(kept.to_string().contains("series"), "{kept}");
}
