//! Sizes, speeds, shares and spans of time, as the people of a language write them.

use crate::Language;
use crate::catalogue::{Argument, Catalogue};

const UNITS: [&str; 5] = ["unit-b", "unit-kib", "unit-mib", "unit-gib", "unit-tib"];

/// Bytes in binary units with one decimal, such as `4.1 MiB` and `4,1 МиБ`.
#[must_use]
pub fn size(catalogue: &Catalogue, language: Language, bytes: u64) -> String {
    let mut whole = bytes;
    let mut rest = 0;
    let mut unit = 0;
    // 1023.96 would be written as 1024.0, so it is the next unit already.
    while unit + 1 < UNITS.len() && (whole >= 1024 || tenths(whole, rest) >= 10_240) {
        rest = whole % 1024;
        whole /= 1024;
        unit += 1;
    }
    let number = if unit == 0 {
        whole.to_string()
    } else {
        let tenths = tenths(whole, rest);
        format!("{}{}{}", tenths / 10, comma(language), tenths % 10)
    };
    catalogue.text(language, UNITS[unit], &[("n", Argument::Text(&number))])
}

/// A whole number and its 1024ths, as tenths, rounded.
const fn tenths(whole: u64, rest: u64) -> u64 {
    whole.saturating_mul(10).saturating_add((rest * 10 + 512) / 1024)
}

/// Bytes a second.
#[must_use]
pub fn speed(catalogue: &Catalogue, language: Language, bytes_a_second: u64) -> String {
    let size = size(catalogue, language, bytes_a_second);
    catalogue.text(language, "unit-per-second", &[("size", Argument::Text(&size))])
}

/// A share in whole percent, never 100 before it is whole.
#[must_use]
pub fn percent(done: u64, total: u64) -> u64 {
    if total == 0 {
        return 0;
    }
    let share = u128::from(done.min(total)) * 100 / u128::from(total);
    u64::try_from(share).unwrap_or(100)
}

/// Points of a score with their sign and two decimals, such as `+0.35` and `−0,05`.
#[must_use]
pub fn points(language: Language, points: f64) -> String {
    let figure = format!("{:.2}", points.abs()).replace('.', &comma(language).to_string());
    // What is rounded away has no sign either.
    match points {
        _ if points.abs() < 0.005 => figure,
        _ if points < 0.0 => format!("−{figure}"),
        _ => format!("+{figure}"),
    }
}

/// A span of time in its two largest units, such as `3 h 20 min`.
#[must_use]
pub fn seconds(catalogue: &Catalogue, language: Language, seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let word = |key, n: u64| catalogue.text(language, key, &[("n", Argument::Count(n))]);
    let two = |first: String, second: String, n: u64| {
        if n == 0 { first } else { format!("{first} {second}") }
    };
    if days > 0 {
        two(word("span-days", days), word("span-hours", hours), hours)
    } else if hours > 0 {
        two(word("span-hours", hours), word("span-minutes", minutes), minutes)
    } else if minutes > 0 {
        word("span-minutes", minutes)
    } else {
        word("span-seconds", seconds)
    }
}

const fn comma(language: Language) -> char {
    match language {
        Language::En => '.',
        Language::Ru => ',',
    }
}
