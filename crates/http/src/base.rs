//! The path before all others, where a proxy shows the program beside something else.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The front of every path that the program itself has. A base path that began like one
/// of them would make it unclear which route an address means.
const OWN: &[&str] = &[
    "add",
    "api",
    "backups",
    "batches",
    "bulk",
    "download",
    "events",
    "health",
    "healthz",
    "jobs",
    "library",
    "login",
    "logout",
    "manifest.webmanifest",
    "metrics",
    "ping",
    "poster",
    "preferences",
    "problems",
    "readyz",
    "search",
    "settings",
    "static",
    "why",
];

/// A path prefix that is none of our own paths: empty, or `/` and segments, without a
/// slash at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(Arc<str>);

/// The text is no base path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BasePathError {
    /// It is not spelled like one.
    #[error(
        "{0:?} is not a base path; leave it empty, or write one such as \"/tracker\", without a \
         slash at the end"
    )]
    Spelling(String),
    /// It begins like a path of the program.
    #[error(
        "/{0} is the beginning of paths of tracker itself; choose another, such as \"/tracker\""
    )]
    Taken(String),
}

impl BasePath {
    /// The text, to be put before a path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for BasePath {
    type Err = BasePathError;

    fn from_str(text: &str) -> Result<Self, BasePathError> {
        if text.is_empty() {
            return Ok(BasePath::default());
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        let is_segment =
            |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(plain);
        let Some(rest) = text.strip_prefix('/').filter(|rest| rest.split('/').all(is_segment))
        else {
            return Err(BasePathError::Spelling(text.to_owned()));
        };
        let first = rest.split('/').next().unwrap_or_default();
        if OWN.iter().any(|own| own.eq_ignore_ascii_case(first)) {
            return Err(BasePathError::Taken(first.to_owned()));
        }
        Ok(BasePath(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::{prop_assert, proptest};

    use super::*;

    /// Where routes are declared.
    const SOURCES: [&str; 4] = [
        include_str!("lib.rs"),
        include_str!("api.rs"),
        include_str!("pages.rs"),
        include_str!("pages/login.rs"),
    ];

    #[test]
    fn no_base_path_begins_like_a_route() {
        tracker_testkit::spec!("http-api#a-base-path/one-of-our-own-paths");
        let mut fronts = BTreeSet::new();
        for source in SOURCES {
            for call in source.split(".route(").skip(1) {
                let route = call.trim_start().strip_prefix("\"/");
                // A route that is put together is one below the base path.
                let Some(route) = route else { continue };
                fronts.extend(route.split(['/', '"']).next().filter(|front| !front.is_empty()));
            }
        }
        assert!(fronts.len() > 20, "{fronts:?}");
        assert_eq!(fronts, OWN.iter().copied().collect());
        for front in fronts {
            for text in [format!("/{front}"), format!("/{front}/x"), format!("/{front}/v1/y")] {
                let refused = text.parse::<BasePath>();
                assert_eq!(refused, Err(BasePathError::Taken(front.to_owned())));
            }
        }
    }

    #[test]
    fn a_base_path_has_one_spelling() {
        for good in ["", "/tracker", "/a/b", "/apis", "/my-api", "/tracker/api"] {
            let base = good.parse::<BasePath>();
            assert_eq!(base.as_ref().map(BasePath::as_str), Ok(good));
        }
        for bad in ["/", "tracker", "/a/", "//a", "/a//b", "/..", "/a/.b", "/{id}", "/a b", "/é"] {
            let refused = bad.parse::<BasePath>();
            assert_eq!(refused, Err(BasePathError::Spelling(bad.to_owned())));
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_is_no_route_and_no_pattern(
            text in "(/[a-z.{}*%~]{0,4}|/api|/login|/v1){0,3}",
        ) {
            if let Ok(base) = text.parse::<BasePath>() {
                let front = base.as_str().split('/').nth(1).unwrap_or_default();
                let is_pattern = base.as_str().contains(['{', '}', '*', '%']);
                prop_assert!(!OWN.contains(&front) && !is_pattern, "{}", base);
            }
        }
    }
}
