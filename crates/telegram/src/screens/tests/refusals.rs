//! Why something was not done.

use tracker_app::{AppError, FieldError};
use tracker_domain::{DownloadState, Magnet, Torrent};
use tracker_testkit::spec;

use super::{Mouth, addresses, read};
use crate::screens::{Refusal, not_accepted, refused};

#[test]
fn what_was_not_accepted_has_a_reason() {
    spec!("telegram#screens-of-a-chat/refusals");
    let mouth = Mouth::new();
    let link = Magnet::parse("magnet:?dn=Show").unwrap_err();
    let file = Torrent::parse(b"<html><body>Log in</body></html>").unwrap_err();
    let service = AppError::NoClient;
    let reasons = [
        Refusal::Link(&link),
        Refusal::File(&file),
        Refusal::FileTooLarge,
        Refusal::FileNotFetched,
        Refusal::Service(&service),
    ];
    let screen = not_accepted(&mouth.english(), &reasons);
    assert_eq!(
        read(&screen),
        "Not accepted:\n\
         The link has no infohash of BitTorrent.\n\
         This is a page of a site, not a .torrent file. Log in there and download the file again.\n\
         The file is too large for a .torrent file.\n\
         The file cannot be fetched from Telegram. Send it again.\n\
         No torrent client is configured."
    );
    assert_eq!(addresses(&screen), ["https://tracker.example/t/add"]);
    let russian = read(&not_accepted(&mouth.russian(), &reasons));
    assert!(russian.starts_with("Не принято:\nВ ссылке нет инфохеша BitTorrent.\n"), "{russian}");
}

#[test]
fn what_a_service_refuses_is_told() {
    spec!("telegram#screens-of-a-chat/refusals");
    let mouth = Mouth::new();
    let detail = "a download that is done cannot be cancelled".to_owned();
    let state = AppError::IllegalTransition { state: DownloadState::Done, detail };
    let en = "Not possible in this state. a download that is done cannot be cancelled";
    assert_eq!(refused(&mouth.english(), &state), en);
    let ru = "В этом состоянии невозможно. a download that is done cannot be cancelled";
    assert_eq!(refused(&mouth.russian(), &state), ru);
    let broken = AppError::Internal("the disk said EIO at /secret".into());
    let text = refused(&mouth.english(), &broken);
    assert_eq!(text, "Something went wrong here. The log says more.");
    let field = AppError::InvalidRequest(vec![FieldError::body("/hint", "the hint is too long")]);
    let text = refused(&mouth.english(), &field);
    assert_eq!(text, "The request cannot be used. the hint is too long");
}
