//! Screens say nothing by themselves, and the catalogue says nothing for nobody.

use std::collections::BTreeSet;
use std::path::Path;

use tracker_domain::Attention;
use tracker_domain::event::EventType;
use tracker_domain::recognised::{RecognitionState, TitleKind};
use tracker_i18n::{Catalogue, Language};
use tracker_testkit::spec;

use super::samples::{Sample, told};
use super::{Mouth, labels, read};
use crate::screens::notice;

/// Words of others that screens look at and do not show.
const COMPARED: [&str; 2] = ["applied", "undone"];

/// The names of values within texts, which are no words for people.
const NAMES: [&str; 12] = [
    "what", "score", "n", "all", "text", "source", "cause", "state", "share", "span", "http",
    "https",
];

/// The sources of the screens, without tests.
fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/screens");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .filter(|path| path.file_name().is_some_and(|name| name != "tests.rs"))
        .collect();
    found.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/screens.rs"));
    assert!(found.len() > 8);
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    found.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// The literals of a source, without those of comments and attributes.
fn literals(source: &str) -> Vec<String> {
    let lines = source.lines().map(str::trim_start);
    let code = lines.filter(|line| !line.starts_with("//") && !line.starts_with('#'));
    let mut found = Vec::new();
    for line in code {
        // No literal of the screens has a quote in it, or goes over a line.
        let parts: Vec<&str> = line.split('"').collect();
        assert_eq!(parts.len() % 2, 1, "{line}");
        found.extend(parts.into_iter().skip(1).step_by(2).map(str::to_owned));
    }
    found
}

/// The keys of a file of texts.
fn keys(file: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../i18n/locales").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let is_key = |line: &&str| line.starts_with(|ch: char| ch.is_ascii_lowercase());
    let lines = text.lines().filter(is_key);
    lines.filter_map(|line| line.split_once(" =")).map(|(key, _)| key.to_owned()).collect()
}

/// What stands in a literal beside what is put in.
fn fixed(literal: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for ch in literal.chars() {
        match ch {
            '{' => depth += 1,
            '}' => depth -= 1,
            other if depth == 0 => out.push(other),
            _ => {}
        }
    }
    out
}

#[test]
fn no_screen_speaks_a_language() {
    spec!("telegram#words-of-a-chat/no-text-in-screens");
    let texts = Catalogue::new().unwrap();
    let mut groups = BTreeSet::new();
    let mut all = 0;
    for (_, source) in sources() {
        for rest in source.split(".word(\"").skip(1) {
            groups.insert(rest.split('"').next().unwrap().to_owned());
        }
    }
    for (name, source) in sources() {
        for literal in literals(&source) {
            all += 1;
            let says = fixed(&literal).contains(char::is_alphabetic);
            let is_path = literal.starts_with('/') || literal.starts_with("problem-{}");
            let word = literal.as_str();
            let is_known = COMPARED.contains(&word) || NAMES.contains(&word) || is_path;
            let has_text = texts.has(Language::En, &literal) || groups.contains(&literal);
            assert!(!says || is_known || has_text, "{name} says {literal:?}");
        }
    }
    assert!(all > 150, "{all}");
    assert_eq!(literals("say(\"a\", \"b c\"); // no\n// \"d\""), ["a", "b c"]);
    assert_eq!(fixed("{one} · {other:.0} x"), " ·  x");
}

#[test]
fn each_text_is_used_and_each_used_text_is_there() {
    spec!("telegram#words-of-a-chat/each-text-is-used");
    let mut used: BTreeSet<String> =
        sources().iter().flat_map(|(_, source)| literals(source)).collect();
    used.retain(|literal| literal.starts_with("bot-"));
    used.remove("bot-do");
    used.extend(Attention::ALL.iter().map(|attention| format!("bot-do-{attention}")));
    for file in ["en/telegram.ftl", "ru/telegram.ftl"] {
        assert_eq!(keys(file), used, "{file}");
    }
}

/// A value that is missing is shown as its name, a text that is missing as its key.
#[test]
fn each_text_has_what_stands_in_it() {
    spec!("telegram#words-of-a-chat/each-text-is-used");
    let mouth = Mouth::new();
    for sample in [Sample::new("Show"), Sample::in_doubt("Show"), Sample::done("Show")] {
        for voice in [mouth.english(), mouth.russian()] {
            let about =
                |kind: &EventType| notice(&voice, &told(*kind, "Show"), Some(&sample.download));
            let notices = EventType::ALL.iter().map(about);
            for screen in sample.screens(&voice, "Show").into_iter().chain(notices) {
                let said = format!("{}{:?}", read(&screen), labels(&screen));
                assert!(!said.contains("{$") && !said.contains("bot-"), "{said}");
            }
        }
    }
}

#[test]
fn every_word_that_is_shown_has_a_text() {
    spec!("telegram#words-of-a-chat/each-text-is-used");
    let texts = Catalogue::new().unwrap();
    let kinds = [TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other];
    let mut words: Vec<String> = kinds.iter().map(|kind| format!("work-{kind}")).collect();
    words.extend(RecognitionState::ALL.iter().map(|state| format!("recognition-{state}")));
    words.extend(Attention::ALL.iter().map(|attention| format!("attention-{attention}")));
    for reason in tracker_app::SkipReason::ALL {
        words.push(format!("skip-{}", reason.as_str()));
    }
    for kind in tracker_app::ConflictKind::ALL {
        words.push(format!("conflict-{}", kind.as_str()));
    }
    for key in words {
        for language in Language::ALL {
            assert!(texts.has(*language, &key), "{language}: {key}");
        }
    }
}
