//! Fills a database with downloads that have lived: each finished one has its
//! events, recognition, batch, link and the wish that ended its mark.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tracker_domain::library::LinkMode;
use tracker_domain::observed::{ClientPath, Handle};
use tracker_domain::ports::{Clock, FileIdentity};
use tracker_domain::recognised::{Fields, Recognised, RecognitionState, TitleKind, Verdict};
use tracker_domain::{Actor, DownloadCause, DownloadState, Infohash, InfohashSet};
use tracker_store::{
    Db, NewBatch, NewDownload, NewLink, Origin, Placement, Reason, Staged, StoreError, WriteTx,
    migrate,
};
use tracker_system::SystemClock;

/// Rows in one transaction; one each would wait for the disk.
const CHUNK: usize = 500;

/// A download to write.
pub struct Lived {
    /// Its infohashes.
    pub infohashes: InfohashSet,
    /// Its name.
    pub name: String,
    /// What the client calls it.
    pub handle: String,
    /// Where the client keeps it.
    pub save_path: String,
    /// The size of its one file.
    pub size_bytes: u64,
    /// Whether its links stand; otherwise it is still downloading.
    pub done: bool,
}

impl Lived {
    /// One that no client has.
    pub fn made_up(number: usize, done: bool) -> Result<Self> {
        let v1: Infohash = format!("{:040x}", number + 0xabcd).parse().context("an infohash")?;
        Ok(Lived {
            infohashes: InfohashSet::one(v1),
            name: format!("Bench.Film.{number:06}.2020.1080p.BluRay.x264-GRP.mkv"),
            handle: v1.to_string(),
            save_path: format!("/srv/downloads/{number:06}"),
            size_bytes: 1024,
            done,
        })
    }
}

/// Makes the database of a data directory with these downloads.
pub fn fill(data: &Path, downloads: &[Lived]) -> Result<()> {
    let path = data.join("tracker.db");
    migrate::migrate(&path, None, SystemClock.now(), 0o600)?;
    let db = Db::open(&path, Arc::new(SystemClock))?;
    for chunk in downloads.chunks(CHUNK) {
        db.write_blocking(&Actor::System, |tx| {
            for download in chunk {
                write(tx, download)?;
            }
            for task in tx.due_tasks(tx.now())? {
                tx.finish_task(&task, None)?;
            }
            Ok::<_, StoreError>(())
        })?;
    }
    let states = [DownloadState::Done, DownloadState::Downloading];
    let count = db.read_blocking(|tx| {
        let filter = tracker_store::DownloadFilter {
            states: states.to_vec(),
            limit: u32::MAX,
            ..tracker_store::DownloadFilter::default()
        };
        Ok::<_, StoreError>(tx.downloads(&filter)?.len())
    })?;
    if count != downloads.len() {
        bail!("{count} of {} downloads came to be what they should", downloads.len());
    }
    Ok(())
}

fn write(tx: &mut WriteTx<'_>, lived: &Lived) -> Result<(), StoreError> {
    let made = tx.create_download_if_no_active(NewDownload {
        infohashes: lived.infohashes.clone(),
        magnet: String::new(),
        name: lived.name.clone(),
        origin: Origin::Magnet,
        client: None,
        dropped_file: None,
        size_bytes: None,
        state: DownloadState::Downloading,
    })?;
    let id = made.id();
    tx.set_place(id, &Handle(lived.handle.clone()), &ClientPath(lived.save_path.clone()))?;
    tx.set_placement(id, Placement::Added)?;
    if !lived.done {
        return Ok(());
    }
    tx.set_metadata(id, &lived.name, Some(lived.size_bytes))?;
    let found = Recognised {
        fields: Fields {
            kind: Some(TitleKind::Movie),
            title: Some("Bench Film".to_owned()),
            year: Some(2020),
            ..Fields::default()
        },
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Sure,
        confidence: 1.0,
        doubts: Vec::new(),
    };
    let recognition = tx.add_recognition(id, &found, RecognitionState::Accepted)?;
    let step = |tx: &mut WriteTx<'_>, cause| {
        let moved = tx.set_download_state(id, cause, &Reason::none())?;
        debug_assert!(moved.is_ok());
        Ok::<_, StoreError>(())
    };
    step(tx, DownloadCause::Finished)?;
    step(tx, DownloadCause::PlanAccepted)?;
    let (batch, links) = tx.plan_batch(&NewBatch {
        download: id,
        recognition,
        plan_id: "bench".to_owned(),
        library: "movies".to_owned(),
        root: PathBuf::from("/srv/media/Movies"),
        mode: LinkMode::Hardlink,
        links: vec![NewLink {
            file_index: 0,
            source: PathBuf::from(&lived.save_path).join(&lived.name),
            target: PathBuf::from("/srv/media/Movies").join(&lived.name),
        }],
    })?;
    let identity = FileIdentity { device: 1, inode: 1 };
    let size_bytes = lived.size_bytes;
    let staged = |id| Staged {
        id,
        identity,
        size_bytes,
        there_already: false,
        replaces: None,
        modified_ns: None,
    };
    let staged: Vec<Staged> = links.into_iter().map(staged).collect();
    tx.stage_batch(&staged)?;
    tx.record_batch(batch, id)?;
    step(tx, DownloadCause::BatchRecorded)
}
