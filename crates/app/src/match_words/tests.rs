//! Each state has its own words.
#![allow(clippy::unwrap_used, reason = "tests")]

use tracker_domain::recognised::{Fields, Role};
use tracker_domain::{Actor, Timestamp};
use tracker_testkit::spec;

use super::*;
use crate::review_views::{CauseView, FileView};

const ID: &str = "01jzabcdefghjkmnpqrstvwxyz";

fn download(state: DownloadState) -> DownloadView {
    let at = Timestamp::from_unix(0).unwrap();
    DownloadView {
        id: ID.parse().unwrap(),
        state,
        attention: None,
        attention_detail: None,
        name: "Name".to_owned(),
        infohashes: Vec::new(),
        client: None,
        progress: None,
        paused: false,
        error: None,
        merged_into: None,
        hidden_at: None,
        has_links: false,
        revision: 1,
        created_at: at,
        updated_at: at,
    }
}

fn recognition(state: RecognitionState) -> RecognitionView {
    let id = (state != RecognitionState::Pending).then(|| ID.parse().unwrap());
    let fields = Fields { title: Some("Film".to_owned()), ..Fields::default() };
    RecognitionView {
        id,
        state,
        ..RecognitionView::nothing_yet(ID.parse().unwrap(), fields, Vec::new())
    }
}

fn file() -> FileView {
    FileView {
        index: 0,
        path: None,
        size_bytes: None,
        role: Role::Main,
        fields: Fields::default(),
        can_be_included: false,
    }
}

#[test]
fn why_there_is_nothing_to_choose_from() {
    spec!("review#what-a-download-is-taken-for/nothing-to-choose-from");
    use DownloadState::{Cancelled, Downloaded, Downloading};
    let pending = recognition(RecognitionState::Pending);
    let listed = RecognitionView { files: vec![file()], ..pending.clone() };
    let proposed = recognition(RecognitionState::Proposed);
    let cause = CauseView {
        source: "tvmaze".to_owned(),
        cause: "unreachable".to_owned(),
        detail: String::new(),
    };
    let cases = [
        (&pending, Downloading, NoWorks::Files),
        (&listed, Downloading, NoWorks::Looking),
        // A client that is done with it knows its files.
        (&pending, Downloaded, NoWorks::Looking),
        (&listed, Cancelled, NoWorks::Never),
        (
            &RecognitionView { waiting: vec![cause], ..proposed.clone() },
            Downloaded,
            NoWorks::Silent,
        ),
        (&recognition(RecognitionState::Waiting), Downloaded, NoWorks::Silent),
        (
            &RecognitionView { doubts: vec![Remark::NoSuchWork], ..proposed.clone() },
            Downloaded,
            NoWorks::Unknown,
        ),
        (&recognition(RecognitionState::Accepted), Downloaded, NoWorks::AsNamed),
        (
            &RecognitionView { fields: Fields::default(), ..proposed.clone() },
            Downloaded,
            NoWorks::NoTitle,
        ),
        (&proposed, Downloaded, NoWorks::NotAsked),
    ];
    for (view, state, expected) in cases {
        assert_eq!(view.without_works(&download(state), true), expected, "{view:?} {state}");
    }
    assert_eq!(proposed.without_works(&download(Downloaded), false), NoWorks::NoSource);
    assert_eq!(listed.word(&download(Downloading)), "looking");
    assert_eq!(pending.word(&download(Downloading)), "pending");
}

#[test]
fn what_a_person_accepted_is_not_doubted() {
    spec!("review#what-a-download-is-taken-for/nothing-to-choose-from");
    let by_itself = recognition(RecognitionState::Accepted);
    let by_person =
        RecognitionView { chosen_by: Some(Actor::Web("ada".to_owned())), ..by_itself.clone() };
    let all = [
        (by_itself, true),
        (by_person, false),
        (recognition(RecognitionState::Proposed), true),
        (recognition(RecognitionState::Pending), false),
    ];
    for (view, expected) in all {
        assert_eq!(view.may_be_doubted(), expected, "{view:?}");
    }
}
