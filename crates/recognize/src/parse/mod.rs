//! One name read: scene, Russian trackers, anime brackets, plain text.
//!
//! `lex` cuts the name into tokens, `scan` goes over them once and says what each
//! may be, `decide` weighs that for the whole name, `collect` writes it down.

mod collect;
mod decide;
mod finding;
mod lex;
mod piece;
mod scan;
#[cfg(test)]
mod tests;
mod text;
mod vocab;

use tracker_domain::recognised::{Evidence, Fields, TitleKind};
use tracker_domain::remark::Remark;

pub use decide::Family;
use finding::{Found, Value};
pub use text::split_extension;

/// What one name says.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The name.
    pub text: &'a str,
    /// Its fields.
    pub fields: Fields,
    /// The customs it follows.
    pub family: Family,
    /// A number such as `102` that may be S01E02 or the absolute 102.
    pub guessed: Option<u32>,
    /// The title ends in something that is no part of one.
    pub bounded: bool,
    /// The name begins with a number: no title stands in front of it.
    pub leading_number: bool,
    /// What kind of title the name alone says.
    pub kind: Option<TitleKind>,
    /// What keeps the name from being plain.
    pub ambiguities: Vec<Remark>,
    /// Where the title ends, in bytes.
    pub title_end: usize,
    /// A word says that it is outside of the seasons.
    pub special: bool,
    found: Vec<Found>,
}

/// Whether a name says one of some words behind its title, as its first word
/// where `first` is set, or behind a hyphen: `movie-sample`.
pub fn says(name: &str, wanted: &[&str], first: bool) -> bool {
    let lex = lex::Lexed::new(name);
    let title_end = parse(name).title_end;
    lex.tokens.iter().enumerate().any(|(at, token)| {
        wanted.contains(&lex.lower_of(token))
            && (at == 0 && first
                || token.start as usize >= title_end
                || token.gap == lex::Gap::DASH)
    })
}

/// Reads a name. A known extension is no part of it: see [`text::split_extension`].
pub fn parse(name: &str) -> Parsed<'_> {
    let mut scan = scan::Scan::new(name);
    let layout = decide::decide(&mut scan);
    collect::collect(scan, &layout)
}

impl Parsed<'_> {
    /// Why each field is what it is.
    pub fn evidence(&self, from: &str) -> Vec<Evidence> {
        self.found.iter().map(|found| self.entry(found, from)).collect()
    }

    fn entry(&self, found: &Found, from: &str) -> Evidence {
        let text = self.text.get(found.start as usize..found.end as usize).unwrap_or("");
        let value = match found.value {
            Value::Word(word) => word.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Range(first, last) => format!("{first}-{last}"),
            Value::Episode(number) => number.to_string(),
            Value::Day(day) => day.to_string(),
            Value::Text => text::clean(text),
        };
        Evidence {
            field: found.field.to_owned(),
            value,
            from: from.to_owned(),
            text: text.to_owned(),
            span: Some((found.start, found.end)),
            rule: found.rule.to_owned(),
        }
    }
}
