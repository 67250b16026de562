//! What holds: the names, a person's overrides, and the accepted work.

use tracker_domain::metadata::Work;
use tracker_domain::recognised::Recognised;

use super::{OverrideProblem, adopt, apply_overrides};

/// Puts together what holds for a torrent: `raw` is what its names say, as a
/// recognition keeps it, on which the overrides act and then the work.
///
/// `languages` are those of the configuration, best first; without one it is
/// English. What of the overrides could not act is given back and stands among
/// the doubts.
#[must_use]
pub fn effective(
    raw: Recognised,
    overrides: &[(String, String)],
    work: Option<&Work>,
    languages: &[String],
) -> (Recognised, Vec<OverrideProblem>) {
    let mut recognised = raw;
    let problems = apply_overrides(&mut recognised, overrides);
    if let Some(work) = work {
        adopt(&mut recognised, work, preferred(languages));
    }
    (recognised, problems)
}

/// The language alone, without a region.
fn preferred(languages: &[String]) -> &str {
    let first = languages.first().map_or("en", String::as_str);
    first.split_once('-').map_or(first, |(language, _)| language)
}
