//! The codes of attention, against the published list.
#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn the_codes_are_exactly_the_published_ones() {
    let published = "needs-review no-metadata metadata-unavailable stalled client-unknown client-error \
        client-rejected client-cannot-v2 client-missing gone-from-client disk-full path-unmapped \
        source-missing source-changed link-failed conflict archive unsafe-content not-media \
        infohash-owned merge-differs";
    let words: Vec<&str> = Attention::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(words, published.split_whitespace().collect::<Vec<_>>());
    for code in Attention::ALL {
        assert_eq!(code.to_string().parse::<Attention>().unwrap(), *code);
    }
    assert!("Stalled".parse::<Attention>().is_err());
    assert!("".parse::<Attention>().is_err());
}

#[test]
fn three_codes_go_with_failed() {
    let failing: Vec<&str> =
        Attention::ALL.iter().filter(|code| code.fails()).map(|code| code.as_str()).collect();
    assert_eq!(failing, ["client-rejected", "client-missing", "infohash-owned"]);
}
