//! How values get into a page: as text and never as markup, and without the signs that
//! turn the direction of writing. Names of releases and files are of strangers, and with
//! such a sign `exe.mkv` may be seen where a program lies.

use std::fmt::{self, Write};

use askama::filters::{Escaper, Html};
use tracker_domain::unseen::turns;

/// What a page does with each value; `askama.toml` names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown;

impl Escaper for Shown {
    fn write_escaped_str<W: Write>(&self, mut dest: W, text: &str) -> fmt::Result {
        // Nearly every text is without them, and written at once.
        text.split(turns).try_for_each(|part| Html.write_escaped_str(&mut dest, part))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use askama::filters::Escaper;
    use proptest::prelude::*;
    use tracker_domain::unseen::turns;
    use tracker_testkit::spec;

    use super::Shown;

    fn shown(text: &str) -> String {
        let mut page = String::new();
        Shown.write_escaped_str(&mut page, text).unwrap();
        page
    }

    #[test]
    fn what_turns_the_direction_is_not_shown() {
        spec!("web-ui#names-of-strangers/marks-of-direction");
        assert_eq!(shown("Nice.Film.2021\u{202e}vkm.exe"), "Nice.Film.2021vkm.exe");
        assert_eq!(shown("\u{2067}<b>\u{2069}"), "&#60;b&#62;");
    }

    proptest! {
        #[test]
        fn nothing_that_turns_gets_out(
            text in "[a<&\"'\u{61c}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{5d0}]{0,40}|\\PC{0,40}"
        ) {
            spec!("web-ui#names-of-strangers/marks-of-direction");
            let page = shown(&text);
            prop_assert!(!page.contains(turns), "{page:?}");
            prop_assert!(!page.contains(['<', '>', '"', '\'']), "{page:?}");
        }
    }
}
