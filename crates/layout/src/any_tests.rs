//! Any titles and any trees of files.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::path::Component;

use proptest::prelude::*;
use tracker_domain::recognised::{EpisodeNumber, Fields, Role, TitleKind};
use tracker_domain::unseen::is_unseen;
use tracker_testkit::spec;
use unicode_normalization::is_nfc;

use crate::content_tests::Case;
use crate::joiner::is_joiner;
use crate::naming::{IdStyle, Naming};
use crate::{Plan, name_key, safe_component};

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[а-яё ]{1,90}",
        "(и\u{306}|e\u{301}|パ|ハ\u{309A}){1,40}",
        "(CON|aux|NUL|com1|LPT9)(\\.[a-z]{0,3})?",
        "[.: /\\\\?*|<>\"]{0,12}",
        "(👩\u{200D}👩|🏳️|a){1,60}",
        "[a\u{202E}\u{200B}\u{0}-\u{1f}]{0,20}",
        "[am ی\u{61c}\u{ad}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}]{0,20}",
        "[میख\u{94d}\u{200c}\u{200d}]{1,90}",
        "[\u{5d0}-\u{5ea}]{1,40}",
    ]
}

fn any_path() -> impl Strategy<Value = String> {
    let folder = prop_oneof![
        Just("Subs".to_owned()),
        Just("Featurettes".to_owned()),
        Just("BDMV".to_owned()),
        Just("eng".to_owned()),
        Just("S".to_owned()),
        any_text(),
    ];
    let stem = prop_oneof![
        "[ab](\\.(en|eng|ru|forced|2))?",
        Just("poster".to_owned()),
        Just("2_English".to_owned()),
        any_text(),
    ];
    let ext = "(\\.(mkv|mkv|srt|srt|idx|sub|mka|xml|jpg|iso|m2ts))?";
    (proptest::collection::vec(folder, 0..3), stem, ext).prop_map(|(folders, stem, ext)| {
        let mut path: String = folders.iter().map(|one| format!("{one}/")).collect();
        path += &stem;
        path + &ext
    })
}

fn any_role() -> impl Strategy<Value = Role> {
    prop_oneof![
        3 => Just(Role::Main),
        3 => Just(Role::Subtitle),
        1 => proptest::sample::select(Role::ALL),
    ]
}

fn any_fields() -> impl Strategy<Value = Fields> {
    let text = || proptest::option::weighted(0.3, any_text());
    (text(), text(), text(), 0..3u32, 0..3u32, proptest::option::of(1..3u32)).prop_map(
        |(episode_title, resolution, edition, season, episode, part)| Fields {
            episode_title,
            resolution,
            edition: edition.into_iter().collect(),
            seasons: vec![season],
            episodes: vec![EpisodeNumber::whole(episode)],
            part: part.into_iter().collect(),
            ..Fields::default()
        },
    )
}

prop_compose! {
    fn any_case()(
        title in any_text(),
        kind in proptest::sample::select(&[TitleKind::Movie, TitleKind::Series, TitleKind::Anime][..]),
        files in proptest::collection::vec((any_path(), any_role(), any_fields(), any::<bool>()), 0..14),
        limit in 60..256usize,
        id in proptest::sample::select(&[IdStyle::None, IdStyle::Jellyfin, IdStyle::Plex][..]),
    ) -> Case {
        let whole = Fields { kind: Some(kind), title: Some(title), year: Some(2010), ..Fields::default() };
        let mut case = Case::new(whole);
        for (path, role, fields, _) in &files {
            case = case.with(path, *role, fields.clone());
        }
        for (file, (.., complete)) in case.files.iter_mut().zip(&files) {
            file.complete = *complete || file.index % 3 > 0;
        }
        case.naming = Naming::default().with_id(id);
        case.limit = limit;
        case
    }
}

fn name(plan: &Plan, file: u32) -> Option<(&str, &std::path::Path)> {
    let link = plan.links.iter().find(|link| link.file == file)?;
    Some((link.target.file_stem()?.to_str()?, link.target.parent()?))
}

proptest! {
    #[test]
    fn every_name_is_one_that_a_library_takes(case in any_case()) {
        spec!("file-layout#any-content-stays-within-the-library/hostile-names");
        spec!("layout#names-fit-every-filesystem/signs-that-nobody-sees");
        let plan = case.plan();
        prop_assert_eq!(&plan, &case.plan());
        prop_assert_eq!(plan.id(), case.plan().id());
        let total = plan.links.len() + plan.skipped.len() + plan.conflicts.len();
        prop_assert_eq!(total, case.files.len());
        let mut keys = HashSet::new();
        for link in &plan.links {
            let below = link.target.strip_prefix("/lib").unwrap();
            prop_assert!(below.components().count() >= 2, "{below:?}");
            for part in below.components() {
                prop_assert!(matches!(part, Component::Normal(_)), "{below:?}");
                let part = part.as_os_str().to_str().unwrap();
                prop_assert!(part.len() <= case.limit, "{part:?}");
                prop_assert!(is_nfc(part), "{part:?}");
                prop_assert_eq!(safe_component(part), part, "clean and not reserved");
                let unseen: String = part.chars().filter(|sign| is_unseen(*sign)).collect();
                prop_assert!(unseen.chars().all(is_joiner), "{part:?}");
                let ends = part.trim_matches(is_joiner);
                prop_assert_eq!(ends, part, "a joiner with nothing to join");
            }
            prop_assert!(keys.insert(name_key(link.target.to_str().unwrap())), "{below:?}");
            let with = link.beside.and_then(|video| name(&plan, video));
            if let Some((stem, folder)) = with {
                prop_assert_eq!(link.target.parent().unwrap(), folder);
                let own = link.target.file_name().unwrap().to_str().unwrap();
                prop_assert!(own.starts_with(stem), "{own:?} {stem:?}");
            }
        }
    }
}

/// Half of the subtitles are of the first episode.
const OF_THE_FIRST: &str = "T/Subs/Tide.E0/1_English.srt";

#[test]
fn many_files_are_planned() {
    spec!("file-layout#any-content-stays-within-the-library/many-files");
    // Work that grows with the square of them would take many minutes.
    let episodes = 20_000;
    let mut case = Case::show();
    for episode in 0..episodes {
        case = case.episode(&format!("T/Tide.E{episode}.mkv"), episode % 90, episode);
    }
    for episode in 0..episodes {
        let path = format!("T/Subs/Tide.E{episode}/2_English.srt");
        case = case.other(Role::Subtitle, &[if episode % 2 == 0 { &path } else { OF_THE_FIRST }]);
    }
    let plan = case.plan();
    assert_eq!(plan.links.len(), case.files.len());
}
