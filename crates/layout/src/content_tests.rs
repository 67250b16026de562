//! What is inside torrents: versions, sidecars, extras, pictures, discs.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{
    Date, EpisodeNumber, Evidence, Fields, FileRole, Recognised, Role, TitleKind, Verdict,
};
use tracker_testkit::spec;

use crate::naming::{Extras, IdStyle, Naming};
use crate::{ConflictKind, Plan, PlanInput, Style, plan_as};

/// A torrent and how it is named.
#[derive(Debug)]
pub(crate) struct Case {
    pub recognised: Recognised,
    pub files: Vec<RemoteFile>,
    pub library: Library,
    pub naming: Naming,
    pub limit: usize,
}

pub(crate) fn library(kind: LibraryKind) -> Library {
    Library { name: "l".to_owned(), kind, root: PathBuf::from("/lib"), mode: LinkMode::Hardlink }
}

impl Case {
    pub fn new(fields: Fields) -> Self {
        Case {
            recognised: Recognised {
                fields,
                files: Vec::new(),
                evidence: Vec::new(),
                verdict: Verdict::Sure,
                confidence: 1.0,
                doubts: Vec::new(),
            },
            files: Vec::new(),
            library: library(LibraryKind::Movie),
            naming: Naming::default(),
            limit: 255,
        }
    }

    pub fn film() -> Self {
        Case::new(Fields { kind: Some(TitleKind::Movie), ..titled() })
    }

    pub fn show() -> Self {
        Case::new(Fields { kind: Some(TitleKind::Series), ..titled() })
    }

    pub fn with(mut self, path: &str, role: Role, fields: Fields) -> Self {
        let index = u32::try_from(self.files.len()).unwrap();
        self.files.push(RemoteFile {
            index,
            path: path.to_owned(),
            size_bytes: 7,
            selected: true,
            complete: true,
        });
        self.recognised.files.push(FileRole { index, role, fields });
        self
    }

    pub fn main(self, path: &str) -> Self {
        self.with(path, Role::Main, Fields::default())
    }

    pub fn episode(self, path: &str, season: u32, episode: u32) -> Self {
        self.with(path, Role::Main, episode_fields(season, episode))
    }

    pub fn other(self, role: Role, paths: &[&str]) -> Self {
        paths.iter().fold(self, |case, path| case.with(path, role, Fields::default()))
    }

    /// The only call into the API.
    pub fn plan(&self) -> Plan {
        plan_as(
            &PlanInput {
                recognised: &self.recognised,
                files: &self.files,
                source_root: Path::new("/dl"),
                library: &self.library,
                name_limit: self.limit,
            },
            &Style { naming: &self.naming, tmdb: Some(603) },
        )
    }

    /// Each file with its target below the root, or the reason that it has none.
    pub fn told(&self) -> Vec<String> {
        let plan = self.plan();
        let mut told: Vec<(u32, String)> = Vec::new();
        for link in &plan.links {
            let target = link.target.strip_prefix("/lib").unwrap();
            told.push((link.file, target.to_str().unwrap().to_owned()));
        }
        told.extend(
            plan.skipped.iter().map(|one| (one.file, format!("- {}", one.reason.as_str()))),
        );
        told.extend(
            plan.conflicts.iter().map(|one| (one.file, format!("! {}", one.kind.as_str()))),
        );
        told.sort();
        told.into_iter().map(|(_, text)| text).collect()
    }
}

fn titled() -> Fields {
    Fields { title: Some("Tide".to_owned()), year: Some(2010), ..Fields::default() }
}

fn episode_fields(season: u32, episode: u32) -> Fields {
    Fields {
        seasons: vec![season],
        episodes: vec![EpisodeNumber::whole(episode)],
        ..Fields::default()
    }
}

fn release(resolution: &str, source: &str, edition: &[&str]) -> Fields {
    Fields {
        resolution: Some(resolution.to_owned()),
        source: Some(source.to_owned()),
        edition: edition.iter().map(|word| (*word).to_owned()).collect(),
        ..Fields::default()
    }
}

#[test]
fn built_in_names() {
    spec!("file-layout#names-follow-patterns/built-in-names");
    let day = Fields { date: Date::new(2019, 5, 21), ..Fields::default() };
    let named = Fields { episode_title: Some("Low: Tide?".to_owned()), ..episode_fields(1, 2) };
    let shown = Fields { episode_title: Some("Guest".to_owned()), ..day.clone() };
    let case = Case::show()
        .with("a.mkv", Role::Main, named)
        .episode("b.mkv", 0, 3)
        .with("c.mkv", Role::Main, shown)
        .with("d.mkv", Role::Main, Fields { date: Date::new(2019, 5, 22), ..day });
    assert_eq!(
        case.told(),
        [
            "Tide (2010)/Season 01/Tide S01E02 - Low - Tide.mkv",
            "Tide (2010)/Season 00/Tide S00E03.mkv",
            "Tide (2010)/Season 2019/Tide 2019-05-21 - Guest.mkv",
            "Tide (2010)/Season 2019/Tide 2019-05-22.mkv",
        ]
    );
    let mut numbered = Case::film().main("f.mkv");
    numbered.naming = Naming::default().with_id(IdStyle::Jellyfin);
    assert_eq!(numbered.told(), ["Tide (2010) [tmdbid-603]/Tide (2010) [tmdbid-603].mkv"]);
}

#[test]
fn numbers_through_all_seasons() {
    spec!("file-layout#numbers-through-all-seasons/when-they-count");
    let absolute = |number| Fields {
        absolute_episodes: vec![EpisodeNumber::whole(number)],
        ..Fields::default()
    };
    let both = Fields { absolute_episodes: vec![EpisodeNumber::whole(14)], ..episode_fields(2, 1) };
    let of = |kind, library_kind| {
        let mut case = Case::new(Fields { kind: Some(kind), year: None, ..titled() })
            .with("a.mkv", Role::Main, absolute(12))
            .with("b.mkv", Role::Main, both.clone())
            .with("c.mkv", Role::Main, Fields { seasons: vec![1], ..absolute(1) });
        case.library = library(library_kind);
        case
    };
    assert_eq!(
        of(TitleKind::Anime, LibraryKind::Anime).told(),
        ["Tide/Season 01/Tide - 012.mkv", "Tide/Season 02/Tide S02E01.mkv", "- no-episode"]
    );
    let mut series = of(TitleKind::Series, LibraryKind::Series);
    assert_eq!(series.told()[0], "- no-episode");
    series.recognised.evidence.push(Evidence {
        field: "numbering".to_owned(),
        value: "absolute".to_owned(),
        from: "hint".to_owned(),
        text: String::new(),
        span: None,
        rule: String::new(),
    });
    assert_eq!(series.told()[0], "Tide/Season 01/Tide - 012.mkv");
}

#[test]
fn versions_of_one_film() {
    spec!("file-layout#versions-lie-side-by-side/editions-and-sources");
    let case = Case::film()
        .with("a.mkv", Role::Main, release("1080p", "bluray", &[]))
        .with("b.mkv", Role::Main, release("2160p", "bluray", &[]))
        .with("c.mkv", Role::Main, release("1080p", "bluray", &["directors"]))
        .with("d.mkv", Role::Main, release("720p", "bluray", &[]))
        .with("e.mkv", Role::Main, release("720p", "web-dl", &[]))
        .with("f.mkv", Role::Main, release("480p", "dvd", &[]))
        .with("g.mkv", Role::Main, release("480p", "dvd", &[]));
    assert_eq!(
        case.told(),
        [
            "Tide (2010)/Tide (2010) - 1080p.mkv",
            "Tide (2010)/Tide (2010) - 2160p.mkv",
            "Tide (2010)/Tide (2010) - 1080p {edition-Director's Cut}.mkv",
            "Tide (2010)/Tide (2010) - 720p - BluRay.mkv",
            "Tide (2010)/Tide (2010) - 720p - WEB-DL.mkv",
            "! two-sources",
            "! two-sources",
        ]
    );
    let episode = |resolution: &str| Fields {
        seasons: vec![1],
        episodes: vec![EpisodeNumber::whole(1)],
        ..release(resolution, "web-dl", &[])
    };
    let case = Case::show()
        .with("a.mkv", Role::Main, episode("720p"))
        .with("b.mkv", Role::Main, episode("1080p"))
        .other(Role::Subtitle, &["b.en.srt"]);
    assert_eq!(
        case.told(),
        [
            "Tide (2010)/Season 01/Tide S01E01 - 720p.mkv",
            "Tide (2010)/Season 01/Tide S01E01 - 1080p.mkv",
            "Tide (2010)/Season 01/Tide S01E01 - 1080p.en.srt",
        ]
    );
}

#[test]
fn parts_of_a_film() {
    spec!("file-layout#versions-lie-side-by-side/parts-of-a-film");
    let part = |number, source| Fields { part: vec![number], ..release("1080p", source, &[]) };
    let case = Case::film()
        .with("Tide - pt1.avi", Role::Main, part(1, "bluray"))
        .with("Tide - pt2.avi", Role::Main, part(2, "bluray"))
        .with("Tide - pt3.avi", Role::Main, part(3, "bluray"))
        .with("web/Tide - pt3.avi", Role::Main, part(3, "web-dl"));
    assert_eq!(
        case.told(),
        [
            "Tide (2010)/Tide (2010) - 1080p - part1.avi",
            "Tide (2010)/Tide (2010) - 1080p - part2.avi",
            "Tide (2010)/Tide (2010) - 1080p - BluRay - part3.avi",
            "Tide (2010)/Tide (2010) - 1080p - WEB-DL - part3.avi",
        ]
    );
}

#[test]
fn nested_subtitles() {
    spec!("file-layout#sidecars-go-with-their-video/nested-subtitles");
    let case = Case::show().episode("S/Tide.S01E01.mkv", 1, 1).episode("S/Tide.S01E02.mkv", 1, 2);
    let case = case.other(
        Role::Subtitle,
        &[
            "S/Subs/Tide.S01E01/5_English.srt",
            "S/Subs/Tide.S01E01/6_English.srt",
            "S/Subs/Tide.S01E01/7_French.forced.srt",
            "S/Subs/Tide.S01E02.Русские.srt",
            "S/rus/Tide.S01E01.sub",
            "S/Rus Sub/[Team]/Tide.S01E02.ass",
            "S/Tide.S01E02.eng.sdh.srt",
            "S/Tide.S01E02.en.hi.srt",
            "S/Tide.S01E02 [Team].srt",
            "S/Subs/2_English.srt",
            "other/Tide.S01E01.en.srt",
            "Subtitles/Tide.S01E01.de.srt",
        ],
    );
    assert_eq!(
        case.told()[2..],
        [
            "Tide (2010)/Season 01/Tide S01E01.en.srt",
            "Tide (2010)/Season 01/Tide S01E01.en.2.srt",
            "Tide (2010)/Season 01/Tide S01E01.fr.forced.srt",
            "Tide (2010)/Season 01/Tide S01E02.ru.srt",
            "Tide (2010)/Season 01/Tide S01E01.ru.sub",
            "Tide (2010)/Season 01/Tide S01E02.ru.2.ass",
            "Tide (2010)/Season 01/Tide S01E02.en.sdh.srt",
            "Tide (2010)/Season 01/Tide S01E02.en.sdh.2.srt",
            "Tide (2010)/Season 01/Tide S01E02.[Team].srt",
            "- orphan-subtitle",
            "- orphan-subtitle",
            "Tide (2010)/Season 01/Tide S01E01.de.srt",
        ]
    );
    let film = Case::film().main("Film/film.2010.mkv").other(
        Role::Subtitle,
        &[
            "Film/Subs/2_English.srt",
            "Film/Subs/whatever.srt",
            "Film/Russian.default.srt",
            "Film/unrelated name.srt",
            "Film/Subs/Eng/a.srt",
        ],
    );
    assert_eq!(
        film.told()[1..],
        [
            "Tide (2010)/Tide (2010).en.srt",
            "Tide (2010)/Tide (2010).srt",
            "Tide (2010)/Tide (2010).ru.default.srt",
            "- orphan-subtitle",
            "Tide (2010)/Tide (2010).en.2.srt",
        ]
    );
    let plan = film.plan();
    assert_eq!(plan.links[1].role, Role::Subtitle);
    assert_eq!((plan.links[0].beside, plan.links[1].beside), (None, Some(0)));
}

#[test]
fn several_of_a_language() {
    spec!("file-layout#sidecars-go-with-their-video/several-of-a-language");
    let case = Case::film().main("f.mkv").other(
        Role::Subtitle,
        &[
            "Subs/2_English.idx",
            "Subs/3_English.sub",
            "Subs/3_English.idx",
            "Subs/2_English.sub",
            "f.en.2.srt",
            "f.EN.srt",
            "f.en.srt",
            "Subs/f.en.2.srt",
        ],
    );
    let told = case.told();
    let tails: Vec<&str> = told[1..]
        .iter()
        .map(|path| path.strip_prefix("Tide (2010)/Tide (2010)").unwrap())
        .collect();
    assert_eq!(
        tails,
        [
            ".en.idx",
            ".en.2.sub",
            ".en.2.idx",
            ".en.sub",
            ".en.3.srt",
            ".en.4.srt",
            ".en.5.srt",
            ".en.6.srt"
        ]
    );
}

#[test]
fn sound_and_chapters() {
    spec!("file-layout#sidecars-go-with-their-video/sound-and-chapters");
    let case = Case::show()
        .episode("S/Tide - 01.mkv", 1, 1)
        .episode("S/Tide - 02.mkv", 1, 2)
        .other(Role::Audio, &["S/Tide - 01.mka", "S/Rus Sound/[Team]/Tide - 01.mka", "S/x.flac"])
        .other(Role::Chapters, &["S/Tide - 01.chapters.xml", "S/chapters.xml"])
        .other(Role::Info, &["S/Tide - 02.xml", "S/Tide - 02.nfo"]);
    assert_eq!(
        case.told()[2..],
        [
            "Tide (2010)/Season 01/Tide S01E01.mka",
            "Tide (2010)/Season 01/Tide S01E01.ru.mka",
            "- orphan-audio",
            "Tide (2010)/Season 01/Tide S01E01.chapters.xml",
            "- info",
            "Tide (2010)/Season 01/Tide S01E02.chapters.xml",
            "- info",
        ]
    );
    let film = Case::film().main("F/f.mkv").other(Role::Chapters, &["F/Chapters.xml"]);
    assert_eq!(film.told()[1], "Tide (2010)/Tide (2010).chapters.xml");
}

#[test]
fn sidecars_fit_with_their_video() {
    spec!("file-layout#sidecars-go-with-their-video/room-for-sidecars");
    let title = "Щ".repeat(300);
    for limit in [255, 143] {
        let mut case = Case::new(Fields {
            kind: Some(TitleKind::Movie),
            title: Some(title.clone()),
            year: Some(2010),
            ..Fields::default()
        })
        .main("f.mkv")
        .other(Role::Subtitle, &["f.forced.en.sdh.default.srt", "Subs/2_English.srt"]);
        case.limit = limit;
        let plan = case.plan();
        assert_eq!(plan.links.len(), 3, "{:?}", plan.skipped);
        let names: Vec<&str> = plan
            .links
            .iter()
            .map(|link| link.target.file_name().unwrap().to_str().unwrap())
            .collect();
        let stem = names[0].strip_suffix(".mkv").unwrap();
        assert!(stem.ends_with(" (2010)"));
        assert_eq!(names[1], format!("{stem}.forced.en.sdh.default.srt"));
        assert!(names.iter().all(|name| name.len() <= limit));
        // The room for the usual tails is kept, so that the folder has the same cut.
        assert!(names[1].len() + 20 >= limit, "no more is cut than has to be");
    }
    let long = "long words ".repeat(30);
    let mut case = Case::show().with(
        "a.mkv",
        Role::Main,
        Fields { episode_title: Some(long), ..episode_fields(1, 1) },
    );
    case.limit = 100;
    let told = case.told();
    assert!(told[0].starts_with("Tide (2010)/Season 01/Tide S01E01 - long words"), "{told:?}");
}

#[test]
fn extras_go_where_servers_look() {
    spec!("file-layout#extras-go-where-servers-look/folders-and-suffixes");
    let film = Case::film().main("F/f.mkv").other(
        Role::Extra,
        &[
            "F/Featurettes/Making of.mkv",
            "F/Extras/cut: two?.mkv",
            "F/Deleted.Scenes/1.mkv",
            "F/behind the scenes/disc 1/1.mkv",
            "F/Tide (2010)-trailer.flv",
            "F/Featurettes/making OF.mkv",
            "F/Featurettes/cover.jpg",
            "F/__MACOSX/._f-trailer.mkv",
        ],
    );
    assert_eq!(
        film.told()[1..],
        [
            "Tide (2010)/Featurettes/Making of.mkv",
            "Tide (2010)/Other/cut - two.mkv",
            "Tide (2010)/Deleted Scenes/1.mkv",
            "Tide (2010)/Behind The Scenes/1.mkv",
            "Tide (2010)/Trailers/Tide (2010)-trailer.flv",
            "Tide (2010)/Featurettes/making OF (2).mkv",
            "- extra",
            "- extra",
        ]
    );
    let show = Case::show()
        .episode("T/Season 1/a.mkv", 1, 1)
        .episode("T/Season 2/b.mkv", 2, 1)
        .other(Role::Extra, &["T/Season 2/Featurettes/x.mkv", "T/Extras/y.mkv"]);
    assert_eq!(
        show.told()[2..],
        ["Tide (2010)/Season 02/Featurettes/x.mkv", "Tide (2010)/Other/y.mkv"]
    );
}

#[test]
fn extras_are_left_out() {
    spec!("file-layout#extras-go-where-servers-look/left-out");
    let mut film =
        Case::film().main("F/f.mkv").other(Role::Extra, &["F/Featurettes/Making of.mkv"]);
    film.naming = Naming::default().with_extras(Extras::Skip);
    assert_eq!(film.told()[1], "- extra");
    let two = |title: &str| Fields { title: Some(title.to_owned()), ..Fields::default() };
    let case = Case::film()
        .with("F/a.mkv", Role::Main, two("One"))
        .with("F/b.mkv", Role::Main, two("Two"))
        .other(Role::Extra, &["F/Featurettes/Making of.mkv"])
        .other(Role::Artwork, &["F/poster.jpg"]);
    assert_eq!(case.told()[2..], ["- extra", "- extra"]);
}

#[test]
fn pictures_of_a_title() {
    spec!("file-layout#extras-go-where-servers-look/pictures");
    let case = Case::show().episode("T/a.mkv", 1, 1).other(
        Role::Artwork,
        &["T/folder.JPG", "T/poster.png", "T/Fanart.jpeg", "T/Season 1/cover.jpg", "T/banner.png"],
    );
    assert_eq!(
        case.told()[1..],
        [
            "Tide (2010)/poster.jpg",
            "- extra",
            "Tide (2010)/fanart.jpg",
            "- extra",
            "Tide (2010)/banner.png"
        ]
    );
    let mut own = Case::show().episode("T/a.mkv", 1, 1).other(Role::Artwork, &["T/poster.jpg"]);
    own.naming =
        Naming::default().with_episode("Shows/{title}/S{season}/{title} {episode}").unwrap();
    assert_eq!(own.told()[1], "Shows/Tide/poster.jpg");
    let mut plan = case.plan();
    let taken = |link: crate::PlannedLink| link.into_conflict(ConflictKind::TargetExists);
    plan.conflicts = std::mem::take(&mut plan.links).into_iter().map(taken).collect();
    let left = plan.without_taken_artwork();
    assert_eq!((left.conflicts.len(), left.skipped.len()), (1, 5));
    let kept = left.skipped.iter().filter(|one| one.reason.as_str() == "kept-existing").count();
    assert_eq!(kept, 3);
}

#[test]
fn discs_are_linked_whole() {
    spec!("file-layout#a-disc-is-one-unit/whole-disc");
    let disc = [
        "X/BDMV/index.bdmv",
        "X/BDMV/STREAM/00001.m2ts",
        "X/BDMV/JAR/00000.jar",
        "X/CERTIFICATE/id.bdmv",
    ];
    let case = Case::film().other(Role::Unknown, &disc);
    assert_eq!(
        case.told(),
        [
            "Tide (2010)/BDMV/index.bdmv",
            "Tide (2010)/BDMV/STREAM/00001.m2ts",
            "Tide (2010)/BDMV/JAR/00000.jar",
            "Tide (2010)/CERTIFICATE/id.bdmv",
        ]
    );
    let alone = Case::film().other(Role::Unknown, &["X/CERTIFICATE/id.bdmv"]);
    assert_eq!(alone.told(), ["- unknown-kind"], "no disc by itself");
    let mut broken = Case::film().other(Role::Unknown, &disc);
    broken.files[3].complete = false;
    assert_eq!(broken.told(), ["- incomplete-disc"; 4]);
    let two = Case::film().other(
        Role::Unknown,
        &["X/Disc 1/VIDEO_TS/VTS_01_1.VOB", "X/Disc 2/VIDEO_TS/VTS_01_1.VOB"],
    );
    assert_eq!(
        two.told(),
        ["Tide (2010)/Disc 1/VIDEO_TS/VTS_01_1.VOB", "Tide (2010)/Disc 2/VIDEO_TS/VTS_01_1.VOB"]
    );
    assert_eq!(
        Case::film().other(Role::Unknown, &["X.iso"]).told(),
        ["Tide (2010)/Tide (2010).iso"]
    );
    assert_eq!(Case::show().other(Role::Unknown, &["X.iso"]).told(), ["- unknown-kind"]);
    assert_eq!(Case::show().other(Role::Unknown, &disc[..1]).told(), ["- no-episode"]);
}

#[test]
fn a_disc_without_a_file_is_none() {
    spec!("file-layout#a-disc-is-one-unit/a-file-is-missing");
    let disc = ["X/BDMV/index.bdmv", "X/BDMV/STREAM/00001.m2ts", "X/BDMV/STREAM/00002.m2ts"];
    let mut case = Case::film().other(Role::Unknown, &disc);
    case.files[1].complete = false;
    assert_eq!(case.told(), ["- incomplete-disc"; 3]);
    case.files[1].complete = true;
    case.files[2].selected = false;
    case.recognised.files[2].role = Role::Extra;
    assert_eq!(case.told(), ["- incomplete-disc"; 3]);
    let bait =
        Case::film().other(Role::Unknown, &disc).other(Role::Executable, &["X/BDMV/setup.exe"]);
    assert_eq!(bait.told(), ["- executable"; 4]);
    let odd = Case::film().other(Role::Unknown, &["X/BDMV/a?.m2ts", "X/BDMV/b.m2ts"]);
    assert_eq!(odd.told(), ["- name-too-long"; 2], "a disc keeps its names or is none");
    let outside = Case::film().other(Role::Unknown, &["X/BDMV/a.m2ts", "X/BDMV/../../b.m2ts"]);
    assert_eq!(outside.told(), ["Tide (2010)/BDMV/a.m2ts", "- unsafe-path"]);
}
