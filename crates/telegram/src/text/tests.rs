//! Texts, read again by the rules of the Bot API.

use proptest::prelude::*;
use tracker_testkit::bot_api::seen;
use tracker_testkit::spec;

use super::*;

fn runs() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z &<>\"'/]{0,40}", "\\PC{0,40}", "(🎬|👩‍👩‍👧|🇷🇺|é|👍🏽| |\n){0,30}", "[&<>]{0,20}"]
}

fn drafts() -> impl Strategy<Value = Draft> {
    let leaf = prop_oneof![
        runs().prop_map(|text| Draft::new().text(&text)),
        runs().prop_map(|text| Draft::new().code(&text)),
        (runs(), runs()).prop_map(|(label, url)| Draft::new().link(&label, &url)),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..5)
            .prop_map(|parts| parts.into_iter().fold(Draft::new(), Draft::draft));
        let style = prop_oneof![Just(Style::Bold), Just(Style::Italic), Just(Style::Strike)];
        prop_oneof![
            several,
            (style, inner).prop_map(|(style, draft)| Draft::new().styled(style, draft))
        ]
    })
}

proptest! {
    /// The server of the tests reads HTML by itself, so that one mistake is not made
    /// twice.
    #[test]
    fn whatever_is_put_together_is_taken(draft in drafts(), room in 12usize..200) {
        spec!("telegram#texts-are-taken/whatever-they-hold");
        let more = More { label: "дальше", url: "https://tracker.example/?a=1&b=\"<2>\"" };
        let made = draft.within(room, Some(more));
        let read = seen(made.html());
        prop_assert_eq!(read.as_deref(), Ok(made.plain()));
        prop_assert!(utf16_units(made.plain()) <= room);
        prop_assert_eq!(made.is_cut(), made.plain().ends_with("…\nдальше"));
        let whole = draft.within(usize::MAX, None);
        if made.is_cut() {
            let kept = made.plain().trim_end_matches("…\nдальше");
            prop_assert!(whole.plain().starts_with(kept));
        } else {
            prop_assert_eq!(made, whole);
        }
    }
}

#[test]
fn names_with_signs_of_markup_stay_what_they_are() {
    spec!("telegram#texts-are-taken/odd-names");
    for name in [
        "The Legend of Tarzan_2016_X_Rutracker.avi",
        "S01E01 - eps1.0_hellofriend.mov",
        "Tom & Jerry <1080p> [x265] *v2* `raw` \"final\"",
    ] {
        let made = Draft::new().bold(name).line().code(name).finish(Limit::Message, None);
        assert_eq!(made.plain(), format!("{name}\n{name}"));
        assert_eq!(seen(made.html()).as_deref(), Ok(made.plain()));
    }
}

#[test]
fn a_text_is_counted_as_telegram_counts() {
    spec!("telegram#texts-are-taken/too-long");
    // A tag and an escape take no room, a sign outside the first plane takes two units.
    let full = Draft::new().bold(&"&".repeat(4094)).text("🎬").finish(Limit::Message, None);
    assert!(!full.is_cut());
    let over = Draft::new().bold(&"&".repeat(4095)).text("🎬").finish(Limit::Message, None);
    assert!(over.is_cut());
    assert_eq!(utf16_units(over.plain()), 4096);
    let caption = Draft::new().text(&"word ".repeat(300));
    let more = More { label: "more", url: "https://tracker.example/d/1" };
    let made = caption.finish(Limit::Caption, Some(more));
    assert!(made.plain().ends_with("word…\nmore"), "{}", made.plain());
    assert!(made.html().ends_with("…\n<a href=\"https://tracker.example/d/1\">more</a>"));
    assert!(utf16_units(made.plain()) <= 1024);
}

#[test]
fn a_cut_parts_no_sign() {
    spec!("telegram#texts-are-taken/too-long");
    let cut =
        |text: &str, room: usize| Draft::new().text(text).within(room, None).plain().to_owned();
    assert_eq!(cut("ab🎬🎬", 4), "ab…");
    assert_eq!(cut("🇷🇺🇬🇧", 7), "🇷🇺…");
    assert_eq!(cut("a👍🏽b", 4), "a…");
    assert_eq!(cut("one two", 6), "one…");
    assert_eq!(cut("two lines\nand more", 12), "two lines…");
    assert_eq!(cut("e\u{301}e\u{301}e", 4), "e\u{301}…");
}
