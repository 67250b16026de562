//! Answers as text: tables for people, REST shapes for programs.

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use tracker_wire::{DownloadDto, EventDto, HealthDto, IngestDto, ProgressDto};

use crate::terminal::{Stop, Terminal, clean};

/// How many characters of an id tell rows of a table apart.
const SHORT_ID: usize = 8;

/// Prints a value as one line of JSON.
pub(crate) fn json(terminal: &mut Terminal<'_>, value: &impl Serialize) -> Result<(), Stop> {
    let text = serde_json::to_string(value).map_err(std::io::Error::from)?;
    writeln!(terminal.out, "{text}")?;
    Ok(())
}

/// Prints rows below each other; an empty list prints no header either.
pub(crate) fn table(
    terminal: &mut Terminal<'_>,
    header: &[&str],
    rows: Vec<Vec<String>>,
) -> Result<(), Stop> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    match terminal.width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| clean(cell)).collect::<Vec<_>>());
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    writeln!(terminal.out, "{}", table.trim_fmt())?;
    Ok(())
}

/// An id in a table.
pub(crate) fn id(id: &str, long: bool) -> String {
    let start = if long { 0 } else { id.len().saturating_sub(SHORT_ID) };
    id.get(start..).unwrap_or(id).to_owned()
}

/// The line of an intake: the whole id, and whether it was made just now.
pub(crate) fn ingested(
    terminal: &mut Terminal<'_>,
    as_json: bool,
    answer: &IngestDto,
) -> Result<(), Stop> {
    if as_json {
        return json(terminal, answer);
    }
    let word = if answer.created { "created" } else { "existing" };
    writeln!(terminal.out, "{}\t{word}", answer.download.id)?;
    Ok(())
}

/// Downloads as a table.
pub(crate) fn downloads(
    terminal: &mut Terminal<'_>,
    downloads: &[DownloadDto],
    long: bool,
) -> Result<(), Stop> {
    let rows = downloads
        .iter()
        .map(|download| {
            vec![
                id(&download.id, long),
                download.state.clone(),
                download.attention.clone().unwrap_or_default(),
                download.progress.as_ref().and_then(percent).unwrap_or_default(),
                download.client.clone().unwrap_or_default(),
                download.name.clone(),
            ]
        })
        .collect();
    table(terminal, &["ID", "STATE", "ATTENTION", "DONE", "CLIENT", "NAME"], rows)
}

/// One download, a line for each thing that is known.
pub(crate) fn download(terminal: &mut Terminal<'_>, download: &DownloadDto) -> Result<(), Stop> {
    let mut lines: Vec<(&str, String)> = vec![
        ("id", download.id.clone()),
        ("name", download.name.clone()),
        ("state", download.state.clone()),
    ];
    if let Some(attention) = &download.attention {
        let detail = download.attention_detail.as_deref().map(|text| format!(": {text}"));
        lines.push(("attention", format!("{attention}{}", detail.unwrap_or_default())));
    }
    if let Some(error) = &download.error {
        lines.push(("error", format!("{}: {}", error.code, error.detail)));
    }
    lines.extend(download.merged_into.clone().map(|id| ("merged into", id)));
    lines.extend(download.client.clone().map(|client| ("client", client)));
    for infohash in &download.infohashes {
        lines.push(("infohash", infohash.clone()));
    }
    lines.extend(download.progress.as_ref().map(|progress| ("progress", progress_text(progress))));
    lines.push(("created", download.created_at.clone()));
    lines.push(("updated", download.updated_at.clone()));
    lines.push(("revision", download.revision.to_string()));
    members(terminal, &lines)
}

/// Names and values, a line each.
pub(crate) fn members(terminal: &mut Terminal<'_>, lines: &[(&str, String)]) -> Result<(), Stop> {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in lines {
        writeln!(terminal.out, "{name:width$}  {}", clean(value))?;
    }
    Ok(())
}

/// Entries of the journal as a table.
pub(crate) fn events<'a>(
    terminal: &mut Terminal<'_>,
    events: impl IntoIterator<Item = &'a EventDto>,
    long: bool,
) -> Result<(), Stop> {
    let rows = events
        .into_iter()
        .map(|event| {
            vec![
                event.created_at.clone(),
                id(
                    event.download_id.as_ref().or(event.entity_id.as_ref()).map_or("", |id| id),
                    long,
                ),
                event.event_type.clone(),
                event.actor.clone(),
                event.message.clone(),
            ]
        })
        .collect();
    table(terminal, &["TIME", "ABOUT", "TYPE", "ACTOR", "MESSAGE"], rows)
}

/// One entry on a line of its own, for a list that has no end.
pub(crate) fn event_line(
    terminal: &mut Terminal<'_>,
    event: &EventDto,
    long: bool,
) -> Result<(), Stop> {
    let about = event.download_id.as_ref().or(event.entity_id.as_ref()).map_or("", |id| id);
    let (kind, message) = (clean(&event.event_type), clean(&event.message));
    writeln!(terminal.out, "{}  {:8}  {kind:24}  {message}", event.created_at, id(about, long))?;
    terminal.out.flush()?;
    Ok(())
}

/// Health checks, what to do below each one that is not fine.
pub(crate) fn health(terminal: &mut Terminal<'_>, health: &HealthDto) -> Result<(), Stop> {
    for check in &health.checks {
        let subject =
            if check.subject.is_empty() { String::new() } else { format!(" {}", check.subject) };
        let line = format!("{:8} {}{subject}: {}", check.level, check.code, check.detail);
        writeln!(terminal.out, "{}", clean(&line))?;
        if check.level != "ok" && !check.remedy.is_empty() {
            writeln!(terminal.out, "         {}", clean(&check.remedy))?;
        }
    }
    writeln!(terminal.out, "{}", clean(&health.status))?;
    Ok(())
}

/// How much is there, rounded down so that 100 % means all of it.
fn percent(progress: &ProgressDto) -> Option<String> {
    let (done, total) = (progress.bytes_done?, progress.bytes_total?);
    let hundredths = u128::from(done) * 100 / u128::from(total).max(1);
    (total > 0).then(|| format!("{hundredths} %"))
}

fn progress_text(progress: &ProgressDto) -> String {
    let mut parts = Vec::new();
    parts.extend(percent(progress));
    parts.extend(progress.bytes_total.map(|total| format!("of {}", size(total))));
    parts.extend(progress.download_bps.map(|speed| format!("{}/s down", size(speed))));
    parts.extend(progress.upload_bps.map(|speed| format!("{}/s up", size(speed))));
    parts.extend(progress.peers.map(|peers| format!("{peers} peers")));
    parts.extend(progress.eta_seconds.map(|seconds| format!("{seconds} s to go")));
    parts.extend(progress.ratio.map(|ratio| format!("ratio {ratio:.2}")));
    parts.join(", ")
}

/// Bytes as a person reads them.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut tenths = u128::from(bytes) * 10;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} B")
    } else {
        format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    }
}
