//! The bot in groups.

use tracker_testkit::{eventually, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, GROUP, OSCAR, Stage, magnet};

const OTHER: i64 = -1_000_000_000_006;
const BECAME: i64 = -1_000_000_000_007;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_works_where_it_is_allowed_and_is_silent_elsewhere() {
    spec!("telegram#groups/named-groups-and-topics");
    let stage = Stage::started().await;
    let anna = stage.bot.user(ANNA).in_chat(GROUP);
    stage.bot.user(ANNA).in_chat(OTHER).says(&magnet(1));
    stage.bot.user(OSCAR).in_chat(GROUP).says(&magnet(2));
    anna.says("good morning");
    let written = anna.in_topic(3).says(&magnet(3));
    let status = stage.until_said(GROUP, "Accepted.").await;
    assert_eq!((status.thread, status.reply_to), (Some(3), Some(written)));
    stage.until_handled().await;
    assert_eq!(stage.bot.chat(GROUP).messages().len(), 1);
    assert_eq!(stage.bot.chat(OTHER).messages(), []);
    assert_eq!(stage.ids().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_group_became_is_the_same_group() {
    spec!("telegram#groups/a-group-that-became-another");
    let stage = Stage::started().await;
    stage.bot.user(ANNA).in_chat(GROUP).says(&magnet(1));
    stage.until_said(GROUP, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    stage.bot.chat(GROUP).becomes(BECAME);
    stage.until_handled().await;
    let done = stage.daemon.post(&format!("/downloads/{id}/cancel"), &serde_json::json!({})).await;
    assert_eq!(done.status, 200, "{}", done.text);
    stage.until_said(BECAME, "It was given up").await;
    stage.bot.user(ANNA).in_chat(BECAME).says(&magnet(2));
    stage.until_said(BECAME, "Accepted.").await;
    assert_eq!(stage.bot.chat(GROUP).messages().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chat_that_closes_keeps_nobody_from_working() {
    spec!("telegram#a-message-follows-a-download/closed-or-deleted");
    let stage = Stage::started().await;
    stage.bot.user(ANNA).says(&magnet(1));
    let deleted = stage.until_said(ANNA, "Accepted.").await;
    stage.bot.user(ANNA).in_chat(GROUP).says(&magnet(2));
    stage.until_said(GROUP, "Accepted.").await;
    let ids = stage.ids().await;
    stage.bot.chat(ANNA).deletes(deleted.id);
    stage.bot.chat(GROUP).removes_bot();
    for id in &ids {
        let path = format!("/downloads/{id}/cancel");
        assert_eq!(stage.daemon.post(&path, &serde_json::json!({})).await.status, 200);
    }
    eventually(DEADLINE, "the group is closed", async || {
        stage.daemon.log_with("the chat is closed to the bot").first().map(drop)
    })
    .await;
    stage.bot.user(ANNA).says(&magnet(3));
    stage.until_said(ANNA, "Accepted.").await;
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 1, "what was deleted stays so");
}
