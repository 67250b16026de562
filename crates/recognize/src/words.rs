//! The word lists: pure data, matched against lower-case words.

/// Extensions of video files.
pub const VIDEO: &[&str] = &[
    "mkv", "mp4", "m4v", "avi", "mov", "wmv", "mpg", "mpeg", "ts", "m2ts", "mts", "webm", "flv",
    "ogm", "ogv", "divx", "vob", "3gp", "rmvb", "rm", "asf",
];

/// Extensions of subtitle files.
pub const SUBTITLE: &[&str] =
    &["srt", "ass", "ssa", "sub", "idx", "vtt", "sup", "smi", "ttml", "usf"];

/// Extensions of sound without a picture.
pub const AUDIO: &[&str] = &[
    "mka", "ac3", "eac3", "ec3", "dts", "dtshd", "thd", "flac", "aac", "m4a", "mp3", "ogg", "opus",
];

/// Extensions of texts about a release and of its checksums.
pub const INFO: &[&str] = &[
    "nfo", "txt", "sfv", "md5", "sha1", "sha256", "crc", "url", "html", "htm", "xml", "json",
    "log", "diz", "md", "pdf", "rtf", "srr", "m3u", "m3u8", "torrent",
];

/// Extensions of artwork.
pub const ARTWORK: &[&str] = &["jpg", "jpeg", "png", "gif", "webp", "bmp", "tbn", "svg"];

/// Extensions of artwork that media servers take.
pub const PICTURE: &[&str] = &["jpg", "jpeg", "png"];

/// Names of pictures of the title.
pub const PICTURE_NAME: &[&str] =
    &["poster", "folder", "cover", "fanart", "backdrop", "background", "banner"];

/// Extensions of archives; volumes such as `.r00` are told by their shape.
pub const ARCHIVE: &[&str] =
    &["rar", "zip", "7z", "tar", "gz", "bz2", "xz", "zst", "cab", "arj", "ace", "lzh"];

/// Extensions of programs, and of what Windows starts on a click.
///
/// `.zipx` is here because it is known as bait only, never as a way to pack a
/// film.
pub const EXECUTABLE: &[&str] = &[
    "exe",
    "scr",
    "lnk",
    "bat",
    "cmd",
    "com",
    "msi",
    "ps1",
    "vbs",
    "js",
    "zipx",
    "pif",
    "jar",
    "hta",
    "wsf",
    "apk",
    "dll",
    "reg",
    "sh",
    "vbe",
    "jse",
    "cpl",
    "msix",
    "appx",
    "desktop",
    "chm",
    "ws",
    "xll",
    "xpi",
    "wim",
    "gadget",
    "application",
    "appref-ms",
    "library-ms",
    "search-ms",
];

/// Extensions of disc images.
pub const DISC_IMAGE: &[&str] = &["iso", "nrg", "mdf", "mds", "img", "ccd"];

/// Folders that make a disc structure.
pub const DISC_FOLDER: &[&str] = &["bdmv", "video_ts", "audio_ts", "hvdvd_ts"];

/// Folders of samples.
pub const SAMPLE_FOLDER: &[&str] = &["sample", "samples"];

/// Folders of extras, as media servers name them.
pub const EXTRA_FOLDER: &[&str] = &[
    "featurettes",
    "featurette",
    "extras",
    "extra",
    "trailers",
    "trailer",
    "behind the scenes",
    "deleted scenes",
    "interviews",
    "scenes",
    "shorts",
    "other",
    "bonus",
    "specials features",
    "special features",
    "clips",
];

/// Suffixes of extras, as media servers name them.
pub const EXTRA_SUFFIX: &[&str] = &[
    "-trailer",
    "-featurette",
    "-behindthescenes",
    "-deleted",
    "-deletedscene",
    "-interview",
    "-scene",
    "-short",
    "-other",
    "-extra",
    "-clip",
];

/// Folders of subtitles.
pub const SUBTITLE_FOLDER: &[&str] = &["subs", "sub", "subtitles", "subtitle"];
