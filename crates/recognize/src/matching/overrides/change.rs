//! What overrides do to the numbers of one file.

use tracker_domain::recognised::{EpisodeNumber, Fields, FileRole, Role};

use super::numbers::shifted;
use super::said::Numbering;

/// Extensions of what can be a film or an episode.
const VIDEO: &[&str] = &[
    "3gp", "asf", "avi", "divx", "flv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogm", "ogv", "rmvb", "ts", "vob", "webm", "wmv",
];

/// Lets the numbers count within a season or through all of them.
pub(super) fn renumber(fields: &mut Fields, numbering: Numbering) {
    match numbering {
        Numbering::Absolute => {
            let episodes = std::mem::take(&mut fields.episodes);
            if fields.absolute_episodes.is_empty() {
                fields.absolute_episodes = episodes;
            }
            fields.seasons.clear();
        }
        Numbering::Aired => {
            if fields.episodes.is_empty() {
                fields.episodes = std::mem::take(&mut fields.absolute_episodes);
            }
        }
    }
}

/// The numbers by which a file is called: those within the season where there
/// are any.
pub(super) fn numbers(fields: &Fields) -> &[EpisodeNumber] {
    if fields.episodes.is_empty() { &fields.absolute_episodes } else { &fields.episodes }
}

/// Moves the numbers; the first that would go below 0 stops it.
pub(super) fn shift(fields: &mut Fields, by: i32) -> Result<(), EpisodeNumber> {
    let moved: Result<Vec<EpisodeNumber>, EpisodeNumber> =
        numbers(fields).iter().map(|number| shifted(*number, by).ok_or(*number)).collect();
    let moved = moved?;
    if fields.episodes.is_empty() {
        fields.absolute_episodes = moved;
    } else {
        fields.episodes = moved;
    }
    Ok(())
}

/// A season that is said makes the numbers those of the season.
pub(super) fn set_season(fields: &mut Fields, season: u32) {
    renumber(fields, Numbering::Aired);
    fields.seasons = vec![season];
}

/// The role of a file that a person wants after all; `None` where it is nothing
/// that a library could hold.
pub(super) fn wanted_role(file: &FileRole) -> Option<Role> {
    if can_be_included(file.role, &file.fields) {
        return Some(Role::Main);
    }
    match file.role {
        Role::Main | Role::Subtitle => Some(file.role),
        _ => None,
    }
}

/// Whether a file that would be left out for its role becomes one of the films or
/// episodes where a person says `skip` `false` of it.
#[must_use]
pub fn can_be_included(role: Role, fields: &Fields) -> bool {
    let video = fields.container.as_deref().is_some_and(|found| VIDEO.contains(&found));
    video && matches!(role, Role::Sample | Role::Extra | Role::LeftOut)
}

/// Whether a file is a special: it stands in season 0 alone.
pub(super) fn is_special(fields: &Fields) -> bool {
    fields.seasons == [0]
}
