//! A store's own words for why it did not do something: the status of its answer
//! and the code in it. What else such an answer says is for its operator, and may
//! repeat what was signed.

use std::fmt;

use quick_xml::Reader;
use quick_xml::events::Event;

/// Longer than any code.
const LONGEST_CODE: usize = 64;

/// An answer that is a no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: u16,
    code: Option<String>,
}

/// What a no means to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The keys do not open it.
    Denied,
    /// There is no room.
    Full,
    /// The bucket is not there.
    NoBucket,
    /// The object, or the upload, is not there.
    Nothing,
    /// An object is there already, or is being made just now.
    Taken,
    /// It did not begin: it has too much to do.
    Busy,
    /// It may have done it all the same.
    Broken,
    /// Whatever else.
    Other,
}

impl Refusal {
    /// What an answer refuses; `None` for one that does not.
    pub(crate) fn of(status: u16, body: &[u8]) -> Option<Refusal> {
        let code = code(body);
        // A long work is begun with 200, so that the connection stays, and may still fail.
        let refused = !(200..300).contains(&status) || code.is_some();
        refused.then_some(Refusal { status, code })
    }

    pub(crate) fn meaning(&self) -> Meaning {
        match self.code.as_deref() {
            Some("NoSuchBucket") => return Meaning::NoBucket,
            Some(
                "QuotaExceeded"
                | "InsufficientStorage"
                | "XMinioStorageFull"
                | "XMinioAdminBucketQuotaExceeded",
            ) => return Meaning::Full,
            Some("ExpiredToken" | "InvalidToken" | "AuthorizationHeaderMalformed") => {
                return Meaning::Denied;
            }
            Some("SlowDown") => return Meaning::Busy,
            Some("InternalError") => return Meaning::Broken,
            _ => {}
        }
        match self.status {
            401 | 403 => Meaning::Denied,
            404 => Meaning::Nothing,
            409 | 412 => Meaning::Taken,
            429 | 503 => Meaning::Busy,
            507 => Meaning::Full,
            408 | 500 | 502 | 504 => Meaning::Broken,
            _ => Meaning::Other,
        }
    }

    /// What a person may do about it.
    pub(crate) fn advice(&self) -> &'static str {
        match (self.status, self.code.as_deref()) {
            (_, Some("RequestTimeTooSkewed")) => "; the clock of this machine is wrong",
            (_, Some("AuthorizationHeaderMalformed")) | (300..=399, _) => {
                "; check region and endpoint"
            }
            (401 | 403, _) => "; check access_key, secret_key and what they may do",
            (501, _) => "; it has to know If-None-Match, by which nothing is overwritten",
            _ => "",
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HTTP {}", self.status)?;
        match &self.code {
            Some(code) => write!(f, " {code}"),
            None => Ok(()),
        }
    }
}

/// The name of the element that a document is.
pub(crate) fn root(body: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader::from_reader(body);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => return Some(tag.local_name().as_ref().to_vec()),
            Event::Empty(_) | Event::Eof => return None,
            _ => {}
        }
    }
}

/// The code in an error document.
fn code(body: &[u8]) -> Option<String> {
    let mut reader = Reader::from_reader(body);
    let mut depth = 0;
    let mut wanted = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => {
                depth += 1;
                if depth == 1 && tag.local_name().as_ref() != b"Error" {
                    return None;
                }
                wanted = depth == 2 && tag.local_name().as_ref() == b"Code";
            }
            Event::Text(text) if wanted => {
                let text = text.decode().ok()?;
                let plain = text.len() <= LONGEST_CODE
                    && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
                return plain.then(|| text.into_owned());
            }
            Event::End(_) => depth -= 1,
            Event::Eof => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    fn of(status: u16, code: &str) -> Refusal {
        let body = format!(
            "<?xml version=\"1.0\"?>\n<Error><Message>secret</Message><Code>{code}</Code></Error>"
        );
        Refusal::of(status, body.as_bytes()).unwrap()
    }

    #[test]
    fn answers_are_told_apart() {
        spec!("backup#a-target-holds-whole-objects/what-a-store-answers");
        for (status, code, meaning) in [
            (403, "InvalidAccessKeyId", Meaning::Denied),
            (401, "", Meaning::Denied),
            (400, "ExpiredToken", Meaning::Denied),
            (400, "AuthorizationHeaderMalformed", Meaning::Denied),
            (403, "QuotaExceeded", Meaning::Full),
            (507, "XMinioStorageFull", Meaning::Full),
            (507, "", Meaning::Full),
            (404, "NoSuchBucket", Meaning::NoBucket),
            (404, "NoSuchKey", Meaning::Nothing),
            (404, "NoSuchUpload", Meaning::Nothing),
            (412, "PreconditionFailed", Meaning::Taken),
            (409, "ConditionalRequestConflict", Meaning::Taken),
            (503, "SlowDown", Meaning::Busy),
            (500, "InternalError", Meaning::Broken),
            (200, "InternalError", Meaning::Broken),
            (504, "", Meaning::Broken),
            (501, "NotImplemented", Meaning::Other),
            (301, "PermanentRedirect", Meaning::Other),
        ] {
            assert_eq!(of(status, code).meaning(), meaning, "{status} {code}");
        }
        assert_eq!(of(507, "XMinioStorageFull").to_string(), "HTTP 507 XMinioStorageFull");
        assert_eq!(of(403, "a code with secrets").to_string(), "HTTP 403");
    }

    #[test]
    fn a_good_answer_is_none() {
        assert_eq!(Refusal::of(200, b""), None);
        assert_eq!(Refusal::of(204, b""), None);
        let page = b"<ListBucketResult><Name>Error</Name><Code>x</Code></ListBucketResult>";
        assert_eq!(Refusal::of(200, page), None);
        assert_eq!(root(page).as_deref(), Some(&b"ListBucketResult"[..]));
        assert_eq!(root(b"<!DOCTYPE html>\n<html><body>").as_deref(), Some(&b"html"[..]));
        assert_eq!(root(b"welcome"), None);
        assert!(Refusal::of(502, b"<html><body>Bad Gateway").is_some());
    }

    proptest! {
        #[test]
        fn whatever_comes_is_read(status in 200..600u16, body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let refusal = Refusal::of(status, &body);
            prop_assert!(refusal.is_some() || (200..300).contains(&status));
            // Reading it ends, whatever it is.
            let _ = root(&body);
        }
    }
}
