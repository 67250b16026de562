//! Plans: where files go, what is left out, what is in conflict.
#![allow(clippy::unwrap_used)]

use std::path::{Component, Path, PathBuf};

use proptest::prelude::*;
use tracker_domain::library::{Library, LibraryKind, LinkMode};
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{
    EpisodeNumber, Fields, FileRole, Recognised, Role, TitleKind, Verdict,
};
use tracker_testkit::spec;

use crate::name::cut;
use crate::{ConflictKind, Plan, PlanInput, SkipReason, name_key, plan, safe_component};

fn library() -> Library {
    Library {
        name: "l".to_owned(),
        kind: LibraryKind::Movie,
        root: PathBuf::from("/lib"),
        mode: LinkMode::Hardlink,
    }
}

/// One file: its path, its role, season and episodes.
struct F(&'static str, Role, Option<u32>, &'static [u32]);

fn film_fields(title: &str) -> Fields {
    Fields {
        kind: Some(TitleKind::Movie),
        title: Some(title.to_owned()),
        year: Some(2010),
        ..Fields::default()
    }
}

fn show_fields(title: &str) -> Fields {
    Fields { kind: Some(TitleKind::Series), ..film_fields(title) }
}

fn remote(index: u32, path: &str) -> RemoteFile {
    RemoteFile { index, path: path.to_owned(), size_bytes: 7, selected: true, complete: true }
}

fn recognised(fields: Fields, files: Vec<FileRole>) -> Recognised {
    Recognised {
        fields,
        files,
        evidence: Vec::new(),
        verdict: Verdict::Sure,
        confidence: 1.0,
        doubts: Vec::new(),
    }
}

/// The only call into the API for hand-written cases.
fn plan_of(fields: Fields, files: &[F], limit: usize, change: impl Fn(&mut RemoteFile)) -> Plan {
    let mut remotes = Vec::new();
    let mut roles = Vec::new();
    for (index, F(path, role, season, episodes)) in (0..).zip(files) {
        let mut file = remote(index, path);
        change(&mut file);
        remotes.push(file);
        let resolution = path.contains("1080p").then(|| "1080p".to_owned());
        roles.push(FileRole {
            index,
            role: *role,
            fields: Fields {
                seasons: season.iter().copied().collect(),
                episodes: episodes.iter().copied().map(EpisodeNumber::whole).collect(),
                resolution,
                ..Fields::default()
            },
        });
    }
    plan(&PlanInput {
        recognised: &recognised(fields, roles),
        files: &remotes,
        source_root: Path::new("/dl"),
        library: &library(),
        name_limit: limit,
    })
}

fn simple(fields: Fields, files: &[F]) -> Plan {
    plan_of(fields, files, 255, |_| ())
}

fn targets(plan: &Plan) -> Vec<&str> {
    plan.links.iter().map(|link| link.target.to_str().unwrap()).collect()
}

fn reasons(plan: &Plan) -> Vec<&'static str> {
    plan.skipped.iter().map(|skipped| skipped.reason.as_str()).collect()
}

#[test]
fn a_film() {
    spec!("layout#names-in-the-library/film");
    let plan = simple(
        film_fields("Some Film"),
        &[F("Some.Film.2010.1080p/f.1080p.MKV", Role::Main, None, &[])],
    );
    assert_eq!(targets(&plan), ["/lib/Some Film (2010)/Some Film (2010) - 1080p.mkv"]);
    assert_eq!(plan.links[0].source, Path::new("/dl/Some.Film.2010.1080p/f.1080p.MKV"));
    assert!(plan.is_ready());
    let plan = simple(film_fields("Some Film"), &[F("f.mkv", Role::Main, None, &[])]);
    assert_eq!(targets(&plan), ["/lib/Some Film (2010)/Some Film (2010).mkv"]);
}

#[test]
fn episodes() {
    spec!("layout#names-in-the-library/episodes");
    let files = [
        F("s/a.mkv", Role::Main, Some(1), &[2]),
        F("s/b.mkv", Role::Main, Some(1), &[3, 4]),
        F("s/c.mkv", Role::Main, Some(0), &[1, 3]),
    ];
    assert_eq!(
        targets(&simple(show_fields("Show"), &files)),
        [
            "/lib/Show (2010)/Season 01/Show S01E02.mkv",
            "/lib/Show (2010)/Season 01/Show S01E03-E04.mkv",
            "/lib/Show (2010)/Season 00/Show S00E01E03.mkv",
        ]
    );
    let no_year = Fields { year: None, ..show_fields("Show") };
    assert_eq!(targets(&simple(no_year, &files[..1])), ["/lib/Show/Season 01/Show S01E02.mkv"]);
}

#[test]
fn subtitles_go_with_their_video() {
    spec!("layout#names-in-the-library/subtitles");
    let plan = simple(
        show_fields("Show"),
        &[
            F("s/Show.S01E01.mkv", Role::Main, Some(1), &[1]),
            F("s/Show.S01E01.extended.mkv", Role::Main, Some(1), &[2]),
            F("s/Show.S01E01.en.srt", Role::Subtitle, None, &[]),
            F("s/Show.S01E01.srt", Role::Subtitle, None, &[]),
            F("s/Show.S01E01.extended.ru.ass", Role::Subtitle, None, &[]),
            F("s/Show.S01E012.srt", Role::Subtitle, None, &[]),
            F("other/Show.S01E01.en.srt", Role::Subtitle, None, &[]),
        ],
    );
    assert_eq!(
        targets(&plan)[2..],
        [
            "/lib/Show (2010)/Season 01/Show S01E01.en.srt",
            "/lib/Show (2010)/Season 01/Show S01E01.srt",
            "/lib/Show (2010)/Season 01/Show S01E02.ru.ass",
        ]
    );
    assert_eq!(reasons(&plan), ["orphan-subtitle", "orphan-subtitle"]);
}

#[test]
fn what_is_left_out_has_a_reason() {
    spec!("layout#every-file-is-accounted-for/reasons");
    let plan = simple(
        show_fields("Show"),
        &[
            F("a.mkv", Role::Sample, None, &[]),
            F("a.nfo", Role::Info, None, &[]),
            F("a.jpg", Role::Extra, None, &[]),
            F("a.rar", Role::Archive, None, &[]),
            F("a.exe", Role::Executable, None, &[]),
            F("a.bin", Role::Unknown, None, &[]),
            F("b.mkv", Role::Main, Some(1), &[]),
            F("noext", Role::Main, Some(1), &[1]),
        ],
    );
    assert_eq!(
        reasons(&plan),
        [
            "sample",
            "info",
            "extra",
            "archive",
            "executable",
            "unknown-kind",
            "no-episode",
            "unknown-kind"
        ]
    );
    assert!(!plan.is_ready());
    let main = [F("a.mkv", Role::Main, None, &[])];
    let unselected = plan_of(film_fields("F"), &main, 255, |file| file.selected = false);
    assert_eq!(reasons(&unselected), ["not-selected"]);
    // Also where the folder it lies in says what it is.
    let said = [F("Featurettes/a.mkv", Role::LeftOut, None, &[])];
    assert_eq!(reasons(&simple(film_fields("F"), &said)), ["left-out"]);
    let partial = plan_of(film_fields("F"), &main, 255, |file| file.complete = false);
    assert_eq!(reasons(&partial), ["incomplete"]);
    assert_eq!(reasons(&simple(Fields { title: None, ..film_fields("") }, &main)), ["no-title"]);
    assert_eq!(
        reasons(&simple(Fields { kind: None, ..film_fields("F") }, &main)),
        ["unknown-kind"]
    );
}

#[test]
fn paths_never_leave_the_torrent() {
    spec!("layout#a-torrent-stays-inside-itself/paths-that-lead-out");
    for path in
        ["/etc/passwd.mkv", "../x.mkv", "a/../../x.mkv", "a//x.mkv", "./x.mkv", "", "a/", "a\0.mkv"]
    {
        let plan = simple(film_fields("F"), &[F(path, Role::Main, None, &[])]);
        assert_eq!(reasons(&plan), ["unsafe-path"], "{path:?}");
        assert!(plan.links.is_empty());
    }
    let odd = simple(film_fields("F"), &[F("d/ X: Y\\..\\z .mkv", Role::Main, None, &[])]);
    assert_eq!(odd.links[0].source, Path::new("/dl/d/ X: Y\\..\\z .mkv"), "sources are opaque");
}

#[test]
fn two_sources_for_one_target() {
    spec!("layout#every-file-is-accounted-for/two-sources");
    let plan = simple(
        show_fields("Show"),
        &[
            F("a.mkv", Role::Main, Some(1), &[1]),
            F("b.mkv", Role::Main, Some(1), &[1]),
            F("c.mkv", Role::Main, Some(1), &[2]),
        ],
    );
    assert_eq!(plan.links.len(), 1);
    assert_eq!(plan.conflicts.len(), 2);
    assert!(plan.conflicts.iter().all(|conflict| conflict.kind == ConflictKind::TwoSources));
    assert!(!plan.is_ready());
    assert_eq!(name_key("И\u{306}О"), name_key("йо"), "compared without case and in one form");
}

#[test]
fn titles_are_cleaned() {
    spec!("layout#names-fit-every-filesystem/characters-and-endings");
    for (title, clean) in [
        ("Penn & Teller: Fool Us", "Penn & Teller - Fool Us"),
        ("Kobato.", "Kobato"),
        ("S.H.I.E.L.D.", "S.H.I.E.L.D"),
        ("What?", "What"),
        ("a/b", "a-b"),
        ("a\\b|c", "a-b-c"),
        ("say \"hi\"", "say 'hi'"),
        ("..", "_"),
        ("", "_"),
        (" . ", "_"),
        ("???", "_"),
        ("CON", "CON_"),
        ("AUX.mkv", "AUX_.mkv"),
        ("com1", "com1_"),
        ("Contact", "Contact"),
        ("a\u{202E}b\u{7}c", "ab c"),
        ("и\u{306}", "й"),
        ("tab\there", "tab here"),
    ] {
        assert_eq!(safe_component(title), clean, "{title:?}");
    }
}

#[test]
fn signs_that_nobody_sees_are_left_out() {
    spec!("layout#names-fit-every-filesystem/signs-that-nobody-sees");
    for (title, clean) in [
        ("EvilFilm\u{200d}", "EvilFilm"),
        ("Evil\u{200c}\u{ad}\u{feff}Film\u{2060}", "EvilFilm"),
        ("Nice\u{202e}vkm\u{2066}.exe\u{61c}\u{200f}", "Nicevkm.exe"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("می\u{200c}\u{200c}خواهم\u{200c}", "می\u{200c}خواهم"),
        ("क\u{94d}\u{200d}ष", "क\u{94d}\u{200d}ष"),
        ("Two 👩\u{200d}👩 \u{200d}", "Two 👩\u{200d}👩"),
    ] {
        assert_eq!(safe_component(title), clean, "{title:?}");
    }
    assert_eq!(cut("ab\u{645}\u{6cc}\u{200c}\u{62e}", 8), "ab\u{645}", "never beside a joiner");
}

#[test]
fn long_titles_are_cut_in_bytes() {
    spec!("layout#names-fit-every-filesystem/long-titles");
    let title = "Щ".repeat(300);
    let files = [
        F("a.mkv", Role::Main, Some(1), &[1, 2]),
        F("a.forced.en.sdh.srt", Role::Subtitle, None, &[]),
    ];
    for limit in [255, 143, 90] {
        let plan = plan_of(show_fields(&title), &files, limit, |_| ());
        assert_eq!(plan.links.len(), 2, "{limit}: {:?}", plan.skipped);
        for link in &plan.links {
            for part in link.target.components() {
                assert!(part.as_os_str().len() <= limit, "{part:?}");
            }
        }
        let name = plan.links[0].target.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with('Щ') && name.ends_with(" S01E01-E02.mkv"), "{name}");
        let subtitles = plan.links[1].target.to_str().unwrap();
        assert!(subtitles.ends_with(" S01E01-E02.forced.en.sdh.srt"), "{subtitles}");
    }
    let tiny = plan_of(show_fields(&title), &files, 20, |_| ());
    assert_eq!(tiny.skipped[0].reason, SkipReason::NameTooLong);
}

#[test]
fn cuts_keep_letters_whole() {
    assert_eq!(cut("abcde", 3), "abc");
    assert_eq!(cut("ab. cde", 4), "ab");
    assert_eq!(cut("xe\u{301}y", 3), "x");
    assert_eq!(cut("ab👩\u{200D}👩", 9), "ab");
    assert_eq!(cut("Щ", 1), "_");
}

#[test]
fn the_id_follows_the_plan() {
    spec!("layout#one-plan-for-all/stable-id");
    let files = || [F("a.mkv", Role::Main, None, &[]), F("b.nfo", Role::Info, None, &[])];
    let first = simple(film_fields("F"), &files());
    assert_eq!(first.id(), simple(film_fields("F"), &files()).id());
    assert_eq!(first.id().len(), 64);
    assert_ne!(first.id(), simple(film_fields("G"), &files()).id());
    let unselected =
        plan_of(film_fields("F"), &files(), 255, |file| file.selected = file.index == 0);
    assert_ne!(first.id(), unselected.id(), "the reason of a skip is part of it");
}

#[test]
fn marks_that_come_together_are_in_order() {
    let clean = safe_component("\u{11366}<\u{8cf}");
    assert_eq!(safe_component(&clean), clean);
}

fn any_role() -> impl Strategy<Value = Role> {
    prop_oneof![Just(Role::Main), Just(Role::Subtitle), Just(Role::Extra), Just(Role::Unknown)]
}

proptest! {
    #[test]
    fn components_are_safe(text in "\\PC{0,40}|[.A-Za-z0-9 :/\\\\?*-]{0,12}|[\\x00-\\x20a\u{202e}./]{0,10}") {
        let clean = safe_component(&text);
        prop_assert!(!clean.is_empty() && clean != "." && clean != "..");
        prop_assert!(!clean.contains(['<', '>', ':', '"', '/', '\\', '|', '?', '*', '\0']), "{clean:?}");
        prop_assert!(!clean.ends_with(['.', ' ']), "{clean:?}");
        prop_assert!(!clean.chars().any(char::is_control));
        prop_assert_eq!(safe_component(&clean), clean.clone(), "cleaning twice changes nothing");
    }

    #[test]
    fn every_file_is_accounted_for_and_inside(
        title in "\\PC{0,80}",
        files in proptest::collection::vec(("[a-c./Щ]{1,12}(\\.mkv|\\.srt|)", any_role(), 0..3u32, 0..4u32), 0..12),
        limit in 40..256usize,
        series in any::<bool>(),
    ) {
        spec!("layout#every-file-is-accounted-for/nothing-is-lost");
        let remotes: Vec<RemoteFile> = (0..).zip(&files).map(|(index, file)| remote(index, &file.0)).collect();
        let roles = (0..).zip(&files).map(|(index, file)| FileRole {
            index,
            role: file.1,
            fields: Fields { seasons: vec![file.2], episodes: vec![EpisodeNumber::whole(file.3)], ..Fields::default() },
        });
        let fields = if series { show_fields(&title) } else { film_fields(&title) };
        let recognised = recognised(fields, roles.collect());
        let library = library();
        let input = PlanInput {
            recognised: &recognised,
            files: &remotes,
            source_root: Path::new("/dl"),
            library: &library,
            name_limit: limit,
        };
        let plan = plan(&input);
        prop_assert_eq!(&plan, &crate::plan(&input));
        prop_assert_eq!(plan.links.len() + plan.skipped.len() + plan.conflicts.len(), files.len());
        for link in &plan.links {
            let below = link.target.strip_prefix("/lib").unwrap();
            prop_assert!(below.components().count() >= 2);
            for part in below.components() {
                prop_assert!(matches!(part, Component::Normal(_)));
                prop_assert!(part.as_os_str().len() <= limit);
            }
            let source = link.source.strip_prefix("/dl").unwrap();
            prop_assert!(source.components().all(|part| matches!(part, Component::Normal(_))));
        }
    }
}
