//! The table that a word is looked up in.

use super::strong::STRONG;
use super::weak::WEAK;
use super::{Known, Tag};

const SLOTS: usize = 2048;
const STRONG_LEN: u16 = STRONG.len() as u16;
const TABLE: [u16; SLOTS] = table();

const fn hash(word: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < word.len() {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((hash >> 16) ^ hash) as usize % SLOTS
}

/// Slots hold the number of a word plus one: first the strong ones, then the weak.
const fn table() -> [u16; SLOTS] {
    let mut slots = [0_u16; SLOTS];
    let mut number: u16 = 0;
    while (number as usize) < STRONG.len() + WEAK.len() {
        let word = word_at(number).0.as_bytes();
        let mut slot = hash(word);
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = number + 1;
        number += 1;
    }
    slots
}

const fn word_at(number: u16) -> (&'static str, Tag) {
    if number < STRONG_LEN { STRONG[number as usize] } else { WEAK[(number - STRONG_LEN) as usize] }
}

/// The longest word of the table, in bytes.
const LONGEST: usize = 32;

/// Looks up a word in lower case.
pub fn look_up(word: &str) -> Option<Known> {
    if word.len() > LONGEST {
        return None;
    }
    let mut slot = hash(word.as_bytes());
    loop {
        let number = TABLE.get(slot).copied()?.checked_sub(1)?;
        let (known, tag) = word_at(number);
        if known == word {
            return Some(Known { tag, weak: number >= STRONG_LEN });
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_once() {
        for (number, (word, tag)) in STRONG.iter().chain(WEAK).enumerate() {
            let known = look_up(word);
            let weak = number >= STRONG.len();
            assert_eq!(known, Some(Known { tag: *tag, weak }), "{word} stands there twice");
            assert!(word.len() <= LONGEST && *word == word.to_lowercase(), "{word}");
        }
        assert_eq!(look_up("nothing"), None);
        assert_eq!(look_up(""), None);
    }
}
