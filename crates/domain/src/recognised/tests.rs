//! The words and the stored form of a recognition.
#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn states_are_read_from_their_words() {
    let words: Vec<&str> = RecognitionState::ALL.iter().map(|state| state.as_str()).collect();
    assert_eq!(words, ["pending", "waiting", "proposed", "accepted", "rejected", "superseded"]);
    for state in RecognitionState::ALL {
        assert_eq!(state.to_string().parse::<RecognitionState>().unwrap(), *state);
    }
    assert!("Accepted".parse::<RecognitionState>().is_err());
}

#[test]
fn the_word_and_the_stored_form_are_one() {
    for kind in [TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other] {
        assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
    }
    for verdict in [Verdict::Sure, Verdict::Doubt, Verdict::Unknown] {
        assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{}\"", verdict.as_str()));
    }
}

#[test]
fn fields_that_were_not_found_are_left_out() {
    assert_eq!(serde_json::to_string(&Fields::default()).unwrap(), "{}");
    assert_eq!(serde_json::from_str::<Fields>("{}").unwrap(), Fields::default());
    let full = Fields {
        kind: Some(TitleKind::Series),
        title: Some("Тест".to_owned()),
        year: Some(2024),
        seasons: vec![0, 2],
        episodes: vec![EpisodeNumber::whole(1), EpisodeNumber::with_hundredths(1, 50)],
        date: Date::new(2024, 2, 29),
        resolution: Some("1080p".to_owned()),
        remux: true,
        container: Some("mkv".to_owned()),
        ..Fields::default()
    };
    let json = serde_json::to_string(&full).unwrap();
    insta::assert_snapshot!(json, @r#"{"kind":"series","title":"Тест","year":2024,"seasons":[0,2],"episodes":[1,1.5],"date":"2024-02-29","resolution":"1080p","remux":true,"container":"mkv"}"#);
    assert_eq!(serde_json::from_str::<Fields>(&json).unwrap(), full);
}
