//! The built binary as a daemon, for tests from outside: its configuration and
//! data in a temporary folder, its log in a file, REST and the command line to
//! ask it, signals to stop and to kill it.
//!
//! It knows no part of the program from inside, and leaves nothing behind.
#![allow(dead_code, reason = "each test program uses its own part of it")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tracker_testkit::{Lab, eventually, eventually_blocking};

/// For what takes a client some steps.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// For what the program does by itself.
const SOON: Duration = Duration::from_secs(20);

/// How a `[[client]]` of kind qbittorrent is configured.
#[derive(Clone, Debug)]
pub struct ClientSetup {
    pub name: String,
    pub url: String,
    pub username: String,
    pub password: String,
    /// Further lines of TOML, such as `own_folder = false`.
    pub more: String,
}

/// How the daemon is configured.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Below it everything is kept; links need one filesystem with the client.
    pub below: PathBuf,
    pub clients: Vec<ClientSetup>,
    /// Whether the roots of the two libraries are there at the start.
    pub roots: bool,
    /// The section `[metadata]`: nothing beyond this machine is asked in tests.
    pub metadata: String,
    /// Further sections of TOML.
    pub more: String,
    /// Words in front of the daemon's own, such as `setpriv`; they have to end
    /// in an `exec` of what follows.
    pub launcher: Vec<String>,
}

impl ClientSetup {
    /// The client under test of a lab, called `qbt`.
    pub fn of(lab: &Lab) -> Self {
        ClientSetup {
            name: "qbt".to_owned(),
            url: lab.qbt.url.clone(),
            username: lab.qbt.username.clone(),
            password: lab.qbt.password.clone(),
            more: String::new(),
        }
    }
}

impl Setup {
    /// With the client under test of a lab, and two libraries.
    pub fn of(lab: &Lab) -> Self {
        Setup { clients: vec![ClientSetup::of(lab)], ..Self::without_client(&lab.dir) }
    }

    /// With two libraries and no client.
    pub fn without_client(below: &Path) -> Self {
        Setup {
            below: below.to_path_buf(),
            clients: Vec::new(),
            roots: true,
            metadata: "tvmaze = false\n".to_owned(),
            more: String::new(),
            launcher: Vec::new(),
        }
    }

    fn toml(&self, home: &Path) -> String {
        // Without a word about clients there is one: the engine inside the program.
        let none = self.clients.is_empty() && !self.more.contains("[[client]]");
        let mut text = String::from(if none { "client = []\n" } else { "" });
        text.push_str(
            "[http]\nlisten = \"127.0.0.1:0\"\n[log]\nlevel = \"debug\"\nformat = \"json\"\n",
        );
        for client in &self.clients {
            let ClientSetup { name, url, username, password, more } = client;
            write!(
                text,
                "[[client]]\nname = {name:?}\nkind = \"qbittorrent\"\nurl = {url:?}\n\
                 username = {username:?}\npassword = {password:?}\npoll_interval = \"500ms\"\n{more}\n"
            )
            .unwrap();
        }
        for (name, kind) in [("movies", "movie"), ("tv", "series")] {
            let root = home.join("media").join(name);
            write!(text, "[[library]]\nname = {name:?}\nkind = {kind:?}\nroot = {root:?}\n")
                .unwrap();
        }
        write!(text, "[metadata]\n{}", self.metadata).unwrap();
        text + &self.more
    }
}

/// A daemon, running or not; its data stays until it is dropped.
pub struct Daemon {
    pub setup: Setup,
    home: TempDir,
    child: Option<Child>,
    http: reqwest::Client,
}

/// An answer of REST.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

/// What a command left.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Answer {
    /// The body.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{} {:?}: {error}", self.status, self.text))
    }

    /// The code of a problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The body, where the status is the one that is expected.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }
}

impl Said {
    /// What it printed, where it ended well.
    #[track_caller]
    pub fn done(&self) -> &str {
        assert_eq!(self.code, 0, "{} {}", self.out, self.err);
        &self.out
    }

    /// The JSON that it printed.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The ids of an `ingest` or `adopt`, in order.
    #[track_caller]
    pub fn ids(&self) -> Vec<String> {
        self.out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    }
}

impl Daemon {
    /// Everything is laid out, nothing runs.
    pub fn prepared(setup: Setup) -> Self {
        let home = tempfile::Builder::new().prefix("daemon-").tempdir_in(&setup.below).unwrap();
        if setup.roots {
            for name in ["movies", "tv"] {
                std::fs::create_dir_all(home.path().join("media").join(name)).unwrap();
            }
        }
        // Nothing of a machine's proxy settings may come in between.
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let daemon = Daemon { setup, home, child: None, http };
        daemon.configure();
        daemon
    }

    /// The same, running and ready.
    pub async fn started(setup: Setup) -> Self {
        let mut daemon = Self::prepared(setup);
        daemon.start().await;
        daemon
    }

    /// Writes the configuration anew, after a change of `setup`. A daemon that
    /// runs reads it at its next start.
    pub fn configure(&self) {
        let text = self.setup.toml(self.home.path());
        std::fs::write(self.home.path().join("tracker.toml"), text).unwrap();
    }

    /// Starts it on the data that is there and waits until it is ready.
    pub async fn start(&mut self) {
        self.spawn();
        self.until_ready().await;
    }

    /// Starts it and waits for nothing.
    pub fn spawn(&mut self) {
        assert!(self.child.is_none(), "it runs already");
        let log = File::options().create(true).append(true).open(self.log_path()).unwrap();
        let mut command = launched(&self.setup.launcher, self.command(&["serve"]));
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
    }

    /// Waits until `/readyz` answers 200.
    pub async fn until_ready(&mut self) {
        let child = self.child.as_mut().unwrap();
        let pid = child.id();
        let (log, data) = (self.home.path().join("log"), self.home.path().join("data"));
        let http = &self.http;
        eventually(SOON, "the daemon to be ready", async || {
            if let Some(status) = child.try_wait().unwrap() {
                panic!(
                    "it ended ({status}): {}",
                    std::fs::read_to_string(&log).unwrap_or_default()
                );
            }
            let text = std::fs::read_to_string(data.join("daemon.json")).ok()?;
            let told: Value = serde_json::from_str(&text).ok()?;
            // A file that a killed one has left names another process.
            let url = told["url"].as_str().filter(|_| told["pid"] == pid)?;
            let reply = http.get(format!("{url}/readyz")).send().await.ok()?;
            (reply.status() == 200).then_some(())
        })
        .await;
    }

    /// Asks it to end and waits for that.
    pub fn stop(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.ended(SOON)
    }

    /// Kills it as a crash would.
    pub fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ended(SOON);
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let id = self.pid();
        kill_process(Pid::from_raw(id.try_into().unwrap()).unwrap(), signal).unwrap();
    }

    /// Waits until it has ended.
    pub fn ended(&mut self, deadline: Duration) -> ExitStatus {
        let mut child = self.child.take().unwrap();
        eventually_blocking(deadline, "the daemon to end", || child.try_wait().unwrap())
    }

    /// The process that runs.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// The folder that everything is in.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Where the database is.
    pub fn data_dir(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The root of a library: `movies` or `tv`.
    pub fn library(&self, name: &str) -> PathBuf {
        self.home.path().join("media").join(name)
    }

    fn log_path(&self) -> PathBuf {
        self.home.path().join("log")
    }

    /// Everything it has logged, over restarts.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// The records of the log that contain `text`.
    pub fn log_with(&self, text: &str) -> Vec<Value> {
        let log = self.log();
        let lines = log.lines().filter(|line| line.contains(text));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The token for programs on this machine.
    pub fn token(&self) -> String {
        std::fs::read_to_string(self.data_dir().join("api-token")).unwrap().trim().to_owned()
    }

    /// Where it is reached.
    pub fn url(&self) -> String {
        let text = std::fs::read_to_string(self.data_dir().join("daemon.json")).unwrap();
        let told: Value = serde_json::from_str(&text).unwrap();
        told["url"].as_str().unwrap().to_owned()
    }

    /// A request to `path` with the token.
    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url())).bearer_auth(self.token())
    }

    /// Sends a request.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let reply = request.send().await.unwrap();
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        Answer { status, headers, text: reply.text().await.unwrap() }
    }

    /// GET below `/api/v1`.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(reqwest::Method::GET, &format!("/api/v1{path}"))).await
    }

    /// POST of JSON below `/api/v1`.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let request = self.request(reqwest::Method::POST, &format!("/api/v1{path}"));
        self.send(request.json(body)).await
    }

    /// POST of the bytes of a `.torrent`; `query` starts with `?` or is empty.
    pub async fn upload(&self, torrent: Vec<u8>, query: &str) -> Answer {
        let request = self
            .request(reqwest::Method::POST, &format!("/api/v1/downloads{query}"))
            .header("content-type", "application/x-bittorrent");
        self.send(request.body(torrent)).await
    }

    /// Hands a link or hash over by REST: the answer and the id.
    pub async fn ingest(&self, magnet: &str) -> String {
        let answer = self.post("/downloads", &serde_json::json!({ "magnet": magnet })).await;
        assert!(matches!(answer.status, 200 | 201), "{}", answer.text);
        id_of(&answer.json())
    }

    /// The download.
    pub async fn download(&self, id: &str) -> Value {
        self.get(&format!("/downloads/{id}")).await.expect(200)
    }

    /// Waits until the download is as wanted.
    pub async fn until(
        &self,
        id: &str,
        deadline: Duration,
        what: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Value {
        let mut last = Value::Null;
        let found = tokio::time::timeout(deadline, async {
            eventually(deadline * 2, what, async || {
                last = self.download(id).await;
                wanted(&last).then(|| last.clone())
            })
            .await
        })
        .await;
        found.unwrap_or_else(|_| panic!("{id} is not {what} within {deadline:?}: {last:#}"))
    }

    /// Waits until the download is in a state.
    pub async fn until_state(&self, id: &str, state: &str) -> Value {
        self.until(id, DEADLINE, state, |download| download["state"] == state).await
    }

    /// The journal of a download, oldest first.
    pub async fn events(&self, id: &str) -> Vec<Value> {
        let page = self.get(&format!("/events?download_id={id}&limit=200")).await.expect(200);
        let mut items = page["items"].as_array().unwrap().clone();
        items.reverse();
        items
    }

    /// The checks of health with this code.
    pub async fn checks(&self, code: &str) -> Vec<Value> {
        let health = self.get("/health").await.expect(200);
        let checks = health["checks"].as_array().unwrap();
        checks.iter().filter(|check| check["code"] == code).cloned().collect()
    }

    /// Waits for a check of health with this code.
    pub async fn until_check(&self, code: &str) -> Value {
        eventually(DEADLINE, code, async || self.checks(code).await.into_iter().next()).await
    }

    /// A command on this data directory, as on a machine that has nothing else.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracker"));
        for (name, _) in std::env::vars_os()
            .filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("TRACKER_")))
        {
            command.env_remove(name);
        }
        // The service manager of whoever runs the tests is not the daemon's.
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).env("XDG_CONFIG_HOME", self.home.path());
        command.arg("--config").arg(self.home.path().join("tracker.toml"));
        command.arg("--data-dir").arg(self.data_dir()).args(args).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn tracker(&self, args: &[&str]) -> Said {
        self.tracker_behind(&[], args)
    }

    /// The same behind other words, such as `unshare`.
    pub fn tracker_behind(&self, launcher: &[String], args: &[&str]) -> Said {
        let mut command = launched(launcher, self.command(args));
        let Output { status, stdout, stderr } = command.output().unwrap();
        Said {
            code: status.code().unwrap(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }
}

impl Daemon {
    /// Ends it in whatever way, if it runs at all.
    pub fn abandon(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.abandon();
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<&str> = log.lines().collect();
            let from = lines.len().saturating_sub(80);
            eprintln!("the end of the daemon's log:\n{}", lines[from..].join("\n"));
        }
    }
}

/// The command behind other words.
fn launched(launcher: &[String], command: Command) -> Command {
    let Some((first, rest)) = launcher.split_first() else { return command };
    let mut outer = Command::new(first);
    outer.args(rest).arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// The id in the answer of an intake.
pub fn id_of(answer: &Value) -> String {
    answer["download"]["id"].as_str().unwrap_or_else(|| panic!("no id: {answer}")).to_owned()
}
