//! Names that a person accepted before the file list was known. They hold with
//! the file list too, as far as it shows nothing else.

use tracker_domain::Remark;
use tracker_domain::recognised::{Fields, Recognised, Role};
use tracker_recognize::matching::apply_overrides;
use tracker_store::Recognition;

/// What a person accepted, and the doubts that could be seen then.
pub(super) struct AcceptedNames {
    fields: Fields,
    doubts: Vec<Remark>,
}

impl AcceptedNames {
    /// `names` is what is read without the file list.
    pub(super) fn new(
        former: &Recognition,
        names: Recognised,
        overrides: &[(String, String)],
    ) -> Self {
        let told = former.detail.iter().flat_map(|detail| Remark::read_list(detail));
        let mut seen = Recognised { fields: former.fields.clone(), ..names };
        // What could not act is among the doubts.
        let _problems = apply_overrides(&mut seen, overrides);
        let doubts = seen.doubts.into_iter().chain(told).collect();
        AcceptedNames { fields: seen.fields, doubts }
    }

    /// Why a person has to look again: the file list says something else, or
    /// raises a doubt that nobody could see before.
    pub(super) fn against(&self, said: &Recognised) -> Option<Remark> {
        let same = folded(&self.fields) == folded(&said.fields)
            && (self.fields.year, self.fields.kind) == (said.fields.year, said.fields.kind);
        if !same {
            let (before, now) = (read_as(&self.fields), read_as(&said.fields));
            return Some(Remark::SaysOtherwise { before: Box::new(before), now: Box::new(now) });
        }
        let seen = said.doubts.iter().all(|doubt| self.doubts.contains(doubt));
        let media = said.files.iter().any(|file| file.role == Role::Main)
            && !said.files.iter().any(|file| file.role == Role::Executable);
        (!seen || !media).then_some(Remark::LookAgain)
    }
}

fn folded(fields: &Fields) -> Option<String> {
    fields.title.as_ref().map(|title| title.to_lowercase())
}

fn read_as(fields: &Fields) -> Remark {
    let title = fields.title.clone().unwrap_or_else(|| "no title".to_owned());
    match (fields.year, fields.kind) {
        (Some(year), Some(kind)) => Remark::ReadAs { title, year, kind },
        (Some(year), None) => Remark::ReadAsOfYear { title, year },
        (None, Some(kind)) => Remark::ReadAsOfKind { title, kind },
        (None, None) => Remark::ReadAsTitle { title },
    }
}
