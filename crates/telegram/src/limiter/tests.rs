//! The limiter against a server that counts by a clock of its own.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

const ANNA: ChatId = ChatId(7);
const BORIS: ChatId = ChatId(8);
const GROUP: ChatId = ChatId(-5);
const OTHER_GROUP: ChatId = ChatId(-1_000_000_000_006);
const CHATS: [ChatId; 4] = [ANNA, BORIS, GROUP, OTHER_GROUP];

/// The other side: it counts by its own clock what arrives, and finds fault.
#[derive(Default)]
struct Server {
    arrived: Vec<(u64, Ticket)>,
    chat_pauses: BTreeMap<ChatId, u64>,
    all_until: u64,
}

impl Server {
    fn take(&mut self, at: u64, ticket: &Ticket) {
        let chat = ticket.chat;
        self.arrived.push((at, ticket.clone()));
        let lately = |span: u64, of: &dyn Fn(&Ticket) -> bool| {
            self.arrived.iter().filter(|(then, other)| at - then < span && of(other)).count()
        };
        assert!(lately(1000, &|_| true) <= 30, "too much in all at {at}");
        assert!(lately(1000, &|other| other.chat == chat) <= 1, "too much to {chat} at {at}");
        let group = lately(60_000, &|other| other.chat == chat);
        assert!(!chat.is_group() || group <= 20, "too much to the group {chat} at {at}");
        let edits = lately(5000, &|other| other.chat == chat && other.edited.is_some());
        let may = ticket.edited.is_none() || ticket.asked;
        assert!(may || edits <= 1, "edits too close at {at}");
        assert!(at >= self.all_until, "within a wait at {at}");
        let until = self.chat_pauses.get(&chat).copied().unwrap_or_default();
        assert!(at >= until, "within a wait of {chat} at {at}");
    }
}

/// What may happen.
#[derive(Clone, Debug)]
enum Happens {
    Send(usize),
    Edit(usize, i64, bool),
    Pass(u64),
    SetBack(u64),
    /// The next one is refused.
    Refuse(Scope, u64),
}

fn happenings() -> impl Strategy<Value = Vec<Happens>> {
    let scope = prop_oneof![4 => Just(Scope::Chat), 1 => Just(Scope::All)];
    let one = prop_oneof![
        8 => (0..CHATS.len()).prop_map(Happens::Send),
        8 => (0..CHATS.len(), 0i64..4, prop::bool::weighted(0.2))
            .prop_map(|(chat, message, asked)| Happens::Edit(chat, message, asked)),
        8 => (0u64..3000).prop_map(Happens::Pass),
        1 => (0u64..100_000).prop_map(Happens::SetBack),
        1 => (scope, 0u64..250).prop_map(|(scope, wait)| Happens::Refuse(scope, wait)),
    ];
    prop::collection::vec(one, 0..120)
}

/// Both sides, each with a clock: ours may be set back.
struct Play {
    limiter: Limiter<u64>,
    server: Server,
    true_ms: u64,
    our_ms: u64,
    refuse: Option<(Scope, u64)>,
    sent: BTreeMap<ChatId, Vec<u64>>,
    shown: BTreeMap<(ChatId, MessageId), u64>,
    late: VecDeque<u64>,
}

impl Play {
    fn new(late: Vec<u64>) -> Self {
        Play {
            limiter: Limiter::new(),
            server: Server::default(),
            true_ms: 500_000,
            our_ms: 500_000,
            refuse: None,
            sent: BTreeMap::new(),
            shown: BTreeMap::new(),
            late: late.into(),
        }
    }

    fn pass(&mut self, ms: u64) {
        self.true_ms += ms;
        self.our_ms += ms;
    }

    /// Sends what may go; the wait where something is left.
    fn pump(&mut self) -> Option<u64> {
        loop {
            let (ticket, content) = match self.limiter.step(self.our_ms) {
                Step::Send(ticket, content) => (ticket, content),
                Step::Wait(ms) => return Some(ms),
                Step::Idle => return None,
            };
            // On its way for a while, each time another one.
            let late = self.late.pop_front().unwrap_or_default();
            self.late.push_back(late);
            self.pass(late);
            self.server.take(self.true_ms, &ticket);
            let back = self.late.front().copied().unwrap_or_default();
            self.pass(back);
            self.limiter.answered(&ticket, self.our_ms);
            if let Some((scope, wait_s)) = self.refuse.take() {
                let until = self.true_ms + wait_s * 1000;
                match scope {
                    Scope::Chat => drop(self.server.chat_pauses.insert(ticket.chat, until)),
                    Scope::All => self.server.all_until = until,
                }
                self.limiter.refused(ticket, content, scope, wait_s, self.our_ms);
            } else if let Some(message) = ticket.edited {
                self.shown.insert((ticket.chat, message), content);
            } else {
                self.sent.entry(ticket.chat).or_default().push(content);
            }
        }
    }
}

proptest! {
    #[test]
    fn the_limits_are_never_exceeded_and_nothing_is_lost(
        happenings in happenings(), late in prop::collection::vec(0u64..1500, 1..8),
    ) {
        spec!("telegram#one-pace-for-all/the-limits-hold");
        let mut play = Play::new(late);
        let mut wanted: BTreeMap<ChatId, Vec<u64>> = BTreeMap::new();
        let mut newest: BTreeMap<(ChatId, MessageId), u64> = BTreeMap::new();
        for (content, happens) in (0u64..).zip(happenings) {
            match happens {
                Happens::Send(chat) => {
                    wanted.entry(CHATS[chat]).or_default().push(content);
                    play.limiter.send(CHATS[chat], content);
                }
                Happens::Edit(chat, message, asked) => {
                    let (chat, message) = (CHATS[chat], MessageId(message));
                    newest.insert((chat, message), content);
                    let edit = Edit { message, content, stale_at_ms: None, asked };
                    play.limiter.edit(chat, edit);
                }
                Happens::Pass(ms) => play.pass(ms),
                Happens::SetBack(ms) => play.our_ms -= ms.min(play.our_ms),
                Happens::Refuse(scope, wait) => play.refuse = Some((scope, wait)),
            }
            play.pump();
        }
        let mut rounds = 0;
        while let Some(ms) = play.pump() {
            prop_assert!(ms > 0);
            play.pass(ms);
            rounds += 1;
            prop_assert!(rounds < 10_000, "it does not come to an end");
        }
        prop_assert_eq!(play.sent, wanted);
        prop_assert_eq!(play.shown, newest);
    }
}

fn edit(message: i64, content: &str, stale_at_ms: Option<u64>) -> Edit<String> {
    let (message, content) = (MessageId(message), content.to_owned());
    Edit { message, content, stale_at_ms, asked: false }
}

/// What goes at a moment, as `chat: content`, or how long to wait.
fn step(limiter: &mut Limiter<String>, now_ms: u64) -> String {
    match limiter.step(now_ms) {
        Step::Send(ticket, content) => format!("{}: {content}", ticket.chat),
        Step::Wait(ms) => format!("wait {ms}"),
        Step::Idle => "idle".to_owned(),
    }
}

#[test]
fn of_several_edits_the_newest_goes() {
    spec!("telegram#one-pace-for-all/edits");
    let mut limiter = Limiter::new();
    limiter.edit(ANNA, edit(1, "10 %", None));
    assert_eq!(step(&mut limiter, 0), "7: 10 %");
    limiter.edit(ANNA, edit(1, "20 %", None));
    limiter.edit(ANNA, edit(2, "another", None));
    limiter.edit(ANNA, edit(1, "30 %", None));
    assert_eq!(step(&mut limiter, 2000), "wait 3100");
    assert_eq!(step(&mut limiter, 5100), "7: 30 %");
    assert_eq!(step(&mut limiter, 10_200), "7: another");
    assert_eq!(step(&mut limiter, 20_000), "idle");
}

#[test]
fn it_is_counted_when_it_may_have_arrived() {
    spec!("telegram#one-pace-for-all/the-limits-hold");
    let mut limiter = Limiter::new();
    limiter.rest(1000, 0);
    limiter.send(ANNA, "first".to_owned());
    limiter.send(ANNA, "second".to_owned());
    assert_eq!(step(&mut limiter, 0), "wait 1100");
    let Step::Send(ticket, _) = limiter.step(1100) else { panic!("nothing goes") };
    limiter.answered(&ticket, 1900);
    assert_eq!(step(&mut limiter, 2200), "wait 800");
    assert_eq!(step(&mut limiter, 3000), "7: second");
}

#[test]
fn an_edit_that_is_stale_is_dropped() {
    spec!("telegram#one-pace-for-all/stale-edits");
    let mut limiter = Limiter::new();
    limiter.edit(ANNA, edit(1, "done", None));
    limiter.edit(ANNA, edit(2, "40 %", Some(3000)));
    assert_eq!(step(&mut limiter, 0), "7: done");
    assert_eq!(step(&mut limiter, 2999), "wait 2101");
    assert_eq!(step(&mut limiter, 3000), "idle");
    limiter.edit(ANNA, edit(3, "1 %", None));
    limiter.gone(ANNA, MessageId(3));
    assert_eq!(step(&mut limiter, 9000), "idle");
}

#[test]
fn an_answer_does_not_wait_for_edits_or_for_other_chats() {
    spec!("telegram#one-pace-for-all/edits");
    let mut limiter = Limiter::new();
    limiter.edit(ANNA, edit(1, "10 %", None));
    limiter.send(ANNA, "added".to_owned());
    limiter.send(BORIS, "hello".to_owned());
    assert_eq!(step(&mut limiter, 0), "7: added");
    assert_eq!(step(&mut limiter, 0), "8: hello");
    assert_eq!(step(&mut limiter, 0), "wait 1100");
    assert_eq!(step(&mut limiter, 1100), "7: 10 %");
}

#[test]
fn an_edit_that_a_person_waits_for_goes_first() {
    spec!("telegram#one-pace-for-all/edits-that-are-waited-for");
    let mut limiter = Limiter::new();
    let asked = |message, content| Edit { asked: true, ..edit(message, content, None) };
    limiter.edit(ANNA, edit(1, "10 %", None));
    assert_eq!(step(&mut limiter, 0), "7: 10 %");
    limiter.edit(ANNA, edit(1, "20 %", None));
    limiter.edit(ANNA, edit(2, "old", None));
    limiter.edit(ANNA, asked(2, "next"));
    limiter.edit(ANNA, asked(3, "plan"));
    limiter.edit(ANNA, edit(2, "done", None));
    assert_eq!(step(&mut limiter, 1100), "7: done");
    let Step::Send(ticket, content) = limiter.step(2200) else { panic!("nothing goes") };
    limiter.refused(ticket, content, Scope::Chat, 2, 2200);
    assert_eq!(step(&mut limiter, 4400), "7: plan");
    assert_eq!(step(&mut limiter, 5500), "wait 4000");
    assert_eq!(step(&mut limiter, 9500), "7: 20 %");
}

#[test]
fn a_wait_that_telegram_asks_for_is_kept() {
    spec!("telegram#one-pace-for-all/a-wait-is-asked-for");
    let mut limiter = Limiter::new();
    limiter.send(GROUP, "first".to_owned());
    limiter.send(GROUP, "second".to_owned());
    let Step::Send(ticket, content) = limiter.step(0) else { panic!("nothing goes") };
    limiter.refused(ticket, content, Scope::Chat, 230, 0);
    limiter.send(ANNA, "meanwhile".to_owned());
    assert_eq!(step(&mut limiter, 50), "7: meanwhile");
    assert_eq!(step(&mut limiter, 229_999), "wait 101");
    assert_eq!(step(&mut limiter, 230_100), "-5: first");
    let Step::Send(ticket, content) = limiter.step(231_200) else { panic!("nothing goes") };
    limiter.refused(ticket, content, Scope::All, 3, 231_200);
    limiter.send(ANNA, "later".to_owned());
    assert_eq!(step(&mut limiter, 231_300), "wait 3000");
}

#[test]
fn a_refused_edit_gives_way_to_a_newer_one() {
    spec!("telegram#one-pace-for-all/a-wait-is-asked-for");
    let mut limiter = Limiter::new();
    limiter.edit(ANNA, edit(1, "10 %", None));
    let Step::Send(ticket, content) = limiter.step(0) else { panic!("nothing goes") };
    limiter.edit(ANNA, edit(1, "20 %", None));
    limiter.refused(ticket, content, Scope::Chat, 5, 0);
    assert_eq!(step(&mut limiter, 5100), "7: 20 %");
    assert_eq!(step(&mut limiter, 60_000), "idle");
}

#[test]
fn what_waits_moves_with_its_group_and_ends_with_its_chat() {
    spec!("telegram#one-pace-for-all/a-chat-that-moved-or-closed");
    let mut limiter = Limiter::new();
    limiter.send(GROUP, "one".to_owned());
    limiter.edit(GROUP, edit(1, "gone", None));
    limiter.send(OTHER_GROUP, "two".to_owned());
    limiter.migrated(GROUP, OTHER_GROUP);
    assert_eq!(step(&mut limiter, 0), "-1000000000006: one");
    assert_eq!(step(&mut limiter, 1100), "-1000000000006: two");
    assert_eq!(step(&mut limiter, 9000), "idle");
    limiter.send(ANNA, "never".to_owned());
    limiter.closed(ANNA);
    assert_eq!(step(&mut limiter, 9000), "idle");
}
