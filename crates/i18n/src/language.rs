//! Which language a person reads.

use tracker_domain::access::Language;

/// The language of an `Accept-Language` (RFC 9110, 12.5.4) that is wanted most;
/// `None` where it names none that is here.
#[must_use]
pub fn accepted(header: &str) -> Option<Language> {
    let mut best: Option<(Language, f32)> = None;
    for range in header.split(',').take(32) {
        let mut parts = range.split(';');
        let Some(language) = parts.next().and_then(of_range) else { continue };
        let Some(weight) = weight(parts) else { continue };
        // The first of equals, as they were written.
        if weight > 0.0 && best.is_none_or(|(_, most)| weight > most) {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

/// `ru`, `ru-RU`; of languages next to them `uk` and `be` are none of ours.
fn of_range(range: &str) -> Option<Language> {
    range.trim().split('-').next()?.to_ascii_lowercase().parse().ok()
}

/// The weight among the parameters of a range; 1 where there is none, `None` where it is
/// no number.
fn weight<'a>(parameters: impl Iterator<Item = &'a str>) -> Option<f32> {
    for parameter in parameters {
        if let Some((name, value)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("q")
        {
            return value.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight));
        }
    }
    Some(1.0)
}
