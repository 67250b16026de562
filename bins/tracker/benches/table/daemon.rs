//! A `tracker serve` of the release build, on a data directory of the bench.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::time::Instant;

const READY: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(1);

/// A running daemon; it is killed when it was not stopped.
pub struct Daemon {
    child: Child,
    /// From its start to the first 200 of `/readyz`.
    pub ready_after: Duration,
    data: PathBuf,
    log: PathBuf,
}

/// Blocks; a bench has nothing else to do meanwhile.
#[expect(clippy::disallowed_methods, reason = "a bench waits for another process")]
pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

impl Daemon {
    /// Starts it and waits until it is ready.
    pub fn start(data: &Path, client: Option<&Value>) -> Result<Self> {
        let config = data.join("bench.toml");
        fs::write(&config, configuration(client)?).context("writing the configuration")?;
        let log = data.join("bench.log");
        let out = File::create(&log).context("making the log")?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracker"));
        command.arg("serve").arg("--config").arg(&config).arg("--data-dir").arg(data);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(out);
        let began = Instant::now();
        let child = command.spawn().context("starting the daemon")?;
        let mut daemon = Daemon { child, ready_after: Duration::ZERO, data: data.to_owned(), log };
        while !is_ready(data) {
            if began.elapsed() > READY || daemon.child.try_wait()?.is_some() {
                bail!("the daemon did not become ready:\n{}", daemon.log_text());
            }
            pause(LOOK);
        }
        daemon.ready_after = began.elapsed();
        Ok(daemon)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where it answers.
    pub fn url(&self) -> Result<String> {
        url_of(&self.data).context("the daemon tells no address")
    }

    /// What it wrote so far.
    pub fn log_text(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) -> Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.context("it has no pid")?, signal).context("signalling the daemon")
    }

    /// Stops it as a service manager does.
    pub fn stop(mut self) -> Result<()> {
        self.signal(Signal::TERM)?;
        let status = self.child.wait().context("waiting for the daemon")?;
        if !status.success() {
            bail!("the daemon ended with {status}:\n{}", self.log_text());
        }
        Ok(())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // After `stop` there is nothing left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn configuration(client: Option<&Value>) -> Result<String> {
    let mut document = json!({
        "http": { "listen": "127.0.0.1:0" },
        "metadata": { "tvmaze": false },
        "log": { "format": "json", "level": if client.is_some() { "debug" } else { "info" } },
    });
    // Without a word about clients there would be the engine.
    document["client"] = client.map_or_else(|| json!([]), |client| json!([client]));
    toml::to_string(&document).context("writing the configuration as TOML")
}

fn is_ready(data: &Path) -> bool {
    let url = url_of(data);
    let host = url.as_deref().and_then(|url| url.strip_prefix("http://"));
    host.and_then(answers).unwrap_or(false)
}

fn url_of(data: &Path) -> Option<String> {
    let text = fs::read_to_string(data.join("daemon.json")).ok()?;
    let document: Value = serde_json::from_str(&text).ok()?;
    Some(document["url"].as_str()?.trim_end_matches('/').to_owned())
}

fn answers(host: &str) -> Option<bool> {
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(answer.starts_with(b"HTTP/1.1 200"))
}
