//! A source that is down is left alone: after three failures in a row for half
//! a minute, then for twice as long after each trial that fails, up to ten minutes.

use tracker_domain::UnixMillis;
use tracker_domain::ports::MetadataError;

use super::{Pass, Pause};

const FAILURES: u32 = 3;
const FIRST_WAIT_MS: u64 = 30_000;
const LONGEST_WAIT_MS: u64 = 10 * 60 * 1000;

/// The breaker of one source.
#[derive(Default)]
pub(super) struct Breaker {
    /// How many calls have failed in a row.
    failures: u32,
    /// When the first of them did.
    since: Option<UnixMillis>,
    open: Option<Open>,
}

/// A source that is left alone.
struct Open {
    pause: Pause,
    /// Whether a call is on its way to find out.
    on_trial: bool,
    why: String,
}

impl Breaker {
    pub(super) fn look(&mut self, now: UnixMillis) -> Result<(), MetadataError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let left = open.pause.left(now);
        if left == 0 && !open.on_trial {
            return Ok(());
        }
        // While a trial is on its way, what it finds is there in a moment.
        let seconds = left.div_ceil(1000).max(1);
        Err(MetadataError::Unreachable(format!("{}; asked again in {seconds} s", open.why)))
    }

    /// A call begins, which [`Breaker::look`] has allowed.
    pub(super) fn begin(&mut self) -> Pass {
        match &mut self.open {
            Some(open) => {
                open.on_trial = true;
                Pass::Trial
            }
            None => Pass::Usual,
        }
    }

    pub(super) fn abandon(&mut self, pass: Pass) {
        if let (Some(open), Pass::Trial) = (&mut self.open, pass) {
            open.on_trial = false;
        }
    }

    /// A call failed; says whether the source is left alone from now on.
    pub(super) fn fail(&mut self, now: UnixMillis, pass: Pass, why: &str) -> bool {
        self.since.get_or_insert(now);
        if self.open.is_some() && pass == Pass::Usual {
            // It was on its way when the breaker opened, and tells nothing new.
            return false;
        }
        self.failures = self.failures.saturating_add(1);
        let Some(rounds) = self.failures.checked_sub(FAILURES) else { return false };
        let wait_ms = (FIRST_WAIT_MS << rounds.min(8)).min(LONGEST_WAIT_MS);
        self.open =
            Some(Open { pause: Pause::new(now, wait_ms), on_trial: false, why: why.to_owned() });
        rounds == 0
    }

    pub(super) fn close(&mut self) {
        *self = Breaker::default();
    }

    pub(super) fn failing_since(&self) -> Option<UnixMillis> {
        self.since
    }
}
