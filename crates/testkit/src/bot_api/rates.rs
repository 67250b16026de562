//! How much may be sent: what the Bot API documents, held to strictly.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Rates {
    pub(super) off: bool,
    /// How often something was refused.
    pub(super) refused: usize,
    all: VecDeque<Instant>,
    chats: BTreeMap<i64, VecDeque<Instant>>,
    until: BTreeMap<i64, Instant>,
}

impl Rates {
    /// Counts one more to a chat; the seconds to wait where that is too much.
    pub(super) fn take(&mut self, chat: i64, now: Instant) -> Result<(), u64> {
        if self.off {
            return Ok(());
        }
        let (most, span) = if chat < 0 { (20, MINUTE) } else { (1, SECOND) };
        let lately = self.chats.entry(chat).or_default();
        let wait = [
            self.until.get(&chat).map(|until| until.saturating_duration_since(now)),
            over(&mut self.all, 30, SECOND, now),
            over(lately, most, span, now),
        ];
        let wait = wait.into_iter().flatten().max().unwrap_or_default();
        if wait > Duration::ZERO {
            self.refused += 1;
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            self.until.insert(chat, now + Duration::from_secs(seconds));
            return Err(seconds);
        }
        self.all.push_back(now);
        lately.push_back(now);
        Ok(())
    }
}

/// How long until one more is not too much.
fn over(
    times: &mut VecDeque<Instant>,
    most: usize,
    span: Duration,
    now: Instant,
) -> Option<Duration> {
    while times.front().is_some_and(|first| now.duration_since(*first) >= span) {
        times.pop_front();
    }
    let first = times.front().filter(|_| times.len() >= most)?;
    Some(span.saturating_sub(now.duration_since(*first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_holds() {
        let (mut rates, start) = (Rates::default(), Instant::now());
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!(rates.take(1, at(0)), Ok(()));
        assert_eq!(rates.take(1, at(10)), Err(1));
        // Who does not wait is refused for longer.
        assert_eq!(rates.take(1, at(1005)), Err(1));
        assert_eq!(rates.take(1, at(2010)), Ok(()));
        for chat in 100..129 {
            assert_eq!(rates.take(chat, at(2020)), Ok(()));
        }
        assert_eq!(rates.take(200, at(2900)), Err(1));
        for n in 0..20 {
            assert_eq!(rates.take(-5, at(10_000 + n)), Ok(()));
        }
        assert_eq!(rates.take(-5, at(12_000)), Err(58));
        assert_eq!(rates.refused, 4);
    }
}
