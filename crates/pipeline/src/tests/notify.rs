//! What receivers are told: at least once, in order, and nobody waits for another.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use tokio_util::sync::CancellationToken;
use tracker_domain::event::EventType;
use tracker_domain::health::{Check, Level};
use tracker_domain::notify::NotifyRules;
use tracker_domain::ports::{Live, NotifyError, Receivers};
use tracker_domain::{Actor, EventId, Timestamp};
use tracker_store::{NewEvent, StoreError};
use tracker_testkit::{FakeNotifier, eventually, spec};

use super::fixture::{Fixture, Setup, one, season, v1};
use crate::notify::{ATTEMPTS, Reader, examine, step, take_up};
use crate::{Notifiers, Pipeline, Policy, Subscriber};

const DEADLINE: Duration = Duration::from_secs(20);

/// A fixture with two receivers that a test can tell what to do.
struct World {
    fixture: Fixture,
    phone: Arc<FakeNotifier>,
    desk: Arc<FakeNotifier>,
}

fn down() -> NotifyError {
    NotifyError::Unreachable("no connection".to_owned())
}

fn policy(told: &[&Arc<FakeNotifier>], rules: &NotifyRules) -> Policy {
    let told = told
        .iter()
        .map(|one| Subscriber { notifier: Arc::<FakeNotifier>::clone(one), rules: rules.clone() });
    Policy { notifiers: Notifiers::new(told.collect()), ..Policy::default() }
}

impl World {
    async fn new(rules: NotifyRules) -> Self {
        let phone = Arc::new(FakeNotifier::new("phone"));
        let desk = Arc::new(FakeNotifier::new("desk"));
        let policy = policy(&[&phone, &desk], &rules);
        let fixture = Fixture::with(Setup { policy, ..Setup::default() });
        take_up(&fixture.pipeline).await.unwrap();
        World { fixture, phone, desk }
    }

    fn pipeline(&self) -> &Pipeline {
        &self.fixture.pipeline
    }

    /// Every turn that the receivers have now.
    async fn turn(&self) {
        turn(self.pipeline()).await;
    }

    async fn after(&self, seconds: u64) {
        self.fixture.clock.advance_seconds(seconds);
        self.turn().await;
    }

    /// Writes entries, each in a transaction of its own.
    async fn happen(&self, kind: EventType, count: usize) -> Vec<EventId> {
        let mut ids = Vec::new();
        for _ in 0..count {
            let event = NewEvent::new(kind, "it happened");
            let write = self.fixture.db.write(&Actor::System, move |tx| tx.append_event(event));
            ids.push(write.await.unwrap());
        }
        ids
    }

    fn checks(&self, subject: &str) -> Vec<Check> {
        let mut checks = self.pipeline().board().checks();
        checks.retain(|check| check.subject == subject);
        checks
    }

    fn health(&self, subject: &str) -> Vec<(&'static str, Level)> {
        self.checks(subject).into_iter().map(|check| (check.code, check.level)).collect()
    }
}

async fn turn(pipeline: &Pipeline) {
    let stop = CancellationToken::new();
    for reader in pipeline.readers.iter() {
        while step(pipeline, reader, &stop).await.unwrap() {}
    }
}

fn told(notifier: &FakeNotifier) -> Vec<EventId> {
    notifier.taken().iter().flat_map(|notice| notice.events().collect::<Vec<_>>()).collect()
}

fn only(patterns: &[&str]) -> NotifyRules {
    let events = patterns.iter().map(|text| text.parse().unwrap()).collect();
    NotifyRules { events, ..NotifyRules::default() }
}

#[tokio::test]
async fn events_arrive_once_and_in_order() {
    spec!("notifications#from-a-cursor/in-order-and-once");
    let world = World::new(only(&["client.*"])).await;
    let first = world.happen(EventType::ClientOnline, 2).await;
    world.happen(EventType::SystemStarted, 3).await;
    let second = world.happen(EventType::ClientOffline, 2).await;
    for _ in 0..3 {
        world.turn().await;
    }
    let wanted = [first, second].concat();
    assert_eq!(told(&world.phone), wanted);
    assert_eq!(told(&world.desk), wanted);
    assert_eq!(world.health("phone"), [("notifier", Level::Ok)]);
}

#[tokio::test]
async fn more_than_a_page_is_told_and_unwanted_pages_are_passed_over() {
    spec!("notifications#from-a-cursor/in-order-and-once");
    let world = World::new(only(&["client.online"])).await;
    world.happen(EventType::SystemStarted, 450).await;
    let wanted = world.happen(EventType::ClientOnline, 3).await;
    world.turn().await;
    assert_eq!(told(&world.phone), wanted);
}

#[tokio::test]
async fn a_new_receiver_is_not_told_of_the_past() {
    spec!("notifications#from-a-cursor/a-new-receiver");
    let world = World::new(only(&["client.*"])).await;
    world.happen(EventType::ClientOnline, 2).await;
    world.turn().await;
    let later = Arc::new(FakeNotifier::new("later"));
    let rules = only(&["client.*"]);
    let pipeline = world.restarted(&[&world.phone, &later], &rules);
    take_up(&pipeline).await.unwrap();
    turn(&pipeline).await;
    assert_eq!(told(&later), [], "nobody asked for it then");
    let next = world.happen(EventType::ClientOffline, 1).await;
    turn(&pipeline).await;
    assert_eq!(told(&later), next);
    assert_eq!(told(&world.desk).len(), 2);
    let gone = world.fixture.read(|tx| tx.consumer("desk")).await;
    assert_eq!(gone, None, "it is not configured any more and holds nothing up");
}

impl World {
    /// The same data in the hands of another process.
    fn restarted(&self, told: &[&Arc<FakeNotifier>], rules: &NotifyRules) -> Pipeline {
        let Pipeline { db, clients, files, .. } = self.pipeline().clone();
        Pipeline::new(db, clients, files, Vec::new(), policy(told, rules))
    }
}

#[tokio::test]
async fn a_restart_goes_on_where_it_was() {
    spec!("notifications#from-a-cursor/after-a-crash");
    let rules = only(&["client.*"]);
    let world = World::new(rules.clone()).await;
    let before = world.happen(EventType::ClientOnline, 2).await;
    world.turn().await;
    let between = world.happen(EventType::ClientOffline, 2).await;
    let pipeline = world.restarted(&[&world.phone, &world.desk], &rules);
    take_up(&pipeline).await.unwrap();
    turn(&pipeline).await;
    assert_eq!(told(&world.phone), [before, between].concat(), "nothing lost, nothing twice");
}

#[tokio::test]
async fn a_crash_between_delivery_and_note_sends_again() {
    spec!("notifications#from-a-cursor/between-delivery-and-note");
    let rules = only(&["client.*"]);
    let world = World::new(rules.clone()).await;
    let id = world.happen(EventType::ClientOnline, 1).await[0];
    // The process ends while the receiver has the message and has not answered.
    world.phone.hang(true);
    let (pipeline, stop) = (world.pipeline().clone(), CancellationToken::new());
    let (reader, stopping) = (Arc::clone(&pipeline.readers[0]), stop.clone());
    let sending = tokio::spawn(async move { step(&pipeline, &reader, &stopping).await });
    eventually(DEADLINE, "the call", async || (world.phone.tried() == 1).then_some(())).await;
    stop.cancel();
    assert!(!sending.await.unwrap().unwrap());
    world.phone.hang(false);
    let pipeline = world.restarted(&[&world.phone, &world.desk], &rules);
    turn(&pipeline).await;
    assert_eq!(told(&world.phone), [id], "the same id again, so that the receiver can tell");
    assert_eq!(world.phone.tried(), 2);
}

#[tokio::test]
async fn a_receiver_that_is_down_for_an_hour_misses_nothing() {
    spec!("notifications#a-receiver-in-trouble/down-for-an-hour");
    let world = World::new(only(&["client.*"])).await;
    world.phone.fail_with(Some(down()));
    let mut wanted = Vec::new();
    for _ in 0..60 {
        wanted.extend(world.happen(EventType::ClientOnline, 1).await);
        world.after(60).await;
        assert_eq!(told(&world.desk), wanted, "nobody waits for the other");
    }
    assert_eq!(told(&world.phone), []);
    let tried = world.phone.tried();
    assert!((5..ATTEMPTS as usize).contains(&tried), "with growing pauses: {tried}");
    assert_eq!(world.health("phone"), [("notifier-failing", Level::Warning)]);
    let check = &world.checks("phone")[0];
    assert!(check.detail.contains("no connection") && check.detail.contains("again at"));
    assert_eq!(world.health("desk"), [("notifier", Level::Ok)]);
    world.phone.fail_with(None);
    world.after(900).await;
    assert_eq!(told(&world.phone), wanted, "all of it, in order, each once");
    assert_eq!(world.health("phone"), [("notifier", Level::Ok)]);
}

#[tokio::test]
async fn what_is_never_taken_is_put_aside_and_sent_after_a_restart() {
    spec!("notifications#a-receiver-in-trouble/put-aside");
    let rules = only(&["client.*", "notification.*"]);
    let world = World::new(rules.clone()).await;
    world.phone.fail_with(Some(NotifyError::Refused("HTTP 400".to_owned())));
    let bad = world.happen(EventType::ClientOnline, 1).await;
    for _ in 0..ATTEMPTS {
        world.after(900).await;
    }
    assert_eq!(world.phone.tried(), ATTEMPTS as usize);
    assert_eq!(world.health("phone"), [("notifier-dead-letters", Level::Error)]);
    let check = &world.checks("phone")[0];
    assert!(check.detail.contains(&bad[0].to_string()), "{}", check.detail);
    assert!(check.remedy.contains("`tracker notify retry phone`"), "{}", check.remedy);
    let told_desk = world.desk.taken();
    let last = told_desk.last().unwrap();
    assert_eq!((last.kind, last.name.as_deref()), (EventType::NotificationFailed, Some("phone")));
    // What comes behind it goes on, and it is not told of its own failure.
    world.phone.fail_with(None);
    let good = world.happen(EventType::ClientOffline, 1).await;
    world.turn().await;
    assert_eq!(told(&world.phone), good);
    assert_eq!(world.health("phone"), [("notifier-dead-letters", Level::Error)]);
    let pipeline = world.restarted(&[&world.phone, &world.desk], &rules);
    take_up(&pipeline).await.unwrap();
    turn(&pipeline).await;
    turn(&pipeline).await;
    assert_eq!(told(&world.phone), [good, bad].concat(), "late, and not lost");
    let left = world.fixture.read(|tx| tx.dead_letters("phone")).await;
    assert_eq!(left, []);
}

#[tokio::test]
async fn what_was_put_aside_follows_once_the_receiver_is_back() {
    spec!("notifications#a-receiver-in-trouble/back-after-a-long-time");
    let world = World::new(only(&["client.*"])).await;
    world.phone.fail_with(Some(down()));
    let wanted = world.happen(EventType::ClientOnline, 2).await;
    for _ in 0..=ATTEMPTS {
        world.after(900).await;
    }
    world.phone.fail_with(None);
    world.after(900).await;
    let mut found = told(&world.phone);
    found.sort();
    assert_eq!(found, wanted);
    assert_eq!(world.health("phone"), [("notifier", Level::Ok)]);
}

#[tokio::test]
async fn a_receiver_that_hangs_blocks_nobody() {
    spec!("notifications#a-receiver-in-trouble/hangs");
    let world = World::new(only(&["system.started"])).await;
    world.phone.hang(true);
    let stop = CancellationToken::new();
    let running = tokio::spawn(world.pipeline().clone().run(stop.clone()));
    let wanted = world.happen(EventType::SystemStarted, 3).await;
    eventually(DEADLINE, "the other one is told", async || {
        (told(&world.desk) == wanted && world.phone.tried() > 0).then_some(())
    })
    .await;
    assert_eq!(told(&world.phone), []);
    stop.cancel();
    tokio::time::timeout(DEADLINE, running).await.expect("it ends at once").unwrap();
}

#[tokio::test]
async fn in_quiet_hours_it_waits() {
    spec!("notifications#quiet-hours/it-waits");
    // The clock starts at 03:04:05.
    let rules = NotifyRules { quiet: Some("23:00-07:00".parse().unwrap()), ..only(&["client.*"]) };
    let world = World::new(rules).await;
    let wanted = world.happen(EventType::ClientOnline, 2).await;
    world.after(3600).await;
    assert_eq!(world.phone.tried(), 0);
    world.after(3 * 3600).await;
    assert_eq!(told(&world.phone), wanted);
}

#[tokio::test]
async fn in_quiet_hours_what_was_put_aside_waits_too() {
    spec!("notifications#quiet-hours/put-aside");
    let rules = NotifyRules { quiet: Some("23:00-07:00".parse().unwrap()), ..only(&["client.*"]) };
    let world = World::new(rules).await;
    let event = NewEvent::new(EventType::ClientOnline, "it happened");
    let write = world.fixture.db.write(&Actor::Worker, move |tx| {
        let id = tx.append_event(event)?;
        tx.put_aside("phone", &[id], "HTTP 400")?;
        Ok::<_, StoreError>(id)
    });
    let id = write.await.unwrap();
    let write = world.fixture.db.write(&Actor::System, |tx| tx.retry_consumer("phone"));
    assert!(write.await.unwrap());
    world.turn().await;
    assert_eq!(world.phone.tried(), 0);
    world.after(4 * 3600).await;
    assert_eq!(told(&world.phone), [id]);
}

#[tokio::test]
async fn a_season_is_one_message() {
    spec!("notifications#grouping/a-season");
    let rules = NotifyRules { group_seconds: 60, ..only(&["batch.applied"]) };
    let world = World::new(rules).await;
    let id = world.fixture.settle(season(one(v1(1)))).await;
    let mut wanted = Vec::new();
    for _ in 0..3 {
        let event = NewEvent::new(EventType::BatchApplied, "links made").in_download(id);
        let write = world.fixture.db.write(&Actor::Worker, move |tx| tx.append_event(event));
        wanted.push(write.await.unwrap());
    }
    world.after(59).await;
    assert_eq!(told(&world.phone), [], "more of it may come");
    world.after(1).await;
    let taken = world.phone.taken();
    let season: Vec<_> = taken.iter().filter(|one| one.kind == EventType::BatchApplied).collect();
    assert_eq!(season.len(), 1, "{taken:?}");
    // The batch of the download itself is the first of them.
    assert_eq!(season[0].rest, wanted);
    assert_eq!(season[0].name.as_deref(), Some("The Show S01"));
    assert_eq!(season[0].message, "links made (4 times)");
    world.after(600).await;
    assert_eq!(world.phone.taken().len(), taken.len(), "each once");
}

#[tokio::test]
async fn the_doctor_tells_and_sends_nothing() {
    spec!("notifications#receivers-in-health/the-doctor");
    let world = World::new(only(&["client.*"])).await;
    world.happen(EventType::ClientOnline, 1).await;
    world.phone.fail_with(Some(down()));
    world.turn().await;
    let tried = world.phone.tried();
    let rules = NotifyRules::default();
    let pipeline = world.restarted(&[&world.phone], &rules);
    examine(&pipeline).await.unwrap();
    assert_eq!(world.phone.tried(), tried);
    let checks = pipeline.board().checks();
    let codes: Vec<_> = checks.iter().map(|check| (check.code, check.subject.as_str())).collect();
    assert!(codes.contains(&("notifier-failing", "phone")), "{codes:?}");
    let broken =
        Notifiers::default().with_fault("hook".to_owned(), "webhook", "the url is none".to_owned());
    let board = crate::Board::default();
    broken.tell_faults(&board, Timestamp::from_unix(0).unwrap());
    assert_eq!(board.checks()[0].code, "notifier-setup");
    assert_eq!(Reader::all(&broken).len(), 0);
}

#[tokio::test]
async fn what_waits_is_tried_at_once_when_a_person_says_so() {
    spec!("notifications#a-person-asks/what-waits");
    let world = World::new(only(&["client.*", "notification.*"])).await;
    world.phone.fail_with(Some(down()));
    let wanted = world.happen(EventType::ClientOnline, 2).await;
    world.after(5).await;
    world.phone.fail_with(None);
    world.turn().await;
    assert_eq!(told(&world.phone), [], "its time has not come");
    let actor = Actor::Cli("anna".to_owned());
    let write = world.fixture.db.write(&actor, |tx| tx.retry_consumer("phone"));
    assert!(write.await.unwrap());
    world.turn().await;
    assert_eq!(told(&world.phone), wanted);
    let last = world.desk.taken().pop().unwrap();
    assert_eq!((last.kind, last.name.as_deref()), (EventType::NotificationRetried, Some("phone")));
    let write = world.fixture.db.write(&actor, |tx| tx.retry_consumer("phone"));
    assert!(!write.await.unwrap(), "nothing waits any more");
}

/// What may happen to a receiver and to us.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Happens(u8),
    Up,
    Down,
    Refuses,
    Passes(u16),
    /// So long that what is next is put aside.
    LongOutage,
    Restart,
    Retry,
}

fn any_turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        3 => (1u8..4).prop_map(Turn::Happens),
        2 => Just(Turn::Up),
        2 => Just(Turn::Down),
        2 => Just(Turn::Refuses),
        4 => (1u16..2000).prop_map(Turn::Passes),
        1 => Just(Turn::LongOutage),
        1 => Just(Turn::Restart),
        1 => Just(Turn::Retry),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_each_is_told_once_and_in_order(
        turns in proptest::collection::vec(any_turn(), 1..40)
    ) {
        spec!("notifications#from-a-cursor/whatever-happens");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(told_once_and_in_order(turns))?;
    }
}

async fn told_once_and_in_order(turns: Vec<Turn>) -> Result<(), TestCaseError> {
    let rules = only(&["client.*"]);
    let world = World::new(rules.clone()).await;
    let restarted = || world.restarted(&[&world.phone, &world.desk], &rules);
    let mut pipeline = world.pipeline().clone();
    let (mut wanted, mut aside) = (Vec::new(), BTreeSet::new());
    for one in turns {
        match one {
            Turn::Happens(count) => {
                wanted.extend(world.happen(EventType::ClientOnline, count.into()).await);
            }
            Turn::Up => world.phone.fail_with(None),
            Turn::Down => world.phone.fail_with(Some(down())),
            Turn::Refuses => {
                world.phone.fail_with(Some(NotifyError::Refused("HTTP 400".to_owned())));
            }
            Turn::LongOutage => {
                world.phone.fail_with(Some(down()));
                for _ in 0..ATTEMPTS {
                    world.fixture.clock.advance_seconds(900);
                    turn(&pipeline).await;
                }
            }
            Turn::Passes(seconds) => world.fixture.clock.advance_seconds(seconds.into()),
            Turn::Restart => {
                pipeline = restarted();
                take_up(&pipeline).await.unwrap();
            }
            Turn::Retry => {
                pipeline.look_again("phone");
                let actor = Actor::Cli("anna".to_owned());
                let write = world.fixture.db.write(&actor, |tx| tx.retry_consumer("phone"));
                write.await.unwrap();
            }
        }
        turn(&pipeline).await;
        let letters = world.fixture.read(|tx| tx.dead_letters("phone")).await;
        aside.extend(letters.into_iter().map(|letter| letter.event_id));
        prop_assert_eq!(told(&world.desk), wanted.clone(), "nobody waits for the other");
        // What was never put aside keeps its order, and has no gap before its end.
        let in_turn = |ids: Vec<EventId>| -> Vec<EventId> {
            ids.into_iter().filter(|id| !aside.contains(id)).collect()
        };
        let (told, all) = (in_turn(told(&world.phone)), in_turn(wanted.clone()));
        prop_assert_eq!(&told[..], &all[..told.len()]);
    }
    world.phone.fail_with(None);
    world.fixture.clock.advance_seconds(900);
    let pipeline = restarted();
    turn(&pipeline).await;
    let mut found = told(&world.phone);
    found.sort();
    prop_assert_eq!(found, wanted, "nothing lost, nothing twice");
    prop_assert_eq!(world.fixture.read(|tx| tx.dead_letters("phone")).await, []);
    Ok(())
}
