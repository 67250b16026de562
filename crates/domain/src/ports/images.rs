//! Pictures of works, as their sources keep them.

use async_trait::async_trait;

use crate::metadata::Provider;

/// One picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What they are, by their content and not by anybody's word.
    pub media_type: &'static str,
}

/// Gives pictures. No picture is worth an error: the page shows none then.
#[async_trait]
pub trait Images: Send + Sync {
    /// The poster that [`Work::poster`] names, in that source's own way. Nothing
    /// where there is none, or where it cannot be had now.
    ///
    /// [`Work::poster`]: crate::metadata::Work::poster
    async fn poster(&self, provider: Provider, place: &str) -> Option<Image>;
}

/// Gives none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoImages;

#[async_trait]
impl Images for NoImages {
    async fn poster(&self, _provider: Provider, _place: &str) -> Option<Image> {
        None
    }
}
