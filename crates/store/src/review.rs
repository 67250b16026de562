//! What a person decides on a recognition: it holds, or it is wrong.
//!
//! A choice of a person is also written as the override `candidate`, in the same
//! transaction. So a pin, an override and a choice are one and the same row, the
//! latest word wins, and the next recognition follows it.

use rusqlite::params;
use serde_json::json;
use tracker_domain::entity::CandidateId;
use tracker_domain::event::EventType;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadId, DownloadState, EntityKind, RecognitionId};

use crate::candidates::Candidate;
use crate::journal::NewEvent;
use crate::recognitions::Recognition;
use crate::row::text;
use crate::standing::is_person;
use crate::words::{CANDIDATE, TITLE};
use crate::{StoreError, WriteTx};

/// Why a decision on a recognition was refused. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcceptRefused {
    /// There is nothing to decide on yet, or no longer.
    #[error("there is no recognition to decide on; wait for the next one")]
    NoRecognition,
    /// Without a title there is no name for a link.
    #[error("nothing says what the title is; choose a candidate, name the work or set the title")]
    NoTitle,
    /// A newer recognition took the place of the one that the candidate is of.
    #[error("a newer recognition took the place of the one of this candidate; look again")]
    Superseded,
    /// The download has no such candidate.
    #[error("the download has no such candidate")]
    NoSuchCandidate,
    /// A migrated candidate whose work cannot be told.
    #[error("the candidate names no work that can be found again; name the work yourself")]
    UnknownWork,
}

const REJECTED: &str = "the match was rejected; choose a candidate, name the work or give a hint";

const DECIDE: &str = "
    UPDATE recognition SET state = ?2, candidate_id = ?3, chosen_by = ?4, next_look_at = NULL,
        causes = NULL, updated_at = ?5
    WHERE id = ?1";

impl WriteTx<'_> {
    /// Lets the recognition of a download hold, with a candidate as the work.
    ///
    /// Without one, it is the candidate that the recognition has chosen, else the
    /// best that nothing speaks against, else what the names say.
    ///
    /// What a person accepts is written as the override `candidate` too. When
    /// the names alone are accepted, an override `candidate` of before goes: it
    /// would bring another work back with the next recognition, against the
    /// latest word. The decision of a person holds against the workers; their
    /// call then changes nothing. The marks that are about the match go, so that
    /// linking goes on.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn accept_recognition(
        &mut self,
        download: DownloadId,
        candidate: Option<CandidateId>,
    ) -> Result<Result<Recognition, AcceptRefused>, StoreError> {
        let Some(living) = self.recognition_of(download)? else {
            return Ok(Err(AcceptRefused::NoRecognition));
        };
        let chosen = match candidate {
            Some(id) => match self.candidate_of(&living, id)? {
                Ok(candidate) => Some(candidate),
                Err(refused) => return Ok(Err(refused)),
            },
            None => self.proposed(&living)?,
        };
        self.accept(living, chosen)
    }

    /// Lets the recognition of a download hold as the names say it, whatever
    /// candidates there are.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn accept_as_read(
        &mut self,
        download: DownloadId,
    ) -> Result<Result<Recognition, AcceptRefused>, StoreError> {
        match self.recognition_of(download)? {
            Some(living) => self.accept(living, None),
            None => Ok(Err(AcceptRefused::NoRecognition)),
        }
    }

    /// A candidate that somebody names, where it is one of the living recognition.
    fn candidate_of(
        &self,
        living: &Recognition,
        id: CandidateId,
    ) -> Result<Result<Candidate, AcceptRefused>, StoreError> {
        let Some(candidate) = self.candidate(id)? else {
            return Ok(Err(AcceptRefused::NoSuchCandidate));
        };
        if candidate.recognition_id == living.id {
            return Ok(Ok(candidate));
        }
        let owner = self.entity(id.any())?.and_then(|entity| entity.download);
        if owner == Some(living.download_id) {
            Ok(Err(AcceptRefused::Superseded))
        } else {
            Ok(Err(AcceptRefused::NoSuchCandidate))
        }
    }

    fn accept(
        &mut self,
        living: Recognition,
        chosen: Option<Candidate>,
    ) -> Result<Result<Recognition, AcceptRefused>, StoreError> {
        let download = living.download_id;
        let work = chosen.as_ref().and_then(Candidate::word);
        if self.is_out_of_reach(&living) || self.is_held(download, work.as_deref())? {
            return Ok(Ok(living));
        }
        let word = match &chosen {
            Some(candidate) => match candidate.word() {
                Some(word) => Some(word),
                None => return Ok(Err(AcceptRefused::UnknownWork)),
            },
            None if has_title(&living) || self.override_of(download, TITLE)?.is_some() => None,
            None => return Ok(Err(AcceptRefused::NoTitle)),
        };
        let by = Some(self.actor().clone()).filter(is_person);
        if by.is_some() {
            self.keep_word(download, word.as_deref())?;
        }
        let candidate = chosen.map(|candidate| candidate.id);
        let stands = living.state == RecognitionState::Accepted
            && living.candidate == candidate
            && living.chosen_by == by;
        if !stands {
            let by = by.map(|actor| actor.to_string());
            self.decide(&living, RecognitionState::Accepted, candidate, by.as_deref())?;
            self.append_event(
                about(EventType::RecognitionAccepted, "recognition accepted", &living).with(
                    json!({ "candidate_id": candidate.map(text), "work": word, "chosen_by": by }),
                ),
            )?;
        }
        self.clear_match_marks(download)?;
        self.decided(download, living.id)
    }

    /// Whether a person has to decide, and who acts is none.
    fn is_held(&self, download: DownloadId, work: Option<&str>) -> Result<bool, StoreError> {
        let by_itself = !is_person(self.actor());
        Ok(by_itself && (self.rejection_stands(download)? || self.asks(download, work)?.is_some()))
    }

    /// Makes the override `candidate` what a person has just said.
    fn keep_word(&mut self, download: DownloadId, word: Option<&str>) -> Result<(), StoreError> {
        // What is only remembered becomes a word that was said of this download.
        let stands = self.override_of(download, CANDIDATE)?;
        let stands = stands.filter(|row| row.remembered_at.is_none()).map(|row| row.value);
        match word {
            Some(word) if stands.as_deref() == Some(word) => {}
            Some(word) => self.set_override(download, CANDIDATE, word)?,
            None => {
                self.remove_override(download, CANDIDATE)?;
                // Nor does a work that is remembered come back.
                self.decline(download, CANDIDATE)?;
            }
        }
        Ok(())
    }

    /// Says that a recognition is wrong: nothing is linked by it, and a person
    /// has to say what it is.
    ///
    /// An override `candidate` that names the rejected work goes: it would bring
    /// it back.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn reject_recognition(
        &mut self,
        download: DownloadId,
    ) -> Result<Result<Recognition, AcceptRefused>, StoreError> {
        let Some(living) = self.recognition_of(download)? else {
            return Ok(Err(AcceptRefused::NoRecognition));
        };
        if self.is_out_of_reach(&living) || living.state == RecognitionState::Rejected {
            return Ok(Ok(living));
        }
        self.drop_word_for(&living)?;
        self.decide(&living, RecognitionState::Rejected, living.candidate, None)?;
        self.append_event(
            about(EventType::RecognitionRejected, "recognition rejected", &living)
                .with(json!({ "candidate_id": living.candidate.map(text) })),
        )?;
        self.ask_for_review(download)?;
        self.decided(download, living.id)
    }

    fn drop_word_for(&mut self, living: &Recognition) -> Result<(), StoreError> {
        let Some(id) = living.candidate else { return Ok(()) };
        let Some(word) = self.override_of(living.download_id, CANDIDATE)? else { return Ok(()) };
        if self.candidate(id)?.is_some_and(|candidate| candidate.is_named_by(&word.value)) {
            self.take_back_override(living.download_id, CANDIDATE)?;
        }
        Ok(())
    }

    /// Marks it for a person, unless something else is to be looked at first:
    /// linking asks again when that is settled.
    fn ask_for_review(&mut self, download: DownloadId) -> Result<(), StoreError> {
        let Some(row) = self.download(download)? else { return Ok(()) };
        let open = row.state.is_active() || row.state == DownloadState::Done;
        // Where its links could not go no longer matters.
        let free = matches!(
            row.attention,
            None | Some(
                Attention::NeedsReview
                    | Attention::MetadataUnavailable
                    | Attention::Conflict
                    | Attention::LinkFailed
            )
        );
        if open && free {
            let _known = self.raise_attention(download, Attention::NeedsReview, REJECTED)?;
        }
        Ok(())
    }

    /// Writes a decision. Migrated rows may have several that live; the others
    /// are superseded.
    fn decide(
        &mut self,
        living: &Recognition,
        state: RecognitionState,
        candidate: Option<CandidateId>,
        by: Option<&str>,
    ) -> Result<(), StoreError> {
        self.conn().prepare_cached(DECIDE)?.execute(params![
            text(living.id),
            state.as_str(),
            candidate.map(text),
            by,
            self.now().to_string(),
        ])?;
        self.supersede_living(living.download_id, Some(living.id))?;
        self.touch(living.download_id)
    }

    fn decided(
        &self,
        download: DownloadId,
        id: RecognitionId,
    ) -> Result<Result<Recognition, AcceptRefused>, StoreError> {
        let now = self.recognition_of(download)?.filter(|row| row.id == id);
        Ok(now.ok_or(AcceptRefused::NoRecognition))
    }
}

fn about(kind: EventType, message: &str, recognition: &Recognition) -> NewEvent {
    NewEvent::new(kind, message)
        .about(EntityKind::Recognition, recognition.id)
        .in_download(recognition.download_id)
}

fn has_title(recognition: &Recognition) -> bool {
    recognition.fields.title.as_ref().is_some_and(|title| !title.trim().is_empty())
}
