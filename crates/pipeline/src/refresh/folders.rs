//! Which folders are to be scanned for the links of a batch.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each folder once, none that lies inside another, and the folder of a show in
/// place of several of its seasons.
pub(super) fn to_scan(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut folders: BTreeSet<PathBuf> = folders.into_iter().collect();
    let mut shows: BTreeMap<&Path, usize> = BTreeMap::new();
    for show in folders.iter().filter(|folder| is_season(folder)).filter_map(|it| it.parent()) {
        *shows.entry(show).or_default() += 1;
    }
    let whole = shows.into_iter().filter(|(_, seasons)| *seasons > 1);
    let whole: Vec<PathBuf> = whole.map(|(show, _)| show.to_path_buf()).collect();
    folders.extend(whole);
    let mut scanned: Vec<PathBuf> = Vec::new();
    // Paths sort by components: what is inside a folder comes right behind it.
    for folder in folders {
        if !scanned.last().is_some_and(|last| folder.starts_with(last)) {
            scanned.push(folder);
        }
    }
    scanned
}

/// Whether it is a folder of a season as they are named in a library.
fn is_season(folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("season ").map(str::trim);
    name == "specials"
        || number
            .is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use tracker_testkit::spec;

    use super::*;

    fn scanned(folders: &[&str]) -> Vec<String> {
        let found = to_scan(folders.iter().map(PathBuf::from));
        found.into_iter().map(|folder| folder.display().to_string()).collect()
    }

    #[test]
    fn each_folder_once_and_none_inside_another() {
        spec!("media-servers#one-scan-a-folder-and-batch/folders-inside-one-another");
        assert_eq!(scanned(&[]), [""; 0]);
        assert_eq!(scanned(&["/f/B", "/f/A", "/f/B"]), ["/f/A", "/f/B"]);
        assert_eq!(
            scanned(&["/f/A/Extras/More", "/f/A", "/f/A/Extras", "/f/A B", "/f/A-Z"]),
            ["/f/A", "/f/A B", "/f/A-Z"]
        );
    }

    #[test]
    fn several_seasons_are_their_show() {
        spec!("media-servers#one-scan-a-folder-and-batch/several-seasons-of-a-show");
        assert_eq!(scanned(&["/s/A/Season 01"]), ["/s/A/Season 01"]);
        assert_eq!(
            scanned(&["/s/A/Season 01", "/s/A/Season 02", "/s/B/Season 01"]),
            ["/s/A", "/s/B/Season 01"]
        );
        assert_eq!(scanned(&["/s/A/Specials", "/s/A/season 1", "/s/A/Extras"]), ["/s/A"]);
        assert_eq!(
            scanned(&["/s/A/Season", "/s/A/Season of Rain"]),
            ["/s/A/Season", "/s/A/Season of Rain"]
        );
    }
}
