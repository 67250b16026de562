//! Messages as people write them, and what is found in them.

use proptest::prelude::*;
use tracker_testkit::spec;

use super::*;

const V1: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "89abcdef0123456789abcdef0123456789abcdef";
const V2: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const BASE32: &str = "AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH";

fn link(hash: &str) -> String {
    format!("magnet:?xt=urn:btih:{hash}&dn=A+Film&tr=udp%3A%2F%2Ft.example%3A1337")
}

/// What is found, as hashes, and the hint.
fn read(text: &str) -> (Vec<String>, Option<String>) {
    read_with(text, &[])
}

fn read_with(text: &str, entities: &[Entity]) -> (Vec<String>, Option<String>) {
    let intake = read_intake(text, entities);
    assert_eq!(intake.refused, [], "{text}");
    let hashes = |magnet: &Magnet| {
        let texts: Vec<String> = magnet.infohashes().iter().map(|hash| hash.to_string()).collect();
        texts.join("+")
    };
    (intake.found.iter().map(hashes).collect(), intake.hint)
}

fn one(text: &str) -> (String, Option<String>) {
    let (mut found, hint) = read(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    (found.remove(0), hint)
}

fn hint(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_link_is_found_wherever_it_stands() {
    spec!("telegram#what-a-message-hands-over/a-link-anywhere");
    let plain = link(V1);
    for text in [
        plain.clone(),
        format!("  {plain}\n"),
        format!("<{plain}>"),
        format!("«{plain}»"),
        format!("({plain})"),
        plain.replace('&', "&amp;"),
        plain.replace("magnet", "MAGNET"),
    ] {
        assert_eq!(one(&text), (V1.to_owned(), None), "{text}");
    }
    assert_eq!(one(&format!("Дюна 2021 🎬: {plain}, please")).1, hint("Дюна 2021 🎬: , please"));
    for polite in ["please", "Привет! Скачай, пожалуйста:", "this and", "Thank you!"]
    {
        assert_eq!(one(&format!("{polite} {plain}")).1, None, "{polite}");
    }
    assert_eq!(one(&format!("Title (2020)\n\n{plain}")).1, hint("Title (2020)"));
    assert_eq!(read("no link at all"), (vec![], hint("no link at all")));
    assert_eq!(read("magnetic: ?"), (vec![], hint("magnetic: ?")));
    assert_eq!(read(""), (vec![], None));
}

#[test]
fn a_link_that_was_broken_over_lines_is_put_together() {
    spec!("telegram#what-a-message-hands-over/over-several-lines");
    for text in [
        format!("magnet:?xt=urn:btih:\n{V1}&dn=A"),
        format!("magnet:?xt=urn:btih:{}\n{}\n&dn=A", &V1[..13], &V1[13..]),
        format!("magnet:?xt=urn:btih:{V1}\n&dn=A\n&tr=udp://t.exam\nple:1&tr=udp://u.example:2"),
        format!("magnet:?\r\nxt=urn:btih:{V1}&\r\ndn=A"),
        format!("magnet:?xt=urn:btih:{V1}&dn=A Film of 2020&tr=udp://t.example:1"),
    ] {
        assert_eq!(one(&text), (V1.to_owned(), None), "{text}");
    }
    let named = read_intake(&format!("magnet:?xt=urn:btih:{V1}&dn=A Film&xl=5"), &[]);
    assert_eq!(named.found[0].name(), Some("A Film"));
    // The next line is no more of the link.
    assert_eq!(one(&format!("{}\nA Film (2020)", link(V1))).1, hint("A Film (2020)"));
    let address = "https://a.example/?id=1&dn=2";
    assert_eq!(one(&format!("{}\n{address}", link(V1))).1, hint(address));
    let both = format!("{}\n{}", link(V1), link(OTHER));
    assert_eq!(read(&both).0, [V1, OTHER]);
}

#[test]
fn several_are_each_found_once() {
    spec!("telegram#what-a-message-hands-over/several-at-once");
    let (one, two) = (link(V1), link(OTHER));
    assert_eq!(read(&format!("{one}{two}")).0, [V1, OTHER]);
    assert_eq!(read(&format!("{one} {two} {one}")).0, [V1, OTHER]);
    assert_eq!(read(&format!("{OTHER}\n{V1}, {V2}")).0, [OTHER, V1, V2]);
    // The link says more than the hash before it.
    let intake = read_intake(&format!("{V1} {one}"), &[]);
    assert_eq!(intake.found.len(), 1);
    assert_eq!(intake.found[0].name(), Some("A Film"));
}

#[test]
fn a_bare_hash_is_found_as_a_word_of_its_own() {
    spec!("telegram#what-a-message-hands-over/a-bare-hash");
    let forms = [
        (V1.to_owned(), V1),
        (V1.to_uppercase(), V1),
        (V2.to_owned(), V2),
        (BASE32.to_owned(), V1),
        (BASE32.to_lowercase(), V1),
        (format!("urn:btih:{V1}"), V1),
    ];
    for (form, hash) in forms {
        assert_eq!(one(&form), (hash.to_owned(), None), "{form}");
        assert_eq!(
            one(&format!("Film: `{form}`.")),
            (hash.to_owned(), hint("Film: ` `.")),
            "{form}"
        );
    }
    for other in [
        format!("https://a.example/commit/{V1}"),
        format!("{V1}0"),
        format!("{V1}.torrent"),
        "d41d8cd98f00b204e9800998ecf8427e".to_owned(),
        "DonaudampfschifffahrtsElektrizit".to_owned(),
    ] {
        assert_eq!(read(&other), (vec![], hint(&other)), "{other}");
    }
}

#[test]
fn a_link_behind_a_text_is_found_and_its_text_is_no_hint() {
    spec!("telegram#what-a-message-hands-over/behind-a-text");
    let text = "🎬🎬 Film — скачать 🧲 now";
    let offset = utf16("🎬🎬 Film — ");
    let length = utf16("скачать 🧲");
    let behind = |url: &str| {
        let kind = EntityKind::TextLink(url.to_owned());
        read_with(text, &[Entity { offset, length, kind }])
    };
    let found = (vec![V1.to_owned()], hint("🎬🎬 Film — now"));
    assert_eq!(behind(&link(V1)), found);
    let redirect = Url::parse_with_params("https://a.example/go", [("to", link(V1))]);
    assert_eq!(behind(redirect.expect("an address").as_str()), found);
    assert_eq!(behind("https://a.example/"), (vec![], hint(text)));
}

#[test]
fn a_command_is_no_hint() {
    spec!("telegram#what-a-message-hands-over/a-command");
    let text = format!("/add@our_bot {} Film", link(V1));
    let command = Entity { offset: 0, length: utf16("/add@our_bot"), kind: EntityKind::Command };
    assert_eq!(read_with(&text, &[command]).1, hint("Film"));
}

#[test]
fn what_only_looks_like_a_link_is_told() {
    spec!("telegram#what-a-message-hands-over/what-only-looks-like-a-link");
    let intake = read_intake("magnet:?dn=Nothing and magnet:?xt=urn:btih:beef", &[]);
    assert_eq!(intake.found, []);
    assert_eq!(intake.refused.len(), 2);
    assert_eq!(intake.refused[0], MagnetError::NoInfohash);
}

fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

fn around() -> impl Strategy<Value = String> {
    "\\PC{0,30}|[a-z 🎬\n]{0,30}"
}

proptest! {
    #[test]
    fn what_was_put_in_is_found(
        before in around(), after in around(), raw in any::<[u8; 20]>(), form in 0usize..4,
    ) {
        spec!("telegram#what-a-message-hands-over/whatever-stands-around");
        let hash = Infohash::from(tracker_domain::InfohashV1::from_bytes(raw));
        let put = match form {
            0 => hash.to_string(),
            1 => hash.to_string().to_uppercase(),
            2 => link(&hash.to_string()),
            _ => link(&hash.to_string()).replace('&', "&amp;"),
        };
        let intake = read_intake(&format!("{before} {put} {after}"), &[]);
        prop_assert!(intake.found.iter().any(|magnet| magnet.infohashes().contains(&hash)));
        let hint = intake.hint.unwrap_or_default();
        prop_assert!(!hint.contains(&put));
    }

    #[test]
    fn any_text_and_any_marks_are_read(
        text in "(\\PC|magnet:\\?|xt=urn:btih:|&|\n|0{40}|🎬){0,30}",
        marks in prop::collection::vec((any::<u16>(), any::<u8>(), any::<bool>()), 0..6),
        far in any::<usize>(),
    ) {
        spec!("telegram#what-a-message-hands-over/whatever-stands-around");
        let mut entities: Vec<Entity> = marks
            .into_iter()
            .map(|(offset, length, is_link)| Entity {
                offset: usize::from(offset % 40),
                length: usize::from(length),
                kind: if is_link { EntityKind::TextLink(link(V1)) } else { EntityKind::Command },
            })
            .collect();
        entities.push(Entity { offset: far, length: far, kind: EntityKind::TextLink(link(V1)) });
        let _ = read_intake(&text, &entities);
    }
}
