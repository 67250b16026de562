//! Torrents in the clients that are nobody's, and taking one over.

use tracing::info;
use tracker_domain::observed::{Scope, Seen};
use tracker_domain::ports::ClientError;
use tracker_domain::{Actor, DownloadId, DownloadState, Infohash, Magnet};
use tracker_store::{
    Creation, Db, Download, NewDownload, Origin, Placement, ReadTx, StoreError, TaskKind,
};

use crate::ClientEntry;

/// A torrent that no download knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// The client it is in.
    pub client: String,
    /// What the client shows.
    pub seen: Seen,
}

/// What an adoption came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// The download, made or found.
    pub id: DownloadId,
    /// Whether it was made just now.
    pub created: bool,
}

/// Lists what the client has and no download owns or still has links of.
///
/// # Errors
/// When the client cannot be asked. A fault of the database counts as that too:
/// nothing can be said then.
pub async fn foreign_torrents(db: &Db, entry: &ClientEntry) -> Result<Vec<Foreign>, AskError> {
    let survey = survey(db, entry).await?;
    let foreign = survey.foreign.into_iter();
    Ok(foreign.map(|seen| Foreign { client: entry.name.clone(), seen }).collect())
}

/// What a client has, held against what is known here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Torrents of downloads that are active or done.
    pub known: usize,
    /// Of those, the ones that another client has for their download.
    pub twins: Vec<Twin>,
    /// Those that are nobody's.
    pub foreign: Vec<Seen>,
}

/// A torrent that two clients have. It is one download, in the other of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    /// The download.
    pub download: DownloadId,
    /// The client it is in.
    pub other: String,
    /// What this client shows.
    pub seen: Seen,
}

/// Looks at everything a client has, in one listing.
///
/// # Errors
/// When the client cannot be asked, or on a fault of the database.
pub async fn survey(db: &Db, entry: &ClientEntry) -> Result<Survey, AskError> {
    let listed = entry.client.observe(&Scope::Everything).await?;
    let client = entry.name.clone();
    let survey = db
        .read(move |tx| {
            let mut survey = Survey::default();
            for seen in listed {
                let Some(row) = owner(tx, &seen)? else {
                    survey.foreign.push(seen);
                    continue;
                };
                survey.known += 1;
                // One without a client was never sent: it will be found here.
                if let Some(other) = row.client.filter(|other| *other != client) {
                    survey.twins.push(Twin { download: row.id, other, seen });
                }
            }
            Ok::<_, StoreError>(survey)
        })
        .await?;
    Ok(survey)
}

/// The download that is active or done with this torrent; of several the one that
/// is active. A torrent of what was taken out of the lists is nobody's.
fn owner(tx: &ReadTx<'_>, seen: &Seen) -> Result<Option<Download>, StoreError> {
    let mut done = None;
    for id in tx.downloads_with(seen.infohashes.iter())? {
        match tx.download(id)? {
            Some(row) if row.state.is_active() => return Ok(Some(row)),
            Some(row) if row.state == DownloadState::Done && row.hidden_at.is_none() => {
                done = Some(row);
            }
            _ => {}
        }
    }
    Ok(done)
}

/// Makes a download of a torrent that is in the client. It is tagged, never
/// moved; path and handle come from observation.
///
/// # Errors
/// When the client cannot be asked or has no such torrent, or on a fault of the
/// database.
pub async fn adopt(
    db: &Db,
    entry: &ClientEntry,
    infohash: Infohash,
    actor: &Actor,
) -> Result<Adoption, AskError> {
    let adopted = adopt_each(db, entry, &[infohash], actor).await?;
    adopted.into_iter().next().unwrap_or(Err(AskError::NoSuchTorrent))
}

/// The same for several, in their order: what keeps one from it keeps none of the
/// others. The client is asked once for all of them, and once more for everything
/// only where it does not show one.
///
/// # Errors
/// When the client cannot be asked.
pub async fn adopt_each(
    db: &Db,
    entry: &ClientEntry,
    infohashes: &[Infohash],
    actor: &Actor,
) -> Result<Vec<Result<Adoption, AskError>>, AskError> {
    let mut listed = entry.client.observe(&Scope::Infohashes(infohashes.to_vec())).await?;
    // A hybrid answers to the v1 no more once its handle is the v2's front.
    if infohashes.iter().any(|hash| !listed.iter().any(|seen| is_it(seen, *hash))) {
        listed = entry.client.observe(&Scope::Everything).await?;
    }
    let mut adopted = Vec::with_capacity(infohashes.len());
    for infohash in infohashes {
        adopted.push(match listed.iter().find(|seen| is_it(seen, *infohash)) {
            Some(seen) => adopt_seen(db, entry, seen.clone(), actor).await,
            None => Err(AskError::NoSuchTorrent),
        });
    }
    Ok(adopted)
}

fn is_it(seen: &Seen, infohash: Infohash) -> bool {
    seen.infohashes.contains(&infohash)
        || infohash.v1().is_some_and(|v1| seen.infohashes.is_handle(&v1))
}

async fn adopt_seen(
    db: &Db,
    entry: &ClientEntry,
    seen: Seen,
    actor: &Actor,
) -> Result<Adoption, AskError> {
    let client = entry.name.clone();
    let adoption = db
        .write(actor, move |tx| {
            let link = Magnet::from_infohashes(seen.infohashes.clone(), Some(seen.name.clone()));
            let creation = tx.create_download_if_no_active(NewDownload {
                infohashes: seen.infohashes.clone(),
                magnet: link.to_link(),
                name: seen.name.clone(),
                origin: Origin::Adopted,
                client: Some(client),
                dropped_file: None,
                size_bytes: seen.size_bytes,
                state: DownloadState::Downloading,
            })?;
            let id = creation.id();
            let created = matches!(creation, Creation::Created(_));
            if created {
                tx.set_placement(id, Placement::Found)?;
                tx.set_place(id, &seen.handle, &seen.save_path)?;
                tx.add_task(id, TaskKind::Claim)?;
            }
            Ok::<_, StoreError>(Adoption { id, created })
        })
        .await?;
    info!(download_id = %adoption.id, actor = %actor, created = adoption.created, "torrent adopted");
    Ok(adoption)
}

/// Why nothing can be said of a client's torrents.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The client answers, and has no such torrent.
    #[error("the client has no torrent with this infohash")]
    NoSuchTorrent,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}
