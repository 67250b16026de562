//! What differs between versions of the Web API, as one table.
//!
//! The version of the API decides, never that of the application.

/// A version of the Web API, such as 2.11.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ApiVersion(pub(crate) u32, pub(crate) u32, pub(crate) u32);

/// The form of a good answer to `torrents/add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddAnswer {
    /// `Ok.` and `Fails.`
    Words,
    /// Counts as JSON, 202 while a link is fetched, 409 when nothing was added.
    Counts,
}

/// What a version of the client can do, and by which names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capabilities {
    pub(crate) version: ApiVersion,
    /// Endpoint that stops a torrent.
    pub(crate) stop: &'static str,
    /// Endpoint that starts a torrent.
    pub(crate) start: &'static str,
    /// Field of an add that says whether the data is taken as whole unchecked.
    pub(crate) unchecked: &'static str,
    /// Form of the answer to an add.
    pub(crate) add_answer: AddAnswer,
}

pub(crate) const STOP_NAMES: [&str; 2] = ["torrents/stop", "torrents/pause"];
pub(crate) const START_NAMES: [&str; 2] = ["torrents/start", "torrents/resume"];

/// qBittorrent 4.5.0; what is older was never tried.
pub(crate) const OLDEST_TRIED: ApiVersion = ApiVersion(2, 8, 18);

impl ApiVersion {
    /// Reads `2.11.4`; a missing part is 0.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().trim_start_matches('v').split('.');
        let major = parts.next()?.parse().ok()?;
        let mut rest = || parts.next().map_or(Some(0), |part| part.parse().ok());
        Some(ApiVersion(major, rest()?, rest()?))
    }
}

impl Capabilities {
    pub(crate) fn of(version: ApiVersion) -> Self {
        let renamed = version >= ApiVersion(2, 11, 0);
        let pick = |names: [&'static str; 2]| if renamed { names[0] } else { names[1] };
        Capabilities {
            version,
            stop: pick(STOP_NAMES),
            start: pick(START_NAMES),
            unchecked: if version >= ApiVersion(2, 16, 0) { "seedMode" } else { "skip_checking" },
            add_answer: if version >= ApiVersion(2, 14, 0) {
                AddAnswer::Counts
            } else {
                AddAnswer::Words
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn row(version: &str) -> (&'static str, &'static str, &'static str, AddAnswer) {
        let known = Capabilities::of(ApiVersion::parse(version).unwrap());
        (known.stop, known.start, known.unchecked, known.add_answer)
    }

    #[test]
    fn each_release_has_its_names() {
        tracker_testkit::spec!("qbittorrent-client#versions-by-the-api/a-release-and-its-names");
        use AddAnswer::{Counts, Words};
        let (stop, start) = ("torrents/stop", "torrents/start");
        let (pause, resume) = ("torrents/pause", "torrents/resume");
        // 4.5.2
        assert_eq!(row("2.8.19"), (pause, resume, "skip_checking", Words));
        // 4.6.7
        assert_eq!(row("2.9.3"), (pause, resume, "skip_checking", Words));
        // The first API version with the new names.
        assert_eq!(row("2.11.0"), (stop, start, "skip_checking", Words));
        // 5.0.0
        assert_eq!(row("2.11.2"), (stop, start, "skip_checking", Words));
        // 5.1.0 to 5.1.4
        assert_eq!(row("2.11.4"), (stop, start, "skip_checking", Words));
        // 5.2.0 to 5.2.3
        assert_eq!(row("2.15.1"), (stop, start, "skip_checking", Counts));
        // 5.3.0
        assert_eq!(row("2.16.2"), (stop, start, "seedMode", Counts));
        // What comes later is taken to be like the newest known.
        assert_eq!(row("3.0"), (stop, start, "seedMode", Counts));
    }

    #[test]
    fn versions_are_read_or_refused() {
        assert_eq!(ApiVersion::parse(" 2.8.19\n"), Some(ApiVersion(2, 8, 19)));
        assert_eq!(ApiVersion::parse("2.11"), Some(ApiVersion(2, 11, 0)));
        assert_eq!(ApiVersion::parse("<html>"), None);
        assert_eq!(ApiVersion::parse("2.x"), None);
        assert_eq!(ApiVersion::parse(""), None);
    }
}
