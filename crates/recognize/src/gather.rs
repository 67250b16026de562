//! Every name of the torrent read once, and what they say together: the file's
//! own name wins, the folders above it fill what it lacks, then the names of the
//! torrent, of the link and of the client.

use std::collections::HashMap;

use tracker_domain::number::EpisodeNumber;
use tracker_domain::recognised::{Evidence, Fields, TitleKind};
use tracker_domain::remark::Remark;

use crate::Names;
use crate::file::Sorted;
use crate::fold::fold;
use crate::parse::{Family, Parsed, parse, split_extension};

/// A main file and what is known of it.
pub struct Main<'a> {
    /// The file.
    pub file: &'a Sorted<'a>,
    /// What its own name says.
    pub parsed: Parsed<'a>,
    /// That, and what the folders add.
    pub fields: Fields,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// Where a folder says something else.
    pub contradictions: Vec<Remark>,
}

/// All main files together.
#[derive(Debug, Default)]
pub struct Whole {
    /// What holds for the torrent.
    pub fields: Fields,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// How many titles the files have.
    pub titles: usize,
    /// How many years.
    pub years: usize,
    /// How many files have numbers.
    pub numbered: usize,
}

/// Copies fields that are absent, and notes which.
macro_rules! fill {
    ($fields:expr, $other:expr, $taken:expr, $($field:ident),+) => { $(
        if is_absent(&$fields.$field) && !is_absent(&$other.$field) {
            $fields.$field.clone_from(&$other.$field);
            $taken.push(stringify!($field));
        }
    )+ };
}

/// The same for what a release says of itself.
macro_rules! fill_release {
    ($fields:expr, $other:expr, $taken:expr) => {
        fill!(
            $fields,
            $other,
            $taken,
            edition,
            resolution,
            source,
            remux,
            video_codec,
            audio,
            hdr,
            languages,
            group
        )
    };
}

/// Folders are read once, however many files are in them.
#[derive(Default)]
pub struct Folders<'a>(HashMap<&'a str, Option<Parsed<'a>>>);

/// More folders above a file than these say nothing of it.
const MOST_FOLDERS: usize = 6;

impl<'a> Folders<'a> {
    /// The folders above a file, the nearest first.
    fn above(&mut self, folder: &'a str) -> Vec<&Parsed<'a>> {
        let parts = || folder.rsplit('/').filter(|part| !part.is_empty()).take(MOST_FOLDERS);
        for part in parts() {
            self.0.entry(part).or_insert_with(|| (!is_generic(part)).then(|| parse(part)));
        }
        parts().filter_map(|part| self.0.get(part)?.as_ref()).collect()
    }
}

/// Folders whose names say what is kept there, not what it is.
pub fn is_generic(folder: &str) -> bool {
    let lower = folder.to_lowercase();
    matches!(
        lower.as_str(),
        "movies"
            | "films"
            | "tv"
            | "series"
            | "tv shows"
            | "downloads"
            | "video"
            | "videos"
            | "anime"
            | "media"
            | "фильмы"
            | "сериалы"
            | "видео"
            | "specials"
    )
}

/// Reads a main file.
pub fn main_file<'a>(file: &'a Sorted<'a>, folders: &mut Folders<'a>) -> Main<'a> {
    let mut parsed = parse(file.stem);
    let mut fields = std::mem::take(&mut parsed.fields);
    fields.container.clone_from(&file.extension);
    let mut evidence = parsed.evidence("file");
    let mut contradictions = Vec::new();
    number_in_front(
        &mut fields,
        &mut parsed,
        file.stem,
        &folders.above(file.folder),
        &mut evidence,
    );
    // The nearest folder that has a title names the file; those above it hold it.
    let mut named = false;
    for above in folders.above(file.folder) {
        contradictions.extend(contradiction(&fields, &parsed, &above.fields));
        named |= fill(&mut fields, &parsed, above, &mut evidence, !named);
    }
    if file.folder.rsplit('/').any(|part| part.eq_ignore_ascii_case("specials"))
        && fields.seasons.is_empty()
    {
        fields.seasons = vec![0];
    }
    Main { file, parsed, fields, evidence, contradictions }
}

/// `Season 2/05.mkv`, `Season 2/05 Name.mkv`: in the folder of a season a number
/// in front is an episode.
fn number_in_front(
    fields: &mut Fields,
    parsed: &mut Parsed<'_>,
    stem: &str,
    folders: &[&Parsed<'_>],
    evidence: &mut Vec<Evidence>,
) {
    let numbered = !fields.seasons.is_empty()
        || !fields.episodes.is_empty()
        || !fields.absolute_episodes.is_empty()
        || fields.date.is_some();
    let season = folders.iter().find_map(|folder| match folder.fields.seasons.as_slice() {
        [season] => Some(*season),
        _ => None,
    });
    let digits = stem.bytes().take_while(u8::is_ascii_digit).count();
    let (front, rest) = stem.split_at_checked(digits).unwrap_or(("", stem));
    let Some(number) = front.parse().ok().filter(|_: &u32| (1..=3).contains(&digits)) else {
        return;
    };
    let parted = rest.is_empty() || rest.starts_with([' ', '.', '_', '-']);
    if numbered || !parted {
        return;
    }
    let number = EpisodeNumber::whole(number);
    // `[Group] Title [1080p]/05.mkv`
    let anime = folders.first().is_some_and(|folder| folder.family == Family::Anime);
    let field = match season {
        Some(season) => {
            let Some(episodes) = within_season(&[number], season) else { return };
            fields.episodes = episodes;
            "episodes"
        }
        None if anime && rest.is_empty() => {
            fields.absolute_episodes = vec![number];
            "absolute_episodes"
        }
        None => return,
    };
    // What stands behind it is the name of the episode, not the title.
    let name = fields.title.take().unwrap_or_default();
    let name = name.strip_prefix(front).unwrap_or(&name);
    let name = name.trim_start_matches(|one: char| !one.is_alphanumeric());
    fields.episode_title = Some(name.to_owned()).filter(|name| !name.is_empty());
    (fields.title_ru, fields.title_orig) = (None, None);
    evidence.retain(|entry| !matches!(entry.field.as_str(), "title" | "title_ru" | "title_orig"));
    evidence.push(Evidence {
        field: field.to_owned(),
        value: number.to_string(),
        from: "file".to_owned(),
        text: front.to_owned(),
        span: u32::try_from(digits).ok().map(|end| (0, end)),
        rule: "number in front, in the folder of a season".to_owned(),
    });
    parsed.leading_number = true;
}

/// What a folder says otherwise than a file in it.
fn contradiction(own: &Fields, file: &Parsed<'_>, folder: &Fields) -> Option<Remark> {
    let seasons = !folder.seasons.is_empty();
    if !seasons && folder.year.is_none() {
        return None;
    }
    if seasons
        && !own.seasons.is_empty()
        && !own.seasons.iter().all(|season| folder.seasons.contains(season))
    {
        return Some(Remark::FolderOtherSeason);
    }
    if seasons
        && own.seasons.is_empty()
        && own.episodes.is_empty()
        && own.absolute_episodes.is_empty()
        && own.year.is_some()
    {
        return Some(Remark::FolderSaysSeason);
    }
    if own.year.is_some()
        && folder.year.is_some()
        && own.year != folder.year
        && folder.year_end.is_none()
    {
        return Some(Remark::FolderOtherYear);
    }
    let titled =
        own.title.is_some() && folder.title.is_some() && file.bounded && !file.leading_number;
    (titled && !share_a_name(own, folder)).then_some(Remark::FolderOtherTitle)
}

/// Gives a file what the folder above it says and it does not, its title only
/// where it `may_name` the file. Tells whether it did.
fn fill(
    fields: &mut Fields,
    file: &Parsed<'_>,
    above: &Parsed<'_>,
    evidence: &mut Vec<Evidence>,
    may_name: bool,
) -> bool {
    let said = above.evidence("folder");
    let upper = &above.fields;
    let mut taken = Vec::new();
    if fields.seasons.is_empty()
        && let [season] = upper.seasons.as_slice()
    {
        fields.seasons = vec![*season];
        taken.push("seasons");
        // A special does not become an episode of the season it lies in.
        if fields.episodes.is_empty()
            && !file.special
            && let Some(episodes) = within_season(&fields.absolute_episodes, *season)
        {
            fields.episodes = episodes;
            fields.absolute_episodes = Vec::new();
            rename(evidence, "absolute_episodes", "episodes");
        }
    }
    let named = may_name && fill_title(fields, file, above, evidence, &mut taken);
    if above.bounded && !is_absent(&fields.title) {
        fill_release!(fields, upper, taken);
    }
    if share_a_name(fields, upper) {
        if fields.year.is_none() && upper.year.is_some() {
            fields.year = upper.year;
            fields.year_end = upper.year_end;
            taken.push("year");
        }
        add_names(fields, upper);
    }
    evidence.extend(said.into_iter().filter(|entry| taken.contains(&entry.field.as_str())));
    named
}

/// Numbers without a season as episodes of one: `101` in the folder of season 1 is
/// its first, `05` its fifth. Another number of three digits may count through.
fn within_season(numbers: &[EpisodeNumber], season: u32) -> Option<Vec<EpisodeNumber>> {
    let within = |number: &EpisodeNumber| match number.as_whole() {
        Some(whole) if whole < 100 => Some(*number),
        Some(whole) if whole / 100 == season && whole % 100 > 0 => {
            Some(EpisodeNumber::whole(whole % 100))
        }
        Some(_) => None,
        None => Some(*number),
    };
    numbers.iter().map(within).collect()
}

/// The title of the folder, where the file has none, or one that says nothing.
fn fill_title(
    fields: &mut Fields,
    file: &Parsed<'_>,
    above: &Parsed<'_>,
    evidence: &mut Vec<Evidence>,
    taken: &mut Vec<&'static str>,
) -> bool {
    const TITLES: [&str; 3] = ["title", "title_ru", "title_orig"];
    let upper = &above.fields;
    let numbered = !fields.episodes.is_empty()
        || !fields.absolute_episodes.is_empty()
        || fields.date.is_some();
    // What the season is called stands in the folder, the episode in the file:
    // `Name (2008)/Season 1/Pilot_1080p.mkv`.
    let own_season = evidence.iter().any(|entry| entry.field == "seasons" && entry.from == "file");
    let of_season = !own_season && !numbered && !fields.seasons.is_empty();
    let says_nothing = !file.bounded || !numbered && fields.year.is_none() && !own_season;
    // In front of the number stands no title: `01 - Pilot`, `S01E03 - Name`.
    let untitled = fields.title.is_none() || numbered && file.leading_number;
    let tagged = fields.title.as_deref().zip(upper.title.as_deref());
    let tagged = above.bounded && tagged.is_some_and(|(own, upper)| is_tagged(own, upper));
    if upper.title.is_none() || !(untitled || tagged || says_nothing && above.bounded) {
        return false;
    }
    if (untitled || of_season) && fields.episode_title.is_none() {
        fields.episode_title = fields.title.take();
        rename(evidence, "title", "episode_title");
    }
    evidence.retain(|entry| !TITLES.contains(&entry.field.as_str()));
    fields.title.clone_from(&upper.title);
    fields.title_ru.clone_from(&upper.title_ru);
    fields.title_orig.clone_from(&upper.title_orig);
    taken.extend(TITLES);
    if !numbered {
        fields.episodes.clone_from(&upper.episodes);
        fields.absolute_episodes.clone_from(&upper.absolute_episodes);
        fields.date = upper.date;
        taken.extend(["episodes", "absolute_episodes", "date"]);
    }
    true
}

/// `grp-the.title` in the folder `The.Title`: the group's tag in front, as its
/// files are called.
fn is_tagged(own: &str, upper: &str) -> bool {
    own.split_once('-').is_some_and(|(tag, rest)| {
        tag.chars().all(char::is_alphanumeric)
            && (fold(rest) == fold(upper) || is_short_for(rest, upper))
    })
}

/// `sn` in `grp-sn.s01e01` is short for `Show.Name`: a word in small letters, each
/// of which the title has in this order.
fn is_short_for(word: &str, title: &str) -> bool {
    let word = word.trim_end_matches(|one: char| one.is_ascii_digit());
    let title = fold(title);
    let mut letters = title.chars();
    (2..=6).contains(&word.len())
        && word.chars().all(|one| one.is_ascii_lowercase() && letters.any(|other| other == one))
}

/// The same words turned out to be another field.
fn rename(evidence: &mut [Evidence], from: &str, to: &str) {
    for entry in evidence.iter_mut().filter(|entry| entry.field == from) {
        to.clone_into(&mut entry.field);
    }
}

/// All names that some fields hold.
fn names_of(fields: &Fields) -> impl Iterator<Item = &String> {
    [&fields.title, &fields.title_ru, &fields.title_orig]
        .into_iter()
        .flatten()
        .chain(&fields.other_titles)
}

fn share_a_name(one: &Fields, other: &Fields) -> bool {
    let known: Vec<String> = names_of(one).map(|name| fold(name)).collect();
    names_of(other).any(|name| known.contains(&fold(name)))
}

/// Adds the names of another source of the same work.
fn add_names(fields: &mut Fields, other: &Fields) {
    let mut known: Vec<String> = names_of(fields).map(|name| fold(name)).collect();
    let mut fresh = |name: &String| {
        let folded = fold(name);
        let new = !known.contains(&folded);
        known.push(folded);
        new
    };
    let is_cyrillic = |name: &str| name.chars().any(|one| ('\u{400}'..='\u{52f}').contains(&one));
    for name in names_of(other) {
        if !fresh(name) {
            continue;
        }
        if fields.title_ru.is_none() && is_cyrillic(name) {
            fields.title_ru = Some(name.clone());
        } else if fields.title_orig.is_none()
            && name.is_ascii()
            && fields.title.as_deref().is_some_and(is_cyrillic)
        {
            fields.title_orig = Some(name.clone());
        } else {
            fields.other_titles.push(name.clone());
        }
    }
}

/// What the files say together, and what the other names add.
pub fn together(mains: &[Main<'_>], names: &Names<'_>, root: Option<&str>) -> Whole {
    let mut whole = Whole::default();
    let Some(first) = mains.first() else { return whole };
    common(&mut whole, mains, first);
    // The root folder is the first of the further names: `folder` is its evidence.
    let root = root.map(|root| (root, "folder"));
    let further = [
        names.torrent.map(|name| (name, "torrent")),
        names.dn.map(|name| (name, "dn")),
        names.client.map(|name| (name, "client")),
    ];
    let mut read: Vec<&str> = Vec::new();
    for (name, from) in root.into_iter().chain(further.into_iter().flatten()) {
        let stem = split_extension(name).0;
        if !read.contains(&stem) {
            read.push(stem);
            add_name(&mut whole, &parse(stem), from);
        }
    }
    whole.fields.kind = kind_of(mains, &whole);
    whole
}

/// What all main files agree on.
fn common(whole: &mut Whole, mains: &[Main<'_>], first: &Main<'_>) {
    let mut titles: HashMap<String, (usize, usize)> = HashMap::new();
    let mut years: Vec<i32> = Vec::new();
    for (at, main) in mains.iter().enumerate() {
        if let Some(title) = &main.fields.title {
            titles.entry(fold(title)).or_insert((0, at)).0 += 1;
        }
        if years.len() < 50 {
            years.extend(main.fields.year.filter(|year| !years.contains(year)));
        }
        let fields = &main.fields;
        let numbers = !fields.episodes.is_empty()
            || !fields.absolute_episodes.is_empty()
            || fields.date.is_some();
        whole.numbered += usize::from(numbers);
    }
    whole.titles = titles.len();
    whole.years = years.len();
    // The title of most files; of two, the one that comes first.
    let most = titles.values().max_by_key(|(count, at)| (*count, usize::MAX - at));
    let speaker = most.and_then(|(_, at)| mains.get(*at)).unwrap_or(first);
    let mut fields = speaker.fields.clone();
    whole.evidence.clone_from(&speaker.evidence);
    if mains.len() > 1 {
        fields.year = if years.len() == 1 { years.first().copied() } else { fields.year };
        fields.episode_title = None;
        fields.seasons = union(mains.iter().flat_map(|main| main.fields.seasons.iter().copied()));
        let numbers = |list: fn(&Fields) -> &Vec<EpisodeNumber>| {
            union(mains.iter().flat_map(|main| list(&main.fields).iter().copied()))
        };
        // Numbers of several seasons in one list would say nothing.
        fields.episodes =
            if fields.seasons.len() > 1 { Vec::new() } else { numbers(|fields| &fields.episodes) };
        fields.absolute_episodes = numbers(|fields| &fields.absolute_episodes);
        fields.part = union(mains.iter().flat_map(|main| main.fields.part.iter().copied()));
        let agree = |get: fn(&Fields) -> &Option<String>| {
            mains.iter().all(|main| get(&main.fields) == get(&first.fields))
        };
        if !agree(|fields| &fields.resolution) {
            fields.resolution = None;
        }
        if !agree(|fields| &fields.container) {
            fields.container = None;
        }
        if !agree(|fields| &fields.source) {
            fields.source = None;
        }
        if !mains.iter().all(|main| main.fields.date == first.fields.date) {
            fields.date = None;
        }
        fields.version = None;
    }
    whole.fields = fields;
}

fn union<T: Ord>(numbers: impl Iterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = numbers.collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Takes from a further name what is lacking, where it speaks of the same work.
fn add_name(whole: &mut Whole, parsed: &Parsed<'_>, from: &str) {
    let other = &parsed.fields;
    let fields = &mut whole.fields;
    let mut taken: Vec<&str> = Vec::new();
    let nameless = fields.title.is_none();
    if nameless && other.title.is_some() {
        fields.title.clone_from(&other.title);
        taken.push("title");
    }
    if !nameless && !share_a_name(fields, other) {
        return;
    }
    add_names(fields, other);
    taken.extend(["title_ru", "title_orig", "other_titles"]);
    fill!(fields, other, taken, year, year_end, episode_count);
    fill_release!(fields, other, taken);
    if fields.seasons.is_empty() && whole.numbered == 0 {
        fill!(fields, other, taken, seasons, episodes, absolute_episodes, date, season_part);
    }
    whole.evidence.extend(
        parsed.evidence(from).into_iter().filter(|entry| taken.contains(&entry.field.as_str())),
    );
}

fn is_absent<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn kind_of(mains: &[Main<'_>], whole: &Whole) -> Option<TitleKind> {
    let fields = &whole.fields;
    let anime =
        mains.iter().filter(|main| main.parsed.family == Family::Anime).count() * 2 > mains.len();
    if whole.numbered == mains.len() {
        let absolute = mains.iter().any(|main| {
            main.fields.episodes.is_empty() && !main.fields.absolute_episodes.is_empty()
        });
        return Some(if anime && absolute { TitleKind::Anime } else { TitleKind::Series });
    }
    if whole.numbered > 0 || !fields.seasons.is_empty() || !fields.absolute_episodes.is_empty() {
        // A folder of a season with a video that has no number.
        return (whole.numbered == 0 && mains.len() == 1).then_some(TitleKind::Series);
    }
    let parts = mains.iter().all(|main| !main.fields.part.is_empty());
    let one_film = mains.len() == 1 || whole.titles == 1 && (parts || whole.years == 1);
    (one_film && (fields.year.is_some() || parts)).then_some(TitleKind::Movie)
}
