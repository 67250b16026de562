//! Texts of the configuration as typed values. Each error says what to write.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use jiff::tz::TimeZone;
use tracker_domain::network::Network;
use tracker_http::{BasePath, BasePathError};
use url::Url;

const UNITS: &[(&str, u64)] =
    &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// `500ms`, `2s`, `5m`, `1h`, `1d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let refused = || {
        format!(
            "{text:?} is not a duration; write a number and a unit, such as 500ms, 2s, 5m, 1h or 1d"
        )
    };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = UNITS.iter().find(|(word, _)| *word == unit).ok_or_else(refused)?;
    let millis = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*factor));
    millis.map(Duration::from_millis).ok_or_else(refused)
}

/// The shortest text that reads back as the same duration.
pub(super) fn duration_text(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let (unit, factor) = UNITS
        .iter()
        .rev()
        .find(|(_, factor)| millis >= *factor && millis.is_multiple_of(*factor))
        .unwrap_or(&("s", 1_000));
    format!("{}{unit}", millis / factor)
}

const SIZE_UNITS: &[(&str, u64)] = &[
    ("B", 1),
    ("kB", 1_000),
    ("KiB", 1 << 10),
    ("MB", 1_000_000),
    ("MiB", 1 << 20),
    ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
    ("TB", 1_000_000_000_000),
    ("TiB", 1 << 40),
];

/// `700MB`, `50GiB`, `2TB`: bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let refused = || {
        format!(
            "{text:?} is not a size; write a whole number and a unit, such as 700MB, 50GiB or 2TB"
        )
    };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start();
    let (_, factor) = SIZE_UNITS.iter().find(|(word, _)| *word == unit).ok_or_else(refused)?;
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*factor));
    bytes.filter(|bytes| i64::try_from(*bytes).is_ok()).ok_or_else(refused)
}

/// The shortest text that reads back as the same size.
pub(super) fn size_text(bytes: u64) -> String {
    let (unit, factor) = SIZE_UNITS
        .iter()
        .filter(|(_, factor)| bytes.is_multiple_of(*factor))
        .max_by_key(|(_, factor)| if bytes == 0 { 0 } else { *factor })
        .unwrap_or(&("B", 1));
    format!("{}{unit}", bytes / factor)
}

/// File mode bits as octal digits in quotes.
pub(super) fn octal(text: &str) -> Result<u32, String> {
    let refused = || {
        format!(
            "{text:?} is not a file mode; write three or four octal digits in quotes, such as \"0002\""
        )
    };
    let plausible =
        (3..=4).contains(&text.len()) && text.bytes().all(|c| (b'0'..=b'7').contains(&c));
    if !plausible {
        return Err(refused());
    }
    u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777).ok_or_else(refused)
}

/// An address with one of the given schemes, without credentials in it.
pub(super) fn url(text: &str, schemes: &[&str]) -> Result<Url, String> {
    let wanted = || format!("write an address that starts with {}://", schemes.join(":// or "));
    let url = Url::parse(text)
        .map_err(|error| format!("{text:?} is not an address ({error}); {}", wanted()))?;
    if !schemes.contains(&url.scheme()) {
        return Err(format!("the scheme {:?} cannot be used here; {}", url.scheme(), wanted()));
    }
    if url.scheme() != "file" && url.host_str().is_none_or(str::is_empty) {
        return Err(format!("{text:?} names no host; {}", wanted()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Whatever is in an address gets shown and logged sooner or later.
        return Err(
            "the address holds a user or a password; write them in keys of their own".to_owned()
        );
    }
    Ok(url)
}

/// An address and a port.
pub(super) fn listen(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!(
            "{text:?} is not an address and a port; write 127.0.0.1:8466, 0.0.0.0:8466 or [::]:8466"
        )
    })
}

/// A path prefix that is none of the paths of the program.
pub(super) fn base_path(text: &str) -> Result<BasePath, String> {
    text.parse().map_err(|error: BasePathError| error.to_string())
}

/// The name of a host, without a scheme and without a port.
pub(super) fn host_name(text: &str) -> Result<String, String> {
    let fine = !text.is_empty()
        && text.len() <= 253
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    if fine {
        return Ok(text.to_ascii_lowercase());
    }
    Err(format!(
        "{text:?} is not the name of a host; write it without https:// and port, such as \"tracker.example.org\""
    ))
}

/// The name of a header.
pub(super) fn header_name(text: &str) -> Result<String, String> {
    let fine = (1..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if fine {
        return Ok(text.to_owned());
    }
    Err(format!("{text:?} is not the name of a header; write one such as \"X-Remote-User\""))
}

/// An address or a network in CIDR form.
pub(super) fn network(text: &str) -> Result<Network, String> {
    let refused =
        || format!("{text:?} is not a network; write an address or a network such as 10.0.0.0/8");
    let (address, prefix) = match text.split_once('/') {
        Some((address, prefix)) => (address, Some(prefix)),
        None => (text, None),
    };
    let address: IpAddr = address.parse().map_err(|_| refused())?;
    let widest = if address.is_ipv4() { 32 } else { 128 };
    let prefix = match prefix {
        Some(text) => text.parse().ok().filter(|prefix| *prefix <= widest).ok_or_else(refused)?,
        None => widest,
    };
    Ok(Network { address, prefix })
}

/// A zone of the IANA database.
pub(super) fn timezone(text: &str) -> Result<TimeZone, String> {
    TimeZone::get(text).map_err(|_| {
        format!(
            "{text:?} is not a time zone; write an IANA name such as \"UTC\" or \"Europe/Moscow\""
        )
    })
}

const LEVELS: &[&str] = &["off", "error", "warn", "info", "debug", "trace"];

/// A level, or a list of `target=level` with commas.
pub(super) fn log_filter(text: &str) -> Result<String, String> {
    let level = |word: &str| LEVELS.contains(&word);
    let target = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_:-".contains(c))
    };
    let good = text.split(',').map(str::trim).all(|part| match part.split_once('=') {
        Some((name, word)) => target(name) && level(word),
        None => level(part),
    });
    if good {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "{text:?} is not a level; write {}, or parts of their own such as \"info,tracker_store=debug\"",
            LEVELS.join(", ")
        ))
    }
}

/// A language of titles, such as `en` or `pt-BR`.
pub(super) fn language_tag(text: &str) -> Result<String, String> {
    let (language, region) = text.split_once('-').map_or((text, None), |(l, r)| (l, Some(r)));
    let good = language.len() == 2
        && language.bytes().all(|c| c.is_ascii_lowercase())
        && region.is_none_or(|r| r.len() == 2 && r.bytes().all(|c| c.is_ascii_uppercase()));
    if good {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is not a language; write one such as \"en\" or \"pt-BR\""))
    }
}

/// The name of an item of an array.
pub(super) fn item_name(text: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let good = !text.is_empty()
        && text.trim() == text
        && text.chars().all(allowed)
        && text.chars().any(char::is_alphanumeric);
    if good {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is not a name; use letters, digits, -, _, . and spaces inside"))
    }
}

/// The nearest of some words, when one is near.
pub(super) fn nearest<'a>(
    found: &str,
    words: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let found = found.to_lowercase();
    words
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&found, word), word))
        .filter_map(|(distance, word)| {
            let near = distance <= 1.max(word.len() / 3);
            // `user` is far from `username` by letters, and still what was meant.
            let begun = found.len() >= 3 && word.starts_with(&found);
            (near || begun).then_some(((!near, distance), word))
        })
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, word)| word)
}

/// The end of a message that has a better word to offer.
pub(super) fn suggestion(word: Option<&str>) -> String {
    word.map(|word| format!("; did you mean {word}?")).unwrap_or_default()
}
