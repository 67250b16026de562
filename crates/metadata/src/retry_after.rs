//! The header `Retry-After`: seconds, or the date of HTTP.

use tracker_domain::Timestamp;

/// Where the source does not say how long, or not so that it can be read.
const UNSAID_MS: u64 = 10_000;
const SHORTEST_MS: u64 = 1000;
const LONGEST_MS: u64 = 3600 * 1000;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// How long to leave the source alone, between a second and an hour.
pub(crate) fn wait_ms(header: Option<&str>, now: Timestamp) -> u64 {
    let Some(text) = header.map(str::trim).filter(|text| !text.is_empty()) else {
        return UNSAID_MS;
    };
    let wait = if text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number has are a long time.
        Some(text.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000))
    } else {
        http_date(text).map(|then| {
            u64::try_from(then.seconds_since(now)).unwrap_or_default().saturating_mul(1000)
        })
    };
    wait.map_or(UNSAID_MS, |wait| wait.clamp(SHORTEST_MS, LONGEST_MS))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`; the two older forms are no longer sent.
fn http_date(text: &str) -> Option<Timestamp> {
    let (_, rest) = text.split_once(", ")?;
    let mut parts = rest.split(' ');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let (time, zone) = (parts.next()?, parts.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    if zone != "GMT" || parts.next().is_some() {
        return None;
    }
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read_and_held_within_bounds() {
        tracker_testkit::spec!("metadata#limits-of-a-source/each-form-of-retry-after");
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let table = [
            (Some("7"), 7000),
            (Some(" 90 "), 90_000),
            (Some("0"), 1000),
            (Some("99999999999999999999999999"), 3_600_000),
            (Some("Sun, 06 Nov 1994 08:49:37 GMT"), 37_000),
            (Some("Sun, 06 Nov 1994 08:40:00 GMT"), 1000),
            (Some("Sun, 06 Nov 2094 08:49:37 GMT"), 3_600_000),
            (Some("Sun, 36 Nov 1994 08:49:37 GMT"), 10_000),
            (Some("Sunday, 06-Nov-94 08:49:37 GMT"), 10_000),
            (Some("-5"), 10_000),
            (Some("soon"), 10_000),
            (Some(""), 10_000),
            (None, 10_000),
        ];
        for (header, wait) in table {
            assert_eq!(wait_ms(header, now), wait, "{header:?}");
        }
    }
}
