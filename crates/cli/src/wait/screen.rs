//! What is shown meanwhile: bars on a screen, a line a change elsewhere, an object a
//! change for programs.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::json;
use tracker_domain::DownloadState;

use super::Followed;
use super::rest::{Rest, advice};
use crate::render::{self, count, duration, size};
use crate::terminal::{Stop, Terminal, clean};

/// The columns of a name in front of its bar.
const NAME: usize = 20;

/// The same where there is little room.
const NARROW_NAME: usize = 14;

/// The way it is shown.
pub(crate) enum Screen {
    /// A bar each, and a sum below.
    Bars { all: MultiProgress, each: Vec<ProgressBar>, sum: Option<ProgressBar> },
    /// A line for each change that is one.
    Lines { told: Vec<String> },
    /// The download in the shape of REST for each change.
    Objects { told: Vec<String> },
}

impl Screen {
    pub(crate) fn new(count: usize, as_json: bool, on_screen: bool) -> Self {
        let told = vec![String::new(); count];
        if as_json {
            return Screen::Objects { told };
        }
        if !on_screen {
            return Screen::Lines { told };
        }
        let all = MultiProgress::new();
        let each = (0..count).map(|_| all.add(bar())).collect();
        let sum = (count > 1).then(|| all.add(bar()));
        Screen::Bars { all, each, sum }
    }

    /// Shows how things are.
    pub(crate) fn show(
        &mut self,
        followed: &[Followed],
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Stop> {
        match self {
            Screen::Bars { each, sum, .. } => {
                for (bar, one) in each.iter().zip(followed) {
                    draw(bar, name(one), one.bytes, words(one, true));
                }
                if let Some(bar) = sum {
                    let bytes = followed.iter().map(|one| one.bytes);
                    let total = bytes.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
                    let resting = followed.iter().filter(|one| one.rest.is_some()).count();
                    let told = format!("{resting} of {} at rest", followed.len());
                    draw(bar, column("all"), total, told);
                }
            }
            Screen::Lines { told } => {
                for (before, one) in told.iter_mut().zip(followed) {
                    let now = words(one, false);
                    if *before != now {
                        writeln!(terminal.err, "{}  {now}", one.shown.id)?;
                        *before = now;
                    }
                }
            }
            Screen::Objects { told } => {
                for (before, one) in told.iter_mut().zip(followed) {
                    let now = json!({ "download": one.shown });
                    let text = now.to_string();
                    if *before != text {
                        render::json(terminal, &now)?;
                        terminal.out.flush()?;
                        *before = text;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the bars off the screen; what comes next is written where they were.
    pub(crate) fn end(self) {
        if let Screen::Bars { all, .. } = self {
            // A screen that is gone shows nothing anyway.
            let _ = all.clear();
        }
    }
}

fn bar() -> ProgressBar {
    // Bytes, speed, peers and time left need some fifty columns.
    let template = if is_narrow() {
        "{prefix} {bar:6.green} {percent:>3} % {wide_msg}"
    } else {
        "{prefix} {bar:14.green} {percent:>3} % {wide_msg}"
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ ");
    ProgressBar::new(1).with_style(style)
}

fn draw(bar: &ProgressBar, name: String, (done, total): (u64, u64), words: String) {
    bar.set_prefix(name);
    // Of what is not known nothing is there.
    bar.set_length(total.max(1));
    bar.set_position(done.min(total));
    bar.set_message(words);
}

fn name(one: &Followed) -> String {
    column(&clean(&one.shown.name))
}

/// Whether the screen that bars are drawn on has less than a hundred columns.
fn is_narrow() -> bool {
    console::Term::stderr().size_checked().is_some_and(|(_, columns)| columns < 100)
}

/// A text in the column in front of the bars.
fn column(text: &str) -> String {
    let width = if is_narrow() { NARROW_NAME } else { NAME };
    let cut = console::truncate_str(text, width, "…");
    console::pad_str(&cut, width, console::Alignment::Left, None).into_owned()
}

/// How it stands in a few words; with what changes all the time only where it is
/// drawn over.
pub(crate) fn words(one: &Followed, moving: bool) -> String {
    let mut parts = Vec::new();
    let arrives = one.shown.state == DownloadState::Downloading.as_str();
    let progress = one.shown.progress.filter(|_| moving && arrives && one.rest.is_none());
    let bytes = progress.and_then(|progress| progress.bytes_done.zip(progress.bytes_total));
    // The bytes say that it is downloading, and a screen is narrow.
    parts.push(match bytes {
        Some((done, total)) => format!("{} of {}", size(done), size(total)),
        None => state(&one.shown.state),
    });
    if let Some(progress) = progress {
        parts.extend(progress.download_bps.map(|speed| format!("{}/s", size(speed))));
        parts.extend(progress.peers.map(|peers| count(peers, "peer")));
        parts.extend(progress.eta_seconds.map(|seconds| format!("{} left", duration(seconds))));
    }
    parts.extend(one.title.as_ref().map(|title| format!("it is {}", clean(title))));
    parts.extend(said(one));
    parts.extend(one.note.as_deref().map(clean));
    parts.join(", ")
}

/// What it needs a person for, with what to type.
fn said(one: &Followed) -> Option<String> {
    let code = one.shown.attention.as_ref()?.parse().ok()?;
    if matches!(one.rest, Some(Rest::Done | Rest::Ended)) {
        return None;
    }
    Some(format!("{code}: {}", advice(code, &one.shown.id)))
}

fn state(word: &str) -> String {
    let told = match word.parse() {
        Ok(DownloadState::Queued) => "waits for its client",
        Ok(DownloadState::Downloaded) => "complete",
        Ok(_) | Err(_) => word,
    };
    clean(told)
}
