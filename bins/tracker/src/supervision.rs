//! What the service manager hears of the daemon: that it is ready, that it
//! still moves, that it ends. Nothing where none asked to hear it.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::warn;
use tracker_store::Db;
use tracker_system::{Notice, ServiceManager};

/// The service manager that started this process, if it wants to know.
pub(crate) struct Supervision {
    manager: Option<ServiceManager>,
    /// How often it wants to hear that we still move.
    watchdog: Option<Duration>,
}

impl Supervision {
    /// As the variables of the process `pid` have it. One that cannot be
    /// understood is told and left out: the daemon runs without a manager too.
    pub(crate) fn of_vars(vars: &BTreeMap<String, String>, pid: u32) -> Self {
        let address = vars.get("NOTIFY_SOCKET").filter(|address| !address.is_empty());
        let manager = address.and_then(|address| {
            ServiceManager::at(address.as_ref())
                .inspect_err(|error| {
                    warn!(error = %error, "the service manager cannot be told anything");
                })
                .ok()
        });
        Supervision { manager, watchdog: watchdog(vars, pid) }
    }

    /// Tells it something. That it does not listen keeps nobody from working.
    fn tell(&self, notices: &[Notice]) {
        let Some(manager) = &self.manager else { return };
        if let Err(error) = manager.tell(notices) {
            warn!(error = %error, "the service manager could not be told");
        }
    }

    /// Says that the start has begun, which lasts where a database is migrated.
    pub(crate) fn starting(&self) {
        self.tell(&[Notice::Status("Starting".to_owned())]);
    }

    /// Says that requests are answered.
    pub(crate) fn ready(&self, url: &str) {
        self.tell(&[Notice::Ready, Notice::Status(format!("Listening at {url}"))]);
    }

    /// Says that the end has begun.
    pub(crate) fn stopping(&self) {
        self.tell(&[Notice::Stopping, Notice::Status("Stopping".to_owned())]);
    }

    /// Says that we still move until the stop, and then that.
    ///
    /// Moving means that the runtime has turns to give and the database
    /// answers, with whatever: a database that refuses is a matter of health,
    /// and a restart is no cure for it.
    pub(crate) async fn watch(self, db: Db, stop: CancellationToken) {
        if let Some(limit) = self.watchdog.filter(|_| self.manager.is_some()) {
            // Twice as often as is asked for, as systemd advises.
            let mut turn = interval(limit / 2);
            turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let beat = async {
                loop {
                    turn.tick().await;
                    let _ = db.read(|tx| tx.newest_event()).await;
                    self.tell(&[Notice::Watchdog]);
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = beat => {}
            }
        }
        stop.cancelled().await;
        self.stopping();
    }
}

/// What the manager asks for, where it asks this process.
fn watchdog(vars: &BTreeMap<String, String>, pid: u32) -> Option<Duration> {
    let asked = vars.get("WATCHDOG_USEC")?;
    let ours = vars.get("WATCHDOG_PID").is_none_or(|other| *other == pid.to_string());
    let limit = asked.parse().ok().filter(|limit| *limit > 0).map(Duration::from_micros);
    if limit.is_none() {
        warn!(
            value = asked,
            "WATCHDOG_USEC is no number of microseconds; the watchdog hears nothing"
        );
    }
    limit.filter(|_| ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(vars: &[(&str, &str)]) -> Option<Duration> {
        let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        watchdog(&vars.collect(), 7)
    }

    #[test]
    fn the_watchdog_is_asked_for_by_number_and_process() {
        let second = Some(Duration::from_secs(1));
        assert_eq!(asked(&[]), None);
        assert_eq!(asked(&[("WATCHDOG_USEC", "1000000")]), second);
        assert_eq!(asked(&[("WATCHDOG_USEC", "1000000"), ("WATCHDOG_PID", "7")]), second);
        assert_eq!(asked(&[("WATCHDOG_USEC", "1000000"), ("WATCHDOG_PID", "8")]), None);
        for broken in ["", "0", "-5", "1s", "99999999999999999999999"] {
            assert_eq!(asked(&[("WATCHDOG_USEC", broken)]), None, "{broken}");
        }
    }
}
