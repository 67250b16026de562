//! The processes: a driver with one browser, at most two at once, in a folder of
//! their own and without a way to the network. They end with the value, after a
//! panic too.

use std::fs::{File, TryLockError};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;
use tracker_testkit::eventually;

use crate::webdriver::Session;

/// How many browsers there are at once; each takes a core when it starts.
const AT_ONCE: usize = 2;

/// For those before to end.
const TURN: Duration = Duration::from_secs(900);

/// For the driver to say its port.
const START: Duration = Duration::from_secs(30);

/// For a page to load, in milliseconds.
const LOAD_MS: u64 = 30_000;

const MISSING: &str = "run cargo xtask test --only system-tools, or as root: apt-get install chromium chromium-driver fonts-dejavu-core";

/// A running browser.
pub struct Chromium {
    pub session: Session,
    /// Waited for when the group was killed.
    driver: Child,
    _home: TempDir,
    /// The lock ends with the file.
    _turn: File,
}

/// Below the build folder, where the tests keep what outlives them.
pub fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("tracker")
}

impl Chromium {
    /// Waits for its turn and starts.
    pub async fn start() -> Self {
        let turn = turn().await;
        let home = tempfile::Builder::new().prefix("chromium-").tempdir().unwrap();
        let mut driver = spawned(home.path());
        let port = port_of(home.path(), &mut driver).await;
        let session = Session::open(port, &capabilities(home.path())).await;
        Chromium { session, driver, _home: home, _turn: turn }
    }

    /// The process group of the driver, the browser and its parts.
    pub fn group(&self) -> u32 {
        self.driver.id()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // A browser that is asked to end takes its own processes along.
        let _ = self.session.close();
        end(&mut self.driver);
    }
}

/// Ends what is left of the driver and its browser.
fn end(driver: &mut Child) {
    let _ = kill_process_group(Pid::from_child(driver), Signal::KILL);
    let _ = driver.wait();
}

/// One of [`AT_ONCE`] places, over all test programs of this build folder.
async fn turn() -> File {
    let folder = kept().join("browsers");
    std::fs::create_dir_all(&folder).unwrap();
    let places: Vec<File> = (0..AT_ONCE)
        .map(|number| File::create(folder.join(format!("{number}.lock"))).unwrap())
        .collect();
    eventually(TURN, "a place for one more browser", async || {
        let free = places.iter().find(|place| match place.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => panic!("{error}"),
        });
        free.map(|place| place.try_clone().unwrap())
    })
    .await
}

/// The driver. It ends with the thread of the test, and the browser, which is
/// reached by a pipe, with the driver.
fn spawned(home: &Path) -> Child {
    let log = File::create(home.join("driver.log")).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "chromedriver", "--port=0"]);
    // Nothing of the person's own settings and caches.
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"] {
        command.env(name, home);
    }
    command.process_group(0).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    command.spawn().unwrap_or_else(|error| panic!("setpriv: {error}; {MISSING}"))
}

async fn port_of(home: &Path, driver: &mut Child) -> u16 {
    let log = home.join("driver.log");
    eventually(START, "the port of the driver", async || {
        let text = std::fs::read_to_string(&log).unwrap();
        if let Some(status) = driver.try_wait().unwrap() {
            // It takes a free port of IPv6, and then the same one of IPv4, which need
            // not be free. Another start takes another one.
            assert!(
                text.contains("port not available"),
                "the driver ended ({status}): {text}; {MISSING}"
            );
            *driver = spawned(home);
            return None;
        }
        let (_, rest) = text.split_once("successfully on port ")?;
        rest.split_once('.')?.0.parse().ok()
    })
    .await
}

fn capabilities(home: &Path) -> Value {
    let program = PathBuf::from("/usr/bin/chromium");
    assert!(program.exists(), "no {}; {MISSING}", program.display());
    let mut arguments: Vec<String> = [
        "--headless=new",
        // It ends with its driver.
        "--remote-debugging-pipe",
        // A container often has a small /dev/shm.
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        // Nothing leaves this machine.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--no-proxy-server",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-domain-reliability",
        "--disable-sync",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-breakpad",
        "--no-first-run",
        "--no-pings",
        "--password-store=basic",
        "--use-mock-keychain",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--user-data-dir={}", home.join("profile").display()));
    // Its sandbox refuses to run as root, which the tests of a container are.
    if rustix::process::geteuid().is_root() {
        arguments.push("--no-sandbox".to_owned());
    }
    json!({
        "browserName": "chrome",
        "timeouts": { "implicit": 0, "pageLoad": LOAD_MS, "script": LOAD_MS },
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": { "binary": program, "args": arguments },
    })
}
