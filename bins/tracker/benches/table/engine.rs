//! The engine inside the daemon beside a qBittorrent that does the same: what idle
//! seeding costs, and a download on loopback.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep};
use tracker_domain::observed::{ClientPath, Phase, Scope};
use tracker_domain::ports::{AddRequest, AddSource, TorrentClient};
use tracker_embedded::{Embedded, EmbeddedConfig, SeedLimits, Sharer, torrent_of};
use tracker_system::SystemClock;
use tracker_testkit::Lab;

use crate::daemon::{Daemon, pause};
use crate::machine::memory_mib;
use crate::tick::{add, client_pid, settle, share};
use crate::{Row, median, note};

/// Torrents that are seeded while nobody asks for them.
const COUNTS: [usize; 3] = [0, 100, 1000];
/// Of each, in bytes: what the lab gives its client too.
const SMALL: usize = 16 << 10;
const IDLE: Duration = Duration::from_secs(30);
const GIB: u64 = 1 << 30;
const LARGE: &str = "Some.Large.Film.2001.mkv";
const ROUNDS: usize = 3;
const LOOK: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(180);

/// The rows.
pub fn rows(place: &Path) -> Result<Vec<Row>> {
    let runtime = Runtime::new().context("a runtime")?;
    let lab = Lab::backports();
    let client = client_pid(&lab)?;
    let folder = tempfile::tempdir_in(place).context("making a folder")?;
    let mut rows = Vec::new();
    let mut given = 0;
    for count in COUNTS {
        let data = folder.path().join(format!("seeding-{count}"));
        runtime.block_on(prepare(&data, count))?;
        let daemon = Daemon::start(&data, Some(&engine()))?;
        if count > given {
            add(&lab, count - given, "seeding")?;
            given = count;
        }
        settle(client)?;
        settle(daemon.pid())?;
        note(&format!("idle with {count} torrents"));
        let (ours, theirs) = (share(daemon.pid(), IDLE)?, share(client, IDLE)?);
        let resident = memory_mib(daemon.pid(), "VmRSS")?;
        let beside = memory_mib(client, "VmRSS")?;
        daemon.stop()?;
        rows.push(Row::new(
            format!("engine: resident memory seeding {count} idle torrents"),
            format!("{resident:.1} MiB"),
            format!("{beside:.1} MiB of qBittorrent"),
            resident / beside,
        ));
        rows.push(Row::new(
            format!("engine: CPU seeding {count} idle torrents"),
            format!("{:.2} % of a core", ours * 100.0),
            format!("{:.2} % of qBittorrent", theirs * 100.0),
            ours / theirs,
        ));
    }
    rows.push(runtime.block_on(download(&lab, folder.path()))?);
    Ok(rows)
}

fn engine() -> Value {
    json!({ "name": "embedded", "kind": "embedded", "bind_device": "lo", "dht": false })
}

fn config(data: &Path) -> EmbeddedConfig {
    EmbeddedConfig {
        listen_ip: Some(Ipv4Addr::LOCALHOST.into()),
        dht: false,
        seeding: SeedLimits { ratio: None, time: None },
        ..EmbeddedConfig::new(
            "embedded",
            "tracker",
            data.join("downloads"),
            data.join("engine/embedded"),
        )
    }
}

/// Lets an engine check what the daemon will find and go on with.
async fn prepare(data: &Path, count: usize) -> Result<()> {
    let payload = data.join("downloads");
    fs::create_dir_all(&payload).context("making a folder")?;
    let engine = Embedded::new(config(data), Arc::new(SystemClock));
    for number in 0..count {
        let path = payload.join(format!("Some.Film.{number}.mkv"));
        fs::write(&path, number.to_le_bytes().repeat(SMALL / 8)).context("writing a file")?;
        engine.add(&request(torrent_of(&path).await?, &payload)).await?;
    }
    complete(&engine, count).await
}

fn request(torrent: Vec<u8>, folder: &Path) -> AddRequest {
    AddRequest {
        source: AddSource::Torrent(torrent),
        save_path: Some(ClientPath(folder.to_string_lossy().into_owned())),
        tags: Vec::new(),
        category: String::new(),
    }
}

async fn complete(engine: &Embedded, count: usize) -> Result<()> {
    let began = Instant::now();
    loop {
        let seen = engine.observe(&Scope::Everything).await?;
        if seen.iter().filter(|one| one.phase == Phase::Complete).count() == count {
            return Ok(());
        }
        if began.elapsed() > PATIENCE {
            bail!("the engine does not find what it has");
        }
        sleep(LOOK).await;
    }
}

/// A gibibyte from one seeder, to each in turn.
async fn download(lab: &Lab, folder: &Path) -> Result<Row> {
    let seeds = folder.join("seeds");
    note("writing a gibibyte");
    noise(&seeds.join(LARGE)).context("writing a gibibyte")?;
    let clock = Arc::new(SystemClock);
    let sharer = Sharer::new(&seeds, &folder.join("seeder-state"), None, clock);
    let shared = sharer.share(LARGE).await?;
    let link = shared.link(LARGE);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        note(&format!("a gibibyte on loopback, round {round} of {ROUNDS}"));
        ours.push(by_us(folder, round, &link).await?);
        theirs.push(by_client(lab, &link, &shared.v1.to_string()).await?);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    let speed = |seconds: f64| 1024.0 / seconds;
    Ok(Row::new(
        "engine: 1 GiB on loopback, from link to complete",
        format!("{ours:.1} s, {:.0} MiB/s", speed(ours)),
        format!("{theirs:.1} s, {:.0} MiB/s by qBittorrent", speed(theirs)),
        ours / theirs,
    ))
}

/// Seconds from the link to the complete file, by the engine alone as the daemon has it.
async fn by_us(folder: &Path, round: usize, link: &str) -> Result<f64> {
    let data: PathBuf = folder.join(format!("download-{round}"));
    let engine = Embedded::new(config(&data), Arc::new(SystemClock));
    engine.probe().await?;
    let began = Instant::now();
    let source = AddSource::Magnet(link.to_owned());
    engine.add(&AddRequest { source, ..request(Vec::new(), &data) }).await?;
    complete(&engine, 1).await?;
    let took = began.elapsed().as_secs_f64();
    drop(engine);
    fs::remove_dir_all(&data).context("removing a gibibyte")?;
    Ok(took)
}

async fn by_client(lab: &Lab, link: &str, v1: &str) -> Result<f64> {
    let api = lab.api().await;
    let began = Instant::now();
    api.post("torrents/add", &[("urls", link)]).await;
    loop {
        let listed = api.list().await;
        let one = listed.iter().find(|one| one["infohash_v1"] == v1);
        if one.is_some_and(|one| one["progress"] == 1 && one["amount_left"] == 0) {
            break;
        }
        if began.elapsed() > PATIENCE {
            bail!("qBittorrent does not get it: {one:?}");
        }
        sleep(LOOK).await;
    }
    let took = began.elapsed().as_secs_f64();
    api.post("torrents/delete", &[("hashes", v1), ("deleteFiles", "true")]).await;
    while api.list().await.iter().any(|one| one["infohash_v1"] == v1) {
        if began.elapsed() > PATIENCE {
            bail!("qBittorrent does not forget it");
        }
        pause(LOOK);
    }
    Ok(took)
}

/// A gibibyte that nothing can shorten.
fn noise(path: &Path) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..GIB / 8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        file.write_all(&state.to_le_bytes())?;
    }
    file.flush()?;
    Ok(())
}
