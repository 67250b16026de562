//! A log that a test can read.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::subscriber::DefaultGuard;
use tracing::{Dispatch, Level, Subscriber};
use tracing_subscriber::fmt::MakeWriter;

/// Keeps what is written to it; clones share one text.
#[derive(Clone, Debug, Default)]
pub struct Captured(Arc<Mutex<Vec<u8>>>);

/// As long as it lives, this thread's records are written down.
#[derive(Debug)]
#[must_use]
pub struct Listening {
    _guard: DefaultGuard,
    _second: Dispatch,
}

impl Captured {
    /// Writes everything that this thread logs here, as lines of text.
    pub fn listen(&self) -> Listening {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(Level::TRACE)
            .with_ansi(false)
            .with_writer(self.clone())
            .finish();
        listen_with(subscriber)
    }

    /// What was written so far.
    ///
    /// # Panics
    /// When it is no text.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).expect("a log is text")
    }
}

/// Has a subscriber of one's own get what this thread logs.
///
/// Where there is one subscriber alone, tracing asks the thread that comes first to a
/// place whether anybody listens there, and keeps its answer for all threads: of one
/// that has no subscriber it is "nobody". A second subscriber makes it ask both.
pub fn listen_with(subscriber: impl Subscriber + Send + Sync + 'static) -> Listening {
    let second = Dispatch::new(tracing_subscriber::registry());
    Listening { _guard: tracing::subscriber::set_default(subscriber), _second: second }
}

impl<'a> MakeWriter<'a> for Captured {
    type Writer = Captured;

    fn make_writer(&'a self) -> Captured {
        self.clone()
    }
}

impl io::Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
