//! The fields of a recognition, in the words of the vocabulary.

use serde::{Deserialize, Serialize};
use tracker_domain::recognised::{EpisodeNumber, Fields};
use utoipa::ToSchema;

use crate::words;

/// What was found. A member that was not found is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct FieldsDto {
    /// movie, series, anime or other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::TitleKindWord>)]
    pub kind: Option<String>,
    /// The title as written: the first of its names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// The name in Cyrillic letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title_ru: Option<String>,
    /// The name in Latin letters, beside one in other letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title_orig: Option<String>,
    /// Every further name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_titles: Vec<String>,
    /// The year of release, or the first of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub year: Option<i32>,
    /// The last year of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub year_end: Option<i32>,
    /// Season numbers, ascending; 0 holds the specials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<u32>,
    /// Episode numbers within the season, ascending; a recap between two has a fraction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<f64>)]
    pub episodes: Vec<EpisodeNumber>,
    /// Episode numbers that count through all seasons, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<f64>)]
    pub absolute_episodes: Vec<EpisodeNumber>,
    /// How many episodes the season has, where the name says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub episode_count: Option<u32>,
    /// The day of a daily programme, as `2006-01-02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub date: Option<String>,
    /// The name of the episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub episode_title: Option<String>,
    /// Numbers of the parts of one film, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub part: Vec<u32>,
    /// The part of a season.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub season_part: Option<u32>,
    /// Which cuts: `extended`, `directors`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edition: Vec<String>,
    /// `2160p`, `1080p`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolution: Option<String>,
    /// Where the picture is from: `bluray`, `web-dl`, `hdtv`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source: Option<String>,
    /// The streams of a disc, not encoded anew.
    #[serde(skip_serializing_if = "is_false")]
    pub remux: bool,
    /// A corrected release of another group.
    #[serde(skip_serializing_if = "is_false")]
    pub proper: bool,
    /// A corrected release of the same group.
    #[serde(skip_serializing_if = "is_false")]
    pub repack: bool,
    /// The version of a release, where it is written (`v2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<u32>,
    /// `h264`, `h265`, `av1`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub video_codec: Option<String>,
    /// `aac`, `eac3`, `dts-hd`, …, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audio: Vec<String>,
    /// `hdr`, `hdr10+`, `dv`, `hlg`, `sdr`, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hdr: Vec<String>,
    /// Languages by their ISO 639-1 codes, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Who made the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub group: Option<String>,
    /// The last extension, lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub container: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl From<Fields> for FieldsDto {
    fn from(fields: Fields) -> Self {
        FieldsDto {
            kind: fields.kind.map(|kind| kind.as_str().to_owned()),
            title: fields.title,
            title_ru: fields.title_ru,
            title_orig: fields.title_orig,
            other_titles: fields.other_titles,
            year: fields.year,
            year_end: fields.year_end,
            seasons: fields.seasons,
            episodes: fields.episodes,
            absolute_episodes: fields.absolute_episodes,
            episode_count: fields.episode_count,
            date: fields.date.map(|date| date.to_string()),
            episode_title: fields.episode_title,
            part: fields.part,
            season_part: fields.season_part,
            edition: fields.edition,
            resolution: fields.resolution,
            source: fields.source,
            remux: fields.remux,
            proper: fields.proper,
            repack: fields.repack,
            version: fields.version,
            video_codec: fields.video_codec,
            audio: fields.audio,
            hdr: fields.hdr,
            languages: fields.languages,
            group: fields.group,
            container: fields.container,
        }
    }
}
