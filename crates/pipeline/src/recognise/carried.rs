//! Names that a person accepted before the file list was known. They hold with
//! the file list too, as far as it shows nothing else.

use tracker_domain::recognised::{Fields, Recognised, Role};
use tracker_recognize::matching::apply_overrides;
use tracker_store::Recognition;

/// What a person accepted, and the doubts that could be seen then.
pub(super) struct AcceptedNames {
    fields: Fields,
    doubts: Vec<String>,
}

impl AcceptedNames {
    /// `names` is what is read without the file list.
    pub(super) fn new(
        former: &Recognition,
        names: Recognised,
        overrides: &[(String, String)],
    ) -> Self {
        let told = former.detail.iter().flat_map(|detail| detail.split("; ")).map(str::to_owned);
        let mut seen = Recognised { fields: former.fields.clone(), ..names };
        // What could not act is among the doubts.
        let _problems = apply_overrides(&mut seen, overrides);
        let doubts = seen.doubts.into_iter().chain(told).collect();
        AcceptedNames { fields: seen.fields, doubts }
    }

    /// Why a person has to look again: the file list says something else, or
    /// raises a doubt that nobody could see before.
    pub(super) fn against(&self, said: &Recognised) -> Option<String> {
        let same = folded(&self.fields) == folded(&said.fields)
            && (self.fields.year, self.fields.kind) == (said.fields.year, said.fields.kind);
        if !same {
            let (before, now) = (in_words(&self.fields), in_words(&said.fields));
            return Some(format!(
                "{before} was accepted before the file list was known, and with it the names \
                 say {now}: accept the match, or say what it is"
            ));
        }
        let seen = said.doubts.iter().all(|doubt| self.doubts.contains(doubt));
        let media = said.files.iter().any(|file| file.role == Role::Main)
            && !said.files.iter().any(|file| file.role == Role::Executable);
        (!seen || !media).then(|| {
            "the names were accepted before the file list was known; look at it and accept the \
             match again, or say what it is"
                .to_owned()
        })
    }
}

fn folded(fields: &Fields) -> Option<String> {
    fields.title.as_ref().map(|title| title.to_lowercase())
}

fn in_words(fields: &Fields) -> String {
    let title = fields.title.as_deref().unwrap_or("no title");
    let kind = fields.kind.map(|kind| format!(", {kind}")).unwrap_or_default();
    match fields.year {
        Some(year) => format!("\u{201c}{title}\u{201d} ({year}{kind})"),
        None => format!("\u{201c}{title}\u{201d} (no year{kind})"),
    }
}
