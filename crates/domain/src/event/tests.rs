//! The vocabulary of the journal.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::*;

#[test]
fn each_type_has_a_word_of_its_own_and_is_read_from_it() {
    let words: BTreeSet<&str> = EventType::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(words.len(), EventType::ALL.len());
    for kind in EventType::ALL {
        assert_eq!(kind.to_string().parse::<EventType>().unwrap(), *kind);
        let (entity, what) = kind.as_str().split_once('.').unwrap();
        assert!(!entity.is_empty() && !what.is_empty() && !what.contains('.'));
    }
    assert!("download".parse::<EventType>().is_err());
}

#[test]
fn the_required_types_are_there() {
    let required = "download.created|state_changed|infohash_added|infohash_refused|merged|attention|retry_refused \
        recognition.created|accepted hint.added override.set|removed \
        batch.planned|applied|undone|failed client.online|offline \
        job.created|started|done|failed backup.created|done|failed|deleted \
        auth.login|failed|logout|session_revoked user.created|changed token.created|revoked system.started|migrated";
    for group in required.split_whitespace() {
        let (entity, types) = group.split_once('.').unwrap();
        for what in types.split('|') {
            let word = format!("{entity}.{what}");
            assert!(word.parse::<EventType>().is_ok(), "{word}");
        }
    }
}
