//! HTML as the Bot API reads it, written from its rules and apart from what writes
//! it, so that one mistake is not made twice.

use serde_json::{Value, json};

const TAGS: [&str; 16] = [
    "a",
    "b",
    "strong",
    "i",
    "em",
    "s",
    "strike",
    "del",
    "u",
    "ins",
    "tg-spoiler",
    "tg-emoji",
    "span",
    "pre",
    "code",
    "blockquote",
];

/// A text and what is marked in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parsed {
    pub(super) text: String,
    pub(super) entities: Vec<Value>,
}

/// What a reader sees of a text in HTML.
///
/// # Errors
/// What the Bot API says of one that it cannot read.
pub fn seen(html: &str) -> Result<String, String> {
    parse(html).map(|parsed| parsed.text)
}

struct Open {
    tag: String,
    value: String,
    begin: usize,
}

struct Reader<'a> {
    html: &'a str,
    at: usize,
}

pub(super) fn parse(html: &str) -> Result<Parsed, String> {
    let mut reader = Reader { html, at: 0 };
    let mut parsed = Parsed::default();
    let mut open: Vec<Open> = Vec::new();
    while let Some(ch) = reader.peek() {
        match ch {
            '&' => parsed.text.push(reader.sign()),
            '<' => reader.tag(&mut parsed, &mut open)?,
            other => {
                parsed.text.push(other);
                reader.at += other.len_utf8();
            }
        }
    }
    match open.last() {
        Some(Open { tag, .. }) => {
            Err(format!("Can't find end tag corresponding to start tag \"{tag}\""))
        }
        None => Ok(parsed),
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        &self.html[self.at..]
    }

    /// Takes characters as long as they fit.
    fn while_is(&mut self, fits: impl Fn(char) -> bool) -> String {
        let taken: String = self.rest().chars().take_while(|ch| fits(*ch)).collect();
        self.at += taken.len();
        taken
    }

    /// An escape, or the `&` itself where it is none.
    fn sign(&mut self) -> char {
        self.at += 1;
        let start = self.at;
        let found = if self.rest().starts_with('#') {
            self.at += 1;
            let hex = self.rest().starts_with(['x', 'X']);
            self.at += usize::from(hex);
            let radix = if hex { 16 } else { 10 };
            let digits = self.while_is(|ch| ch.is_digit(radix));
            u32::from_str_radix(&digits, radix)
                .ok()
                .filter(|code| *code != 0)
                .and_then(char::from_u32)
        } else {
            match self.while_is(|ch| ch.is_ascii_alphabetic()).as_str() {
                "lt" => Some('<'),
                "gt" => Some('>'),
                "amp" => Some('&'),
                "quot" => Some('"'),
                _ => None,
            }
        };
        match found {
            Some(_) => self.at += usize::from(self.rest().starts_with(';')),
            None => self.at = start,
        }
        found.unwrap_or('&')
    }

    fn tag(&mut self, parsed: &mut Parsed, open: &mut Vec<Open>) -> Result<(), String> {
        let begin = self.at;
        self.at += 1;
        if self.rest().starts_with('/') {
            self.at += 1;
            let Some(last) = open.pop() else {
                return Err(format!("Unexpected end tag at byte offset {begin}"));
            };
            let name = self.while_is(|ch| !ch.is_whitespace() && ch != '>');
            self.while_is(char::is_whitespace);
            if self.peek() != Some('>') {
                return Err(format!("Unclosed end tag at byte offset {begin}"));
            }
            self.at += 1;
            if !name.is_empty() && name.to_lowercase() != last.tag {
                let tag = last.tag;
                return Err(format!(
                    "Unmatched end tag at byte offset {begin}, expected \"</{tag}>\", found \"</{name}>\""
                ));
            }
            close(parsed, last);
            return Ok(());
        }
        let tag = self.while_is(|ch| !ch.is_whitespace() && ch != '>').to_lowercase();
        if self.peek().is_none() {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        if !TAGS.contains(&tag.as_str()) {
            return Err(format!("Unsupported start tag \"{tag}\" at byte offset {begin}"));
        }
        let value = self.attributes(&tag, begin)?;
        open.push(Open { tag, value, begin: units(&parsed.text) });
        Ok(())
    }

    /// The value of the attribute that matters to the tag, and past its `>`.
    fn attributes(&mut self, tag: &str, begin: usize) -> Result<String, String> {
        let mut kept = String::new();
        loop {
            self.while_is(char::is_whitespace);
            if self.peek() == Some('>') {
                self.at += 1;
                return Ok(kept);
            }
            let name = self.while_is(|ch| !ch.is_whitespace() && !"=>/\"'".contains(ch));
            if name.is_empty() {
                return Err(format!(
                    "Empty attribute name in the tag \"{tag}\" at byte offset {begin}"
                ));
            }
            self.while_is(char::is_whitespace);
            if self.peek() != Some('=') {
                return Err(format!(
                    "Expected equal sign in declaration of an attribute of the tag \"{tag}\" at byte offset {begin}"
                ));
            }
            self.at += 1;
            self.while_is(char::is_whitespace);
            let value = match self.peek() {
                Some(quote @ ('"' | '\'')) => {
                    self.at += 1;
                    self.quoted(quote)
                }
                _ => Some(self.while_is(|ch| ch.is_alphanumeric() || ".-".contains(ch))),
            };
            let value = value.filter(|_| self.peek().is_some());
            let value =
                value.ok_or_else(|| format!("Unclosed start tag at byte offset {begin}"))?;
            if matches!((tag, name.as_str()), ("a", "href") | ("span" | "code", "class")) {
                kept = value;
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut value = String::new();
        loop {
            match self.peek()? {
                '&' => value.push(self.sign()),
                ch if ch == quote => {
                    self.at += 1;
                    return Some(value);
                }
                ch => {
                    value.push(ch);
                    self.at += ch.len_utf8();
                }
            }
        }
    }
}

fn close(parsed: &mut Parsed, open: Open) {
    let length = units(&parsed.text) - open.begin;
    let kind = match open.tag.as_str() {
        "a" if open.value.starts_with("http") => "text_link",
        // An address that is none is left out, its text stays.
        "a" => return,
        "b" | "strong" => "bold",
        "i" | "em" => "italic",
        "s" | "strike" | "del" => "strikethrough",
        "u" | "ins" => "underline",
        other => other,
    };
    if length > 0 {
        let mut entity = json!({ "type": kind, "offset": open.begin, "length": length });
        if kind == "text_link" {
            entity["url"] = open.value.into();
        }
        parsed.entities.push(entity);
    }
}

/// The length of a text as it is counted.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_taken_out_of_the_text() {
        let parsed =
            parse("<b>a &amp; 🎬</b> <a href=\"https://x.example/?a=1&amp;b\">l</a>&nbsp;");
        let entities = vec![
            json!({"type": "bold", "offset": 0, "length": 6}),
            json!({"type": "text_link", "offset": 7, "length": 1, "url": "https://x.example/?a=1&b"}),
        ];
        assert_eq!(parsed, Ok(Parsed { text: "a & 🎬 l&nbsp;".to_owned(), entities }));
        assert_eq!(seen("&lt;&#60;&#x3c;&quot;&;").as_deref(), Ok("<<<\"&;"));
    }

    #[test]
    fn what_cannot_be_read_is_told_in_its_words() {
        let refused = [
            ("<b>a", "Can't find end tag corresponding to start tag \"b\""),
            ("a</b>", "Unexpected end tag at byte offset 1"),
            ("<b>a</i>", "Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\""),
            ("ж<blink>", "Unsupported start tag \"blink\" at byte offset 2"),
            ("a < b", "Unsupported start tag \"\" at byte offset 2"),
            ("a <b", "Unclosed start tag at byte offset 2"),
            ("a <3 and >", "Unsupported start tag \"3\" at byte offset 2"),
            ("<a href=\"x>y</a>", "Unclosed start tag at byte offset 0"),
            ("<a \"x\">y</a>", "Empty attribute name in the tag \"a\" at byte offset 0"),
        ];
        for (html, words) in refused {
            assert_eq!(seen(html), Err(words.to_owned()), "{html}");
        }
    }
}
