//! What every page has around its content, and how it says things.

use std::borrow::Cow;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use axum::response::Html;
use percent_encoding::percent_decode_str;
use tracker_app::{CauseView, HealthLevel};
use tracker_domain::access::{Preferences, Theme};
use tracker_domain::observed::Progress;
use tracker_domain::{Remark, Timestamp};
use tracker_i18n::{Argument, Catalogue, Language, Zone, accepted};

use crate::auth::Visitor;
use crate::cookie;
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::{Shared, below};

/// The cookie of the chosen theme.
pub(crate) const THEME: &str = "tracker_theme";
/// The cookie of the chosen language.
pub(crate) const LANGUAGE: &str = "tracker_language";
/// Stands where a word comes into a text: no text has it by itself.
const PLACE: &str = "\u{fffc}";
/// The cookie of the browser's time zone.
const ZONE: &str = "tracker_zone";

/// What the switch changes to.
const fn after(theme: Theme) -> Theme {
    match theme {
        Theme::Auto => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Auto,
    }
}

/// The part of the site a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Inbox,
    Add,
    Library,
    Search,
    Events,
    Jobs,
    Health,
    Settings,
    Other,
}

/// One entry of the navigation.
pub(crate) struct NavItem {
    pub(crate) path: &'static str,
    pub(crate) key: &'static str,
    pub(crate) is_here: bool,
    pub(crate) count: u64,
    pub(crate) warns: bool,
}

/// The reader: what the request says of them.
pub(crate) struct Reader {
    language: Language,
    zone: Zone,
    theme: Theme,
    /// The address that was asked for, below the base path.
    path: String,
    user: Option<String>,
    told: Option<Told>,
}

impl FromRequestParts<Shared> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Problem> {
        let visitor = parts.extensions.get::<Visitor>().cloned();
        Ok(Reader::new(&parts.headers, &parts.uri, visitor, shared))
    }
}

impl Reader {
    /// What a person has set comes first, then what this browser was told, then what it
    /// says by itself, then the configuration.
    pub(crate) fn new(
        headers: &HeaderMap,
        uri: &Uri,
        visitor: Option<Visitor>,
        shared: &Shared,
    ) -> Self {
        let cookie = |name| {
            let value = percent_decode_str(cookie::value(headers, name)?).decode_utf8();
            value.ok().map(Cow::into_owned)
        };
        let user = visitor.and_then(|visitor| visitor.user);
        let set = user.as_ref().map(|user| user.preferences.clone());
        let Preferences { language, timezone, theme } = set.unwrap_or_default();
        let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let whole = uri.path_and_query().map_or("/", |path| path.as_str());
        Reader {
            language: language
                .or_else(|| cookie(LANGUAGE)?.parse().ok())
                .or_else(|| wanted.and_then(accepted))
                .unwrap_or(shared.manner.language),
            zone: timezone
                .or_else(|| cookie(ZONE))
                .and_then(|name| name.parse().ok())
                .unwrap_or_else(|| shared.manner.zone.clone()),
            theme: theme.or_else(|| cookie(THEME)?.parse().ok()).unwrap_or(Theme::Auto),
            path: below(whole, shared.base()).into_owned(),
            user: user.map(|user| user.name),
            told: Told::read(headers),
        }
    }
}

impl Reader {
    /// The address that was asked for, below the base path.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

/// What was done before this page, and where more of it is to be seen.
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// An address of ours, and the key of its text.
    pub(crate) link: Option<(String, &'static str)>,
}

/// The frame of a page, and the voice it speaks with.
pub(crate) struct Page {
    texts: Arc<Catalogue>,
    language: Language,
    zone: Zone,
    now: Timestamp,
    base: Arc<str>,
    theme: Theme,
    path: String,
    place: Place,
    user: Option<String>,
    told: Option<Told>,
    needs_you: u64,
    warnings: u64,
    /// Whether the reader may see more than open pages.
    is_inside: bool,
}

impl Page {
    /// For somebody who has access.
    pub(crate) async fn inside(
        shared: &Shared,
        reader: Reader,
        place: Place,
    ) -> Result<Page, Problem> {
        let needs_you = shared.app.inbox.needs_you().await?;
        Ok(Page::counting(shared, reader, place, needs_you).await)
    }

    /// The same where it is known already how many downloads wait for a person.
    pub(crate) async fn counting(
        shared: &Shared,
        reader: Reader,
        place: Place,
        needs_you: u64,
    ) -> Page {
        let health = shared.app.ops.health().await;
        let bad = |level| matches!(level, HealthLevel::Warning | HealthLevel::Error);
        let warnings = health.checks.iter().filter(|check| bad(check.level)).count();
        let mut page = Page::outside(shared, reader, place);
        page.needs_you = needs_you;
        page.warnings = warnings.try_into().unwrap_or(u64::MAX);
        page.is_inside = true;
        page
    }

    /// The same where it must not fail: then nothing is counted.
    pub(crate) async fn inside_whatever(shared: &Shared, reader: Reader, place: Place) -> Page {
        let needs_you = shared.app.inbox.needs_you().await.unwrap_or_default();
        Page::counting(shared, reader, place, needs_you).await
    }

    /// For anybody: nothing is asked of the services.
    pub(crate) fn outside(shared: &Shared, reader: Reader, place: Place) -> Page {
        Page {
            texts: Arc::clone(&shared.manner.texts),
            language: reader.language,
            zone: reader.zone,
            now: shared.clock.now(),
            base: shared.base().into(),
            theme: reader.theme,
            path: reader.path,
            place,
            user: reader.user,
            told: reader.told,
            needs_you: 0,
            warnings: 0,
            is_inside: false,
        }
    }

    /// The same at another address, where its own cannot be asked for again.
    pub(crate) fn at(mut self, path: String) -> Page {
        self.path = path;
        self
    }

    // --- words ---

    /// The text of a key.
    pub(crate) fn say(&self, key: &str) -> String {
        self.texts.text(self.language, key, &[])
    }

    /// The text of a key with a word in it.
    pub(crate) fn with(&self, key: &str, name: &str, word: &str) -> String {
        self.texts.text(self.language, key, &[(name, Argument::Text(word))])
    }

    /// What stands before and behind a word in the text of a key, for a word of strangers
    /// that is kept apart from it.
    pub(crate) fn around(&self, key: &str, name: &str) -> (String, String) {
        let text = self.with(key, name, PLACE);
        let parts = text.split_once(PLACE).map(|(one, other)| (one.to_owned(), other.to_owned()));
        parts.unwrap_or((text, String::new()))
    }

    /// The text of a key for a number of things, as `n`.
    pub(crate) fn count(&self, key: &str, count: &u64) -> String {
        self.texts.text(self.language, key, &[("n", Argument::Count(*count))])
    }

    /// The same for a length.
    pub(crate) fn many(&self, key: &str, count: usize) -> String {
        self.count(key, &u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// The text of a stable word: `state` and `done` are the key `state-done`. A word
    /// that has no text is shown as it is.
    pub(crate) fn word(&self, group: &str, word: &str) -> String {
        let key = format!("{group}-{}", word.replace(['.', '_'], "-"));
        self.texts.known(self.language, &key, &[]).unwrap_or_else(|| word.to_owned())
    }

    /// A remark in the language of the page.
    pub(crate) fn remark(&self, remark: &Remark) -> String {
        self.texts.remark(self.language, remark)
    }

    /// The remarks that a text has been made of.
    pub(crate) fn remarks(&self, text: &str) -> String {
        let remarks = Remark::read_list(text);
        remarks.iter().map(|remark| self.remark(remark)).collect::<Vec<_>>().join("; ")
    }

    /// The same where each of them is known.
    pub(crate) fn known(&self, text: &str) -> Option<String> {
        let is_known = |remark: &Remark| remark.code().is_some();
        Remark::read_list(text).iter().all(is_known).then(|| self.remarks(text))
    }

    /// Why a source is silent, in a sentence.
    pub(crate) fn silent(&self, cause: &CauseView) -> String {
        if let Some(said) = self.known(&cause.detail) {
            return said;
        }
        let source = [("source", Argument::Text(&cause.source))];
        let key = format!("source-{}", cause.cause);
        let known = self.texts.known(self.language, &key, &source);
        known.unwrap_or_else(|| self.texts.text(self.language, "source-unreachable", &source))
    }

    /// The text of a key in the language of the page alone.
    pub(crate) fn translated(&self, key: &str) -> Option<String> {
        self.texts.find(self.language, key, &[])
    }

    /// What the form before this page did.
    pub(crate) fn told(&self) -> Option<Sentence> {
        let told = self.told?;
        let text = self.count(&format!("told-{}", told.deed.as_str()), &told.count);
        let page = told.about.map(|id| format!("/download/{id}"));
        let link = match told.deed {
            Deed::NoPassword => Some(("/settings".to_owned(), "nav-settings")),
            _ => page.filter(|page| *page != self.path).map(|page| (page, "back-to-download")),
        };
        Some(Sentence { text, link })
    }

    // --- figures ---

    pub(crate) fn size(&self, bytes: &u64) -> String {
        tracker_i18n::size(&self.texts, self.language, *bytes)
    }

    pub(crate) fn speed(&self, bytes_a_second: &u64) -> String {
        tracker_i18n::speed(&self.texts, self.language, *bytes_a_second)
    }

    pub(crate) fn span(&self, seconds: &u64) -> String {
        tracker_i18n::seconds(&self.texts, self.language, *seconds)
    }

    /// The whole moment, in the zone of the reader.
    pub(crate) fn moment(&self, at: &Timestamp) -> String {
        self.zone.moment(&self.texts, self.language, *at)
    }

    /// The moment as a list shows it.
    pub(crate) fn brief(&self, at: &Timestamp) -> String {
        self.zone.brief(&self.texts, self.language, *at, self.now)
    }

    /// How long ago it was.
    pub(crate) fn ago(&self, at: &Timestamp) -> String {
        let passed = u64::try_from(self.now.seconds_since(*at)).unwrap_or(0);
        if passed < 60 {
            return self.say("just-now");
        }
        self.with("ago", "span", &self.span(&passed))
    }

    /// Whole percent of a transfer; `None` where its size is not known.
    pub(crate) fn share_of(&self, progress: &Option<Progress>) -> Option<u64> {
        let progress = progress.as_ref()?;
        let total = progress.bytes_total.filter(|total| *total > 0)?;
        Some(tracker_i18n::percent(progress.bytes_done?, total))
    }

    /// A score from 0 to 1 in whole percent. The figure and its mark stay on one line.
    pub(crate) fn score(&self, score: &f64) -> String {
        format!("{:.0}\u{a0}%", (score * 100.0).clamp(0.0, 100.0))
    }

    /// A share in whole percent.
    pub(crate) fn percent(&self, share: &u64) -> String {
        format!("{share}\u{a0}%")
    }

    /// What a part of a score counts.
    pub(crate) fn points(&self, points: &f64) -> String {
        tracker_i18n::points(self.language, *points)
    }

    // --- addresses ---

    /// The address of a path of ours.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The address of a file that never changes under its name.
    pub(crate) fn asset(&self, name: &str) -> String {
        format!("{}/static/{name}?v={}", self.base, super::assets::version())
    }

    /// The same page, asked for again.
    pub(crate) fn here(&self) -> &str {
        &self.path
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) fn lang(&self) -> &'static str {
        self.language.as_str()
    }

    pub(crate) fn other_language(&self) -> &'static str {
        match self.language {
            Language::En => "ru",
            Language::Ru => "en",
        }
    }

    pub(crate) fn theme(&self) -> &'static str {
        self.theme.as_str()
    }

    pub(crate) fn next_theme(&self) -> &'static str {
        after(self.theme).as_str()
    }

    pub(crate) fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// Whether it is the page of handing over, which stands beside its box.
    pub(crate) fn is_adding(&self) -> bool {
        self.place == Place::Add
    }

    pub(crate) fn nav(&self) -> Vec<NavItem> {
        let item = |place, path, key| NavItem {
            path,
            key,
            is_here: self.place == place,
            count: 0,
            warns: false,
        };
        let mut items = vec![
            item(Place::Inbox, "/", "nav-inbox"),
            item(Place::Library, "/library", "nav-library"),
            item(Place::Search, "/search", "nav-search"),
            item(Place::Events, "/events", "nav-events"),
            item(Place::Jobs, "/jobs", "nav-jobs"),
            item(Place::Health, "/health", "nav-health"),
            item(Place::Settings, "/settings", "nav-settings"),
        ];
        for item in &mut items {
            match item.path {
                "/" => item.count = self.needs_you,
                "/health" => (item.count, item.warns) = (self.warnings, true),
                _ => {}
            }
        }
        items
    }
}

/// The last eight letters of an id, which differ where ids of one moment do.
pub(crate) fn short(id: &str) -> &str {
    id.get(id.len().saturating_sub(8)..).unwrap_or(id)
}

/// The page of a work at its source, for a work such as `tmdb:movie/603`.
pub(crate) fn page_of(work: &str) -> Option<String> {
    let (source, id) = work.split_once(':')?;
    match source {
        "tmdb" => Some(format!("https://www.themoviedb.org/{id}")),
        "tvmaze" => Some(format!("https://www.tvmaze.com/shows/{id}")),
        "imdb" => Some(format!("https://www.imdb.com/title/{id}/")),
        _ => None,
    }
}

/// A template as an answer.
pub(crate) fn shown(template: &impl Template) -> Result<Html<String>, Problem> {
    template
        .render()
        .map(Html)
        .map_err(|error| Problem::fault(format!("a page cannot be written: {error}")))
}
