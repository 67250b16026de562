//! The guarded changes of a download. No other file writes `download.state` or
//! `download_infohash`.
//!
//! Each method reads the row, refuses with a typed reason or writes, bumps the
//! revision, and appends the journal entry, all inside the write transaction
//! that it is called in. Refusals write nothing but, where it helps a person,
//! an entry that says so.

use std::fmt;

use rusqlite::params;
use serde_json::json;
use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadCause, DownloadId, DownloadState, Infohash, InfohashSet};

use crate::downloads::{Download, Origin};
use crate::journal::NewEvent;
use crate::row::{signed, text};
use crate::tasks::TaskKind;
use crate::{Guarded, Refusal, StoreError, WriteTx};

/// A download to make.
#[derive(Clone)]
pub struct NewDownload {
    /// Its infohashes.
    pub infohashes: InfohashSet,
    /// The canonical link.
    pub magnet: String,
    /// Its name; empty where none is known.
    pub name: String,
    /// How it came in.
    pub origin: Origin,
    /// The client that it goes to; `None` is the default one.
    pub client: Option<String>,
    /// Its size, when the link says.
    pub size_bytes: Option<u64>,
    /// The file of the watch folder that it came in by.
    pub dropped_file: Option<String>,
    /// `queued`, or `downloading` for one that is in the client already.
    pub state: DownloadState,
}

impl fmt::Debug for NewDownload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the link, which may carry a passkey.
        f.debug_struct("NewDownload")
            .field("infohashes", &self.infohashes)
            .field("name", &self.name)
            .field("origin", &self.origin)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// What an intake came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Creation {
    /// A new download.
    Created(DownloadId),
    /// An active one owns a hash.
    Existing(DownloadId),
}

impl Creation {
    /// The download, made or found.
    #[must_use]
    pub const fn id(&self) -> DownloadId {
        match self {
            Creation::Created(id) | Creation::Existing(id) => *id,
        }
    }
}

/// Why a download moved, for the row and the journal.
#[derive(Clone, Debug, Default)]
pub struct Reason {
    /// What a person has to look at from now on; `None` clears it.
    pub attention: Option<Attention>,
    /// In words.
    pub detail: Option<String>,
}

impl Reason {
    /// Nothing to look at.
    #[must_use]
    pub fn none() -> Self {
        Reason::default()
    }

    /// Something to look at.
    #[must_use]
    pub fn because(attention: Attention, detail: impl Into<String>) -> Self {
        Reason { attention: Some(attention), detail: Some(detail.into()) }
    }
}

const INSERT: &str = "
    INSERT INTO download (id, magnet, name, state, client, origin, size_bytes, attempts, revision,
                          created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 1, ?8, ?8)";

const INSERT_INFOHASH: &str =
    "INSERT INTO download_infohash (infohash, download_id, kind) VALUES (?1, ?2, ?3)";

const DELETE_INFOHASH: &str =
    "DELETE FROM download_infohash WHERE infohash = ?1 AND download_id = ?2";

const SET_STATE: &str = "
    UPDATE download SET state = ?2, attention = ?3, attention_detail = ?4, error_code = ?5,
        error = ?6, attempts = ?7, next_attempt_at = NULL, hidden_at = ?9, revision = revision + 1,
        updated_at = ?8
    WHERE id = ?1";

const SET_MERGED: &str = "UPDATE download SET merged_into = ?2 WHERE id = ?1";

/// What is known of the loser's torrent is known of the winner's, which is the
/// same one. A torrent that was found stays one that was found: it is not ours
/// to stop.
const TAKE_PLACE: &str = "
    UPDATE download SET
        handle = coalesce(download.handle, other.handle),
        save_path = coalesce(download.save_path, other.save_path),
        placement = CASE WHEN 'found' IN (download.placement, other.placement) THEN 'found'
            ELSE coalesce(download.placement, other.placement) END,
        size_bytes = coalesce(download.size_bytes, other.size_bytes),
        metadata_at = coalesce(download.metadata_at, other.metadata_at),
        name = CASE WHEN download.name = '' THEN other.name ELSE download.name END,
        client = coalesce(download.client, other.client),
        attempts = max(download.attempts, other.attempts)
    FROM download AS other WHERE download.id = ?1 AND other.id = ?2";

const TAKE_TORRENT_FILE: &str = "
    INSERT INTO download_torrent (download_id, bytes)
    SELECT ?1, bytes FROM download_torrent WHERE download_id = ?2
    ON CONFLICT (download_id) DO NOTHING";

const SET_ATTENTION: &str = "
    UPDATE download SET attention = ?2, attention_detail = ?3, revision = revision + 1,
        updated_at = ?4
    WHERE id = ?1";

impl WriteTx<'_> {
    /// Makes a download unless an active one owns one of its hashes; then it is
    /// that one, and hashes it lacked are added to it.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn create_download_if_no_active(
        &mut self,
        new: NewDownload,
    ) -> Result<Creation, StoreError> {
        match *self.active_owners(new.infohashes.iter())?.as_slice() {
            [] => self.insert_download(new).map(Creation::Created),
            [owner] => {
                self.enrich(owner, &new.infohashes)?;
                Ok(Creation::Existing(owner))
            }
            [oldest, ..] => {
                // A link is no proof that they are one torrent.
                self.refuse_infohashes(oldest, &new.infohashes, "two active downloads own them")?;
                Ok(Creation::Existing(oldest))
            }
        }
    }

    fn insert_download(&mut self, new: NewDownload) -> Result<DownloadId, StoreError> {
        let former = self.downloads_with(new.infohashes.iter())?;
        let id: DownloadId = self.new_id();
        self.conn().prepare_cached(INSERT)?.execute(params![
            text(id),
            new.magnet,
            new.name,
            new.state.as_str(),
            new.client,
            new.origin.as_str(),
            new.size_bytes.map(signed),
            self.now().to_string(),
        ])?;
        for hash in new.infohashes.iter() {
            self.insert_infohash(id, hash)?;
        }
        let hashes: Vec<String> = new.infohashes.iter().map(|hash| hash.to_string()).collect();
        // A terminal download does not block another one, but the two belong to
        // one story.
        let former: Vec<String> = former.into_iter().map(|id| id.to_string()).collect();
        let mut data = json!({
            "state": new.state.as_str(),
            "origin": new.origin.as_str(),
            "infohashes": hashes,
            "earlier_downloads": former,
        });
        let mut told = "download accepted";
        if let Some(file) = new.dropped_file {
            data["dropped_file"] = file.into();
            told = "download accepted from the watch folder";
        }
        self.append_event(NewEvent::of_download(EventType::DownloadCreated, id, told).with(data))?;
        Ok(id)
    }

    /// Adds what a link knows more than its owner, unless it contradicts it.
    fn enrich(&mut self, owner: DownloadId, link: &InfohashSet) -> Result<(), StoreError> {
        let Some(known) = self.download(owner)?.and_then(|row| row.infohashes) else {
            return Ok(());
        };
        let missing: Vec<Infohash> = link.iter().filter(|hash| !known.contains(hash)).collect();
        // One torrent has one hash of a version: a second one is a false link.
        if missing.iter().any(|new| known.iter().any(|old| old.kind() == new.kind())) {
            return self.refuse_infohashes(owner, link, "it has another infohash of this version");
        }
        // The only active owner of any of them is this one, so nothing refuses.
        for hash in missing {
            self.record_infohash(owner, hash)?;
        }
        Ok(())
    }

    fn refuse_infohashes(
        &mut self,
        id: DownloadId,
        hashes: &InfohashSet,
        why: &str,
    ) -> Result<(), StoreError> {
        let hashes: Vec<String> = hashes.iter().map(|hash| hash.to_string()).collect();
        self.append_event(
            NewEvent::of_download(EventType::DownloadInfohashRefused, id, "infohashes refused")
                .with(json!({ "infohashes": hashes, "why": why })),
        )?;
        Ok(())
    }

    /// Adds infohashes that a client or a `.torrent` states. An ended download
    /// just gets them: it owns nothing.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn add_infohashes(
        &mut self,
        id: DownloadId,
        hashes: &[Infohash],
    ) -> Result<Guarded<Vec<Infohash>>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        let known = row.infohashes.as_ref();
        let missing: Vec<Infohash> = hashes
            .iter()
            .copied()
            .filter(|hash| known.is_none_or(|known| !known.contains(hash)))
            // The front of a v2 is a client's handle, never a hash of its own.
            .filter(|hash| {
                hash.v1().is_none_or(|v1| known.is_none_or(|known| !known.is_handle(&v1)))
            })
            .collect();
        if row.state.is_active()
            && let Some(owner) =
                self.active_owners(missing.iter().copied())?.into_iter().find(|owner| *owner != id)
        {
            return Ok(Err(Refusal::OwnedBy(owner)));
        }
        for hash in &missing {
            self.record_infohash(id, *hash)?;
        }
        Ok(Ok(missing))
    }

    /// Puts a v2 in the place of the 40 digits that were its front.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn replace_handle_by_v2(
        &mut self,
        id: DownloadId,
        handle: Infohash,
        v2: Infohash,
    ) -> Result<Guarded<()>, StoreError> {
        let added = self.add_infohashes(id, &[v2])?;
        if let Err(refusal) = added {
            return Ok(Err(refusal));
        }
        self.conn()
            .prepare_cached(DELETE_INFOHASH)?
            .execute(params![handle.to_string(), text(id)])?;
        Ok(Ok(()))
    }

    fn record_infohash(&mut self, id: DownloadId, hash: Infohash) -> Result<(), StoreError> {
        self.insert_infohash(id, hash)?;
        self.touch(id)?;
        self.append_event(
            NewEvent::of_download(EventType::DownloadInfohashAdded, id, "infohash added")
                .with(json!({ "infohash": hash.to_string(), "kind": hash.kind().as_str() })),
        )?;
        Ok(())
    }

    fn insert_infohash(&self, id: DownloadId, hash: Infohash) -> Result<(), StoreError> {
        self.conn().prepare_cached(INSERT_INFOHASH)?.execute(params![
            hash.to_string(),
            text(id),
            hash.kind().as_str()
        ])?;
        Ok(())
    }

    /// The row, and where the table of moves leads it.
    fn next_state(
        &self,
        id: DownloadId,
        cause: DownloadCause,
    ) -> Result<Guarded<(Download, DownloadState)>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        let next = row.state.after(cause);
        Ok(next.map(|next| (row, next)).map_err(Refusal::from))
    }

    /// Brings an ended download back, unless another active one owns one of
    /// its hashes.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn activate_if_no_other_active(
        &mut self,
        id: DownloadId,
        cause: DownloadCause,
        reason: &Reason,
    ) -> Result<Guarded<DownloadState>, StoreError> {
        let (row, next) = match self.next_state(id, cause)? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(hashes) = &row.infohashes else { return Ok(Err(Refusal::NoInfohash)) };
        if let Some(owner) =
            self.active_owners(hashes.iter())?.into_iter().find(|owner| *owner != id)
        {
            if cause == DownloadCause::Retry {
                self.append_event(
                    NewEvent::of_download(EventType::DownloadRetryRefused, id, "retry refused")
                        .with(json!({ "owner_id": owner.to_string() })),
                )?;
            }
            return Ok(Err(Refusal::OwnedBy(owner)));
        }
        self.move_row(&row, next, reason)?;
        Ok(Ok(next))
    }

    /// Moves a download by the table of moves. A move from an end back to
    /// activity is refused here: it has its own guard.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn set_download_state(
        &mut self,
        id: DownloadId,
        cause: DownloadCause,
        reason: &Reason,
    ) -> Result<Guarded<DownloadState>, StoreError> {
        let (row, next) = match self.next_state(id, cause)? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if !row.state.is_active() && next.is_active() {
            return Ok(Err(Refusal::Unguarded));
        }
        self.move_row(&row, next, reason)?;
        Ok(Ok(next))
    }

    /// Moves a download on in its transfer, and keeps a mark that the step does
    /// not answer: the end of a transfer says nothing about the match.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn move_on(
        &mut self,
        id: DownloadId,
        cause: DownloadCause,
    ) -> Result<Guarded<DownloadState>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        let reason = match row.attention.filter(|attention| outlives_transfer(*attention)) {
            Some(kept) => Reason::because(kept, row.attention_detail.unwrap_or_default()),
            None => Reason::none(),
        };
        self.set_download_state(id, cause, &reason)
    }

    /// Writes a move that was checked.
    fn move_row(
        &mut self,
        row: &Download,
        next: DownloadState,
        reason: &Reason,
    ) -> Result<(), StoreError> {
        let failed = next == DownloadState::Failed;
        let code = reason.attention.filter(|_| failed).map(Attention::as_str);
        let error = reason.detail.as_deref().filter(|_| failed);
        // A new life starts with fresh attempts.
        let attempts = if next == DownloadState::Queued { 0 } else { signed(row.attempts) };
        self.conn().prepare_cached(SET_STATE)?.execute(params![
            text(row.id),
            next.as_str(),
            reason.attention.map(Attention::as_str),
            reason.detail,
            code,
            error,
            attempts,
            self.now().to_string(),
            // Nobody would see what an active one is up to.
            row.hidden_at.filter(|_| !next.is_active()).map(|at| at.to_string()),
        ])?;
        let mut data = json!({
            "from": row.state.as_str(),
            "to": next.as_str(),
            "attention": reason.attention.map(Attention::as_str),
            "detail": reason.detail,
        });
        if row.hidden_at.is_some() {
            data["shown_again"] = next.is_active().into();
        }
        let event = EventType::DownloadStateChanged;
        self.append_event(NewEvent::of_download(event, row.id, "state changed").with(data))?;
        if let Some(pause) = row.pause {
            self.carry_pause(row.id, pause, next)?;
        }
        // A client that takes it below complete again has it, with what was chosen.
        let comes = next == DownloadState::Downloading && row.state != DownloadState::Downloaded;
        if comes && row.unwanted.is_some() {
            self.wish_choice(row.id)?;
        }
        if row.state.is_active() && !next.is_active() && may_be_in_client(row) {
            self.add_task(row.id, TaskKind::Release)?;
        }
        if !row.state.is_active() && next.is_active() && row.handle.is_some() {
            self.add_task(row.id, TaskKind::Claim)?;
        }
        Ok(())
    }

    /// Marks what a person should look at. Nothing is written when it stands
    /// already.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn raise_attention(
        &mut self,
        id: DownloadId,
        attention: Attention,
        detail: &str,
    ) -> Result<Guarded<()>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        if row.attention == Some(attention) && row.attention_detail.as_deref() == Some(detail) {
            return Ok(Ok(()));
        }
        self.write_attention(id, Some(attention), Some(detail))?;
        Ok(Ok(()))
    }

    /// Takes a mark away; with `only`, just that one.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn clear_attention(
        &mut self,
        id: DownloadId,
        only: Option<Attention>,
    ) -> Result<Guarded<()>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        let stands = row.attention.is_some() && (only.is_none() || row.attention == only);
        if stands {
            self.write_attention(id, None, None)?;
        }
        Ok(Ok(()))
    }

    fn write_attention(
        &mut self,
        id: DownloadId,
        attention: Option<Attention>,
        detail: Option<&str>,
    ) -> Result<(), StoreError> {
        let code = attention.map(Attention::as_str);
        self.conn().prepare_cached(SET_ATTENTION)?.execute(params![
            text(id),
            code,
            detail,
            self.now().to_string()
        ])?;
        let message = if code.is_some() { "attention needed" } else { "attention cleared" };
        self.append_event(
            NewEvent::of_download(EventType::DownloadAttention, id, message)
                .with(json!({ "attention": code, "detail": detail })),
        )?;
        Ok(())
    }

    /// Lets the older of two downloads absorb the other, on the word of a
    /// client or a `.torrent` that they are one torrent. The loser keeps its
    /// row; nothing is removed from the client.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn merge_downloads(
        &mut self,
        winner: DownloadId,
        loser: DownloadId,
    ) -> Result<Guarded<()>, StoreError> {
        let (Some(first), Some(second)) = (self.download(winner)?, self.download(loser)?) else {
            return Ok(Err(Refusal::NotFound));
        };
        // `linking` waits for its batch: the table of moves has no merge there.
        let after = match (
            first.state.after(DownloadCause::Merge),
            second.state.after(DownloadCause::Merge),
        ) {
            (Ok(_), Ok(after)) => after,
            (Err(illegal), _) | (_, Err(illegal)) => return Ok(Err(illegal.into())),
        };
        // The loser ends first, so that the winner may take its hashes.
        self.conn().prepare_cached(SET_MERGED)?.execute(params![text(loser), text(winner)])?;
        self.move_row(&second, after, &Reason::none())?;
        let hashes: Vec<Infohash> = second.infohashes.iter().flat_map(InfohashSet::iter).collect();
        if let Err(refusal) = self.add_infohashes(winner, &hashes)? {
            // Nobody but the loser owned them. Half a merge must not stand.
            return Err(StoreError::Corrupt {
                table: "download_infohash",
                column: "download_id",
                found: text(loser),
                detail: refusal.to_string(),
            });
        }
        self.conn().prepare_cached(TAKE_PLACE)?.execute(params![text(winner), text(loser)])?;
        self.conn()
            .prepare_cached(TAKE_TORRENT_FILE)?
            .execute(params![text(winner), text(loser)])?;
        self.take_further_state(&first, &second)?;
        if may_be_in_client(&first) || may_be_in_client(&second) {
            self.add_task(winner, TaskKind::Claim)?;
        }
        if second.pause.is_some() && first.pause.is_none() {
            self.inherit_pause(winner)?;
        }
        self.take_rule_of(winner, loser)?;
        let differing = self.take_words_of(winner, loser)?;
        self.append_event(
            NewEvent::of_download(EventType::DownloadMerged, winner, "downloads merged")
                .with(json!({ "merged_id": text(loser), "differing": differing })),
        )?;
        self.append_event(
            NewEvent::of_download(EventType::DownloadMerged, loser, "download merged into another")
                .with(json!({ "merged_into": text(winner) })),
        )?;
        if !differing.is_empty() {
            let detail = format!(
                "the merged download {loser} had other values for {}; those of this one were kept",
                differing.join(", ")
            );
            let _known = self.raise_attention(winner, Attention::MergeDiffers, &detail)?;
        }
        Ok(Ok(()))
    }

    /// The winner goes on from where the further of the two is.
    fn take_further_state(
        &mut self,
        first: &Download,
        second: &Download,
    ) -> Result<(), StoreError> {
        let causes: &[DownloadCause] = match (first.state, second.state) {
            (DownloadState::Queued, DownloadState::Downloading) => &[DownloadCause::Shown],
            (DownloadState::Queued, DownloadState::Downloaded) => {
                &[DownloadCause::Shown, DownloadCause::Finished]
            }
            (DownloadState::Downloading, DownloadState::Downloaded) => &[DownloadCause::Finished],
            _ => &[],
        };
        for cause in causes {
            let _moved = self.move_on(first.id, *cause)?;
        }
        Ok(())
    }
}

/// Whether a client may have its torrent: it was sent or shown.
fn may_be_in_client(row: &Download) -> bool {
    row.handle.is_some() || row.attempts > 0
}

/// Whether a mark is about something else than the transfer.
const fn outlives_transfer(attention: Attention) -> bool {
    matches!(
        attention,
        Attention::NeedsReview
            | Attention::MergeDiffers
            | Attention::MetadataUnavailable
            | Attention::Archive
            | Attention::NotMedia
            | Attention::UnsafeContent
            | Attention::InfohashOwned
    )
}
