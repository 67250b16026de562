//! Messages that nobody asked for: something is done, waits for a person, or failed.

use tracker_app::{DownloadView, EventView};
use tracker_domain::DownloadState;
use tracker_domain::event::EventType;
use tracker_domain::ports::Notice;

use super::status::trouble;
use super::voice::{DETAIL, NAME, Voice, line};
use super::{Screen, plain, press, stacked};
use crate::callback::Verb;
use crate::text::Draft;

/// What a notice is to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matter {
    Done,
    NeedsYou,
    Failed,
    Other,
}

/// A notice, with the download that it is about as it is now, where it is about one.
#[must_use]
pub fn notice(voice: &Voice<'_>, notice: &Notice, download: Option<&DownloadView>) -> Screen {
    let matter = matter(notice, download);
    let heading = match matter {
        Matter::Done => format!("✓ {}", voice.say("bot-notice-done")),
        Matter::NeedsYou => format!("⚠ {}", voice.say("bot-notice-needs-you")),
        Matter::Failed => format!("✗ {}", voice.say("bot-notice-failed")),
        Matter::Other if notice.kind == EventType::DownloadAttention => {
            voice.word("event", EventView::ATTENTION_CLEARED)
        }
        Matter::Other => voice.word("event", notice.kind.as_str()),
    };
    let mut lines = vec![Draft::new().bold(&heading)];
    let name = download.map(|download| &download.name).or(notice.name.as_ref());
    lines.extend(name.map(|name| plain(&line(name, NAME))));
    if notice.count() > 1 {
        lines.push(plain(&voice.many("bot-notice-of", notice.count())));
    }
    let trouble = match (matter, download) {
        (Matter::NeedsYou | Matter::Failed, Some(download)) => trouble(voice, download),
        _ => Vec::new(),
    };
    // What is told in the words of the person needs no others.
    if trouble.is_empty() && matter != Matter::Done {
        lines.push(plain(&line(&notice.message, DETAIL)));
    }
    lines.extend(trouble);
    let mut row = Vec::new();
    if let Some(download) = download {
        let button = |text: &str, verb| press(download, voice.say(text), verb);
        row.extend(match matter {
            Matter::Done => Some(button("bot-button-undo", Verb::Undo)),
            Matter::NeedsYou if download.is_for_review() => {
                Some(button("bot-button-review", Verb::Candidate(0)))
            }
            Matter::NeedsYou | Matter::Failed if download.may_be_retried() => {
                Some(button("bot-button-retry", Verb::Retry))
            }
            Matter::NeedsYou | Matter::Failed | Matter::Other => None,
        });
        row.push(button("show", Verb::Show));
    }
    let path = match notice.download_id {
        Some(id) => format!("/download/{id}"),
        None => "/events".to_owned(),
    };
    Screen::new(voice, &path, stacked(lines), vec![row])
}

/// Whether a notice asks for a person whom its download does not need any more.
#[must_use]
pub fn is_settled(notice: &Notice, download: Option<&DownloadView>) -> bool {
    notice.kind == EventType::DownloadAttention && matter(notice, download) == Matter::Other
}

fn matter(notice: &Notice, download: Option<&DownloadView>) -> Matter {
    let has_failed = download.is_some_and(|download| download.state == DownloadState::Failed);
    let is_settled = download.is_some_and(|download| download.attention.is_none());
    match notice.kind {
        EventType::BatchApplied => Matter::Done,
        EventType::DownloadAttention if has_failed => Matter::Failed,
        // What is settled by now needs nobody.
        EventType::DownloadAttention if is_settled => Matter::Other,
        EventType::DownloadAttention => Matter::NeedsYou,
        EventType::DownloadStateChanged if has_failed => Matter::Failed,
        EventType::BatchFailed => Matter::Failed,
        _ => Matter::Other,
    }
}
