//! A Bot API on the loopback interface that keeps to the rules of the real one:
//! what it takes and what it refuses, in its words.
//!
//! A test plays the people (`user`) and reads what they see (`chat`). Everything
//! happens at one moment of time; only the pace of what is sent, and how long
//! somebody waits for updates, are counted by the clock of the runtime.

mod html;
mod messages;
mod methods;
mod people;
mod rates;
mod request;
mod webhook;
mod world;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::StubAnswer;
use crate::metadata::write_answer;
use request::Request;
use world::World;

pub use html::seen;
pub use people::{Chat, Person, Seen};
pub use world::{Answer, Call, Refusal};

const LONGEST_WAIT: Duration = Duration::from_secs(50);

/// The server. It ends with the value.
pub struct BotApiServer {
    url: String,
    world: Arc<Mutex<World>>,
    /// Counts what happened, for those that wait for it.
    changes: watch::Sender<u64>,
    tasks: [JoinHandle<()>; 2],
}

impl BotApiServer {
    /// The token of its bot.
    pub const TOKEN: &'static str = "123456:5tub-T0ken_OfABot";

    /// Starts it, with nobody there and nothing said. It holds to the limits of pace.
    ///
    /// # Panics
    /// When there is no port on the loopback interface.
    pub async fn start() -> Self {
        let listener =
            TcpListener::bind("127.0.0.1:0").await.expect("the loopback interface has a free port");
        let port = listener.local_addr().map(|address| address.port()).unwrap_or_default();
        let world = Arc::new(Mutex::new(World::default()));
        let changes = watch::Sender::new(0);
        let (shared, waking) = (world.clone(), changes.clone());
        let answering = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (world, changes) = (shared.clone(), waking.clone());
                tokio::spawn(async move {
                    // A client that hangs up is part of the play.
                    let _ = serve(stream, &world, &changes).await;
                });
            }
        });
        let bringing = tokio::spawn(webhook::bring(world.clone(), changes.subscribe()));
        let url = format!("http://127.0.0.1:{port}");
        BotApiServer { url, world, changes, tasks: [answering, bringing] }
    }

    /// The same without limits of pace, for tests of other things.
    pub async fn without_pace() -> Self {
        let server = Self::start().await;
        server.world().rates.off = true;
        server
    }

    /// Its address, for the configuration.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A person, who has spoken to the bot before.
    #[must_use]
    pub fn user(&self, id: i64) -> Person<'_> {
        self.world().chat(id);
        Person { bot: self, id, chat: id, thread: None }
    }

    /// A chat.
    #[must_use]
    pub fn chat(&self, id: i64) -> Chat<'_> {
        Chat { bot: self, id }
    }

    /// Tells the bot of something, whatever it is; the update gets its number.
    pub fn tells(&self, update: Value) {
        self.world().tell(update);
        self.changed();
    }

    /// Answers this the next time that a method is called; several queue.
    pub fn once(&self, method: &str, answer: StubAnswer) {
        self.world().script.push_back((method.to_ascii_lowercase(), answer));
    }

    /// The calls that came in, with the right token.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.world().calls.clone()
    }

    /// How many updates are not confirmed.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.world().updates.len()
    }

    /// How often somebody was told to wait.
    #[must_use]
    pub fn refused_for_pace(&self) -> usize {
        self.world().rates.refused
    }

    /// The commands that people with this language are offered; `""` are all others.
    #[must_use]
    pub fn commands(&self, language: &str) -> Vec<(String, String)> {
        self.world().commands.get(language).cloned().unwrap_or_default()
    }

    fn world(&self) -> MutexGuard<'_, World> {
        locked(&self.world)
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

impl Drop for BotApiServer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

fn locked(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(
    mut stream: TcpStream,
    world: &Mutex<World>,
    changes: &watch::Sender<u64>,
) -> io::Result<()> {
    let Some(request) = request::read(&mut stream).await? else { return Ok(()) };
    match answer(&mut stream, world, &request, changes).await {
        Some(answer) => write_answer(&mut stream, &answer).await,
        None => Ok(()),
    }
}

/// The answer; nothing where the other side gave up waiting for it.
async fn answer(
    stream: &mut TcpStream,
    world: &Mutex<World>,
    request: &Request,
    changes: &watch::Sender<u64>,
) -> Option<StubAnswer> {
    let own = format!("/bot{}/", BotApiServer::TOKEN);
    let own_file = format!("/file/bot{}/documents/", BotApiServer::TOKEN);
    if let Some(id) = request.path.strip_prefix(&own_file) {
        let world = locked(world);
        return Some(match world.files.get(id) {
            Some(file) => StubAnswer::of_kind(200, "application/octet-stream", file.bytes.clone())
                .header("Content-Disposition", &format!("attachment; filename=\"{}\"", file.name)),
            None => Refusal::new(404, "Not Found").answer(),
        });
    }
    let Some(method) = request.path.strip_prefix(&own).map(str::to_ascii_lowercase) else {
        let formed = request.path.split('/').nth(1).is_some_and(|part| part.contains(':'));
        let refusal = if formed { (401, "Unauthorized") } else { (404, "Not Found") };
        return Some(Refusal::new(refusal.0, refusal.1).answer());
    };
    {
        let mut world = locked(world);
        let fields = request.fields.clone();
        world.calls.push(Call { method: method.clone(), fields });
        if let Some(at) = world.script.iter().position(|(wanted, _)| *wanted == method) {
            return world.script.remove(at).map(|(_, answer)| answer);
        }
    }
    let outcome = if method == "getupdates" {
        poll(stream, world, request, changes).await?
    } else {
        methods::answer(&mut locked(world), &method, request, Instant::now())
    };
    changes.send_modify(|count| *count += 1);
    Some(match outcome {
        Ok(result) => StubAnswer::json(200, json!({ "ok": true, "result": result }).to_string()),
        Err(refusal) => refusal.answer(),
    })
}

/// Waits for updates. Of two that wait, the newer one gets them.
async fn poll(
    stream: &mut TcpStream,
    world: &Mutex<World>,
    request: &Request,
    changes: &watch::Sender<u64>,
) -> Option<Result<Value, Refusal>> {
    let mut changed = changes.subscribe();
    let seconds = u64::try_from(request.number("timeout").unwrap_or_default()).unwrap_or_default();
    let until = Instant::now() + Duration::from_secs(seconds).min(LONGEST_WAIT);
    let own = {
        let mut world = locked(world);
        if let Err(refusal) = methods::allow(&mut world, request) {
            return Some(Err(refusal));
        }
        world.poll += 1;
        world.poll
    };
    changes.send_modify(|count| *count += 1);
    loop {
        changed.mark_unchanged();
        {
            let mut world = locked(world);
            if world.webhook.is_some() {
                let words = "Conflict: can't use getUpdates method while webhook is active; \
                             use deleteWebhook to delete the webhook first";
                return Some(Err(Refusal::new(409, words)));
            }
            if world.poll != own {
                let words = "Conflict: terminated by other getUpdates request; \
                             make sure that only one bot instance is running";
                return Some(Err(Refusal::new(409, words)));
            }
            let found = methods::updates(&mut world, request);
            if !found.is_empty() || Instant::now() >= until {
                return Some(Ok(found.into()));
            }
        }
        let mut rest = [0; 64];
        tokio::select! {
            told = timeout_at(until, changed.changed()) => {
                if let Ok(told) = told {
                    told.ok()?;
                }
            }
            // The other side gave up.
            _ = stream.read(&mut rest) => return None,
        }
    }
}
