//! Whatever names and files there are: nothing fails, and what is said holds.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use tracker_domain::recognised::{Evidence, Role, Verdict};
use tracker_testkit::spec;

use super::{of, of_named, roles};
use crate::{Names, parse_name, parse_path};

/// Pieces of names, and what nobody would write.
const PIECES: &str = "(\\PC{0,12}|S0?[0-9]{1,6}|E[0-9]{1,6}|[0-9]{1,3}x[0-9]{1,3}|(19|20)[0-9]{2}|v[0-9]\
    |1080p|WEB-DL|DDP5\\.1|сезон|серии|из|10х01|第[0-9]{1,3}[集季话]|第|季|银灯|ガンダム|한국어|й|e\u{301}|🎬👨‍👩‍👧\
    |Ｆｕｌｌ１２|שלום|مرحبا|\u{202e}|\u{200d}|SP1|OVA 2|24\\.9|[0-9]{4}[.-][0-9]{2}[.-][0-9]{2}|Part 2|cd1|II)";
const GAPS: &str = "[ ._\\-/|,+~:#&()\\[\\]{}【】（）「」《》'’\"«»!?…–—]{0,3}";

fn names() -> impl Strategy<Value = String> {
    vec((PIECES, GAPS), 0..14)
        .prop_map(|parts| parts.into_iter().map(|(piece, gap)| piece + &gap).collect())
}

/// Words that are none of releases.
fn title() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "Glass", "Orchard", "Harbour", "Lights", "Iron", "Meadow", "Of", "The", "Quiet", "Ford",
        "Two", "Silver", "Lantern", "And", "Ox", "Voyager", "Under", "Snow",
    ];
    let words = (prop::sample::select(&WORDS[1..]), vec(prop::sample::select(WORDS), 0..4));
    words.prop_map(|(first, rest)| [&[first][..], &rest].concat().join(" "))
}

/// The slice of a name that an entry speaks of is the text it shows.
fn check_span(entry: &Evidence, name: &str) -> Result<(), TestCaseError> {
    let Some((start, end)) = entry.span else { return Ok(()) };
    let slice = name.get(start as usize..end as usize);
    prop_assert_eq!(slice, Some(entry.text.as_str()), "{:?} of {:?}", entry, name);
    prop_assert!(!entry.field.is_empty() && !entry.rule.is_empty() && !entry.from.is_empty());
    Ok(())
}

proptest! {
    #[test]
    fn any_name_is_read(name in prop_oneof![names(), "\\PC*"]) {
        spec!("recognition#any-input/anything-at-all");
        let found = parse_name(&name);
        prop_assert_eq!(&found, &parse_name(&name));
        for entry in &found.evidence {
            check_span(entry, &name)?;
        }
        prop_assert_eq!(parse_path(&name), parse_path(&name));
    }

    #[test]
    fn any_torrent_is_read(name in names(), paths in vec((names(), "(\\.mkv|\\.srt|\\.exe|\\.rar|\\.mp3|)"), 0..7)) {
        spec!("recognition#any-input/anything-at-all");
        let paths: Vec<String> = paths.into_iter().map(|(path, ext)| path + ext.as_str()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let hints = [name.clone()];
        let names = Names { torrent: Some(&name), dn: Some(&name), client: None, hints: &hints };
        let found = of_named(&paths, &names);
        prop_assert_eq!(&found, &of_named(&paths, &names));
        prop_assert_eq!(found.files.len(), paths.len());
        prop_assert!(found.doubts.iter().all(|doubt| doubt.code().is_some()));
        // Sure means that there is something to build a target from.
        if found.verdict == Verdict::Sure {
            prop_assert!(found.doubts.is_empty());
            prop_assert!(found.fields.kind.is_some() && found.fields.title.is_some());
        }
        let sources: HashMap<&str, Vec<&str>> = HashMap::from([
            ("torrent", vec![name.as_str()]),
            ("dn", vec![name.as_str()]),
            ("file", paths.iter().map(|path| path.rsplit('/').next().unwrap_or(path)).collect()),
            ("folder", paths.iter().flat_map(|path| path.split('/')).collect()),
        ]);
        for entry in found.evidence.iter().filter(|entry| entry.span.is_some()) {
            let known = sources.get(entry.from.as_str()).cloned().unwrap_or_default();
            let fits = known.iter().any(|source| check_span(entry, source).is_ok());
            prop_assert!(fits, "{entry:?} of {paths:?}");
        }
    }

    #[test]
    fn any_plain_film_is_read(title in title(), year in 1900..2036i32, sep in "[ ._]") {
        let name = format!("{title} {year} 1080p.mkv").replace(' ', &sep);
        let found = of(&[&name]);
        // A word that happens to count something may cast doubt; the fields hold.
        prop_assert_eq!(found.fields.title, Some(title));
        prop_assert_eq!(found.fields.year, Some(year));
    }

    #[test]
    fn any_plain_episode_is_read(title in title(), season in 0..100u32, episode in 0..1000u32) {
        let name = format!("{}.S{season:02}E{episode:02}.WEB.mkv", title.replace(' ', "."));
        let found = of(&[&name]);
        prop_assert_eq!(found.fields.title, Some(title));
        prop_assert_eq!(found.fields.seasons, vec![season]);
        prop_assert_eq!(found.fields.episodes, [episode]);
    }
}

/// A reader that is quadratic in some part of a name would take minutes here;
/// how the time grows is measured by the example `recognition`.
#[test]
fn long_names_are_read() {
    spec!("recognition#any-input/long-and-odd-inputs");
    for piece in [
        "[",
        "(",
        "[]",
        "[1]",
        "[a](b)",
        "S01E01-",
        "S01E01 ",
        "S01.",
        "1-",
        "1,",
        "2010.",
        "2010-",
        "a.1x2.2010.",
        "a",
        "1",
        "й",
        "银",
        "银 a ",
        "a/b/",
        "a / b / ",
        "a aka ",
        "Cap.101 ",
        "part 2 ",
        "cd1 ",
        "[a] b ",
        "_-a",
        "E00001-E02999-",
        "1-2999 ",
        "第1集",
        "v2",
        "🎬",
        "e\u{301}",
        "www.a-",
        "of 2 ",
        "из 3 ",
        "a.1x2.2010.S01-E01-.vol.1.sample-",
    ] {
        let long = piece.repeat((64 << 10) / piece.len()) + " x.mkv";
        assert_eq!(of(&[&long]).files.len(), 1, "{piece}");
        assert!(parse_path(&long).fields.container.is_some(), "{piece}");
    }
    let nested = "[".repeat(32 << 10) + &"]".repeat(32 << 10);
    let listed: Vec<String> = (1..10_000).map(|number| number.to_string()).collect();
    for long in [nested, listed.join(" - ") + " x", listed.join("."), listed.join(" x")] {
        assert_eq!(roles(&of(&[&(long + ".mkv")])), [Role::Main]);
    }
}

#[test]
fn many_files_are_read() {
    spec!("recognition#any-input/long-and-odd-inputs");
    let paths: Vec<String> = (0..100_000_u32)
        .map(|at| {
            format!(
                "Iron Meadow/S{:02}/Iron.Meadow.S{:02}E{:03}.mkv",
                at / 1000,
                at / 1000,
                at % 1000
            )
        })
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let found = of(&paths);
    assert_eq!(found.files.len(), paths.len());
    assert_eq!(found.fields.seasons.len(), 100);
}
