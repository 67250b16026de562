//! `[metrics]`: a listener of its own for the metrics.

use std::net::SocketAddr;

use super::reader::Section;
use super::values::listen;

/// The section `[metrics]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metrics {
    /// Where to listen; `None` is the main listener, with the token.
    pub listen: Option<SocketAddr>,
}

impl Metrics {
    pub(super) fn from_source(mut section: Section<'_, '_>) -> Self {
        Metrics { listen: section.optional("listen", ToString::to_string, listen) }
    }
}
