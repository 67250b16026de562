//! The gate by itself: what is hard to meet over the wire.

use tracker_testkit::spec;

use super::*;

const START: UnixMillis = UnixMillis(1_000_000);

fn at(seconds: u64) -> UnixMillis {
    UnixMillis(START.0 + seconds * 1000)
}

fn down() -> Trouble {
    Trouble::Down("gone".into())
}

fn gate() -> Gate {
    Gate::new(Provider::Tmdb, 40)
}

fn limited(seconds: u64) -> Result<(), MetadataError> {
    Err(MetadataError::Limited { retry_after_ms: seconds * 1000 })
}

#[test]
fn any_ten_seconds_have_no_more_calls_than_the_limit() {
    spec!("metadata#limits-of-a-source/our-own-limit");
    let mut gate = Gate::new(Provider::Tvmaze, 18);
    let mut passed = Vec::new();
    for tenth in 0..600 {
        let now = UnixMillis(START.0 + tenth * 100);
        while gate.admit(now).is_ok() {
            passed.push(now);
        }
    }
    for first in &passed {
        let within = passed.iter().filter(|one| *one >= first && one.since(*first) < 10_000);
        assert!(within.count() <= 18);
    }
    assert_eq!(passed.len(), 6 * 18, "and the limit is used");
}

#[test]
fn failures_of_calls_that_were_on_their_way_count_once() {
    spec!("metadata#a-source-that-is-down/three-failures-in-a-row");
    let mut gate = gate();
    for _ in 0..5 {
        assert_eq!(gate.admit(START), Ok(Pass::Usual));
    }
    for _ in 0..5 {
        gate.failed(START, Pass::Usual, down());
    }
    assert!(gate.look(at(29)).is_err());
    assert_eq!(gate.admit(at(30)), Ok(Pass::Trial));
    // One more that began before all of this.
    gate.failed(at(31), Pass::Usual, down());
    assert!(gate.look(at(31)).is_err(), "the trial is still on its way");
    gate.failed(at(32), Pass::Trial, down());
    assert!(gate.look(at(91)).is_err());
    assert_eq!(gate.admit(at(92)), Ok(Pass::Trial));
    assert_eq!(gate.state(at(92)), SourceState::Unreachable { since: START.into() });
    gate.answered();
    assert_eq!((gate.admit(at(92)), gate.state(at(92))), (Ok(Pass::Usual), SourceState::Ok));
}

#[test]
fn of_two_waits_the_longer_counts() {
    spec!("metadata#limits-of-a-source/the-source-says-enough");
    let mut gate = gate();
    gate.failed(START, Pass::Usual, Trouble::Limited { wait_ms: 60_000 });
    gate.failed(at(1), Pass::Usual, Trouble::Limited { wait_ms: 5000 });
    assert_eq!(gate.look(at(10)), limited(50));
    gate.answered();
    assert_eq!(gate.look(at(10)), limited(50), "a late answer takes no wait away");
    assert_eq!(gate.look(at(60)), Ok(()));
}

#[test]
fn a_clock_set_back_makes_no_wait_longer() {
    spec!("metadata#limits-of-a-source/a-clock-set-back");
    let waits = [
        (Trouble::Limited { wait_ms: 60_000 }, 60),
        (Trouble::Denied(401), 600),
        (Trouble::Down("gone".into()), 30),
    ];
    for (trouble, seconds) in waits {
        let mut gate = gate();
        for _ in 0..3 {
            gate.failed(START, Pass::Usual, trouble.clone());
        }
        let before = UnixMillis(1000);
        assert!(gate.look(before).is_err());
        assert!(gate.look(UnixMillis(before.0 + seconds * 1000 - 1)).is_err(), "{trouble:?}");
        assert_eq!(gate.look(UnixMillis(before.0 + seconds * 1000)), Ok(()), "{trouble:?}");
    }
}

#[test]
fn a_limit_or_a_refusal_is_a_sign_of_life() {
    spec!("metadata#a-source-that-is-down/a-trial");
    for sign in [Trouble::Limited { wait_ms: 1000 }, Trouble::Denied(403)] {
        let mut gate = gate();
        gate.failed(START, Pass::Usual, down());
        gate.failed(START, Pass::Usual, down());
        gate.failed(START, Pass::Usual, sign);
        gate.failed(START, Pass::Usual, down());
        let later = at(600);
        assert_eq!(gate.admit(later), Ok(Pass::Usual));
    }
}

#[test]
fn a_trial_that_is_given_up_is_made_by_the_next() {
    spec!("metadata#a-source-that-is-down/a-trial-that-is-given-up");
    let mut gate = gate();
    for _ in 0..3 {
        gate.failed(START, Pass::Usual, down());
    }
    assert_eq!(gate.admit(at(30)), Ok(Pass::Trial));
    assert!(gate.admit(at(30)).is_err());
    gate.abandon(Pass::Trial);
    assert_eq!(gate.admit(at(30)), Ok(Pass::Trial));
}
