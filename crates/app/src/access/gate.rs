//! How often a login may be tried: per account, and per address of the browser.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as Counter;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use tracker_domain::ports::Clock;

use crate::error::AppError;

const OF_ACCOUNT: NonZeroU32 = NonZeroU32::new(10).expect("10 is not 0");
const ACCOUNT_REGAINS: Duration = Duration::from_secs(60);
const OF_ADDRESS: NonZeroU32 = NonZeroU32::new(30).expect("30 is not 0");
const ADDRESS_REGAINS: Duration = Duration::from_secs(10);

/// From so many keys on, those are forgotten that have their whole quota again.
const MANY: usize = 1000;

/// The time of the program, as the limiter counts it.
#[derive(Clone)]
struct Ticks(Arc<dyn Clock>);

impl Counter for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now_ms().0)
    }
}

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, Ticks, NoOpMiddleware<Duration>>;

/// Counts the attempts of this process.
pub(super) struct Gate {
    accounts: Limiter<String>,
    addresses: Limiter<Option<IpAddr>>,
    ticks: Ticks,
}

impl Gate {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let ticks = Ticks(clock);
        Gate {
            accounts: RateLimiter::new(
                quota(ACCOUNT_REGAINS, OF_ACCOUNT),
                HashMapStateStore::new(HashMap::default()),
                ticks.clone(),
            ),
            addresses: RateLimiter::new(
                quota(ADDRESS_REGAINS, OF_ADDRESS),
                HashMapStateStore::new(HashMap::default()),
                ticks.clone(),
            ),
            ticks,
        }
    }

    /// Counts an attempt from an address.
    pub(super) fn pass_address(&self, address: Option<IpAddr>) -> Result<(), AppError> {
        self.pass(&self.addresses, &address.map(neighbourhood))
    }

    /// Counts an attempt for an account, whether it exists or not, and however its name is
    /// written.
    pub(super) fn pass_account(&self, name: &str) -> Result<(), AppError> {
        self.pass(&self.accounts, &name.to_ascii_lowercase())
    }

    fn pass<K: Clone + Eq + std::hash::Hash>(
        &self,
        limiter: &Limiter<K>,
        key: &K,
    ) -> Result<(), AppError> {
        if limiter.len() >= MANY {
            limiter.retain_recent();
        }
        limiter.check_key(key).map_err(|refused| {
            let wait = refused.wait_time_from(self.ticks.now());
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let retry_after = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
            AppError::TooManyAttempts { retry_after }
        })
    }
}

fn quota(regains: Duration, burst: NonZeroU32) -> Quota {
    Quota::with_period(regains).expect("the period is not 0").allow_burst(burst)
}

/// Whoever has one address of IPv6 has the 64 bits behind its front as well.
fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}
