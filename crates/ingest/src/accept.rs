//! Accepting: look for an active download by any hash, return it or make one,
//! in one write transaction. Durable from here on.

use std::fmt;

use tracing::{Instrument, info, info_span};
use tracker_domain::{Actor, DownloadId, DownloadState, InfohashSet, Magnet, Torrent};
use tracker_store::{Creation, Db, NewDownload, Origin, StoreError, WriteTx};

use crate::again::recognise_again;

/// What came in, checked, with what a person said about it.
#[derive(Clone)]
pub struct NewIntake {
    infohashes: InfohashSet,
    link: String,
    name: String,
    origin: Origin,
    size_bytes: Option<u64>,
    torrent: Option<Vec<u8>>,
    /// Addresses of the link that are none.
    dropped_addresses: usize,
    /// The link's name had bytes that are no text.
    name_undecodable: bool,
    /// Free text that steers recognition.
    pub hint: Option<String>,
    /// The value of the override `candidate`.
    pub pin: Option<String>,
    /// The value of the override `library`.
    pub library: Option<String>,
    /// The client; `None` is the default one.
    pub client: Option<String>,
    /// The name of the default client, where there is one.
    pub default_client: Option<String>,
    /// The file of the watch folder that it came in by.
    pub dropped_file: Option<String>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The download, made or found.
    pub id: DownloadId,
    /// Whether it was made just now.
    pub created: bool,
}

impl NewIntake {
    /// An intake of a link or a bare infohash.
    #[must_use]
    pub fn of_magnet(magnet: &Magnet) -> Self {
        NewIntake {
            infohashes: magnet.infohashes().clone(),
            // Rebuilt from the parsed parts, never the text that was given.
            link: magnet.to_link(),
            name: magnet.name().unwrap_or_default().to_owned(),
            origin: if magnet.is_bare() { Origin::Infohash } else { Origin::Magnet },
            size_bytes: magnet.size_bytes(),
            torrent: None,
            dropped_addresses: magnet.dropped_addresses(),
            name_undecodable: magnet.name_undecodable(),
            hint: None,
            pin: None,
            library: None,
            client: None,
            default_client: None,
            dropped_file: None,
        }
    }

    /// An intake of a `.torrent`.
    #[must_use]
    pub fn of_torrent(torrent: &Torrent) -> Self {
        let link =
            Magnet::from_infohashes(torrent.infohashes().clone(), Some(torrent.name().to_owned()));
        NewIntake {
            infohashes: torrent.infohashes().clone(),
            link: link.to_link(),
            name: torrent.name().to_owned(),
            origin: Origin::Torrent,
            size_bytes: Some(torrent.size_bytes()),
            torrent: Some(torrent.bytes().to_vec()),
            dropped_addresses: 0,
            name_undecodable: false,
            hint: None,
            pin: None,
            library: None,
            client: None,
            default_client: None,
            dropped_file: None,
        }
    }

    /// The infohashes it carries.
    #[must_use]
    pub fn infohashes(&self) -> &InfohashSet {
        &self.infohashes
    }
}

impl fmt::Debug for NewIntake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the link and the file, which may carry a passkey.
        f.debug_struct("NewIntake")
            .field("infohashes", &self.infohashes)
            .field("name", &self.name)
            .field("origin", &self.origin)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

/// Accepts an intake. The same torrent twice is one download while the first is
/// active, whichever of its hashes the second one carries.
///
/// # Errors
/// A fault of the database; nothing is accepted then.
pub async fn accept(db: &Db, intake: NewIntake, actor: &Actor) -> Result<Acceptance, StoreError> {
    let (dropped_addresses, name_undecodable) = (intake.dropped_addresses, intake.name_undecodable);
    let accepted = db.write(actor, move |tx| accept_in(tx, &intake)).await?;
    let span = info_span!("download", download_id = %accepted.id);
    async {
        if accepted.created {
            info!(download_id = %accepted.id, actor = %actor, dropped_addresses, name_undecodable,
                "download accepted");
        } else {
            info!(download_id = %accepted.id, actor = %actor, "download was there already");
        }
    }
    .instrument(span)
    .await;
    Ok(accepted)
}

fn accept_in(tx: &mut WriteTx<'_>, intake: &NewIntake) -> Result<Acceptance, StoreError> {
    if intake.torrent.is_some() {
        merge_by_torrent(tx, intake)?;
    }
    let creation = tx.create_download_if_no_active(NewDownload {
        infohashes: intake.infohashes.clone(),
        magnet: intake.link.clone(),
        name: intake.name.clone(),
        origin: intake.origin,
        client: intake.client.clone(),
        size_bytes: intake.size_bytes,
        dropped_file: intake.dropped_file.clone(),
        state: DownloadState::Queued,
    })?;
    let id = creation.id();
    if let (Creation::Existing(_), Some(size)) = (&creation, intake.size_bytes) {
        tx.learn_size(id, size)?;
    }
    if let Some(bytes) = &intake.torrent {
        tx.keep_torrent_file(id, bytes)?;
    }
    let created = matches!(creation, Creation::Created(_));
    if keep_words(tx, id, intake)? && !created && tx.recognition_of(id)?.is_some() {
        recognise_again(tx, id)?;
    }
    Ok(Acceptance { id, created })
}

/// Keeps what a person said with it: the latest word wins, also on a download
/// that was there. Tells whether it says anything new about what it is.
fn keep_words(
    tx: &mut WriteTx<'_>,
    id: DownloadId,
    intake: &NewIntake,
) -> Result<bool, StoreError> {
    let mut learned = false;
    if let Some(hint) = &intake.hint
        && !tx.hints(id)?.contains(hint)
    {
        tx.add_hint(id, hint)?;
        learned = true;
    }
    if let Some(pin) = &intake.pin {
        let known = tx.override_of(id, "candidate")?;
        learned |= known.is_none_or(|known| known.value != *pin);
        tx.set_override(id, "candidate", pin)?;
    }
    if let Some(library) = &intake.library {
        tx.set_override(id, "library", library)?;
    }
    Ok(learned)
}

/// Unlike a link, a `.torrent` is proof that its hashes are one torrent: the
/// active downloads that own them become one, as far as they may. What is left
/// apart (another client, a batch that runs) the guard of the intake refuses.
fn merge_by_torrent(tx: &mut WriteTx<'_>, intake: &NewIntake) -> Result<(), StoreError> {
    let owners = tx.active_owners(intake.infohashes.iter())?;
    let Some((oldest, others)) = owners.split_first() else { return Ok(()) };
    let client_of = |tx: &WriteTx<'_>, id: DownloadId| -> Result<Option<String>, StoreError> {
        let named = tx.download(id)?.and_then(|row| row.client);
        Ok(named.or_else(|| intake.default_client.clone()))
    };
    let client = client_of(tx, *oldest)?;
    for owner in others {
        if client_of(tx, *owner)? == client {
            // A batch that runs refuses it; the reconciler tries again.
            let _merged = tx.merge_downloads(*oldest, *owner)?;
        }
    }
    Ok(())
}
