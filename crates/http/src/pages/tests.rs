//! Templates say nothing by themselves, and nothing that has no text.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use tracker_i18n::{Catalogue, Language};
use tracker_testkit::spec;

use crate::code::Code;

/// What is the same in every language.
const NAMES: [&str; 16] = [
    "tracker", "user", "login", "link", "a", "g", "i", "l", "h", "j", "k", "r", "x", "u", "Esc",
    "script",
];

fn templates() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    found.sort();
    assert!(found.len() > 10);
    found
}

/// A template without what is put in and decided.
fn fixed(template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let end = match after.as_bytes().get(1) {
            Some(b'{') => after.find("}}"),
            Some(b'%') => after.find("%}"),
            _ => None,
        };
        match end {
            Some(end) => rest = &after[end + 2..],
            None => {
                out.push('{');
                rest = &after[1..];
            }
        }
    }
    out + rest
}

/// The text between tags, and the values of attributes that people meet.
fn read(fixed: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for part in fixed.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        texts.push(text.trim().to_owned());
        for name in ["title=\"", "placeholder=\"", "aria-label=\"", "alt=\""] {
            for value in tag.split(name).skip(1) {
                texts.push(value.split('"').next().unwrap_or_default().trim().to_owned());
            }
        }
    }
    texts
}

#[test]
fn no_template_speaks_a_language() {
    spec!("web-ui#pages-speak-russian-and-english/no-text-in-templates");
    for (name, template) in templates() {
        for text in read(&fixed(&template)) {
            let words = text.split(|letter: char| !letter.is_alphabetic());
            for word in words.filter(|word| !word.is_empty()) {
                let fine = NAMES.contains(&word) || ["tmdb", "doctype", "html"].contains(&word);
                assert!(fine, "{name} says {word:?} in {text:?}");
            }
        }
    }
    assert_eq!(read(&fixed("<p title=\"Hi\">You {{ x }}</p>")), ["", "You", "Hi", ""]);
}

#[test]
fn what_is_said_has_a_text() {
    spec!("web-ui#pages-speak-russian-and-english/every-key-has-a-text");
    let texts = Catalogue::new().unwrap();
    let mut keys = BTreeSet::new();
    for (_, template) in templates() {
        for call in
            ["page.say(\"", "page.with(\"", "page.count(\"", "page.many(\"", "told(page, \""]
        {
            for rest in template.split(call).skip(1) {
                keys.insert(rest.split('"').next().unwrap().to_owned());
            }
        }
    }
    assert!(keys.len() > 100);
    for key in keys {
        for language in Language::ALL {
            assert!(texts.has(*language, &key), "{language}: {key}");
        }
    }
}

/// The expressions that a template puts in.
fn put_in(template: &str) -> impl Iterator<Item = &str> {
    template.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0.trim()))
}

/// What tells no names: our own words, and numbers.
fn is_ours(shown: &str) -> bool {
    let numbers = ["year", "total", "problem.status"];
    ["page.", "crate::pages::shell::short("].iter().any(|ours| shown.starts_with(ours))
        || numbers.contains(&shown)
        || shown == "trial.connection.section()"
        || shown == "section.name"
}

#[test]
fn names_are_kept_apart_from_what_is_beside_them() {
    spec!("web-ui#names-of-strangers/kept-apart");
    let mut apart = 0;
    for (name, template) in templates() {
        // What is decided leaves nothing behind; what is put in, a sign without `<` and `>`.
        let plain: String = template
            .split("{%")
            .enumerate()
            .map(|(at, part)| if at == 0 { part } else { part.split_once("%}").unwrap().1 })
            .collect();
        let shown: Vec<&str> = put_in(&plain).collect();
        let marked = put_in(&plain).fold(plain.clone(), |text, one| {
            let whole = text.split_once("{{").unwrap().1.split_once("}}").unwrap().0;
            assert_eq!(whole.trim(), one);
            text.replacen(&format!("{{{{{whole}}}}}"), "\u{fffc}", 1)
        });
        let mut next = shown.into_iter();
        for part in marked.split('<') {
            let (tag, text) = part.split_once('>').unwrap_or(("", part));
            next.by_ref().take(tag.matches('\u{fffc}').count()).for_each(drop);
            let count = text.matches('\u{fffc}').count();
            let foreign = next.by_ref().take(count).filter(|one| !is_ours(one)).count();
            let is_alone = count == 1 && text.trim() == "\u{fffc}";
            assert!(foreign == 0 || is_alone, "{name}: a name stands bare in {text:?} of {tag:?}");
            apart += usize::from(tag == "bdi");
        }
    }
    assert!(apart > 10);
    let css = include_str!("../../static/app.css");
    assert!(css.contains("main :where(a, code, label, small, span, strong)"));
}

#[test]
fn a_name_within_a_sentence_has_its_place() {
    spec!("web-ui#names-of-strangers/kept-apart");
    let texts = Catalogue::new().unwrap();
    let calls: Vec<String> = templates()
        .iter()
        .flat_map(|(_, template)| {
            let rests = template.split("parts::told(page, \"").skip(1);
            rests.map(|rest| rest.split('"').step_by(2).take(2).collect::<Vec<_>>().join("/"))
        })
        .collect();
    assert!(calls.len() > 4, "{calls:?}");
    for call in calls {
        let (key, argument) = call.split_once('/').unwrap();
        for language in Language::ALL {
            let place = tracker_i18n::Argument::Text("\u{fffc}");
            let text = texts.text(*language, key, &[(argument, place)]);
            assert_eq!(text.matches('\u{fffc}').count(), 1, "{language}: {text:?}");
        }
    }
}

#[test]
fn remarks_are_said_in_the_language_of_the_page() {
    spec!("web-ui#pages-speak-russian-and-english/remarks-in-the-language-of-the-page");
    let mut said = 0;
    for (name, template) in templates() {
        for shown in put_in(&template) {
            let is_remark = ["doubt", "part.detail", "excluded"].contains(&shown);
            assert!(!is_remark, "{name} shows {shown} as it is");
            said += usize::from(shown.starts_with("page.remark("));
        }
    }
    assert_eq!(said, 5, "doubts and parts on two pages, and what speaks against a work");
}

#[test]
fn every_word_of_a_column_has_a_text() {
    spec!("web-ui#pages-speak-russian-and-english/every-word-has-a-text");
    use tracker_app::NoWorks;
    use tracker_domain::event::EventType;
    use tracker_domain::health::CHECKS;
    use tracker_domain::{Attention, DownloadState};
    let texts = Catalogue::new().unwrap();
    let mut words: Vec<(&str, &str)> = Vec::new();
    words.extend(DownloadState::ALL.iter().map(|word| ("state", word.as_str())));
    words.extend(DownloadState::ALL.iter().map(|word| ("sentence", word.as_str())));
    words.extend(Attention::ALL.iter().map(|word| ("attention", word.as_str())));
    words.extend(EventType::ALL.iter().map(|word| ("event", word.as_str())));
    words.extend([("state", "done-unlinked"), ("sentence", "done-unlinked")]);
    words.push(("event", "download.attention-cleared"));
    words.push(("recognition", "looking"));
    words.extend(NoWorks::ALL.iter().map(|word| ("no-works", word.as_str())));
    let causes = ["denied", "limited", "unreachable", "unreadable", "not-found", "off"];
    words.extend(causes.map(|word| ("source", word)));
    words.extend(CHECKS.iter().map(|word| ("check", *word)));
    for (group, word) in words {
        let key = format!("{group}-{}", word.replace(['.', '_'], "-"));
        for language in Language::ALL {
            assert!(texts.has(*language, &key), "{language}: {key}");
        }
    }
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let attentions = Attention::ALL.iter().map(|code| code.as_str());
    for code in codes.chain(attentions).chain(CHECKS.iter().copied()) {
        for part in ["", "-meaning", "-remedy"] {
            let key = format!("problem-{code}{part}");
            assert!(texts.find(Language::Ru, &key, &[]).is_some(), "{key}");
        }
    }
}
