//! Downloads: in, looked at, tried again, given up, adopted.

use std::sync::Arc;

use tracker_domain::metadata::Pin;
use tracker_domain::ports::Live;
use tracker_domain::queue::QueueEnd;
use tracker_domain::{Actor, Attention, DownloadId, DownloadState, EntityKind, Infohash};
use tracker_ingest::{
    AskError, ChangeError, ClientEntry, Clients, NewIntake, Wish, accept, adopt, cancel,
    foreign_torrents, move_to, pause, prioritise, resume, retry,
};
use tracker_store::{Db, Download, DownloadFilter, StoreError};

use crate::convert::{PLACED, absent, download_view, refused};
use crate::error::{AppError, FieldError};
use crate::requests::{
    AttentionFilter, CancelRequest, DownloadQuery, Expected, IngestOptions, IngestRequest, Source,
};
use crate::views::{DiscoveredView, DownloadView, Ingested, Page};

/// The largest page.
const MAX_LIMIT: u32 = 200;

/// The longest hint, in characters.
/// The longest hint, in characters.
pub const MAX_HINT: usize = 2000;

/// The page when nothing is said.
const DEFAULT_LIMIT: u32 = 50;

/// The service for downloads.
#[derive(Clone)]
pub struct Intake {
    pub(crate) db: Db,
    pub(crate) clients: Clients,
    libraries: Arc<[String]>,
    live: Arc<dyn Live>,
}

impl Intake {
    pub(crate) fn new(
        db: Db,
        clients: Clients,
        libraries: Vec<String>,
        live: Arc<dyn Live>,
    ) -> Self {
        Intake { db, clients, libraries: libraries.into(), live }
    }

    /// Accepts a torrent, or finds the active download that has it.
    ///
    /// # Errors
    /// When an option names something that is not there; nothing is accepted
    /// then.
    pub async fn ingest(
        &self,
        request: IngestRequest,
        actor: &Actor,
    ) -> Result<Ingested, AppError> {
        let options = self.checked(request.options)?;
        let mut intake = match &request.source {
            Source::Magnet(magnet) => NewIntake::of_magnet(magnet),
            Source::Torrent(torrent) => NewIntake::of_torrent(torrent),
        };
        intake.hint = options.hint;
        intake.pin = options.pin;
        intake.library = options.library;
        intake.client = options.client;
        intake.default_client = self.clients.default_client().map(|entry| entry.name.clone());
        let accepted = accept(&self.db, intake, actor).await?;
        Ok(Ingested { created: accepted.created, download: self.show(accepted.id).await? })
    }

    /// The options, each checked against what there is.
    fn checked(&self, options: IngestOptions) -> Result<IngestOptions, AppError> {
        let pin = options.pin.as_deref().map(canonical_pin).transpose()?;
        if let Some(name) = &options.library {
            known_library(&self.libraries, name)?;
        }
        if let Some(name) = &options.client {
            self.client(Some(name))?;
        }
        let hint = options.hint.map(|hint| hint.trim().to_owned()).filter(|hint| !hint.is_empty());
        if let Some(hint) = &hint {
            short_enough(hint, "/hint")?;
        }
        Ok(IngestOptions { pin, hint, ..options })
    }

    pub(crate) fn client(&self, name: Option<&str>) -> Result<&ClientEntry, AppError> {
        self.clients.of(name).ok_or_else(|| match name {
            Some(name) => {
                AppError::UnknownClient { name: name.to_owned(), known: self.clients.names() }
            }
            None => AppError::NoClient,
        })
    }

    /// The names of the configured libraries.
    #[must_use]
    pub fn libraries(&self) -> &[String] {
        &self.libraries
    }

    /// The names of the configured clients, the default one first.
    #[must_use]
    pub fn client_names(&self) -> Vec<String> {
        self.clients.iter().map(|entry| entry.name.clone()).collect()
    }

    fn view(&self) -> impl Fn(Download) -> DownloadView + Send + use<> {
        let (clients, live) = (self.clients.clone(), Arc::clone(&self.live));
        move |row| download_view(row, &clients, &*live)
    }

    /// One download.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn show(&self, id: DownloadId) -> Result<DownloadView, AppError> {
        let view = self.view();
        self.db
            .read(move |tx| match tx.download(id)? {
                Some(row) => Ok(view(row)),
                None => Err(absent(tx, EntityKind::Download, id)?),
            })
            .await
    }

    /// Downloads by filter, newest first.
    ///
    /// # Errors
    /// When the limit is out of range.
    pub async fn list(&self, query: DownloadQuery) -> Result<Page<DownloadView>, AppError> {
        let limit = checked_limit(query.limit)?;
        let Some(filter) = filter_of(query, limit) else {
            return Ok(Page { items: Vec::new(), next: None });
        };
        let view = self.view();
        let rows = self.db.read(move |tx| tx.downloads(&filter)).await?;
        Ok(page_of(rows, limit, |row| row.id.any(), view))
    }

    /// Another try. `client` moves the download to another client first.
    ///
    /// # Errors
    /// When the state or another owner does not allow it; nothing happened then.
    pub async fn retry(
        &self,
        id: DownloadId,
        client: Option<String>,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        if let Some(name) = &client
            && let Err(refusal) = self.client(Some(name))
        {
            // A download that does not exist is the first thing to say.
            self.show(id).await?;
            return Err(refusal);
        }
        let outcome = retry(&self.db, id, client, expected, actor).await;
        self.settled(id, outcome, "retried").await
    }

    /// Moves a queued download to another client.
    ///
    /// # Errors
    /// When it is in a client or may be, or there is no such client; nothing
    /// happened then.
    pub async fn move_to(
        &self,
        id: DownloadId,
        client: String,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        if let Err(refusal) = self.client(Some(&client)) {
            // A download that does not exist is the first thing to say.
            self.show(id).await?;
            return Err(refusal);
        }
        let outcome = move_to(&self.db, id, client, expected, actor).await;
        self.settled(id, outcome, "moved").await
    }

    /// Gives a download up.
    ///
    /// # Errors
    /// When the state does not allow it; nothing happened then.
    pub async fn cancel(
        &self,
        id: DownloadId,
        request: CancelRequest,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        let wish = match wish_of(request.remove_torrent, request.delete_data) {
            Ok(wish) => wish,
            Err(refusal) => {
                // A download that does not exist is the first thing to say.
                self.show(id).await?;
                return Err(refusal);
            }
        };
        let outcome = cancel(&self.db, id, wish, expected, actor).await;
        self.settled(id, outcome, "cancelled").await
    }

    /// Pauses a download: its torrent is stopped, or not handed over yet.
    ///
    /// # Errors
    /// When the state or another owner does not allow it; nothing happened then.
    pub async fn pause(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        let outcome = pause(&self.db, id, expected, actor).await;
        self.settled(id, outcome, "paused").await
    }

    /// Lets a download go on that was paused here or stopped in the client.
    ///
    /// # Errors
    /// When the state or another owner does not allow it; nothing happened then.
    pub async fn resume(
        &self,
        id: DownloadId,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        let runs = self.live.progress(id).is_some_and(|progress| !progress.stopped);
        let outcome = resume(&self.db, id, runs, expected, actor).await;
        let view = self.settled(id, outcome, "resumed").await?;
        // What the workers saw last is from before; the wish is to start it.
        Ok(DownloadView { paused: false, ..view })
    }

    /// Puts a download before or after all others, here and in its client.
    ///
    /// # Errors
    /// When the state does not allow it; nothing happened then.
    pub async fn prioritise(
        &self,
        id: DownloadId,
        end: QueueEnd,
        expected: Expected,
        actor: &Actor,
    ) -> Result<DownloadView, AppError> {
        let outcome = prioritise(&self.db, id, end, expected, actor).await;
        self.settled(id, outcome, PLACED).await
    }

    pub(crate) async fn settled(
        &self,
        id: DownloadId,
        outcome: Result<(), ChangeError>,
        wish: &'static str,
    ) -> Result<DownloadView, AppError> {
        match outcome {
            Ok(()) => self.show(id).await,
            Err(ChangeError::Store(error)) => Err(error.into()),
            Err(ChangeError::Refused(refusal)) => {
                let view = self.view();
                let told = self.db.read(move |tx| refused(tx, id, refusal, wish, view)).await;
                Err(told.unwrap_or_else(StoreError::into))
            }
        }
    }

    /// Torrents in the clients that are nobody's. Asks each client.
    ///
    /// # Errors
    /// When a client cannot be asked.
    pub async fn discovered(&self) -> Result<Page<DiscoveredView>, AppError> {
        let mut items = Vec::new();
        for entry in self.clients.iter() {
            let foreign = foreign_torrents(&self.db, entry)
                .await
                .map_err(|error| unanswered(&entry.name, error))?;
            items.extend(foreign.into_iter().map(|foreign| DiscoveredView {
                client: foreign.client,
                name: foreign.seen.name,
                infohashes: foreign.seen.infohashes.iter().collect(),
                size_bytes: foreign.seen.size_bytes,
                state: foreign.seen.client_state,
                note: None,
            }));
        }
        Ok(Page { items, next: None })
    }

    /// Makes a download of a torrent that is in a client.
    ///
    /// # Errors
    /// When there is no such client or torrent, or the client cannot be asked.
    pub async fn adopt(
        &self,
        client: Option<String>,
        infohash: Infohash,
        actor: &Actor,
    ) -> Result<Ingested, AppError> {
        let entry = self.client(client.as_deref())?;
        let adopted = adopt(&self.db, entry, infohash, actor)
            .await
            .map_err(|error| unanswered(&entry.name, error))?;
        Ok(Ingested { created: adopted.created, download: self.show(adopted.id).await? })
    }
}

/// What a client is to do with a torrent that nobody here needs any more.
pub(crate) fn wish_of(remove_torrent: bool, delete_data: bool) -> Result<Wish, AppError> {
    match (remove_torrent, delete_data) {
        (false, false) => Ok(Wish::Leave),
        (true, false) => Ok(Wish::Remove),
        (true, true) => Ok(Wish::RemoveData),
        (false, true) => Err(AppError::InvalidRequest(vec![FieldError::body(
            "/delete_data",
            "data is deleted only together with the torrent; set remove_torrent too",
        )])),
    }
}

/// Refuses a hint that is longer than anybody reads.
pub(crate) fn short_enough(hint: &str, pointer: &str) -> Result<(), AppError> {
    if hint.chars().count() <= MAX_HINT {
        return Ok(());
    }
    Err(AppError::InvalidRequest(vec![no_hint(pointer)]))
}

pub(crate) fn no_hint(pointer: &str) -> FieldError {
    FieldError::body(pointer, format!("write a hint of 1 to {MAX_HINT} characters"))
}

/// A pin in the form in which it is kept.
fn canonical_pin(text: &str) -> Result<String, AppError> {
    let pin: Pin = text.parse().map_err(|_| AppError::InvalidPin(text.to_owned()))?;
    Ok(pin.to_string())
}

/// Refuses the name of a library that is not configured.
pub(crate) fn known_library(libraries: &[String], name: &str) -> Result<(), AppError> {
    if libraries.iter().any(|known| known == name) {
        return Ok(());
    }
    let known = if libraries.is_empty() { "none".to_owned() } else { libraries.join(", ") };
    Err(AppError::UnknownLibrary { name: name.to_owned(), known })
}

pub(crate) fn unanswered(client: &str, error: AskError) -> AppError {
    match error {
        AskError::NoSuchTorrent => AppError::TorrentNotFound { client: client.to_owned() },
        AskError::Client(error) => {
            AppError::ClientUnreachable { client: client.to_owned(), detail: error.to_string() }
        }
        AskError::Store(error) => error.into(),
    }
}

pub(crate) fn checked_limit(limit: Option<u32>) -> Result<u32, AppError> {
    match limit.unwrap_or(DEFAULT_LIMIT) {
        limit @ 1..=MAX_LIMIT => Ok(limit),
        other => Err(AppError::InvalidRequest(vec![FieldError::query(
            "limit",
            format!("{other} is out of range; write a number from 1 to {MAX_LIMIT}"),
        )])),
    }
}

/// One row more than the page was asked for: it tells that there is a next one.
pub(crate) fn page_of<R, V>(
    mut rows: Vec<R>,
    limit: u32,
    id: impl Fn(&R) -> tracker_ident::AnyId,
    view: impl Fn(R) -> V,
) -> Page<V> {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().map(id).filter(|_| more);
    Page { items: rows.into_iter().map(view).collect(), next }
}

/// The store's filter; `None` when nothing can match.
fn filter_of(query: DownloadQuery, limit: u32) -> Option<DownloadFilter> {
    let mut states = query.states;
    if let Some(active) = query.active {
        let all = states.is_empty();
        let asked = DownloadState::ALL.iter().copied();
        states = asked
            .filter(|state| (all || states.contains(state)) && state.is_active() == active)
            .collect();
        if states.is_empty() {
            return None;
        }
    }
    let attention = query.attention.map(|attention| match attention {
        AttentionFilter::Any => Attention::ALL.to_vec(),
        AttentionFilter::None => Vec::new(),
        AttentionFilter::Is(code) => vec![code],
    });
    let text = query.text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let whole_id: Option<DownloadId> = text.as_ref().and_then(|text| text.parse().ok());
    let whole_hash = text.as_ref().and_then(|text| Infohash::from_any_form(text).ok());
    let other = |hash: Infohash| query.infohash.is_some_and(|asked| asked != hash);
    if whole_hash.is_some_and(other) {
        return None;
    }
    let name_part = text.filter(|_| whole_id.is_none() && whole_hash.is_none());
    Some(DownloadFilter {
        states,
        attention,
        name_part,
        id: whole_id,
        infohash: query.infohash.or(whole_hash),
        hidden: query.hidden,
        only_hidden: false,
        before: query.before,
        limit: limit + 1,
    })
}
