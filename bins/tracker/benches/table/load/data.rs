//! A database whose inbox is full in each of its groups.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use tracker_domain::{Actor, Attention, DownloadState};
use tracker_store::{Db, DownloadFilter, StoreError};
use tracker_system::SystemClock;

use crate::seed;

/// Of each that is not done: more than a page shows, so that one more changes no page.
const OPEN: usize = 60;
/// Rows of a full inbox: 50 that wait, 50 under way, 20 that ended.
pub const SHOWN: usize = 120;

/// Makes the database with so many downloads.
pub fn fill(data: &Path, count: usize) -> Result<()> {
    std::fs::create_dir(data).context("making a folder")?;
    let downloads: Result<Vec<seed::Lived>> =
        (0..count).map(|number| seed::Lived::made_up(number, number + 2 * OPEN < count)).collect();
    seed::fill(data, &downloads?)?;
    let db = Db::open(&data.join("tracker.db"), Arc::new(SystemClock))?;
    db.write_blocking(&Actor::System, |tx| {
        let open = DownloadFilter {
            states: vec![DownloadState::Downloading],
            limit: u32::MAX,
            ..DownloadFilter::default()
        };
        for download in tx.downloads(&open)?.into_iter().take(OPEN) {
            let marked =
                tx.raise_attention(download.id, Attention::NeedsReview, "which of two films")?;
            debug_assert!(marked.is_ok());
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(())
}
