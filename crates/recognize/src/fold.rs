//! The form in which two names are compared.

use unicode_normalization::UnicodeNormalization;

/// Without case, marks and punctuation; `&` is `and`, `ё` is `е` (its dots are a
/// mark).
pub fn fold(title: &str) -> String {
    let mut folded = String::with_capacity(title.len());
    for character in title.nfkd() {
        if character == '&' {
            folded.push_str("and");
        } else if character.is_alphanumeric() {
            folded.extend(character.to_lowercase());
        }
    }
    folded
}
