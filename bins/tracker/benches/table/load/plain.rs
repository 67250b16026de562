//! A plain axum server beside the daemon: the same bytes from an askama template, line
//! by line, and streams that are told of each post. It is this program again, as a
//! process of its own, so that its memory and time are its own.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use futures::stream::unfold;
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio::time::Instant;
use tower_http::compression::CompressionLayer;

use crate::daemon::pause;

/// The argument that makes this program the plain server.
pub const ARGUMENT: &str = "--plain-server";

const READY: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(5);
const ROOM: usize = 64;

/// A running plain server; it is killed when it is dropped.
pub struct Plain {
    child: Child,
    url: String,
}

impl Plain {
    /// Starts one that answers with this page.
    pub fn start(folder: &Path, page: &str) -> Result<Self> {
        let content = folder.join("plain.html");
        fs::write(&content, page).context("writing a page")?;
        let told = folder.join("plain.url");
        // A former one may have left its own.
        let _ = fs::remove_file(&told);
        let program = std::env::current_exe().context("finding this program")?;
        let mut command = Command::new(program);
        command.args(["--bench", ARGUMENT]).arg(&content).arg(&told);
        let child = command.stdin(Stdio::null()).spawn().context("starting the plain server")?;
        let mut plain = Plain { child, url: String::new() };
        let began = Instant::now();
        while plain.url.is_empty() {
            if began.elapsed() > READY || plain.child.try_wait()?.is_some() {
                bail!("the plain server did not become ready");
            }
            pause(LOOK);
            plain.url = fs::read_to_string(&told).unwrap_or_default();
        }
        Ok(plain)
    }

    /// Where it answers.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Template)]
#[template(source = "{% for line in lines %}{{ line|safe }}\n{% endfor %}", ext = "html")]
struct Page<'a> {
    lines: &'a [String],
}

#[derive(Clone)]
struct Shared {
    lines: Arc<[String]>,
    facts: broadcast::Sender<Arc<str>>,
}

/// Serves until it is killed. The arguments are the file of the page, and the one that
/// is told the address.
pub fn serve(arguments: &[String]) -> Result<()> {
    let [content, told] = arguments else { bail!("a page and a file for the address") };
    let text = fs::read_to_string(content).context("reading the page")?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let shared = Shared { lines: lines.into(), facts: broadcast::Sender::new(ROOM) };
    let runtime = tokio::runtime::Runtime::new().context("a runtime")?;
    runtime.block_on(listen(shared, PathBuf::from(told)))
}

async fn listen(shared: Shared, told: PathBuf) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await.context("listening")?;
    let url = format!("http://{}", listener.local_addr().context("listening")?);
    fs::write(told, url).context("telling the address")?;
    let listener = listener.tap_io(|connection| {
        // Without it the answer only leaves later.
        let _ = connection.set_nodelay(true);
    });
    let router = Router::new()
        .route("/", get(page))
        .route("/events/stream", get(stream))
        .route("/api/v1/downloads", post(fact))
        .with_state(shared)
        .layer(CompressionLayer::new());
    axum::serve(listener, router).await.context("serving")
}

async fn page(State(shared): State<Shared>) -> Response {
    match (Page { lines: &shared.lines }).render() {
        Ok(text) => Html(text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn fact(State(shared): State<Shared>, body: String) -> StatusCode {
    // An error says that nobody listens.
    let _ = shared.facts.send(body.into());
    StatusCode::CREATED
}

async fn stream(State(shared): State<Shared>) -> impl IntoResponse {
    let facts = unfold(shared.facts.subscribe(), |mut facts| async move {
        let fact = facts.recv().await.ok()?;
        let event = Event::default().event("fact").data(&*fact);
        Some((Ok::<_, Infallible>(event), facts))
    });
    Sse::new(facts).keep_alive(KeepAlive::new())
}
