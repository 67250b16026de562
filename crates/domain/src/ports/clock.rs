//! The one source of time.

use crate::time::{Timestamp, UnixMillis};

/// Tells the time. Pure functions take `now` as an argument instead.
pub trait Clock: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> UnixMillis;

    /// The same in whole seconds.
    fn now(&self) -> Timestamp {
        self.now_ms().into()
    }
}
