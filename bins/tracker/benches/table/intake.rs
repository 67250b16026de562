//! Guarded intakes a second, beside a bare transaction that inserts the same
//! rows on the same disk.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use tracker_domain::ports::Clock;
use tracker_domain::{Actor, Magnet};
use tracker_ingest::{NewIntake, accept};
use tracker_store::{Db, migrate};
use tracker_system::SystemClock;

use crate::{Row, median, note};

/// Each takes its turn this often: what else the machine does then hits all alike.
const TURNS: usize = 100;
const A_TURN: usize = 96;
const TOGETHER: usize = 8;

/// The two rows.
pub fn rows(place: &Path) -> Result<Vec<Row>> {
    note("building the bare twin");
    let folder = tempfile::tempdir_in(place).context("making a folder")?;
    let mut twin = Twin::start(&twin()?, &folder.path().join("bare.db"))?;
    let mut single = Guarded::new(&folder.path().join("single.db"), 1)?;
    let mut together = Guarded::new(&folder.path().join("together.db"), TOGETHER)?;
    note(&format!("intakes, {TURNS} turns of {A_TURN} each"));
    let mut took = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        took[0].push(twin.turn()?);
        took[1].push(single.turn()?);
        took[2].push(together.turn()?);
    }
    #[expect(clippy::cast_precision_loss, reason = "a small constant")]
    let [bare, single, together] = took.map(|seconds| A_TURN as f64 / median(seconds));
    let beside = format!("{bare:.0} bare transactions a second");
    let row = |what: String, rate: f64| {
        Row::new(what, format!("{rate:.0} a second"), beside.clone(), rate / bare)
    };
    Ok(vec![
        row("guarded intakes of hybrid magnets, one at a time".to_owned(), single),
        row(format!("guarded intakes of hybrid magnets, {TOGETHER} at once"), together),
    ])
}

/// The program of the twin. It is a bench of the store, the one crate that may
/// use SQLite.
fn twin() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        // As `cargo xtask bench` chooses them, so that nothing is built anew.
        .args(["bench", "--package", "tracker", "--package", "tracker-store", "--bench", "table"])
        .args(["--bench", "bare", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("building the bare twin")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let program = text.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let bare = message["target"]["name"] == "bare";
        message["executable"].as_str().filter(|_| bare).map(PathBuf::from)
    });
    program.context("the bare twin was not built")
}

/// The running twin.
struct Twin {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Twin {
    fn start(program: &Path, database: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the bare twin")?;
        let answers = BufReader::new(child.stdout.take().context("the twin has no output")?);
        Ok(Twin { child, answers })
    }

    fn turn(&mut self) -> Result<f64> {
        let input = self.child.stdin.as_mut().context("the twin has no input")?;
        writeln!(input, "{A_TURN}").context("asking the bare twin")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).context("hearing the bare twin")?;
        answer.trim().parse().context("the bare twin told no time")
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        // It holds nothing that outlives the bench.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A database of ours, with as many tasks at once.
struct Guarded {
    runtime: Runtime,
    db: Db,
    tasks: usize,
    made: usize,
}

impl Guarded {
    fn new(path: &Path, tasks: usize) -> Result<Self> {
        let runtime = Builder::new_multi_thread().enable_all().build().context("a runtime")?;
        migrate::migrate(path, None, SystemClock.now(), 0o600)?;
        Ok(Guarded { runtime, db: Db::open(path, Arc::new(SystemClock))?, tasks, made: 0 })
    }

    /// Seconds for one turn.
    fn turn(&mut self) -> Result<f64> {
        let mut shares: Vec<Vec<NewIntake>> = (0..self.tasks).map(|_| Vec::new()).collect();
        for number in 0..A_TURN {
            let magnet = magnet(self.made + number)?;
            shares[number % self.tasks].push(NewIntake::of_magnet(&magnet));
        }
        self.made += A_TURN;
        self.runtime.block_on(async {
            let began = Instant::now();
            let workers: Vec<_> = shares
                .into_iter()
                .map(|share| tokio::spawn(accept_all(self.db.clone(), share)))
                .collect();
            for worker in workers {
                worker.await.context("a worker ended badly")??;
            }
            Ok(began.elapsed().as_secs_f64())
        })
    }
}

async fn accept_all(db: Db, share: Vec<NewIntake>) -> Result<()> {
    for intake in share {
        if !accept(&db, intake, &Actor::System).await?.created {
            bail!("an intake of the bench met another one");
        }
    }
    Ok(())
}

fn magnet(number: usize) -> Result<Magnet> {
    let number = number + 0xabcd;
    let link = format!(
        "magnet:?xt=urn:btih:{number:040x}&xt=urn:btmh:1220{number:064x}\
         &dn=Bench.Film.{number:06}.2020.1080p.BluRay.x264-GRP"
    );
    Magnet::parse(&link).context("the link above is a magnet")
}
