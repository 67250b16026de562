//! What a person's decision means for what a worker is about to write: it holds,
//! it is carried over to the file list, or it keeps a match from being accepted
//! by itself.

use rusqlite::OptionalExtension;
use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Actor, Attention, DownloadId, Remark};

use crate::ask::doubt_of;
use crate::recognitions::{NewRecognition, Recognition};
use crate::row::text;
use crate::{ReadTx, StoreError, WriteTx};

/// The marks that are about a match: another match, or a decision on it, takes
/// them away. The next recognition or the next try to link sets them anew where
/// they still hold.
pub const MARKS_OF_A_MATCH: &[Attention] = &[
    Attention::NeedsReview,
    Attention::MetadataUnavailable,
    Attention::Archive,
    Attention::UnsafeContent,
    Attention::NotMedia,
    // Where the links go follows from the match.
    Attention::Conflict,
    Attention::LinkFailed,
];

/// The newest word of a person on what a download is. To ask for another look
/// is none, nor is the library. The signs before `type` keep SQLite from reading
/// the entries of every download.
pub(crate) const LAST_WORD: &str = "
    SELECT type FROM event
    WHERE download_id = ?1
      AND +type IN ('recognition.rejected', 'recognition.accepted', 'override.set', 'hint.added')
      AND actor NOT IN ('worker', 'reconciler', 'system')
      AND (+type <> 'override.set'
           OR CASE WHEN json_valid(data) THEN json_extract(data, '$.field') END IS NOT 'library')
    ORDER BY id DESC LIMIT 1";

/// What becomes of a recognition in the light of what people decided.
pub(crate) enum Standing {
    /// It is written as it was found.
    AsFound,
    /// It says what this person accepted before the file list was known.
    AcceptedBy(Actor),
    /// A person has rejected a match and said nothing since, or asked to be asked;
    /// with the reason.
    HeldBack(Remark),
}

impl Recognition {
    /// Whether a person accepted what the names say, before the file list was
    /// known.
    #[must_use]
    pub fn is_accepted_names(&self) -> bool {
        self.provisional
            && self.state == RecognitionState::Accepted
            && self.chosen_by.is_some()
            && self.candidate.is_none()
    }
}

impl ReadTx<'_> {
    /// Whether the last that a person said of what a download is was that a match
    /// is wrong. Nothing is accepted by itself then.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn rejection_stands(&self, id: DownloadId) -> Result<bool, StoreError> {
        let word: Option<String> = self
            .conn()
            .prepare_cached(LAST_WORD)?
            .query_row([text(id)], |row| row.get(0))
            .optional()?;
        Ok(word.as_deref() == Some("recognition.rejected"))
    }
}

impl WriteTx<'_> {
    pub(crate) fn standing(
        &self,
        download: DownloadId,
        former: Option<&Recognition>,
        new: &NewRecognition<'_>,
    ) -> Result<Standing, StoreError> {
        if new.state != RecognitionState::Accepted || is_person(self.actor()) {
            return Ok(Standing::AsFound);
        }
        let accepted = former.filter(|_| new.carries_over).and_then(accepted_names);
        if let Some(person) = accepted {
            return Ok(Standing::AcceptedBy(person.clone()));
        }
        if self.rejection_stands(download)? {
            return Ok(Standing::HeldBack(Remark::RejectedBefore));
        }
        let work = new.candidate.and_then(|place| new.candidates.get(place));
        let work = work.map(|candidate| candidate.work.id.to_string());
        let rule = self.asks(download, work.as_deref())?;
        Ok(match rule {
            Some(scope) if !self.was_asked(former, work.as_deref())? => {
                Standing::HeldBack(doubt_of(scope))
            }
            _ => Standing::AsFound,
        })
    }

    /// Whether a person accepted this very work before the file list was known: who
    /// was asked is not asked twice.
    fn was_asked(
        &self,
        former: Option<&Recognition>,
        work: Option<&str>,
    ) -> Result<bool, StoreError> {
        let accepted = |former: &&Recognition| {
            former.provisional
                && former.state == RecognitionState::Accepted
                && former.chosen_by.is_some()
        };
        let chosen = former.filter(accepted).and_then(|former| former.candidate);
        let Some(chosen) = chosen else { return Ok(false) };
        let accepted = self.candidate(chosen)?.and_then(|candidate| candidate.word());
        Ok(accepted.is_some() && accepted.as_deref() == work)
    }

    /// Whether a person decided on it, and who acts now is none.
    pub(crate) fn is_out_of_reach(&self, recognition: &Recognition) -> bool {
        let decided = match recognition.state {
            RecognitionState::Accepted => recognition.chosen_by.is_some(),
            RecognitionState::Rejected => true,
            _ => false,
        };
        decided && !is_person(self.actor())
    }

    /// The marks that an accepted match answers: linking goes on, and plans anew.
    pub(crate) fn clear_match_marks(&mut self, download: DownloadId) -> Result<(), StoreError> {
        for mark in MARKS_OF_A_MATCH {
            let _known = self.clear_attention(download, Some(*mark))?;
        }
        Ok(())
    }
}

/// Who accepted what the names say before the file list was known.
fn accepted_names(former: &Recognition) -> Option<&Actor> {
    former.chosen_by.as_ref().filter(|_| former.is_accepted_names())
}

/// Whether somebody outside the program is behind a change.
pub(crate) const fn is_person(actor: &Actor) -> bool {
    match actor {
        Actor::Web(_) | Actor::Api(_) | Actor::Telegram(_) | Actor::Cli(_) => true,
        Actor::Reconciler | Actor::Worker | Actor::System => false,
    }
}
