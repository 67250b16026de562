//! Answers as text: tables for people, REST shapes for programs.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};
use serde::Serialize;
use tracker_wire::{DownloadDto, HealthDto, IngestDto, ProgressDto};

use crate::terminal::{Stop, Terminal, clean};

/// The last column keeps at least this, however narrow the terminal is.
const NARROWEST: u16 = 20;

/// Prints a value as one line of JSON.
pub(crate) fn json(terminal: &mut Terminal<'_>, value: &impl Serialize) -> Result<(), Stop> {
    let text = serde_json::to_string(value).map_err(std::io::Error::from)?;
    writeln!(terminal.out, "{text}")?;
    Ok(())
}

/// What becomes of a last column that is wider than the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// It goes on below.
    Wrap,
    /// It is cut.
    Cut,
}

/// Prints rows below each other; an empty list prints no header either. Only
/// the last column gives way: the others have ids and hashes, which are copied.
/// A line break in it is one of ours: foreign text is cleaned before.
pub(crate) fn table(
    terminal: &mut Terminal<'_>,
    header: &[&str],
    rows: Vec<Vec<String>>,
    overflow: Overflow,
) -> Result<(), Stop> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    table.set_truncation_indicator("…");
    match terminal.width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    let last = header.len().saturating_sub(1);
    for row in rows {
        let cells = row.iter().enumerate();
        let cells: Vec<String> =
            cells.map(|(at, cell)| if at == last { lines_of(cell) } else { clean(cell) }).collect();
        let mut row = comfy_table::Row::from(cells);
        if overflow == Overflow::Cut && terminal.width.is_some() {
            row.max_height(1);
        }
        table.add_row(row);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if terminal.width.is_some() {
            column.set_constraint(if at == last {
                ColumnConstraint::LowerBoundary(Width::Fixed(NARROWEST))
            } else {
                ColumnConstraint::ContentWidth
            });
        }
    }
    writeln!(terminal.out, "{}", table.trim_fmt())?;
    Ok(())
}

/// The lines of the last cell, each without what a terminal would obey.
fn lines_of(cell: &str) -> String {
    cell.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// Says how the next page of a list is asked for, where there is one.
pub(crate) fn next_page(terminal: &mut Terminal<'_>, next: Option<&str>) -> Result<(), Stop> {
    if let Some(next) = next {
        writeln!(terminal.err, "There are more: --before {next}")?;
    }
    Ok(())
}

/// Says on the standard error that a list is empty.
pub(crate) fn nothing_found(terminal: &mut Terminal<'_>, count: usize) -> Result<(), Stop> {
    if count == 0 {
        writeln!(terminal.err, "nothing found")?;
    }
    Ok(())
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
) -> Result<(), Stop> {
    let rows = downloads
        .iter()
        .map(|download| {
            vec![
                download.id.clone(),
                state(download),
                download.attention.clone().unwrap_or_default(),
                download.progress.as_ref().and_then(percent).unwrap_or_default(),
                download.client.clone().unwrap_or_default(),
                clean(&download.name),
            ]
        })
        .collect();
    let header = ["ID", "STATE", "ATTENTION", "PROGRESS", "CLIENT", "NAME"];
    table(terminal, &header, rows, Overflow::Cut)
}

/// One download, a line for each thing that is known.
pub(crate) fn download(terminal: &mut Terminal<'_>, download: &DownloadDto) -> Result<(), Stop> {
    let mut lines: Vec<(&str, String)> = vec![
        ("id", download.id.clone()),
        ("name", download.name.clone()),
        ("state", state(download)),
    ];
    lines.extend(attention(download).map(|text| ("attention", text)));
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

/// Where it is, and whether its transfer stands still.
fn state(download: &DownloadDto) -> String {
    let paused = if download.paused { " (paused)" } else { "" };
    format!("{}{paused}", download.state)
}

/// What keeps it back, with the detail.
pub(crate) fn attention(download: &DownloadDto) -> Option<String> {
    let attention = download.attention.as_ref()?;
    let detail = download.attention_detail.as_deref().map(|text| format!(": {text}"));
    Some(format!("{attention}{}", detail.unwrap_or_default()))
}

/// Names and values, a line each.
pub(crate) fn members(terminal: &mut Terminal<'_>, lines: &[(&str, String)]) -> Result<(), Stop> {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in lines {
        writeln!(terminal.out, "{name:width$}  {}", clean(value))?;
    }
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
    writeln!(terminal.out, "overall: {}", clean(&health.status))?;
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
    parts.extend(progress.peers.map(|peers| count(peers, "peer")));
    parts.extend(progress.eta_seconds.map(|seconds| format!("{} to go", duration(seconds))));
    parts.extend(progress.ratio.map(|ratio| format!("ratio {ratio:.2}")));
    parts.join(", ")
}

/// A number of things, in the singular where it is one.
pub(crate) fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Seconds as a person reads them: the two largest units.
pub(crate) fn duration(seconds: u64) -> String {
    let units = [("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("min", seconds / 60 % 60)];
    let units = units.into_iter().chain([("s", seconds % 60)]);
    let parts: Vec<String> = units
        .skip_while(|(_, amount)| *amount == 0)
        .take(2)
        .filter(|(_, amount)| *amount > 0)
        .map(|(unit, amount)| format!("{amount} {unit}"))
        .collect();
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
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

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_have_two_units() {
        let cases = [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (75, "1 min 15 s"),
            (11_045, "3 h 4 min"),
            (3_605, "1 h"),
            (8_640_000, "100 d"),
            (90_000, "1 d 1 h"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
    }
}
