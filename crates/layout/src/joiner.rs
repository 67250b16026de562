//! The two signs without width that may stay in a name: U+200C and U+200D keep letters
//! apart or join them, and some scripts are not written without them.

use unicode_normalization::char::is_combining_mark;

/// Whether a sign is one of the two.
pub const fn is_joiner(sign: char) -> bool {
    matches!(sign, '\u{200c}' | '\u{200d}')
}

/// Whether a joiner between these two says something that is seen: between letters or
/// marks of a script that needs it, and between pictures of which it makes one.
pub fn is_needed(joiner: char, before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    let pictures = joiner == '\u{200d}' && ends_picture(before) && is_picture(after);
    pictures || (is_joined(before) && is_joined(after))
}

/// A letter or a mark of the scripts from Arabic to Sinhala, or of those of the Far East
/// and the North that join in the same way.
fn is_joined(sign: char) -> bool {
    let of_script = matches!(
        sign,
        '\u{600}'..='\u{8ff}'
            | '\u{900}'..='\u{dff}'
            | '\u{f00}'..='\u{fff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{18af}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
    );
    of_script && (sign.is_alphabetic() || is_combining_mark(sign))
}

const fn is_picture(sign: char) -> bool {
    matches!(sign, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// A picture, or the colour or the form that it is drawn in.
const fn ends_picture(sign: char) -> bool {
    is_picture(sign) || matches!(sign, '\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::is_needed;

    #[test]
    fn joiners_stay_where_they_are_seen() {
        let needed = |joiner, before, after| is_needed(joiner, Some(before), Some(after));
        assert!(needed('\u{200c}', 'ی', 'خ'), "Persian");
        assert!(needed('\u{200d}', '\u{94d}', 'ष'), "Devanagari, behind its virama");
        assert!(needed('\u{200d}', 'র', '\u{9cd}'), "Bengali, before it");
        assert!(needed('\u{200d}', '👩', '👩') && needed('\u{200d}', '\u{fe0f}', '🌈'));
        assert!(!needed('\u{200d}', 'm', ' ') && !needed('\u{200d}', 'a', 'b'));
        assert!(!needed('\u{200c}', 'ی', 'a') && !needed('\u{200c}', '👩', '👩'));
        assert!(!needed('\u{200c}', '\u{61c}', 'خ'), "a mark of direction is no letter");
        assert!(!is_needed('\u{200c}', None, Some('خ')) && !is_needed('\u{200c}', Some('ی'), None));
    }
}
