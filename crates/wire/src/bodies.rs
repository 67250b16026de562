//! What a caller sends.

use serde::{Deserialize, Serialize};
use tracker_app::RemoveRequest;
use tracker_domain::ask::AskScope;
use tracker_domain::queue::QueueEnd;
use utoipa::ToSchema;

use crate::words;

/// An intake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IngestBody {
    /// A magnet link or a bare infohash: 40 or 64 hex digits, 32 base32 characters.
    pub magnet: String,
    /// Free text that steers recognition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// A title of a metadata source, such as `tmdb:603`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<String>,
    /// The name of a library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// The name of a client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// Another try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RetryBody {
    /// The client to try it with; the one it has when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// Another client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveBody {
    /// The name of the client it goes to.
    pub client: String,
}

/// Another place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriorityBody {
    /// Before all others, or after them.
    pub place: QueueEndDto,
}

/// An end of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QueueEndDto {
    /// Before all others.
    First,
    /// After all others.
    Last,
}

impl From<QueueEndDto> for QueueEnd {
    fn from(place: QueueEndDto) -> Self {
        match place {
            QueueEndDto::First => QueueEnd::First,
            QueueEndDto::Last => QueueEnd::Last,
        }
    }
}

impl From<QueueEnd> for QueueEndDto {
    fn from(end: QueueEnd) -> Self {
        match end {
            QueueEnd::First => QueueEndDto::First,
            QueueEnd::Last => QueueEndDto::Last,
        }
    }
}

/// Giving up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelBody {
    /// Remove the torrent from the client.
    #[serde(default)]
    pub remove_torrent: bool,
    /// Delete its data too. Only together with `remove_torrent`.
    #[serde(default)]
    pub delete_data: bool,
}

/// Taking out of the lists, and what goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemoveBody {
    /// Undo its links in libraries.
    #[serde(default)]
    pub links: bool,
    /// Remove the torrent from the client.
    #[serde(default)]
    pub remove_torrent: bool,
    /// Delete its data too. Only together with `remove_torrent`.
    #[serde(default)]
    pub delete_data: bool,
}

impl From<RemoveBody> for RemoveRequest {
    fn from(body: RemoveBody) -> Self {
        let RemoveBody { links, remove_torrent, delete_data } = body;
        RemoveRequest { links, remove_torrent, delete_data }
    }
}

/// Taking over a torrent that is in a client already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdoptBody {
    /// The client it is in; the default one when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// One of its infohashes.
    #[schema(value_type = words::InfohashText)]
    pub infohash: String,
}

/// Taking over many torrents of one client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdoptManyBody {
    /// The client they are in; the default one when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// An infohash of each.
    #[schema(value_type = Vec<words::InfohashText>, min_items = 1, max_items = 200)]
    pub infohashes: Vec<String>,
}

/// Choosing among the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChooseBody {
    /// The files that are not wanted, by their index; each other one is.
    pub skip: Vec<u32>,
}

/// What it is, in free text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HintBody {
    /// The words: 1 to 2000 characters, space around them not counted.
    #[schema(value_type = words::HintText)]
    pub text: String,
}

/// What a person wants to be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskBody {
    /// This download, or every download of its title.
    pub scope: AskScopeDto,
}

/// How far a rule reaches that a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AskScopeDto {
    /// This download.
    Download,
    /// Every download of its title.
    Title,
}

impl From<AskScopeDto> for AskScope {
    fn from(scope: AskScopeDto) -> Self {
        match scope {
            AskScopeDto::Download => AskScope::Download,
            AskScopeDto::Title => AskScope::Title,
        }
    }
}

impl From<AskScope> for AskScopeDto {
    fn from(scope: AskScope) -> Self {
        match scope {
            AskScope::Download => AskScopeDto::Download,
            AskScope::Title => AskScopeDto::Title,
        }
    }
}

/// What a field is set to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OverrideBody {
    /// The value; a number or a boolean counts as its text.
    #[schema(value_type = words::OverrideValue)]
    pub value: String,
    /// Whether it is remembered for every release of the same group and title.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
}
