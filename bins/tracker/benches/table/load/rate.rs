//! Requests at a fixed rate, whether or not the ones before are answered, while
//! streams are open and a fact is written each second.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::server::{FACT, Server};
use crate::daemon::pause;
use crate::machine::{cpu, memory_mib};

const WARM_UP: Duration = Duration::from_secs(3);
const MEASURED: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(30);
/// So often somebody hands over a download.
const FACT_EVERY: Duration = Duration::from_secs(1);

/// What a server has to bear.
pub struct Load {
    /// Streams that are open.
    pub streams: usize,
    /// Pages a second.
    pub rate: u32,
    /// The number of its first fact: what is there already is none.
    pub first_fact: usize,
}

/// What came of it.
pub struct Measured {
    /// Of the pages.
    pub median_ms: f64,
    /// The same.
    pub p99_ms: f64,
    /// From the request that writes a fact to when a stream tells it.
    pub fact_p99_ms: f64,
    /// What the server used of one core.
    pub core_share: f64,
    /// The memory of the server, at the end.
    pub resident_mib: f64,
}

impl Load {
    /// Puts it on a server.
    pub fn on(&self, runtime: &Runtime, server: &Server, pid: u32) -> Result<Measured> {
        let facts = Facts::default();
        let mut readers = JoinSet::new();
        for _ in 0..self.streams {
            let stream = runtime.block_on(server.stream())?;
            readers.spawn_on(read(stream, facts.clone(), self.first_fact), runtime.handle());
        }
        let writer = runtime.spawn(write(server.clone(), facts.clone(), self.first_fact));
        self.pages(runtime, server, WARM_UP)?;
        facts.forget();
        let (used, began) = (cpu(pid)?, Instant::now());
        let pages = self.pages(runtime, server, MEASURED)?;
        let core_share = (cpu(pid)? - used).as_secs_f64() / began.elapsed().as_secs_f64();
        let resident_mib = memory_mib(pid, "VmRSS")?;
        writer.abort();
        let heard = facts.heard();
        if readers.len() != self.streams || readers.try_join_next().is_some() {
            bail!("a stream has ended");
        }
        let told = usize::try_from(MEASURED.as_secs()).unwrap_or_default() - 2;
        if heard.len() < told * self.streams {
            bail!("{} facts were heard in {} streams", heard.len(), self.streams);
        }
        Ok(Measured {
            median_ms: quantile(&pages, 50),
            p99_ms: quantile(&pages, 99),
            fact_p99_ms: quantile(&heard, 99),
            core_share,
            resident_mib,
        })
    }

    /// Sorted milliseconds from when each request was due to the end of its answer.
    fn pages(&self, runtime: &Runtime, server: &Server, time: Duration) -> Result<Vec<f64>> {
        let every = Duration::from_secs(1) / self.rate;
        let (done, mut answers) = mpsc::unbounded_channel();
        let began = Instant::now();
        let mut due = Duration::ZERO;
        while due < time {
            // A thread of its own: timers of the runtime are good to a millisecond only.
            pause(due.saturating_sub(began.elapsed()));
            let (server, done, at) = (server.clone(), done.clone(), began + due);
            runtime.spawn(async move {
                let answer = server.packed_page().await;
                // Nobody waits for it any more after a fault.
                let _ = done.send(answer.map(|_| at.elapsed().as_secs_f64() * 1000.0));
            });
            due += every;
        }
        drop(done);
        runtime.block_on(async {
            let mut times = Vec::new();
            while let Some(answer) =
                timeout(PATIENCE, answers.recv()).await.context("a page is not answered")?
            {
                times.push(answer?);
            }
            times.sort_by(f64::total_cmp);
            Ok(times)
        })
    }
}

/// When each fact was written, and how long each took to each stream.
#[derive(Clone, Default)]
struct Facts {
    began: Arc<Mutex<Vec<Instant>>>,
    heard: Arc<Mutex<Vec<f64>>>,
}

impl Facts {
    /// The number of the next one.
    fn write(&self) -> usize {
        let mut began = held(&self.began);
        began.push(Instant::now());
        began.len() - 1
    }

    fn hear(&self, number: usize) {
        let Some(began) = held(&self.began).get(number).copied() else { return };
        held(&self.heard).push(began.elapsed().as_secs_f64() * 1000.0);
    }

    fn forget(&self) {
        held(&self.heard).clear();
    }

    fn heard(&self) -> Vec<f64> {
        let mut all = held(&self.heard).clone();
        all.sort_by(f64::total_cmp);
        all
    }
}

fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes facts until it is aborted.
async fn write(server: Server, facts: Facts, first: usize) -> Result<()> {
    let mut ticks = tokio::time::interval(FACT_EVERY);
    loop {
        ticks.tick().await;
        server.fact(first + facts.write()).await?;
    }
}

/// Notes the first entry of each fact.
async fn read(mut stream: reqwest::Response, facts: Facts, first: usize) -> Result<()> {
    let mut next = first;
    while let Some(chunk) = stream.chunk().await.context("a stream broke")? {
        let text = String::from_utf8_lossy(&chunk);
        for number in text.split(FACT).skip(1).filter_map(number_of) {
            if number >= next {
                facts.hear(number - first);
                next = number + 1;
            }
        }
    }
    Ok(())
}

/// The number in front of a text.
fn number_of(text: &str) -> Option<usize> {
    text.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// Of sorted figures, the one below which so many of a hundred lie.
fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
