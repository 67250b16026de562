//! Answers to commands that show several things, short: the whole is on the page.

use tracker_app::{
    CheckView, DownloadView, EventView, FoundWorkView, GroupView, HealthLevel, HealthView,
    InboxView, RowView, SearchView,
};
use tracker_domain::DownloadState;
use url::form_urlencoded;

use super::voice::{BETWEEN, DETAIL, NAME, Voice, line, score, share, titled};
use super::{Screen, plain, press, stacked};
use crate::api::Button;
use crate::callback::Verb;
use crate::text::Draft;

/// So many downloads of a group, of a search, so many works, checks and entries.
const MOST_OF_GROUP: usize = 5;
const MOST_FOUND: usize = 8;
const MOST_CHECKS: usize = 8;
const MOST_EVENTS: usize = 12;

/// So many buttons stand beside each other.
const BUTTONS_A_ROW: usize = 5;

/// The rows of a list so far, each with a number and a button of that number.
#[derive(Default)]
struct Numbered {
    lines: Vec<Draft>,
    buttons: Vec<Button>,
}

impl Numbered {
    fn download(&mut self, download: &DownloadView, text: &str) {
        let number = (self.buttons.len() + 1).to_string();
        self.lines.push(plain(&format!("{number}. {text}")));
        self.buttons.push(press(download, number, Verb::Show));
    }

    fn rows(self) -> (Draft, Vec<Vec<Button>>) {
        let rows = self.buttons.chunks(BUTTONS_A_ROW).map(<[Button]>::to_vec).collect();
        (stacked(self.lines), rows)
    }
}

/// Every download, by who must act.
#[must_use]
pub fn list(voice: &Voice<'_>, inbox: &InboxView) -> Screen {
    let InboxView { needs_you, active, done } = inbox;
    let mut numbered = Numbered::default();
    if [needs_you, active, done].iter().all(|group| group.rows.is_empty()) {
        numbered.lines.push(plain(&voice.say("bot-list-empty")));
    } else {
        group(voice, &mut numbered, "needs-you-title", "needs-you-empty", needs_you);
        group(voice, &mut numbered, "active-title", "bot-active-empty", active);
        if !done.rows.is_empty() {
            group(voice, &mut numbered, "done-title", "done-empty", done);
        }
    }
    let (text, rows) = numbered.rows();
    Screen::new(voice, "/", text, rows)
}

fn group(voice: &Voice<'_>, list: &mut Numbered, title: &str, empty: &str, group: &GroupView) {
    if !list.lines.is_empty() {
        list.lines.push(Draft::new());
    }
    list.lines.push(Draft::new().bold(&voice.say(title)));
    if group.rows.is_empty() {
        list.lines.push(plain(&voice.say(empty)));
    }
    for row in group.rows.iter().take(MOST_OF_GROUP) {
        list.download(&row.download, &row_of(voice, row));
    }
    let shown = group.rows.len().min(MOST_OF_GROUP).try_into().unwrap_or(u64::MAX);
    if let Some(hidden) = group.total.and_then(|total| total.checked_sub(shown))
        && hidden > 0
    {
        list.lines.push(plain(&voice.count("bot-and-more", hidden)));
    }
}

/// A download in one line: what it is taken for, else its name, and where it is.
fn row_of(voice: &Voice<'_>, row: &RowView) -> String {
    let name = match &row.title {
        Some(title) => titled(title, row.year),
        None => line(&row.download.name, NAME),
    };
    let sure = row.score.filter(|_| row.download.attention.is_some());
    let score = sure.map(|sure| format!("{} %", score(sure)));
    let parts = [name, standing(voice, &row.download)];
    parts.into_iter().chain(score).collect::<Vec<_>>().join(BETWEEN)
}

/// Where it is: what is wrong with it, else its state, with its share.
fn standing(voice: &Voice<'_>, download: &DownloadView) -> String {
    if let Some(attention) = download.attention {
        return format!("⚠ {}", voice.word("attention", attention.as_str()));
    }
    let word = voice.word("state", download.word());
    match share(download.progress.as_ref()) {
        Some(share) if download.state == DownloadState::Downloading => format!("{word} {share} %"),
        _ => word,
    }
}

/// What was found for a text.
#[must_use]
pub fn search(voice: &Voice<'_>, text: &str, found: &SearchView) -> Screen {
    let mut numbered = Numbered::default();
    if let Some(entity) = &found.entity {
        let word = voice.word("entity", entity.kind.as_str());
        numbered.lines.push(plain(&word).text(" ").code(&entity.id.to_string()));
    }
    for download in found.downloads.iter().take(MOST_FOUND) {
        let name = line(&download.name, NAME);
        numbered.download(download, &format!("{name}{BETWEEN}{}", standing(voice, download)));
    }
    let hidden = found.downloads.len().saturating_sub(MOST_FOUND);
    if hidden > 0 {
        numbered.lines.push(plain(&voice.many("bot-and-more", hidden)));
    }
    for download in found.removed.iter().take(MOST_FOUND) {
        let name = line(&download.name, NAME);
        numbered.download(download, &format!("{name}{BETWEEN}{}", voice.say("is-removed")));
    }
    numbered.lines.extend(found.works.iter().take(MOST_FOUND).map(|work| of_work(voice, work)));
    for cause in &found.causes {
        let (source, why) = (line(&cause.source, NAME), voice.word("cause", &cause.cause));
        let told = voice.with_two("bot-cause", ("source", &source), ("cause", &why));
        numbered.lines.push(plain(&told));
    }
    if found.is_empty() {
        let none = voice.with("bot-search-none", "text", &line(text, DETAIL));
        numbered.lines.insert(0, plain(&none));
    }
    let query = form_urlencoded::byte_serialize(line(text, DETAIL).as_bytes()).collect::<String>();
    let (text, rows) = numbered.rows();
    Screen::new(voice, &format!("/search?q={query}"), text, rows)
}

fn of_work(voice: &Voice<'_>, work: &FoundWorkView) -> Draft {
    let kind = voice.kind(work.kind);
    let mut text =
        Draft::new().bold(&titled(&work.title, work.year)).text(BETWEEN).text(&kind).text(BETWEEN);
    text = text.code(&line(&work.work, NAME));
    if work.in_library {
        text = text.text(BETWEEN).text(&voice.say("in-library"));
    }
    text
}

/// What does not work, the worst first, with what to do.
#[must_use]
pub fn health(voice: &Voice<'_>, health: &HealthView) -> Screen {
    let mut bad: Vec<&CheckView> =
        health.checks.iter().filter(|check| check.level > HealthLevel::Ok).collect();
    bad.sort_by_key(|check| std::cmp::Reverse(check.level));
    let mut lines = vec![Draft::new().bold(&voice.say("health-title"))];
    if bad.is_empty() {
        lines.push(plain("✓ ").text(&voice.say("bot-health-well")));
    }
    for check in bad.iter().take(MOST_CHECKS) {
        lines.extend(of_check(voice, check));
    }
    let hidden = bad.len().saturating_sub(MOST_CHECKS);
    if hidden > 0 {
        lines.push(plain(&voice.many("bot-and-more", hidden)));
    }
    Screen::new(voice, "/health", stacked(lines), Vec::new())
}

fn of_check(voice: &Voice<'_>, check: &CheckView) -> Vec<Draft> {
    let sign = match check.level {
        HealthLevel::Ok => "✓",
        HealthLevel::Notice => "•",
        HealthLevel::Warning => "⚠",
        HealthLevel::Error => "✗",
    };
    let mut head = format!("{sign} {}", voice.word("check", &check.code));
    if !check.subject.is_empty() {
        head = format!("{head}{BETWEEN}{}", line(&check.subject, NAME));
    }
    let mut lines = vec![Draft::new(), Draft::new().bold(&head)];
    lines.push(plain(&voice.detail(&check.detail)));
    if !check.remedy.is_empty() {
        lines.push(plain(&format!("{} {}", voice.say("remedy"), voice.remedy(check))));
    }
    lines
}

/// The newest entries of the journal.
#[must_use]
pub fn events(voice: &Voice<'_>, events: &[EventView]) -> Screen {
    let mut lines = vec![Draft::new().bold(&voice.say("bot-events-title"))];
    if events.is_empty() {
        lines.push(plain(&voice.say("events-none")));
    }
    for event in events.iter().take(MOST_EVENTS) {
        // Of what has no name the words of the journal say more.
        let about = event.entity_name.as_ref().unwrap_or(&event.message);
        let word = voice.word("event", event.word());
        let parts = [voice.brief(event.created_at), word, line(about, NAME)];
        lines.push(plain(&parts.join(BETWEEN)));
    }
    Screen::new(voice, "/events", stacked(lines), Vec::new())
}
