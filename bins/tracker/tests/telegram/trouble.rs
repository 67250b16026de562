//! What goes wrong between the daemon and Telegram.

use serde_json::json;
use tracker_testkit::{BotApiServer, StubAnswer, eventually, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, Stage, film, magnet, refusal};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_nothing_is_lost_or_doubled() {
    spec!("telegram#it-goes-on-where-it-was/killed-between-updates");
    let mut stage = Stage::prepared(BotApiServer::without_pace().await).await;
    let anna = stage.bot.user(ANNA);
    // Said while nothing runs.
    for number in 1..=12 {
        anna.says(&magnet(number));
    }
    for seen in [1, 5, 9] {
        stage.daemon.start().await;
        eventually(DEADLINE, "some are answered", async || {
            (stage.bot.chat(ANNA).messages().len() >= seen).then_some(())
        })
        .await;
        stage.daemon.kill();
    }
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.until_handled().await;
    eventually(DEADLINE, "all are answered", async || {
        let messages = stage.bot.chat(ANNA).messages();
        let answered = (1..=12)
            .all(|n| messages.iter().any(|seen| seen.text.contains(&format!("Winter.{n}\n"))));
        answered.then_some(())
    })
    .await;
    assert_eq!(stage.ids().await.len(), 12);
    assert_eq!(stage.actors("download.created").await.len(), 12);
    // One that was sent and not noted yet when it was killed may come again.
    let count = stage.bot.chat(ANNA).messages().len();
    assert!((12..=15).contains(&count), "{count}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_while_nothing_ran_is_shown() {
    spec!("telegram#a-message-follows-a-download/after-a-restart");
    let mut stage = Stage::started().await;
    stage.bot.user(ANNA).says(&magnet(1));
    let status = stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    assert!(stage.daemon.stop().success());
    stage.daemon.tracker(&["cancel", &id]).done();
    stage.daemon.start().await;
    let shown = stage.until_said(ANNA, "It was given up").await;
    assert_eq!((shown.id, shown.edits), (status.id, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_reader_is_told_and_it_goes_on() {
    spec!("telegram#health-tells-of-the-bot/what-is-wrong");
    let mut stage = Stage::prepared(BotApiServer::without_pace().await).await;
    let words = "Conflict: terminated by other getUpdates request";
    for _ in 0..2 {
        stage.bot.once("getUpdates", refusal(409, words));
    }
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-conflict").await;
    assert_eq!(check["level"], "warning");
    assert!(check["detail"].as_str().unwrap().contains("terminated by other"), "{check}");
    stage.until_it_reads().await;
    assert_eq!(stage.daemon.checks("telegram-conflict").await.len(), 0);
    stage.bot.user(ANNA).says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_that_fails_keeps_the_daemon_from_nothing() {
    spec!("telegram#the-daemon-goes-on-without-it/refused-or-away");
    let mut stage = Stage::prepared(BotApiServer::without_pace().await).await;
    stage.daemon.setup.more = stage.daemon.setup.more.replace(BotApiServer::TOKEN, "1:other");
    stage.daemon.configure();
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-denied").await;
    assert_eq!(check["level"], "error");
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "done").await;
    assert!(stage.daemon.stop().success());
    for (token, url, code) in [
        ("no-token", "http://127.0.0.1:9", "telegram-setup"),
        ("1:other", "http://127.0.0.1:9", "telegram-unreachable"),
    ] {
        stage.daemon.setup.more =
            format!("[telegram]\ntoken = {token:?}\napi_url = {url:?}\nallowed_users = [1]\n");
        stage.daemon.configure();
        stage.daemon.start().await;
        stage.daemon.until_check(code).await;
        assert!(stage.daemon.stop().success());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_taken_is_sent_again() {
    spec!("telegram#one-pace-for-all/what-was-not-taken");
    let stage = Stage::started().await;
    let wait = json!({
        "ok": false, "error_code": 429, "description": "Too Many Requests: retry after 1",
        "parameters": { "retry_after": 1 },
    });
    stage.bot.once("sendMessage", StubAnswer::json(429, wait.to_string()));
    stage.bot.once("sendMessage", StubAnswer::json(502, "<html>bad gateway</html>"));
    stage.bot.user(ANNA).says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
    stage.until_handled().await;
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 1);
    assert_eq!(stage.daemon.log_with("Telegram asks for a wait").len(), 1);
    // What its markup is refused for comes without it.
    stage.bot.once("sendMessage", refusal(400, "Bad Request: can't parse entities"));
    stage.bot.user(ANNA).says(&magnet(2));
    stage.until_said(ANNA, "Winter.2").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_updates_stop_nothing() {
    spec!("telegram#an-update-by-itself/none-stops-the-bot");
    let stage = Stage::started().await;
    for odd in [
        json!({ "telepathy": {} }),
        json!({ "message": { "message_id": "one" } }),
        json!({ "callback_query": { "id": "5", "from": { "id": ANNA } } }),
        json!({ "edited_message": {} }),
    ] {
        stage.bot.tells(odd);
    }
    stage.bot.user(ANNA).says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
    stage.until_handled().await;
}
