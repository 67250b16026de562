//! Updates that Telegram brings by itself.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tracker_testkit::{BotApiServer, StubAnswer, eventually, spec};

use crate::daemon::DEADLINE;
use crate::{ANNA, Stage, magnet, refusal};

const SECRET: &str = "a-Secret_of-the-owner";
const HEADER: &str = "X-Telegram-Bot-Api-Secret-Token";

/// A port of this machine that nobody listens at.
async fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/telegram/:here")
}

/// An update with a message of Anna.
fn update(number: i64, text: &str) -> Value {
    json!({ "update_id": number, "message": {
        "message_id": number, "date": 1_700_000_000, "text": text,
        "chat": { "id": ANNA, "type": "private", "first_name": "Anna" },
        "from": { "id": ANNA, "is_bot": false, "first_name": "Anna" },
    }})
}

impl Stage {
    /// It listens at a port for what is brought to an address; nothing runs.
    async fn with_webhook(url: &str, port: u16, more: &str) -> Self {
        let mut stage = Self::prepared(BotApiServer::without_pace().await).await;
        stage.daemon.setup.clients.clear();
        let keys =
            format!("webhook_url = {url:?}\nwebhook_listen = \"127.0.0.1:{port}\"\n{more}\n");
        stage.daemon.setup.more.push_str(&keys);
        stage.daemon.configure();
        stage
    }

    /// It runs, with a secret that is known.
    async fn brought() -> (Self, String) {
        let port = free_port().await;
        let secret = format!("webhook_secret = {SECRET:?}");
        let mut stage = Self::with_webhook(&url(port), port, &secret).await;
        // She has opened the chat.
        let _ = stage.bot.user(ANNA);
        stage.daemon.start().await;
        stage.until_it_reads().await;
        (stage, url(port))
    }

    /// The values of a field of the calls of a method, in their order.
    fn called(&self, method: &str, field: &str) -> Vec<String> {
        let calls = self.bot.calls().into_iter().filter(|call| call.method == method);
        calls
            .map(|call| {
                call.fields.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
            })
            .collect()
    }

    /// Another program with the same token sets a webhook.
    async fn another_sets_its_webhook(&self) {
        let address = format!("{}/bot{}/setWebhook", self.bot.url(), BotApiServer::TOKEN);
        let body = json!({ "url": "https://another.example/t" }).to_string();
        let call = reqwest::Client::new().post(address).header("content-type", "application/json");
        assert_eq!(call.body(body).send().await.unwrap().status(), StatusCode::OK);
    }
}

/// Brings something as Telegram would.
async fn bring(url: &str, secret: Option<&str>, body: impl Into<reqwest::Body>) -> u16 {
    let call = reqwest::Client::new().post(url).body(body);
    let call = secret.into_iter().fold(call, |call, secret| call.header(HEADER, secret));
    call.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_brought_is_answered() {
    spec!("telegram#updates-are-brought/from-a-link-to-its-answer");
    let port = free_port().await;
    let mut stage = Stage::with_webhook(&url(port), port, "").await;
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.bot.user(ANNA).says(&magnet(1));
    let status = stage.until_said(ANNA, "Accepted.").await;
    let [id] = stage.ids().await.try_into().unwrap();
    let press = stage.bot.user(ANNA).presses(status.id, "Give up");
    stage.until_answered(ANNA, &press).await;
    stage.until_handled().await;
    assert!(stage.daemon.stop().success());
    stage.bot.user(ANNA).says(&format!("/show {id}"));
    stage.daemon.start().await;
    stage.until_handled().await;
    stage.until_said(ANNA, &id).await;
    assert_eq!(stage.called("setwebhook", "url"), [url(port), url(port)]);
    assert_eq!(stage.called("getupdates", "offset"), [""; 0]);
    // Without one in the configuration it makes its own, another one each time.
    let secrets = stage.called("setwebhook", "secret_token");
    assert!(secrets[0] != secrets[1] && secrets.iter().all(|one| one.len() == 64), "{secrets:?}");
    assert!(secrets.iter().all(|secret| !stage.daemon.log().contains(secret)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_done_without_the_secret() {
    spec!("telegram#updates-are-brought/without-the-secret");
    let (stage, url) = Stage::brought().await;
    let body = update(5, &magnet(1)).to_string();
    for secret in [None, Some(""), Some("wrong"), Some(&SECRET[1..]), Some("a-secret_of-the-owner")]
    {
        assert_eq!(bring(&url, secret, body.clone()).await, 401, "{secret:?}");
    }
    assert_eq!(bring(&format!("{url}/"), Some(SECRET), body.clone()).await, 404);
    assert_eq!(bring(&url.replace("telegram/", ""), Some(SECRET), body.clone()).await, 404);
    let asked = reqwest::Client::new().request(Method::GET, &url).header(HEADER, SECRET);
    assert_eq!(asked.send().await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED);
    let large = format!("{body}{}", " ".repeat(1024 * 1024));
    assert_eq!(bring(&url, Some(SECRET), large).await, 413);
    for odd in ["", "[", "null", "{}", r#"{"update_id": 6, "message": 7}"#] {
        assert_eq!(bring(&url, Some(SECRET), odd).await, 200, "{odd}");
    }
    assert_eq!(stage.ids().await, [""; 0]);
    assert_eq!(stage.bot.chat(ANNA).messages(), []);
    assert_eq!(stage.daemon.log_with("has not its secret").len(), 1);
    assert!(!stage.daemon.log().contains(SECRET));
    // What is right is taken all the same.
    assert_eq!(bring(&url, Some(SECRET), body).await, 200);
    stage.until_said(ANNA, "Accepted.").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_brought_twice_is_handled_once() {
    spec!("telegram#updates-are-brought/brought-twice");
    let (mut stage, url) = Stage::brought().await;
    let body = update(5, &magnet(1)).to_string();
    let again = || bring(&url, Some(SECRET), body.clone());
    assert_eq!(tokio::join!(again(), again(), again()), (200, 200, 200));
    assert!(stage.daemon.stop().success());
    stage.daemon.start().await;
    stage.until_it_reads().await;
    assert_eq!(again().await, 200);
    assert_eq!(bring(&url, Some(SECRET), update(4, &magnet(2)).to_string()).await, 200);
    assert_eq!(stage.ids().await.len(), 2, "one of a smaller number is another one");
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_stop_breaks_off_is_brought_again() {
    spec!("telegram#updates-are-brought/brought-twice");
    let (mut stage, _) = Stage::brought().await;
    let wait = json!({
        "ok": false, "error_code": 429, "description": "Too Many Requests: retry after 60",
        "parameters": { "retry_after": 60 },
    });
    stage.bot.once("sendMessage", StubAnswer::json(429, wait.to_string()));
    stage.bot.user(ANNA).says(&magnet(1));
    eventually(DEADLINE, "the answer waits", async || {
        stage.daemon.log_with("Telegram asks for a wait").first().map(drop)
    })
    .await;
    assert!(stage.daemon.stop().success());
    assert_eq!((stage.bot.pending(), stage.bot.chat(ANNA).messages().len()), (1, 0));
    stage.daemon.start().await;
    stage.until_said(ANNA, "Winter.1").await;
    stage.until_handled().await;
    assert_eq!((stage.ids().await.len(), stage.bot.chat(ANNA).messages().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_goes_back_to_asking() {
    spec!("telegram#updates-are-brought/back-to-asking");
    let (mut stage, first) = Stage::brought().await;
    stage.bot.user(ANNA).says(&magnet(1));
    stage.until_said(ANNA, "Accepted.").await;
    assert!(stage.daemon.stop().success());
    // Another address, which Telegram does not take: the first one is still there.
    let with_webhook = stage.daemon.setup.more.clone();
    stage.daemon.setup.more = with_webhook.replace("/telegram/:here", "/elsewhere");
    stage.daemon.configure();
    stage.bot.once("setWebhook", refusal(400, "Bad Request: bad webhook: no such host"));
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-setup").await;
    assert!(check["detail"].as_str().unwrap().contains("no such host"), "{check}");
    stage.daemon.kill();
    stage.bot.user(ANNA).says(&magnet(2));
    let lines = with_webhook.lines().filter(|line| !line.starts_with("webhook"));
    stage.daemon.setup.more = lines.map(|line| format!("{line}\n")).collect();
    stage.daemon.configure();
    stage.daemon.start().await;
    stage.until_it_reads().await;
    stage.until_said(ANNA, "Winter.2").await;
    assert_eq!(stage.called("setwebhook", "url")[0], first);
    assert_eq!(stage.called("deletewebhook", "").len(), 1);
    assert_eq!(stage.bot.chat(ANNA).messages().len(), 2);
    // That of somebody else is not ours to delete.
    assert!(stage.daemon.stop().success());
    stage.another_sets_its_webhook().await;
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-conflict").await;
    assert!(check["detail"].as_str().unwrap().contains("webhook is active"), "{check}");
    assert_eq!(stage.called("deletewebhook", "").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_is_taken_stops_nothing() {
    spec!("telegram#updates-are-brought/trouble-on-the-way");
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut stage = Stage::with_webhook(&url(port), port, "").await;
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-setup").await;
    assert_eq!(check["level"], "error");
    assert!(check["detail"].as_str().unwrap().contains(&port.to_string()), "{check}");
    stage.daemon.ingest(&magnet(1)).await;
    drop(taken);
    stage.until_it_reads().await;
    stage.bot.user(ANNA).says(&magnet(2));
    stage.until_said(ANNA, "Accepted.").await;
    assert!(stage.daemon.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_at_telegram_is_told() {
    spec!("telegram#updates-are-brought/trouble-on-the-way");
    let (listen, nowhere) = (free_port().await, free_port().await);
    let mut stage = Stage::with_webhook(&url(nowhere), listen, "").await;
    let words = "Bad Request: bad webhook: an HTTPS URL must be provided for webhook";
    stage.bot.once("setWebhook", refusal(400, words));
    stage.daemon.start().await;
    let check = stage.daemon.until_check("telegram-setup").await;
    assert!(check["detail"].as_str().unwrap().contains("the webhook is refused"), "{check}");
    stage.until_it_reads().await;
    stage.bot.user(ANNA).says(&magnet(1));
    let check = stage.daemon.until_check("telegram-webhook").await;
    assert_eq!(check["level"], "warning");
    assert!(check["detail"].as_str().unwrap().contains("Connection refused"), "{check}");
    stage.another_sets_its_webhook().await;
    let check = stage.daemon.until_check("telegram-conflict").await;
    assert!(check["detail"].as_str().unwrap().contains("another one by now"), "{check}");
    assert!(stage.daemon.stop().success());
}
