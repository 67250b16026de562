//! Whether the network device is there that everything has to go through.

use std::path::Path;

/// Whether the system has a network device of this name.
pub(crate) fn is_there(name: &str) -> bool {
    let plain = !name.is_empty() && !name.contains('/') && name != "." && name != "..";
    plain && Path::new("/sys/class/net").join(name).exists()
}

#[cfg(test)]
mod tests {
    use super::is_there;

    #[test]
    fn names_of_devices() {
        assert!(is_there("lo"));
        for name in ["", ".", "..", "../net/lo", "lo/", "no-such-device"] {
            assert!(!is_there(name), "{name:?}");
        }
    }
}
