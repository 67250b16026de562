//! Ids never repeat and never go back, whatever the clock does.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::thread;

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

/// 2026-01-02T03:04:05Z.
const NOW: u64 = 1_767_323_045_000;

#[test]
fn threads_never_get_the_same_id() {
    spec!("identity#lowercase-ulids-as-keys/unique-across-kinds-and-threads");
    const THREADS: usize = 8;
    const EACH: usize = 2_000;
    let generator = Generator::new();
    let ids: Vec<Vec<AnyId>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|_| {
                // The clock stands, so only the random part tells them apart.
                scope.spawn(|| (0..EACH).map(|_| generator.next(NOW, None)).collect())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    for of_one in &ids {
        assert!(of_one.is_sorted_by(|a, b| a < b), "a thread saw its ids go back");
    }
    assert_eq!(ids.concat().into_iter().collect::<HashSet<_>>().len(), THREADS * EACH);
}

#[test]
fn generators_without_a_common_floor_do_not_collide() {
    spec!("identity#lowercase-ulids-as-keys/unique-across-kinds-and-threads");
    let (one, two) = (Generator::new(), Generator::default());
    let mut seen = HashSet::new();
    for _ in 0..2_000 {
        assert!(seen.insert(one.next(NOW, None)));
        assert!(seen.insert(two.next(NOW, None)));
    }
}

#[test]
fn a_later_time_gives_a_later_id() {
    spec!("identity#ids-sort-in-order-of-creation/one-after-the-other");
    let generator = Generator::new();
    let first = generator.next(NOW, None);
    let same_millisecond = generator.next(NOW, None);
    let later = generator.next(NOW + 1_000, None);
    assert!(first < same_millisecond && same_millisecond < later);
    assert_eq!((first.unix_ms(), later.unix_ms()), (NOW, NOW + 1_000));
}

#[test]
fn the_random_part_is_random() {
    // A generator that counts from zero would be guessable and would collide
    // between processes.
    let parts: HashSet<u128> = (0..64)
        .map(|_| Generator::new().next(NOW, None).value() & ((1 << RANDOM_BITS) - 1))
        .collect();
    assert_eq!(parts.len(), 64);
    let (ones, zeros) =
        parts.iter().fold((0, u128::MAX), |(or, and), part| (or | part, and & part));
    assert_eq!(ones, (1 << RANDOM_BITS) - 1, "a bit was never set in 64 ids");
    assert_eq!(zeros, 0, "a bit was always set in 64 ids");
}

#[test]
fn a_clock_that_was_set_back_does_not_bring_an_id_back() {
    spec!("identity#ids-sort-in-order-of-creation/clock-set-back");
    let generator = Generator::new();
    let before = generator.next(NOW, None);
    let after = generator.next(NOW - 86_400_000, None);
    let at_zero = generator.next(0, None);
    assert!(before < after && after < at_zero);
    assert_eq!(at_zero.unix_ms(), NOW, "the time part stays at that of the floor");
    // Once the clock has caught up, the time part is its own again.
    assert_eq!(generator.next(NOW + 5, None).unix_ms(), NOW + 5);
}

#[test]
fn two_processes_share_the_order_through_the_floor() {
    spec!("identity#ids-sort-in-order-of-creation/two-processes");
    let (one, two) = (Generator::new(), Generator::new());
    let mut floor = None;
    for round in 0..100u64 {
        let (generator, clock) =
            if round % 2 == 0 { (&one, NOW + 60_000) } else { (&two, NOW - 60_000) };
        let id = generator.next(clock, floor);
        assert!(Some(id) > floor, "round {round}");
        floor = Some(id);
    }
}

#[test]
fn a_floor_below_what_was_issued_changes_nothing() {
    let generator = Generator::new();
    let issued = generator.next(NOW, None);
    let old = AnyId::from_parts(NOW - 1, 7);
    assert!(generator.next(NOW - 1, Some(old)) > issued);
}

#[test]
fn a_full_random_part_carries_into_the_time() {
    let generator = Generator::new();
    let full = AnyId::from_parts(NOW, (1 << RANDOM_BITS) - 1);
    let next = generator.next(NOW, Some(full));
    assert!(next > full);
    assert_eq!(next.unix_ms(), NOW + 1);
}

#[test]
fn the_next_id_cannot_be_counted_up_to() {
    let generator = Generator::new();
    let floor = AnyId::from_parts(NOW + 1_000, 0);
    let steps: HashSet<u128> = (0..32)
        .map(|_| generator.next(NOW, Some(floor)).value())
        .collect::<Vec<_>>()
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert!(steps.len() > 16 && steps.iter().all(|step| (1..=1 << 32).contains(step)));
}

#[test]
fn a_derived_id_never_changes() {
    // A fixed value: a child row of another run or build computes it again.
    let id = derived(1_714_979_289_000, 42, "download");
    assert_eq!(id, derived(1_714_979_289_000, 42, "download"));
    let hash = fnv1a("download") & ((1 << 40) - 1);
    assert_eq!(id.value(), 1_714_979_289_000 << 80 | 42 << 40 | u128::from(hash));
    assert_eq!(id.unix_ms(), 1_714_979_289_000);
}

#[test]
fn the_hash_is_fnv1a() {
    // Values of the reference implementation.
    assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn equal_numbers_of_different_tables_have_different_derived_ids() {
    let tables = [
        "download",
        "recognition",
        "metadata_candidate",
        "hint",
        "override",
        "file_link",
        "apply_batch",
    ];
    let ids: HashSet<AnyId> =
        tables.iter().flat_map(|table| (0..50).map(|number| derived(NOW, number, table))).collect();
    assert_eq!(ids.len(), tables.len() * 50);
}

/// What the clock and the stored floor do between two ids.
fn steps() -> impl Strategy<Value = Vec<(u64, Option<(u64, u128)>)>> {
    let floor = proptest::option::of((NOW - 50..NOW + 50, 0..1u128 << RANDOM_BITS));
    proptest::collection::vec((NOW - 50..NOW + 50, floor), 1..60)
}

proptest! {
    #[test]
    fn ids_increase_whatever_clock_and_floor_do(steps in steps()) {
        spec!("identity#ids-sort-in-order-of-creation/clock-set-back");
        let generator = Generator::new();
        let mut last = None;
        for (clock, floor) in steps {
            let floor = floor.map(|(ms, random)| AnyId::from_parts(ms, random));
            let id = generator.next(clock, floor);
            prop_assert!(Some(id) > last && Some(id) > floor);
            prop_assert!(id.unix_ms() >= clock, "the id is older than its record");
            last = Some(id);
        }
    }

    #[test]
    fn derived_ids_keep_time_then_number(
        one in (0..NOW * 2, 0..1u64 << 40),
        two in (0..NOW * 2, 0..1u64 << 40),
    ) {
        let id = |(ms, number)| derived(ms, number, "download");
        prop_assert_eq!(id(one).cmp(&id(two)), one.cmp(&two));
    }
}
