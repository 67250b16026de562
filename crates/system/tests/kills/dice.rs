//! Random numbers that can be thrown again.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Pseudo-random numbers (splitmix64).
pub struct Dice(u64);

impl Dice {
    /// With the seed of the environment, else a new one, which is told.
    #[expect(clippy::print_stderr, reason = "shown with a failure, to repeat it")]
    pub fn new() -> Self {
        let given = std::env::var_os("TRACKER_TEST_SEED");
        let seed = match given.as_ref().and_then(|text| text.to_str()) {
            Some(text) => text.parse().expect("TRACKER_TEST_SEED is a whole number"),
            None => RandomState::new().build_hasher().finish(),
        };
        eprintln!("TRACKER_TEST_SEED={seed}");
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A moment within a time: the same share of it with the same seed.
    pub fn within(&mut self, time: Duration) -> Duration {
        let nanos = (time.as_nanos() * u128::from(self.next())) >> 64;
        Duration::from_nanos(u64::try_from(nanos).unwrap())
    }
}
