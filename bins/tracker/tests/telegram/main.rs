//! The built program with its bot: a server on the loopback interface plays Telegram
//! and its people, another one the torrent client.
#![allow(clippy::unwrap_used)]

#[path = "../support/bench.rs"]
mod bench;
#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../support/film.rs"]
mod film;

mod cards;
mod groups;
mod loops;
mod notices;
mod rights;
mod trouble;
mod webhook;
mod with_client;

use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tracker_testkit::bot_api::Seen;
use tracker_testkit::{BotApiServer, QbtStub, StubAnswer, eventually};

use daemon::{DEADLINE, Daemon, Setup};

/// May do everything.
const ANNA: i64 = 7;
/// May only look.
const VERA: i64 = 8;
/// Nobody knows him.
const OSCAR: i64 = 9;
const GROUP: i64 = -1_000_000_000_005;

/// A daemon with a bot, what is beside it, and where it lies.
struct Stage {
    daemon: Daemon,
    bot: BotApiServer,
    client: QbtStub,
    below: TempDir,
}

impl Stage {
    /// Everything is laid out, nothing runs.
    async fn prepared(bot: BotApiServer) -> Self {
        let below = tempfile::tempdir().unwrap();
        let client = film::client(&below.path().join("payload")).await;
        let more = settings(&bot);
        let clients = vec![film::setup_of(&client)];
        let setup = Setup { clients, more, ..Setup::without_client(below.path()) };
        Stage { daemon: Daemon::prepared(setup), bot, client, below }
    }

    /// It runs with the client, and reads what people write.
    async fn with_client() -> Self {
        let mut stage = Self::prepared(BotApiServer::without_pace().await).await;
        stage.daemon.start().await;
        stage.until_it_reads().await;
        stage
    }

    /// It runs without a client, so that nothing happens by itself, and reads what
    /// people write.
    async fn started() -> Self {
        let mut stage = Self::prepared(BotApiServer::without_pace().await).await;
        stage.daemon.setup.clients.clear();
        stage.daemon.configure();
        stage.daemon.start().await;
        stage.until_it_reads().await;
        stage
    }

    async fn until_it_reads(&self) {
        let check = self.daemon.until_check("telegram").await;
        assert_eq!(check["level"], "ok", "{check}");
    }

    /// Waits until everything that was said is handled.
    async fn until_handled(&self) {
        eventually(DEADLINE, "the updates are handled", async || {
            (self.bot.pending() == 0).then_some(())
        })
        .await;
    }

    /// Waits until the last message of the bot in a chat says this.
    async fn until_said(&self, chat: i64, text: &str) -> Seen {
        let said = async || {
            let last = self.bot.chat(chat).last();
            last.filter(|seen| seen.text.contains(text))
        };
        eventually(DEADLINE, &format!("it says {text:?}"), said).await
    }

    /// Waits until a message has this button.
    async fn until_button(&self, chat: i64, message: i64, button: &str) -> Seen {
        until_button(&self.bot, chat, message, button).await
    }

    /// The downloads that there are.
    async fn ids(&self) -> Vec<String> {
        ids(&self.daemon).await
    }

    /// The actors of the entries of a type.
    async fn actors(&self, kind: &str) -> Vec<String> {
        let page = self.daemon.get(&format!("/events?type={kind}&limit=200")).await.expect(200);
        let items = page["items"].as_array().unwrap();
        items.iter().map(|item| item["actor"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until a press is answered; with what.
    async fn until_answered(&self, chat: i64, press: &str) -> Option<String> {
        until_answered(&self.bot, chat, press).await
    }
}

/// The section of the configuration for a bot of this server.
fn settings(bot: &BotApiServer) -> String {
    format!(
        "[telegram]\ntoken = {:?}\napi_url = {:?}\nallowed_users = [{ANNA}]\n\
         viewers = [{VERA}]\nallowed_chats = [{GROUP}]\n",
        BotApiServer::TOKEN,
        bot.url(),
    )
}

/// Waits until a message has this button.
async fn until_button(bot: &BotApiServer, chat: i64, message: i64, button: &str) -> Seen {
    let there = async || {
        let all = bot.chat(chat).messages();
        let has = |seen: &Seen| seen.buttons.iter().flatten().any(|text| text == button);
        all.into_iter().find(|seen| seen.id == message && has(seen))
    };
    eventually(DEADLINE, &format!("a button {button:?}"), there).await
}

/// Waits until a press is answered; with what.
async fn until_answered(bot: &BotApiServer, chat: i64, press: &str) -> Option<String> {
    let answered = async || bot.chat(chat).answer_to(press);
    eventually(Duration::from_secs(20), "the press is answered", answered).await.text
}

/// The downloads that there are.
async fn ids(daemon: &Daemon) -> Vec<String> {
    let page = daemon.get("/downloads?limit=200").await.expect(200);
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// What the Bot API refuses a call with.
fn refusal(code: u16, description: &str) -> StubAnswer {
    let body = json!({ "ok": false, "error_code": code, "description": description });
    StubAnswer::json(code, body.to_string())
}

/// Another torrent, which the client never shows.
fn magnet(number: u8) -> String {
    format!("magnet:?xt=urn:btih:{}&dn=The.Long.Winter.{number}", hex::encode([number; 20]))
}
