//! The kinds of entity.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::*;

#[test]
fn each_kind_has_a_word_of_its_own_and_is_read_from_it() {
    let words: BTreeSet<&str> = EntityKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(words.len(), EntityKind::ALL.len());
    for kind in EntityKind::ALL {
        assert_eq!(kind.to_string().parse::<EntityKind>().unwrap(), *kind);
    }
    assert!("Download".parse::<EntityKind>().is_err());
}

#[test]
fn the_kinds_are_those_of_the_requirements() {
    let words: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.as_str()).collect();
    for word in [
        "download",
        "recognition",
        "hint",
        "override",
        "metadata_candidate",
        "file_link",
        "event",
        "job",
        "backup",
        "apply_batch",
    ] {
        assert!(words.contains(&word), "{word}");
    }
}
