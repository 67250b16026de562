//! What a search finds.

use serde::{Deserialize, Serialize};
use tracker_app::{FoundWorkView, SearchView};
use utoipa::ToSchema;

use crate::journal::EntityRefDto;
use crate::recognition::work_kind;
use crate::words;
use crate::{CauseDto, DownloadDto};

/// Everything that a text may mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SearchDto {
    /// What has the id that was asked for; null where it was none.
    #[schema(required)]
    pub entity: Option<EntityRefDto>,
    /// Downloads, newest first.
    pub downloads: Vec<DownloadDto>,
    /// Works that the sources of metadata know, in the order of each source.
    pub works: Vec<FoundWorkDto>,
    /// The sources that gave no answer.
    pub causes: Vec<CauseDto>,
}

/// A work that a source knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FoundWorkDto {
    /// The work as a pin names it, such as `tmdb:movie/603`.
    pub work: String,
    /// The name of the source.
    pub provider: String,
    /// `movie` or `series`.
    pub kind: String,
    /// Its title in the first language of the configuration.
    pub title: String,
    /// Its title in its own language.
    #[schema(required)]
    pub original_title: Option<String>,
    /// The year of the first release or broadcast.
    #[schema(required)]
    pub year: Option<i32>,
    /// What it is about.
    #[schema(required)]
    pub overview: Option<String>,
    /// Whether links of it stand in a library.
    pub in_library: bool,
    /// The downloads that are taken for it, newest first.
    #[schema(value_type = Vec<words::Ulid>)]
    pub downloads: Vec<String>,
}

impl From<SearchView> for SearchDto {
    fn from(view: SearchView) -> Self {
        SearchDto {
            entity: view.entity.map(Into::into),
            downloads: view.downloads.into_iter().map(Into::into).collect(),
            works: view.works.into_iter().map(Into::into).collect(),
            causes: view.causes.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<FoundWorkView> for FoundWorkDto {
    fn from(view: FoundWorkView) -> Self {
        FoundWorkDto {
            work: view.work,
            provider: view.provider.as_str().to_owned(),
            kind: work_kind(view.kind).to_owned(),
            title: view.title,
            original_title: view.original_title,
            year: view.year,
            overview: view.overview,
            in_library: view.in_library,
            downloads: view.downloads.iter().map(ToString::to_string).collect(),
        }
    }
}
