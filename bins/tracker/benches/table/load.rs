//! What many open pages cost: the inbox under a fixed rate of requests while 200
//! browsers wait for events, beside a plain axum server that sends the same bytes.
//!
//! Both servers are processes of their own. Latency counts from the moment a request
//! was due, so a stall is seen in every request that fell into it.

mod data;
pub mod plain;
mod rate;
mod server;

use std::path::Path;

use anyhow::{Context, Result, bail};
use tokio::runtime::Runtime;
use tokio::time::Instant;

use self::rate::{Load, Measured};
use self::server::Server;
use crate::daemon::Daemon;
use crate::machine::memory_mib;
use crate::{Row, median, note};

const SOME: usize = 10_000;
const FEW: usize = 1_000;
const MANY: usize = 100_000;
/// Browsers that wait for events.
const STREAMS: usize = 200;
/// Requests a second.
const RATE: u32 = 50;
const ROUNDS: usize = 3;
/// More than are written in a round.
const FACTS: usize = 10_000;
const WARM_UP: usize = 30;
const TURNS: usize = 301;
/// What the first page may weigh.
const ALLOWED_KB: f64 = 60.0;

/// The rows.
pub fn rows(place: &Path) -> Result<Vec<Row>> {
    let runtime = Runtime::new().context("a runtime")?;
    let folder = tempfile::tempdir_in(place).context("making a folder")?;
    let mut rows = under_load(&runtime, folder.path())?;
    rows.extend(alone(&runtime, folder.path())?);
    Ok(rows)
}

fn under_load(runtime: &Runtime, folder: &Path) -> Result<Vec<Row>> {
    let (daemon, ours) = inbox(runtime, &folder.join("some"), SOME)?;
    let at_rest = memory_mib(daemon.pid(), "VmRSS")?;
    let page = runtime.block_on(ours.page())?;
    let plain = plain::Plain::start(folder, &page)?;
    let beside = Server::plain(plain.url())?;
    let (mut figures, mut others) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        note(&format!("{STREAMS} streams and {RATE} pages a second, round {round} of {ROUNDS}"));
        let load = Load { streams: STREAMS, rate: RATE, first_fact: round * FACTS };
        figures.push(load.on(runtime, &ours, daemon.pid())?);
        others.push(load.on(runtime, &beside, plain.pid())?);
    }
    daemon.stop()?;
    let compared = |what: &str, figure: fn(&Measured) -> f64, unit: &str, digits: usize| {
        let middle = |all: &[Measured]| median(all.iter().map(figure).collect());
        let (own, other) = (middle(&figures), middle(&others));
        Row::new(
            format!("{what}, {SOME} downloads, {STREAMS} streams, {RATE} pages a second"),
            format!("{own:.digits$} {unit}"),
            format!("{other:.digits$} {unit} of a plain axum server, the same bytes"),
            own / other,
        )
    };
    let memory = format!("resident memory (at rest {at_rest:.1} MiB)");
    Ok(vec![
        compared("inbox, median", |one| one.median_ms, "ms", 2),
        compared("inbox, p99", |one| one.p99_ms, "ms", 2),
        compared("from a fact to its reader, p99", |one| one.fact_p99_ms, "ms", 2),
        compared("CPU", |one| one.core_share * 100.0, "% of a core", 1),
        compared(&memory, |one| one.resident_mib, "MiB", 1),
    ])
}

/// One request at a time, to each in turn.
fn alone(runtime: &Runtime, folder: &Path) -> Result<Vec<Row>> {
    let (few_daemon, few) = inbox(runtime, &folder.join("few"), FEW)?;
    let (many_daemon, many) = inbox(runtime, &folder.join("many"), MANY)?;
    let page = runtime.block_on(few.page())?;
    let plain = plain::Plain::start(folder, &page)?;
    let beside = Server::plain(plain.url())?;
    note("pages of the inbox, one at a time");
    let servers = [&few, &many, &beside];
    let [at_few, at_many, plain_ms] = in_turns(servers, |one| runtime.block_on(one.page()))?;
    let [packed, _, plain_packed] = in_turns(servers, |one| runtime.block_on(one.packed_page()))?;
    let weight = runtime.block_on(few.first_page_bytes())?;
    let weight_kb = kb(weight)?;
    let size = runtime.block_on(few.packed_page())?;
    few_daemon.stop()?;
    many_daemon.stop()?;
    Ok(vec![
        Row::new(
            format!("inbox at {FEW} downloads, {} kB, one at a time", page.len() / 1000),
            format!("{at_few:.2} ms"),
            format!("{plain_ms:.2} ms of a plain askama page, the same bytes"),
            at_few / plain_ms,
        ),
        Row::new(
            format!("the same with gzip, {:.1} kB, as browsers ask", kb(size)?),
            format!("{packed:.2} ms"),
            format!("{plain_packed:.2} ms of a plain askama page, the same bytes"),
            packed / plain_packed,
        ),
        Row::new(
            format!("inbox at {MANY} downloads, one at a time"),
            format!("{at_many:.2} ms"),
            format!("{at_few:.2} ms at {FEW}"),
            at_many / at_few,
        ),
        Row::new(
            "first page with style and scripts, compressed, full inbox",
            format!("{weight_kb:.1} kB"),
            format!("{ALLOWED_KB:.0} kB allowed"),
            weight_kb / ALLOWED_KB,
        ),
    ])
}

/// The median milliseconds of each, one request at a time, each in its turn.
fn in_turns<T>(servers: [&Server; 3], ask: impl Fn(&Server) -> Result<T>) -> Result<[f64; 3]> {
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for turn in 0..WARM_UP + TURNS {
        for (server, times) in servers.into_iter().zip(&mut times) {
            let began = Instant::now();
            ask(server)?;
            if turn >= WARM_UP {
                times.push(began.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
    Ok(times.map(median))
}

fn kb(bytes: usize) -> Result<f64> {
    Ok(f64::from(u32::try_from(bytes).context("the size of a page")?) / 1000.0)
}

/// A daemon with a full inbox, and a browser that is logged in to it.
fn inbox(runtime: &Runtime, data: &Path, count: usize) -> Result<(Daemon, Server)> {
    note(&format!("writing {count} downloads"));
    data::fill(data, count)?;
    let daemon = Daemon::start(data, None)?;
    let server = runtime.block_on(Server::logged_in(&daemon, data))?;
    let page = runtime.block_on(server.page())?;
    let shown = page.matches("<tr data-row").count();
    if shown != data::SHOWN {
        bail!("the inbox shows {shown} rows in place of {}", data::SHOWN);
    }
    Ok((daemon, server))
}
