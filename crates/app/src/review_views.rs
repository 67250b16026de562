//! What a transport may show of recognitions and of what people said.

use tracker_domain::ask::AskScope;
use tracker_domain::entity::{CandidateId, HintId, OverrideId, RememberedId};
use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{Evidence, Fields, RecognitionState, Role, ScorePart, Verdict};
use tracker_domain::{Actor, DownloadId, RecognitionId, Remark, Timestamp};

/// What a download is taken for: the names, with the words of people and the
/// work that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognitionView {
    /// Its id; `None` while there is no recognition.
    pub id: Option<RecognitionId>,
    /// The download.
    pub download_id: DownloadId,
    /// Where it is; `Pending` until the file list was read.
    pub state: RecognitionState,
    /// How sure it is.
    pub verdict: Verdict,
    /// From 0 to 1, for display only.
    pub confidence: Option<f64>,
    /// What holds for the torrent.
    pub fields: Fields,
    /// Every file of the torrent, by its index; empty until the list is known.
    pub files: Vec<FileView>,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// What keeps it from being sure.
    pub doubts: Vec<Remark>,
    /// The sources that have to answer first.
    pub waiting: Vec<CauseView>,
    /// When they are asked again.
    pub next_look_at: Option<Timestamp>,
    /// The candidate that is taken for the work.
    pub candidate_id: Option<CandidateId>,
    /// The person who accepted it; `None` when it was accepted by itself.
    pub chosen_by: Option<Actor>,
    /// Whether it was made from the name of the link alone.
    pub provisional: bool,
    /// The rule that a person wants to be asked first: the further reaching one.
    pub asks: Option<AskScope>,
    /// The work that a rule of its title is of, or would be: `tmdb:movie/603`.
    pub asks_of: Option<String>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
}

/// A file of the torrent, and what it is within the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct FileView {
    /// Its index in the torrent, as the fields `file.<index>.…` name it.
    pub index: u32,
    /// Its path below the save path; `None` where the list has it no longer.
    pub path: Option<String>,
    /// Its size in bytes; `None` where the list has it no longer.
    pub size_bytes: Option<u64>,
    /// What it is for; `Unknown` until it was recognised.
    pub role: Role,
    /// What holds for this file alone.
    pub fields: Fields,
    /// Whether it is left out for what it is, and is not where a person sets
    /// `file.<index>.skip` to `false`.
    pub can_be_included: bool,
}

/// Why a source has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseView {
    /// The name of the source.
    pub source: String,
    /// The cause in one word.
    pub cause: String,
    /// In words for a person.
    pub detail: String,
}

/// A work that may be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateView {
    /// Its id.
    pub id: CandidateId,
    /// The work as a pin names it, such as `tmdb:movie/603`; `None` where a row
    /// of a former version names none that can be found again.
    pub work: Option<String>,
    /// The name of the source.
    pub provider: String,
    /// A film or a series, where it is known.
    pub kind: Option<WorkKind>,
    /// Its title.
    pub title: String,
    /// Its title in its own language.
    pub original_title: Option<String>,
    /// The year of the first release.
    pub year: Option<i32>,
    /// What it is about.
    pub overview: Option<String>,
    /// Its number at IMDb with the `tt`, where the source knows it.
    pub imdb: Option<String>,
    /// How well it fits: the sum of the parts.
    pub score: f64,
    /// Why.
    pub parts: Vec<ScorePart>,
    /// Why it cannot be the one, where something speaks against it.
    pub excluded: Option<Remark>,
}

/// A hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintView {
    /// Its id.
    pub id: HintId,
    /// The words.
    pub text: String,
    /// Who said them.
    pub author: Actor,
    /// When.
    pub created_at: Timestamp,
}

/// A field that a person has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverrideView {
    /// Its id.
    pub id: OverrideId,
    /// The field.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so last.
    pub author: Actor,
    /// When the field was set first.
    pub created_at: Timestamp,
    /// When it was set last.
    pub updated_at: Timestamp,
    /// When the author said so of another release of the same group and title, from
    /// where it is remembered; `None` where it was said of this download.
    pub remembered_at: Option<Timestamp>,
}

/// What a download is a release of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseView {
    /// The group as it is written.
    pub group: String,
    /// The title as it is written.
    pub title: String,
}

/// A word that is remembered for the releases of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedView {
    /// Its id.
    pub id: RememberedId,
    /// The group as it is written.
    pub group: String,
    /// The title as it is written.
    pub title: String,
    /// The field.
    pub field: String,
    /// What it is set to.
    pub value: String,
    /// Who said so last.
    pub author: Actor,
    /// When it was remembered first.
    pub created_at: Timestamp,
    /// When it was said last.
    pub updated_at: Timestamp,
}

/// What a single name says.
#[derive(Clone, Debug, PartialEq)]
pub struct ParseView {
    /// Its fields.
    pub fields: Fields,
    /// Why.
    pub evidence: Vec<Evidence>,
}
