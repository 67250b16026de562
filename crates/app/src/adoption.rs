//! Moving in with clients that are in use: what is in them, and taking it over.

use tracker_domain::observed::Seen;
use tracker_domain::{Actor, Infohash, InfohashSet};
use tracker_ingest::{ClientEntry, Survey, adopt_each, survey};

use crate::Intake;
use crate::error::{AppError, FieldError};
use crate::intake::unanswered;
use crate::views::{
    AdoptedView, AdoptionView, DiscoveredView, FailureView, Ingested, Page, TwinView,
};

/// So many are taken over by one call.
pub const MAX_ADOPTED: usize = 200;

impl Intake {
    /// What each client has, or one of them, before any of it is taken over. Asks
    /// each once; one that does not answer is told beside the others.
    ///
    /// # Errors
    /// When there is no such client, or on a fault of the database.
    pub async fn adoption(&self, client: Option<String>) -> Result<Page<AdoptionView>, AppError> {
        let named = client.as_deref().map(|name| self.client(Some(name))).transpose()?;
        let entries: Vec<&ClientEntry> = match named {
            Some(entry) => vec![entry],
            None => self.clients.iter().collect(),
        };
        let mut items: Vec<AdoptionView> = Vec::with_capacity(entries.len());
        let mut met: Vec<(String, InfohashSet)> = Vec::new();
        for entry in entries {
            let found = survey(&self.db, entry).await;
            items.push(match found.map_err(|error| unanswered(&entry.name, error)) {
                Ok(survey) => view_of(entry, survey, &mut met),
                Err(AppError::ClientUnreachable { client, detail }) => {
                    let error = FailureView { code: "client-unreachable".to_owned(), detail };
                    AdoptionView {
                        client,
                        error: Some(error),
                        known: 0,
                        twins: Vec::new(),
                        torrents: Vec::new(),
                    }
                }
                Err(error) => return Err(error),
            });
        }
        Ok(Page { items, next: None })
    }

    /// Makes downloads of torrents that are in a client, one after the other: what
    /// keeps one from it keeps none of the others.
    ///
    /// # Errors
    /// When there is no such client, it cannot be asked, or there are too many.
    pub async fn adopt_many(
        &self,
        client: Option<String>,
        infohashes: Vec<Infohash>,
        actor: &Actor,
    ) -> Result<Page<AdoptedView>, AppError> {
        let entry = self.client(client.as_deref())?;
        if infohashes.is_empty() || infohashes.len() > MAX_ADOPTED {
            let detail = format!("name 1 to {MAX_ADOPTED} torrents");
            return Err(AppError::InvalidRequest(vec![FieldError::body("/infohashes", detail)]));
        }
        let adopted = adopt_each(&self.db, entry, &infohashes, actor)
            .await
            .map_err(|error| unanswered(&entry.name, error))?;
        let mut items = Vec::with_capacity(adopted.len());
        for (infohash, adopted) in infohashes.into_iter().zip(adopted) {
            let outcome = match adopted.map_err(|error| unanswered(&entry.name, error)) {
                Ok(one) => {
                    let download = self.show(one.id).await?;
                    Ok(Ingested { created: one.created, download })
                }
                Err(error @ AppError::TorrentNotFound { .. }) => {
                    Err(FailureView { code: "not-found".to_owned(), detail: error.to_string() })
                }
                Err(error) => return Err(error),
            };
            items.push(AdoptedView { infohash, outcome });
        }
        Ok(Page { items, next: None })
    }
}

/// One client. `met` are the torrents of the clients before it.
fn view_of(
    entry: &ClientEntry,
    survey: Survey,
    met: &mut Vec<(String, InfohashSet)>,
) -> AdoptionView {
    let mut torrents = Vec::with_capacity(survey.foreign.len());
    for seen in survey.foreign {
        let note = note_on(entry, &seen, met);
        met.push((entry.name.clone(), seen.infohashes.clone()));
        torrents.push(DiscoveredView {
            client: entry.name.clone(),
            name: seen.name,
            infohashes: seen.infohashes.iter().collect(),
            size_bytes: seen.size_bytes,
            state: seen.client_state,
            note,
        });
    }
    let twins = survey.twins.into_iter();
    let twins = twins.map(|twin| TwinView {
        download: twin.download,
        other: twin.other,
        name: twin.seen.name,
    });
    AdoptionView {
        client: entry.name.clone(),
        error: None,
        known: survey.known,
        twins: twins.collect(),
        torrents,
    }
}

/// What a person should know before one is taken over.
fn note_on(entry: &ClientEntry, seen: &Seen, met: &[(String, InfohashSet)]) -> Option<String> {
    let twin = met.iter().find(|(_, infohashes)| infohashes.intersects(&seen.infohashes));
    if let Some((client, _)) = twin {
        return Some(format!("the same torrent as one in {client:?}: they become one download"));
    }
    let error = entry.client.locate(&seen.save_path).err()?;
    Some(format!("it will not be linked before its folder is found here: {error}"))
}
