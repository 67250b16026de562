//! Asking a source of titles.

use async_trait::async_trait;

use crate::metadata::{Episode, MetadataQuery, Pin, Provider, Work, WorkId};

/// Why a source gave no answer. Each cause asks for something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// It refuses the token. Trying again makes it no better.
    #[error("the source refuses the token: {0}")]
    Denied(String),
    /// It has no such work.
    #[error("the source has no such work")]
    NotFound,
    /// It has been asked often enough for now, by its own word or by our limit.
    #[error("the source has been asked often enough; again in {} s", .retry_after_ms.div_ceil(1000))]
    Limited {
        /// When it may be asked again, in milliseconds from now.
        retry_after_ms: u64,
    },
    /// No answer, or one of a broken server.
    #[error("the source cannot be reached: {0}")]
    Unreachable(String),
    /// It answered something that this version cannot read.
    #[error("the source's answer cannot be read: {0}")]
    Unreadable(String),
}

/// A source of titles. Every call answers within ten seconds, and at once with
/// [`MetadataError::Limited`] or [`MetadataError::Unreachable`] where asking
/// would be pointless now: it never waits for a limit to pass.
#[async_trait]
pub trait MetadataSource: Send + Sync {
    /// Which source.
    fn provider(&self) -> Provider;

    /// Works that may be meant, in the order of the source; empty is "none".
    /// A source that cannot look for a year leaves it out.
    ///
    /// # Errors
    /// The cause.
    async fn search(&self, query: &MetadataQuery) -> Result<Vec<Work>, MetadataError>;

    /// One work, with all its names and its seasons.
    ///
    /// # Errors
    /// The cause; [`MetadataError::NotFound`] for one of another source.
    async fn work(&self, id: WorkId, language: &str) -> Result<Work, MetadataError>;

    /// What a person's pin means here: none, one, or a film and a series.
    ///
    /// # Errors
    /// The cause. What it does not know is an empty list.
    async fn resolve(&self, pin: &Pin, language: &str) -> Result<Vec<Work>, MetadataError>;

    /// The episodes of a season, ascending.
    ///
    /// # Errors
    /// The cause; [`MetadataError::NotFound`] where there is no such season.
    async fn episodes(
        &self,
        id: WorkId,
        season: u32,
        language: &str,
    ) -> Result<Vec<Episode>, MetadataError>;
}
