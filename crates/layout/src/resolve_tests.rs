//! Answers to conflicts.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use tracker_domain::recognised::Role;
use tracker_testkit::spec;

use crate::content_tests::Case;
use crate::{Action, ConflictKind, Plan, Resolution, ResolveError, other_name};

fn answer(target: &str, action: Action) -> Resolution {
    Resolution { target: PathBuf::from(target), action }
}

/// Turns links to these targets into conflicts, as a look at the library does.
fn with_conflicts(mut plan: Plan, targets: &[&str]) -> Plan {
    for link in std::mem::take(&mut plan.links) {
        if targets.iter().any(|target| link.target == Path::new(target)) {
            plan.conflicts.push(link.into_conflict(ConflictKind::TargetExists));
        } else {
            plan.links.push(link);
        }
    }
    plan
}

fn targets(plan: &Plan) -> Vec<&str> {
    plan.links.iter().map(|link| link.target.to_str().unwrap()).collect()
}

const FILM: &str = "/lib/Tide (2010)/Tide (2010).mkv";

fn film() -> Plan {
    let case = Case::film().main("f.mkv").other(Role::Subtitle, &["f.en.srt", "f.ru.srt"]);
    with_conflicts(case.plan(), &[FILM])
}

#[test]
fn three_answers() {
    spec!("file-layout#conflicts-are-answered/three-answers");
    let nothing = |_: &Path| false;
    let kept = film().resolve(&[answer(FILM, Action::Keep)], 255, &nothing).unwrap();
    let reasons: Vec<_> = kept.skipped.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(reasons, ["kept-existing"; 3], "subtitles go with their video");
    assert!(kept.links.is_empty());
    let replaced = film().resolve(&[answer(FILM, Action::Replace)], 255, &nothing).unwrap();
    assert!(replaced.links[0].replaces && !replaced.links[1].replaces);
    assert_eq!(replaced.links[0].target, Path::new(FILM));
    let mut plain = replaced.clone();
    plain.links[0].replaces = false;
    assert_ne!(plain.id(), replaced.id());

    let is_there = |path: &Path| {
        path == Path::new(FILM) || path == Path::new("/lib/Tide (2010)/Tide (2010) (2).ru.srt")
    };
    let other = film().resolve(&[answer(FILM, Action::OtherName)], 255, &is_there).unwrap();
    assert_eq!(
        targets(&other),
        [
            "/lib/Tide (2010)/Tide (2010) (3).mkv",
            "/lib/Tide (2010)/Tide (2010) (3).en.srt",
            "/lib/Tide (2010)/Tide (2010) (3).ru.srt",
        ],
        "a name is free when it is free for all that share it"
    );
    let case = Case::film().main("f.mkv").other(Role::Subtitle, &["f.en.srt"]);
    let subtitles = "/lib/Tide (2010)/Tide (2010).en.srt";
    let both = with_conflicts(case.plan(), &[FILM, subtitles]);
    let answers = [answer(subtitles, Action::OtherName), answer(FILM, Action::OtherName)];
    let both = both.resolve(&answers, 255, &nothing).unwrap();
    assert_eq!(
        targets(&both),
        ["/lib/Tide (2010)/Tide (2010) (2).mkv", "/lib/Tide (2010)/Tide (2010) (2).en.srt"]
    );
}

#[test]
fn two_sources() {
    spec!("file-layout#conflicts-are-answered/two-sources-of-one-name");
    let target = "/lib/Tide (2010)/Season 01/Tide S01E01.mkv";
    let plan = || {
        let case = Case::show().episode("a.mkv", 1, 1).episode("b.mkv", 1, 1);
        case.episode("c.mkv", 1, 2).plan()
    };
    let nothing = |_: &Path| false;
    let kept = plan().resolve(&[answer(target, Action::Keep)], 255, &nothing).unwrap();
    assert_eq!((kept.links.len(), kept.skipped.len()), (2, 1));
    assert_eq!((kept.links[0].file, targets(&kept)[0]), (0, target), "the first of them");
    assert_eq!(kept.skipped[0].reason.as_str(), "duplicate");
    let there = |path: &Path| path == Path::new(target);
    let kept = plan().resolve(&[answer(target, Action::Keep)], 255, &there).unwrap();
    assert_eq!((kept.links.len(), kept.skipped.len()), (1, 2), "what is there stays");
    let error = plan().resolve(&[answer(target, Action::Replace)], 255, &nothing).unwrap_err();
    assert!(matches!(error, ResolveError::Unresolved(open) if open.len() == 2));
    let both = plan().resolve(&[answer(target, Action::OtherName)], 255, &nothing).unwrap();
    assert_eq!(targets(&both)[..2], [target, "/lib/Tide (2010)/Season 01/Tide S01E01 (2).mkv"]);
    let taken = |path: &Path| path == Path::new(target);
    let both = plan().resolve(&[answer(target, Action::OtherName)], 255, &taken).unwrap();
    assert_eq!(
        targets(&both)[..2],
        [
            "/lib/Tide (2010)/Season 01/Tide S01E01 (2).mkv",
            "/lib/Tide (2010)/Season 01/Tide S01E01 (3).mkv"
        ]
    );
}

#[test]
fn wrong_answers() {
    spec!("file-layout#conflicts-are-answered/wrong-answers");
    let nothing = |_: &Path| false;
    let unknown = film().resolve(&[answer("/lib/x.mkv", Action::Keep)], 255, &nothing);
    assert_eq!(unknown, Err(ResolveError::UnknownTarget(PathBuf::from("/lib/x.mkv"))));
    let open = film().resolve(&[], 255, &nothing).unwrap_err();
    assert!(matches!(open, ResolveError::Unresolved(open) if open[0].target == Path::new(FILM)));
    for action in [Action::Replace, Action::OtherName] {
        let mut blocked = film();
        blocked.conflicts[0].kind = ConflictKind::NotAFolder;
        let open = blocked.resolve(&[answer(FILM, action)], 255, &nothing);
        assert!(matches!(open, Err(ResolveError::Unresolved(_))));
    }
    for action in Action::ALL {
        assert_eq!(action.as_str().parse(), Ok(*action));
    }
    assert!("overwrite".parse::<Action>().is_err());
}

#[test]
fn other_names_stay_within_the_limit() {
    spec!("file-layout#conflicts-are-answered/three-answers");
    let name = |target: &str, limit: usize, taken: &[&str]| {
        let found = other_name(Path::new(target), limit, &|path| {
            taken.iter().any(|one| path == Path::new(one))
        });
        found.map(|path| path.to_str().unwrap().to_owned())
    };
    assert_eq!(name("/l/a.mkv", 255, &[]).as_deref(), Some("/l/a (2).mkv"));
    assert_eq!(name("/l/a.MKV", 255, &["/l/a (2).MKV"]).as_deref(), Some("/l/a (3).MKV"));
    assert_eq!(name("/l/noext", 255, &[]).as_deref(), Some("/l/noext (2)"));
    assert_eq!(name("/l/abcdefgh.mkv", 12, &[]).as_deref(), Some("/l/abcd (2).mkv"));
    assert_eq!(name("/l/ЩЩЩЩ.mkv", 13, &[]).as_deref(), Some("/l/ЩЩ (2).mkv"));
    assert_eq!(name("/l/abc.mkv", 7, &[]), None);
}
