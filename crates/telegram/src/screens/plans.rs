//! What would be linked, what was undone, and whether to give up.

use std::path::{Path, PathBuf};

use tracker_app::{BatchView, DownloadView, PlanView};
use tracker_domain::DownloadState;

use super::voice::{NAME, Voice, line};
use super::{Screen, plain, press, stacked};
use crate::callback::{PlanMark, Verb};
use crate::text::Draft;

/// So many links are shown, and so many files of each other sort.
const MOST_LINKS: usize = 10;
const MOST_OTHERS: usize = 5;

/// How much room a path has.
const PATH: usize = 200;

/// The word of a link that is gone.
const UNDONE: &str = "undone";

/// What would be linked as things stand. It can be carried out where the download is
/// whole and nothing is in the way.
#[must_use]
pub fn plan(voice: &Voice<'_>, download: &DownloadView, plan: &PlanView) -> Screen {
    let mut lines = vec![
        Draft::new().bold(&voice.say("bot-plan-title")),
        plain(&line(&download.name, NAME)),
        plain(&counts(voice, plan)),
    ];
    lines.extend(links(voice, plan));
    let skipped = plan
        .skipped
        .iter()
        .map(|skipped| (name(&skipped.source), voice.word("skip", skipped.reason)));
    lines.extend(listed(voice, "bot-plan-skipped", skipped.collect()));
    let conflicts = plan
        .conflicts
        .iter()
        .map(|conflict| (name(&conflict.target), voice.word("conflict", conflict.kind)));
    lines.extend(listed(voice, "bot-plan-in-the-way", conflicts.collect()));
    let is_whole = matches!(download.state, DownloadState::Downloaded | DownloadState::Done);
    let button = |text, verb| press(download, text, verb);
    let mut rows = Vec::new();
    if plan.links.is_empty() {
        lines.push(plain(&voice.say("bot-plan-empty")));
    } else if !plan.conflicts.is_empty() {
        lines.push(plain(&voice.say("bot-plan-settle")));
    } else if is_whole {
        let text = voice.many("bot-button-apply", plan.links.len());
        rows.push(vec![button(text, Verb::Apply(PlanMark::of(&plan.id)))]);
    } else if download.state.is_active() {
        lines.push(plain(&voice.say("bot-plan-later")));
    }
    rows.push(vec![
        button(voice.say("bot-button-match"), Verb::Candidate(0)),
        button(voice.say("bot-button-back"), Verb::Show),
    ]);
    Screen::of(voice, download.id, stacked(lines), rows)
}

/// What Undo removed, and what it left.
#[must_use]
pub fn undone(voice: &Voice<'_>, download: &DownloadView, batch: &BatchView) -> Screen {
    let gone = batch.links.iter().filter(|link| link.state == UNDONE).count();
    let mut lines = vec![
        Draft::new().bold(&voice.say("undone-title")),
        plain(&line(&download.name, NAME)),
        plain(&voice.many("bot-undone-links", gone)),
    ];
    let left = batch.left.iter().map(|left| {
        (line(&left.target.display().to_string(), PATH), voice.word("left", left.reason))
    });
    lines.extend(listed(voice, "undone-left", left.collect()));
    let button = |text: &str, verb| press(download, voice.say(text), verb);
    let rows =
        vec![vec![button("bot-button-plan", Verb::Plan), button("bot-button-back", Verb::Show)]];
    Screen::of(voice, download.id, stacked(lines), rows)
}

/// Whether a download is to be given up. Nothing is removed by that.
#[must_use]
pub fn cancelling(voice: &Voice<'_>, download: &DownloadView) -> Screen {
    let lines =
        [Draft::new().bold(&line(&download.name, NAME)), plain(&voice.say("bot-cancel-sure"))];
    let button = |text: &str, verb| press(download, voice.say(text), verb);
    let rows = vec![vec![
        button("bot-button-cancel-surely", Verb::CancelSurely),
        button("bot-button-no", Verb::Show),
    ]];
    Screen::of(voice, download.id, stacked(lines), rows)
}

fn counts(voice: &Voice<'_>, plan: &PlanView) -> String {
    let counts = [
        voice.many("plan-links", plan.links.len()),
        voice.many("plan-skipped", plan.skipped.len()),
        voice.many("plan-conflicts", plan.conflicts.len()),
    ];
    counts.join(", ")
}

/// The folder that all links go into, once, and the names below it.
fn links(voice: &Voice<'_>, plan: &PlanView) -> Vec<Draft> {
    let targets: Vec<&Path> = plan.links.iter().map(|link| link.target.as_path()).collect();
    let Some(folder) = shared_folder(&targets) else { return Vec::new() };
    let into = plain(&voice.say("bot-plan-into"));
    let mut lines = vec![into.text(" ").code(&line(&folder.display().to_string(), PATH))];
    for target in targets.iter().take(MOST_LINKS) {
        let below = target.strip_prefix(&folder).unwrap_or(target);
        lines.push(plain(&format!("→ {}", line(&below.display().to_string(), PATH))));
    }
    lines.extend(more(voice, targets.len(), MOST_LINKS));
    lines
}

/// The deepest folder that all of them are in.
fn shared_folder(targets: &[&Path]) -> Option<PathBuf> {
    let mut folder = targets.first()?.parent()?;
    while !targets.iter().all(|target| target.starts_with(folder)) {
        folder = folder.parent()?;
    }
    Some(folder.to_owned())
}

/// Names with a reason each, below a heading.
fn listed(voice: &Voice<'_>, heading: &str, rows: Vec<(String, String)>) -> Vec<Draft> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![plain(&voice.say(heading))];
    let told = rows.iter().take(MOST_OTHERS);
    lines.extend(told.map(|(name, reason)| plain(&format!("– {name}: {reason}"))));
    lines.extend(more(voice, rows.len(), MOST_OTHERS));
    lines
}

fn more(voice: &Voice<'_>, all: usize, shown: usize) -> Option<Draft> {
    let hidden = all.checked_sub(shown).filter(|hidden| *hidden > 0)?;
    Some(plain(&voice.many("bot-and-more", hidden)))
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    line(&name.to_string_lossy(), NAME)
}
