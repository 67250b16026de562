//! Text out of HTML: tags go, the few signs that are written with names come back.

/// Tags that stand within a word or line; all others part words.
const INLINE: [&str; 5] = ["b", "i", "em", "strong", "a"];

/// The text alone. What only looks like a tag, as in `a < b`, stays.
pub(crate) fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, found) = rest.split_at(at);
        text.push_str(before);
        let length = match tag(found) {
            Some((inline, length)) => {
                text.push_str(if inline { "" } else { " " });
                length
            }
            None => {
                let (sign, length) = entity(found)
                    .unwrap_or_else(|| (if found.starts_with('<') { '<' } else { '&' }, 1));
                text.push(sign);
                length
            }
        };
        rest = found.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// A tag at the beginning: whether it is an inline one, and its length. One that
/// does not end takes the rest along.
fn tag(text: &str) -> Option<(bool, usize)> {
    let inner = text.strip_prefix('<')?;
    let first = inner.chars().next()?;
    if !(first.is_ascii_alphabetic() || first == '/' || first == '!') {
        return None;
    }
    let length = text.find('>').map_or(text.len(), |end| end + 1);
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = name.split(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
    Some((INLINE.iter().any(|inline| inline.eq_ignore_ascii_case(name)), length))
}

/// `&amp;`, `&#39;`, `&#x27;` at the beginning, as its sign and its length.
fn entity(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner.bytes().take(10).position(|byte| byte == b';')?;
    let name = inner.get(..end)?;
    let sign = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((sign, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_text_stays() {
        let table = [
            ("<p><b>One</b>, two.</p><p>Three</p>", " One, two.  Three "),
            ("a < b & c", "a < b & c"),
            ("Tom &amp; Ann &#39;x&#x27; &hellip; &nosuch; &", "Tom & Ann 'x' … &nosuch; &"),
            ("cut <a href=\"x", "cut "),
            ("&#xD800; &#99999999; &;", "&#xD800; &#99999999; &;"),
            ("фильм<br/>ещё", "фильм ещё"),
            ("<", "<"),
            ("", ""),
        ];
        for (html, text) in table {
            assert_eq!(text_of(html), text, "{html}");
        }
    }
}
