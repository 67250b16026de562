//! Which of our folders lie in a library of the server.

use std::path::PathBuf;

use tracker_domain::ports::{MediaServerError, OutsideFolder, Section};

use crate::paths::{PathMap, ServerPath};

/// The longest name of a library that is kept, in characters.
const LONGEST_NAME: usize = 100;
/// The longest path that a system has, in bytes.
const LONGEST_PATH: usize = 4096;

/// A library as the server tells it, fit to be shown; `None` where it has no folder.
pub(crate) fn section(name: Option<String>, roots: Vec<String>) -> Option<Section> {
    let shown = name.unwrap_or_default();
    let shown = shown.chars().filter(|ch| !ch.is_control()).take(LONGEST_NAME).collect();
    let is_path = |root: &String| root.len() <= LONGEST_PATH && !root.contains(char::is_control);
    let roots: Vec<String> = roots.into_iter().filter(is_path).collect();
    (!roots.is_empty()).then_some(Section { name: shown, roots })
}

/// Folders, each as the server sees it.
#[derive(Default)]
pub(crate) struct Sorted {
    /// With the places of the sections that have it: libraries may overlap, and
    /// each keeps its own account of a folder.
    pub(crate) inside: Vec<(String, Vec<usize>)>,
    pub(crate) outside: Vec<OutsideFolder>,
}

/// Sorts folders of ours by whether one of the sections has them.
pub(crate) fn sort(map: &PathMap, sections: &[Section], folders: &[PathBuf]) -> Sorted {
    let roots: Vec<Vec<ServerPath>> = sections
        .iter()
        .map(|section| section.roots.iter().filter_map(|root| ServerPath::parse(root)).collect())
        .collect();
    let mut sorted = Sorted::default();
    for folder in folders {
        let seen_as = map.seen_as(folder);
        let places: Vec<usize> = seen_as.as_ref().map_or_else(Vec::new, |path| {
            let has = |roots: &[ServerPath]| roots.iter().any(|root| path.lies_in(root));
            let fits = roots.iter().enumerate().filter(|(_, roots)| has(roots));
            fits.map(|(place, _)| place).collect()
        });
        match seen_as {
            Some(path) if !places.is_empty() => sorted.inside.push((path.to_string(), places)),
            seen_as => sorted.outside.push(OutsideFolder {
                folder: folder.clone(),
                seen_as: seen_as.map(|path| path.to_string()),
            }),
        }
    }
    sorted
}

/// What is said once the folders inside were sent.
pub(crate) fn report(
    outside: Vec<OutsideFolder>,
    sections: &[Section],
) -> Result<(), MediaServerError> {
    if outside.is_empty() {
        return Ok(());
    }
    let roots = sections.iter().flat_map(|section| section.roots.iter().cloned()).collect();
    Err(MediaServerError::OutsideSections { folders: outside, roots })
}
