//! Runs one test of this program again, as the process that is killed.

use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::mortal::Mortal;
use crate::product::{apply, start_again};
use crate::world::{Shape, World};

/// Names the folder of the inner run; its absence tells the outer one.
const PLACE: &str = "TRACKER_KILLS_PLACE";
/// What the inner run does.
const TASK: &str = "TRACKER_KILLS_TASK";
/// The step before which it kills itself.
const DIES_AT: &str = "TRACKER_KILLS_DIES_AT";
/// What it prints when it begins.
const BEGINS: &str = "the batch begins";
/// And when all temporary names are there.
const STAGED: &str = "the batch is staged";
/// Much longer than any run takes.
const DEADLINE: Duration = Duration::from_secs(120);

/// What the process does that is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Apply,
    StartAgain,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Killed,
    /// So much time after it had begun.
    ByItself(Duration),
}

/// Does the part of the inner run, and tells whether this is it.
#[expect(clippy::print_stdout, reason = "the outer run reads it")]
pub fn is_inner(shape: Shape) -> bool {
    let Some(place) = std::env::var_os(PLACE) else { return false };
    let dies_at = std::env::var_os(DIES_AT).map(|step| step.to_str().unwrap().parse().unwrap());
    let (world, life) = (World::at(place.as_ref(), shape), Mortal::new(dies_at));
    println!("{BEGINS}");
    if std::env::var_os(TASK).unwrap() == "apply" {
        apply(&world, &life, &|| println!("{STAGED}"));
    } else {
        start_again(&world, &life);
    }
    true
}

/// A process that works on a world.
pub struct Child {
    process: std::process::Child,
    /// Tells that it has begun, and that the batch is staged.
    told: Receiver<()>,
    /// Closed when it has ended.
    lives: Receiver<Infallible>,
    began: Instant,
}

impl Child {
    /// Waits until it has begun.
    pub fn start(test: &str, world: &World, task: Task, dies_at: Option<u64>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
        let word = if task == Task::Apply { "apply" } else { "start-again" };
        command.env(PLACE, world.folder()).env(TASK, word);
        if let Some(step) = dies_at {
            command.env(DIES_AT, step.to_string());
        }
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap());
        let ((tell, told), (life, lives)) = (channel(), channel());
        std::thread::spawn(move || {
            let _life = life;
            for line in said.lines().map_while(Result::ok) {
                if line.contains(BEGINS) || line.contains(STAGED) {
                    // Perhaps nobody wants to know any more.
                    let _ = tell.send(());
                }
            }
        });
        told.recv_timeout(DEADLINE).expect("the inner run begins");
        Child { process, told, lives, began: now() }
    }

    /// Waits until the batch is staged: how long that took.
    pub fn staged(&self) -> Duration {
        self.told.recv_timeout(DEADLINE).expect("the inner run stages the batch");
        now() - self.began
    }

    /// Kills it when so much time is over, unless it has ended by then.
    pub fn kill_after(mut self, time: Duration) -> End {
        if self.lives.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            self.process.kill().unwrap();
        }
        self.end()
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it failed, or does not end.
    pub fn end(mut self) -> End {
        if self.lives.recv_timeout(DEADLINE) == Err(RecvTimeoutError::Timeout) {
            self.process.kill().unwrap();
            panic!("the inner run does not end");
        }
        let took = now() - self.began;
        let status = self.process.wait().unwrap();
        if status.signal() == Some(rustix::process::Signal::KILL.as_raw()) {
            return End::Killed;
        }
        assert!(status.success(), "the inner run failed: {status}");
        End::ByItself(took)
    }
}

#[expect(clippy::disallowed_methods, reason = "it measures another process, in real time")]
fn now() -> Instant {
    Instant::now()
}
