//! What the figures were measured on, and what a process used.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

/// Clock ticks a second in `/proc`; Linux shows 100 on every platform there is.
const TICKS: f64 = 100.0;

/// The machine.
pub struct Machine {
    cores: usize,
    processor: String,
    kernel: String,
    filesystem: String,
    load_before: String,
    /// The client under test, when there was one.
    pub client: Option<String>,
}

impl Machine {
    /// Looks at the machine and at the disk behind a folder.
    pub fn look(place: &Path) -> Self {
        Machine {
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned()),
            // The version alone: what follows is the name of somebody's build.
            kernel: read("/proc/sys/kernel/osrelease")
                .split('-')
                .next()
                .unwrap_or_default()
                .to_owned(),
            filesystem: filesystem_of(place).unwrap_or_else(|| "unknown".to_owned()),
            load_before: load(),
            client: None,
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        let client = self.client.as_deref().unwrap_or("no client");
        format!(
            "{} cores ({}), Linux {}, database on {}, {client}.\n\
             Load average (1, 5, 15 min) before: {}; after: {}.",
            self.cores,
            self.processor,
            self.kernel,
            self.filesystem,
            self.load_before,
            load()
        )
    }
}

/// What a process used of the processor, in user and system mode, with the
/// threads that have ended.
pub fn cpu(pid: u32) -> Result<Duration> {
    let path = format!("/proc/{pid}/stat");
    let stat = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
    // The name of the command may hold anything; the fields come after it.
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    let used = ticks(11).zip(ticks(12)).context("the process tells no times")?;
    Ok(Duration::from_secs_f64((used.0 + used.1) / TICKS))
}

/// A line such as `VmRSS` of `/proc/PID/status`, in MiB.
pub fn memory_mib(pid: u32, line: &str) -> Result<f64> {
    let text =
        field(&format!("/proc/{pid}/status"), line).context("the process tells no memory")?;
    let kib: f64 = text.trim_end_matches("kB").trim().parse().context("reading a memory size")?;
    Ok(kib / 1024.0)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn load() -> String {
    read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(", ")
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// The type of the mount with the longest path above the folder.
fn filesystem_of(place: &Path) -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    mounts
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (at, kind) = (words.next()?, words.next()?);
            place.starts_with(at).then(|| (at.len(), kind.to_owned()))
        })
        .max()
        .map(|(_, kind)| kind)
}
