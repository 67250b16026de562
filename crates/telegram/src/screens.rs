//! What people see in a chat: each screen is made of the views of the services and of
//! the voice it is said with, and of nothing else.
//!
//! Nothing here asks a service, sends anything or says a word of its own: the words are
//! those of the catalogue. A screen offers what its download allows; whether it is
//! still so is found out by the revision in the button.

mod commands;
mod lists;
mod notices;
mod phrases;
mod plans;
mod refusals;
mod review;
mod status;
mod subject;
mod voice;

use tracker_app::DownloadView;
use tracker_domain::DownloadId;
use tracker_domain::entity::CandidateId;

use crate::api::{Button, ButtonAction, Keyboard};
use crate::callback::{Callback, Verb};
use crate::text::{Draft, Formatted, Limit, More};

pub use commands::{commands, help};
pub use lists::{events, health, list, search};
pub use notices::{is_settled, notice};
pub use phrases::Phrase;
pub use plans::{cancelling, plan, undone};
pub use refusals::{Refusal, not_accepted, refused};
pub use review::{candidate, none_fits};
pub use status::{status, taken};
pub use subject::Subject;
pub(crate) use voice::share;
pub use voice::{Pages, Voice};

/// A message that is not sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    text: Draft,
    /// What the link to the whole says, and where it leads.
    whole: Option<(String, String)>,
    keyboard: Keyboard,
    photo: Option<CandidateId>,
}

impl Screen {
    fn new(voice: &Voice<'_>, path: &str, text: Draft, rows: Vec<Vec<Button>>) -> Self {
        let whole = voice.address(path).map(|url| (voice.say("bot-button-page"), url));
        let open = whole
            .iter()
            .map(|(text, url)| Button { text: text.clone(), action: open(url.clone()) });
        let allowed = |button: &Button| match &button.action {
            ButtonAction::Press(callback) => voice.may_change || !callback.verb.changes(),
            ButtonAction::Open(_) => true,
        };
        let rows = rows
            .into_iter()
            .chain([open.collect()])
            .map(|row| row.into_iter().filter(allowed).collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        Screen { text, whole, keyboard: Keyboard { rows }, photo: None }
    }

    /// About one download, whose page it leads to.
    fn of(voice: &Voice<'_>, id: DownloadId, text: Draft, rows: Vec<Vec<Button>>) -> Self {
        Screen::new(voice, &format!("/download/{id}"), text, rows)
    }

    fn with_photo(self, photo: CandidateId) -> Self {
        Screen { photo: Some(photo), ..self }
    }

    /// The text as it fits a message or the caption of a picture, with a link to the
    /// page where it had to be cut.
    #[must_use]
    pub fn text(&self, limit: Limit) -> Formatted {
        let whole = self.whole.as_ref();
        self.text.finish(limit, whole.map(|(label, url)| More { label, url }))
    }

    /// The buttons, where there are any.
    #[must_use]
    pub fn keyboard(&self) -> Option<&Keyboard> {
        Some(&self.keyboard).filter(|keyboard| !keyboard.rows.is_empty())
    }

    /// The candidate whose poster goes with it. It says all it has to without one.
    #[must_use]
    pub const fn photo(&self) -> Option<CandidateId> {
        self.photo
    }
}

/// A button that asks something of a download as the reader sees it.
fn press(download: &DownloadView, text: String, verb: Verb) -> Button {
    let callback = Callback { verb, download: download.id, revision: download.revision };
    Button { text, action: ButtonAction::Press(callback) }
}

const fn open(url: String) -> ButtonAction {
    ButtonAction::Open(url)
}

/// Drafts below each other.
fn stacked(lines: impl IntoIterator<Item = Draft>) -> Draft {
    lines.into_iter().enumerate().fold(Draft::new(), |text, (at, line)| {
        if at == 0 { text.draft(line) } else { text.line().draft(line) }
    })
}

fn plain(text: &str) -> Draft {
    Draft::new().text(text)
}

#[cfg(test)]
mod tests;
