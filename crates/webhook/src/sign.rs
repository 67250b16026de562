//! The signature of a call, by which a receiver knows that it comes from us and was
//! made just now.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The version stands in front, so that another way of signing can come beside it.
const VERSION: &str = "v1";

/// `v1=` and the HMAC-SHA256 of time, a dot and the body, in hex. The time is part of
/// it, so that an old call cannot be sent again as a new one.
pub(crate) fn signature(secret: &str, unix_seconds: i64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(unix_seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("{VERSION}={}", hex::encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_other_programs_compute() {
        tracker_testkit::spec!("notifications#messages-are-signed/a-receiver-checks");
        // printf '1767323045.{"a":1}' | openssl dgst -sha256 -hmac s3cret
        assert_eq!(
            signature("s3cret", 1_767_323_045, br#"{"a":1}"#),
            "v1=19deeee1dbf3e68132db6a4db41cfe324ecf01ea3d30e68ce4b483b0d0980d5c"
        );
    }
}
