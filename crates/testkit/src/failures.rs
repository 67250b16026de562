//! How a fake is told to fail.

use std::collections::VecDeque;

/// The failures that are to come.
#[derive(Debug)]
pub(crate) struct Failures<E> {
    /// For the next calls, one each.
    next: VecDeque<E>,
    /// For every call.
    down: Option<E>,
}

impl<E> Default for Failures<E> {
    fn default() -> Self {
        Failures { next: VecDeque::new(), down: None }
    }
}

impl<E: Clone> Failures<E> {
    /// Every call from now on.
    pub(crate) fn always(&mut self, error: E) {
        self.down = Some(error);
    }

    /// The next call alone; several queue.
    pub(crate) fn once(&mut self, error: E) {
        self.next.push_back(error);
    }

    /// None any more.
    pub(crate) fn end(&mut self) {
        *self = Self::default();
    }

    /// That of the call of now, if it is to fail.
    pub(crate) fn of_call(&mut self) -> Option<E> {
        self.next.pop_front().or_else(|| self.down.clone())
    }
}
