//! The words of the configuration.
#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn each_word_is_read_again_and_others_name_the_choice() {
    for kind in [LibraryKind::Movie, LibraryKind::Series, LibraryKind::Anime, LibraryKind::Other] {
        assert_eq!(kind.to_string().parse::<LibraryKind>().unwrap(), kind);
    }
    for mode in [LinkMode::Hardlink, LinkMode::Reflink, LinkMode::Copy, LinkMode::Symlink] {
        assert_eq!(mode.to_string().parse::<LinkMode>().unwrap(), mode);
    }
    let refused = "film".parse::<LibraryKind>().unwrap_err().to_string();
    assert_eq!(refused, "\"film\" is not one of movie, series, anime, other");
    let refused = "Move".parse::<LinkMode>().unwrap_err().to_string();
    assert_eq!(refused, "\"Move\" is not one of hardlink, reflink, copy, symlink");
}
