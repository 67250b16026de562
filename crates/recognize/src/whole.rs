//! All names together: one answer, and what keeps it from being sure.

use std::collections::HashMap;

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{
    Evidence, Fields, FileRole, Recognised, Role, TitleKind, Verdict,
};
use tracker_domain::remark::Remark;

use crate::doubt::{self, Doubts};
use crate::file::{Sorted, sort};
use crate::gather::{Folders, Main, Whole, is_generic, main_file, together};
use crate::parse::{parse, split_extension};
use crate::{Names, foreign, hint};

pub fn recognise(names: &Names<'_>, files: &[RemoteFile]) -> Recognised {
    if files.is_empty() {
        return provisional(names);
    }
    let sorted: Vec<Sorted<'_>> = files.iter().map(sort).collect();
    let mut folders = Folders::default();
    let mut mains: Vec<Main<'_>> = sorted
        .iter()
        .filter(|file| file.role == Role::Main)
        .map(|file| main_file(file, &mut folders))
        .collect();
    let mut doubts = Doubts::default();
    doubt::of_content(&sorted, &mut doubts);
    if mains.is_empty() {
        return without_video(names, &sorted, doubts);
    }
    let mut whole = together(&mains, names, root_of(files));
    let mut said = Doubts::default();
    hint::apply(names.hints, &mut whole, &mut mains, &mut said);
    doubt::of_mains(&mains, &whole, &mut doubts);
    contradictions(names, &whole, &mut doubts);
    for doubt in said.into_vec() {
        doubts.add(doubt);
    }
    let doubts = doubts.into_vec();
    let sure = doubts.is_empty() && whole.fields.kind.is_some() && whole.fields.title.is_some();
    Recognised {
        files: file_roles(&sorted, &mains),
        verdict: if sure { Verdict::Sure } else { Verdict::Doubt },
        confidence: confidence(&whole, doubts.len()),
        fields: whole.fields,
        evidence: whole.evidence,
        doubts,
    }
}

/// From 0 to 1, for order and display: what was found, less what speaks against it.
fn confidence(whole: &Whole, doubts: usize) -> f64 {
    let fields = &whole.fields;
    let mut points = 0.0;
    points += if fields.title.is_some() { 0.4 } else { 0.0 };
    points += if fields.kind.is_some() { 0.2 } else { 0.0 };
    points += if fields.year.is_some() || whole.numbered > 0 { 0.25 } else { 0.0 };
    points += if fields.source.is_some() || fields.resolution.is_some() { 0.1 } else { 0.05 };
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let against = doubts.min(4) as f64 * 0.12;
    f64::max(points - against, 0.05)
}

/// The folder that all files are in.
fn root_of(files: &[RemoteFile]) -> Option<&str> {
    let (root, _) = files.first()?.path.split_once('/')?;
    let inside =
        |file: &RemoteFile| file.path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
    files.iter().all(inside).then_some(root)
}

/// Where the name of the torrent speaks of something else than its files.
fn contradictions(names: &Names<'_>, whole: &Whole, doubts: &mut Doubts) {
    for name in [names.torrent, names.dn, names.client].into_iter().flatten() {
        let said = parse(split_extension(name).0).fields;
        let series =
            said.kind.is_some_and(|kind| matches!(kind, TitleKind::Series | TitleKind::Anime));
        if whole.fields.kind == Some(TitleKind::Movie) && series {
            doubts.add(Remark::TorrentSaysSeries);
        }
    }
}

/// One name alone, of a file or of a folder.
pub fn parse_name(name: &str) -> Recognised {
    let (stem, extension) = split_extension(name);
    let mut parsed = parse(stem);
    let mut fields = std::mem::take(&mut parsed.fields);
    fields.container = extension.map(str::to_ascii_lowercase);
    let mut doubts = Doubts::default();
    for doubt in &parsed.ambiguities {
        doubts.add(doubt.clone());
    }
    if fields.kind == Some(TitleKind::Series) && fields.episodes.is_empty() {
        doubts.add(Remark::SeasonWithoutEpisode);
    }
    let empty = fields.title.is_none() && fields.year.is_none() && fields.seasons.is_empty();
    let doubts = doubts.into_vec();
    let (verdict, confidence) = match (empty, doubts.is_empty() && fields.kind.is_some()) {
        (true, _) => (Verdict::Unknown, 0.0),
        (false, true) => (Verdict::Sure, 0.9),
        (false, false) => (Verdict::Doubt, 0.3),
    };
    Recognised {
        evidence: parsed.evidence("torrent"),
        fields,
        files: Vec::new(),
        verdict,
        confidence,
        doubts,
    }
}

/// Without a file list nothing is sure, whatever the names say.
fn provisional(names: &Names<'_>) -> Recognised {
    let known = [(names.torrent, "torrent"), (names.dn, "dn"), (names.client, "client")];
    let found = known.into_iter().find_map(|(name, from)| Some((name?, from)));
    let (name, from) = found.unwrap_or(("", "torrent"));
    let mut found = parse_name(name);
    for entry in &mut found.evidence {
        from.clone_into(&mut entry.from);
    }
    let mut whole = Whole { fields: found.fields, evidence: found.evidence, ..Whole::default() };
    let mut doubts = Doubts::default();
    doubts.add(Remark::FilesUnknown);
    for doubt in found.doubts {
        doubts.add(doubt);
    }
    hint::apply(names.hints, &mut whole, &mut [], &mut doubts);
    let verdict = if found.verdict == Verdict::Unknown && names.hints.is_empty() {
        Verdict::Unknown
    } else {
        Verdict::Doubt
    };
    Recognised {
        fields: whole.fields,
        files: Vec::new(),
        evidence: whole.evidence,
        verdict,
        confidence: f64::min(found.confidence, 0.3),
        doubts: doubts.into_vec(),
    }
}

fn without_video(names: &Names<'_>, sorted: &[Sorted<'_>], mut doubts: Doubts) -> Recognised {
    let named = provisional(names);
    if sorted.iter().any(|file| file.role == Role::Sample) {
        doubts.add(Remark::OnlySample);
    }
    let mut found = doubts.into_vec();
    let mut fields = named.fields;
    let nothing = found.is_empty();
    if nothing {
        fields.kind = Some(TitleKind::Other);
        found.push(match foreign::of(sorted) {
            Some(what) => what,
            None => Remark::NoVideo,
        });
    }
    Recognised {
        fields,
        files: file_roles(sorted, &[]),
        evidence: named.evidence,
        verdict: if nothing { Verdict::Unknown } else { Verdict::Doubt },
        confidence: 0.0,
        doubts: found,
    }
}

/// The roles of all files. A file carries the fields that differ from file to
/// file; title and kind stand once, on the torrent.
fn file_roles(sorted: &[Sorted<'_>], mains: &[Main<'_>]) -> Vec<FileRole> {
    let by_index: HashMap<u32, &Main<'_>> =
        mains.iter().map(|main| (main.file.index, main)).collect();
    sorted
        .iter()
        .map(|file| {
            let own = by_index.get(&file.index).map(|main| Fields {
                kind: None,
                title: None,
                title_ru: None,
                title_orig: None,
                other_titles: Vec::new(),
                group: None,
                ..main.fields.clone()
            });
            let fields = own.unwrap_or_else(|| Fields {
                container: file.extension.clone(),
                ..Fields::default()
            });
            FileRole { index: file.index, role: file.role, fields }
        })
        .collect()
}

/// What a path says: its last part, and the folders above it.
pub fn parse_path(path: &str) -> (Fields, Vec<Evidence>) {
    let parts = components(path);
    let Some((name, folder)) = parts.split_last() else { return (Fields::default(), Vec::new()) };
    let (stem, extension) = split_extension(name);
    let folder = folder.join("/");
    let file = Sorted {
        index: 0,
        role: Role::Main,
        folder: &folder,
        stem,
        extension: extension.map(str::to_ascii_lowercase),
        disc: false,
    };
    let main = main_file(&file, &mut Folders::default());
    let mut fields = main.fields;
    fields.kind = fields.kind.or(main.parsed.kind);
    (fields, main.evidence)
}

/// The parts of a path. A name with slashes between words is one part.
fn components(name: &str) -> Vec<&str> {
    let file = split_extension(name).1.is_some();
    // `Name.S01.1080p/name.s01e02`, `Movies/Name`: the first part is a folder's name.
    let folder = || {
        let (Some((first, _)), Some((_, last))) = (name.split_once('/'), name.rsplit_once('/'))
        else {
            return false;
        };
        let named = |part: &str| {
            let parsed = parse(part);
            parsed.bounded && (parsed.fields.year.is_some() || !parsed.fields.seasons.is_empty())
        };
        let closed = first.matches(['(', '[']).count() == first.matches([')', ']']).count();
        is_generic(first) && !first.eq_ignore_ascii_case("specials")
            || closed && named(first) && named(last)
    };
    let is_path = name.starts_with('/')
        || name.contains('\\')
        || name.contains('/') && (file || !name.contains(" / ") && folder());
    if !is_path || name.contains(" / ") || name.contains(" \\ ") {
        return vec![name];
    }
    name.split(['/', '\\']).filter(|part| !part.is_empty()).collect()
}
