//! What torrents were found to be. At most one recognition of a download lives:
//! a newer one supersedes it. What a person decided holds against the workers.

use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracker_domain::entity::CandidateId;
use tracker_domain::event::EventType;
use tracker_domain::recognised::{
    Evidence, Fields, FileRole, Recognised, RecognitionState, TitleKind,
};
use tracker_domain::{Actor, DownloadId, EntityKind, RecognitionId, Remark, Timestamp};

use crate::candidates::NewCandidate;
use crate::journal::NewEvent;
use crate::row::{Columns, collect, maybe_time, text, to_json};
use crate::standing::Standing;
use crate::{ReadTx, StoreError, WriteTx};

/// One row of `recognition`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Recognition {
    pub id: RecognitionId,
    pub download_id: DownloadId,
    pub state: RecognitionState,
    pub verdict: Option<String>,
    pub confidence: Option<f64>,
    pub fields: Fields,
    pub files: Vec<FileRole>,
    pub evidence: Vec<Evidence>,
    /// What keeps it from being sure.
    pub detail: Option<String>,
    /// The candidate that is taken for the work, of this recognition's own.
    pub candidate: Option<CandidateId>,
    /// The person who accepted it; `None` when it was accepted by itself.
    pub chosen_by: Option<Actor>,
    /// When one that waits is tried again.
    pub next_look_at: Option<Timestamp>,
    /// Why it waits.
    pub causes: Vec<WaitCause>,
    /// Whether it was made without the file list.
    pub provisional: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Why a recognition waits for a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitCause {
    /// The name of the source.
    pub source: String,
    /// The cause in one word: `limited`, `unreachable`, …
    pub cause: String,
    /// In words for a person.
    pub detail: String,
}

/// A recognition to write down.
#[derive(Clone, Copy, Debug)]
pub struct NewRecognition<'a> {
    /// What was found.
    pub found: &'a Recognised,
    /// Its state from the beginning.
    pub state: RecognitionState,
    /// The works that may be meant, the best first.
    pub candidates: &'a [NewCandidate],
    /// Which of them is taken for the work, by its place in the list.
    pub candidate: Option<usize>,
    /// Why it waits.
    pub causes: &'a [WaitCause],
    /// When one that waits is tried again. A time further away than a day is
    /// taken for one of a wrong clock.
    pub next_look_at: Option<Timestamp>,
    /// Whether the file list was not known.
    pub provisional: bool,
    /// Whether it says the same as the provisional one that lives, where a person
    /// accepted what the names say: it is accepted as theirs then.
    pub carries_over: bool,
}

/// What became of a recognition that was to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is there.
    Written(RecognitionId),
    /// A person has decided on this one meanwhile; it holds, and nothing was
    /// written.
    Kept(RecognitionId),
    /// It is there as a proposal: it would have been accepted by itself, but a
    /// person has rejected a match and said nothing since, or asked to be asked.
    HeldBack {
        /// The recognition that lives.
        id: RecognitionId,
        /// Why.
        why: Remark,
    },
}

impl Recorded {
    /// The recognition that lives, written or kept.
    #[must_use]
    pub const fn id(&self) -> RecognitionId {
        match self {
            Recorded::Written(id) | Recorded::Kept(id) | Recorded::HeldBack { id, .. } => *id,
        }
    }
}

impl<'a> NewRecognition<'a> {
    /// One that asked no source: the names alone.
    #[must_use]
    pub const fn of_names(found: &'a Recognised, state: RecognitionState) -> Self {
        NewRecognition {
            found,
            state,
            candidates: &[],
            candidate: None,
            causes: &[],
            next_look_at: None,
            provisional: false,
            carries_over: false,
        }
    }
}

pub(crate) const LIVING: &str = "
    SELECT * FROM recognition WHERE download_id = ?1 AND state <> 'superseded'
    ORDER BY id DESC LIMIT 1";

/// The one that was made last, whatever became of it.
pub(crate) const NEWEST: &str = "
    SELECT * FROM recognition WHERE id = (
        SELECT max(l.id) FROM recognition l WHERE l.download_id = ?1)";

const INSERT: &str = "
    INSERT INTO recognition (id, download_id, kind, title, year, season, state, confidence,
                             verdict, fields, files, evidence, detail, causes, next_look_at,
                             provisional, chosen_by, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?18)";

pub(crate) const SUPERSEDE: &str = "
    UPDATE recognition SET state = 'superseded', updated_at = ?2
    WHERE download_id = ?1 AND state <> 'superseded' AND id IS NOT ?3";

const ASK_AGAIN: &str = "UPDATE download SET rerun_at = ?2 WHERE id = ?1 AND rerun_at IS NULL";

const ASK_NO_MORE: &str =
    "UPDATE download SET rerun_at = NULL WHERE id = ?1 AND rerun_at IS NOT NULL";

impl ReadTx<'_> {
    /// The recognition of a download that lives: the newest that was not
    /// superseded.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn recognition_of(&self, id: DownloadId) -> Result<Option<Recognition>, StoreError> {
        let mut statement = self.conn().prepare_cached(LIVING)?;
        let rows = statement.query([text(id)])?;
        Ok(collect("recognition", rows, read_recognition)?.pop())
    }

    /// The recognition of a download that lives, else the one that was made last: what
    /// the names say is known while another one is awaited.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn last_recognition_of(&self, id: DownloadId) -> Result<Option<Recognition>, StoreError> {
        if let Some(living) = self.recognition_of(id)? {
            return Ok(Some(living));
        }
        let mut statement = self.conn().prepare_cached(NEWEST)?;
        let rows = statement.query([text(id)])?;
        Ok(collect("recognition", rows, read_recognition)?.pop())
    }
}

impl WriteTx<'_> {
    /// Writes a recognition that asked no source; an older one is superseded.
    /// Tells which one lives then, as [`WriteTx::record_recognition`].
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_recognition(
        &mut self,
        download: DownloadId,
        found: &Recognised,
        state: RecognitionState,
    ) -> Result<RecognitionId, StoreError> {
        let new = NewRecognition::of_names(found, state);
        Ok(self.record_recognition(download, &new)?.id())
    }

    /// Writes a recognition with its candidates; an older one is superseded.
    ///
    /// Whoever asked the sources took his time, and a person may have decided
    /// meanwhile. That decision is kept, unless it was made before the file list
    /// was known and this one was made with it: what a person chose then stands
    /// in the override `candidate` and leads this one too, and names that a person
    /// accepted are accepted as theirs where it carries them over. Whether hints
    /// and overrides are still those that it was made with is for the caller to
    /// compare, in the same transaction.
    ///
    /// After a person has rejected a match nothing is accepted by itself until a
    /// person says something newer, and nothing that a person asked to be asked
    /// about; it is a proposal then.
    ///
    /// # Errors
    /// A fault of the database, or a chosen place that is not in the list.
    pub fn record_recognition(
        &mut self,
        download: DownloadId,
        new: &NewRecognition<'_>,
    ) -> Result<Recorded, StoreError> {
        let former = self.recognition_of(download)?;
        if let Some(former) = &former {
            let outgrown = former.provisional && !new.provisional;
            if !outgrown && self.is_out_of_reach(former) {
                return Ok(Recorded::Kept(former.id));
            }
        }
        match self.standing(download, former.as_ref(), new)? {
            Standing::AsFound => self.replace(download, former, new, None).map(Recorded::Written),
            Standing::AcceptedBy(person) => {
                self.replace(download, former, new, Some(person)).map(Recorded::Written)
            }
            Standing::HeldBack(why) => {
                let mut found = new.found.clone();
                found.doubts.push(why.clone());
                let state = RecognitionState::Proposed;
                let held = NewRecognition { found: &found, state, candidate: None, ..*new };
                let id = self.replace(download, former, &held, None)?;
                Ok(Recorded::HeldBack { id, why })
            }
        }
    }

    fn replace(
        &mut self,
        download: DownloadId,
        former: Option<Recognition>,
        new: &NewRecognition<'_>,
        chosen_by: Option<Actor>,
    ) -> Result<RecognitionId, StoreError> {
        self.supersede_living(download, None)?;
        self.conn().prepare_cached(ASK_NO_MORE)?.execute([text(download)])?;
        let by = chosen_by.map(|person| person.to_string());
        let id = self.insert_recognition(download, new, by.as_deref())?;
        let candidates = self.add_candidates(id, new.candidates)?;
        let chosen = match new.candidate {
            Some(place) => Some(*candidates.get(place).ok_or_else(|| no_such_place(place))?),
            None => None,
        };
        if chosen.is_some() {
            self.set_candidate(id, chosen)?;
        }
        self.tell_of(download, id, new, former.map(|former| former.id), chosen)?;
        if new.state == RecognitionState::Accepted {
            let accepted = about(EventType::RecognitionAccepted, "recognition accepted", id);
            self.append_event(
                accepted
                    .in_download(download)
                    .with(json!({ "candidate_id": chosen.map(text), "chosen_by": by })),
            )?;
            self.clear_match_marks(download)?;
        }
        Ok(id)
    }

    fn insert_recognition(
        &mut self,
        download: DownloadId,
        new: &NewRecognition<'_>,
        chosen_by: Option<&str>,
    ) -> Result<RecognitionId, StoreError> {
        let id: RecognitionId = self.new_id();
        let found = new.found;
        let doubts = (!found.doubts.is_empty()).then(|| Remark::join(&found.doubts));
        let causes = (!new.causes.is_empty())
            .then(|| to_json("recognition.causes", &new.causes))
            .transpose()?;
        self.conn().prepare_cached(INSERT)?.execute(params![
            text(id),
            text(download),
            found.fields.kind.map(TitleKind::as_str),
            found.fields.title,
            found.fields.year,
            found.fields.seasons.first(),
            new.state.as_str(),
            found.confidence,
            found.verdict.as_str(),
            to_json("recognition.fields", &found.fields)?,
            to_json("recognition.files", &found.files)?,
            to_json("recognition.evidence", &found.evidence)?,
            doubts,
            causes,
            maybe_time(new.next_look_at),
            new.provisional,
            chosen_by,
            self.now().to_string(),
        ])?;
        Ok(id)
    }

    fn set_candidate(
        &self,
        id: RecognitionId,
        candidate: Option<CandidateId>,
    ) -> Result<(), StoreError> {
        self.conn()
            .prepare_cached("UPDATE recognition SET candidate_id = ?2 WHERE id = ?1")?
            .execute(params![text(id), candidate.map(text)])?;
        Ok(())
    }

    fn tell_of(
        &mut self,
        download: DownloadId,
        id: RecognitionId,
        new: &NewRecognition<'_>,
        former: Option<RecognitionId>,
        chosen: Option<CandidateId>,
    ) -> Result<(), StoreError> {
        let created = about(EventType::RecognitionCreated, "recognised", id);
        self.append_event(created.in_download(download).with(json!({
            "verdict": new.found.verdict.as_str(),
            "state": new.state.as_str(),
            "title": new.found.fields.title,
            "year": new.found.fields.year,
            "doubts": new.found.doubts,
            "candidates": new.candidates.len(),
            "candidate_id": chosen.map(text),
            "causes": new.causes,
            "provisional": new.provisional,
            "supersedes": former.map(text),
        })))?;
        Ok(())
    }

    /// Asks for another recognition: the living one is superseded, and the
    /// download is found by [`ReadTx::downloads_to_recognise`] even when it is
    /// done. A worker does not get past the decision of a person that way:
    /// nothing changes then.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn supersede_recognitions(&mut self, download: DownloadId) -> Result<(), StoreError> {
        let living = self.recognition_of(download)?;
        if living.as_ref().is_some_and(|living| self.is_out_of_reach(living)) {
            return Ok(());
        }
        let now = self.now().to_string();
        let asked = self.conn().prepare_cached(ASK_AGAIN)?.execute(params![text(download), now])?;
        let superseded = self.supersede_living(download, None)?;
        if asked + superseded == 0 {
            return Ok(());
        }
        self.touch(download)?;
        let event = NewEvent::new(EventType::RecognitionRerun, "another recognition asked for");
        let event = match living {
            Some(living) => event.about(EntityKind::Recognition, living.id),
            None => event.about(EntityKind::Download, download),
        };
        self.append_event(event.in_download(download))?;
        Ok(())
    }

    /// Supersedes all that live but one.
    pub(crate) fn supersede_living(
        &self,
        download: DownloadId,
        but: Option<RecognitionId>,
    ) -> Result<usize, StoreError> {
        let now = self.now().to_string();
        let superseded = self.conn().prepare_cached(SUPERSEDE)?.execute(params![
            text(download),
            now,
            but.map(text)
        ])?;
        Ok(superseded)
    }
}

fn about(kind: EventType, message: &str, id: RecognitionId) -> NewEvent {
    NewEvent::new(kind, message).about(EntityKind::Recognition, id)
}

fn no_such_place(place: usize) -> StoreError {
    StoreError::Corrupt {
        table: "recognition",
        column: "candidate_id",
        found: place.to_string(),
        detail: "the list of candidates has no such place".to_owned(),
    }
}

fn read_recognition(row: &Columns<'_, '_>) -> Result<Recognition, StoreError> {
    Ok(Recognition {
        id: row.parsed("id")?,
        download_id: row.parsed("download_id")?,
        state: row.parsed("state")?,
        verdict: row.plain("verdict")?,
        confidence: row.plain("confidence")?,
        fields: row.json("fields")?,
        files: row.json("files")?,
        evidence: row.json("evidence")?,
        detail: row.plain("detail")?,
        candidate: row.maybe("candidate_id")?,
        chosen_by: row.maybe("chosen_by")?,
        next_look_at: row.maybe("next_look_at")?,
        causes: row.json("causes")?,
        provisional: row.plain::<Option<bool>>("provisional")?.unwrap_or(false),
        created_at: row.parsed("created_at")?,
        updated_at: row.parsed("updated_at")?,
    })
}
