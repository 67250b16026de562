//! What is nothing for a film library: told by what most of the bytes are.

use tracker_domain::remark::Remark;

use crate::file::Sorted;

const MUSIC: &[&str] = &[
    "mp3", "flac", "m4a", "ogg", "opus", "wav", "ape", "wv", "aac", "wma", "alac", "dsf", "dff",
    "cue",
];
const BOOKS: &[&str] = &[
    "epub", "fb2", "mobi", "azw3", "djvu", "pdf", "cbr", "cbz", "doc", "docx", "m4b", "lit", "rtf",
];
const SOFTWARE: &[&str] =
    &["iso", "dmg", "deb", "rpm", "appimage", "pkg", "bin", "nsp", "xci", "vpk", "dll"];
const PICTURES: &[&str] =
    &["jpg", "jpeg", "png", "gif", "webp", "bmp", "tif", "tiff", "raw", "psd"];

/// What is said of the kind of most files.
pub fn of(files: &[Sorted<'_>]) -> Option<Remark> {
    // Of as many the later one wins: covers lie beside everything.
    let kinds = [
        (PICTURES, Remark::OnlyPictures),
        (SOFTWARE, Remark::OnlySoftware),
        (BOOKS, Remark::OnlyBooks),
        (MUSIC, Remark::OnlyMusic),
    ];
    let count = |extensions: &[&str]| {
        files
            .iter()
            .filter(|file| file.extension.as_deref().is_some_and(|ext| extensions.contains(&ext)))
            .count()
    };
    let (most, what) = kinds
        .into_iter()
        .map(|(extensions, what)| (count(extensions), what))
        .max_by_key(|(count, _)| *count)?;
    (most > 0).then_some(what)
}
