//! The whole loop with a real client.

use tracker_testkit::bot_api::Seen;
use tracker_testkit::{BotApiServer, Flavour, eventually, spec};

use crate::bench::Bench;
use crate::daemon::DEADLINE;
use crate::{ANNA, ids, settings, until_answered, until_button};

fn status(bot: &BotApiServer) -> Option<Seen> {
    bot.chat(ANNA).messages().into_iter().next()
}

async fn until_status(bot: &BotApiServer, what: &str, shows: impl Fn(&str) -> bool) -> Seen {
    let shown = async || status(bot).filter(|seen| shows(&seen.text));
    eventually(DEADLINE * 2, &format!("the message shows {what}"), shown).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_a_link_in_a_chat_to_done_and_undone_trixie() {
    spec!("telegram#a-message-follows-a-download/from-a-link-to-the-library-and-back");
    let bot = BotApiServer::start().await;
    let mut bench = Bench::idle(Flavour::Trixie).await;
    bench.daemon.setup.more.push_str(&settings(&bot));
    bench.daemon.configure();
    bench.daemon.start().await;
    // A minute of it, if nobody hurries.
    bench.pace("slow", 32 * 1024).await;
    let anna = bot.user(ANNA);
    // As people send it: with words around it.
    anna.says(&format!("please: {} thanks", bench.magnet("slow", "full")));
    let shown = until_status(&bot, "the transfer", |text| text.contains(" %")).await;
    assert!(shown.text.contains("Slow.Film.2024"), "{shown:?}");
    let [id] = ids(&bench.daemon).await.try_into().unwrap();
    let before = shown.edits;
    until_status(&bot, "more of it", |text| text.contains(" %") && text != shown.text).await;
    // Killed on the way, it goes on with the same message.
    bench.daemon.kill();
    bench.hurry("slow").await;
    bench.daemon.start().await;
    bench.arrives(&id, "slow").await;
    let done = until_status(&bot, "that it is done", |text| text.contains("in the library")).await;
    assert!(done.edits > before, "{done:?}");
    let notice = eventually(DEADLINE, "it is told", async || {
        let all = bot.chat(ANNA).messages();
        all.into_iter().find(|seen| seen.text.starts_with("✓ In the library"))
    })
    .await;
    assert_eq!(notice.reply_to, Some(done.id));
    let seen = until_button(&bot, ANNA, done.id, "Undo").await;
    let press = anna.presses(seen.id, "Undo");
    assert_eq!(until_answered(&bot, ANNA, &press).await.as_deref(), Some("Undone."));
    eventually(DEADLINE, "the library is as before", async || {
        bench.library().is_empty().then_some(())
    })
    .await;
    let folder = bench.folder_of("slow").await;
    bench.until_whole(bench.lab.torrent("slow"), &folder).await;
    assert_eq!(bot.refused_for_pace(), 0);
    assert_eq!(ids(&bench.daemon).await.len(), 1);
}
