//! What the adapter is told about its store.

use tracker_domain::Secret;
use url::Url;

/// The region of a store that has none of its own; most of those that people run
/// themselves take this one.
pub(crate) const DEFAULT_REGION: &str = "us-east-1";

/// A bucket and the prefix below which our objects lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Place {
    bucket: String,
    /// Without a slash around it; empty for the bucket itself.
    prefix: String,
}

/// Everything the adapter needs to know.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Config {
    /// Where to.
    pub place: S3Place,
    /// The address of the server; `None` is Amazon's, by the region.
    pub endpoint: Option<Url>,
    /// The region that requests are signed for.
    pub region: Option<String>,
    /// The name of the key.
    pub access_key: Secret,
    /// The key.
    pub secret_key: Secret,
}

/// Why a configuration cannot be used. The text has no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum S3ConfigError {
    /// It names no bucket, or more than a bucket and a prefix.
    #[error("{0:?} is no place in an object store; write s3://bucket or s3://bucket/prefix")]
    Place(String),
    /// The bucket has a name that no store gives.
    #[error("{0:?} is no name of a bucket; it has 3 to 63 letters, digits, -, . or _")]
    Bucket(String),
    /// The prefix would not be the same everywhere.
    #[error("{0:?} is no prefix; use letters, digits, -, _ and ., and a / between parts")]
    Prefix(String),
    /// The address of the server is none.
    #[error("the endpoint is no http or https address of a server, without path and query")]
    Endpoint,
    /// The client cannot be set up on this machine.
    #[error("cannot set up the client of the object store: {0}")]
    Setup(String),
}

impl S3Place {
    /// Reads `s3://bucket/prefix`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(url: &Url) -> Result<Self, S3ConfigError> {
        let bare = url.username().is_empty()
            && url.password().is_none()
            && url.port().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let bucket = url.host_str().filter(|bucket| !bucket.is_empty());
        // An address that is refused may hold a password, and is not shown then.
        let shown = || format!("s3://{}{}", bucket.unwrap_or_default(), url.path());
        let (true, "s3", Some(bucket)) = (bare, url.scheme(), bucket) else {
            return Err(S3ConfigError::Place(shown()));
        };
        let named = (3..=63).contains(&bucket.len()) && bucket.bytes().all(is_plain);
        if !named || bucket.starts_with('.') {
            return Err(S3ConfigError::Bucket(bucket.to_owned()));
        }
        let prefix = url.path().strip_prefix('/').unwrap_or_default();
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let plain = prefix.split('/').all(is_name);
        if !prefix.is_empty() && !plain {
            return Err(S3ConfigError::Prefix(prefix.to_owned()));
        }
        Ok(S3Place { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The bucket.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// The prefix, without a slash around it; empty for the bucket itself.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl std::fmt::Display for S3Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.prefix.as_str() {
            "" => write!(f, "s3://{}", self.bucket),
            prefix => write!(f, "s3://{}/{prefix}", self.bucket),
        }
    }
}

impl S3Config {
    /// The address of the server without a slash at its end.
    pub(crate) fn server(&self) -> Result<Option<String>, S3ConfigError> {
        let Some(url) = &self.endpoint else { return Ok(None) };
        let bare = url.username().is_empty()
            && url.password().is_none()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none();
        if !bare || !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(S3ConfigError::Endpoint);
        }
        Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
    }
}

impl std::fmt::Debug for S3Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An address may have a password in it until it was looked at.
        f.debug_struct("S3Config")
            .field("place", &self.place)
            .field("host", &self.endpoint.as_ref().and_then(Url::host_str))
            .field("region", &self.region)
            .field("access_key", &self.access_key)
            .field("secret_key", &self.secret_key)
            .finish()
    }
}

/// Whether a text is a part of a key that every store and every program spells alike.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('.') && text.bytes().all(is_plain)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

#[cfg(test)]
mod tests {
    use tracker_testkit::spec;

    use super::*;

    fn place(text: &str) -> Result<String, S3ConfigError> {
        S3Place::of(&text.parse().unwrap()).map(|place| place.to_string())
    }

    #[test]
    fn a_place_is_a_bucket_and_a_prefix() {
        spec!("backup#the-target-is-configured/an-object-store");
        assert_eq!(place("s3://bucket"), Ok("s3://bucket".to_owned()));
        assert_eq!(place("s3://Buck-et.1/"), Ok("s3://Buck-et.1".to_owned()));
        assert_eq!(place("s3://bucket/a/b.c/"), Ok("s3://bucket/a/b.c".to_owned()));
    }

    #[test]
    fn anything_else_is_refused_without_showing_a_password() {
        spec!("backup#the-target-is-configured/what-cannot-be-used");
        for text in ["s3://u:s3cret@bucket/x", "s3://bucket:9000/x", "s3://bucket/x?a=s3cret"] {
            let error = place(text).unwrap_err();
            assert!(matches!(error, S3ConfigError::Place(_)), "{text}: {error}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        for text in ["http://bucket/x", "s3:///x"] {
            assert!(matches!(place(text), Err(S3ConfigError::Place(_))), "{text}");
        }
        for text in ["s3://ab/x", "s3://b%20cket/x"] {
            assert!(matches!(place(text), Err(S3ConfigError::Bucket(_))), "{text}");
        }
        for text in ["s3://bucket/a//b", "s3://bucket/.a", "s3://bucket/a b", "s3://bucket/ü"] {
            assert!(matches!(place(text), Err(S3ConfigError::Prefix(_))), "{text}");
        }
    }
}
