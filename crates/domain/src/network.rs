//! A network of addresses, for settings that name who is trusted.

use std::fmt;
use std::net::IpAddr;

/// A network: an address and how many of its leading bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The address.
    pub address: IpAddr,
    /// The number of bits.
    pub prefix: u8,
}

impl Network {
    /// Whether an address is in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let bits = |found: IpAddr| match found {
            IpAddr::V4(v4) => (u128::from(v4.to_bits()) << 96, 32_u8),
            IpAddr::V6(v6) => (v6.to_bits(), 128),
        };
        // An IPv4 client of an IPv6 socket shows as a mapped address.
        let ((ours, width), (theirs, their_width)) =
            (bits(self.address), bits(address.to_canonical()));
        let differing = ours ^ theirs;
        width == their_width
            && (self.prefix == 0 || differing >> (128 - u32::from(self.prefix)) == 0)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}
