//! What would be linked, Undo, and giving up.

use tracker_domain::DownloadState;
use tracker_testkit::spec;

use super::samples::{batch, download, in_the_way, plan_of};
use super::{Mouth, labels, read, verbs};
use crate::callback::Verb;
use crate::screens::{cancelling, plan, undone};

#[test]
fn a_plan_is_told_in_short() {
    spec!("telegram#screens-of-a-chat/a-plan");
    let mouth = Mouth::new();
    let mut whole = download("Show");
    whole.state = DownloadState::Downloaded;
    let screen = plan(&mouth.english(), &whole, &plan_of("sample.mkv", 12));
    let text = read(&screen);
    let first = "What will happen\nShow\n12 links, 1 skipped, 0 conflicts\n\
                 Into: /srv/media/Show\n→ Season 00/E0.mkv\n→ Season 01/E1.mkv\n";
    assert!(text.starts_with(first), "{text}");
    assert!(text.ends_with("and 2 more\nLeft out:\n– sample.mkv: sample"), "{text}");
    assert_eq!(labels(&screen)[0], ["Apply 12 links"]);
    let russian = plan(&mouth.russian(), &whole, &plan_of("sample.mkv", 1));
    assert_eq!(labels(&russian)[0], ["Создать 1 ссылку"]);
    assert!(read(&russian).contains("\n1 ссылка, "), "{}", read(&russian));
}

fn applies(verb: &Verb) -> bool {
    matches!(verb, Verb::Apply(_))
}

#[test]
fn a_plan_is_carried_out_only_where_it_can_be() {
    spec!("telegram#screens-of-a-chat/a-plan");
    let mouth = Mouth::new();
    let mut view = download("Show");
    let early = plan(&mouth.english(), &view, &plan_of("sample.mkv", 2));
    assert_eq!(verbs(&early), [Verb::Candidate(0), Verb::Show]);
    assert!(read(&early).contains("It is not complete yet."));
    view.state = DownloadState::Done;
    assert!(verbs(&plan(&mouth.english(), &view, &plan_of("a", 2))).iter().any(applies));
    let mut taken = plan_of("sample.mkv", 2);
    taken.conflicts = vec![in_the_way("E1.mkv")];
    let blocked = plan(&mouth.english(), &view, &taken);
    assert!(!verbs(&blocked).iter().any(applies));
    assert!(read(&blocked).contains("In the way:\n– E1.mkv: another file is there\nNothing is"));
    let empty = plan(&mouth.russian(), &view, &plan_of("sample.mkv", 0));
    assert!(!verbs(&empty).iter().any(applies));
    assert!(read(&empty).ends_with("Ни одной ссылки создано не будет."));
}

#[test]
fn undo_tells_what_went_and_what_was_left() {
    spec!("telegram#screens-of-a-chat/undo-and-giving-up");
    let mouth = Mouth::new();
    let screen = undone(&mouth.english(), &download("Show"), &batch("E1.mkv", "undone", 3));
    assert_eq!(
        read(&screen),
        "Undone\nShow\n2 links were removed. The download is as it was.\n\
         These names were left, since they are not what was linked:\n\
         – /srv/media/E1.mkv: it is another file now"
    );
    let russian = undone(&mouth.russian(), &download("Show"), &batch("E1.mkv", "undone", 6));
    assert!(read(&russian).contains("Удалено 5 ссылок. Сама загрузка не тронута."));
}

#[test]
fn giving_up_is_asked_first() {
    spec!("telegram#screens-of-a-chat/undo-and-giving-up");
    let mouth = Mouth::new();
    let screen = cancelling(&mouth.english(), &download("Show"));
    assert!(read(&screen).contains("Give it up?"));
    assert_eq!(verbs(&screen), [Verb::CancelSurely, Verb::Show]);
    let russian = cancelling(&mouth.russian(), &download("Show"));
    assert_eq!(labels(&russian)[0], ["Да, отказаться", "Нет"]);
}
