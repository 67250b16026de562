//! Indexes as they are typed: `1,3-5`.

use std::collections::BTreeSet;
use std::str::FromStr;

/// No torrent has so many files; a range is not written out beyond it.
const MOST: u32 = 1_000_000;

/// Indexes of files, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indexes(pub BTreeSet<u32>);

/// The text is no list of indexes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no list of indexes; write one such as 1,3-5")]
pub struct ParseIndexesError(String);

impl FromStr for Indexes {
    type Err = ParseIndexesError;

    fn from_str(text: &str) -> Result<Self, ParseIndexesError> {
        let refused = || ParseIndexesError(text.to_owned());
        let number = |text: &str| -> Option<u32> {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| digits && *number < MOST)
        };
        let mut found = BTreeSet::new();
        for part in text.split(',') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let (from, to) = number(from).zip(number(to)).ok_or_else(refused)?;
            if from > to {
                return Err(refused());
            }
            found.extend(from..=to);
        }
        Ok(Indexes(found))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn single_ones_and_ranges() {
        let read = |text: &str| text.parse::<Indexes>().ok().map(|found| found.0);
        let of = |numbers: &[u32]| Some(numbers.iter().copied().collect());
        assert_eq!(read("1,3-5"), of(&[1, 3, 4, 5]));
        assert_eq!(read("0"), of(&[0]));
        assert_eq!(read(" 2 , 2-3 "), of(&[2, 3]));
        for wrong in [
            "",
            ",",
            "1,",
            "5-3",
            "-1",
            "1-",
            "+1",
            "a",
            "1..3",
            "1-2-3",
            "4294967296",
            "0-9999999",
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(indexes in prop::collection::btree_set(0u32..5_000, 1..40)) {
            let text: Vec<String> = indexes.iter().map(ToString::to_string).collect();
            prop_assert_eq!(text.join(",").parse::<Indexes>().unwrap().0, indexes);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[0-9,\\- a]{0,24}") {
            if let Ok(found) = text.parse::<Indexes>() {
                prop_assert!(!found.0.is_empty());
            }
        }
    }
}
