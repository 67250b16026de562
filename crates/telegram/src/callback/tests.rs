//! Buttons there and back.

use proptest::prelude::*;
use tracker_ident::Generator;
use tracker_testkit::spec;

use super::*;

fn download(unix_ms: u64) -> DownloadId {
    Generator::new().next(unix_ms, None).typed()
}

fn verbs() -> impl Strategy<Value = Verb> {
    let number = any::<u16>();
    prop_oneof![
        Just(Verb::Show),
        number.prop_map(Verb::Candidate),
        number.prop_map(Verb::Accept),
        Just(Verb::NoneFits),
        Just(Verb::Kind(TitleKind::Movie)),
        Just(Verb::Kind(TitleKind::Series)),
        Just(Verb::Kind(TitleKind::Anime)),
        Just(Verb::Kind(TitleKind::Other)),
        number.prop_map(Verb::Season),
        Just(Verb::Plan),
        any::<u32>().prop_map(|mark| Verb::Apply(PlanMark(mark))),
        Just(Verb::Undo),
        Just(Verb::Retry),
        Just(Verb::Cancel),
        Just(Verb::CancelSurely),
    ]
}

proptest! {
    #[test]
    fn what_a_button_carries_is_read_back(
        verb in verbs(), unix_ms in any::<u64>(), revision in any::<u64>(),
    ) {
        spec!("telegram#buttons/within-64-bytes");
        let button = Callback { verb, download: download(unix_ms), revision };
        let data = button.to_string();
        prop_assert!((1..=64).contains(&data.len()), "{data}");
        prop_assert_eq!(data.parse(), Ok(button));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}|1[a-z][0-9]{0,6}\\.[0-9a-z]{26}\\.[0-9]{0,22}") {
        if let Ok(button) = text.parse::<Callback>() {
            prop_assert_eq!(button.to_string(), text);
        }
    }
}

#[test]
fn the_longest_button_fits() {
    spec!("telegram#buttons/within-64-bytes");
    let verb = Verb::Apply(PlanMark(u32::MAX));
    let longest = Callback { verb, download: download(0), revision: u64::MAX };
    assert_eq!(longest.to_string().len(), LONGEST);
}

#[test]
fn a_button_of_another_version_is_told_from_nonsense() {
    spec!("telegram#buttons/of-another-version");
    let id = download(1_767_323_045_000);
    let read = |text: String| text.parse::<Callback>().map(|button| button.verb);
    assert_eq!(read(format!("1a3.{id}.12")), Ok(Verb::Accept(3)));
    assert_eq!(read(format!("2a3.{id}.12")), Err(ParseCallbackError::OtherForm));
    assert_eq!(read("0".to_owned()), Err(ParseCallbackError::OtherForm));
    for unknown in [format!("1z.{id}.12"), format!("1k9.{id}.12"), format!("1a.{id}.12")] {
        assert_eq!(read(unknown.clone()), Err(ParseCallbackError::UnknownVerb), "{unknown}");
    }
    let malformed = [
        String::new(),
        "1".to_owned(),
        "item_ChatGPT Plus_Нейросети_goods-page_Нейросети_0".to_owned(),
        format!("1a3.{id}"),
        format!("1a3.{id}.12.7"),
        format!("1a03.{id}.12"),
        format!("1a65536.{id}.12"),
        format!("1a3.{id}.+12"),
        format!("1a3.{}.12", id.to_string().to_uppercase()),
        format!("1a70000.{id}.12"),
        format!("1A.{id}.12"),
    ];
    for text in malformed {
        assert_eq!(read(text.clone()), Err(ParseCallbackError::Malformed), "{text}");
    }
}
