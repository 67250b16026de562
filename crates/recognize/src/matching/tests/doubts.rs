//! Doubts that a person's word settles, and those that it does not.

use tracker_domain::Remark;
use tracker_domain::recognised::{Recognised, TitleKind, Verdict};
use tracker_testkit::spec;

use super::overriding::said;
use super::{counted, doubtful, film, show};

/// Whether the names are sure after a person's word about them.
fn settled(names: Recognised, doubt: &str, overrides: &[(&str, &str)]) -> bool {
    let mut names = doubtful(names, &[doubt]);
    said(&mut names, overrides);
    let gone = !names.doubts.iter().any(|left| *left == doubt);
    assert_eq!(gone, names.verdict == Verdict::Sure, "{doubt}: {:?}", names.doubts);
    gone
}

#[test]
fn exactly_what_was_said_is_settled() {
    spec!("matching#a-person-s-word-wins/doubts-that-are-settled");
    let title = [("title", "Ashen Shore")];
    let year = [("year", "2011")];
    let both = [title[0], year[0]];
    let ours = || film("Ashen Shore", 2011);
    for (doubt, overrides, gone) in [
        ("the files have several titles", &title[..], true),
        ("the files have several titles", &year[..], false),
        ("the folder has another year than the file", &year[..], true),
        ("the title seems to go on after the year", &title[..], false),
        ("the title seems to go on after the year", &both[..], true),
        ("a name of the torrent speaks of a series", &[("kind", "movie")][..], true),
        ("the name speaks of a set of films", &both[..], false),
        ("it carries a program or bait (.lnk)", &both[..], false),
        ("the only video is a sample, whatever its title", &both[..], false),
        ("the files are not known yet", &both[..], false),
        ("a hint says another year than the names", &both[..], true),
        ("a hint says another year than the names", &title[..], false),
        ("a hint says another season than the names", &[("season", "1")][..], true),
    ] {
        assert_eq!(settled(ours(), doubt, overrides), gone, "{doubt}");
    }
}

#[test]
fn numbers_are_settled_file_by_file() {
    let twice = || show("Lanterns of Oor", &[(1, 1), (1, 1), (1, 2)]);
    let doubt = "two files hold one episode";
    assert!(settled(twice(), doubt, &[("file.1.skip", "true")]));
    assert!(settled(twice(), doubt, &[("file.1.episodes", "3")]));
    assert!(!settled(twice(), doubt, &[("file.2.episodes", "3")]));
    assert!(!settled(twice(), doubt, &[("title", "Lanterns of Oor")]));

    let doubt = "the name counts episodes or parts in another way than SxxEyy";
    let one = || show("Lanterns of Oor", &[(1, 1)]);
    assert!(settled(one(), doubt, &[("file.0.episodes", "4")]));
    assert!(settled(one(), doubt, &[("numbering", "aired")]));
    assert!(!settled(one(), doubt, &[("year", "2003")]));

    let doubt = "the folder has another season than a file in it";
    assert!(settled(one(), doubt, &[("season", "3")]));
    assert!(settled(one(), doubt, &[("file.0.season", "3")]));

    let doubt = "some videos have an episode number and some do not";
    let mut mixed = show("Lanterns of Oor", &[(1, 1), (1, 2)]);
    mixed.files[1].fields.episodes.clear();
    assert!(settled(mixed.clone(), doubt, &[("file.1.episodes", "2")]));
    assert!(settled(mixed.clone(), doubt, &[("file.1.skip", "true")]));
    assert!(!settled(mixed, doubt, &[("file.1.season", "1")]));

    let doubt = "there are several videos without episode numbers";
    let mut several = film("Ashen Shore", 2011);
    several.files.push(super::file(1, several.files[0].fields.clone()));
    assert!(settled(several.clone(), doubt, &[("file.1.skip", "true")]));
    assert!(settled(several.clone(), doubt, &[("file.0.part", "1"), ("file.1.part", "2")]));
    assert!(!settled(several, doubt, &[("file.0.part", "1")]));
}

#[test]
fn what_a_link_would_lack_is_told() {
    // Sure as a series; as a film it has no year, and too many videos.
    let mut names = show("Lanterns of Oor", &[(1, 1), (1, 2)]);
    said(&mut names, &[("kind", "movie")]);
    assert_eq!((names.verdict, names.doubts.as_slice()), (Verdict::Doubt, &[Remark::NoYear][..]));
    let mut names = show("Lanterns of Oor", &[(1, 1), (1, 2)]);
    said(&mut names, &[("kind", "movie"), ("year", "2003")]);
    assert!(
        names.doubts[0].to_string().contains("several videos for one film"),
        "{:?}",
        names.doubts
    );
    let mut names = film("Ashen Shore", 2011);
    said(&mut names, &[("kind", "series")]);
    assert!(names.doubts[0].to_string().contains("file.0.episodes"), "{:?}", names.doubts);
    let mut names = film("Ashen Shore", 2011);
    said(&mut names, &[("kind", "other")]);
    assert_eq!(names.verdict, Verdict::Doubt);
    // A number through all seasons is one.
    let mut names = counted(TitleKind::Anime, "Lanterns of Oor", &[5]);
    said(&mut names, &[("title", "Lanterns of Oor")]);
    assert_eq!(names.verdict, Verdict::Sure);
}
