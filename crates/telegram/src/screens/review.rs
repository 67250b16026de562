//! What a download is: one candidate at a time, and the ways to say that it is another.

use tracker_app::CandidateView;
use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{ScorePart, TitleKind};

use super::subject::{Subject, fit};
use super::voice::{BETWEEN, NAME, Voice, label, line, score, titled};
use super::{Screen, plain, press, stacked};
use crate::api::Button;
use crate::callback::Verb;
use crate::text::{Draft, Style};

/// So many other candidates have a button each.
const MOST_OTHERS: usize = 6;

/// So many things that are not sure are told.
const MOST_DOUBTS: usize = 3;

/// So much room has each part of the score; a card is read at one glance.
const PART: usize = 90;

/// How many seasons are offered, and how many of them come before the one it is now.
const SEASONS: u32 = 5;
const SEASONS_BEFORE: u32 = 2;

const KINDS: [TitleKind; 4] =
    [TitleKind::Movie, TitleKind::Series, TitleKind::Anime, TitleKind::Other];

/// The candidate of this place, or the last one, with its poster; what to do where there
/// is none. It fits the caption of a picture.
#[must_use]
pub fn candidate(voice: &Voice<'_>, subject: &Subject<'_>, place: u16) -> Screen {
    let last = subject.candidates.len().saturating_sub(1);
    let at = usize::from(place).min(last);
    let Some(shown) = subject.candidates.get(at) else { return without(voice, subject) };
    let text = card(voice, subject, shown, at);
    let mut rows = vec![around(voice, subject, at)];
    if subject.download.may_be_said() {
        let this = Verb::Accept(number(at));
        rows.insert(0, vec![press(subject.download, voice.say("bot-button-this"), this)]);
    }
    let others = subject.candidates.iter().enumerate().filter(|(other, _)| *other != at);
    for (other, candidate) in others.take(MOST_OTHERS) {
        let text = label(&fit(voice, candidate));
        rows.push(vec![press(subject.download, text, Verb::Candidate(number(other)))]);
    }
    rows.extend(narrowing(voice, subject));
    rows.push(leaving(voice, subject, true));
    Screen::of(voice, subject.download.id, text, rows).with_photo(shown.id)
}

/// None of the candidates: what else a person may say.
#[must_use]
pub fn none_fits(voice: &Voice<'_>, subject: &Subject<'_>) -> Screen {
    let mut lines = vec![Draft::new().bold(&line(&subject.download.name, NAME))];
    if subject.download.may_be_said() {
        lines.push(plain(&voice.say("bot-say-what")));
        lines.push(plain(&voice.say("bot-or-narrow")));
    } else {
        lines.push(plain(&voice.say("bot-no-change")));
    }
    let mut rows = narrowing(voice, subject);
    if !subject.candidates.is_empty() {
        let text = voice.say("bot-button-candidates");
        rows.push(vec![press(subject.download, text, Verb::Candidate(0))]);
    }
    rows.push(leaving(voice, subject, false));
    Screen::of(voice, subject.download.id, stacked(lines), rows)
}

/// Nothing is known that it may be.
fn without(voice: &Voice<'_>, subject: &Subject<'_>) -> Screen {
    let mut lines = vec![Draft::new().bold(&line(&subject.download.name, NAME))];
    lines.extend(subject.matched(voice).map(|matched| plain(&matched)));
    let why = subject.recognition.without_works(subject.download, subject.has_sources);
    lines.push(plain(&voice.word("no-works", why.as_str())));
    lines.extend(doubts(voice, subject));
    let mut rows = Vec::new();
    if subject.download.may_be_said() {
        lines.push(plain(&voice.say("bot-say-what")));
        if subject.recognition.fields.title.is_some() {
            // Where there is no candidate, the first place means what the names say.
            let text = voice.say("bot-button-names");
            rows.push(vec![press(subject.download, text, Verb::Accept(0))]);
        }
    } else {
        lines.push(plain(&voice.say("bot-no-change")));
    }
    rows.extend(narrowing(voice, subject));
    rows.push(leaving(voice, subject, true));
    Screen::of(voice, subject.download.id, stacked(lines), rows)
}

fn card(voice: &Voice<'_>, subject: &Subject<'_>, shown: &CandidateView, at: usize) -> Draft {
    let mut lines = vec![plain(&line(&subject.download.name, NAME))];
    lines.push(Draft::new().bold(&titled(&shown.title, shown.year)));
    let original = shown.original_title.as_ref().filter(|original| **original != shown.title);
    let original = original.map(|original| plain(&line(original, NAME)));
    lines.extend(original.map(|original| Draft::new().styled(Style::Italic, original)));
    let mut parts = Vec::new();
    parts.extend(shown.kind.map(|kind| voice.kind(kind)));
    parts.push(format!("{} %", score(shown.score)));
    parts.extend(shown.work.as_ref().map(|work| line(work, NAME)));
    let (n, all) = ((at + 1).to_string(), subject.candidates.len().to_string());
    parts.push(voice.with_two("bot-place", ("n", &n), ("all", &all)));
    lines.push(plain(&parts.join(BETWEEN)));
    let excluded = shown.excluded.as_ref().map(|why| format!("✗ {}", voice.remark(why)));
    lines.extend(excluded.map(|excluded| plain(&excluded)));
    for part in &shown.parts {
        lines.push(plain(&weighed(voice, part)));
    }
    if subject.is_proposed() {
        lines.extend(doubts(voice, subject));
    }
    // Last, since it is what is cut where there is too much.
    let overview = shown.overview.as_ref().map(|overview| plain(overview.trim()));
    lines.extend(overview.map(|overview| Draft::new().styled(Style::Italic, overview)));
    stacked(lines)
}

/// A part of the score, and whether it speaks for the candidate.
fn weighed(voice: &Voice<'_>, part: &ScorePart) -> String {
    let sign = if part.points > 0.0 {
        '✓'
    } else if part.points < 0.0 {
        '✗'
    } else {
        '–'
    };
    let name = voice.word("score", &part.name);
    line(&format!("{sign} {name}: {}", voice.remark(&part.detail)), PART)
}

fn doubts(voice: &Voice<'_>, subject: &Subject<'_>) -> Vec<Draft> {
    let doubts = &subject.recognition.doubts;
    if doubts.is_empty() {
        return Vec::new();
    }
    let told = doubts.iter().take(MOST_DOUBTS);
    let told = told.map(|doubt| plain(&line(&format!("– {}", voice.remark(doubt)), PART)));
    [plain(&voice.say("bot-doubts"))].into_iter().chain(told).collect()
}

/// The candidates beside this one.
fn around(voice: &Voice<'_>, subject: &Subject<'_>, at: usize) -> Vec<Button> {
    let to = |text: &str, place| {
        press(subject.download, voice.say(text), Verb::Candidate(number(place)))
    };
    let before = at.checked_sub(1).map(|before| to("bot-button-previous", before));
    let after = (at + 1 < subject.candidates.len()).then(|| to("bot-button-next", at + 1));
    before.into_iter().chain(after).collect()
}

/// Kind and season, with a mark at what holds now.
fn narrowing(voice: &Voice<'_>, subject: &Subject<'_>) -> Vec<Vec<Button>> {
    if !subject.download.may_be_said() {
        return Vec::new();
    }
    let fields = &subject.recognition.fields;
    let marked = |text: String, holds: bool| if holds { format!("✓ {text}") } else { text };
    let button = |text, verb| press(subject.download, text, verb);
    let kinds = KINDS.map(|kind| {
        let text = voice.word("work", kind.as_str());
        button(marked(text, fields.kind == Some(kind)), Verb::Kind(kind))
    });
    let guess = subject.best().and_then(|candidate| candidate.kind);
    let has_seasons = match fields.kind {
        Some(kind) => matches!(kind, TitleKind::Series | TitleKind::Anime),
        None => guess == Some(WorkKind::Series),
    };
    let mut rows = vec![kinds.into()];
    if has_seasons {
        let now = fields.seasons.first().copied();
        let first = now.unwrap_or(1).saturating_sub(SEASONS_BEFORE).max(1);
        let offered = (first..first.saturating_add(SEASONS)).filter_map(|n| u16::try_from(n).ok());
        let special =
            button(marked(voice.say("bot-button-specials"), now == Some(0)), Verb::Season(0));
        let seasons = offered.map(|n| {
            let text = voice.with("bot-button-season", "n", &n.to_string());
            button(marked(text, now == Some(n.into())), Verb::Season(n))
        });
        rows.push(seasons.collect());
        rows.push(vec![special]);
    }
    rows
}

/// What leads away from the choice.
fn leaving(voice: &Voice<'_>, subject: &Subject<'_>, may_be_none: bool) -> Vec<Button> {
    let button = |text: &str, verb| press(subject.download, voice.say(text), verb);
    let mut row = Vec::new();
    if may_be_none && subject.download.may_be_said() {
        row.push(button("bot-button-none", Verb::NoneFits));
    }
    if subject.download.may_be_said() && !subject.recognition.files.is_empty() {
        row.push(button("bot-button-plan", Verb::Plan));
    }
    row.push(button("bot-button-back", Verb::Show));
    row
}

/// A place as a button carries it. No download has that many candidates.
fn number(place: usize) -> u16 {
    u16::try_from(place).unwrap_or(u16::MAX)
}
