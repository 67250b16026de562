//! Signs that nobody sees: those that turn the direction of writing, and those without
//! width. With the first `gpj.exe` looks like `exe.jpg`, with the second two names look
//! the same.
//!
//! Whoever shows a text of somebody else shows it [`straight`]; whoever makes a name of
//! one leaves out what [`is_unseen`]. The text itself stays as it is.

use std::borrow::Cow;

/// Whether a sign turns the direction in which the text around it is written.
#[must_use]
pub const fn turns(sign: char) -> bool {
    matches!(
        sign,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Whether nobody sees a sign: it turns the direction, or has no width.
///
/// The joiners of letters, U+200C and U+200D, are among these, although some scripts are
/// not written without them.
#[must_use]
pub const fn is_unseen(sign: char) -> bool {
    turns(sign)
        || matches!(
            sign,
            '\u{ad}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200d}'
                | '\u{2060}'..='\u{2065}'
                | '\u{206a}'..='\u{206f}'
                | '\u{feff}'
        )
}

/// The text without what turns its direction.
#[must_use]
pub fn straight(text: &str) -> Cow<'_, str> {
    if text.contains(turns) {
        Cow::Owned(text.chars().filter(|sign| !turns(*sign)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The text as one line that can be read and typed: straight, each control sign and each
/// run of white space as one space. Empty where nothing of it is seen.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    let text = straight(text).replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What two texts have in common that nobody can tell apart by looking at them on one line.
#[must_use]
pub fn as_it_looks(text: &str) -> String {
    on_one_line(&text.replace(|sign| !turns(sign) && is_unseen(sign), ""))
}

#[cfg(test)]
mod tests {
    use super::{as_it_looks, is_unseen, on_one_line, straight, turns};

    #[test]
    fn a_line_is_what_can_be_typed() {
        assert_eq!(on_one_line(" a\n\u{202e}b\t\u{a0}c\0"), "a b c");
        assert_eq!(on_one_line("\u{202e}\n"), "");
        assert_eq!(on_one_line("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(as_it_looks("a\u{200b}b \u{feff}\r\nc"), "ab c");
    }

    #[test]
    fn what_turns_the_direction_is_left_out() {
        assert_eq!(straight("Nice.Film.2021\u{202e}vkm.exe"), "Nice.Film.2021vkm.exe");
        assert_eq!(straight("\u{2067}\u{61c}a\u{200f}b\u{2069}"), "ab");
        // Letters that are written from the right are no marks, and joiners turn nothing.
        let plain = "סרט. می\u{200c}خواهم 👩\u{200d}👩";
        assert_eq!(straight(plain), plain);
    }

    #[test]
    fn whatever_turns_is_unseen() {
        for sign in '\0'..=char::MAX {
            assert!(is_unseen(sign) || !turns(sign), "{sign:?}");
        }
        for sign in ['a', ' ', '.', 'م', '👩', '\u{301}', '\u{fe0f}'] {
            assert!(!is_unseen(sign), "{sign:?}");
        }
    }
}
