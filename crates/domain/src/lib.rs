//! The words of the product: entities, states, infohashes, magnets, time, and
//! the ports through which the core reaches the outside.
//!
//! Nothing here touches SQLite, HTTP, a clock, a file or a thread. Text from
//! people, clients and disks becomes one of these types in one constructor and
//! is trusted from there on.

pub mod access;
pub mod actor;
pub mod ask;
pub mod attention;
pub mod backup_schedule;
pub mod bencode;
pub mod download;
pub mod entity;
pub mod error;
pub mod event;
pub mod fact;
pub mod health;
pub mod infohash;
pub mod job;
pub mod library;
pub mod magnet;
pub mod metadata;
pub mod network;
pub mod notify;
pub mod number;
pub mod observed;
pub mod pause;
pub mod ports;
pub mod queue;
pub mod recognised;
pub mod remark;
pub mod secret;
pub mod seeding;
pub mod time;
pub mod torrent;
pub mod unseen;
mod words;

pub use actor::Actor;
pub use attention::Attention;
pub use backup_schedule::BackupHistory;
pub use download::{DownloadCause, DownloadState, IllegalTransition};
pub use entity::{
    BackupId, BatchId, DownloadId, EntityKind, EventId, FileLinkId, JobId, RecognitionId,
};
pub use infohash::{Infohash, InfohashKind, InfohashSet, InfohashV1, InfohashV2};
pub use job::{BackupState, JobKind, JobState};
pub use magnet::{Magnet, MagnetError};
pub use pause::Pause;
pub use remark::Remark;
pub use secret::Secret;
pub use time::{Timestamp, UnixMillis};
pub use torrent::{Torrent, TorrentError};
