//! `demo`: the main job shown on torrents that are made for it: `ingest --wait`, the
//! time of each step as the journal has it, and the library.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tracker_app::{AttentionFilter, DownloadQuery, EventQuery};
use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadState};
use tracker_wire::{DownloadDto, EventDto};

use crate::api::Api;
use crate::args::{Global, IngestArgs};
use crate::backends::{Access, Demo};
use crate::commands::{ingest, review};
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow, count, size};
use crate::run::{Context, parse_id};
use crate::target::Surroundings;
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Shows it. The exit code is that of the wait.
pub(crate) async fn demo(
    context: &Context<'_>,
    keep: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let began = Instant::now();
    let demo = context.backends.demo(keep).await?;
    let torrents = count(u64::try_from(demo.links.len()).unwrap_or(u64::MAX), "torrent");
    writeln!(
        terminal.err,
        "made and seeded {torrents} of {} on this machine in {:.1} s",
        size(demo.size_bytes),
        began.elapsed().as_secs_f64()
    )?;
    let global = Global {
        data_dir: Some(demo.folder.join("data")),
        config: Some(demo.config.clone()),
        json: context.global.json,
        ..Global::default()
    };
    let surroundings = Surroundings::default();
    let inside = Context {
        global: &global,
        surroundings: &surroundings,
        backends: &*demo.program,
        asks: false,
    };
    writeln!(terminal.err, "\n$ tracker ingest --wait LINK…")?;
    let began = Instant::now();
    let first = ingest::ingest(&inside, waiting_for(&demo.links), terminal);
    let mut code = timeout(PATIENCE, first).await.map_err(|_| stuck(&demo))??;
    let took = began.elapsed().as_secs_f64();
    if code == exit::NEEDS_PERSON {
        code = as_a_person(&inside, &demo, terminal).await?;
    }
    if !context.global.json {
        let api = demo.program.local(Access::Read).await?;
        steps(&*api, terminal).await?;
        writeln!(terminal.err, "from the links to the first rest: {took:.1} s")?;
        tree(&demo, terminal)?;
    }
    if keep {
        writeln!(terminal.err, "everything is in {}", demo.folder.display())?;
    }
    Ok(code)
}

/// What is on this machine alone needs no longer; a wait for a client that cannot
/// start would go on for ever.
const PATIENCE: Duration = Duration::from_secs(180);

fn stuck(demo: &Demo) -> ApiFailure {
    ApiFailure::failed(format!(
        "the demo does not get on; with --keep, `tracker doctor --config {} --data-dir {}` says why",
        demo.config.display(),
        demo.folder.join("data").display()
    ))
}

fn waiting_for(links: &[String]) -> IngestArgs {
    let inputs = links.iter().map(Into::into).collect();
    IngestArgs { inputs, hint: None, pin: None, library: None, client: None, wait: true }
}

/// Says of what waits for a word that it is right, and waits again.
async fn as_a_person(inside: &Context<'_>, demo: &Demo, terminal: &mut Terminal<'_>) -> Outcome {
    let waiting = DownloadQuery {
        attention: Some(AttentionFilter::Is(Attention::NeedsReview)),
        ..DownloadQuery::default()
    };
    let waiting = demo.program.local(Access::Read).await?.list(waiting).await?.items;
    let mut links = Vec::new();
    for download in &waiting {
        writeln!(terminal.err, "\n$ tracker accept {}", download.id)?;
        review::accept(inside, &download.id, None, terminal).await?;
        let theirs = |link: &&String| download.infohashes.iter().any(|hash| link.contains(hash));
        links.extend(demo.links.iter().filter(theirs).cloned());
    }
    writeln!(terminal.err, "\n$ tracker ingest --wait LINK…")?;
    ingest::ingest(inside, waiting_for(&links), terminal).await
}

/// What each step took, by the times of the journal.
async fn steps(api: &dyn Api, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let mut rows = Vec::new();
    let mut downloads = api.list(DownloadQuery::default()).await?.items;
    downloads.reverse();
    for download in downloads {
        rows.push(row(api, download).await?);
    }
    let header = ["HANDED OVER", "RECOGNISED", "DOWNLOADED", "LINKED", "NAME"];
    render::table(terminal, &header, rows, Overflow::Cut)
}

async fn row(api: &dyn Api, download: DownloadDto) -> Result<Vec<String>, ApiFailure> {
    let query = EventQuery {
        download_id: Some(parse_id(&download.id)?.typed()),
        limit: Some(200),
        ..EventQuery::default()
    };
    let events = api.events(query).await?.items;
    let accepted = parse_id(&download.id)?.unix_ms();
    // An id tells the millisecond at which it was made.
    let since = |event: Option<&EventDto>| {
        let at = event.and_then(|event| parse_id(&event.id).ok());
        at.map_or_else(String::new, |at| {
            let ms = at.unix_ms().saturating_sub(accepted);
            format!("{}.{} s", ms / 1000, ms % 1000 / 100)
        })
    };
    let first = |wanted: &dyn Fn(&EventDto) -> bool| since(events.iter().rev().find(|e| wanted(e)));
    let moved = |state: DownloadState| {
        first(&|event: &EventDto| {
            event.event_type == EventType::DownloadStateChanged.as_str()
                && event.data["to"] == state.as_str()
        })
    };
    let kind = |kind: EventType| first(&|event: &EventDto| event.event_type == kind.as_str());
    Ok(vec![
        moved(DownloadState::Downloading),
        kind(EventType::RecognitionAccepted),
        moved(DownloadState::Downloaded),
        kind(EventType::BatchApplied),
        clean(&download.name),
    ])
}

/// The library as it lies on the disk.
fn tree(demo: &Demo, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let mut files = Vec::new();
    below(&demo.library, &mut files)?;
    files.sort();
    writeln!(terminal.out, "\n{}", demo.library.display())?;
    for path in files {
        let found = fs::metadata(&path)?;
        let shown = path.strip_prefix(&demo.library).unwrap_or(&path);
        writeln!(
            terminal.out,
            "  {}  ({}, {} of the same bytes)",
            clean(&shown.to_string_lossy()),
            size(found.len()),
            count(found.nlink(), "name")
        )?;
    }
    Ok(())
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            below(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}
