//! Downloads to look at: one, a list, and those that a worker has to do with.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use rusqlite::types::Value as Sql;
use rusqlite::{OptionalExtension, params_from_iter};
use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::{
    Attention, DownloadId, DownloadState, Infohash, InfohashSet, Pause, Timestamp,
};

use crate::row::{Columns, collect, parse};
use crate::{Guarded, ReadTx, Refusal, StoreError};

/// How a download came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A magnet link.
    Magnet,
    /// A bare infohash; 40 digits may be what a client calls a v2 torrent.
    Infohash,
    /// A `.torrent` file.
    Torrent,
    /// A torrent that was in the client before us.
    Adopted,
}

/// How its torrent got into the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// We added it.
    Added,
    /// It was there.
    Found,
}

/// One row of `download`, with its infohashes.
#[derive(Clone, PartialEq)]
#[expect(missing_docs, reason = "the members are the columns of docs/database.md")]
pub struct Download {
    pub id: DownloadId,
    pub magnet: String,
    pub name: String,
    pub state: DownloadState,
    pub error: Option<String>,
    pub error_code: Option<String>,
    pub attention: Option<Attention>,
    pub attention_detail: Option<String>,
    pub client: Option<String>,
    pub origin: Origin,
    pub placement: Option<Placement>,
    pub handle: Option<Handle>,
    pub save_path: Option<ClientPath>,
    pub size_bytes: Option<u64>,
    pub metadata_at: Option<Timestamp>,
    pub merged_into: Option<DownloadId>,
    pub hidden_at: Option<Timestamp>,
    pub attempts: u64,
    pub next_attempt_at: Option<Timestamp>,
    pub pause: Option<Pause>,
    /// The files that a person does not want; `None` where nobody has chosen.
    pub unwanted: Option<BTreeSet<u32>>,
    pub revision: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// `None` only for a migrated row whose hash could not be read.
    pub infohashes: Option<InfohashSet>,
    /// Whether links of it stand in a library.
    pub has_links: bool,
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the link, which may carry a passkey.
        f.debug_struct("Download")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("state", &self.state)
            .field("attention", &self.attention)
            .field("attention_detail", &self.attention_detail)
            .field("client", &self.client)
            .field("placement", &self.placement)
            .field("handle", &self.handle)
            .field("attempts", &self.attempts)
            .field("revision", &self.revision)
            .field("infohashes", &self.infohashes)
            .finish_non_exhaustive()
    }
}

/// Which downloads to list.
#[derive(Clone, Debug, Default)]
pub struct DownloadFilter {
    /// Only these states; empty is all.
    pub states: Vec<DownloadState>,
    /// Only with these attentions; `Some` of an empty list is "with none".
    pub attention: Option<Vec<Attention>>,
    /// A part of the name, in any letter case.
    pub name_part: Option<String>,
    /// Only this one.
    pub id: Option<DownloadId>,
    /// Only with this infohash.
    pub infohash: Option<Infohash>,
    /// Also hidden ones.
    pub hidden: bool,
    /// Hidden ones alone.
    pub only_hidden: bool,
    /// Only before this id.
    pub before: Option<DownloadId>,
    /// At most so many.
    pub limit: u32,
}

impl Origin {
    /// The word of the column.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Origin::Magnet => "magnet",
            Origin::Infohash => "infohash",
            Origin::Torrent => "torrent",
            Origin::Adopted => "adopted",
        }
    }
}

impl Placement {
    /// The word of the column.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Placement::Added => "added",
            Placement::Found => "found",
        }
    }
}

/// The text is not one of the words of the column.
#[derive(Debug)]
pub struct UnknownWord;

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not one of the words of this column")
    }
}

impl FromStr for Origin {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "magnet" => Ok(Origin::Magnet),
            "infohash" => Ok(Origin::Infohash),
            "torrent" => Ok(Origin::Torrent),
            "adopted" => Ok(Origin::Adopted),
            _ => Err(UnknownWord),
        }
    }
}

impl FromStr for Placement {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "added" => Ok(Placement::Added),
            "found" => Ok(Placement::Found),
            _ => Err(UnknownWord),
        }
    }
}

/// The words of the active states, for `IN (…)`.
pub(crate) const ACTIVE: &str = "'queued', 'downloading', 'downloaded', 'linking'";

/// A download with its hashes in one row, so that a list is one statement.
pub(crate) const SELECT: &str = "
    SELECT d.*, (SELECT group_concat(h.infohash, ' ') FROM download_infohash h
                 WHERE h.download_id = d.id) AS infohashes,
           EXISTS (SELECT 1 FROM file_link l
                   WHERE l.download_id = d.id AND l.state = 'linked') AS has_links
    FROM download d";

impl ReadTx<'_> {
    /// One download.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn download(&self, id: DownloadId) -> Result<Option<Download>, StoreError> {
        let mut statement = self.conn().prepare_cached(&format!("{SELECT} WHERE d.id = ?1"))?;
        let rows = statement.query([id.to_string()])?;
        Ok(collect("download", rows, read_download)?.pop())
    }

    /// A download as a caller has seen it: one that has changed since `expected` is
    /// refused.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn download_as_seen(
        &self,
        id: DownloadId,
        expected: Option<u64>,
    ) -> Result<Guarded<Download>, StoreError> {
        let Some(row) = self.download(id)? else { return Ok(Err(Refusal::NotFound)) };
        if expected.is_some_and(|seen| seen != row.revision) {
            return Ok(Err(Refusal::Stale(row.revision)));
        }
        Ok(Ok(row))
    }

    /// Downloads by filter, newest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads(&self, filter: &DownloadFilter) -> Result<Vec<Download>, StoreError> {
        let mut clauses: Vec<String> = Vec::new();
        let mut values: Vec<Sql> = Vec::new();
        if !filter.states.is_empty() {
            clauses.push(format!("d.state IN ({})", quoted(&filter.states, DownloadState::as_str)));
        }
        match filter.attention.as_deref() {
            Some([]) => clauses.push("d.attention IS NULL".to_owned()),
            Some(codes) => {
                clauses.push(format!("d.attention IN ({})", quoted(codes, Attention::as_str)));
            }
            None => {}
        }
        if filter.only_hidden {
            clauses.push("d.hidden_at IS NOT NULL".to_owned());
        } else if !filter.hidden {
            clauses.push("d.hidden_at IS NULL".to_owned());
        }
        let mut bind = |clause: &str, value: Option<String>| {
            if let Some(value) = value {
                values.push(Sql::Text(value));
                clauses.push(clause.replace('?', &format!("?{}", values.len())));
            }
        };
        bind("d.id = ?", filter.id.map(|id| id.to_string()));
        bind("d.id < ?", filter.before.map(|id| id.to_string()));
        bind(
            "d.id IN (SELECT download_id FROM download_infohash WHERE infohash = ?)",
            filter.infohash.map(|hash| hash.to_string()),
        );
        // LIKE folds the case of ASCII only; `folded` is our function for all.
        bind("instr(folded(d.name), folded(?)) > 0", filter.name_part.clone());
        values.push(Sql::Integer(i64::from(filter.limit)));
        let place = if clauses.is_empty() {
            String::new()
        } else {
            format!("WHERE {}", clauses.join(" AND "))
        };
        let sql = format!("{SELECT} {place} ORDER BY d.id DESC LIMIT ?{}", values.len());
        let mut statement = self.conn().prepare_cached(&sql)?;
        collect("download", statement.query(params_from_iter(values))?, read_download)
    }

    /// Active downloads, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn active_downloads(&self) -> Result<Vec<Download>, StoreError> {
        let sql = format!("{SELECT} WHERE d.state IN ({ACTIVE}) ORDER BY d.id");
        let mut statement = self.conn().prepare_cached(&sql)?;
        collect("download", statement.query([])?, read_download)
    }

    /// Active downloads whose payload is not complete and that a client may
    /// show: what a look asks for.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn unfinished_downloads(&self) -> Result<Vec<Download>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE d.state = 'downloading' OR (d.state = 'queued' AND d.attempts > 0)
             ORDER BY d.id"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        collect("download", statement.query([])?, read_download)
    }

    /// Active downloads that name another client than these, and those that
    /// are marked so.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_of_other_clients(
        &self,
        configured: &[String],
    ) -> Result<Vec<Download>, StoreError> {
        let marks = vec!["?"; configured.len()].join(", ");
        let sql = format!(
            "{SELECT} WHERE d.state IN ({ACTIVE})
               AND (d.attention = 'client-unknown'
                    OR (d.client IS NOT NULL AND d.client NOT IN ({marks})))
             ORDER BY d.id"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let rows = statement.query(params_from_iter(configured))?;
        collect("download", rows, read_download)
    }

    /// Ended downloads that a listing still tells something of: failed ones
    /// that may come back, and done ones that are paused or whose payload is linked,
    /// unless their torrent was removed because it had given enough. What a person has
    /// taken out of the lists is looked at no more.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn ended_downloads_to_watch(&self) -> Result<Vec<Download>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE d.hidden_at IS NULL AND (d.state = 'failed'
               OR (d.state = 'done' AND (has_links OR d.pause IS NOT NULL)
                   AND coalesce(d.seeding_end, 'stop') = 'stop')) ORDER BY d.id"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        collect("download", statement.query([])?, read_download)
    }

    /// Queued downloads that may be handed over now, oldest first. A pause holds
    /// one back, and no mark does: what waits for space is looked at again, and the
    /// rest does not concern the client.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn due_hand_overs(&self, now: Timestamp) -> Result<Vec<Download>, StoreError> {
        let sql = format!(
            "{SELECT} WHERE d.state = 'queued' AND d.pause IS NULL
               AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= ?1
                    OR d.next_attempt_at > ?2)
             ORDER BY CASE (SELECT t.kind FROM client_task t
                            WHERE t.download_id = d.id AND t.done_at IS NULL
                              AND t.kind IN ('first', 'last')
                            ORDER BY t.id DESC LIMIT 1)
                      WHEN 'first' THEN 0 WHEN 'last' THEN 2 ELSE 1 END, d.id"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let rows = statement.query([now.to_string(), longest_wait(now).to_string()])?;
        collect("download", rows, read_download)
    }

    /// The active downloads that own one of these hashes, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn active_owners(
        &self,
        hashes: impl IntoIterator<Item = Infohash>,
    ) -> Result<Vec<DownloadId>, StoreError> {
        let sql = format!(
            "SELECT d.id FROM download_infohash h JOIN download d ON d.id = h.download_id
             WHERE h.infohash = ?1 AND d.state IN ({ACTIVE})"
        );
        let mut statement = self.conn().prepare_cached(&sql)?;
        let mut owners: Vec<DownloadId> = Vec::new();
        for hash in hashes {
            let mut rows = statement.query([hash.to_string()])?;
            while let Some(row) = rows.next()? {
                let id: String = row.get(0)?;
                owners.push(parse("download", "id", &id)?);
            }
        }
        owners.sort_unstable();
        owners.dedup();
        Ok(owners)
    }

    /// Every download that has or had one of these hashes, oldest first.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn downloads_with(
        &self,
        hashes: impl IntoIterator<Item = Infohash>,
    ) -> Result<Vec<DownloadId>, StoreError> {
        let mut statement = self
            .conn()
            .prepare_cached("SELECT download_id FROM download_infohash WHERE infohash = ?1")?;
        let mut found: Vec<DownloadId> = Vec::new();
        for hash in hashes {
            let mut rows = statement.query([hash.to_string()])?;
            while let Some(row) = rows.next()? {
                let id: String = row.get(0)?;
                found.push(parse("download_infohash", "download_id", &id)?);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The `.torrent` that a download came in with.
    ///
    /// # Errors
    /// A fault of the database.
    pub fn torrent_file(&self, id: DownloadId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self
            .conn()
            .prepare_cached("SELECT bytes FROM download_torrent WHERE download_id = ?1")?
            .query_row([id.to_string()], |row| row.get(0))
            .optional()?)
    }
}

/// No pause is longer than a minute: a time beyond this comes from a clock that
/// was set back since, and is over.
pub(crate) fn longest_wait(now: Timestamp) -> Timestamp {
    now.plus_seconds(120)
}

fn quoted<T: Copy>(items: &[T], word: impl Fn(T) -> &'static str) -> String {
    let words: Vec<String> = items.iter().map(|item| format!("'{}'", word(*item))).collect();
    words.join(", ")
}

pub(crate) fn read_download(row: &Columns<'_, '_>) -> Result<Download, StoreError> {
    let hashes: Option<String> = row.plain("infohashes")?;
    let hashes: Vec<Infohash> = hashes
        .iter()
        .flat_map(|text| text.split(' '))
        .map(|text| parse("download_infohash", "infohash", text))
        .collect::<Result<_, _>>()?;
    Ok(Download {
        id: row.parsed("id")?,
        magnet: row.plain("magnet")?,
        name: row.plain("name")?,
        state: row.parsed("state")?,
        error: row.plain("error")?,
        error_code: row.plain("error_code")?,
        attention: row.maybe("attention")?,
        attention_detail: row.plain("attention_detail")?,
        client: row.plain("client")?,
        origin: row.parsed("origin")?,
        placement: row.maybe("placement")?,
        handle: row.plain::<Option<String>>("handle")?.map(Handle),
        save_path: row.plain::<Option<String>>("save_path")?.map(ClientPath),
        size_bytes: row.maybe_unsigned("size_bytes")?,
        metadata_at: row.maybe("metadata_at")?,
        merged_into: row.maybe("merged_into")?,
        hidden_at: row.maybe("hidden_at")?,
        attempts: row.unsigned("attempts")?,
        next_attempt_at: row.maybe("next_attempt_at")?,
        pause: row.maybe("pause")?,
        unwanted: row.json("unwanted")?,
        revision: row.unsigned("revision")?,
        created_at: row.parsed("created_at")?,
        updated_at: row.parsed("updated_at")?,
        infohashes: InfohashSet::new(hashes),
        has_links: row.plain("has_links")?,
    })
}
