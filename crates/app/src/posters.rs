//! Posters of candidates, through our own cache.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tracker_domain::entity::CandidateId;
use tracker_domain::ports::Images;
use tracker_store::Db;

use crate::error::AppError;

/// A poster as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poster {
    /// The picture.
    pub bytes: Vec<u8>,
    /// `image/jpeg`, `image/png` or `image/webp`.
    pub media_type: &'static str,
    /// The value of the header `ETag`, with its quotes.
    pub etag: String,
}

/// The service for posters.
#[derive(Clone)]
pub struct Posters {
    db: Db,
    images: Arc<dyn Images>,
}

impl Posters {
    pub(crate) fn new(db: Db, images: Arc<dyn Images>) -> Self {
        Posters { db, images }
    }

    /// The poster of a candidate. Nothing where there is no such candidate, it has
    /// no poster, or the poster cannot be had now.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn poster(&self, id: CandidateId) -> Result<Option<Poster>, AppError> {
        let candidate = self.db.read(move |tx| tx.candidate(id)).await?;
        let Some(work) = candidate.and_then(|candidate| candidate.work) else { return Ok(None) };
        let Some(place) = work.poster else { return Ok(None) };
        let image = self.images.poster(work.id.provider, &place).await;
        Ok(image.map(|image| Poster {
            etag: format!("\"{}\"", hex::encode(Sha256::digest(&image.bytes))),
            bytes: image.bytes,
            media_type: image.media_type,
        }))
    }
}
