//! From the start of the process to `/readyz`, and the memory it then holds:
//! with many downloads beside an empty database.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::daemon::{Daemon, pause};
use crate::machine::memory_mib;
use crate::seed::{Lived, fill};
use crate::{Row, median, note};

const MANY: usize = 100_000;
const SOME: usize = 10_000;
/// Of them are unfinished.
const UNFINISHED: usize = 20;
const STARTS: usize = 7;
/// What the workers look at first is in memory by then.
const SETTLE: Duration = Duration::from_secs(10);

/// The two rows.
pub fn rows(place: &Path) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir_in(place).context("making a folder")?;
    let [empty, some, many] = ["empty", "some", "many"].map(|name| folder.path().join(name));
    for (data, count) in [(&empty, 0), (&some, SOME), (&many, MANY)] {
        note(&format!("writing {count} downloads"));
        std::fs::create_dir(data).context("making a folder")?;
        let downloads: Result<Vec<Lived>> =
            (0..count).map(|number| Lived::made_up(number, number + UNFINISHED < count)).collect();
        fill(data, &downloads?)?;
    }
    let (mut with_none, mut with_many) = (Vec::new(), Vec::new());
    for round in 1..=STARTS {
        note(&format!("starts, round {round} of {STARTS}"));
        with_none.push(start(&empty)?);
        with_many.push(start(&many)?);
    }
    let (none, many) = (median(with_none), median(with_many));
    note("memory");
    let (memory_none, memory_some) = (memory(&empty)?, memory(&some)?);
    Ok(vec![
        Row::new(
            format!("start to ready with {MANY} downloads"),
            format!("{many:.0} ms"),
            format!("{none:.0} ms with an empty database"),
            many / none,
        ),
        Row::new(
            format!("resident memory with {SOME} downloads, no client"),
            format!("{memory_some:.1} MiB"),
            format!("{memory_none:.1} MiB with an empty database"),
            memory_some / memory_none,
        ),
    ])
}

/// Milliseconds from start to ready.
fn start(data: &Path) -> Result<f64> {
    let daemon = Daemon::start(data, None)?;
    let took = daemon.ready_after.as_secs_f64() * 1000.0;
    daemon.stop()?;
    Ok(took)
}

fn memory(data: &Path) -> Result<f64> {
    let daemon = Daemon::start(data, None)?;
    pause(SETTLE);
    let resident = memory_mib(daemon.pid(), "VmRSS")?;
    daemon.stop()?;
    Ok(resident)
}
