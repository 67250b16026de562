//! Names, scopes, and the life of a session.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_780_000_000).unwrap().plus_seconds(seconds)
}

#[test]
fn a_name_is_letters_digits_and_little_else() {
    for good in ["a", "Anna", "a-b_c.9", &"x".repeat(64)] {
        assert!(is_name(good), "{good}");
    }
    for bad in ["", "a b", "ümlaut", "a/b", "web:a", "a\n", &"x".repeat(65)] {
        assert!(!is_name(bad), "{bad}");
    }
}

#[test]
fn each_scope_has_the_rights_of_those_before_it() {
    let table: Vec<(Scope, Vec<bool>)> = Scope::ALL
        .iter()
        .map(|scope| (*scope, Scope::ALL.iter().map(|needed| scope.allows(*needed)).collect()))
        .collect();
    assert_eq!(
        table,
        [
            (Scope::Read, vec![true, false, false]),
            (Scope::Write, vec![true, true, false]),
            (Scope::Admin, vec![true, true, true]),
        ]
    );
}

#[test]
fn words_are_read_from_what_they_write() {
    for scope in Scope::ALL {
        assert_eq!(scope.to_string().parse::<Scope>().unwrap(), *scope);
    }
    let refused = "all".parse::<Scope>().unwrap_err().to_string();
    assert_eq!(refused, "\"all\" is not possible here; the words are: read, write, admin");
    assert!("EN".parse::<Language>().is_err() && "blue".parse::<Theme>().is_err());
}

#[test]
fn a_session_ends_when_it_is_not_used_and_after_its_longest_time() {
    spec!("access#sessions-end/unused");
    spec!("access#sessions-end/longest");
    let times = SessionTimes::opened(at(0));
    assert_eq!(times.state(at(USE_NOTED_EVERY - 1)), SessionState::Open);
    assert_eq!(times.state(at(USE_NOTED_EVERY)), SessionState::Due);
    assert_eq!(times.state(at(IDLE - 1)), SessionState::Due);
    assert_eq!(times.state(at(IDLE)), SessionState::Expired);
    let mut used = times;
    for day in 1..90 {
        let now = at(day * 86_400);
        assert_eq!(used.state(now), SessionState::Due, "day {day}");
        used = used.used(now);
    }
    assert_eq!(used.state(at(LONGEST)), SessionState::Expired);
    let revoked = SessionTimes { revoked_at: Some(at(5)), ..times };
    assert_eq!(revoked.state(at(6)), SessionState::Revoked);
}

proptest! {
    #[test]
    fn no_use_makes_a_session_last_beyond_its_time(
        steps in proptest::collection::vec(0_i64..40 * 86_400, 1..40),
    ) {
        let mut times = SessionTimes::opened(at(0));
        let (mut now, mut last) = (0, 0);
        for step in steps {
            now += step;
            let state = times.state(at(now));
            prop_assert_eq!(state.is_good(), now - last < IDLE && now < LONGEST);
            if !state.is_good() {
                // What has ended stays so.
                prop_assert!(!times.state(at(now + 1)).is_good());
                break;
            }
            let before = times.expires_at;
            times = times.used(at(now));
            last = now;
            prop_assert!(times.expires_at >= before, "a use never shortens it");
            prop_assert!(times.expires_at <= at(LONGEST));
            prop_assert_eq!(times.created_at, at(0));
        }
    }
}
