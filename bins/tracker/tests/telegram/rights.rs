//! Who may do what.

use tracker_testkit::spec;

use crate::{ANNA, OSCAR, Stage, VERA, magnet};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_is_refused_once() {
    spec!("telegram#who-may-use-it/a-stranger");
    let mut stage = Stage::started().await;
    let oscar = stage.bot.user(OSCAR);
    oscar.says(&magnet(1));
    stage.until_said(OSCAR, "works for its owner only").await;
    oscar.says("/list");
    oscar.says(&magnet(2));
    stage.until_handled().await;
    stage.daemon.kill();
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.bot.user(OSCAR).says("hello?");
    stage.until_handled().await;
    assert_eq!(stage.bot.chat(OSCAR).messages().len(), 1, "also after a restart");
    assert_eq!(stage.ids().await, [""; 0]);
    assert_eq!(stage.daemon.log_with("a stranger wrote to the bot").len(), 1);
    // What others see in a chat cannot be pressed by a stranger either.
    stage.bot.user(ANNA).says(&magnet(3));
    let status = stage.until_said(ANNA, "Accepted.").await;
    let press = stage.bot.user(OSCAR).in_chat(ANNA).presses(status.id, "Give up");
    assert_eq!(stage.until_answered(ANNA, &press).await, None);
    let [id] = stage.ids().await.try_into().unwrap();
    assert_ne!(stage.daemon.download(&id).await["state"], "cancelled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_looks_and_changes_nothing() {
    spec!("telegram#who-may-use-it/roles");
    let stage = Stage::started().await;
    stage.bot.user(ANNA).says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    let vera = stage.bot.user(VERA);
    vera.says(&magnet(2));
    stage.until_said(VERA, "You may look").await;
    vera.says(&format!("/show {id}"));
    let shown = stage.until_said(VERA, &id).await;
    assert!(!shown.buttons.iter().flatten().any(|text| text == "Give up"), "{shown:?}");
    let press = vera.presses_with(shown.id, &format!("1y.{id}.1"));
    let told = stage.until_answered(VERA, &press).await.unwrap();
    assert!(told.contains("You may look"), "{told}");
    assert_eq!(stage.ids().await, std::slice::from_ref(&id));
    assert_ne!(stage.daemon.download(&id).await["state"], "cancelled");
}
