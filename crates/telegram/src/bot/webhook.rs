//! The other way to read: Telegram brings each update to an address that a proxy leads
//! to a listener of the bot's own. Nothing else of the daemon listens there.
//!
//! Whatever comes without the secret is refused unread. An update is answered once it
//! is handled, and comes again where it is not.

use std::future::IntoFuture;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};
use tracker_domain::Secret;
use tracker_domain::health::Level;
use url::Url;

use super::Shared;
use super::take::Taking;
use super::trouble::{FIRST_PAUSE, LONGEST_PAUSE, Tries, Trouble};
use crate::api::BotError;

/// In which header Telegram shows the secret.
const SECRET: &str = "x-telegram-bot-api-secret-token";

/// The most of an update that is read; the largest have some ten thousand bytes.
const LARGEST_UPDATE: usize = 1024 * 1024;

/// How long an update may take to come in.
const READ_TIME: Duration = Duration::from_secs(10);

/// How long connections may take to end after the stop.
const DRAIN: Duration = Duration::from_secs(3);

/// How updates are brought to the bot.
#[derive(Clone, Debug)]
pub struct WebhookSettings {
    /// The address at which Telegram reaches it.
    pub url: Url,
    /// Where it listens for what arrives there.
    pub listen: SocketAddr,
    /// By which it knows Telegram; without one it makes one itself.
    pub secret: Option<Secret>,
}

/// The same with a secret in any case.
pub(super) struct Webhook {
    url: Url,
    listen: SocketAddr,
    secret: Secret,
}

/// What the listener needs.
struct Door {
    shared: Arc<Shared>,
    path: String,
    secret: [u8; 32],
    /// Whether it was told of a call without the secret.
    has_told: AtomicBool,
    /// Updates are handled one after the other.
    taking: Mutex<Taking>,
    stop: CancellationToken,
}

/// How it goes at Telegram.
#[derive(Debug, Default)]
struct Keeping {
    is_set: bool,
    tries: Tries,
    /// Until the next look, where all is well.
    pause: Duration,
}

impl Webhook {
    pub(super) fn new(settings: &WebhookSettings) -> Self {
        let WebhookSettings { url, listen, secret } = settings.clone();
        Webhook { url, listen, secret: secret.unwrap_or_else(fresh) }
    }
}

/// Takes what is brought until `stop`.
pub(super) async fn receive(shared: &Arc<Shared>, webhook: &Webhook, stop: &CancellationToken) {
    let Some(listener) = listener(shared, webhook.listen, stop).await else { return };
    let door = Door {
        shared: Arc::clone(shared),
        path: webhook.url.path().to_owned(),
        secret: Sha256::digest(webhook.secret.expose()).into(),
        has_told: AtomicBool::new(false),
        taking: Mutex::default(),
        stop: stop.clone(),
    };
    tokio::join!(serve(listener, door, stop), keep(shared, webhook, stop));
}

/// Has Telegram keep updates until they are asked for, where it brings them to an
/// address that we gave it. What somebody else has set stays.
pub(super) async fn clear(shared: &Shared) -> Result<(), Trouble> {
    let known = shared.app.chats.webhooks().await?;
    if known.is_empty() {
        return Ok(());
    }
    let current = shared.api.webhook().await?.url;
    if known.iter().any(|url| is_same(url, &current)) {
        shared.api.delete_webhook().await?;
        info!("the webhook of another configuration is deleted");
    }
    Ok(shared.app.chats.forget_webhooks().await?)
}

/// Listens, sooner or later; nobody where the stop comes first.
async fn listener(
    shared: &Shared,
    address: SocketAddr,
    stop: &CancellationToken,
) -> Option<TcpListener> {
    let mut tries = Tries::default();
    while !stop.is_cancelled() {
        let pause = match TcpListener::bind(address).await {
            Ok(listener) => return Some(listener),
            Err(error) => tries.note(shared, &Trouble::Listener(address, error)),
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = sleep(pause) => {}
        }
    }
    None
}

async fn serve(listener: TcpListener, door: Door, stop: &CancellationToken) {
    // Any path may be configured, also one that would be a pattern of a route.
    let router = Router::new().fallback(brought).with_state(Arc::new(door));
    let ending = stop.clone().cancelled_owned();
    let server = axum::serve(listener, router).with_graceful_shutdown(ending).into_future();
    let late = async {
        stop.cancelled().await;
        sleep(DRAIN).await;
    };
    tokio::select! {
        ended = server => if let Err(error) = ended {
            error!(%error, "the listener of the bot failed");
        },
        () = late => debug!("connections to the bot were still open at the stop"),
    }
}

async fn brought(State(door): State<Arc<Door>>, request: Request) -> StatusCode {
    if request.uri().path() != door.path {
        return StatusCode::NOT_FOUND;
    }
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    if !door.knows(request.headers()) {
        // Anybody can call here, so it is told once.
        if !door.has_told.swap(true, Ordering::Relaxed) {
            warn!("a call of the webhook has not its secret and is refused, as others will be");
        }
        return StatusCode::UNAUTHORIZED;
    }
    tokio::select! {
        // What is broken off is brought again, as after a crash.
        () = door.stop.cancelled() => StatusCode::SERVICE_UNAVAILABLE,
        status = door.take(request.into_body()) => status,
    }
}

impl Door {
    /// Digests are compared, all of them to the end: how long it takes tells nothing of
    /// the secret.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(given) = headers.get(SECRET) else { return false };
        let given = Sha256::digest(given.as_bytes());
        self.secret.iter().zip(given).fold(0, |differs, (own, other)| differs | (own ^ other)) == 0
    }

    async fn take(&self, body: Body) -> StatusCode {
        let bytes = match timeout(READ_TIME, to_bytes(body, LARGEST_UPDATE)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE,
            Err(_) => return StatusCode::REQUEST_TIMEOUT,
        };
        let Ok(raw) = serde_json::from_slice::<Value>(&bytes) else {
            warn!("what was brought is no JSON and is passed over");
            return StatusCode::OK;
        };
        match self.taking.lock().await.take(&self.shared, &raw).await {
            Ok(()) => StatusCode::OK,
            Err(error) => {
                error!(%error, "an update is not handled; it is to be brought again");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }
}

/// Gives Telegram the address, then looks now and again how it goes.
async fn keep(shared: &Shared, webhook: &Webhook, stop: &CancellationToken) {
    let mut keeping = Keeping::default();
    while !stop.is_cancelled() {
        let outcome = tokio::select! {
            () = stop.cancelled() => return,
            outcome = keeping.look(shared, webhook) => outcome,
        };
        let pause = match outcome {
            Ok(()) => keeping.well(shared),
            Err(trouble) => keeping.tries.note(shared, &trouble),
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = sleep(pause) => {}
        }
    }
}

impl Keeping {
    async fn look(&mut self, shared: &Shared, webhook: &Webhook) -> Result<(), Trouble> {
        if !self.is_set {
            shared.introduce().await?;
            set(shared, webhook).await?;
            self.is_set = true;
            info!("the bot is brought what people write");
            return Ok(());
        }
        let state = shared.api.webhook().await?;
        if !is_same(webhook.url.as_str(), &state.url) {
            return Err(Trouble::WebhookReplaced);
        }
        match state.last_error_message {
            // The last fault is told also when it is long past.
            Some(why) if state.pending_update_count > 0 => Err(Trouble::NotBrought(why)),
            _ => Ok(()),
        }
    }

    /// Tells that all is well, and how long to wait: less at first, when what was
    /// configured shows itself.
    fn well(&mut self, shared: &Shared) -> Duration {
        self.tries.answered();
        self.tries.over();
        let name = shared.name().unwrap_or_default();
        let detail = format!("@{name} is brought what people write");
        shared.app.chats.report("telegram", Level::Ok, detail, "");
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        self.pause
    }
}

/// Gives Telegram the address. It is kept before that, and those before it until then,
/// so that it is known for ours whatever comes in between.
async fn set(shared: &Shared, webhook: &Webhook) -> Result<(), Trouble> {
    let chats = &shared.app.chats;
    let url = webhook.url.to_string();
    let mut known = chats.webhooks().await?;
    if !known.contains(&url) {
        known.push(url.clone());
        chats.remember_webhooks(known).await?;
    }
    match shared.api.set_webhook(&webhook.url, &webhook.secret).await {
        Err(BotError::BadRequest(why)) => return Err(Trouble::WebhookRefused(why)),
        other => other?,
    }
    Ok(chats.remember_webhooks(vec![url]).await?)
}

fn is_same(own: &str, other: &str) -> bool {
    own == other || Url::parse(own).is_ok_and(|own| Url::parse(other).is_ok_and(|it| it == own))
}

/// 256 random bits.
fn fresh() -> Secret {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    Secret::new(hex::encode(bytes))
}
