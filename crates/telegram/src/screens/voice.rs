//! How a thing is said to one person: words in their language, figures, moments, names
//! that fit, and the addresses of pages.

use tracker_app::CheckView;
use tracker_domain::metadata::WorkKind;
use tracker_domain::observed::Progress;
use tracker_domain::unseen::on_one_line;
use tracker_domain::{Remark, Timestamp};
use tracker_i18n::{Argument, Catalogue, Language, Zone};
use url::{Host, Url};

use crate::text::Draft;

/// How much room a name has that somebody else has given, in UTF-16 units.
pub(super) const NAME: usize = 160;

/// The same within a button.
const LABEL: usize = 48;

/// How much room a sentence has that is none of the catalogue.
pub(super) const DETAIL: usize = 300;

/// What stands between parts of a line.
pub(super) const BETWEEN: &str = " · ";

/// How one person is spoken to.
#[derive(Clone, Copy, Debug)]
pub struct Voice<'a> {
    /// All texts.
    pub texts: &'a Catalogue,
    /// The language of the person.
    pub language: Language,
    /// The time zone that moments are told in.
    pub zone: &'a Zone,
    /// Where people open the pages, where that is known.
    pub pages: Option<&'a Pages>,
    /// Whether the person may change anything. Else no button offers it.
    pub may_change: bool,
    /// The time.
    pub now: Timestamp,
}

/// Where people open the pages, in a form that Telegram takes for a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pages(String);

impl Pages {
    /// `None` where Telegram takes no such address: one whose host has no dot, such as
    /// `localhost`, or that has a password in it.
    #[must_use]
    pub fn new(url: &Url) -> Option<Self> {
        let is_web = matches!(url.scheme(), "http" | "https");
        let is_public = match url.host()? {
            Host::Domain(name) => name.contains('.') && !name.starts_with('.'),
            Host::Ipv4(_) => true,
            Host::Ipv6(_) => false,
        };
        let is_bare = url.username().is_empty() && url.password().is_none();
        let mut base = url.clone();
        base.set_query(None);
        base.set_fragment(None);
        (is_web && is_public && is_bare)
            .then(|| Pages(base.as_str().trim_end_matches('/').to_owned()))
    }
}

impl Voice<'_> {
    // --- words ---

    /// The text of a key.
    pub(super) fn say(&self, key: &str) -> String {
        self.texts.text(self.language, key, &[])
    }

    /// The text of a key with a word in it.
    pub(super) fn with(&self, key: &str, name: &str, word: &str) -> String {
        self.texts.text(self.language, key, &[(name, Argument::Text(word))])
    }

    /// The text of a key with two words in it.
    pub(super) fn with_two(&self, key: &str, one: (&str, &str), other: (&str, &str)) -> String {
        let arguments = [one, other].map(|(name, word)| (name, Argument::Text(word)));
        self.texts.text(self.language, key, &arguments)
    }

    /// The text of a key for a number of things, as `n`.
    pub(super) fn count(&self, key: &str, count: u64) -> String {
        self.texts.text(self.language, key, &[("n", Argument::Count(count))])
    }

    /// The same for a length.
    pub(super) fn many(&self, key: &str, count: usize) -> String {
        self.count(key, u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// The text of a stable word: `state` and `done` are the key `state-done`. A word
    /// that has no text is shown as it is.
    pub(super) fn word(&self, group: &str, word: &str) -> String {
        let key = format!("{group}-{}", word.replace(['.', '_'], "-"));
        self.texts.known(self.language, &key, &[]).unwrap_or_else(|| word.to_owned())
    }

    /// The word of a kind of work.
    pub(super) fn kind(&self, kind: WorkKind) -> String {
        match kind {
            WorkKind::Movie => self.say("work-movie"),
            WorkKind::Series => self.say("work-series"),
        }
    }

    pub(super) fn remark(&self, remark: &Remark) -> String {
        line(&self.texts.remark(self.language, remark), DETAIL)
    }

    /// A text of the core, each remark in it in the language of the person.
    pub(super) fn detail(&self, text: &str) -> String {
        let remarks = Remark::read_list(text);
        let said = remarks.iter().map(|remark| self.texts.remark(self.language, remark));
        line(&said.collect::<Vec<_>>().join("; "), DETAIL)
    }

    /// What to do about what a check found: what the catalogue says of it, else the
    /// words of the check.
    pub(super) fn remedy(&self, check: &CheckView) -> String {
        let key = format!("problem-{}-remedy", check.code);
        let known = self.texts.find(self.language, &key, &[]);
        line(&known.unwrap_or_else(|| check.remedy.clone()), DETAIL)
    }

    // --- figures ---

    pub(super) fn speed(&self, bytes_a_second: u64) -> String {
        tracker_i18n::speed(self.texts, self.language, bytes_a_second)
    }

    pub(super) fn span(&self, seconds: u64) -> String {
        tracker_i18n::seconds(self.texts, self.language, seconds)
    }

    /// The moment as a list shows it.
    pub(super) fn brief(&self, at: Timestamp) -> String {
        self.zone.brief(self.texts, self.language, at, self.now)
    }

    // --- addresses ---

    /// The address of a page of ours.
    pub(super) fn address(&self, path: &str) -> Option<String> {
        self.pages.map(|Pages(base)| format!("{base}{path}"))
    }
}

/// Whole percent of a transfer; `None` where its size is not known.
pub(crate) fn share(progress: Option<&Progress>) -> Option<u64> {
    let progress = progress?;
    let total = progress.bytes_total.filter(|total| *total > 0)?;
    Some(tracker_i18n::percent(progress.bytes_done?, total))
}

/// A score from 0 to 1 in whole percent.
pub(super) fn score(score: f64) -> String {
    // What is no number at all counts for nothing.
    let score = if score.is_finite() { score } else { 0.0 };
    format!("{:.0}", (score * 100.0).clamp(0.0, 100.0))
}

/// A title with its year.
pub(super) fn titled(title: &str, year: Option<i32>) -> String {
    let title = line(title, NAME);
    match year {
        Some(year) => format!("{title} ({year})"),
        None => title,
    }
}

/// A text of somebody else on one line, within this many UTF-16 units, and never empty.
///
/// The marks that turn the direction of writing are left out: they would turn what
/// stands behind the name as well.
pub(super) fn line(text: &str, units: usize) -> String {
    let words = on_one_line(text);
    if words.is_empty() {
        return "?".to_owned();
    }
    Draft::new().text(&words).within(units, None).plain().to_owned()
}

/// What a button says.
pub(super) fn label(text: &str) -> String {
    line(text, LABEL)
}
