//! Numbers of episodes and days, as text and as JSON.

use proptest::prelude::*;

use super::{Date, EpisodeNumber};

#[test]
fn a_number_is_written_as_people_do() {
    let shown =
        |number: EpisodeNumber| (number.to_string(), serde_json::to_string(&number).unwrap());
    assert_eq!(shown(EpisodeNumber::whole(7)), ("7".into(), "7".into()));
    assert_eq!(shown(EpisodeNumber::with_hundredths(12, 50)), ("12.5".into(), "12.5".into()));
    assert_eq!(shown(EpisodeNumber::with_hundredths(3, 5)), ("3.05".into(), "3.05".into()));
    for wrong in ["", "-1", "1.", ".5", "1.234", "a", "4294967296", "1e3"] {
        assert!(wrong.parse::<EpisodeNumber>().is_err(), "{wrong}");
    }
}

#[test]
fn a_day_is_one_of_the_calendar() {
    for right in ["2024-02-29", "1999-12-31", "2000-02-29"] {
        assert_eq!(right.parse::<Date>().unwrap().to_string(), right);
    }
    for wrong in
        ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-01", "24-01-01", ""]
    {
        assert!(wrong.parse::<Date>().is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(whole in 0_u32..100_000, hundredths in 0_u32..100) {
        let number = EpisodeNumber::with_hundredths(whole, hundredths);
        prop_assert_eq!(number.to_string().parse::<EpisodeNumber>().unwrap(), number);
        let json = serde_json::to_string(&number).unwrap();
        prop_assert_eq!(serde_json::from_str::<EpisodeNumber>(&json).unwrap(), number);
        prop_assert_eq!(number.as_whole().is_some(), hundredths == 0);
    }
}
