//! Whether a source may be asked now: our limit, its own limit, its refusal of
//! the token, and the breaker that leaves a source alone which is down.
//!
//! A state machine without a clock of its own: it is given the time, and a clock
//! that was set back makes no wait longer.

mod breaker;
mod window;

use tracing::warn;
use tracker_domain::metadata::Provider;
use tracker_domain::ports::MetadataError;
use tracker_domain::{Timestamp, UnixMillis};

use crate::status::SourceState;
use breaker::Breaker;
use window::Window;

/// How long a token that was refused is not shown again.
const DENIED_MS: u64 = 10 * 60 * 1000;

/// A stretch of time in which nobody asks.
#[derive(Clone, Copy, Debug)]
struct Pause {
    from: UnixMillis,
    wait_ms: u64,
}

impl Pause {
    fn new(from: UnixMillis, wait_ms: u64) -> Self {
        Pause { from, wait_ms }
    }

    /// How much of it is left; 0 when it is over.
    fn left(&mut self, now: UnixMillis) -> u64 {
        // A clock that was set back must not keep us out for longer.
        self.from = self.from.min(now);
        self.wait_ms.saturating_sub(now.since(self.from))
    }
}

/// Why a call brought nothing, where that is about the source as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It refuses us, with this status.
    Denied(u16),
    /// It has been asked often enough for this long.
    Limited { wait_ms: u64 },
    /// No answer, or one of a broken server, and why.
    Down(String),
    /// Something else answers in its place, a proxy or a login page, and what.
    Foreign(String),
}

/// What a call that was let through is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// One of many.
    Usual,
    /// The one that finds out whether a source is back.
    Trial,
}

/// The gate in front of one source.
pub(crate) struct Gate {
    provider: Provider,
    window: Window,
    breaker: Breaker,
    limited: Option<Pause>,
    denied: Option<(Pause, u16)>,
    asked: bool,
}

impl Gate {
    /// A gate that lets this many calls through in ten seconds.
    pub(crate) fn new(provider: Provider, calls: usize) -> Self {
        Gate {
            provider,
            window: Window::new(calls),
            breaker: Breaker::default(),
            limited: None,
            denied: None,
            asked: false,
        }
    }

    /// Whether a call would be let through now.
    ///
    /// # Errors
    /// Why not, and when to come again.
    pub(crate) fn look(&mut self, now: UnixMillis) -> Result<(), MetadataError> {
        if let Some((pause, status)) = &mut self.denied {
            let left = pause.left(now);
            if left > 0 {
                return Err(denied(*status, left));
            }
        }
        let limited = self.limited.as_mut().map_or(0, |pause| pause.left(now));
        if limited > 0 {
            return Err(MetadataError::Limited { retry_after_ms: limited });
        }
        self.breaker.look(now)?;
        match self.window.wait_ms(now) {
            0 => Ok(()),
            retry_after_ms => Err(MetadataError::Limited { retry_after_ms }),
        }
    }

    /// Lets a call through and counts it. Each pass is answered, failed or abandoned.
    ///
    /// # Errors
    /// As [`Gate::look`].
    pub(crate) fn admit(&mut self, now: UnixMillis) -> Result<Pass, MetadataError> {
        self.look(now)?;
        self.window.take(now);
        Ok(self.breaker.begin())
    }

    /// A call was answered: the source is alive and accepts us, whatever it said.
    pub(crate) fn answered(&mut self) {
        self.asked = true;
        self.breaker.close();
        self.denied = None;
    }

    /// A call was not, and what that is to its caller.
    pub(crate) fn failed(
        &mut self,
        now: UnixMillis,
        pass: Pass,
        trouble: Trouble,
    ) -> MetadataError {
        self.asked = true;
        let provider = self.provider.as_str();
        match trouble {
            Trouble::Down(why) => {
                if self.breaker.fail(now, pass, &why) {
                    warn!(provider, why, "a metadata source is left alone for a while");
                }
                MetadataError::Unreachable(why)
            }
            Trouble::Foreign(why) => {
                if self.breaker.fail(now, pass, &why) {
                    warn!(provider, why, "something else answers for a metadata source");
                }
                MetadataError::Unreadable(why)
            }
            Trouble::Denied(status) => {
                self.breaker.close();
                if self.denied.is_none() {
                    warn!(provider, status, "a metadata source refuses the token");
                }
                self.denied = Some((Pause::new(now, DENIED_MS), status));
                denied(status, DENIED_MS)
            }
            Trouble::Limited { wait_ms } => {
                self.breaker.close();
                // Of two answers the longer wait counts.
                let known = self.limited.as_mut().map_or(0, |pause| pause.left(now));
                let retry_after_ms = wait_ms.max(known);
                self.limited = Some(Pause::new(now, retry_after_ms));
                MetadataError::Limited { retry_after_ms }
            }
        }
    }

    /// A call ended without an outcome, since nobody wanted it any longer.
    pub(crate) fn abandon(&mut self, pass: Pass) {
        self.breaker.abandon(pass);
    }

    /// How the source does.
    pub(crate) fn state(&mut self, now: UnixMillis) -> SourceState {
        if self.denied.is_some() {
            return SourceState::Denied;
        }
        let limited = self.limited.as_mut().map_or(0, |pause| pause.left(now));
        if limited > 0 {
            let until = UnixMillis(now.0.saturating_add(limited));
            return SourceState::Limited { until: until.into() };
        }
        match self.breaker.failing_since() {
            Some(since) => SourceState::Unreachable { since: Timestamp::from(since) },
            None if self.asked => SourceState::Ok,
            None => SourceState::NeverAsked,
        }
    }
}

fn denied(status: u16, left_ms: u64) -> MetadataError {
    let minutes = left_ms.div_ceil(60_000);
    MetadataError::Denied(format!(
        "HTTP {status}; tried again in {minutes} min, or after a restart of tracker"
    ))
}

#[cfg(test)]
mod tests;
