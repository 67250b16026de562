//! Making ids: from a time that is given and the randomness of the system.

use std::sync::{Mutex, PoisonError};

use crate::AnyId;

/// Bits of a ULID below its time part.
const RANDOM_BITS: u32 = 80;

/// Makes ids that increase strictly, whatever the given time does.
///
/// One per process is enough; several are safe as long as every call passes the
/// floor that was persisted by the last one.
#[derive(Debug, Default)]
pub struct Generator {
    last: Mutex<Option<AnyId>>,
}

impl Generator {
    /// A generator that has issued nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Generator { last: Mutex::new(None) }
    }

    /// The next id: greater than each one this generator issued and than
    /// `floor`, with the time part `unix_ms` where that is possible.
    ///
    /// When the clock was set back, the time part stays at that of the floor
    /// and only the random part grows; order matters more than the time.
    ///
    /// # Panics
    /// When the system has no source of randomness, which no supported system
    /// lacks; an id that could collide would be worse than stopping.
    pub fn next(&self, unix_ms: u64, floor: Option<AnyId>) -> AnyId {
        let fresh = AnyId::from_parts(unix_ms, random());
        // A panic elsewhere cannot leave the value half written: it is one word.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let id = match (*last).max(floor) {
            Some(highest) if fresh <= highest => successor(highest),
            _ => fresh,
        };
        *last = Some(id);
        id
    }
}

/// The id of a migrated record: the same inputs always give the same id, so a
/// child row can compute the id of its parent without a mapping table.
///
/// The random part holds the former numeric key (40 bits) above a hash of the
/// table's name (40 bits), which keeps equal times in the old numeric order.
#[must_use]
pub fn derived(unix_ms: u64, number: u64, table: &str) -> AnyId {
    const HALF: u128 = (1 << 40) - 1;
    let random = (u128::from(number) & HALF) << 40 | (u128::from(fnv1a(table)) & HALF);
    AnyId::from_parts(unix_ms, random)
}

/// FNV-1a, 64 bits: a stable hash, since ids must not change between builds.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The smallest id above `id`, with a gap that keeps it hard to guess.
fn successor(id: AnyId) -> AnyId {
    let step = (random() & 0xffff_ffff) + 1;
    AnyId::from_value(id.value().saturating_add(step))
}

fn random() -> u128 {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    u128::from_le_bytes(bytes) & ((1 << RANDOM_BITS) - 1)
}

#[cfg(test)]
mod tests;
