//! Changing what a torrent client does with a torrent.

use std::collections::BTreeSet;

use async_trait::async_trait;

use crate::observed::Handle;
use crate::ports::{ClientError, TorrentClient};
use crate::queue::QueueEnd;

/// What to remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// The entry in the client; the data stays.
    KeepData,
    /// The entry and the data.
    DeleteData,
}

/// The steering half of a torrent client. Each call may be repeated.
#[async_trait]
pub trait TorrentControl: Send + Sync {
    /// Stops a torrent.
    async fn stop(&self, handle: &Handle) -> Result<(), ClientError>;

    /// Starts a torrent.
    async fn start(&self, handle: &Handle) -> Result<(), ClientError>;

    /// Wants each file of a torrent but these, by their index in its list of files.
    /// The list has to be known.
    async fn select_files(
        &self,
        handle: &Handle,
        unwanted: &BTreeSet<u32>,
    ) -> Result<(), ClientError>;

    /// Puts a torrent at an end of the client's queue. A client that has none, or
    /// whose queue is off, rejects it and says so.
    async fn queue(&self, handle: &Handle, end: QueueEnd) -> Result<(), ClientError>;

    /// Removes a torrent. One that is not there counts as removed.
    async fn remove(&self, handle: &Handle, removal: Removal) -> Result<(), ClientError>;

    /// Puts tags on a torrent.
    async fn add_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError>;

    /// Takes tags off a torrent and deletes them in the client.
    async fn drop_tags(&self, handle: &Handle, tags: &[String]) -> Result<(), ClientError>;
}

/// Both halves of one client.
pub trait Client: TorrentClient + TorrentControl {}

impl<T: TorrentClient + TorrentControl> Client for T {}
