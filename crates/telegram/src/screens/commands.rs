//! The commands that people are offered.

use super::voice::Voice;
use super::{Screen, plain, stacked};
use crate::text::Draft;

/// Each command with the key of what it does.
const COMMANDS: [(&str, &str); 7] = [
    ("/list", "bot-command-list"),
    ("/show", "bot-command-show"),
    ("/search", "bot-command-search"),
    ("/health", "bot-command-health"),
    ("/events", "bot-command-events"),
    ("/lang", "bot-command-lang"),
    ("/help", "bot-command-help"),
];

/// Every command without its slash, and what it does.
#[must_use]
pub fn commands(voice: &Voice<'_>) -> Vec<(&'static str, String)> {
    let named = COMMANDS.iter().map(|(name, about)| (name.trim_start_matches('/'), *about));
    named.map(|(name, about)| (name, voice.say(about))).collect()
}

/// What can be sent, and which commands there are.
#[must_use]
pub fn help(voice: &Voice<'_>) -> Screen {
    let first = if voice.may_change { "bot-help" } else { "bot-help-viewer" };
    let mut lines = vec![plain(&voice.say(first)), Draft::new()];
    let told = COMMANDS.iter().map(|(name, about)| format!("{name} — {}", voice.say(about)));
    lines.extend(told.map(|told| plain(&told)));
    Screen::new(voice, "/", stacked(lines), Vec::new())
}
