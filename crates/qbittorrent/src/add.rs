//! Handing a torrent over: the fields of `torrents/add` and its answers.

use serde::Deserialize;
use tracker_domain::ports::{AddOutcome, AddRequest, AddSource, ClientError};

use crate::call::{Answer, Call, Fields, Payload};
use crate::capability::{AddAnswer, Capabilities};

const ENDPOINT: &str = "torrents/add";

/// The call that hands a torrent over. It says everything: what is left out
/// follows the user's global settings, such as a common folder for incomplete
/// torrents, in which torrents of one name overwrite each other.
pub(crate) fn call(request: &AddRequest, known: &Capabilities) -> Call {
    let mut fields: Fields = vec![
        ("autoTMM", "false".into()),
        ("useDownloadPath", "false".into()),
        ("downloadPath", String::new()),
        ("stopCondition", "None".into()),
        ("contentLayout", "Original".into()),
        ("category", request.category.clone()),
        ("tags", request.tags.join(",")),
        // Two names of one field; each version ignores the other's.
        ("paused", "false".into()),
        ("stopped", "false".into()),
        (known.unchecked, "false".into()),
    ];
    if let Some(path) = &request.save_path {
        fields.push(("savepath", path.0.clone()));
    }
    let payload = match &request.source {
        AddSource::Magnet(link) => {
            fields.push(("urls", link.clone()));
            Payload::Form(fields)
        }
        AddSource::Torrent(bytes) => Payload::Upload(fields, bytes.clone()),
    };
    Call { payload, ..Call::post(ENDPOINT, Vec::new()) }
}

#[derive(Deserialize)]
struct Counts {
    success_count: u64,
    #[serde(default)]
    pending_count: u64,
    #[serde(default)]
    failure_count: u64,
}

/// Reads every form of answer there is. What is none of them may have been
/// carried out or not, and only a look by hash tells.
pub(crate) fn decode(answer: &Answer, known: &Capabilities) -> Result<AddOutcome, ClientError> {
    let unclear = || Err(answer.unclear(ENDPOINT));
    match answer.status {
        200 | 202 => match answer.text().as_str() {
            "" if answer.status == 202 => Ok(AddOutcome::Pending),
            "Ok." | "" => Ok(AddOutcome::Accepted),
            "Fails." => Ok(AddOutcome::Refused),
            text => serde_json::from_str(text).map_or_else(|_| unclear(), |counts| of(&counts)),
        },
        204 => Ok(AddOutcome::Accepted),
        409 if known.add_answer == AddAnswer::Counts => Ok(AddOutcome::Refused),
        415 => Err(ClientError::Rejected("it is not a valid torrent file to the client".into())),
        _ => unclear(),
    }
}

fn of(counts: &Counts) -> Result<AddOutcome, ClientError> {
    match (counts.success_count, counts.pending_count, counts.failure_count) {
        (1.., _, _) => Ok(AddOutcome::Accepted),
        (0, 1.., _) => Ok(AddOutcome::Pending),
        (0, 0, 1..) => Ok(AddOutcome::Refused),
        (0, 0, 0) => {
            Err(ClientError::Unreachable(format!("{ENDPOINT} answered that it did nothing")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capability::ApiVersion;

    const OLD: ApiVersion = ApiVersion(2, 11, 4);
    const NEW: ApiVersion = ApiVersion(2, 16, 2);

    fn outcome(version: ApiVersion, status: u16, body: &str) -> Result<AddOutcome, ClientError> {
        let answer = Answer { status, body: body.as_bytes().to_vec(), cookie: None };
        decode(&answer, &Capabilities::of(version))
    }

    #[test]
    fn every_form_of_answer_has_one_meaning() {
        tracker_testkit::spec!("qbittorrent-client#answers-to-an-add/each-form-of-answer");
        use AddOutcome::{Accepted, Pending, Refused};
        let one =
            r#"{"success_count":1,"failure_count":0,"pending_count":0,"added_torrent_ids":["ab"]}"#;
        let pending = r#"{"success_count":0,"failure_count":0,"pending_count":1}"#;
        let failed = r#"{"success_count":0,"failure_count":1,"pending_count":0}"#;
        for version in [OLD, NEW] {
            assert_eq!(outcome(version, 200, "Ok."), Ok(Accepted));
            assert_eq!(outcome(version, 200, ""), Ok(Accepted));
            assert_eq!(outcome(version, 204, ""), Ok(Accepted));
            assert_eq!(outcome(version, 200, "Fails."), Ok(Refused));
            assert_eq!(outcome(version, 200, one), Ok(Accepted));
            assert_eq!(outcome(version, 202, pending), Ok(Pending));
            assert_eq!(outcome(version, 202, ""), Ok(Pending));
            assert_eq!(outcome(version, 200, failed), Ok(Refused));
        }
        assert_eq!(outcome(NEW, 409, "Conflict"), Ok(Refused));
    }

    #[test]
    fn an_answer_that_says_nothing_is_unclear() {
        tracker_testkit::spec!("qbittorrent-client#answers-to-an-add/an-unclear-answer");
        let cut = r#"{"success_count":1,"fail"#;
        let nothing = r#"{"success_count":0,"failure_count":0,"pending_count":0}"#;
        // A version that never answers 409 did not write this one.
        let cases = [
            (NEW, 200, cut),
            (NEW, 200, nothing),
            (OLD, 409, "Conflict"),
            (NEW, 400, ""),
            (NEW, 500, ""),
            (OLD, 502, ""),
            (NEW, 302, ""),
            (OLD, 200, "<html>"),
        ];
        for (version, status, body) in cases {
            let got = outcome(version, status, body);
            assert!(matches!(got, Err(ClientError::Unreachable(_))), "{status} {body}: {got:?}");
        }
    }

    #[test]
    fn a_file_that_is_no_torrent_is_rejected_for_good() {
        tracker_testkit::spec!("qbittorrent-client#answers-to-an-add/not-a-torrent");
        let got = outcome(NEW, 415, "Error: 'x' is not a valid torrent file.");
        assert!(matches!(got, Err(ClientError::Rejected(_))));
    }
}
