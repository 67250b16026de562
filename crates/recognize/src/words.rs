//! The word lists: pure data, matched against lower-case words.

/// Extensions of video files.
pub const VIDEO: &[&str] = &[
    "mkv", "mp4", "m4v", "avi", "mov", "wmv", "mpg", "mpeg", "ts", "m2ts", "mts", "webm", "flv",
    "ogm", "ogv", "divx", "vob", "3gp", "rmvb", "rm", "asf",
];

/// Extensions of subtitle files.
pub const SUBTITLE: &[&str] =
    &["srt", "ass", "ssa", "sub", "idx", "vtt", "sup", "smi", "ttml", "usf"];

/// Extensions of texts about a release and of its checksums.
pub const INFO: &[&str] = &[
    "nfo", "txt", "sfv", "md5", "sha1", "sha256", "crc", "url", "html", "htm", "xml", "json",
    "log", "diz", "md", "pdf", "rtf", "srr", "m3u", "m3u8", "torrent",
];

/// Extensions of artwork.
pub const ARTWORK: &[&str] = &["jpg", "jpeg", "png", "gif", "webp", "bmp", "tbn", "svg"];

/// Extensions of archives; volumes such as `.r00` are told by their shape.
pub const ARCHIVE: &[&str] =
    &["rar", "zip", "7z", "tar", "gz", "bz2", "xz", "zst", "cab", "arj", "ace", "lzh"];

/// Extensions of programs, and of what Windows starts on a click.
///
/// `.zipx` is here because it is known as bait only, never as a way to pack a
/// film.
pub const EXECUTABLE: &[&str] = &[
    "exe", "scr", "lnk", "bat", "cmd", "com", "msi", "ps1", "vbs", "js", "zipx", "pif", "jar",
    "hta", "wsf", "apk", "dll", "reg", "sh", "vbe", "jse", "cpl",
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

/// Words that no title has: where the first of them stands, the title and its
/// year are over. Words that can be in a title (`web`, `cam`, `proper`,
/// `extended`) are left out.
pub const RELEASE: &[&str] = &[
    "4k",
    "8k",
    "uhd",
    "bluray",
    "blu",
    "bdrip",
    "brrip",
    "bdremux",
    "remux",
    "webrip",
    "webdl",
    "web-dl",
    "web-dlrip",
    "webdlrip",
    "hdtv",
    "hdtvrip",
    "dvdrip",
    "dvdscr",
    "dvd5",
    "dvd9",
    "dvdremux",
    "hdrip",
    "satrip",
    "iptvrip",
    "camrip",
    "telesync",
    "hddvd",
    "x264",
    "x265",
    "h264",
    "h265",
    "hevc",
    "avc",
    "xvid",
    "divx",
    "av1",
    "vp9",
    "10bit",
    "8bit",
    "hdr",
    "hdr10",
    "hdr10+",
    "hlg",
    "ac3",
    "eac3",
    "aac",
    "aac2",
    "ddp",
    "ddp2",
    "ddp5",
    "ddp7",
    "dd5",
    "dts",
    "dts-hd",
    "dtshd",
    "truehd",
    "flac",
    "opus",
    "mp3",
];

/// Names of resolutions in lines.
pub const LINES: &[&str] = &["360", "480", "540", "576", "720", "1080", "1440", "2160", "4320"];

/// Words that count parts of one title.
pub const PART: &[&str] = &["cd", "pt", "part", "disc", "disk", "vol", "volume", "chapter"];

/// Words that count episodes.
pub const EPISODE: &[&str] = &[
    "episode",
    "episodes",
    "ep",
    "episodio",
    "folge",
    "серия",
    "серии",
    "эпизод",
    "seriya",
    "serija",
    "serii",
    "bölüm",
    "выпуск",
];

/// Words that count seasons.
pub const SEASON: &[&str] = &[
    "season",
    "seasons",
    "series",
    "stagione",
    "saison",
    "staffel",
    "temporada",
    "sezon",
    "сезон",
    "сезоны",
];

/// Words between a number and how many there are.
pub const OF: &[&str] = &["of", "из", "iz"];

/// Words about a version or a language, which often stand before the year.
pub const VERSION: &[&str] = &[
    "extended",
    "uncut",
    "unrated",
    "theatrical",
    "imax",
    "remastered",
    "restored",
    "custom",
    "edition",
    "cut",
    "hybrid",
    "multi",
    "dubbed",
    "subbed",
    "german",
    "french",
    "italian",
    "spanish",
    "english",
    "russian",
    "hindi",
    "tamil",
    "telugu",
];

/// Months, which make a year part of a date.
pub const MONTH: &[&str] = &[
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

/// Words of a set of films.
pub const SET: &[&str] =
    &["trilogy", "duology", "tetralogy", "quadrilogy", "anthology", "collection", "трилогия"];

/// Numbers that continue a title.
pub const ROMAN: &[&str] = &["ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"];
