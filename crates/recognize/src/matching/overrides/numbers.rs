//! Lists of episodes as people write them: `1-3,5`, `12.5`.

use tracker_domain::recognised::EpisodeNumber;

/// The most episodes of one file; more is a slip of the hand.
const MOST: usize = 100;

/// The highest number there can be.
pub(super) const HIGHEST: u32 = 9999;

/// Reads numbers and ranges between commas or spaces, ascending and each once.
pub(super) fn parse_list(text: &str) -> Option<Vec<EpisodeNumber>> {
    let mut numbers = Vec::new();
    let parts = text.split(|ch: char| ch == ',' || ch.is_whitespace());
    for part in parts.filter(|part| !part.is_empty()) {
        match part.split_once(['-', '–']) {
            None => numbers.push(number(part)?),
            Some((first, last)) => {
                let (first, last) = (number(first)?.as_whole()?, number(last)?.as_whole()?);
                if first > last || (last - first) as usize >= MOST {
                    return None;
                }
                numbers.extend((first..=last).map(EpisodeNumber::whole));
            }
        }
        if numbers.len() > MOST {
            return None;
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    (!numbers.is_empty()).then_some(numbers)
}

fn number(text: &str) -> Option<EpisodeNumber> {
    let number: EpisodeNumber = text.parse().ok()?;
    (number <= EpisodeNumber::whole(HIGHEST)).then_some(number)
}

/// The numbers with their runs drawn together: `1-3,5`.
pub(super) fn show_list(numbers: &[EpisodeNumber]) -> String {
    let mut runs: Vec<(EpisodeNumber, EpisodeNumber)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last))
                if shifted(*last, 1) == Some(*number) && number.as_whole().is_some() =>
            {
                *last = *number;
            }
            _ => runs.push((*number, *number)),
        }
    }
    let show = |(first, last): &(EpisodeNumber, EpisodeNumber)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(show).collect::<Vec<_>>().join(",")
}

/// The number so much further on, with its fraction; `None` below 0.
pub(super) fn shifted(number: EpisodeNumber, by: i32) -> Option<EpisodeNumber> {
    let text = number.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, "0"));
    let whole: u32 = whole.parse().ok()?;
    let moved = whole.checked_add_signed(by)?;
    format!("{moved}.{rest}").parse().ok()
}
