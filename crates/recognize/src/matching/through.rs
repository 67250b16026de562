//! Numbers that count through all seasons, and where they fall.

use tracker_domain::metadata::SeasonOutline;
use tracker_domain::recognised::EpisodeNumber;

/// The seasons without the specials, ascending.
pub(super) fn regular(seasons: &[SeasonOutline]) -> Vec<SeasonOutline> {
    let mut regular: Vec<SeasonOutline> =
        seasons.iter().copied().filter(|season| season.number > 0).collect();
    regular.sort_by_key(|season| season.number);
    regular
}

/// How many episodes there are, without the specials.
pub(super) fn total(seasons: &[SeasonOutline]) -> u64 {
    regular(seasons).iter().map(|season| u64::from(season.episodes)).sum()
}

/// The season and the number within it. `None` where the source does not count
/// as far, or does not say how long a season before it is.
pub(super) fn place(seasons: &[SeasonOutline], number: u32) -> Option<(u32, u32)> {
    let mut left = number.checked_sub(1)?;
    for season in regular(seasons) {
        if season.episodes == 0 {
            return None;
        }
        if left < season.episodes {
            return Some((season.number, left + 1));
        }
        left -= season.episodes;
    }
    None
}

/// The season and the numbers within it of one file. `None` where one of them
/// falls nowhere, or where they fall into two seasons.
pub(super) fn place_all(
    seasons: &[SeasonOutline],
    numbers: &[EpisodeNumber],
) -> Option<(u32, Vec<EpisodeNumber>)> {
    let mut found: Option<(u32, Vec<EpisodeNumber>)> = None;
    for number in numbers {
        let (season, episode) = place(seasons, number.as_whole()?)?;
        let episode = EpisodeNumber::whole(episode);
        match &mut found {
            None => found = Some((season, vec![episode])),
            Some((known, episodes)) if *known == season => episodes.push(episode),
            Some(_) => return None,
        }
    }
    found
}
