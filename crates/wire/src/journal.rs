//! Entries of the journal, and where the entity of an id is found.

use serde::{Deserialize, Serialize};
use tracker_app::{EntityView, EventView, StoryView};
use utoipa::ToSchema;

use crate::words;

/// One entry of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventDto {
    /// Its id; sorts by commit.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// When.
    #[schema(value_type = words::Moment)]
    pub created_at: String,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(value_type = words::EventWord)]
    pub event_type: String,
    /// The kind of the entity it is about.
    #[schema(required, value_type = Option<words::Kind>)]
    pub entity_kind: Option<String>,
    /// The entity it is about.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub entity_id: Option<String>,
    /// What the entity was called then.
    #[schema(required)]
    pub entity_name: Option<String>,
    /// The download it belongs to.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub download_id: Option<String>,
    /// The job it belongs to.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub job_id: Option<String>,
    /// Who caused it: `web:<user>`, `api:<token name>`, `telegram:<user id>`,
    /// `cli:<login>`, `reconciler`, `worker` or `system`.
    pub actor: String,
    /// In words.
    pub message: String,
    /// Details.
    #[serde(default)]
    #[schema(required, value_type = Object)]
    pub data: serde_json::Value,
}

/// Where an entity is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EntityRefDto {
    /// Its kind.
    #[schema(value_type = words::Kind)]
    pub kind: String,
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// Its address on this host, such as `/api/v1/downloads/…`.
    pub url: String,
}

/// Where to look in the log for what happened to an entity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogDto {
    /// The text to look for: the id of its download, where it has one, else its own.
    #[schema(value_type = words::Ulid)]
    pub search: String,
    /// The time of its first entry in the journal.
    #[schema(required, value_type = Option<words::Moment>)]
    pub since: Option<String>,
    /// The time of its last entry in the journal.
    #[schema(required, value_type = Option<words::Moment>)]
    pub until: Option<String>,
}

/// The entity of an id and its story.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EntityDto {
    /// Its kind.
    #[schema(value_type = words::Kind)]
    pub kind: String,
    /// Its id.
    #[schema(value_type = words::Ulid)]
    pub id: String,
    /// The download it belongs to; left out when it belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<words::Ulid>)]
    pub download_id: Option<String>,
    /// Its address on this host, such as `/api/v1/downloads/…`.
    pub url: String,
    /// What belongs to it and what it belongs to, its download first; at most 100.
    #[serde(default)]
    #[schema(required)]
    pub related: Vec<EntityRefDto>,
    /// The last 50 entries of the journal about it, newest first; of a download all
    /// that belong to it. `GET /events` has the rest.
    #[serde(default)]
    #[schema(required)]
    pub events: Vec<EventDto>,
    /// Where to look in the log.
    #[serde(default)]
    #[schema(required)]
    pub log: LogDto,
}

impl From<EventView> for EventDto {
    fn from(view: EventView) -> Self {
        EventDto {
            id: view.id.to_string(),
            created_at: view.created_at.to_string(),
            event_type: view.event_type.as_str().to_owned(),
            entity_kind: view.entity_kind.map(|kind| kind.as_str().to_owned()),
            entity_id: view.entity_id.map(|id| id.to_string()),
            entity_name: view.entity_name,
            download_id: view.download_id.map(|id| id.to_string()),
            job_id: view.job_id.map(|id| id.to_string()),
            actor: view.actor,
            message: view.message,
            data: object(view.data),
        }
    }
}

/// `data` is an object for every reader, also where a row has none.
fn object(data: serde_json::Value) -> serde_json::Value {
    if data.is_null() { serde_json::Value::Object(serde_json::Map::new()) } else { data }
}

impl From<EntityView> for EntityRefDto {
    fn from(view: EntityView) -> Self {
        EntityRefDto { kind: view.kind.as_str().to_owned(), id: view.id.to_string(), url: view.url }
    }
}

impl From<StoryView> for EntityDto {
    fn from(view: StoryView) -> Self {
        let StoryView { entity, related, events, log_id, since, until } = view;
        EntityDto {
            kind: entity.kind.as_str().to_owned(),
            id: entity.id.to_string(),
            download_id: entity.download_id.map(|id| id.to_string()),
            url: entity.url,
            related: related.into_iter().map(Into::into).collect(),
            events: events.into_iter().map(Into::into).collect(),
            log: LogDto {
                search: log_id.to_string(),
                since: since.map(|time| time.to_string()),
                until: until.map(|time| time.to_string()),
            },
        }
    }
}
