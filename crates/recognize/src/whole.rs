//! All files together: one answer, and what keeps it from being sure.

use std::collections::HashMap;

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Fields, FileRole, Recognised, Role, TitleKind, Verdict};

use crate::Names;
use crate::doubt::{content_doubts, film_doubts, hint_doubts, series_doubts, unclear_doubts};
use crate::evidence::{evidence, evidence_of, hint_evidence};
use crate::file::{Sorted, sort};
use crate::name::{Reading, Shape, read};
use crate::token::extension;
use crate::words;

/// A main file and what its name says.
pub struct MainFile<'a> {
    /// The file.
    pub file: &'a Sorted<'a>,
    /// What its name says.
    pub reading: Reading,
}

pub fn recognise(names: &Names<'_>, files: &[RemoteFile]) -> Recognised {
    if files.is_empty() {
        return provisional(names);
    }
    let sorted: Vec<Sorted<'_>> = files.iter().map(sort).collect();
    let mains: Vec<MainFile<'_>> = sorted
        .iter()
        .filter(|file| file.role == Role::Main)
        .map(|file| MainFile { file, reading: read(file.stem) })
        .collect();
    let mut doubts = content_doubts(&sorted);
    let Some(first) = mains.first() else {
        return without_video(names, &sorted, doubts);
    };

    let mut fields = common_fields(&mains);
    let folders = read_folders(&mains);
    match fields.kind {
        Some(TitleKind::Series) => {
            doubts.extend(series_doubts(&mains, &folders));
            fields.year = fields.year.or_else(|| folder_year(first, &folders));
        }
        Some(_) => doubts.extend(film_doubts(first, &folders, names)),
        None => doubts.extend(unclear_doubts(&mains)),
    }
    doubts.extend(hint_doubts(names.hints, &fields));
    let mut evidence = evidence_of(&first.reading, &fields, "file");
    evidence.extend(names.hints.iter().map(|hint| hint_evidence(hint)));
    let sure = doubts.is_empty() && fields.kind.is_some();
    Recognised {
        files: file_roles(&sorted, &mains),
        evidence,
        verdict: if sure { Verdict::Sure } else { Verdict::Doubt },
        confidence: if sure { 0.95 } else { 0.4 },
        fields,
        doubts,
    }
}

pub fn parse_name(name: &str) -> Recognised {
    let known = |ext: &String| {
        let ext = ext.as_str();
        words::VIDEO.contains(&ext)
            || words::SUBTITLE.contains(&ext)
            || words::DISC_IMAGE.contains(&ext)
    };
    let container = extension(name).filter(known);
    let stem = match &container {
        Some(ext) => name.get(..name.len() - ext.len() - 1).unwrap_or(name),
        None => name,
    };
    let mut found = from_reading(&read(stem), "torrent");
    if let Some(ext) = container {
        found.evidence.push(evidence("container", &ext, "torrent", &ext, "extension"));
        found.fields.container = Some(ext);
    }
    found
}

/// The answer that one name alone gives.
fn from_reading(reading: &Reading, from: &str) -> Recognised {
    let fields = fields_of(reading);
    let empty = fields.title.is_none() && fields.year.is_none() && fields.seasons.is_empty();
    let (verdict, confidence) = match (reading.is_plain(), empty) {
        (true, _) => (Verdict::Sure, 0.9),
        (false, true) => (Verdict::Unknown, 0.0),
        (false, false) => (Verdict::Doubt, 0.3),
    };
    Recognised {
        evidence: evidence_of(reading, &fields, from),
        fields,
        files: Vec::new(),
        verdict,
        confidence,
        doubts: reading.doubts.iter().map(|doubt| (*doubt).to_owned()).collect(),
    }
}

/// Without a file list nothing is sure, whatever the names say.
fn provisional(names: &Names<'_>) -> Recognised {
    let (name, from) = match (names.torrent, names.dn, names.client) {
        (Some(name), ..) => (name, "torrent"),
        (None, Some(name), _) => (name, "dn"),
        (None, None, Some(name)) => (name, "client"),
        (None, None, None) => ("", "torrent"),
    };
    let mut found = parse_name(name);
    for entry in &mut found.evidence {
        from.clone_into(&mut entry.from);
    }
    found.evidence.extend(names.hints.iter().map(|hint| hint_evidence(hint)));
    found.doubts.insert(0, "the files are not known yet".to_owned());
    if found.verdict == Verdict::Sure {
        found.verdict = Verdict::Doubt;
    }
    found.confidence = found.confidence.min(0.3);
    found
}

fn without_video(names: &Names<'_>, sorted: &[Sorted<'_>], mut doubts: Vec<String>) -> Recognised {
    let named = provisional(names);
    let has = |role: Role| sorted.iter().any(|file| file.role == role);
    if has(Role::Sample) {
        doubts.push("the only video is a sample".to_owned());
    }
    let something = !doubts.is_empty();
    if !something {
        doubts.push("there is no video in it".to_owned());
    }
    Recognised {
        fields: named.fields,
        files: file_roles(sorted, &[]),
        evidence: named.evidence,
        verdict: if something { Verdict::Doubt } else { Verdict::Unknown },
        confidence: 0.0,
        doubts,
    }
}

/// What all main files agree on. A kind is given only when they agree on it.
fn common_fields(mains: &[MainFile<'_>]) -> Fields {
    let Some(first) = mains.first() else {
        return Fields::default();
    };
    let mut fields = fields_of(&first.reading);
    fields.container.clone_from(&first.file.extension);
    let all = |shape: Shape| mains.iter().all(|main| main.reading.shape == shape);
    fields.kind = if all(Shape::Episode) {
        Some(TitleKind::Series)
    } else if mains.len() == 1 && all(Shape::Film) {
        Some(TitleKind::Movie)
    } else {
        None
    };
    if mains.len() > 1 && mains.iter().any(|main| main.reading.folded != first.reading.folded) {
        fields.title = None;
        fields.year = None;
    }
    if fields.kind == Some(TitleKind::Series) {
        fields.year = mains.iter().find_map(|main| main.reading.year);
    }
    fields.seasons = sorted_set(mains.iter().flat_map(|main| &main.reading.seasons));
    // Numbers of several seasons in one list would say nothing.
    fields.episodes = if fields.seasons.len() == 1 {
        sorted_set(mains.iter().flat_map(|main| &main.reading.episodes))
    } else {
        Vec::new()
    };
    if mains.iter().any(|main| main.reading.resolution != first.reading.resolution) {
        fields.resolution = None;
    }
    if mains.iter().any(|main| main.file.extension != first.file.extension) {
        fields.container = None;
    }
    fields
}

fn sorted_set<'a>(numbers: impl Iterator<Item = &'a u32>) -> Vec<u32> {
    let mut list: Vec<u32> = numbers.copied().collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Reads every folder above a main file once.
fn read_folders<'a>(mains: &[MainFile<'a>]) -> HashMap<&'a str, Vec<Reading>> {
    let mut folders = HashMap::new();
    for main in mains {
        folders.entry(main.file.folder).or_insert_with_key(|folder| {
            folder.split('/').filter(|part| !part.is_empty()).map(read).collect()
        });
    }
    folders
}

/// The year of a folder that has the title of the series.
fn folder_year(first: &MainFile<'_>, folders: &HashMap<&str, Vec<Reading>>) -> Option<i32> {
    folders
        .get(first.file.folder)?
        .iter()
        .filter(|folder| folder.folded == first.reading.folded)
        .find_map(|folder| folder.year)
}

fn fields_of(reading: &Reading) -> Fields {
    Fields {
        kind: match reading.shape {
            Shape::Episode | Shape::Season => Some(TitleKind::Series),
            Shape::Film => Some(TitleKind::Movie),
            Shape::Other => None,
        },
        title: Some(reading.title.clone()).filter(|title| !title.is_empty()),
        year: reading.year,
        seasons: reading.seasons.clone(),
        episodes: reading.episodes.clone(),
        resolution: reading.resolution.clone(),
        container: None,
    }
}

/// The roles of all files. A file carries the fields that differ from file to
/// file; title, year and kind stand once, on the torrent.
fn file_roles(sorted: &[Sorted<'_>], mains: &[MainFile<'_>]) -> Vec<FileRole> {
    let by_index: HashMap<u32, &Reading> =
        mains.iter().map(|main| (main.file.index, &main.reading)).collect();
    sorted
        .iter()
        .map(|file| {
            let reading = by_index.get(&file.index);
            FileRole {
                index: file.index,
                role: file.role,
                fields: Fields {
                    seasons: reading.map(|found| found.seasons.clone()).unwrap_or_default(),
                    episodes: reading.map(|found| found.episodes.clone()).unwrap_or_default(),
                    resolution: reading.and_then(|found| found.resolution.clone()),
                    container: file.extension.clone(),
                    ..Fields::default()
                },
            }
        })
        .collect()
}
