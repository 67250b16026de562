//! The message of a download, and the answer to an intake.

use tracker_domain::recognised::RecognitionState;
use tracker_domain::{Attention, DownloadState, Remark};
use tracker_testkit::spec;

use super::samples::{Sample, batch, cause, failed};
use super::{Mouth, addresses, labels, read, verbs};
use crate::api::ButtonAction;
use crate::callback::Verb;
use crate::screens::{Pages, Screen, Subject, Voice, status, taken};

fn first_line(screen: &Screen) -> String {
    read(screen).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn what_was_handed_over_is_answered() {
    spec!("telegram#screens-of-a-chat/what-was-handed-over");
    let mouth = Mouth::new();
    let mut sample = Sample::new("Show");
    let mut heading = |state, created, voice: &Voice<'_>| {
        sample.download.state = state;
        sample.download.has_links = state == DownloadState::Done;
        first_line(&taken(voice, &sample.subject(), created, None))
    };
    let (en, ru) = (mouth.english(), mouth.russian());
    assert_eq!(heading(DownloadState::Queued, true, &en), "Accepted.");
    assert_eq!(heading(DownloadState::Downloading, false, &en), "Already here (43 %).");
    assert_eq!(heading(DownloadState::Downloading, false, &ru), "Уже здесь (43 %).");
    assert_eq!(heading(DownloadState::Done, false, &en), "Already in the library.");
    assert_eq!(heading(DownloadState::Done, false, &ru), "Уже в библиотеке.");
    assert_eq!(heading(DownloadState::Cancelled, false, &en), "Already here: given up.");
    sample.download.progress = None;
    sample.download.state = DownloadState::Queued;
    let answer = taken(&en, &sample.subject(), false, Some("the 2018 one"));
    assert_eq!(first_line(&answer), "Already here.");
    let end = format!("Id: {}\nHint: the 2018 one", sample.download.id);
    assert!(read(&answer).ends_with(&end), "{}", read(&answer));
    assert!(verbs(&answer).contains(&Verb::Cancel));
}

#[test]
fn where_a_download_is() {
    spec!("telegram#screens-of-a-chat/where-a-download-is");
    let mouth = Mouth::new();
    let sample = Sample::new("Show.S02 <1080p>");
    let id = sample.download.id.to_string();
    let screen = status(&mouth.english(), &sample.subject());
    let text = format!(
        "Show.S02 <1080p>\n\
         Taken for: Show.S02 <1080p> (2018) · series · season 2\n\
         ↓ The torrent client has it, and it is not complete yet.\n\
         ████░░░░░░ 43 % · 4.1 MiB/s · 12 min left\n\
         Id: {id}"
    );
    assert_eq!(read(&screen), text);
    assert_eq!(
        labels(&screen),
        [vec!["Change match"], vec!["Give up"], vec!["Look again"], vec!["Open page"],]
    );
    assert_eq!(addresses(&screen), [format!("https://tracker.example/t/download/{id}")]);
    let screen = status(&mouth.russian(), &sample.subject());
    assert!(read(&screen).contains("████░░░░░░ 43 % · 4,1 МиБ/с · осталось 12 мин"));
    assert!(read(&screen).contains("Распознано: Show.S02 <1080p> (2018) · сериал · сезон 2"));
    assert_eq!(labels(&screen)[0], ["Изменить распознавание"]);
}

#[test]
fn each_button_carries_what_its_reader_saw() {
    spec!("telegram#screens-of-a-chat/where-a-download-is");
    let mouth = Mouth::new();
    let sample = Sample::in_doubt("Show");
    let screen = status(&mouth.english(), &sample.subject());
    for button in screen.keyboard().unwrap().rows.iter().flatten() {
        if let ButtonAction::Press(callback) = button.action {
            assert_eq!((callback.download, callback.revision), (sample.download.id, 7));
        }
    }
}

#[test]
fn what_can_be_done_depends_on_the_state() {
    spec!("telegram#screens-of-a-chat/what-can-be-done");
    let mouth = Mouth::alone();
    let shown = |sample: &Sample| verbs(&status(&mouth.english(), &sample.subject()));
    let doubt = Sample::in_doubt("Show");
    let asked = [Verb::Accept(0), Verb::Candidate(0), Verb::Retry, Verb::Cancel, Verb::Show];
    assert_eq!(shown(&doubt), asked);
    let mut excluded = doubt.clone();
    excluded.candidates[0].excluded = Some(Remark::read("it is a film"));
    assert!(!shown(&excluded).contains(&Verb::Accept(0)), "nobody takes what cannot be it");
    assert_eq!(shown(&Sample::done("Show")), [Verb::Candidate(0), Verb::Undo]);
    let mut whole = Sample::new("Show");
    whole.download.state = DownloadState::Downloaded;
    assert_eq!(shown(&whole), [Verb::Candidate(0), Verb::Plan, Verb::Cancel, Verb::Show]);
    let lost = Sample { download: failed("Show"), ..Sample::new("Show") };
    assert_eq!(shown(&lost), [Verb::Retry]);
    let mut merged = Sample::new("Show");
    merged.download.state = DownloadState::Merged;
    assert_eq!(shown(&merged), []);
}

#[test]
fn what_is_wrong_is_told_with_what_to_do() {
    spec!("telegram#screens-of-a-chat/what-is-wrong");
    let mouth = Mouth::new();
    let sample = Sample::in_doubt("Show");
    let text = read(&status(&mouth.english(), &sample.subject()));
    assert!(text.contains("Best guess: Show (2018) · series, 71 %"), "{text}");
    let trouble = "⚠ needs review\nthe names give no year\n\
                   What to do: Press Review and say what it is.\n";
    assert!(text.contains(trouble), "{text}");
    let text = read(&status(&mouth.russian(), &sample.subject()));
    assert!(text.contains("Скорее всего: Show (2018) · сериал, 71 %"), "{text}");
    let trouble = "⚠ нужна проверка\nв именах нет года\n\
                   Что делать: Нажмите «Проверить» и укажите, что это.\n";
    assert!(text.contains(trouble), "{text}");
    let lost = Sample { download: failed("the tracker said no"), ..Sample::new("Show") };
    let text = read(&status(&mouth.english(), &lost.subject()));
    assert!(text.contains("⚠ client refused it\nthe tracker said no\nWhat to do: Send"), "{text}");
    for attention in Attention::ALL {
        let mut sample = sample.clone();
        sample.download.attention = Some(*attention);
        let text = read(&status(&mouth.english(), &sample.subject()));
        let what = text.lines().find_map(|line| line.strip_prefix("What to do: "));
        assert!(what.is_some_and(|what| what != attention.as_str()), "{attention}");
    }
}

#[test]
fn what_is_done_and_in_no_library_is_told_so() {
    spec!("telegram#screens-of-a-chat/where-a-download-is");
    let mouth = Mouth::new();
    let mut sample = Sample::done("Show");
    assert!(read(&status(&mouth.english(), &sample.subject())).contains("✓ It is in the library."));
    sample.download.has_links = false;
    sample.batches = vec![batch("Show", "undone", 3)];
    let text = read(&status(&mouth.english(), &sample.subject()));
    let told = "– It is done, and nothing of it is in the library.\n2 links were taken back.\n";
    assert!(text.contains(told), "{text}");
    let again = taken(&mouth.english(), &sample.subject(), false, None);
    assert!(read(&again).contains("done, not in the library"), "{again:?}");
}

#[test]
fn a_source_that_has_not_answered_is_named() {
    spec!("telegram#screens-of-a-chat/what-is-wrong");
    let mouth = Mouth::new();
    let mut sample = Sample::new("Show");
    sample.recognition.state = RecognitionState::Waiting;
    sample.recognition.waiting = vec![cause("tmdb", "denied")];
    let text = read(&status(&mouth.english(), &sample.subject()));
    assert!(text.contains("\ntmdb: the token is refused\n"), "{text}");
}

#[test]
fn who_may_only_look_is_offered_no_change() {
    spec!("telegram#screens-of-a-chat/who-may-only-look");
    let mouth = Mouth::new();
    let viewer = Voice { may_change: false, ..mouth.english() };
    for sample in [Sample::in_doubt("Show"), Sample::done("Show"), Sample::new("Show")] {
        for screen in sample.screens(&viewer, "Show") {
            assert!(verbs(&screen).iter().all(|verb| !verb.changes()), "{screen:?}");
        }
    }
    let screen = status(&viewer, &Sample::in_doubt("Show").subject());
    assert_eq!(labels(&screen), [vec!["Review"], vec!["Look again"], vec!["Open page"]]);
}

#[test]
fn pages_have_an_address_that_telegram_opens() {
    spec!("telegram#screens-of-a-chat/without-an-address-of-pages");
    let fits = |url: &str| Pages::new(&url.parse().unwrap()).is_some();
    for url in ["https://tracker.example", "http://192.168.1.5:8080/t", "https://a.b/?x=1#y"] {
        assert!(fits(url), "{url}");
    }
    let others = ["http://localhost:8080", "http://nas/", "http://[::1]/", "https://me:pw@a.b/"];
    for url in others.into_iter().chain(["ftp://a.b/", "magnet:?xt=urn:btih:a"]) {
        assert!(!fits(url), "{url}");
    }
    let alone = Mouth::alone();
    for screen in Sample::in_doubt("Show").screens(&alone.english(), "Show") {
        assert!(addresses(&screen).is_empty());
    }
}

#[test]
fn a_mark_that_turns_the_line_is_left_out() {
    spec!("telegram#screens-of-a-chat/whatever-the-names-hold");
    let mouth = Mouth::new();
    let sample = Sample::new("Show \u{202e}gpj.\u{2066}exe\n\tS01");
    let text = read(&status(&mouth.english(), &sample.subject()));
    assert!(text.starts_with("Show gpj.exe S01\n"), "{text}");
    let nameless = Sample::new("\u{202e} \n");
    let screen = status(&mouth.english(), &Subject { candidates: &[], ..nameless.subject() });
    assert!(read(&screen).starts_with("?\n"));
}
