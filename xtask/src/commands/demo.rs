//! `demo`: the main job on a real qBittorrent, from nothing to a library.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use rustix::process::Signal;
use serde_json::Value;

use super::lab::{Flavour, Labs, manifest};
use super::setup::{self, cargo};
use crate::runner::{Runner, end_group, note, pause, say, started};
use crate::workspace::files_under;

const LOOK: Duration = Duration::from_millis(250);
const READY: Duration = Duration::from_secs(60);
const DONE: Duration = Duration::from_secs(180);
/// A film in one file, and a season of episodes that has hashes of both generations.
const TORRENTS: [&str; 2] = ["movie-v1", "season-hybrid"];

/// How to show it.
#[derive(Debug, Args)]
pub struct Options {
    /// Use the debug build
    #[arg(long)]
    debug: bool,
    /// Leave the daemon and the lab running at the end
    #[arg(long)]
    keep: bool,
    /// The generation of qBittorrent
    #[arg(long, value_enum, default_value = "backports")]
    qbt: Flavour,
}

/// The daemon; it ends with the demo, however that ends.
struct Daemon(Option<Child>);

impl Daemon {
    fn stop(&mut self) -> Result<()> {
        let Some(mut child) = self.0.take() else {
            return Ok(());
        };
        let status = end_group(&mut child, Signal::TERM)?;
        if !status.success() {
            bail!("the daemon ended with {status} when it was asked to stop");
        }
        Ok(())
    }

    fn check(&mut self) -> Result<()> {
        if let Some(child) = &mut self.0
            && let Some(status) = child.try_wait().context("looking after the daemon")?
        {
            bail!("the daemon ended by itself with {status}");
        }
        Ok(())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Err(err) = self.stop() {
            note(&format!("{err:#}"));
        }
    }
}

/// Where everything of one demo is.
struct Stage {
    program: PathBuf,
    config: PathBuf,
    data: PathBuf,
    library: PathBuf,
}

impl Stage {
    fn tracker(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--config").arg(&self.config).arg("--data-dir").arg(&self.data);
        command
    }
}

/// `cargo xtask demo`.
pub fn run(options: &Options) -> Result<()> {
    setup::tools()?;
    let runner = Runner::new(None)?;
    note(if options.keep {
        "tracker with a real qBittorrent, all of it on loopback; it is left running at the end."
    } else {
        "tracker with a real qBittorrent, all of it on loopback; nothing is left running."
    });
    note("The first run builds tracker and fetches the client, which takes some minutes.\n");
    note("building tracker");
    let profile = if options.debug { "debug" } else { "release" };
    let mut build = cargo(&["build", "--package", "tracker"]);
    if !options.debug {
        build.arg("--release");
    }
    runner.run(&mut build)?;
    note(&format!(
        "starting qBittorrent ({}), a seeder and a tracker on loopback",
        options.qbt.name()
    ));
    let labs = Labs::up(&runner, &[options.qbt])?;
    let dir = labs.dir(options.qbt);
    let manifest = manifest(&dir)?;
    let stage = prepare(&dir, &manifest, setup::target_dir().join(profile).join("tracker"))?;

    note("starting the daemon");
    let log = dir.join("daemon.log");
    let mut daemon = serve(&runner, &stage, &log)?;
    let shown = show(&runner, &stage, &mut daemon, &manifest);
    if shown.is_err() {
        note(&fs::read_to_string(&log).unwrap_or_default());
    }
    if options.keep {
        let pid = daemon.0.take().map(|child| child.id());
        let folder = labs.keep();
        note(&left_running(&stage, &manifest["qbt"], pid, &dir, &folder));
        return shown;
    }
    note("stopping the daemon and the lab");
    let stopped = daemon.stop();
    shown.and(stopped)
}

/// How to use and how to stop what `--keep` leaves.
fn left_running(
    stage: &Stage,
    client: &Value,
    pid: Option<u32>,
    lab: &Path,
    folder: &Path,
) -> String {
    let text = fs::read_to_string(stage.data.join("daemon.json")).unwrap_or_default();
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let tracker = format!(
        "{} --config {} --data-dir {}",
        stage.program.display(),
        stage.config.display(),
        stage.data.display()
    );
    let mut lines = vec![
        "Left running. To use it:".to_owned(),
        format!("  {tracker} list"),
        format!(
            "  REST: {}/api/v1, with the token in {}",
            word(&document["url"]),
            stage.data.join("api-token").display()
        ),
        format!(
            "  qBittorrent: {}, user {}, password {}",
            word(&client["url"]),
            word(&client["username"]),
            word(&client["password"])
        ),
        format!("  library: {}", stage.library.display()),
        "To stop it and take it away:".to_owned(),
    ];
    lines.extend(pid.map(|pid| format!("  kill -TERM {pid}")));
    lines.push(format!(
        "  python3 {} down --dir {} --purge",
        setup::lab_path().display(),
        lab.display()
    ));
    lines.push(format!("  rm -r {}", folder.display()));
    lines.join("\n")
}

fn prepare(dir: &Path, manifest: &Value, program: PathBuf) -> Result<Stage> {
    let home = dir.join("demo");
    // Beside the downloads, so that a hard link from one to the other is possible.
    let library = home.join("library");
    for folder in [&library.join("Movies"), &library.join("Series"), &home.join("data")] {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    let stage =
        Stage { program, config: home.join("tracker.toml"), data: home.join("data"), library };
    let text = config(&manifest["qbt"], &stage.library)?;
    fs::write(&stage.config, text).context("writing the configuration")?;
    Ok(stage)
}

/// The configuration for the lab's client.
fn config(client: &Value, library: &Path) -> Result<String> {
    let value = |name: &str| {
        client[name].as_str().with_context(|| format!("the lab's manifest has no {name}"))
    };
    let root = |name: &str| library.join(name).to_string_lossy().into_owned();
    let document = serde_json::json!({
        "http": { "listen": "127.0.0.1:0" },
        // Nothing leaves this machine, so the names alone decide.
        "metadata": { "tvmaze": false },
        "client": [{
            "name": "lab", "kind": "qbittorrent", "url": value("url")?, "username": value("username")?,
            "password": value("password")?, "poll_interval": "500ms",
        }],
        "library": [
            { "name": "movies", "kind": "movie", "root": root("Movies") },
            { "name": "series", "kind": "series", "root": root("Series") },
        ],
    });
    toml::to_string(&document).context("writing the configuration as TOML")
}

fn serve(runner: &Runner, stage: &Stage, log: &Path) -> Result<Daemon> {
    let out = fs::File::create(log).with_context(|| format!("making {}", log.display()))?;
    let err = out.try_clone().context("sharing the daemon's log")?;
    let child = runner.spawn(stage.tracker(&["serve"]).stdout(out).stderr(err))?;
    Ok(Daemon(Some(child)))
}

fn show(runner: &Runner, stage: &Stage, daemon: &mut Daemon, manifest: &Value) -> Result<()> {
    wait(runner, daemon, READY, "the daemon to be ready", || Ok(is_ready(&stage.data)))?;
    let mut ids = Vec::new();
    for name in TORRENTS {
        let magnet = magnet_of(manifest, name)?;
        let answer = runner.output(&mut stage.tracker(&["ingest", magnet]))?;
        let id = answer
            .split_whitespace()
            .next()
            .context("`tracker ingest` answered nothing")?
            .to_owned();
        let said = answer.trim().replace('\t', "  ");
        say(&format!("tracker ingest <magnet of {name}>\n  {said}"));
        ids.push(id);
    }
    note("qBittorrent fetches them from the seeder");
    for id in &ids {
        wait(runner, daemon, DONE, &format!("download {id} to be done"), || {
            is_done(runner, stage, id)
        })?;
        say(&format!("tracker show {id}\n  done"));
    }
    say("\nThe library; every file is a hard link of the download, which goes on seeding:\n");
    let (text, linked) = tree(&stage.library)?;
    say(&text);
    say("");
    if !linked {
        bail!("the library is empty, or a file in it is no hard link of the download");
    }
    Ok(())
}

fn magnet_of<'a>(manifest: &'a Value, name: &str) -> Result<&'a str> {
    let torrents =
        manifest["torrents"].as_array().context("the lab's manifest names no torrents")?;
    torrents
        .iter()
        .find(|torrent| torrent["id"] == name)
        .and_then(|torrent| torrent["magnet"].as_str())
        .with_context(|| format!("the lab offers no `{name}`"))
}

fn wait(
    runner: &Runner,
    daemon: &mut Daemon,
    limit: Duration,
    what: &str,
    mut done: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let began = started();
    while !done()? {
        daemon.check()?;
        if runner.stopped() {
            bail!("interrupted");
        }
        if began.elapsed() > limit {
            bail!("waited {} s in vain for {what}", limit.as_secs());
        }
        pause(LOOK);
    }
    Ok(())
}

fn is_ready(data: &Path) -> bool {
    let Ok(text) = fs::read_to_string(data.join("daemon.json")) else {
        return false;
    };
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    document["url"].as_str().and_then(|url| status_of(url, "/readyz")) == Some(200)
}

/// The status of a plain HTTP answer; `None` while nobody answers.
fn status_of(url: &str, path: &str) -> Option<u16> {
    let rest = url.strip_prefix("http://")?.trim_end_matches('/');
    let (host, base) = rest
        .split_once('/')
        .map_or((rest, String::new()), |(host, base)| (host, format!("/{base}")));
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    write!(stream, "GET {base}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    String::from_utf8_lossy(&answer).split_whitespace().nth(1)?.parse().ok()
}

fn is_done(runner: &Runner, stage: &Stage, id: &str) -> Result<bool> {
    let answer = runner.output(stage.tracker(&["show", id, "--json"]).stderr(Stdio::inherit()))?;
    let download: Value =
        serde_json::from_str(&answer).context("reading the answer of `tracker show`")?;
    match download["state"].as_str() {
        Some("done") => Ok(true),
        Some(state @ ("failed" | "cancelled" | "merged")) => {
            bail!("download {id} ended as {state}")
        }
        Some("downloaded") if !download["attention"].is_null() => {
            bail!("download {id} waits for a person: {}", download["attention"])
        }
        Some(_) => Ok(false),
        None => bail!("`tracker show` told no state"),
    }
}

/// The library as lines, and whether it has files and all are hard links.
fn tree(library: &Path) -> Result<(String, bool)> {
    let mut lines = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut linked = true;
    for path in files_under(library, "") {
        let meta = path.metadata().with_context(|| format!("looking at {}", path.display()))?;
        linked &= meta.nlink() > 1;
        let name = path.strip_prefix(library).unwrap_or(&path);
        let above: Vec<&Path> = name.ancestors().skip(1).collect();
        // From the outermost in, each folder once; the empty path is the library itself.
        for folder in above.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            if !folders.iter().any(|known| known == folder) {
                folders.push(folder.to_path_buf());
                lines.push(format!("{}/", indented(folder)));
            }
        }
        let (inode, links) = (meta.ino(), meta.nlink());
        lines.push(format!("{}  (inode {inode}, {links} links)", indented(name)));
    }
    Ok((lines.join("\n"), linked && !lines.is_empty()))
}

/// The last part of a path, as deep as it stands.
fn indented(path: &Path) -> String {
    let depth = path.components().count();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{}{name}", "  ".repeat(depth))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_configuration_quotes_what_it_is_given() {
        let client = serde_json::json!({ "url": "http://127.0.0.1:1", "username": "a\"b", "password": "p\\q" });
        let text = config(&client, Path::new("/library")).expect("the client is complete");
        let read: Value = toml::from_str(&text).expect("it is TOML");
        assert_eq!(read["client"][0]["username"], "a\"b");
        assert_eq!(read["client"][0]["password"], "p\\q");
        assert_eq!(read["library"][1]["root"], "/library/Series");
        config(&serde_json::json!({}), Path::new("/library"))
            .expect_err("the client has no address");
    }

    #[test]
    fn what_is_left_running_can_be_used_and_stopped() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let data = folder.path().join("data");
        fs::create_dir(&data).expect("a folder can be made");
        fs::write(data.join("daemon.json"), r#"{"url":"http://127.0.0.1:7"}"#)
            .expect("it can be written");
        let stage = Stage {
            program: "/bin/tracker".into(),
            config: "/demo/tracker.toml".into(),
            data: data.clone(),
            library: "/demo/library".into(),
        };
        let client =
            serde_json::json!({ "url": "http://127.0.0.1:8", "username": "u", "password": "p" });
        let text = left_running(&stage, &client, Some(42), Path::new("/lab"), Path::new("/labs"));
        let list =
            format!("/bin/tracker --config /demo/tracker.toml --data-dir {} list", data.display());
        for part in [
            &list,
            "http://127.0.0.1:7/api/v1",
            "user u, password p",
            "kill -TERM 42",
            "down --dir /lab --purge",
            "rm -r /labs",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn the_status_of_an_answer_is_read() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback can be listened on");
        let address = listener.local_addr().expect("it has an address");
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("somebody connects");
            let mut request = Vec::new();
            // To its end: a connection that is closed with something unread is reset.
            while !request.ends_with(b"\r\n\r\n") {
                let mut part = [0; 1024];
                let read = stream.read(&mut part).expect("a request comes");
                assert!(read > 0, "the request is cut off");
                request.extend_from_slice(&part[..read]);
            }
            stream
                .write_all(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
                .expect("it can be answered");
            String::from_utf8_lossy(&request).into_owned()
        });
        assert_eq!(status_of(&format!("http://{address}/base/"), "/readyz"), Some(503));
        assert!(server.join().expect("the server ends").starts_with("GET /base/readyz HTTP/1.1"));
        assert_eq!(status_of(&format!("http://{address}"), "/readyz"), None);
    }

    #[test]
    fn a_library_of_copies_is_no_success() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let library = folder.path().join("library");
        fs::create_dir(&library).expect("a folder can be made");
        assert!(!tree(&library).expect("it can be read").1, "an empty library");
        fs::write(folder.path().join("source"), "x").expect("a file can be written");
        fs::hard_link(folder.path().join("source"), library.join("a.mkv"))
            .expect("it can be linked");
        let (text, linked) = tree(&library).expect("it can be read");
        assert!(linked && text.starts_with("  a.mkv  (inode ") && text.ends_with(", 2 links)"));
        fs::create_dir(library.join("Film")).expect("a folder can be made");
        fs::hard_link(library.join("a.mkv"), library.join("Film/b.mkv")).expect("it can be linked");
        let (text, _) = tree(&library).expect("it can be read");
        assert_eq!(text.lines().next(), Some("  Film/"));
        assert!(text.contains("\n    b.mkv  (inode "));
        fs::write(library.join("b.mkv"), "x").expect("a file can be written");
        assert!(!tree(&library).expect("it can be read").1, "one is a copy");
    }
}
