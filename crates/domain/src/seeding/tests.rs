//! Words, policies and decisions about seeding.

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

const DAY: u64 = 86_400;

fn words(ratio: Option<f64>, days: Option<u64>) -> SeedingWords {
    SeedingWords {
        ratio: ratio.map(Limit::At),
        time: days.map(|days| Limit::At(Duration::from_secs(days * DAY))),
        ..SeedingWords::default()
    }
}

fn given(ratio: f64, seconds: u64) -> Given {
    Given { complete: true, ratio: Some(ratio), seconds: Some(seconds), linked: true }
}

#[test]
fn the_nearest_word_holds() {
    spec!("seeding#the-nearest-word-holds/key-by-key");
    let rules = SeedingRules {
        everywhere: SeedingWords {
            min_time: Some(Duration::from_secs(DAY)),
            ..words(Some(1.0), Some(30))
        },
        clients: [("home".to_owned(), words(Some(2.0), None))].into(),
        libraries: [(
            "films".to_owned(),
            SeedingWords {
                time: Some(Limit::Never),
                action: Some(SeedingAction::Remove),
                ..SeedingWords::default()
            },
        )]
        .into(),
        bounds: BTreeMap::new(),
    };
    let films = rules.policy("home", Some("films"));
    assert_eq!((films.ratio, films.time), (Some(2.0), None));
    assert_eq!((films.action, films.min_time.as_secs()), (SeedingAction::Remove, DAY));
    let other = rules.policy("office", Some("series"));
    assert_eq!((other.ratio, other.action), (Some(1.0), SeedingAction::Stop));
    assert_eq!(other.time.map(|time| time.as_secs()), Some(30 * DAY));
    assert!(!rules.is_off());
}

#[test]
fn nothing_said_is_off() {
    spec!("seeding#off-unless-asked-for/nothing-is-set");
    let mut rules = SeedingRules::default();
    assert!(rules.is_off());
    assert_eq!(
        decide(&rules.policy("home", None), given(1e9, u64::MAX)),
        Decision::Keep(Keeping::NoLimit)
    );
    // Words about how, without one about when, end nothing.
    rules.everywhere.action = Some(SeedingAction::RemoveData);
    rules.everywhere.min_time = Some(Duration::from_secs(1));
    rules.everywhere.ratio = Some(Limit::Never);
    assert!(rules.is_off());
}

#[test]
fn the_bound_stands_in() {
    spec!("seeding#one-policy-for-the-engine/nobody-names-an-end");
    let mut rules = SeedingRules {
        libraries: [("films".to_owned(), words(Some(3.0), None))].into(),
        bounds: [("embedded".to_owned(), words(Some(1.0), Some(1)))].into(),
        ..SeedingRules::default()
    };
    let films = rules.policy("embedded", Some("films"));
    assert_eq!((films.ratio, films.time), (Some(3.0), None), "replaced as a whole");
    let others = rules.policy("embedded", None);
    assert_eq!((others.ratio, others.time.map(|time| time.as_secs())), (Some(1.0), Some(DAY)));
    assert_eq!(rules.policy("home", None).ratio, None);
    rules.clients.insert(
        "embedded".to_owned(),
        SeedingWords { ratio: Some(Limit::Never), ..SeedingWords::default() },
    );
    let never = rules.policy("embedded", None);
    assert_eq!((never.ratio, never.time), (None, None));
}

#[test]
fn each_reason_to_go_on() {
    spec!("seeding#ratio-or-time/the-least-time-holds");
    let policy = SeedingPolicy {
        ratio: Some(1.0),
        time: Some(Duration::from_secs(100)),
        min_time: Duration::from_secs(50),
        ..SeedingPolicy::default()
    };
    let linked = SeedingPolicy { keep_while_linked: true, ..policy.clone() };
    let keep = Decision::Keep;
    assert_eq!(decide(&policy, given(0.9, 99)), keep(Keeping::Underway));
    assert_eq!(seconds_left(&policy, given(0.9, 99)), Some(1));
    assert_eq!(decide(&policy, given(1.0, 49)), keep(Keeping::MinTime));
    assert_eq!(seconds_left(&policy, given(1.0, 49)), Some(1));
    assert_eq!(decide(&policy, given(1.0, 50)), Decision::End(Reached::Ratio));
    assert_eq!(decide(&policy, given(0.0, 100)), Decision::End(Reached::Time));
    assert_eq!(decide(&linked, given(1.0, 100)), keep(Keeping::Linked));
    let unlinked = Given { linked: false, ..given(1.0, 100) };
    assert_eq!(decide(&linked, unlinked), Decision::End(Reached::Ratio));
    let busy = Given { complete: false, ..given(1.0, 100) };
    assert_eq!(decide(&policy, busy), keep(Keeping::Incomplete));
    // A client that does not say how long is not believed to have done it.
    let unknown = Given { seconds: None, ..given(1.0, 0) };
    assert_eq!(decide(&policy, unknown), keep(Keeping::MinTime));
    assert_eq!(seconds_left(&policy, unknown), None);
}

#[test]
fn actions_read_back() {
    for action in SeedingAction::ALL {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    assert!("delete".parse::<SeedingAction>().is_err());
}

prop_compose! {
    fn any_policy()(
        ratio in proptest::option::of(0.0..10.0_f64),
        time in proptest::option::of(0..1000_u64),
        min_time in 0..1000_u64,
        keep_while_linked: bool,
    ) -> SeedingPolicy {
        SeedingPolicy {
            ratio,
            time: time.map(Duration::from_secs),
            min_time: Duration::from_secs(min_time),
            keep_while_linked,
            ..SeedingPolicy::default()
        }
    }
}

prop_compose! {
    fn any_given()(
        complete: bool,
        ratio in proptest::option::of(0.0..10.0_f64),
        seconds in proptest::option::of(0..1000_u64),
        linked: bool,
    ) -> Given {
        Given { complete, ratio, seconds, linked }
    }
}

proptest! {
    /// Nothing ends without every condition for it.
    #[test]
    fn an_end_has_its_reasons(policy in any_policy(), given in any_given()) {
        spec!("seeding#ratio-or-time/whichever-comes-first");
        let by_ratio = policy.ratio.zip(given.ratio).is_some_and(|(limit, ratio)| ratio >= limit);
        let by_time =
            policy.time.zip(given.seconds).is_some_and(|(limit, seconds)| seconds >= limit.as_secs());
        let long_enough = policy.min_time.is_zero()
            || given.seconds.is_some_and(|seconds| seconds >= policy.min_time.as_secs());
        let free = !(policy.keep_while_linked && given.linked);
        let ends = given.complete && (by_ratio || by_time) && long_enough && free;
        let decision = decide(&policy, given);
        prop_assert_eq!(matches!(decision, Decision::End(_)), ends);
        match decision {
            Decision::End(Reached::Ratio) => prop_assert!(by_ratio),
            Decision::End(Reached::Time) => prop_assert!(by_time && !by_ratio),
            Decision::Keep(_) => {}
        }
    }

    /// Who has given enough has done so with more of anything, too.
    #[test]
    fn more_is_enough_as_well(
        policy in any_policy(), given in any_given(), ratio in 0.0..5.0_f64, seconds in 0..500_u64,
    ) {
        let more = Given {
            ratio: given.ratio.map(|had| had + ratio),
            seconds: given.seconds.map(|had| had + seconds),
            ..given
        };
        if matches!(decide(&policy, given), Decision::End(_)) {
            prop_assert!(matches!(decide(&policy, more), Decision::End(_)));
        }
    }

    /// The time that is told as left is when it ends, and not a second before.
    #[test]
    fn the_time_left_is_right(policy in any_policy(), given in any_given()) {
        let at = |seconds| decide(&policy, Given { seconds, ..given });
        if let (Some(left), Some(seconds)) = (seconds_left(&policy, given), given.seconds) {
            prop_assert!(left > 0);
            prop_assert!(matches!(at(Some(seconds + left)), Decision::End(_)));
            prop_assert!(matches!(at(Some(seconds + left - 1)), Decision::Keep(_)));
        }
    }
}
