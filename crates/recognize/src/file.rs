//! One file of a torrent: what it is for, by its path alone.
//!
//! Size never decides here. A short film is not a sample, and a sample can be
//! large.

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::Role;
use tracker_domain::unseen::is_unseen;

use crate::parse::{parse, says};
use crate::words;

/// A file and what its path says.
#[derive(Clone, Debug)]
pub struct Sorted<'a> {
    /// Its index in the torrent.
    pub index: u32,
    /// What it is for.
    pub role: Role,
    /// The folders above it, as one text.
    pub folder: &'a str,
    /// Its name without the extension.
    pub stem: &'a str,
    /// Its last extension, lower case.
    pub extension: Option<String>,
    /// Part of a disc, or an image of one.
    pub disc: bool,
}

/// Sorts one file by its path.
pub fn sort(file: &RemoteFile) -> Sorted<'_> {
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let extension = extension(name);
    let stem = match &extension {
        Some(ext) => name.get(..name.len() - ext.len() - 1).unwrap_or(name),
        None => name,
    };
    let ext = extension.as_deref().unwrap_or("");
    let disc = words::DISC_IMAGE.contains(&ext) || in_folder(folder, words::DISC_FOLDER);
    let role = if !file.selected || file.size_bytes == 0 {
        Role::Extra
    } else {
        role_of(folder, stem, ext, disc)
    };
    Sorted { index: file.index, role, folder, stem, extension, disc: disc && file.selected }
}

fn role_of(folder: &str, stem: &str, ext: &str, disc: bool) -> Role {
    // The menus of a Blu-ray are Java.
    let menu = disc && ext == "jar" && in_folder(folder, words::DISC_FOLDER);
    if words::EXECUTABLE.contains(&ext) && !menu {
        Role::Executable
    } else if disc {
        Role::Unknown
    } else if stem.starts_with("._") || in_folder(folder, &["__macosx", ".unwanted"]) {
        // Shadows that macOS leaves, and files a client keeps for its pieces.
        Role::Extra
    } else if words::VIDEO.contains(&ext) {
        video(folder, stem)
    } else if words::SUBTITLE.contains(&ext) {
        Role::Subtitle
    } else if is_archive(ext) {
        if in_folder(folder, words::SUBTITLE_FOLDER) { Role::Extra } else { Role::Archive }
    } else if words::AUDIO.contains(&ext) {
        Role::Audio
    } else if ext == "xml" && stem.to_lowercase().contains("chapter") {
        Role::Chapters
    } else if words::INFO.contains(&ext) {
        Role::Info
    } else if words::ARTWORK.contains(&ext) {
        picture(folder, stem, ext)
    } else {
        Role::Unknown
    }
}

fn picture(folder: &str, stem: &str, ext: &str) -> Role {
    let named = words::PICTURE_NAME.contains(&stem.to_lowercase().as_str());
    if in_folder(folder, words::SAMPLE_FOLDER) {
        Role::Sample
    } else if named && words::PICTURE.contains(&ext) {
        Role::Artwork
    } else {
        Role::Extra
    }
}

fn video(folder: &str, stem: &str) -> Role {
    let lower = stem.to_lowercase();
    if in_folder(folder, words::SAMPLE_FOLDER)
        || lower.contains("sample") && says(stem, &["sample"], true)
    {
        Role::Sample
    } else if below_top(folder).is_some_and(|inner| in_folder(inner, words::EXTRA_FOLDER))
        || has_extra_suffix(stem, &lower)
        || (lower.contains("trailer") || lower.contains("featurette"))
            && says(stem, &["trailer", "featurette", "featurettes"], false)
    {
        Role::Extra
    } else {
        Role::Main
    }
}

/// `Name-trailer`, `Name-other`. Some groups are called like that as well, so
/// behind the words of a release only the plain ones count.
fn has_extra_suffix(stem: &str, lower: &str) -> bool {
    let Some(suffix) = words::EXTRA_SUFFIX.iter().find(|suffix| lower.ends_with(**suffix)) else {
        return false;
    };
    let plain = ["-trailer", "-featurette", "-behindthescenes", "-deletedscene"].contains(suffix);
    let released = || {
        let fields = parse(stem).fields;
        fields.source.is_some() || fields.video_codec.is_some() || fields.resolution.is_some()
    };
    plain || !released()
}

fn is_archive(ext: &str) -> bool {
    let volume =
        ext.strip_prefix(['r', 's', 'z']).is_some_and(|rest| rest.len() == 2 && is_number(rest));
    volume || words::ARCHIVE.contains(&ext) || (ext.len() == 3 && is_number(ext))
}

/// The folders inside the first one: that is the torrent's own, and a series may
/// be called `Extras`.
fn below_top(folder: &str) -> Option<&str> {
    folder.split_once('/').map(|(_, inner)| inner)
}

/// Whether one of the folders in a path has one of these names.
fn in_folder(folder: &str, names: &[&str]) -> bool {
    !folder.is_empty()
        && folder.split('/').any(|part| {
            let spaced = part.to_lowercase().replace(['.', '_'], " ");
            let lower = part.to_lowercase();
            names.iter().any(|name| *name == lower || *name == spaced)
        })
}

/// The last extension of a file name without its dot, lower case. Only short
/// ASCII ones count, so that `Mr. Robot` has none.
fn extension(file_name: &str) -> Option<String> {
    // Some systems start `a.exe.` and `a.exe ` all the same.
    let hidden =
        |one: char| one == '.' || one.is_whitespace() || one.is_control() || is_unseen(one);
    let file_name = file_name.trim_end_matches(hidden);
    let (stem, ext) = file_name.rsplit_once('.')?;
    let shaped = !stem.is_empty()
        && (1..=8).contains(&ext.len())
        && ext.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'!');
    let of_windows = ext.len() <= 12 && ext.to_ascii_lowercase().ends_with("-ms");
    (shaped || of_windows).then(|| ext.to_ascii_lowercase())
}

/// Whether all of a non-empty text are ASCII digits.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
