//! The message of a download: where it is, what it is taken for, what is wrong with it
//! and what can be done.

use tracker_app::DownloadView;
use tracker_domain::DownloadState;

use super::subject::{Subject, named};
use super::voice::{BETWEEN, DETAIL, NAME, Voice, label, line, share};
use super::{Screen, plain, press, stacked};
use crate::api::Button;
use crate::callback::Verb;
use crate::text::{Draft, Style};

/// How many signs the bar of a transfer has.
const BAR: u64 = 10;

/// How many sources that have not answered are named.
const MOST_CAUSES: usize = 3;

/// Where a download is.
#[must_use]
pub fn status(voice: &Voice<'_>, subject: &Subject<'_>) -> Screen {
    Screen::of(voice, subject.download.id, told(voice, subject), buttons(voice, subject))
}

/// The answer to what a person has handed over, with the rest of what they wrote, where
/// it was taken for a hint.
#[must_use]
pub fn taken(
    voice: &Voice<'_>,
    subject: &Subject<'_>,
    created: bool,
    hint: Option<&str>,
) -> Screen {
    let mut lines = vec![Draft::new().bold(&heading(voice, subject.download, created))];
    lines.push(told(voice, subject));
    let hint = hint.map(|hint| voice.with("bot-hint-taken", "text", &line(hint, DETAIL)));
    lines.extend(hint.map(|hint| plain(&hint)));
    Screen::of(voice, subject.download.id, stacked(lines), buttons(voice, subject))
}

fn heading(voice: &Voice<'_>, download: &DownloadView, created: bool) -> String {
    if created {
        return voice.say("bot-accepted");
    }
    if download.state.is_active() {
        return match share(download.progress.as_ref()) {
            Some(share) => voice.with("bot-here-at", "share", &share.to_string()),
            None => voice.say("bot-here"),
        };
    }
    if download.state == DownloadState::Done && !download.is_unlinked() {
        return voice.say("bot-in-library");
    }
    voice.with("bot-here-ended", "state", &voice.word("state", download.word()))
}

fn told(voice: &Voice<'_>, subject: &Subject<'_>) -> Draft {
    let download = subject.download;
    let mut lines = vec![Draft::new().bold(&line(&download.name, NAME))];
    lines.extend(subject.matched(voice).map(|matched| plain(&matched)));
    for cause in subject.recognition.waiting.iter().take(MOST_CAUSES) {
        let (source, why) = (line(&cause.source, NAME), voice.word("cause", &cause.cause));
        let told = voice.with_two("bot-cause", ("source", &source), ("cause", &why));
        lines.push(plain(&told));
    }
    let mut sentence = voice.word("sentence", download.word());
    if download.paused {
        sentence = format!("{sentence} {}", voice.say("it-is-paused"));
    }
    lines.push(plain(&format!("{} {sentence}", sign(download))));
    let unlinked = download.unlinked(subject.batches).map(|unlinked| match unlinked.taken_back {
        0 => voice.say("links-never"),
        links => voice.many("links-taken-back", links),
    });
    lines.extend(unlinked.map(|unlinked| plain(&unlinked)));
    let links = subject.standing().map(|batch| voice.many("links-made", batch.links.len()));
    lines.extend(links.map(|links| plain(&links)));
    lines.extend(transfer(voice, download).map(|transfer| plain(&transfer)));
    lines.extend(trouble(voice, download));
    // Whole, since `/show` and the command line want it so; a touch copies it.
    lines.push(plain(&voice.say("bot-id")).text(" ").code(&download.id.to_string()));
    stacked(lines)
}

/// The sign that stands before the state, as on the pages.
const fn sign(download: &DownloadView) -> char {
    if download.is_unlinked() {
        return '–';
    }
    match download.state {
        DownloadState::Queued => '○',
        DownloadState::Downloading => '↓',
        DownloadState::Downloaded => '◆',
        DownloadState::Linking => '∞',
        DownloadState::Done => '✓',
        DownloadState::Failed => '✗',
        DownloadState::Cancelled | DownloadState::Merged => '–',
    }
}

/// Bar, share, speed and the time that is left, while bytes are wanted.
fn transfer(voice: &Voice<'_>, download: &DownloadView) -> Option<String> {
    if !matches!(download.state, DownloadState::Queued | DownloadState::Downloading) {
        return None;
    }
    let progress = download.progress.as_ref()?;
    let mut parts = Vec::new();
    parts.extend(share(Some(progress)).map(|share| format!("{} {share} %", bar(share))));
    let speed = progress.download_bps.filter(|speed| *speed > 0);
    parts.extend(speed.map(|speed| voice.speed(speed)));
    let left = progress.eta_seconds.map(|seconds| voice.span(seconds));
    parts.extend(left.map(|span| voice.with("time-left", "span", &span)));
    (!parts.is_empty()).then(|| parts.join(BETWEEN))
}

fn bar(share: u64) -> String {
    let full = share.min(100) * BAR / 100;
    (0..BAR).map(|at| if at < full { '█' } else { '░' }).collect()
}

/// Why a person should look, and what they can do about it.
pub(super) fn trouble(voice: &Voice<'_>, download: &DownloadView) -> Vec<Draft> {
    let mut lines = Vec::new();
    if let Some(attention) = download.attention {
        let word = voice.word("attention", attention.as_str());
        lines.push(plain("⚠ ").bold(&word));
    }
    let error = download.error.as_ref().map(|error| &error.detail);
    if let Some(detail) = download.attention_detail.as_ref().or(error) {
        lines.push(plain(&voice.detail(detail)));
    }
    if let Some(attention) = download.attention {
        let what = plain(&voice.word("bot-do", attention.as_str()));
        let remedy = Draft::new().styled(Style::Italic, plain(&voice.say("remedy")));
        lines.push(remedy.text(" ").draft(what));
    }
    lines
}

fn buttons(voice: &Voice<'_>, subject: &Subject<'_>) -> Vec<Vec<Button>> {
    let download = subject.download;
    let press = |text: String, verb| press(download, text, verb);
    let mut match_row = Vec::new();
    let mut best_row = Vec::new();
    if subject.needs_review() {
        match_row.push(press(voice.say("bot-button-review"), Verb::Candidate(0)));
        let best = subject.candidates.first().filter(|best| best.excluded.is_none());
        if let Some(best) = best.filter(|_| subject.is_proposed()) {
            let text = voice.with("bot-button-accept", "what", &named(voice, best));
            best_row.push(press(label(&text), Verb::Accept(0)));
        }
    } else if subject.download.may_be_said() && !subject.recognition.files.is_empty() {
        match_row.push(press(voice.say("bot-button-match"), Verb::Candidate(0)));
    }
    if download.state == DownloadState::Downloaded {
        match_row.push(press(voice.say("bot-button-plan"), Verb::Plan));
    }
    let mut act_row = Vec::new();
    if download.may_be_retried() {
        act_row.push(press(voice.say("bot-button-retry"), Verb::Retry));
    }
    if subject.standing().is_some() {
        act_row.push(press(voice.say("bot-button-undo"), Verb::Undo));
    }
    if download.state.is_active() {
        act_row.push(press(voice.say("bot-button-cancel"), Verb::Cancel));
    }
    // Progress is shown when the message changes for another reason, or on demand.
    let look = download.state.is_active().then(|| press(voice.say("bot-button-look"), Verb::Show));
    vec![best_row, match_row, act_row, look.into_iter().collect()]
}
