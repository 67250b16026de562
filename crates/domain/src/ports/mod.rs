//! The ports: what the core needs from the outside, in its own words.
//!
//! Each has its own error with the causes that the core acts on. Every adapter
//! and its fake pass one shared contract test from `testkit`.

mod backup_target;
mod clock;
mod files;
mod images;
mod live;
mod media_server;
mod metadata_source;
mod notifier;
mod receivers;
mod torrent_client;
mod torrent_control;
mod watch_folder;

pub use backup_target::{BackupMark, BackupTarget, BackupTargetError, StoredBackup};
pub use clock::Clock;
pub use files::{FileIdentity, FileStat, Files, FilesError, FilesErrorKind, Filesystem, Reach};
pub use images::{Image, Images, NoImages};
pub use live::{Examiner, Live, NobodyWatches};
pub use media_server::{MediaServer, MediaServerError, OutsideFolder, Section};
pub use metadata_source::{MetadataError, MetadataSource};
pub use notifier::{Notice, Notifier, NotifyError};
pub use receivers::{NoReceivers, Receiver, Receivers};
pub use torrent_client::{
    AddOutcome, AddRequest, AddSource, ClientError, ClientInfo, LocateError, TorrentClient,
};
pub use torrent_control::{Client, Removal, TorrentControl};
pub use watch_folder::{Drawer, Dropped, Held, WatchFolder};
