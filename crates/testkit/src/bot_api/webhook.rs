//! Bringing updates to a webhook, one after another, each until it is taken.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::locked;
use super::world::World;

/// Between two attempts, where nothing else happens.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn bring(world: Arc<Mutex<World>>, mut changed: watch::Receiver<u64>) {
    loop {
        changed.mark_unchanged();
        let next = {
            let world = locked(&world);
            let hook = world.webhook.as_ref().map(|hook| (hook.url.clone(), hook.secret.clone()));
            hook.zip(world.updates.front().map(|update| (update.id, update.body.clone())))
        };
        let Some(((url, secret), (id, body))) = next else {
            if changed.changed().await.is_err() {
                return;
            }
            continue;
        };
        let outcome = post(&url, secret.as_deref(), &body).await;
        let taken = matches!(outcome, Ok(200..=299));
        {
            let mut world = locked(&world);
            if taken {
                world.updates.retain(|update| update.id != id);
            }
            if let Some(hook) = &mut world.webhook {
                let words = match outcome {
                    Ok(status) => format!("Wrong response from the webhook: {status}"),
                    Err(_) => "Connection refused".to_owned(),
                };
                hook.last_error = (!taken).then_some(words);
            }
        }
        if !taken {
            // Whatever comes first: something happens, or it is time to try again.
            let _ = timeout(PAUSE, changed.changed()).await;
        }
    }
}

/// The status that the other side answers with.
async fn post(url: &str, secret: Option<&str>, body: &Value) -> io::Result<u16> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).await?;
    let body = body.to_string();
    let secret = secret.map_or_else(String::new, |secret| {
        format!("X-Telegram-Bot-Api-Secret-Token: {secret}\r\n")
    });
    let head = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n{secret}Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.ok_or_else(|| io::Error::other("the answer has no status"))
}
