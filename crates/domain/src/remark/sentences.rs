//! Every remark: its name, its values, its code and its sentence.
//!
//! The sentences are in the database and in answers that programs read, and rows are
//! read by them: one that is changed here is no longer read in older rows.

use std::fmt;

use super::value::{Percent, Quoted, Told, Value};
use super::{Sentence, Unread, pattern};
use crate::metadata::{Pin, Provider, WorkId};
use crate::number::EpisodeNumber;
use crate::recognised::TitleKind;

macro_rules! remarks {
    ($($name:ident $({ $($value:ident: $kind:ty),+ })? = $code:literal, $text:literal;)+) => {
        /// One remark.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the sentence tells what its values are")]
        pub enum Remark {
            $(#[doc = concat!("```text\n", $text, "\n```")] $name $({ $($value: $kind),+ })?,)+
            /// A sentence that this version does not know.
            Unread(Unread),
        }

        impl Remark {
            /// Every sentence there is.
            pub const ALL: &'static [Sentence] =
                &[$(Sentence { code: $code, text: $text }),+];

            /// The stable code; `None` for a sentence that this version does not know.
            #[must_use]
            pub const fn code(&self) -> Option<&'static str> {
                match self {
                    $(Remark::$name { .. } => Some($code),)+
                    Remark::Unread(_) => None,
                }
            }

            /// The values by their names.
            #[must_use]
            pub fn values(&self) -> Vec<(&'static str, Value)> {
                match self {
                    $(Remark::$name $({ $($value),+ })? =>
                        vec![$($((stringify!($value), $value.value())),+)?],)+
                    Remark::Unread(_) => Vec::new(),
                }
            }

            pub(super) fn known(text: &str) -> Option<Remark> {
                let is_it = |remark: &Remark| *remark == *text;
                $(
                    let read = pattern::read($text, text, |found| {
                        let mut _found = found.iter();
                        let remark = Remark::$name $({ $($value: Told::read(_found.next()?)?),+ })?;
                        Some(remark).filter(is_it)
                    });
                    if read.is_some() {
                        return read;
                    }
                )+
                None
            }
        }

        impl fmt::Display for Remark {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Remark::$name $({ $($value),+ })? => write!(f, $text),)+
                    Remark::Unread(text) => text.fmt(f),
                }
            }
        }
    };
}

remarks! {
    // --- what the names leave open ---

    NoYear = "no-year", "the names give no year";
    SeveralNames = "several-names", "the title has several names";
    WordOfRelease = "word-of-release", "the title ends in a word of releases";
    SeveralYears = "several-years", "there are several years in the name";
    TagInFront = "tag-in-front", "the name starts with a tag in brackets before the title";
    YearOrTitle = "year-or-title", "the year in the name may belong to the title";
    GroupOrTitle = "group-or-title", "the first word may be the group, or belong to the title";
    NoTitle = "no-title", "no title was found";
    SeveralTitles = "several-titles", "the files have several titles";
    YearsDiffer = "years-differ", "the files have several years";
    TitleOrEpisodeName = "title-or-episode-name", "the words behind the number may be the title, or the episode's name";
    SeveralUnnumbered = "several-unnumbered", "there are several videos without episode numbers";
    SomeUnnumbered = "some-unnumbered", "some videos have episode numbers and some do not";
    PartOfFilm = "part-of-film", "it is a part of a film";
    SeveralVideos = "several-videos", "there are several videos";
    ToldByDate = "told-by-date", "an episode is told by its date";
    AbsoluteAlone = "absolute-alone", "an episode is told by its absolute number alone";
    NoSeasonOrEpisode = "no-season-or-episode", "a video has no season or no episode";
    SeveralSeasons = "several-seasons", "a video has several seasons";
    ManyEpisodes = "many-episodes", "a video has more than 20 episodes";
    AbsoluteOrSeason = "absolute-or-season", "a number may be an absolute number, or a season with an episode";
    FractionalEpisode = "fractional-episode", "an episode has a fraction: it needs a season and an episode";
    UnnumberedSpecial = "unnumbered-special", "a special has no season or episode of its own";
    EpisodeTwice = "episode-twice", "two files hold one episode";
    PartBesideNumber = "part-beside-number", "a part of an episode is told beside its number";
    PartByLetter = "part-by-letter", "a part of an episode is told by a letter";
    PartCountedBeside = "part-counted-beside", "a part of an episode is counted beside its number";
    NumbersBackwards = "numbers-backwards", "the episode numbers run backwards";
    LongRange = "long-range", "the range of episode numbers is too long";
    TorrentSaysSeries = "torrent-says-series", "the name of the torrent speaks of a series, its files of a film";
    FolderOtherSeason = "folder-other-season", "the folder has another season than a file in it";
    FolderSaysSeason = "folder-says-season", "the folder speaks of a season, a file in it of a film";
    FolderOtherYear = "folder-other-year", "the folder has another year than a file in it";
    FolderOtherTitle = "folder-other-title", "the folder has another title than the files";
    SeasonWithoutEpisode = "season-without-episode", "it is a season without an episode";
    FilesUnknown = "files-unknown", "the files are not known yet";
    HintOtherKind = "hint-other-kind", "a hint says another kind than the names";
    HintOtherYear = "hint-other-year", "a hint says another year than the names";
    HintOtherSeason = "hint-other-season", "a hint says another season than the names";

    // --- what is in the torrent ---

    CarriesProgram { extension: String } = "carries-program", "it carries a program or bait (.{extension})";
    IsDisc = "is-disc", "it is a disc";
    PartlyPacked = "partly-packed", "a part of it is packed in an archive";
    Packed = "packed", "its content is packed in an archive";
    OnlySample = "only-sample", "the only video is a sample";
    NoVideo = "no-video", "there is no video in it";
    OnlyPictures = "only-pictures", "it is not for the library: pictures";
    OnlySoftware = "only-software", "it is not for the library: software";
    OnlyBooks = "only-books", "it is not for the library: books";
    OnlyMusic = "only-music", "it is not for the library: music";
    NothingToLink = "nothing-to-link", "there is no video in it that could be linked";

    // --- the title of a work ---

    TitleRussian = "title-russian", "title equals the Russian name";
    TitleCyrillic = "title-cyrillic", "title equals the name in Cyrillic letters";
    TitleOriginal = "title-original", "title equals the original name";
    TitleSame = "title-same", "title equals the name";
    TitleFurther = "title-further", "title equals a further name";
    TitleClose { name: Quoted, likeness: Percent } = "title-close", "title is close to {name} ({likeness} %)";
    TitleSubtitle { name: Quoted } = "title-subtitle", "title and {name} differ by a subtitle";
    TitleNumber { name: Quoted } = "title-number", "title and {name} differ by a number";
    TitleOther = "title-other", "another title";

    // --- its year ---

    YearSame { ours: i32 } = "year-same", "{ours} is the year of the work";
    YearOff { ours: i32, theirs: i32 } = "year-off", "{ours} is a year off: the source says {theirs}";
    YearOfSeason { ours: i32, theirs: i32 } = "year-of-season", "{ours} may be the year of the season; it began in {theirs}";
    YearOfLaterSeason { ours: i32, theirs: i32 } = "year-of-later-season", "{ours} may be the year of a later season; it began in {theirs}";
    YearNotNamed { theirs: i32 } = "year-not-named", "the names give no year; the work is of {theirs}";
    YearNotKnown = "year-not-known", "the source gives no year";
    YearOther { theirs: i32, ours: i32 } = "year-other", "another year: {theirs}, not {ours}";

    // --- its kind ---

    KindFilm = "kind-film", "a film, as the names say";
    KindSeries = "kind-series", "a series, as the names say";
    KindAnimated = "kind-animated", "an animated series";
    KindNotAnimated = "kind-not-animated", "a series, but the source does not say that it is animated";
    KindFilmUnsaid = "kind-film-unsaid", "a film; the names do not say what it is";
    KindSeriesUnsaid = "kind-series-unsaid", "a series; the names do not say what it is";
    KindSeriesNotFilm = "kind-series-not-film", "a series, not a film";
    KindFilmNotSeries = "kind-film-not-series", "a film, not a series";
    KindNeither = "kind-neither", "the names speak of neither a film nor a series";

    // --- its episodes, and how well known it is ---

    SeasonsNotKnown = "seasons-not-known", "the seasons of the work are not known";
    EpisodesNotNamed = "episodes-not-named", "the names give no episodes";
    EpisodeBetween { number: EpisodeNumber } = "episode-between", "episode {number} stands between two episodes";
    SeasonNotNamed { seasons: u64 } = "season-not-named", "the names give no season, and the work has {seasons}";
    NoSpecials = "no-specials", "the source knows no specials of the work";
    NoSuchSeason { season: u32 } = "no-such-season", "the source knows no season {season} of the work";
    SeasonIsShorter { season: u32, episodes: u32, last: EpisodeNumber } = "season-is-shorter", "season {season} has {episodes} episodes, the files count to {last}";
    EpisodesFit = "episodes-fit", "the work has these seasons and episodes";
    NumberHasNoPlace { number: EpisodeNumber, episodes: u64 } = "number-has-no-place", "number {number} has no place among the {episodes} episodes of the work";
    CountsThrough = "counts-through", "the numbers count through the seasons of the work";
    MayCountThrough { number: EpisodeNumber } = "may-count-through", "number {number} may count through all seasons or within one";
    OtherEpisodeCount { named: u32, season: u32, episodes: u32 } = "other-episode-count", "the names speak of {named} episodes, season {season} has {episodes}";
    SeasonsNotKnownForNumbers = "seasons-not-known-for-numbers", "the seasons of the work are not known, so the numbers have no place";
    NumbersDoNotFit { episodes: u64 } = "numbers-do-not-fit", "the numbers of the files do not fit the {episodes} episodes of the work";
    Popularity { percent: Percent } = "popularity", "popularity {percent} of 100";

    // --- which work it is ---

    NoSuchWork = "no-such-work", "the sources know no such work";
    OnlyOtherWorks { reason: Box<Remark> } = "only-other-works", "the sources found only other works: {reason}";
    NotPlain = "not-plain", "the names do not say plainly what it is";
    FilmsOfOneName = "films-of-one-name", "the names give no year, and films of one name are many";
    SeveralWorks = "several-works", "several works have this title, and no year tells which is meant";
    NoYearNorSeasons = "no-year-nor-seasons", "neither a year nor the seasons of the work speak for it";
    FilmOrSeries = "film-or-series", "the names do not say whether it is a film or a series";
    NotAnimated = "not-animated", "the names speak of anime, and the source does not say that it is animated";
    SameTitleAndYear { work: WorkId } = "same-title-and-year", "another work has the same title and year: {work}";
    Rival { title: Quoted, work: WorkId } = "rival", "{title} fits nearly as well: {work}";
    RivalOfYear { title: Quoted, year: i32, work: WorkId } = "rival-of-year", "{title} ({year}) fits nearly as well: {work}";
    SeveralOfPin { pin: Pin } = "several-of-pin", "{pin} names several works: choose one of the candidates";

    // --- what people said and decided ---

    SeveralForOneFilm = "several-for-one-film", "there are several videos for one film: set file.<index>.part or file.<index>.skip";
    NumbersMissing { index: u32 } = "numbers-missing", "a video has no season or no episode: set season, or file.{index}.season and file.{index}.episodes";
    NoSuchFile { field: String } = "no-such-file", "{field} is about a file that the torrent does not have: take it back";
    NoVideoFile { field: String } = "no-video-file", "{field} would take in a file that is no video and no subtitles: take it back";
    OffsetBelowZero { offset: i32, episode: EpisodeNumber } = "offset-below-zero", "episode_offset {offset} would take episode {episode} below 0: give one that fits all files";
    SeasonOfAbsolute = "season-of-absolute", "season has no use beside numbering absolute: take one of the two back";
    UnknownField { field: Quoted, fields: String } = "unknown-field", "{field} is no field that can be set: take one of {fields}";
    ValueDoesNotFit { value: Quoted, field: String, expected: Box<Remark> } = "value-does-not-fit", "{value} does not fit {field}: give {expected}";
    ExpectTitle = "expect-title", "a title in one line, of at most 300 characters, with a letter or a digit in it";
    ExpectYear = "expect-year", "a year from 1870 to 2199";
    ExpectKind = "expect-kind", "movie, series, anime or other";
    ExpectSeason = "expect-season", "a whole number up to 9999; 0 holds the specials";
    ExpectOffset = "expect-offset", "a whole number like 12 or -12";
    ExpectNumbering = "expect-numbering", "aired or absolute";
    ExpectEdition = "expect-edition", "words like extended or directors with commas between them, or nothing for no edition";
    ExpectLibrary = "expect-library", "the name of a library";
    ExpectWork = "expect-work", "a work like tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093, or the address of its page";
    ExpectEpisodes = "expect-episodes", "numbers and ranges like 1, 1-3 or 1,3";
    ExpectPart = "expect-part", "a whole number from 1 to 99";
    ExpectYesOrNo = "expect-yes-or-no", "true or false";
    ShiftByNothing = "shift-by-nothing", "give a whole number other than 0, like 12 or -12";
    NothingToShift = "nothing-to-shift", "no file of it has a number of an episode";
    ShiftTooFar { by: i32, episode: EpisodeNumber, highest: u32 } = "shift-too-far", "{by} would take episode {episode} out of 0 to {highest}, so none was moved";
    NameNotTyped = "name-not-typed", "to delete its data, type the name of the download as it stands beside the field";
    NothingIsLeft = "nothing-is-left", "no file of it can be linked; its plan says of each why";
    AcceptFirst = "accept-first", "accept the match first";
    RejectedBefore = "rejected-before", "a match was rejected: accept this one, or say what it is";
    AskedForTitle = "asked-for-title", "you asked to be asked for this title";
    AskedForDownload = "asked-for-download", "you asked to be asked for this download";
    LookAgain = "look-again", "the names were accepted before the file list was known; look at it and accept the match again, or say what it is";
    SaysOtherwise { before: Box<Remark>, now: Box<Remark> } = "says-otherwise", "{before} was accepted before the file list was known, and with it the names say {now}: accept the match, or say what it is";
    ReadAs { title: String, year: i32, kind: TitleKind } = "read-as", "“{title}” ({year}, {kind})";
    ReadAsOfYear { title: String, year: i32 } = "read-as-of-year", "“{title}” ({year})";
    ReadAsOfKind { title: String, kind: TitleKind } = "read-as-of-kind", "“{title}” (no year, {kind})";
    ReadAsTitle { title: String } = "read-as-title", "“{title}” (no year)";

    // --- sources that have to answer ---

    SourceDenies { source: Provider } = "source-denies", "{source} refuses the token: set tmdb_token of [metadata] anew and restart";
    SourceIsLimited { source: Provider } = "source-is-limited", "{source} has been asked often enough for now; it is asked again by itself";
    SourceUnreachable { source: Provider } = "source-unreachable", "{source} cannot be reached; it is asked again by itself";
    SourceUnreadable { source: Provider } = "source-unreadable", "the answer of {source} cannot be read; it is asked again by itself";
    SourceHasNone { source: Provider } = "source-has-none", "{source} has no such work";
    SourceLacksPin { source: Provider, pin: Pin } = "source-lacks-pin", "{source} has no {pin}: name another work, or take it back";
    NoTmdbFor { pin: Pin } = "no-tmdb-for", "no source that knows {pin} is asked: set tmdb_token in [metadata] and restart tracker, or take it back";
    NoTvmazeFor { pin: Pin } = "no-tvmaze-for", "no source that knows {pin} is asked: set tvmaze = true in [metadata] and restart tracker, or take it back";
}
