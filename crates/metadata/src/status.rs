//! How a source does, for the page of health.

use tracker_domain::Timestamp;
use tracker_domain::metadata::Provider;

/// How a source does, as far as the calls so far have shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataStatus {
    /// Which source.
    pub provider: Provider,
    /// How it does.
    pub state: SourceState,
}

/// How a source does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// The last call was answered.
    Ok,
    /// It refused the token, and has accepted it in no call since.
    Denied,
    /// It said that it has been asked often enough.
    Limited {
        /// When it is asked again.
        until: Timestamp,
    },
    /// The last call was not answered, or by a broken server.
    Unreachable {
        /// When the first of the calls failed that have failed in a row.
        since: Timestamp,
    },
    /// There was no call since the start.
    NeverAsked,
}
