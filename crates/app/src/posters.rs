//! Posters of candidates, through our own cache.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::Work;
use tracker_domain::ports::{Image, Images};
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

/// What stands in the place of a poster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PosterView {
    /// The title of the candidate, for a card where there is no picture.
    pub title: String,
    /// The year of its first release.
    pub year: Option<i32>,
    /// The picture; nothing where it has none, or it cannot be had now.
    pub picture: Option<Poster>,
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

    /// The poster of a candidate. Nothing where there is no such candidate.
    ///
    /// # Errors
    /// A fault of the database.
    pub async fn poster(&self, id: CandidateId) -> Result<Option<PosterView>, AppError> {
        let Some(candidate) = self.db.read(move |tx| tx.candidate(id)).await? else {
            return Ok(None);
        };
        let picture = match candidate.work {
            Some(Work { id, poster: Some(place), .. }) => {
                self.images.poster(id.provider, &place).await.map(picture)
            }
            _ => None,
        };
        Ok(Some(PosterView { title: candidate.title, year: candidate.year, picture }))
    }
}

fn picture(image: Image) -> Poster {
    Poster {
        etag: format!("\"{}\"", hex::encode(Sha256::digest(&image.bytes))),
        bytes: image.bytes,
        media_type: image.media_type,
    }
}
