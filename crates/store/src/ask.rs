//! Rules of people that nothing is accepted by itself: of one download, or of
//! every download of a work. Who set a rule and when is in the row and in the
//! journal; that it holds is decided in `standing`.

use rusqlite::{OptionalExtension, params};
use serde_json::json;
use tracker_domain::ask::AskScope;
use tracker_domain::event::EventType;
use tracker_domain::{DownloadId, EntityKind, Remark};

use crate::candidates::Candidate;
use crate::journal::NewEvent;
use crate::recognitions::Recognition;
use crate::row::text;
use crate::{ReadTx, StoreError, WriteTx};

/// Nothing says which title a download is of, so there is none to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no source has named a title for it yet; ask for the download instead")]
pub struct NoTitleToAsk;

/// What keeps a match from being accepted by itself.
pub(crate) const fn doubt_of(scope: AskScope) -> Remark {
    match scope {
        AskScope::Download => Remark::AskedForDownload,
        AskScope::Title => Remark::AskedForTitle,
    }
}

const SET_FOR_DOWNLOAD: &str = "
    INSERT INTO ask_download (download_id, author, created_at) VALUES (?1, ?2, ?3)
    ON CONFLICT (download_id) DO NOTHING";

const SET_FOR_WORK: &str = "
    INSERT INTO ask_work (work, author, created_at) VALUES (?1, ?2, ?3)
    ON CONFLICT (work) DO NOTHING";

impl Recognition {
    /// Whether a person is asked about it because of a rule.
    #[must_use]
    pub fn is_held_by_a_rule(&self) -> bool {
        let doubts = self.detail.as_deref().unwrap_or_default();
        let rules = [Remark::AskedForTitle, Remark::AskedForDownload];
        Remark::read_list(doubts).iter().any(|doubt| rules.contains(doubt))
    }
}

impl ReadTx<'_> {
    /// The rule that keeps a match of a download from being accepted by itself,
    /// where it is taken for this work (`tmdb:movie/603`): the further reaching
    /// one, where there are both.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn asks(
        &self,
        download: DownloadId,
        work: Option<&str>,
    ) -> Result<Option<AskScope>, StoreError> {
        let is_there = |sql: &str, key: &str| {
            self.conn().prepare_cached(sql)?.query_row([key], |_| Ok(())).optional()
        };
        if let Some(work) = work
            && is_there("SELECT 1 FROM ask_work WHERE work = ?1", work)?.is_some()
        {
            return Ok(Some(AskScope::Title));
        }
        let key = text(download);
        let of_download = is_there("SELECT 1 FROM ask_download WHERE download_id = ?1", &key)?;
        Ok(of_download.map(|()| AskScope::Download))
    }

    /// The work that a download is taken for, or that accepting it would take.
    /// While another recognition is awaited it is that of the last one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn work_in_question(&self, download: DownloadId) -> Result<Option<String>, StoreError> {
        let Some(last) = self.last_recognition_of(download)? else { return Ok(None) };
        Ok(self.proposed(&last)?.and_then(|candidate| candidate.word()))
    }

    /// The candidate that is taken, else the best that nothing speaks against: what
    /// accepting without a choice takes.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn proposed(&self, living: &Recognition) -> Result<Option<Candidate>, StoreError> {
        if let Some(id) = living.candidate {
            return self.candidate(id);
        }
        let candidates = self.candidates(living.id)?;
        Ok(candidates.into_iter().find(|candidate| candidate.excluded.is_none()))
    }
}

impl WriteTx<'_> {
    /// Makes a rule that nothing is accepted by itself, of a download or of the
    /// work in question. Tells whether it is new.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn ask_for(
        &mut self,
        download: DownloadId,
        scope: AskScope,
    ) -> Result<Result<bool, NoTitleToAsk>, StoreError> {
        let (author, now) = (self.actor().to_string(), self.now().to_string());
        let (sql, key, work) = match self.subject(download, scope)? {
            Ok(Subject::Download) => (SET_FOR_DOWNLOAD, text(download), None),
            Ok(Subject::Work(work)) => (SET_FOR_WORK, work.clone(), Some(work)),
            Err(refused) => return Ok(Err(refused)),
        };
        let set = self.conn().prepare_cached(sql)?.execute(params![key, author, now])?;
        if set > 0 {
            let event = NewEvent::new(EventType::AskSet, "asked to be asked");
            self.tell_of_rule(download, event, scope, work)?;
        }
        Ok(Ok(set > 0))
    }

    /// Takes such a rule back. Tells whether there was one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn ask_no_more(
        &mut self,
        download: DownloadId,
        scope: AskScope,
    ) -> Result<bool, StoreError> {
        let (sql, key, work) = match self.subject(download, scope)? {
            Ok(Subject::Download) => {
                ("DELETE FROM ask_download WHERE download_id = ?1", text(download), None)
            }
            Ok(Subject::Work(work)) => {
                ("DELETE FROM ask_work WHERE work = ?1", work.clone(), Some(work))
            }
            Err(NoTitleToAsk) => return Ok(false),
        };
        let removed = self.conn().prepare_cached(sql)?.execute([key])?;
        if removed > 0 {
            let event = NewEvent::new(EventType::AskRemoved, "asked not to be asked any more");
            self.tell_of_rule(download, event, scope, work)?;
        }
        Ok(removed > 0)
    }

    /// Gives the winner of a merge the rule of the loser.
    pub(crate) fn take_rule_of(
        &mut self,
        winner: DownloadId,
        loser: DownloadId,
    ) -> Result<(), StoreError> {
        if self.asks(loser, None)?.is_some() {
            // A rule of a download needs no title.
            let _new = self.ask_for(winner, AskScope::Download)?;
        }
        Ok(())
    }

    fn subject(
        &self,
        download: DownloadId,
        scope: AskScope,
    ) -> Result<Result<Subject, NoTitleToAsk>, StoreError> {
        if scope == AskScope::Download {
            return Ok(Ok(Subject::Download));
        }
        Ok(self.work_in_question(download)?.map(Subject::Work).ok_or(NoTitleToAsk))
    }

    fn tell_of_rule(
        &mut self,
        download: DownloadId,
        event: NewEvent,
        scope: AskScope,
        work: Option<String>,
    ) -> Result<(), StoreError> {
        self.touch(download)?;
        self.append_event(
            event
                .about(EntityKind::Download, download)
                .in_download(download)
                .with(json!({ "scope": scope.as_str(), "work": work })),
        )?;
        Ok(())
    }
}

/// What a rule is of.
enum Subject {
    Download,
    Work(String),
}
