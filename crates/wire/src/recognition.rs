//! Recognitions, their candidates, and what people say about them.

use serde::{Deserialize, Serialize};
use tracker_app::{
    CandidateView, CauseView, FileView, HintView, OverrideView, ParseView, RecognitionView,
    RememberedView,
};
use tracker_domain::ask::AskScope;
use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{Evidence, Role, ScorePart};
use utoipa::ToSchema;

use crate::fields::FieldsDto;
use crate::words;

/// What a download is taken for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecognitionDto {
    /// Its id; null while there is no recognition.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub id: Option<String>,
    /// The download.
    #[schema(value_type = words::Ulid)]
    pub download_id: String,
    /// Where it is; `pending` until the file list was read.
    #[schema(value_type = words::RecognitionWord)]
    pub state: String,
    /// How sure it is.
    #[schema(value_type = words::VerdictWord)]
    pub verdict: String,
    /// From 0 to 1; for display only, the verdict decides.
    #[schema(required)]
    pub confidence: Option<f64>,
    /// What holds: the names, what people set, and the work that was chosen.
    pub fields: FieldsDto,
    /// Every file of the torrent, by its index; empty until the list is known.
    #[serde(default)]
    #[schema(required)]
    pub files: Vec<FileDto>,
    /// Why.
    #[serde(default)]
    #[schema(required)]
    pub evidence: Vec<EvidenceDto>,
    /// What keeps it from being sure, in words for a person.
    #[serde(default)]
    #[schema(required)]
    pub doubts: Vec<String>,
    /// The sources that have to answer first (`waiting`).
    #[serde(default)]
    #[schema(required)]
    pub waiting: Vec<CauseDto>,
    /// When they are asked again.
    #[schema(required, value_type = Option<words::Moment>)]
    pub next_look_at: Option<String>,
    /// The candidate that is taken for the work; null when the names alone count.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub candidate_id: Option<String>,
    /// The person who accepted it; null when it was accepted by itself.
    #[schema(required)]
    pub chosen_by: Option<String>,
    /// Whether it was made from the name of the link alone.
    #[serde(default)]
    #[schema(required)]
    pub provisional: bool,
    /// The rule that a person wants to be asked before it is accepted: of the title,
    /// of the download, or none.
    #[serde(default)]
    #[schema(required, value_type = words::AsksWord)]
    pub asks: String,
    /// When it was made.
    #[schema(required, value_type = Option<words::Moment>)]
    pub created_at: Option<String>,
    /// When it last changed.
    #[schema(required, value_type = Option<words::Moment>)]
    pub updated_at: Option<String>,
}

/// A file of the torrent, and what it is within the whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FileDto {
    /// Its index in the torrent, as the fields `file.<index>.…` name it.
    pub index: u32,
    /// Its path below the save path; null where the list has it no longer.
    #[schema(required)]
    pub path: Option<String>,
    /// Its size in bytes; null where the list has it no longer.
    #[schema(required)]
    pub size: Option<u64>,
    /// What it is for; `unknown` until it was recognised.
    #[schema(value_type = words::RoleWord)]
    pub role: String,
    /// What holds for this file alone.
    pub fields: FieldsDto,
}

/// Which words of which name led to a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceDto {
    /// The field.
    pub field: String,
    /// The value it got.
    pub value: String,
    /// Where it was found: `file`, `folder`, `torrent`, `dn`, `client`, `hint`,
    /// `person`, or the name of a source.
    pub from: String,
    /// The words.
    pub text: String,
    /// Where they begin and end in the name, in bytes; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<u32>>)]
    pub span: Option<(u32, u32)>,
    /// The rule that read them.
    pub rule: String,
}

/// Why a source has not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CauseDto {
    /// The name of the source.
    pub source: String,
    /// The cause in one word: `unreachable`, `limited`, `denied`, …
    pub cause: String,
    /// In words.
    pub detail: String,
}

/// A work that may be meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CandidateDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The work as a pin names it, such as `tmdb:movie/603`; null where a row of
    /// a former version names none that can be found again.
    #[schema(required)]
    pub work: Option<String>,
    /// The name of the source.
    pub provider: String,
    /// `movie` or `series`.
    #[schema(required)]
    pub kind: Option<String>,
    /// Its title.
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
    /// Its number at IMDb with the `tt`; null where the source does not say it.
    #[schema(required)]
    pub imdb: Option<String>,
    /// How well it fits: the sum of the parts.
    pub score: f64,
    /// Why.
    #[serde(default)]
    #[schema(required)]
    pub parts: Vec<ScorePartDto>,
    /// Why it cannot be the one; null where nothing speaks against it.
    #[schema(required)]
    pub excluded: Option<String>,
}

/// One reason why a work fits or does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScorePartDto {
    /// What was compared: `title`, `year`, `kind`, `episodes`, `popularity`.
    pub name: String,
    /// What it counts, from -1 to 1.
    pub points: f64,
    /// In words.
    pub detail: String,
}

/// What a person said in free text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HintDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The words.
    pub text: String,
    /// Who said them.
    pub author: String,
    /// When.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
}

/// A field that a person has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OverrideDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The field.
    pub field: String,
    /// What it is set to, in the form in which it is kept: always a string.
    pub value: String,
    /// Who said so last.
    pub author: String,
    /// When the field was set first.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it was set last.
    #[schema(value_type = words::Moment)]
    pub updated_at: String,
    /// When the author said so of another release of the same group and title, from
    /// where it is remembered; null where it was said of this download.
    #[serde(default)]
    #[schema(required, value_type = Option<words::Moment>)]
    pub remembered_at: Option<String>,
}

/// What is remembered for the releases of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RememberedDto {
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The release group, as its names write it.
    pub release_group: String,
    /// The title, as its names write it.
    pub title: String,
    /// The field.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so last.
    pub author: String,
    /// When it was remembered first.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// When it was said last.
    #[schema(value_type = words::Moment)]
    pub updated_at: String,
}

/// What a single name says: its fields, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParseDto {
    /// The fields that were found.
    #[serde(flatten)]
    pub fields: FieldsDto,
    /// Why.
    #[serde(default)]
    #[schema(required)]
    pub evidence: Vec<EvidenceDto>,
}

impl From<RecognitionView> for RecognitionDto {
    fn from(view: RecognitionView) -> Self {
        RecognitionDto {
            id: view.id.map(|id| id.to_string()),
            download_id: view.download_id.to_string(),
            state: view.state.as_str().to_owned(),
            verdict: view.verdict.as_str().to_owned(),
            confidence: view.confidence.filter(|number| number.is_finite()),
            fields: view.fields.into(),
            files: view.files.into_iter().map(Into::into).collect(),
            evidence: view.evidence.into_iter().map(Into::into).collect(),
            doubts: view.doubts.iter().map(ToString::to_string).collect(),
            waiting: view.waiting.into_iter().map(Into::into).collect(),
            next_look_at: view.next_look_at.map(|at| at.to_string()),
            candidate_id: view.candidate_id.map(|id| id.to_string()),
            chosen_by: view.chosen_by.map(|actor| actor.to_string()),
            provisional: view.provisional,
            asks: view.asks.map_or("none", AskScope::as_str).to_owned(),
            created_at: view.created_at.map(|at| at.to_string()),
            updated_at: view.updated_at.map(|at| at.to_string()),
        }
    }
}

impl From<FileView> for FileDto {
    fn from(view: FileView) -> Self {
        FileDto {
            index: view.index,
            path: view.path,
            size: view.size_bytes,
            role: role_word(view.role).to_owned(),
            fields: view.fields.into(),
        }
    }
}

/// The word of a role.
pub(crate) const fn role_word(role: Role) -> &'static str {
    role.as_str()
}

impl From<Evidence> for EvidenceDto {
    fn from(evidence: Evidence) -> Self {
        let Evidence { field, value, from, text, span, rule } = evidence;
        EvidenceDto { field, value, from, text, span, rule }
    }
}

impl From<CauseView> for CauseDto {
    fn from(view: CauseView) -> Self {
        CauseDto { source: view.source, cause: view.cause, detail: view.detail }
    }
}

/// The word of a kind of work.
pub(crate) const fn work_kind(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Movie => "movie",
        WorkKind::Series => "series",
    }
}

impl From<CandidateView> for CandidateDto {
    fn from(view: CandidateView) -> Self {
        let kind = view.kind.map(|kind| work_kind(kind).to_owned());
        CandidateDto {
            id: view.id.to_string(),
            work: view.work,
            provider: view.provider,
            kind,
            title: view.title,
            original_title: view.original_title,
            year: view.year,
            overview: view.overview,
            imdb: view.imdb,
            score: view.score,
            parts: view.parts.into_iter().map(Into::into).collect(),
            excluded: view.excluded.map(|why| why.to_string()),
        }
    }
}

impl From<ScorePart> for ScorePartDto {
    fn from(part: ScorePart) -> Self {
        ScorePartDto { name: part.name, points: part.points, detail: part.detail.to_string() }
    }
}

impl From<HintView> for HintDto {
    fn from(view: HintView) -> Self {
        HintDto {
            id: view.id.to_string(),
            text: view.text,
            author: view.author.to_string(),
            created_at: view.created_at.to_string(),
        }
    }
}

impl From<OverrideView> for OverrideDto {
    fn from(view: OverrideView) -> Self {
        OverrideDto {
            id: view.id.to_string(),
            field: view.field,
            value: view.value,
            author: view.author.to_string(),
            created_at: view.created_at.to_string(),
            updated_at: view.updated_at.to_string(),
            remembered_at: view.remembered_at.map(|at| at.to_string()),
        }
    }
}

impl From<RememberedView> for RememberedDto {
    fn from(view: RememberedView) -> Self {
        RememberedDto {
            id: view.id.to_string(),
            release_group: view.group,
            title: view.title,
            field: view.field,
            value: view.value,
            author: view.author.to_string(),
            created_at: view.created_at.to_string(),
            updated_at: view.updated_at.to_string(),
        }
    }
}

impl From<ParseView> for ParseDto {
    fn from(view: ParseView) -> Self {
        let evidence = view.evidence.into_iter().map(Into::into).collect();
        ParseDto { fields: view.fields.into(), evidence }
    }
}
