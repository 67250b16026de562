//! Entries of the journal, and where the entity of an id is found.

use serde::{Deserialize, Serialize};
use tracker_app::{EntityView, EventView};
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

/// Where the entity of an id is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

impl From<EntityView> for EntityDto {
    fn from(view: EntityView) -> Self {
        EntityDto {
            kind: view.kind.as_str().to_owned(),
            id: view.id.to_string(),
            download_id: view.download_id.map(|id| id.to_string()),
            url: view.url,
        }
    }
}
