//! Which releases belong together for what is remembered: those of one group
//! and one title, as the names alone say them.

use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Fields, Role, TitleKind};

use crate::fold::fold;
use crate::{Names, whole};

/// What a release is one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The group as it is written.
    pub group: String,
    /// The title as it is written.
    pub title: String,
    /// Equal for releases of one group.
    pub group_key: String,
    /// Equal for releases of one title.
    pub title_key: String,
}

/// Why nothing can be remembered for a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRelease {
    /// No name has a group.
    #[error("its names tell no release group, so nothing can be remembered for one")]
    NoGroup,
    /// No name has a title.
    #[error("its names tell no title, so nothing can be remembered for it")]
    NoTitle,
}

/// Reads which release it is. Hints are no names, so they do not count.
///
/// One title is the same folded title with the same year, or with none, and of the
/// same sort: a film, or something in episodes. What differs in one of them may be
/// another work, and being wrong costs more than asking again.
///
/// # Errors
/// When the names lack a group or a title.
pub fn release(names: &Names<'_>, files: &[RemoteFile]) -> Result<Release, NoRelease> {
    let found = whole::recognise(&Names { hints: &[], ..*names }, files);
    let fields = &found.fields;
    let group = fields.group.as_deref().map(str::trim).filter(|group| !group.is_empty());
    let group = group.ok_or(NoRelease::NoGroup)?;
    let title = fields.title.as_deref().unwrap_or_default();
    let mut title_key = fold(title);
    if title_key.is_empty() {
        return Err(NoRelease::NoTitle);
    }
    // Nothing that is folded has a blank in it.
    if let Some(year) = fields.year {
        title_key.push_str(&format!(" {year}"));
    }
    let mains = found.files.iter().filter(|file| file.role == Role::Main);
    if is_in_episodes(fields) || mains.map(|file| &file.fields).any(is_in_episodes) {
        title_key.push_str(" episodes");
    }
    Ok(Release {
        group: group.to_owned(),
        title: title.to_owned(),
        group_key: group.to_lowercase(),
        title_key,
    })
}

fn is_in_episodes(fields: &Fields) -> bool {
    matches!(fields.kind, Some(TitleKind::Series | TitleKind::Anime))
        || fields.date.is_some()
        || !(fields.seasons.is_empty()
            && fields.episodes.is_empty()
            && fields.absolute_episodes.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn keys(name: &str) -> Result<(String, String), NoRelease> {
        let names = Names { client: Some(name), ..Names::default() };
        release(&names, &[]).map(|found| (found.group_key, found.title_key))
    }

    fn both(group: &str, title: &str) -> Result<(String, String), NoRelease> {
        Ok((group.to_owned(), title.to_owned()))
    }

    #[test]
    fn one_group_and_title_have_one_key() {
        let wanted = both("grp", "exampleshow episodes");
        for name in [
            "Example.Show.S02.1080p.WEB-DL.H264-GRP",
            "Example.Show.S03E01.1080p.WEB-DL.H264-GRP",
            "example.show.s01e02.720p.hdtv.x264-grp",
        ] {
            assert_eq!(keys(name), wanted, "{name}");
        }
    }

    #[test]
    fn what_may_be_another_work_has_another_key() {
        let names = [
            "Example.1984.1080p.BluRay.x264-GRP",
            "Example.2021.1080p.BluRay.x264-GRP",
            "Example.S01.1080p.BluRay.x264-GRP",
            "Example.2021.S01.1080p.BluRay.x264-GRP",
            "Example.Too.2021.1080p.BluRay.x264-GRP",
            "Example.2021.1080p.BluRay.x264-OTHER",
        ];
        let mut found: Vec<_> = names.iter().map(|name| keys(name).unwrap()).collect();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), names.len(), "{found:?}");
    }

    #[test]
    fn hints_are_no_names() {
        let hints = ["the film of 1999".to_owned()];
        let name = "Example.1080p.BluRay.x264-GRP";
        let names = Names { client: Some(name), hints: &hints, ..Names::default() };
        let found = release(&names, &[]).unwrap();
        assert_eq!(Ok((found.group_key, found.title_key)), keys(name));
        assert_eq!((found.group.as_str(), found.title.as_str()), ("GRP", "Example"));
    }

    #[test]
    fn without_a_group_or_a_title_there_is_none() {
        assert_eq!(keys("Example 2021"), Err(NoRelease::NoGroup));
        assert_eq!(keys(""), Err(NoRelease::NoGroup));
    }
}
