//! What a download is.

use tracker_domain::recognised::{RecognitionState, TitleKind};
use tracker_domain::{DownloadState, Remark};
use tracker_testkit::spec;

use super::samples::{Sample, id, work};
use super::{Mouth, labels, read, verbs};
use crate::callback::Verb;
use crate::screens::{candidate, none_fits};
use crate::text::{Limit, utf16_units};

#[test]
fn one_candidate_at_a_time() {
    spec!("telegram#screens-of-a-chat/what-it-is");
    let mouth = Mouth::new();
    let mut sample = Sample::in_doubt("Show");
    sample.candidates.push(work(3, "Other", 2001, 0.2));
    let screen = candidate(&mouth.english(), &sample.subject(), 1);
    let lines: Vec<String> = read(&screen).lines().map(str::to_owned).collect();
    assert_eq!(
        lines[..8],
        [
            "Show",
            "Show (2006)",
            "Show (original)",
            "series · 44 % · tmdb:tv/2 · 2 of 3",
            "✓ title: the title is the same",
            "✗ year: Show",
            "– episodes: the names tell no episodes",
            "What is not sure:",
        ]
    );
    assert_eq!(screen.photo(), Some(id(102)));
    assert_eq!(
        labels(&screen),
        [
            vec!["This is it"],
            vec!["Previous", "Next"],
            vec!["Show (2018) · series, 71 %"],
            vec!["Other (2001) · series, 20 %"],
            vec!["film", "✓ series", "anime", "other"],
            vec!["S1", "✓ S2", "S3", "S4", "S5"],
            vec!["Specials"],
            vec!["None of these", "What will happen", "Back"],
            vec!["Open page"],
        ]
    );
    let asked = verbs(&screen);
    let first = [Verb::Accept(1), Verb::Candidate(0), Verb::Candidate(2), Verb::Candidate(0)];
    assert_eq!(asked[..4], first);
    assert!(asked.contains(&Verb::Kind(TitleKind::Movie)) && asked.contains(&Verb::Season(3)));
    let russian = candidate(&mouth.russian(), &sample.subject(), 0);
    assert!(read(&russian).contains("сериал · 71 % · tmdb:tv/1 · 1 из 3"));
    assert_eq!(labels(&russian)[0], ["Это оно"]);
    assert_eq!(labels(&russian)[1], ["Следующее"]);
}

#[test]
fn a_card_fits_below_a_picture() {
    spec!("telegram#screens-of-a-chat/what-it-is");
    let mouth = Mouth::new();
    let sample = Sample::in_doubt("Show");
    let caption = candidate(&mouth.english(), &sample.subject(), 0).text(Limit::Caption);
    assert!(caption.is_cut() && utf16_units(caption.plain()) <= 1024);
    assert!(caption.plain().ends_with("…\nOpen page"));
    assert!(caption.plain().contains("– the names give no year\n"), "only the overview is cut");
}

#[test]
fn a_place_that_is_gone_is_the_last_one() {
    spec!("telegram#screens-of-a-chat/what-it-is");
    let mouth = Mouth::new();
    let sample = Sample::in_doubt("Show");
    let last = candidate(&mouth.english(), &sample.subject(), 1);
    assert_eq!(candidate(&mouth.english(), &sample.subject(), 40), last);
}

#[test]
fn what_is_not_among_the_candidates_can_be_said() {
    spec!("telegram#screens-of-a-chat/none-of-these");
    let mouth = Mouth::new();
    let mut sample = Sample::in_doubt("Show");
    let screen = none_fits(&mouth.english(), &sample.subject());
    assert!(read(&screen).contains("Answer this message with a title and its year"));
    let asked = verbs(&screen);
    let rest = [Verb::Kind(TitleKind::Anime), Verb::Season(0), Verb::Candidate(0), Verb::Show];
    assert!(rest.iter().all(|verb| asked.contains(verb)), "{asked:?}");
    sample.candidates.clear();
    sample.recognition.doubts = vec![Remark::NoSuchWork];
    let screen = candidate(&mouth.english(), &sample.subject(), 0);
    assert!(read(&screen).contains("none of them knows a work that fits."));
    let mut silent = sample.clone();
    silent.recognition.state = RecognitionState::Waiting;
    let silent = candidate(&mouth.english(), &silent.subject(), 0);
    assert!(read(&silent).contains("A source has not answered, so"));
    assert_eq!(labels(&screen)[0], ["Take it as the names say"]);
    assert_eq!((verbs(&screen)[0], screen.photo()), (Verb::Accept(0), None));
    sample.recognition.fields.kind = Some(TitleKind::Movie);
    let film = none_fits(&mouth.english(), &sample.subject());
    assert!(!verbs(&film).iter().any(|verb| matches!(verb, Verb::Season(_))));
    sample.download.state = DownloadState::Cancelled;
    let ended = none_fits(&mouth.russian(), &sample.subject());
    assert!(read(&ended).contains("В этом состоянии изменить распознавание нельзя."));
    assert_eq!(verbs(&ended), [Verb::Show]);
}
