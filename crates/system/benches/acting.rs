//! How fast a batch of ten thousand hard links is staged and committed, beside
//! `cp -al` on the same tree, and how much memory it takes.
//!
//! `cp -al` makes names and nothing else. A batch looks at every source, names
//! every link twice, checks its identity and makes all folders durable; so there
//! is a second row with a `sync` of the filesystem after the copy.
//! `--markdown` prints nothing but rows of a table.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_layout::{LinkToMake, LinkToRemove, StagedLink, commit, stage, undo};
use tracker_system::LocalFiles;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const FILES: u64 = 10_000;
const FOLDERS: u64 = 200;
const ROUNDS: usize = 7;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|arg| arg == "--bench") {
        // A test run that takes benches along does not mean this.
        return Ok(());
    }
    // On the disk that is built on: folders for temporary files may be memory.
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let downloads = place.path().join("downloads");
    let root = place.path().join("library");
    fs::create_dir(&root)?;
    let links = payload(&downloads, &root)?;
    let library = Library {
        name: "bench".to_owned(),
        kind: LibraryKind::Other,
        root: root.clone(),
        mode: LinkMode::Hardlink,
    };
    sync(place.path())?;
    let before = memory_kib("VmRSS")?;
    let mut figures = Figures::default();
    for _ in 0..ROUNDS {
        let (seconds, staged) = ours(&library, &links)?;
        figures.ours.push(seconds);
        take_out(&root, &links, &staged)?;
        let copy = place.path().join("copy");
        let (bare, durable) = beside(&downloads, &copy)?;
        figures.bare.push(bare);
        figures.durable.push(durable);
        fs::remove_dir_all(&copy)?;
        sync(place.path())?;
    }
    let memory = memory_kib("VmHWM")?.saturating_sub(before);
    print(&figures, memory, args.iter().any(|arg| arg == "--markdown"));
    Ok(())
}

/// Seconds of each round.
#[derive(Default)]
struct Figures {
    ours: Vec<f64>,
    bare: Vec<f64>,
    durable: Vec<f64>,
}

#[expect(clippy::disallowed_methods, reason = "what is measured here is time")]
fn now() -> Instant {
    Instant::now()
}

/// A tree of small files, and the links that it gets.
fn payload(downloads: &Path, root: &Path) -> Result<Vec<LinkToMake>> {
    let mut links = Vec::new();
    for number in 0..FILES {
        let folder = downloads.join(format!("Season {:03}", number % FOLDERS));
        fs::create_dir_all(&folder)?;
        let source = folder.join(format!("Show.S01E{number:05}.1080p.mkv"));
        fs::write(&source, number.to_string())?;
        let target = format!("Show (2001)/Season {:03}/Show S01E{number:05}.mkv", number % FOLDERS);
        links.push(LinkToMake {
            link_id: tracker_ident::derived(1_700_000_000_000, number, "file_link").typed(),
            source,
            target: root.join(target),
            size_bytes: Some(number.to_string().len() as u64),
            replace: false,
            ours: None,
        });
    }
    Ok(links)
}

fn ours(library: &Library, links: &[LinkToMake]) -> Result<(f64, Vec<StagedLink>)> {
    let batch = tracker_ident::derived(1_700_000_000_000, 0, "apply_batch").typed();
    let began = now();
    let staged = stage(&LocalFiles, library, links, &|_| {})?;
    commit(&LocalFiles, library, batch, links, &staged)?;
    Ok((began.elapsed().as_secs_f64(), staged))
}

fn take_out(root: &Path, links: &[LinkToMake], staged: &[StagedLink]) -> Result<()> {
    let batch = tracker_ident::derived(1_700_000_000_000, 0, "apply_batch").typed();
    let remove: Vec<LinkToRemove> = links
        .iter()
        .zip(staged)
        .map(|(link, staged)| LinkToRemove {
            link_id: link.link_id,
            identity: staged.identity,
            target: link.target.clone(),
            replaced: None,
            size_bytes: None,
            modified_ns: None,
            last_stays: false,
            trash_of: None,
        })
        .collect();
    let report = undo(&LocalFiles, root, batch, &remove);
    if report.removed.len() != links.len() {
        return Err(format!("undo kept {:?}", report.kept).into());
    }
    Ok(())
}

/// Seconds of `cp -al`, without and with making it durable.
fn beside(downloads: &Path, copy: &PathBuf) -> Result<(f64, f64)> {
    let began = now();
    if !Command::new("cp").arg("-al").arg(downloads).arg(copy).status()?.success() {
        return Err("cp -al failed".into());
    }
    let bare = began.elapsed().as_secs_f64();
    sync(copy)?;
    Ok((bare, began.elapsed().as_secs_f64()))
}

fn sync(at: &Path) -> Result<()> {
    if !Command::new("sync").arg("--file-system").arg(at).status()?.success() {
        return Err("sync failed".into());
    }
    Ok(())
}

fn memory_kib(line: &str) -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let found = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':'));
    let text = found.ok_or("the process tells no memory")?;
    Ok(text.trim().trim_end_matches("kB").trim().parse()?)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

#[expect(clippy::print_stdout, reason = "the table is the answer")]
fn print(figures: &Figures, memory_kib: u64, markdown: bool) {
    let files = FILES as f64;
    let [ours, bare, durable] =
        [&figures.ours, &figures.bare, &figures.durable].map(|of| files / median(of.clone()));
    if !markdown {
        println!("| what | tracker | beside it | ratio |");
        println!("|---|---|---|---:|");
    }
    let what = format!("hard links a second, a batch of {FILES} staged, committed and synced");
    println!("| {what} | {ours:.0}/s | {bare:.0}/s, `cp -al` | {:.2} |", ours / bare);
    println!(
        "| the same | {ours:.0}/s | {durable:.0}/s, `cp -al` and `sync` | {:.2} |",
        ours / durable
    );
    println!(
        "| memory of that batch above what the process had | {:.1} MiB | {:.0} B a link | - |",
        memory_kib as f64 / 1024.0,
        memory_kib as f64 * 1024.0 / files
    );
}
