//! Single words: years, episodes, seasons, resolutions, and words of a release.

use crate::token::{is_number, leading_number};
use crate::words;

/// The longest run of episodes that one file is believed to hold.
const LONGEST_RUN: u32 = 20;

/// A year in plain form.
pub fn year_of(word: &str) -> Option<i32> {
    if word.len() != 4 || !is_number(word) {
        return None;
    }
    word.parse().ok().filter(|year| (1900..=2099).contains(year))
}

/// `S01E02`, `S01E01E02`, `S01E01-E02`, `S01E01-02`.
pub fn episode_marker(word: &str) -> Option<(u32, Vec<u32>)> {
    let after_e = |text: &'_ str| -> Option<(u32, usize)> {
        let rest = text.strip_prefix(['e', 'E'])?;
        let (number, rest) = leading_number(rest, 3)?;
        Some((number, rest.len()))
    };
    let tail = |text: &'_ str, left: usize| text.len() - left;
    let (season, mut rest) = leading_number(word.strip_prefix(['s', 'S'])?, 2)?;
    let (first, left) = after_e(rest)?;
    rest = rest.get(tail(rest, left)..)?;
    let mut episodes = vec![first];
    let mut last = first;
    while !rest.is_empty() {
        if let Some((next, left)) = after_e(rest) {
            if next <= last {
                return None;
            }
            episodes.push(next);
            last = next;
            rest = rest.get(tail(rest, left)..)?;
            continue;
        }
        let Some(after) = rest.strip_prefix('-') else {
            // `S01E02v2` is a second version of the same episode.
            let version = rest.strip_prefix(['v', 'V']).and_then(|text| leading_number(text, 1));
            return version.is_some_and(|(_, rest)| rest.is_empty()).then_some((season, episodes));
        };
        let bare = |text: &'_ str| -> Option<(u32, usize)> {
            let (number, rest) = leading_number(text, 3)?;
            (rest.is_empty() || rest.starts_with('-')).then_some((number, rest.len()))
        };
        let Some((to, left)) = after_e(after).or_else(|| bare(after)) else {
            // `S01E02-GROUP`: the rest is no number. `S01E01-S01E02` is more than
            // this reader wants to know.
            return is_group(after).then_some((season, episodes));
        };
        if to <= last || to - last > LONGEST_RUN {
            return None;
        }
        episodes.extend(last + 1..=to);
        last = to;
        rest = after.get(tail(after, left)..)?;
    }
    Some((season, episodes))
}

/// Whether what follows a hyphen is no second number.
fn is_group(text: &str) -> bool {
    let season = text.strip_prefix(['s', 'S']).and_then(|rest| leading_number(rest, 4));
    season.is_none()
}

/// `S01`, `S01-S03`, `S01-03`.
pub fn season_word(word: &str) -> Option<Vec<u32>> {
    let (first, rest) = leading_number(word.strip_prefix(['s', 'S'])?, 2)?;
    let Some(rest) = rest.strip_prefix('-') else {
        return rest.is_empty().then(|| vec![first]);
    };
    match leading_number(rest.strip_prefix(['s', 'S']).unwrap_or(rest), 2) {
        Some((last, "")) if last > first => Some((first..=last).collect()),
        // `S01-GROUP`
        None => Some(vec![first]),
        Some(_) => None,
    }
}

/// Words that count episodes in another way than `SxxEyy`: `1x02`, `E05`,
/// `Ep05`, `5of9`, `S01S02`, `S01E02a`. Asked only about words that are no
/// episode marker.
pub fn other_numbering(word: &str) -> bool {
    let pair = |text: &str, between: &[&str], most: usize| {
        let (_, rest) = leading_number(text, 3)?;
        let rest = between.iter().find_map(|word| rest.strip_prefix(word))?;
        leading_number(rest, most).map(|(_, rest)| rest.is_empty() || rest.starts_with('-'))
    };
    let cross = pair(word, &["x", "х", "×", "of", "из"], 3) == Some(true);
    let counted = word.strip_prefix("ep").or_else(|| word.strip_prefix('e'));
    let counted = counted.and_then(|rest| leading_number(rest, 4));
    let counted = counted.is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('-'));
    let odd = word.strip_prefix('s').and_then(|rest| leading_number(rest, 4));
    let odd = odd.is_some_and(|(_, rest)| rest.starts_with(['s', 'e']));
    cross || counted || odd
}

/// `476-479`: a range of something, and never the year of one film.
pub fn is_range(word: &str) -> bool {
    word.split_once(['-', '–']).is_some_and(|(from, to)| is_number(from) && is_number(to))
}

/// `1080p`, `2160p`, `1080i`; also `4k` and `1920x1080`.
pub fn resolution_of(word: &str) -> Option<String> {
    let word = word.split('-').next().unwrap_or(word);
    if word == "4k" {
        return Some("2160p".to_owned());
    }
    if let Some((wide, high)) = word.split_once('x')
        && is_number(wide)
        && words::LINES.contains(&high)
    {
        return Some(format!("{high}p"));
    }
    let lines = word.strip_suffix('p').or_else(|| word.strip_suffix('i'))?;
    words::LINES.contains(&lines).then(|| word.to_owned())
}

/// Whether a lower-case word can stand in no title.
pub fn is_release_word(word: &str) -> bool {
    resolution_of(word).is_some()
        || words::RELEASE.contains(&word)
        || word.split_once('-').is_some_and(|(front, _)| words::RELEASE.contains(&front))
}

/// `cd1`, `part2`, `disc3`.
pub fn is_numbered_part(word: &str) -> bool {
    let front = word.trim_end_matches(|ch: char| ch.is_ascii_digit());
    let digits = word.len() - front.len();
    (1..=2).contains(&digits) && words::PART.contains(&front)
}

/// A season number that stands as a word: at most two digits.
pub fn season_number(word: &str) -> Option<u32> {
    leading_number(word, 2).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}
