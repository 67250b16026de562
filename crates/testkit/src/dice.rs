//! Dice that can be thrown again, and torrents that nobody has.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Pseudo-random numbers (splitmix64).
pub struct Dice(u64);

/// A link to a torrent that nobody has.
#[derive(Clone, Debug)]
pub struct DeadMagnet {
    /// The magnet.
    pub link: String,
    /// Its hashes in hex.
    pub hashes: Vec<String>,
}

impl Dice {
    /// With the seed of the environment, else a new one, which is told.
    ///
    /// # Panics
    /// When the seed of the environment is no number.
    #[must_use]
    #[expect(clippy::print_stderr, reason = "shown with a failure, to repeat it")]
    pub fn of_this_test() -> Self {
        let given = std::env::var_os("TRACKER_TEST_SEED");
        let seed = match given.as_ref().and_then(|text| text.to_str()) {
            Some(text) => text.parse().expect("TRACKER_TEST_SEED is a whole number"),
            None => RandomState::new().build_hasher().finish(),
        };
        eprintln!("TRACKER_TEST_SEED={seed}");
        // Each test throws dice of its own, or two tests at one time would hand
        // the same torrents to one client. The name of the thread is the test's.
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        let salt = name
            .bytes()
            .fold(0u64, |salt, byte| salt.wrapping_mul(0x0000_0100_0000_01b3) ^ u64::from(byte));
        Dice(seed ^ salt)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next_u64() % end
    }

    /// A time below so many milliseconds.
    pub fn pause(&mut self, end_ms: u64) -> Duration {
        Duration::from_millis(self.below(end_ms))
    }

    /// A moment within a time: the same share of it with the same seed.
    pub fn within(&mut self, time: Duration) -> Duration {
        let nanos = (time.as_nanos() * u128::from(self.next_u64())) >> 64;
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    fn hex(&mut self, digits: usize) -> String {
        let words = digits.div_ceil(16);
        let mut text: String = (0..words).map(|_| format!("{:016x}", self.next_u64())).collect();
        text.truncate(digits);
        text
    }

    /// A v1, v2 or hybrid torrent.
    pub fn dead_magnet(&mut self) -> DeadMagnet {
        let (v1, v2) = (self.hex(40), self.hex(64));
        let v1_topic = format!("xt=urn:btih:{v1}");
        let v2_topic = format!("xt=urn:btmh:1220{v2}");
        let (topics, hashes) = match self.below(3) {
            0 => (v1_topic, vec![v1]),
            1 => (v2_topic, vec![v2]),
            _ => (format!("{v1_topic}&{v2_topic}"), vec![v1, v2]),
        };
        DeadMagnet { link: format!("magnet:?{topics}&dn=Dead.Film.2001"), hashes }
    }
}
