//! Messages that nobody asked for.

use tracker_app::DownloadView;
use tracker_domain::event::EventType;
use tracker_domain::{Attention, DownloadState};
use tracker_testkit::spec;

use super::samples::{Sample, download, failed, told};
use super::{Mouth, addresses, labels, read, verbs};
use crate::callback::Verb;
use crate::screens::{is_settled, notice};

#[test]
fn what_is_done() {
    spec!("telegram#screens-of-a-chat/notices");
    let mouth = Mouth::new();
    let done = Sample::done("Show").download;
    let mut one = told(EventType::BatchApplied, "Show");
    one.rest.clear();
    let screen = notice(&mouth.english(), &one, Some(&done));
    assert_eq!(read(&screen), "✓ In the library\nShow");
    assert_eq!(verbs(&screen), [Verb::Undo, Verb::Show]);
    let several = notice(&mouth.russian(), &told(EventType::BatchApplied, "Show"), Some(&done));
    assert_eq!(read(&several), "✓ В библиотеке\nShow\n2 события");
}

#[test]
fn what_needs_a_person() {
    spec!("telegram#screens-of-a-chat/notices");
    let mouth = Mouth::new();
    let about = told(EventType::DownloadAttention, "Show");
    let asks = Sample::in_doubt("Show").download;
    let screen = notice(&mouth.english(), &about, Some(&asks));
    let text = read(&screen);
    assert!(text.starts_with("⚠ Needs you\nShow\n2 events\n⚠ needs review\n"), "{text}");
    assert_eq!(labels(&screen)[0], ["Review", "Show"]);
    let stuck = DownloadView { attention: Some(Attention::DiskFull), ..asks };
    assert_eq!(verbs(&notice(&mouth.english(), &about, Some(&stuck))), [Verb::Retry, Verb::Show]);
    let settled = notice(&mouth.english(), &about, Some(&download("Show")));
    assert_eq!(verbs(&settled), [Verb::Show]);
    assert!(is_settled(&about, Some(&download("Show"))) && !is_settled(&about, Some(&stuck)));
    assert!(read(&settled).starts_with("needs no look any more\nShow\n"));
}

#[test]
fn what_failed() {
    spec!("telegram#screens-of-a-chat/notices");
    let mouth = Mouth::new();
    for kind in [EventType::DownloadAttention, EventType::DownloadStateChanged] {
        let screen = notice(&mouth.english(), &told(kind, "Show"), Some(&failed("no")));
        assert!(read(&screen).starts_with("✗ Failed\nno\n"), "{}", read(&screen));
        assert_eq!(verbs(&screen), [Verb::Retry, Verb::Show]);
    }
    let moved = DownloadView { state: DownloadState::Downloaded, ..download("Show") };
    let other = told(EventType::DownloadStateChanged, "Show");
    let text = read(&notice(&mouth.russian(), &other, Some(&moved)));
    assert!(text.starts_with("состояние изменилось\nShow\n"), "{text}");
}

#[test]
fn what_is_about_no_download() {
    spec!("telegram#screens-of-a-chat/notices");
    let mouth = Mouth::new();
    let mut backup = told(EventType::BackupFailed, "Backup");
    backup.download_id = None;
    let screen = notice(&mouth.english(), &backup, None);
    let text = "backup failed\nBackup\n2 events\nsomething happened to Backup";
    assert_eq!(read(&screen), text);
    assert_eq!(addresses(&screen), ["https://tracker.example/t/events"]);
    assert!(verbs(&screen).is_empty());
}
