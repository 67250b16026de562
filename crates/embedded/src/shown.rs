//! A torrent of the engine in the core's words.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use librqbit::{TorrentStats, TorrentStatsState};
use tracker_domain::InfohashV1;
use tracker_domain::observed::{ClientPath, Handle, Phase, Progress, RemoteFile, Seen};

use crate::book::Record;
use crate::engine::Managed;

/// How a torrent shows; `managed` is absent as long as its metadata is, or for its `fault`.
pub(crate) fn seen(
    v1: InfohashV1,
    record: &Record,
    managed: Option<&Managed>,
    fault: Option<String>,
) -> Seen {
    let stats = managed.map(|torrent| torrent.stats());
    let live = stats.as_ref().and_then(|stats| stats.live.as_ref());
    let peers = live.map(|live| u64::from(live.snapshot.peer_stats.live));
    let download_bps = live.map(|live| live.download_speed.as_bytes());
    let fault = fault.filter(|_| managed.is_none());
    let (phase, word) = match &stats {
        None if let Some(why) = &fault => (Phase::Errored, why.as_str()),
        None if record.stopped => (Phase::Stopped, "stopped"),
        None => (Phase::Metadata, "asking for metadata"),
        Some(stats) => match stats.state {
            TorrentStatsState::Initializing { .. } => (Phase::Checking, "checking"),
            TorrentStatsState::Error => (Phase::Errored, "error"),
            TorrentStatsState::Paused if stats.finished => (Phase::Complete, "stopped, complete"),
            TorrentStatsState::Paused => (Phase::Stopped, "stopped"),
            TorrentStatsState::Live if stats.finished => (Phase::Complete, "seeding"),
            TorrentStatsState::Live if peers == Some(0) => (Phase::Stalled, "waiting for peers"),
            TorrentStatsState::Live => (Phase::Downloading, "downloading"),
        },
    };
    let sizes = managed.zip(stats.as_ref()).and_then(|(torrent, stats)| wanted(torrent, stats));
    let progress = match &stats {
        None => Progress { stopped: record.stopped, ..Progress::default() },
        Some(stats) => {
            let speed = download_bps.filter(|speed| *speed > 0);
            let left = sizes.and_then(Wanted::left_bytes).filter(|left| *left > 0);
            Progress {
                bytes_done: sizes.and_then(|sizes| sizes.done_bytes),
                bytes_total: sizes.map(|sizes| sizes.bytes),
                download_bps,
                upload_bps: live.map(|live| live.upload_speed.as_bytes()),
                eta_seconds: speed.zip(left).map(|(speed, left)| left.div_ceil(speed)),
                peers,
                ratio: record.ratio(stats.total_bytes),
                stopped: matches!(stats.state, TorrentStatsState::Paused),
                seeding_seconds: record.seeding_ms.map(|time| time / 1000),
            }
        }
    };
    Seen {
        handle: Handle(v1.to_string()),
        infohashes: record.infohashes(v1),
        name: record.name.clone(),
        phase,
        client_state: word.to_owned(),
        progress,
        has_metadata: managed.is_some(),
        size_bytes: sizes.map(|sizes| sizes.bytes),
        save_path: ClientPath(record.save_path.to_string_lossy().into_owned()),
        tags: record.tags.clone(),
    }
}

/// The files that are wanted, in bytes. The engine itself counts whole pieces, and
/// the padding that a hybrid has between its files.
#[derive(Clone, Copy)]
struct Wanted {
    bytes: u64,
    /// Unknown while it checks: then it tells only how far the check has come.
    done_bytes: Option<u64>,
}

impl Wanted {
    fn left_bytes(self) -> Option<u64> {
        self.done_bytes.map(|done| self.bytes - done)
    }
}

fn wanted(torrent: &Managed, stats: &TorrentStats) -> Option<Wanted> {
    let selected = torrent.only_files();
    let sizes = torrent.with_metadata(|metadata| {
        let files = metadata.file_infos.iter().enumerate();
        let wanted = files.filter(|(index, file)| {
            let chosen = selected.as_ref().is_none_or(|chosen| chosen.contains(index));
            !file.attrs.padding && chosen
        });
        wanted.fold((0, 0), |(bytes, done), (index, file)| {
            let had = stats.file_progress.get(index).copied().unwrap_or_default();
            (bytes + file.len, done + had.min(file.len))
        })
    });
    let (bytes, done) = sizes.ok()?;
    let checks = matches!(stats.state, TorrentStatsState::Initializing { .. });
    Some(Wanted { bytes, done_bytes: (!checks).then_some(done) })
}

/// The files of a torrent below the folder it was asked to go to, without padding.
pub(crate) fn files(save_path: &Path, torrent: &Managed) -> Vec<RemoteFile> {
    let stats = torrent.stats();
    let selected = torrent.only_files();
    let inner = torrent.output_folder().strip_prefix(save_path).unwrap_or(Path::new(""));
    let list = torrent.with_metadata(|metadata| {
        let files = metadata.file_infos.iter().enumerate();
        let real = files.filter(|(_, file)| !file.attrs.padding);
        // Counted without padding, as other clients do.
        let shown = real.zip(0..).filter_map(|((index, file), number)| {
            let have = stats.file_progress.get(index).copied();
            Some(RemoteFile {
                index: number,
                path: inner.join(&file.relative_filename).to_str()?.to_owned(),
                size_bytes: file.len,
                selected: selected.as_ref().is_none_or(|chosen| chosen.contains(&index)),
                complete: have.is_some_and(|have| have >= file.len),
            })
        });
        shown.collect()
    });
    list.unwrap_or_default()
}

/// The engine's own numbers of the files that are wanted, each with the padding
/// behind it.
pub(crate) fn wanted_indices(torrent: &Managed, unwanted: &BTreeSet<u32>) -> HashSet<usize> {
    let list = torrent.with_metadata(|metadata| {
        let (mut number, mut is_wanted) = (0, true);
        let files = metadata.file_infos.iter().enumerate();
        let wanted = files.filter_map(|(index, file)| {
            if !file.attrs.padding {
                is_wanted = !unwanted.contains(&number);
                number += 1;
            }
            is_wanted.then_some(index)
        });
        wanted.collect()
    });
    list.unwrap_or_default()
}
