//! What a title is called for a person, wherever it is shown: the names, with the
//! words of people and the work, in the preferred language.

use tracker_domain::metadata::Work;
use tracker_domain::recognised::{Fields, Recognised, Verdict};
use tracker_recognize::matching::effective;

/// What holds for a torrent as a whole. What holds for single files needs the files,
/// and changes neither its title nor its year.
pub(crate) fn holding(
    fields: Fields,
    overrides: &[(String, String)],
    work: Option<&Work>,
    languages: &[String],
) -> Fields {
    effective(of_names(fields), overrides, work, languages).0.fields
}

/// Names alone, of which nothing else is known.
pub(crate) fn of_names(fields: Fields) -> Recognised {
    Recognised {
        fields,
        files: Vec::new(),
        evidence: Vec::new(),
        verdict: Verdict::Unknown,
        confidence: 0.0,
        doubts: Vec::new(),
    }
}
