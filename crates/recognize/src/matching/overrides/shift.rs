//! Moving all episodes by so many, on top of what was said before.

use tracker_domain::recognised::{EpisodeNumber, Recognised, Role};
use tracker_domain::remark::Remark;

use super::apply::{OverrideProblem, apply_overrides};
use super::change::{is_special, numbers};
use super::numbers::{HIGHEST, shifted, show_list};
use super::said::{OfFile, Said};

/// The field that moves what the names say.
const OFFSET: &str = "episode_offset";

/// Why no episode was moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.remark())]
pub enum ShiftRefused {
    /// Nothing would happen.
    ByNothing,
    /// There is nothing to move.
    NoEpisodes,
    /// A number would leave the range of numbers.
    OutOfRange {
        /// By how many.
        by: i32,
        /// The first number that does not fit.
        episode: EpisodeNumber,
    },
}

impl ShiftRefused {
    /// What is said of it.
    #[must_use]
    pub const fn remark(&self) -> Remark {
        match self {
            ShiftRefused::ByNothing => Remark::ShiftByNothing,
            ShiftRefused::NoEpisodes => Remark::NothingToShift,
            ShiftRefused::OutOfRange { by, episode } => {
                Remark::ShiftTooFar { by: *by, episode: *episode, highest: HIGHEST }
            }
        }
    }
}

/// What has to be set so that all episodes are so many further on than they are
/// with these overrides; `None` takes a field back. `raw` is what the names say.
///
/// What the names say moves by the override `episode_offset`, which is added to;
/// what a person said of a single file is said in its final numbers, so it moves
/// by itself. Specials beside other episodes stay, as with `episode_offset`.
///
/// # Errors
/// Where a number would leave its range, or there is none. Then nothing is to be set.
pub fn shift_all(
    raw: &Recognised,
    overrides: &[(String, String)],
    by: i32,
) -> Result<Vec<(String, Option<String>)>, ShiftRefused> {
    if by == 0 {
        return Err(ShiftRefused::ByNothing);
    }
    let mut now = raw.clone();
    // What could not act before does not now either.
    let _told = apply_overrides(&mut now, overrides);
    let highest = highest(&now).ok_or(ShiftRefused::NoEpisodes)?;
    let refused = |episode| ShiftRefused::OutOfRange { by, episode };
    if shifted(highest, by).is_none_or(|moved| moved > EpisodeNumber::whole(HIGHEST)) {
        return Err(refused(highest));
    }
    let mut changes = Vec::new();
    let mut before = 0;
    for (field, value) in overrides {
        match Said::parse(field, value) {
            Ok(Said::EpisodeOffset(offset)) => before = offset,
            Ok(Said::File(index, OfFile::Episodes(list))) if moves(&now, index) => {
                let moved: Result<Vec<_>, _> = list
                    .iter()
                    .map(|number| shifted(*number, by).ok_or(refused(*number)))
                    .collect();
                changes.push((field.clone(), Some(show_list(&moved?))));
            }
            _ => {}
        }
    }
    let offset = before.saturating_add(by);
    if offset.unsigned_abs() > HIGHEST {
        return Err(refused(highest));
    }
    changes.push((OFFSET.to_owned(), (offset != 0).then(|| offset.to_string())));
    try_out(raw, overrides, &changes, by)?;
    Ok(changes)
}

/// Whether what is said of the episodes of this file moves with the others.
fn moves(now: &Recognised, index: u32) -> bool {
    let regular = now.files.iter().any(|file| file.role == Role::Main && !is_special(&file.fields));
    let own = now.files.iter().find(|file| file.index == index);
    // Before the files are known any of them may be meant.
    own.is_none_or(|file| !(regular && is_special(&file.fields)))
}

fn highest(now: &Recognised) -> Option<EpisodeNumber> {
    if now.files.is_empty() {
        return numbers(&now.fields).iter().max().copied();
    }
    let counted = now.files.iter().filter(|file| matches!(file.role, Role::Main | Role::Subtitle));
    counted.flat_map(|file| numbers(&file.fields)).max().copied()
}

/// The rule of the offset itself decides whether the names can follow it.
fn try_out(
    raw: &Recognised,
    overrides: &[(String, String)],
    changes: &[(String, Option<String>)],
    by: i32,
) -> Result<(), ShiftRefused> {
    let kept = overrides.iter().filter(|(field, _)| changes.iter().all(|(name, _)| name != field));
    let new = changes.iter().filter_map(|(field, value)| Some((field.clone(), value.clone()?)));
    let after: Vec<(String, String)> = kept.cloned().chain(new).collect();
    let below =
        apply_overrides(&mut raw.clone(), &after).into_iter().find_map(|problem| match problem {
            OverrideProblem::BelowZero { episode, .. } => Some(episode),
            _ => None,
        });
    below.map_or(Ok(()), |episode| Err(ShiftRefused::OutOfRange { by, episode }))
}
