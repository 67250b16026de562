//! The names on both sides, and the best match between them.

use tracker_domain::metadata::Work;
use tracker_domain::recognised::Fields;
use tracker_domain::remark::{Percent, Quoted, Remark};

use super::fold::{Folded, Likeness, is_cyrillic, is_russian};

/// Names of one side that are looked at. Sources list dozens for a known work.
const MOST_OURS: usize = 8;
const MOST_THEIRS: usize = 60;

/// The best match of two sets of names.
#[derive(Clone, Debug)]
pub(super) struct TitleMatch {
    pub likeness: Likeness,
    /// Why.
    pub detail: Remark,
}

impl TitleMatch {
    pub fn is_equal(&self) -> bool {
        self.likeness == Likeness::Equal
    }
}

/// The names that were recognised, the original one first, each once.
pub(super) fn our_names(fields: &Fields) -> Vec<(&str, Folded)> {
    let first = [&fields.title_orig, &fields.title, &fields.title_ru];
    let all = first.into_iter().flatten().chain(&fields.other_titles).map(|name| name.trim());
    let mut names: Vec<(&str, Folded)> = Vec::new();
    for name in all {
        let folded = Folded::new(name);
        let known = names.iter().any(|(_, other)| other.key() == folded.key());
        if !folded.is_empty() && !known && names.len() < MOST_OURS {
            names.push((name, folded));
        }
    }
    names
}

/// The name of a work in the language that was asked for, then the others.
pub(super) fn names_of(work: &Work) -> impl Iterator<Item = &str> {
    let first = std::iter::once(&work.title).chain(&work.original_title);
    first.chain(&work.other_titles).map(String::as_str)
}

/// Compares every name with every name.
pub(super) fn compare(fields: &Fields, work: &Work) -> TitleMatch {
    let ours = our_names(fields);
    let mut best = (Likeness::Other, "");
    for name in names_of(work).take(MOST_THEIRS) {
        let folded = Folded::new(undated(name, work.year));
        for (_, our) in &ours {
            let likeness = our.likeness(&folded);
            if points(likeness) > points(best.0) {
                best = (likeness, name);
            }
        }
    }
    let (likeness, name) = best;
    TitleMatch { likeness, detail: describe(likeness, name, work) }
}

/// Sources put the year behind names of which they have several: `Title (2010)`.
pub(super) fn undated(name: &str, year: Option<i32>) -> &str {
    let tail = year.map(|year| format!("({year})")).unwrap_or_default();
    name.trim_end().strip_suffix(&tail).map_or(name, str::trim_end)
}

/// Whether two works are called the same by their first names.
pub(super) fn share_a_name(one: &Work, other: &Work) -> bool {
    let keys = |work: &Work| -> Vec<String> {
        let names = std::iter::once(&work.title).chain(&work.original_title);
        let folded = names
            .map(|name| Folded::new(undated(name, work.year)))
            .filter(|folded| !folded.is_empty());
        folded.map(|folded| folded.key().to_owned()).collect()
    };
    let theirs = keys(other);
    keys(one).iter().any(|key| theirs.contains(key))
}

/// What a likeness counts; another title rules the work out.
pub(super) fn points(likeness: Likeness) -> f64 {
    match likeness {
        Likeness::Equal => 0.55,
        Likeness::Near(ratio) => 0.45 - (1.0 - ratio),
        Likeness::Extended => 0.3,
        Likeness::Renumbered => 0.15,
        Likeness::Other => -1.0,
    }
}

fn describe(likeness: Likeness, name: &str, work: &Work) -> Remark {
    let quoted = || Quoted(name.to_owned());
    match likeness {
        Likeness::Equal => called(name, work),
        Likeness::Near(ratio) => {
            Remark::TitleClose { name: quoted(), likeness: Percent::of(ratio) }
        }
        Likeness::Extended => Remark::TitleSubtitle { name: quoted() },
        Likeness::Renumbered => Remark::TitleNumber { name: quoted() },
        Likeness::Other => Remark::TitleOther,
    }
}

fn called(name: &str, work: &Work) -> Remark {
    if is_russian(name) {
        Remark::TitleRussian
    } else if is_cyrillic(name) {
        Remark::TitleCyrillic
    } else if work.original_title.as_deref() == Some(name) {
        Remark::TitleOriginal
    } else if work.title == name {
        Remark::TitleSame
    } else {
        Remark::TitleFurther
    }
}
