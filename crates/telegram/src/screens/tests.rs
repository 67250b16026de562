//! Screens as people read them, in both languages.

mod any;
mod lists;
mod notices;
mod plans;
mod refusals;
mod review;
mod samples;
mod status;
mod words;

use tracker_i18n::{Catalogue, Language, Zone};

use super::{Pages, Screen, Voice};
use crate::api::ButtonAction;
use crate::callback::Verb;
use crate::text::Limit;
use samples::at;

/// What a voice needs to live.
struct Mouth {
    texts: Catalogue,
    zone: Zone,
    pages: Option<Pages>,
}

impl Mouth {
    fn new() -> Self {
        let pages = Pages::new(&"https://tracker.example/t/".parse().unwrap());
        Mouth { texts: Catalogue::new().unwrap(), zone: Zone::default(), pages }
    }

    /// Without an address of the pages.
    fn alone() -> Self {
        Mouth { pages: None, ..Mouth::new() }
    }

    fn voice(&self, language: Language) -> Voice<'_> {
        Voice {
            texts: &self.texts,
            language,
            zone: &self.zone,
            pages: self.pages.as_ref(),
            may_change: true,
            now: at("2026-03-04T12:00:00Z"),
        }
    }

    fn english(&self) -> Voice<'_> {
        self.voice(Language::En)
    }

    fn russian(&self) -> Voice<'_> {
        self.voice(Language::Ru)
    }
}

/// What a reader sees of the text.
fn read(screen: &Screen) -> String {
    screen.text(Limit::Message).plain().to_owned()
}

/// What the buttons say, row by row.
fn labels(screen: &Screen) -> Vec<Vec<String>> {
    let rows = screen.keyboard().map(|keyboard| keyboard.rows.clone()).unwrap_or_default();
    rows.into_iter().map(|row| row.into_iter().map(|button| button.text).collect()).collect()
}

/// What the buttons ask for.
fn verbs(screen: &Screen) -> Vec<Verb> {
    let rows = screen.keyboard().map(|keyboard| keyboard.rows.clone()).unwrap_or_default();
    let actions = rows.into_iter().flatten().map(|button| button.action);
    actions
        .filter_map(|action| match action {
            ButtonAction::Press(callback) => Some(callback.verb),
            ButtonAction::Open(_) => None,
        })
        .collect()
}

/// Where the buttons lead.
fn addresses(screen: &Screen) -> Vec<String> {
    let rows = screen.keyboard().map(|keyboard| keyboard.rows.clone()).unwrap_or_default();
    let actions = rows.into_iter().flatten().map(|button| button.action);
    actions
        .filter_map(|action| match action {
            ButtonAction::Open(url) => Some(url),
            ButtonAction::Press(_) => None,
        })
        .collect()
}
