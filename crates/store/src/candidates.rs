//! Works of the metadata sources that a recognition may mean, in the order of
//! how well they fit.

use rusqlite::params;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::{Pin, Provider, Work, WorkKind};
use tracker_domain::recognised::ScorePart;
use tracker_domain::{RecognitionId, Remark, Timestamp};

use crate::row::{Columns, collect, text, to_json};
use crate::{ReadTx, StoreError, WriteTx};

/// A candidate to write down. The order of a list of them is their rank.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCandidate {
    /// The work.
    pub work: Work,
    /// How well it fits: the sum of the parts.
    pub score: f64,
    /// Why.
    pub parts: Vec<ScorePart>,
    /// Why it cannot be the one, where something speaks against it.
    pub excluded: Option<Remark>,
}

/// One row of `metadata_candidate`.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its id.
    pub id: CandidateId,
    /// The recognition that it is a candidate of.
    pub recognition_id: RecognitionId,
    /// The name of the source.
    pub source: String,
    /// Its number or word there.
    pub external_id: String,
    /// Its title.
    pub title: String,
    /// The year of its first release.
    pub year: Option<i32>,
    /// How well it fits.
    pub score: f64,
    /// Why.
    pub parts: Vec<ScorePart>,
    /// Its place in the order, from 0; `None` for a migrated row.
    pub rank: Option<u32>,
    /// Why it cannot be the one.
    pub excluded: Option<Remark>,
    /// The work as the source described it; `None` for a migrated row.
    pub work: Option<Work>,
    /// When it was found.
    pub created_at: Timestamp,
}

pub(crate) const CANDIDATES: &str = "
    SELECT * FROM metadata_candidate WHERE recognition_id = ?1
    ORDER BY rank IS NULL, rank, score DESC, id";

const INSERT: &str = "
    INSERT INTO metadata_candidate (id, recognition_id, source, external_id, kind, title, year,
                                    score, parts, rank, excluded, work, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

impl Candidate {
    /// How a person would name the work, and what the override `candidate` holds
    /// when this one is chosen: `tmdb:movie/603`. `None` where a migrated row
    /// names no work that is known.
    #[must_use]
    pub fn word(&self) -> Option<String> {
        if let Some(work) = &self.work {
            return Some(work.id.to_string());
        }
        let named: Pin = format!("{}:{}", self.source, self.external_id).parse().ok()?;
        Some(named.to_string())
    }

    /// Whether a pin or override means this work.
    #[must_use]
    pub fn is_named_by(&self, word: &str) -> bool {
        let Ok(pin) = word.parse::<Pin>() else { return false };
        match (&self.work, &pin) {
            (Some(work), Pin::Work(id)) => work.id == *id,
            (Some(work), Pin::Tmdb(number)) => {
                work.id.provider == Provider::Tmdb && work.id.number == *number
            }
            (Some(work), Pin::Imdb(id)) => work.imdb.as_ref() == Some(id),
            (None, pin) => self.word().is_some_and(|own| own == pin.to_string()),
        }
    }
}

impl ReadTx<'_> {
    /// The candidates of a recognition, the best first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn candidates(&self, recognition: RecognitionId) -> Result<Vec<Candidate>, StoreError> {
        let mut statement = self.conn().prepare_cached(CANDIDATES)?;
        collect("metadata_candidate", statement.query([text(recognition)])?, read_candidate)
    }

    /// One candidate.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn candidate(&self, id: CandidateId) -> Result<Option<Candidate>, StoreError> {
        let mut statement =
            self.conn().prepare_cached("SELECT * FROM metadata_candidate WHERE id = ?1")?;
        let rows = statement.query([text(id)])?;
        Ok(collect("metadata_candidate", rows, read_candidate)?.pop())
    }
}

impl WriteTx<'_> {
    /// Writes the candidates of a recognition, in the order of their rank. The
    /// entry of the recognition tells of them.
    pub(crate) fn add_candidates(
        &mut self,
        recognition: RecognitionId,
        candidates: &[NewCandidate],
    ) -> Result<Vec<CandidateId>, StoreError> {
        (0u32..)
            .zip(candidates)
            .map(|(rank, new)| self.add_candidate(recognition, rank, new))
            .collect()
    }

    fn add_candidate(
        &mut self,
        recognition: RecognitionId,
        rank: u32,
        new: &NewCandidate,
    ) -> Result<CandidateId, StoreError> {
        let id: CandidateId = self.new_id();
        // JSON has no word for a number that is none: it would not be read again.
        let work = Work { popularity: finite(new.work.popularity), ..new.work.clone() };
        let parts: Vec<ScorePart> = new
            .parts
            .iter()
            .map(|part| ScorePart { points: finite(part.points), ..part.clone() })
            .collect();
        self.conn().prepare_cached(INSERT)?.execute(params![
            text(id),
            text(recognition),
            work.id.provider.as_str(),
            work.id.number.to_string(),
            kind_word(work.id.kind),
            work.title,
            work.year,
            finite(new.score),
            to_json("metadata_candidate.parts", &parts)?,
            rank,
            new.excluded.as_ref().map(ToString::to_string),
            to_json("metadata_candidate.work", &work)?,
            self.now().to_string(),
        ])?;
        Ok(id)
    }
}

/// The words of the column `kind`.
pub(crate) const fn kind_word(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Movie => "movie",
        WorkKind::Series => "series",
    }
}

const fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

fn read_candidate(row: &Columns<'_, '_>) -> Result<Candidate, StoreError> {
    Ok(Candidate {
        id: row.parsed("id")?,
        recognition_id: row.parsed("recognition_id")?,
        source: row.plain("source")?,
        external_id: row.plain("external_id")?,
        title: row.plain("title")?,
        year: row.plain("year")?,
        score: row.plain("score")?,
        parts: row.json("parts")?,
        rank: row.plain("rank")?,
        excluded: row.plain::<Option<String>>("excluded")?.as_deref().map(Remark::read),
        work: row.json("work")?,
        created_at: row.parsed("created_at")?,
    })
}
