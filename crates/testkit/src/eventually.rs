//! Waiting for what another process does: the one place in tests that sleeps.

use std::time::Duration;

use tokio::time::Instant;

/// Long enough not to burden the other side, short next to its own second.
const PAUSE: Duration = Duration::from_millis(100);

/// Asks again and again until there is an answer.
///
/// # Panics
/// When there is none by the deadline; the message names `what`.
pub async fn eventually<T>(
    deadline: Duration,
    what: &str,
    mut probe: impl AsyncFnMut() -> Option<T>,
) -> T {
    let end = Instant::now() + deadline;
    loop {
        if let Some(answer) = probe().await {
            return answer;
        }
        assert!(Instant::now() < end, "not within {deadline:?}: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// The same for tests without a runtime.
///
/// # Panics
/// When there is no answer by the deadline; the message names `what`.
#[expect(clippy::disallowed_methods, reason = "it waits for another process, in real time")]
pub fn eventually_blocking<T>(
    deadline: Duration,
    what: &str,
    mut probe: impl FnMut() -> Option<T>,
) -> T {
    let end = std::time::Instant::now() + deadline;
    loop {
        if let Some(answer) = probe() {
            return answer;
        }
        assert!(std::time::Instant::now() < end, "not within {deadline:?}: {what}");
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn asks_until_there_is_an_answer() {
        let mut asked = 0;
        let got = eventually(Duration::from_secs(5), "the third time", async || {
            asked += 1;
            (asked == 3).then_some("here")
        })
        .await;
        assert_eq!(got, "here");
        let mut asked = 0;
        eventually_blocking(Duration::from_secs(5), "the second time", || {
            asked += 1;
            (asked == 2).then_some(())
        });
    }
}
