//! What keeps all files together from being plain, in words for a person.

use std::collections::{HashMap, HashSet};

use tracker_domain::recognised::{Fields, Role, TitleKind};

use crate::Names;
use crate::file::Sorted;
use crate::name::{Reading, Shape, read};
use crate::token::fold;
use crate::whole::MainFile;

/// What is in the torrent that a person should see first, whatever the names say.
pub fn content_doubts(sorted: &[Sorted<'_>]) -> Vec<String> {
    let mut doubts = Vec::new();
    let has = |role: Role| sorted.iter().any(|file| file.role == role);
    if let Some(file) = sorted.iter().find(|file| file.role == Role::Executable) {
        let ext = file.extension.as_deref().unwrap_or("");
        doubts.push(format!("it carries a program or bait (.{ext})"));
    }
    if sorted.iter().any(|file| file.disc) {
        doubts.push("it is a disc".to_owned());
    }
    if has(Role::Archive) {
        let packed = if has(Role::Main) { "a part of it" } else { "its content" };
        doubts.push(format!("{packed} is packed in an archive"));
    }
    doubts
}

pub fn series_doubts(mains: &[MainFile<'_>], folders: &HashMap<&str, Vec<Reading>>) -> Vec<String> {
    let mut doubts = Doubts::default();
    let mut seen = HashSet::new();
    let mut year = None;
    let title = mains.first().map_or("", |main| main.reading.folded.as_str());
    for MainFile { file, reading } in mains {
        for doubt in &reading.doubts {
            doubts.add(doubt);
        }
        if reading.folded != title {
            doubts.add("the files have several titles");
        }
        if reading.year.is_some() && year.is_some() && reading.year != year {
            doubts.add("the files have several years");
        }
        year = year.or(reading.year);
        for season in &reading.seasons {
            for episode in &reading.episodes {
                if !seen.insert((*season, *episode)) {
                    doubts.add("two files hold one episode");
                }
            }
        }
        for folder in folders.get(file.folder).into_iter().flatten() {
            doubts.add_all(folder_doubt(folder, reading, title));
        }
    }
    doubts.0
}

/// Where a folder contradicts an episode file in it.
fn folder_doubt(folder: &Reading, reading: &Reading, title: &str) -> Option<&'static str> {
    if !matches!(folder.shape, Shape::Season | Shape::Episode) {
        return None;
    }
    if !folder.folded.is_empty() && folder.folded != title {
        return Some("the folder has another title than the files");
    }
    if !reading.seasons.iter().all(|season| folder.seasons.contains(season)) {
        return Some("the folder has another season than a file in it");
    }
    if folder.year.is_some() && reading.year.is_some() && folder.year != reading.year {
        return Some("the folder has another year than a file in it");
    }
    None
}

pub fn film_doubts(
    main: &MainFile<'_>,
    folders: &HashMap<&str, Vec<Reading>>,
    names: &Names<'_>,
) -> Vec<String> {
    let mut doubts = Doubts::default();
    for doubt in &main.reading.doubts {
        doubts.add(doubt);
    }
    let above = folders.get(main.file.folder).into_iter().flatten();
    for folder in above {
        match folder.shape {
            Shape::Season | Shape::Episode => doubts.add("the folder speaks of a series"),
            Shape::Film if folder.folded != main.reading.folded => {
                doubts.add("the folder has another title than the file");
            }
            Shape::Film if folder.year != main.reading.year => {
                doubts.add("the folder has another year than the file");
            }
            Shape::Film | Shape::Other => {}
        }
    }
    for name in [names.torrent, names.dn, names.client].into_iter().flatten() {
        if matches!(read(name).shape, Shape::Season | Shape::Episode) {
            doubts.add("a name of the torrent speaks of a series");
        }
    }
    doubts.0
}

pub fn unclear_doubts(mains: &[MainFile<'_>]) -> Vec<String> {
    let mut doubts = Doubts::default();
    if mains.len() > 1 && mains.iter().all(|main| main.reading.shape != Shape::Episode) {
        doubts.add("there are several videos without episode numbers");
    } else if mains.len() > 1 {
        doubts.add("some videos have an episode number and some do not");
    }
    for main in mains {
        for doubt in &main.reading.doubts {
            doubts.add(doubt);
        }
    }
    doubts.0
}

/// Where a person's words contradict the names. Words that this reader cannot
/// understand are shown as evidence and change nothing.
pub fn hint_doubts(hints: &[String], fields: &Fields) -> Vec<String> {
    let mut doubts = Doubts::default();
    for hint in hints {
        let said = read(hint);
        let series = matches!(said.shape, Shape::Season | Shape::Episode);
        let lower = hint.to_lowercase();
        let says_word = |words: &[&str]| {
            lower.split(|ch: char| !ch.is_alphanumeric()).any(|word| words.contains(&word))
        };
        let says_series = series || says_word(&["series", "show", "сериал"]);
        let says_film = says_word(&["movie", "film", "фильм"]) && !says_series;
        let says_anime = says_word(&["anime", "аниме"]);
        let other_kind = match fields.kind {
            Some(TitleKind::Movie) => says_series || says_anime,
            Some(TitleKind::Series) => says_film || says_anime,
            _ => false,
        };
        let other_year =
            said.shape == Shape::Film && fields.year.is_some() && said.year != fields.year;
        let other_season = series && !fields.seasons.is_empty() && said.seasons != fields.seasons;
        let titled = matches!(said.shape, Shape::Film | Shape::Episode | Shape::Season)
            && !said.folded.is_empty();
        let other_title =
            titled && fields.title.as_deref().is_some_and(|title| fold(title) != said.folded);
        if other_kind || other_year || other_season || other_title {
            doubts.add("a hint says something else than the names");
        }
    }
    doubts.0
}

/// Doubts in order, each one once.
#[derive(Default)]
struct Doubts(Vec<String>);

impl Doubts {
    fn add(&mut self, doubt: &str) {
        if !self.0.iter().any(|known| known == doubt) {
            self.0.push(doubt.to_owned());
        }
    }

    fn add_all<'a>(&mut self, doubts: impl IntoIterator<Item = &'a str>) {
        for doubt in doubts {
            self.add(doubt);
        }
    }
}
