//! What is shown, in plain words, until the screens of the catalogue take its place:
//! the functions have the names and the arguments of those.

use tracker_app::{
    AppError, BatchView, CandidateView, DownloadView, EventView, HealthLevel, HealthView,
    InboxView, PlanView, RecognitionView, SearchView,
};
use tracker_domain::access::Language;
use tracker_domain::torrent::TorrentError;
use tracker_domain::{DownloadState, MagnetError};

use crate::api::{Button, ButtonAction, Keyboard};
use crate::callback::{Callback, Verb};
use crate::text::{Draft, Formatted, Limit};

/// How somebody is spoken to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    pub language: Language,
    pub may_change: bool,
}

/// A download with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub download: &'a DownloadView,
    pub recognition: &'a RecognitionView,
    pub candidates: &'a [CandidateView],
    pub batches: &'a [BatchView],
}

/// Why something was not taken.
#[derive(Debug)]
pub(super) enum Refusal<'a> {
    Link(&'a MagnetError),
    File(&'a TorrentError),
    FileTooLarge,
    /// Telegram does not give the file.
    FileNotFetched,
    Service(&'a AppError),
}

/// A message that is not sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Screen {
    text: Draft,
    keyboard: Keyboard,
}

/// Declares each sentence once.
macro_rules! phrases {
    ($($name:ident = $text:literal;)+) => {
        /// A sentence that needs no view.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Phrase {
            $($name,)+
            LanguageSet,
        }

        impl Phrase {
            pub(super) fn text(self, voice: &Voice) -> String {
                match self {
                    $(Phrase::$name => $text.to_owned(),)+
                    Phrase::LanguageSet => format!("The language is {} now.", voice.language.as_str()),
                }
            }
        }
    };
}

phrases! {
    Changed = "This changed meanwhile. Here is how it is now; nothing was done.";
    Gone = "It is not there any more.";
    OtherVersion = "This button is of another version. Here is how it is now.";
    BadButton = "This button cannot be read.";
    ViewerRefused = "You may look, and change nothing.";
    Stranger = "This bot works for its owner only.";
    Accepted = "Accepted.";
    Said = "Noted. It is recognised again.";
    Applied = "The links are being made.";
    Undone = "Undone.";
    Retried = "It is tried again.";
    Cancelled = "Given up.";
    NothingFound = "There is no magnet link, no hash and no .torrent file in this message. /help tells what can be sent.";
    AskSearch = "Say what to look for: /search and a title, a number such as tmdb:603, or a hash.";
    AskShow = "Say which one: /show and its id. /list shows what there is.";
    NoDownload = "There is no download with this id.";
    AskLanguage = "Say which language: /lang en or /lang ru";
}

impl Phrase {
    pub(super) fn screen(self, voice: &Voice) -> Screen {
        lines(voice, [self.text(voice)])
    }
}

impl Screen {
    fn new(voice: &Voice, text: Draft, row: Vec<Button>) -> Self {
        let allowed = |button: &Button| match &button.action {
            ButtonAction::Press(callback) => voice.may_change || !callback.verb.changes(),
            ButtonAction::Open(_) => true,
        };
        let row: Vec<Button> = row.into_iter().filter(allowed).collect();
        let rows = if row.is_empty() { Vec::new() } else { vec![row] };
        Screen { text, keyboard: Keyboard { rows } }
    }

    /// The text as it fits.
    pub(super) fn text(&self, limit: Limit) -> Formatted {
        self.text.finish(limit, None)
    }

    /// The buttons, where there are any.
    pub(super) fn keyboard(&self) -> Option<&Keyboard> {
        Some(&self.keyboard).filter(|keyboard| !keyboard.rows.is_empty())
    }
}

/// Where a download is.
pub(super) fn status(voice: &Voice, subject: &Subject<'_>) -> Screen {
    Screen::new(voice, told(subject), buttons(subject))
}

/// The answer to what was handed over.
pub(super) fn taken(
    voice: &Voice,
    subject: &Subject<'_>,
    created: bool,
    hint: Option<&str>,
) -> Screen {
    let heading = match (created, share(subject.download)) {
        (true, _) => "Accepted.".to_owned(),
        (false, Some(share)) => format!("Already here ({share} %)."),
        (false, None) => "Already here.".to_owned(),
    };
    let mut text = Draft::new().bold(&heading).line().draft(told(subject));
    if let Some(hint) = hint {
        text = text.line().text(&format!("Hint: {hint}"));
    }
    Screen::new(voice, text, buttons(subject))
}

/// Whether to give it up.
pub(super) fn cancelling(voice: &Voice, download: &DownloadView) -> Screen {
    let text = Draft::new().bold(&download.name).line().text("Give it up?");
    let row = vec![
        press(download, "Yes, give it up", Verb::CancelSurely),
        press(download, "No", Verb::Show),
    ];
    Screen::new(voice, text, row)
}

/// A work that may be meant.
pub(super) fn candidate(voice: &Voice, subject: &Subject<'_>, place: u16) -> Screen {
    let last = subject.candidates.len().saturating_sub(1);
    let at = usize::from(place).min(last);
    let Some(shown) = subject.candidates.get(at) else { return none_fits(voice, subject) };
    let year = shown.year.map(|year| format!(" ({year})")).unwrap_or_default();
    let text = Draft::new().bold(&subject.download.name).line();
    let text = text.text(&format!("{}{year}, {} of {}", shown.title, at + 1, last + 1));
    let number = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
    let mut row = vec![press(subject.download, "This is it", Verb::Accept(number(at)))];
    if at < last {
        row.push(press(subject.download, "Next", Verb::Candidate(number(at + 1))));
    }
    row.push(press(subject.download, "None of these", Verb::NoneFits));
    row.push(press(subject.download, "Back", Verb::Show));
    Screen::new(voice, text, row)
}

/// How to say what it is.
pub(super) fn none_fits(voice: &Voice, subject: &Subject<'_>) -> Screen {
    let text = Draft::new().bold(&subject.download.name).line();
    let text = text.text("Answer this message with a title and its year, or tmdb:603.");
    Screen::new(voice, text, vec![press(subject.download, "Back", Verb::Show)])
}

/// What would be linked.
pub(super) fn plan(voice: &Voice, download: &DownloadView, plan: &PlanView) -> Screen {
    let counts = [plan.links.len(), plan.skipped.len(), plan.conflicts.len()];
    let [links, skipped, conflicts] = counts;
    let mut text = Draft::new().bold(&download.name).line();
    text = text.text(&format!("{links} links, {skipped} left out, {conflicts} in the way"));
    for link in plan.links.iter().take(5) {
        text = text.line().code(&link.target.display().to_string());
    }
    let mut row = Vec::new();
    if links > 0 && conflicts == 0 && download.state == DownloadState::Downloaded {
        row.push(press(download, "Apply", Verb::Apply));
    }
    row.push(press(download, "Back", Verb::Show));
    Screen::new(voice, text, row)
}

/// What was not taken, and why.
pub(super) fn not_accepted(voice: &Voice, refusals: &[Refusal<'_>]) -> Screen {
    let told = refusals.iter().map(|refusal| match refusal {
        Refusal::Link(error) => error.to_string(),
        Refusal::File(error) => error.to_string(),
        Refusal::FileTooLarge => "The file is too large for a .torrent file.".to_owned(),
        Refusal::FileNotFetched => "The file cannot be fetched from Telegram.".to_owned(),
        Refusal::Service(error) => refused(voice, error),
    });
    lines(voice, ["Not accepted:".to_owned()].into_iter().chain(told))
}

/// Why something was not done.
pub(super) fn refused(_voice: &Voice, error: &AppError) -> String {
    error.to_string()
}

/// What can be sent.
pub(super) fn help(voice: &Voice) -> Screen {
    let told = "Send a magnet link, a hash or a .torrent file. \
                /list /show ID /search TEXT /health /events /lang en|ru";
    lines(voice, [told.to_owned()])
}

/// Downloads, by who must act.
pub(super) fn list(voice: &Voice, inbox: &InboxView) -> Screen {
    let groups = [&inbox.needs_you, &inbox.active, &inbox.done];
    let rows = groups.into_iter().flat_map(|group| group.rows.iter());
    let told: Vec<String> = rows
        .take(20)
        .map(|row| format!("{} · {} · {}", row.download.name, row.download.state, row.download.id))
        .collect();
    if told.is_empty() {
        return lines(voice, ["There are no downloads.".to_owned()]);
    }
    lines(voice, told)
}

/// What a search has found.
pub(super) fn search(voice: &Voice, text: &str, found: &SearchView) -> Screen {
    let downloads = found.downloads.iter().map(|one| format!("{} · {}", one.name, one.id));
    let works = found.works.iter().map(|one| format!("{} · {}", one.title, one.work));
    let told: Vec<String> = downloads.take(10).chain(works.take(10)).collect();
    if told.is_empty() {
        return lines(voice, [format!("Nothing was found for: {text}")]);
    }
    lines(voice, told)
}

/// What works and what does not.
pub(super) fn health(voice: &Voice, health: &HealthView) -> Screen {
    let bad = health.checks.iter().filter(|check| check.level > HealthLevel::Ok);
    let told: Vec<String> =
        bad.map(|check| format!("{} {}: {}", check.code, check.subject, check.detail)).collect();
    if told.is_empty() {
        return lines(voice, ["Everything is well.".to_owned()]);
    }
    lines(voice, told)
}

/// What happened last.
pub(super) fn events(voice: &Voice, events: &[EventView]) -> Screen {
    let told = events.iter().map(|event| format!("{} · {}", event.created_at, event.message));
    lines(voice, ["What happened last".to_owned()].into_iter().chain(told))
}

fn told(subject: &Subject<'_>) -> Draft {
    let Subject { download, recognition, .. } = subject;
    let share = share(download).map(|share| format!(", {share} %")).unwrap_or_default();
    let mut text = Draft::new().bold(&download.name).line();
    text = text.text(&format!("{}{share}", download.state));
    if let Some(title) = &recognition.fields.title {
        text = text.line().text(&format!("Taken for: {title}"));
    }
    if let Some(attention) = download.attention {
        let detail = download.attention_detail.as_deref().unwrap_or_default();
        text = text.line().text(&format!("{attention}: {detail}"));
    }
    text.line().text("Id: ").code(&download.id.to_string())
}

fn buttons(subject: &Subject<'_>) -> Vec<Button> {
    let download = subject.download;
    let mut row = Vec::new();
    if !subject.candidates.is_empty() && download.state.is_active() {
        row.push(press(download, "Review", Verb::Candidate(0)));
    }
    if matches!(download.state, DownloadState::Failed | DownloadState::Cancelled) {
        row.push(press(download, "Retry", Verb::Retry));
    }
    if subject.batches.iter().any(|batch| batch.state == "applied") {
        row.push(press(download, "Undo", Verb::Undo));
    }
    if download.state == DownloadState::Downloaded {
        row.push(press(download, "What will happen", Verb::Plan));
    }
    if download.state.is_active() {
        row.push(press(download, "Give up", Verb::Cancel));
    }
    row
}

fn share(download: &DownloadView) -> Option<u64> {
    let progress = download.progress.as_ref()?;
    let (done, total) = (progress.bytes_done?, progress.bytes_total.filter(|total| *total > 0)?);
    Some(done.saturating_mul(100) / total)
}

fn press(download: &DownloadView, text: &str, verb: Verb) -> Button {
    let callback = Callback { verb, download: download.id, revision: download.revision };
    Button { text: text.to_owned(), action: ButtonAction::Press(callback) }
}

fn lines(voice: &Voice, told: impl IntoIterator<Item = String>) -> Screen {
    let told: Vec<String> = told.into_iter().collect();
    Screen::new(voice, Draft::new().text(&told.join("\n")), Vec::new())
}
