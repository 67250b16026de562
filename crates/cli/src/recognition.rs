//! Recognitions, candidates and parsed names as text.

use serde_json::Value;
use tracker_wire::{
    CandidateDto, DownloadDto, EvidenceDto, FieldsDto, FileDto, ParseDto, RecognitionDto,
};

use crate::render::{self, Overflow};
use crate::terminal::{Stop, Terminal, clean};

/// The fields in the order in which a person reads them.
const ORDER: &[&str] = &[
    "kind",
    "title",
    "title_ru",
    "title_orig",
    "other_titles",
    "year",
    "year_end",
    "seasons",
    "episodes",
    "absolute_episodes",
    "episode_count",
    "date",
    "episode_title",
    "part",
    "season_part",
    "edition",
    "resolution",
    "source",
    "remux",
    "proper",
    "repack",
    "version",
    "video_codec",
    "audio",
    "hdr",
    "languages",
    "group",
    "container",
];

/// More files than this are counted, not listed.
const MOST_FILES: usize = 40;

/// What a download is taken for, a line for each thing that is known.
pub(crate) fn recognition(
    terminal: &mut Terminal<'_>,
    download: &DownloadDto,
    recognition: &RecognitionDto,
) -> Result<(), Stop> {
    let mut lines: Vec<(&str, String)> = vec![
        ("download", recognition.download_id.clone()),
        ("name", download.name.clone()),
        ("state", download.state.clone()),
    ];
    lines.extend(render::attention(download).map(|text| ("attention", text)));
    lines.extend(recognition.id.clone().map(|id| ("recognition", id)));
    lines.push(("match", recognition.state.clone()));
    lines.push(("verdict", recognition.verdict.clone()));
    lines.extend(recognition.chosen_by.clone().map(|by| ("chosen by", by)));
    // A daemon that is older knows no rules and sends no word.
    let rule = Some(&recognition.asks).filter(|asks| !matches!(asks.as_str(), "" | "none"));
    lines.extend(rule.map(|asks| ("asks for the", asks.clone())));
    lines.extend(fields(&recognition.fields));
    lines.extend(files(&recognition.files).into_iter().map(|text| ("file", text)));
    lines.extend(recognition.doubts.iter().map(|doubt| ("doubt", doubt.clone())));
    for cause in &recognition.waiting {
        lines.push(("waits for", format!("{} ({}): {}", cause.source, cause.cause, cause.detail)));
    }
    render::members(terminal, &lines)
}

/// The files by their index, which is how a field of one file names it.
fn files(files: &[FileDto]) -> Vec<String> {
    let mut lines: Vec<String> = files.iter().take(MOST_FILES).map(file).collect();
    let untold = files.len().saturating_sub(MOST_FILES);
    if untold > 0 {
        lines.push(format!("… and {untold} more, --json shows all"));
    }
    lines
}

fn file(file: &FileDto) -> String {
    let mut about = vec![file.role.clone()];
    about.extend(file.size.map(render::size));
    let told = fields(&file.fields)
        .into_iter()
        .filter(|(name, _)| matches!(*name, "seasons" | "episodes" | "absolute_episodes" | "part"))
        .map(|(name, value)| format!("{name} {value}"));
    about.extend(told);
    let path = file.path.as_deref().map(|path| format!("{path} ")).unwrap_or_default();
    format!("{}: {path}({})", file.index, about.join(", "))
}

/// Candidates as a table, the best first; below each title what speaks for it.
pub(crate) fn candidates(
    terminal: &mut Terminal<'_>,
    candidates: &[CandidateDto],
) -> Result<(), Stop> {
    let rows = (1..).zip(candidates).map(|(number, one): (usize, _)| row(number, one)).collect();
    let header = ["#", "SCORE", "WORK", "KIND", "YEAR", "TITLE"];
    render::table(terminal, &header, rows, Overflow::Wrap)
}

fn row(number: usize, candidate: &CandidateDto) -> Vec<String> {
    let mut told = clean(&candidate.title);
    if let Some(original) = candidate.original_title.as_ref().filter(|o| **o != candidate.title) {
        told.push_str(&format!(" ({})", clean(original)));
    }
    for part in &candidate.parts {
        told.push_str(&format!("\n{:+.2} {}: {}", part.points, part.name, clean(&part.detail)));
    }
    if let Some(reason) = &candidate.excluded {
        told.push_str(&format!("\nit cannot be: {}", clean(reason)));
    }
    vec![
        number.to_string(),
        format!("{:.2}", candidate.score),
        candidate.work.clone().unwrap_or_else(|| candidate.id.clone()),
        candidate.kind.clone().unwrap_or_default(),
        candidate.year.map(|year| year.to_string()).unwrap_or_default(),
        told,
    ]
}

/// What a name says, each field with the words that led to it.
pub(crate) fn parsed(terminal: &mut Terminal<'_>, found: &ParseDto) -> Result<(), Stop> {
    let lines: Vec<(&str, String)> = fields(&found.fields)
        .into_iter()
        .map(|(name, value)| {
            let why = found.evidence.iter().find(|evidence| evidence.field == name);
            (name, why.map_or_else(|| value.clone(), |why| format!("{value}{}", words(why))))
        })
        .collect();
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, told) in lines {
        writeln!(terminal.out, "  {name:width$}  {}", clean(&told))?;
    }
    Ok(())
}

fn words(why: &EvidenceDto) -> String {
    format!("   from {:?} ({})", why.text, why.rule)
}

/// The fields that were found, as text.
fn fields(fields: &FieldsDto) -> Vec<(&'static str, String)> {
    // Strings, numbers and lists: there is nothing that could fail.
    let all = serde_json::to_value(fields).unwrap_or_default();
    let told = |name: &&'static str| all.get(*name).map(|value| (*name, text(value)));
    ORDER.iter().filter_map(told).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
