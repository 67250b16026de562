//! The pace of everything that is sent: what Telegram allows in all, to a chat and
//! to a group, and the waits that it asks for.
//!
//! A state machine without a clock and without a connection: it is given the time,
//! and says what to send now or how long to wait. What is not sent yet of an edited
//! message is replaced by what is newer.

mod window;

use std::collections::{BTreeMap, VecDeque};

use crate::chat::{ChatId, MessageId};
use window::{Pause, Window};

/// Between two edits of one chat that nobody asked for; people read no faster.
const BETWEEN_EDITS_MS: u64 = 5000;

/// What is queued, of type `T`, and when it may go.
///
/// The times are milliseconds of a clock that only goes forward. One that is set
/// back makes nothing go too early and no wait longer than the whole of it.
#[derive(Debug)]
pub struct Limiter<T> {
    lanes: BTreeMap<ChatId, Lane<T>>,
    all: Window,
    pause: Pause,
    /// How many were queued, which is the place of each.
    queued: u64,
}

/// A newer content of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<T> {
    /// The message.
    pub message: MessageId,
    /// What it is to show.
    pub content: T,
    /// From when on it is not worth sending, as with a percentage.
    pub stale_at_ms: Option<u64>,
    /// Whether a person waits for it, as after a press. It goes before other edits and
    /// as soon as a message would.
    pub asked: bool,
}

/// What is sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Where to.
    pub chat: ChatId,
    /// The message that is edited; nothing where it is a new one.
    pub edited: Option<MessageId>,
    stale_at_ms: Option<u64>,
    asked: bool,
    place: u64,
}

/// What is to be done at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// Send this. It counts as sent, whatever comes of it.
    Send(Ticket, T),
    /// Nothing may go for so many milliseconds.
    Wait(u64),
    /// There is nothing to send.
    Idle,
}

/// Whom a wait that Telegram asks for is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The chat that was written to.
    Chat,
    /// Everything.
    All,
}

/// What waits for one chat.
#[derive(Debug)]
struct Lane<T> {
    messages: VecDeque<Waiting<T>>,
    edits: VecDeque<Waiting<T>>,
    windows: Vec<Window>,
    edited: Window,
    pause: Pause,
}

#[derive(Debug)]
struct Waiting<T> {
    ticket: Ticket,
    content: T,
}

impl<T> Limiter<T> {
    /// Nothing queued.
    #[must_use]
    pub fn new() -> Self {
        Limiter {
            lanes: BTreeMap::new(),
            all: Window::new(30, 1000),
            pause: Pause::default(),
            queued: 0,
        }
    }

    /// Queues a new message. Those of one chat go in their order.
    pub fn send(&mut self, chat: ChatId, content: T) {
        let ticket = self.ticket(chat);
        self.lane(chat).messages.push_back(Waiting { ticket, content });
    }

    /// Queues an edit. It takes the place of an older one of the message that has not gone.
    pub fn edit(&mut self, chat: ChatId, edit: Edit<T>) {
        let Edit { message, content, stale_at_ms, asked } = edit;
        let edited = Some(message);
        let ticket = Ticket { edited, stale_at_ms, asked, ..self.ticket(chat) };
        let lane = self.lane(chat);
        let older = lane.edits.iter().position(|older| older.ticket.edited == edited);
        let older = older.and_then(|at| Some((at, lane.edits.remove(at)?.ticket)));
        let ahead = lane.edits.iter().filter(|other| other.ticket.asked).count();
        let (at, ticket) = match older {
            // Whoever waits for the older one sees the newer one as soon.
            Some((at, older)) if older.asked || !asked => (at, Ticket { stale_at_ms, ..older }),
            _ if asked => (ahead, ticket),
            _ => (lane.edits.len(), ticket),
        };
        lane.edits.insert(at, Waiting { ticket, content });
    }

    /// What to do now.
    pub fn step(&mut self, now_ms: u64) -> Step<T> {
        for lane in self.lanes.values_mut() {
            lane.drop_stale(now_ms);
        }
        self.lanes.retain(|_, lane| !lane.is_over(now_ms));
        let waits = self.lanes.iter_mut().filter_map(|(chat, lane)| {
            let place = lane.place()?;
            Some((lane.wait_ms(now_ms), place, *chat))
        });
        let Some((wait_ms, _, chat)) = waits.min() else { return Step::Idle };
        let wait_ms = wait_ms.max(self.pause.left(now_ms)).max(self.all.wait_ms(now_ms));
        if wait_ms > 0 {
            return Step::Wait(wait_ms);
        }
        match self.lanes.get_mut(&chat).and_then(|lane| lane.take(now_ms)) {
            Some(Waiting { ticket, content }) => {
                self.all.note(now_ms);
                Step::Send(ticket, content)
            }
            None => Step::Idle,
        }
    }

    /// Nothing goes for so long: whoever sent before may have done so a moment ago.
    pub fn rest(&mut self, wait_ms: u64, now_ms: u64) {
        self.pause.ask(wait_ms, now_ms);
    }

    /// What was sent to a chat was answered. It has arrived at some moment up to now, by
    /// which Telegram counts.
    pub fn answered(&mut self, ticket: &Ticket, now_ms: u64) {
        self.all.put_off(now_ms);
        if let Some(lane) = self.lanes.get_mut(&ticket.chat) {
            lane.windows.iter_mut().for_each(|window| window.put_off(now_ms));
            if ticket.edited.is_some() {
                lane.edited.put_off(now_ms);
            }
        }
    }

    /// Telegram asks for a wait: nothing goes before its end, and what was refused is
    /// sent again then, unless there is something newer.
    pub fn refused(
        &mut self,
        ticket: Ticket,
        content: T,
        scope: Scope,
        retry_after_s: u64,
        now_ms: u64,
    ) {
        let wait_ms = retry_after_s.saturating_mul(1000).max(1000);
        let lane = self.lanes.entry(ticket.chat).or_insert_with(|| Lane::new(ticket.chat));
        match scope {
            Scope::Chat => lane.pause.ask(wait_ms, now_ms),
            Scope::All => self.pause.ask(wait_ms, now_ms),
        }
        let newer = |edit: &Waiting<T>| edit.ticket.edited == ticket.edited;
        if ticket.edited.is_none() {
            lane.messages.push_front(Waiting { ticket, content });
        } else if !lane.edits.iter().any(newer) {
            let ahead = lane.edits.iter().filter(|other| other.ticket.asked).count();
            let at = if ticket.asked { 0 } else { ahead };
            lane.edits.insert(at, Waiting { ticket, content });
        }
    }

    /// A message is gone: what was to be shown in it is dropped.
    pub fn gone(&mut self, chat: ChatId, message: MessageId) {
        if let Some(lane) = self.lanes.get_mut(&chat) {
            lane.edits.retain(|edit| edit.ticket.edited != Some(message));
        }
    }

    /// A chat is closed to us: what was for it is dropped.
    pub fn closed(&mut self, chat: ChatId) {
        if let Some(lane) = self.lanes.get_mut(&chat) {
            lane.messages.clear();
            lane.edits.clear();
        }
    }

    /// A group became another one. New messages go there; the old ones cannot be
    /// edited from there.
    pub fn migrated(&mut self, from: ChatId, to: ChatId) {
        let Some(lane) = self.lanes.get_mut(&from) else { return };
        lane.edits.clear();
        let mut moved = std::mem::take(&mut lane.messages);
        moved.iter_mut().for_each(|waiting| waiting.ticket.chat = to);
        let there = self.lane(to);
        moved.append(&mut there.messages);
        there.messages = moved;
    }

    /// That of a new message.
    fn ticket(&mut self, chat: ChatId) -> Ticket {
        self.queued += 1;
        Ticket { chat, edited: None, stale_at_ms: None, asked: false, place: self.queued }
    }

    fn lane(&mut self, chat: ChatId) -> &mut Lane<T> {
        self.lanes.entry(chat).or_insert_with(|| Lane::new(chat))
    }
}

impl<T> Default for Limiter<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Lane<T> {
    fn new(chat: ChatId) -> Self {
        let mut windows = vec![Window::new(1, 1000)];
        if chat.is_group() {
            windows.push(Window::new(20, 60_000));
        }
        Lane {
            messages: VecDeque::new(),
            edits: VecDeque::new(),
            windows,
            edited: Window::new(1, BETWEEN_EDITS_MS),
            pause: Pause::default(),
        }
    }

    fn drop_stale(&mut self, now_ms: u64) {
        self.edits.retain(|edit| edit.ticket.stale_at_ms.is_none_or(|stale| now_ms < stale));
    }

    /// The place of what goes next: messages before edits, since they are answers.
    fn place(&self) -> Option<u64> {
        self.messages.front().or(self.edits.front()).map(|waiting| waiting.ticket.place)
    }

    fn wait_ms(&mut self, now_ms: u64) -> u64 {
        let windows = self.windows.iter_mut().map(|window| window.wait_ms(now_ms)).max();
        let asked = self.edits.front().is_some_and(|edit| edit.ticket.asked);
        let at_once = asked || !self.messages.is_empty();
        let edit = if at_once { 0 } else { self.edited.wait_ms(now_ms) };
        windows.unwrap_or_default().max(edit).max(self.pause.left(now_ms))
    }

    fn take(&mut self, now_ms: u64) -> Option<Waiting<T>> {
        let taken = self.messages.pop_front().or_else(|| self.edits.pop_front())?;
        self.windows.iter_mut().for_each(|window| window.note(now_ms));
        if taken.ticket.edited.is_some() {
            self.edited.note(now_ms);
        }
        Some(taken)
    }

    /// Whether there is nothing to send and nothing to remember.
    fn is_over(&mut self, now_ms: u64) -> bool {
        self.place().is_none()
            && self.pause.left(now_ms) == 0
            && self.edited.is_empty(now_ms)
            && self.windows.iter_mut().all(|window| window.is_empty(now_ms))
    }
}

#[cfg(test)]
mod tests;
