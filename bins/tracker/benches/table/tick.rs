//! What watching a client with 10,000 torrents costs us and the client: a tick
//! that asks for the 20 unfinished ones, and a listing of everything.
//!
//! Both are read from the running processes. A listing comes once a minute, so
//! this takes minutes.

use std::collections::VecDeque;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::time::Instant;
use tracker_domain::{Infohash, InfohashSet};
use tracker_testkit::Lab;

use crate::daemon::{Daemon, pause};
use crate::machine::{cpu, memory_mib};
use crate::seed::{Lived, fill};
use crate::{Row, median, note};

const ALL: usize = 10_000;
const UNFINISHED: usize = 20;
/// Shorter than the default, so that ticks stand out from what a client does anyway.
const POLL: &str = "100ms";
const ROUNDS: usize = 3;
/// With the next, between two listings, so that there is none in either.
const WINDOW: Duration = Duration::from_secs(25);
/// The daemon stands still for so long, to see what the client does by itself.
const IDLE: Duration = Duration::from_secs(20);
/// Below this share of a core the client has settled.
const QUIET: f64 = 0.02;
const LOOK: Duration = Duration::from_millis(100);
/// A listing and what it leads to lie within this before and after its answer
/// is noticed. No longer: what the client does by itself would drown it.
const BEFORE: Duration = Duration::from_secs(4);
const AFTER: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(150);
/// An answer of at least so many bytes is a listing of everything.
const LISTING_BYTES: u64 = 1_000_000;

/// The rows, and what the client is.
pub fn rows(place: &Path) -> Result<(Vec<Row>, String)> {
    let lab = Lab::backports();
    load(&lab)?;
    let client = client_pid(&lab)?;
    let downloads = downloads(&lab)?;
    let folder = tempfile::tempdir_in(place).context("making a folder")?;
    fill(folder.path(), &downloads)?;
    settle(client)?;
    let settings = json!({
        "name": "lab", "kind": "qbittorrent", "url": lab.qbt.url, "username": lab.qbt.username,
        "password": lab.qbt.password, "poll_interval": POLL,
    });
    let watched = Watched { daemon: Daemon::start(folder.path(), Some(&settings))?, client };
    let (mut ticks, mut listings) = (Vec::new(), Vec::new());
    watched.next_listing()?;
    for round in 1..=ROUNDS {
        note(&format!("ticks and a listing, round {round} of {ROUNDS}"));
        let idle = watched.idle()?;
        note(&format!("the client uses {:.1} % of a core by itself", idle * 100.0));
        let begin = watched.mark()?;
        pause(WINDOW);
        let end = watched.mark()?;
        let tick = Cost::of_ticks(&begin, &end, idle)?;
        let (before, after) = watched.next_listing()?;
        listings.push(Cost::of_listing(&before, &after, &tick, idle)?);
        ticks.push(tick);
    }
    let resident = memory_mib(watched.daemon.pid(), "VmRSS")?;
    let highest = memory_mib(watched.daemon.pid(), "VmHWM")?;
    let resident_client = memory_mib(client, "VmRSS")?;
    watched.daemon.stop()?;
    let version = lab.versions.get("qbittorrent").and_then(Value::as_str).unwrap_or("?");
    let name = format!("qBittorrent {version}");
    let cost_row = |what: String, costs: &[Cost], digits: usize| {
        let ours = median(costs.iter().map(|cost| cost.ours).collect());
        let theirs = median(costs.iter().map(|cost| cost.client).collect());
        let beside = format!("{theirs:.digits$} ms of the client's for the same answer");
        Row::new(what, format!("{ours:.digits$} ms of CPU"), beside, ours / theirs)
    };
    let rows = vec![
        cost_row(format!("one tick at {ALL} downloads, {UNFINISHED} unfinished"), &ticks, 2),
        cost_row(format!("one full listing of {ALL}"), &listings, 0),
        Row::new(
            format!("resident memory watching {ALL} torrents (highest {highest:.1} MiB)"),
            format!("{resident:.1} MiB"),
            format!("{resident_client:.1} MiB of the client"),
            resident / resident_client,
        ),
    ];
    Ok((rows, name))
}

/// Gives the client its torrents.
fn load(lab: &Lab) -> Result<()> {
    add(lab, ALL - UNFINISHED, "seeding")?;
    add(lab, UNFINISHED, "stopped")
}

/// Gives the client torrents, by the lab's own program.
pub fn add(lab: &Lab, count: usize, what: &str) -> Result<()> {
    note(&format!("giving the client {count} torrents ({what})"));
    let status = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/lab/lab.py"))
        .args(["add", &count.to_string(), "--as", what, "--category", what, "--dir"])
        .arg(&lab.dir)
        .stdout(Stdio::null())
        .status()
        .context("running the lab")?;
    if !status.success() {
        bail!("the lab could not add torrents: {status}");
    }
    Ok(())
}

pub fn client_pid(lab: &Lab) -> Result<u32> {
    let text = std::fs::read_to_string(lab.dir.join("lab.json")).context("reading the lab")?;
    let manifest: Value = serde_json::from_str(&text).context("reading the lab")?;
    let pid = manifest["processes"]["qbt"]["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok());
    pid.context("the lab names no process of the client")
}

/// After so many torrents were added the client still writes for a while.
pub fn settle(client: u32) -> Result<()> {
    note("waiting until the client has settled");
    let began = Instant::now();
    while began.elapsed() < PATIENCE && share(client, AFTER)? > QUIET {}
    Ok(())
}

/// The share of a core that a process uses over a time.
pub fn share(pid: u32, time: Duration) -> Result<f64> {
    let (before, began) = (cpu(pid)?, Instant::now());
    pause(time);
    Ok((cpu(pid)? - before).as_secs_f64() / began.elapsed().as_secs_f64())
}

/// Tags every torrent as ours and tells what they are.
fn downloads(lab: &Lab) -> Result<Vec<Lived>> {
    let runtime = Builder::new_current_thread().enable_all().build().context("a runtime")?;
    let listed = runtime.block_on(async {
        let api = lab.api().await;
        api.post("torrents/addTags", &[("hashes", "all"), ("tags", "tracker")]).await;
        api.list().await
    });
    if listed.len() != ALL {
        bail!("the client has {} torrents in place of {ALL}: use a fresh lab", listed.len());
    }
    listed.iter().map(lived).collect()
}

fn lived(torrent: &Value) -> Result<Lived> {
    let text = |name: &str| torrent[name].as_str().unwrap_or_default().to_owned();
    let v1: Infohash = text("infohash_v1").parse().context("the client names a v1")?;
    Ok(Lived {
        infohashes: InfohashSet::one(v1),
        name: text("name"),
        handle: text("hash"),
        save_path: text("save_path"),
        size_bytes: torrent["size"].as_u64().unwrap_or_default(),
        done: text("category") == "seeding",
    })
}

/// What both have used and done up to a moment.
struct Mark {
    at: Instant,
    ours: Duration,
    client: Duration,
    ticks: u32,
    listings: u32,
}

struct Watched {
    daemon: Daemon,
    client: u32,
}

impl Watched {
    fn mark(&self) -> Result<Mark> {
        let (ticks, listings) = looks(&self.daemon.log_text());
        let (ours, client) = (cpu(self.daemon.pid())?, cpu(self.client)?);
        Ok(Mark { at: Instant::now(), ours, client, ticks, listings })
    }

    /// The share of a core that the client uses while nobody asks it.
    fn idle(&self) -> Result<f64> {
        self.daemon.signal(Signal::STOP)?;
        let used = share(self.client, IDLE)?;
        self.daemon.signal(Signal::CONT)?;
        Ok(used)
    }

    /// Waits until there was another listing, and gives the moments around it.
    fn next_listing(&self) -> Result<(Mark, Mark)> {
        let mut marks = VecDeque::from([self.mark()?]);
        let (began, listings) = (Instant::now(), marks[0].listings);
        loop {
            pause(LOOK);
            let mark = self.mark()?;
            let noticed = mark.listings > listings;
            marks.push_back(mark);
            if noticed {
                break;
            }
            if began.elapsed() > PATIENCE {
                bail!("no listing came:\n{}", self.daemon.log_text());
            }
            while marks[0].at.elapsed() > BEFORE {
                marks.pop_front();
            }
        }
        pause(AFTER);
        Ok((marks.remove(0).context("a mark is kept")?, self.mark()?))
    }
}

/// The answered questions for some and for all torrents in a log.
fn looks(log: &str) -> (u32, u32) {
    let (mut ticks, mut listings) = (0, 0);
    let answers = log
        .lines()
        .filter(|line| line.contains("client call answered") && line.contains("torrents/info"));
    for line in answers {
        let record: Value = serde_json::from_str(line).unwrap_or_default();
        match record["fields"]["size_bytes"].as_u64() {
            Some(size) if size >= LISTING_BYTES => listings += 1,
            Some(_) => ticks += 1,
            None => {}
        }
    }
    (ticks, listings)
}

/// Milliseconds of CPU for one look.
struct Cost {
    ours: f64,
    client: f64,
}

fn milliseconds(from: Duration, to: Duration) -> f64 {
    to.saturating_sub(from).as_secs_f64() * 1000.0
}

impl Cost {
    fn of_ticks(begin: &Mark, end: &Mark, idle: f64) -> Result<Self> {
        if begin.listings != end.listings || begin.ticks == end.ticks {
            bail!("there was a listing, or no tick, where only ticks should be");
        }
        let ticks = f64::from(end.ticks - begin.ticks);
        let anyway = idle * milliseconds(Duration::ZERO, end.at - begin.at);
        let client = milliseconds(begin.client, end.client);
        Ok(Cost {
            ours: milliseconds(begin.ours, end.ours) / ticks,
            client: (client - anyway).max(0.0) / ticks,
        })
    }

    fn of_listing(begin: &Mark, end: &Mark, tick: &Cost, idle: f64) -> Result<Self> {
        let listings = end.listings - begin.listings;
        if listings != 1 {
            bail!("there were {listings} listings in place of one");
        }
        let ticks = f64::from(end.ticks - begin.ticks);
        let client = milliseconds(begin.client, end.client);
        let anyway = idle * milliseconds(Duration::ZERO, end.at - begin.at);
        Ok(Cost {
            ours: milliseconds(begin.ours, end.ours) - tick.ours * ticks,
            client: client - tick.client * ticks - anyway,
        })
    }
}
