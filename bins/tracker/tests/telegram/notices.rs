//! Messages that nobody asked for.

use tracker_testkit::bot_api::Seen;
use tracker_testkit::{BotApiServer, StubAnswer, eventually, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, GROUP, Stage, VERA, film};

const DONE: &str = "✓ In the library";

impl Stage {
    /// The messages of a chat that begin so.
    fn told(&self, chat: i64, beginning: &str) -> Vec<Seen> {
        let all = self.bot.chat(chat).messages();
        all.into_iter().filter(|seen| seen.text.starts_with(beginning)).collect()
    }

    async fn until_told(&self, chat: i64, beginning: &str) -> Seen {
        let told = async || self.told(chat, beginning).pop();
        eventually(DEADLINE, &format!("it tells {beginning:?}"), told).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_done_is_told_where_it_was_asked_for() {
    spec!("telegram#notices/where-they-go");
    let stage = Stage::with_client().await;
    stage.bot.user(VERA).says("/start");
    stage.bot.user(ANNA).says("/start");
    let anna = stage.bot.user(ANNA).in_chat(GROUP);
    anna.in_topic(3).says(&film::magnet());
    let told = stage.until_told(GROUP, DONE).await;
    let status = stage.bot.chat(GROUP).messages().remove(0);
    assert_eq!((told.thread, told.reply_to), (Some(3), Some(status.id)));
    // Its button takes back what it tells of.
    let [id] = stage.ids().await.try_into().unwrap();
    let folder = stage.daemon.library("movies").join("The Quiet Harbour (2011)");
    stage.daemon.until_state(&id, "done").await;
    let press = anna.presses(told.id, "Undo");
    assert_eq!(stage.until_answered(GROUP, &press).await.as_deref(), Some("Undone."));
    eventually(DEADLINE, "the links are gone", async || (!folder.is_dir()).then_some(())).await;
    for chat in [ANNA, VERA] {
        assert_eq!(stage.told(chat, DONE).len(), 0, "it was asked for elsewhere");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_follows_is_told_those_who_may_do_everything() {
    spec!("telegram#notices/where-they-go");
    let stage = Stage::with_client().await;
    stage.bot.user(VERA).says("/start");
    stage.bot.user(ANNA).says("/start");
    stage.until_handled().await;
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "done").await;
    stage.until_told(ANNA, DONE).await;
    assert_eq!(stage.told(VERA, DONE).len(), 0);
    // Asked for a message now, it tells one.
    stage.daemon.tracker(&["notify", "test", "telegram"]).done();
    assert!(stage.bot.chat(ANNA).last().is_some_and(|last| !last.text.starts_with(DONE)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_go_is_told_later_and_once() {
    spec!("telegram#notices/later-and-once");
    let stage = Stage::with_client().await;
    stage.bot.user(ANNA).says("/start");
    stage.until_handled().await;
    let wait = serde_json::json!({
        "ok": false, "error_code": 429, "description": "Too Many Requests: retry after 9",
        "parameters": { "retry_after": 9 },
    });
    // Longer than a notice is waited for.
    stage.bot.once("sendMessage", StubAnswer::json(429, wait.to_string()));
    let id = stage.daemon.ingest(&film::magnet()).await;
    stage.daemon.until_state(&id, "done").await;
    stage.until_told(ANNA, DONE).await;
    let told = async || {
        let receivers = stage.daemon.get("/notify").await.expect(200);
        let one = receivers["items"].as_array()?.iter().find(|one| one["name"] == "telegram")?;
        (one["delivered_at"].is_string() && one["behind"] == 0).then_some(())
    };
    eventually(DEADLINE, "the receiver is where the journal is", told).await;
    assert_eq!(stage.told(ANNA, DONE).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_told_where_nothing_is_wanted() {
    spec!("telegram#notices/as-configured");
    let mut stage = Stage::prepared(BotApiServer::without_pace().await).await;
    stage.daemon.setup.more.push_str("events = []\n");
    stage.daemon.configure();
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.bot.user(ANNA).says(&film::magnet());
    let status = stage.until_said(ANNA, "The.Quiet.Harbour").await;
    stage.until_button(ANNA, status.id, "Undo").await;
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 1);
    let receivers = stage.daemon.get("/notify").await.expect(200);
    assert_eq!(receivers["items"].as_array().map(Vec::len), Some(0), "{receivers}");
}
