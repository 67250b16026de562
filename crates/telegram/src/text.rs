//! Texts in the HTML that Telegram reads: escaped, counted as it counts, and cut
//! at a safe place where they are too long.
//!
//! Nothing here knows words of a language; they come from the catalogue.

use std::fmt::Write as _;

/// Characters of a sign that a cut must not part from what stands before them are
/// looked for this far; a longer run of them is nobody's text.
const LONGEST_SIGN: usize = 32;

/// A cut goes back to the end of a word where one ends within this many characters.
const LONGEST_WORD: usize = 80;

/// How long a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The text of a message.
    Message,
    /// The caption of a picture.
    Caption,
}

/// How a stretch of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Bold.
    Bold,
    /// Italic.
    Italic,
    /// Struck through.
    Strike,
}

/// What is appended to a text that was cut: a link to the whole.
#[derive(Clone, Copy, Debug)]
pub struct More<'a> {
    /// What the link says.
    pub label: &'a str,
    /// Where it leads.
    pub url: &'a str,
}

/// A text that is being put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Text(String),
    Code(String),
    Link { label: String, url: String },
    Styled(Style, Vec<Node>),
}

/// A text that may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    html: String,
    plain: String,
    cut: bool,
}

impl Limit {
    /// In UTF-16 units of what is seen, without tags and with escapes resolved.
    #[must_use]
    pub const fn units(self) -> usize {
        match self {
            Limit::Message => 4096,
            Limit::Caption => 1024,
        }
    }
}

impl Style {
    const fn tag(self) -> &'static str {
        match self {
            Style::Bold => "b",
            Style::Italic => "i",
            Style::Strike => "s",
        }
    }
}

impl Draft {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Draft::default()
    }

    /// With this text, as it is.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.with(Node::Text(text.to_owned()))
    }

    /// With a line break.
    #[must_use]
    pub fn line(self) -> Self {
        self.text("\n")
    }

    /// With this text in bold.
    #[must_use]
    pub fn bold(self, text: &str) -> Self {
        self.styled(Style::Bold, Draft::new().text(text))
    }

    /// With this text in letters of one width, which a touch copies.
    #[must_use]
    pub fn code(self, text: &str) -> Self {
        self.with(Node::Code(text.to_owned()))
    }

    /// With a link.
    #[must_use]
    pub fn link(self, label: &str, url: &str) -> Self {
        self.with(Node::Link { label: label.to_owned(), url: url.to_owned() })
    }

    /// With another draft that looks like this.
    #[must_use]
    pub fn styled(self, style: Style, inner: Draft) -> Self {
        self.with(Node::Styled(style, inner.nodes))
    }

    /// With another draft as it is.
    #[must_use]
    pub fn draft(mut self, other: Draft) -> Self {
        self.nodes.extend(other.nodes);
        self
    }

    fn with(mut self, node: Node) -> Self {
        self.nodes.push(node);
        self
    }

    /// The text as it may be sent: whole where it fits, else cut, with the link to
    /// the rest at its end.
    #[must_use]
    pub fn finish(&self, limit: Limit, more: Option<More<'_>>) -> Formatted {
        self.within(limit.units(), more)
    }

    pub(crate) fn within(&self, units: usize, more: Option<More<'_>>) -> Formatted {
        let mut whole = Pen::new(units);
        whole.draw(&self.nodes);
        if !whole.full {
            return Formatted { html: whole.html, plain: whole.plain, cut: false };
        }
        let mut tail = Pen::new(units);
        tail.run("…");
        if let Some(More { label, url }) = more {
            tail.run("\n");
            tail.link(label, url);
        }
        let mut pen = Pen::new(tail.left);
        pen.draw(&self.nodes);
        Formatted { html: pen.html + &tail.html, plain: pen.plain + &tail.plain, cut: true }
    }
}

impl Formatted {
    /// With tags and escapes.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// What a reader sees, for where the other is refused.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// Whether something was left out.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

/// Writes until there is no room.
struct Pen {
    html: String,
    plain: String,
    left: usize,
    full: bool,
}

impl Pen {
    fn new(room: usize) -> Self {
        Pen { html: String::new(), plain: String::new(), left: room, full: false }
    }

    fn draw(&mut self, nodes: &[Node]) {
        for node in nodes {
            if self.full {
                return;
            }
            match node {
                Node::Text(text) => self.run(text),
                Node::Code(text) => self.tagged("code", |pen| pen.run(text)),
                Node::Link { label, url } => self.link(label, url),
                Node::Styled(style, inner) => self.tagged(style.tag(), |pen| pen.draw(inner)),
            }
        }
    }

    fn tagged(&mut self, tag: &str, inner: impl FnOnce(&mut Self)) {
        // A `String` takes whatever is written.
        let _ = write!(self.html, "<{tag}>");
        inner(self);
        let _ = write!(self.html, "</{tag}>");
    }

    fn link(&mut self, label: &str, url: &str) {
        self.html.push_str("<a href=\"");
        escape_into(&mut self.html, url);
        self.html.push_str("\">");
        self.run(label);
        self.html.push_str("</a>");
    }

    fn run(&mut self, text: &str) {
        let clean = cleaned(text);
        let end = safe_end(&clean, self.left);
        self.full = end < clean.len();
        let (kept, _) = clean.split_at(end);
        self.left -= utf16_units(kept);
        self.plain.push_str(kept);
        escape_into(&mut self.html, kept);
    }
}

/// The length of a text as Telegram counts it.
#[must_use]
pub fn utf16_units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Telegram turns control characters into spaces; here it is seen.
fn cleaned(text: &str) -> String {
    let sign = |ch: char| if ch.is_control() && ch != '\n' { ' ' } else { ch };
    text.chars().filter(|ch| *ch != '\r').map(sign).collect()
}

/// The four signs that mean something. Telegram knows no other names, and inside a
/// value a quote ends it.
fn escape_into(html: &mut String, text: &str) {
    for ch in text.chars() {
        match ch {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}

/// Where a text that has this much room may end: after the whole of it, after a
/// word, at least not within a sign.
fn safe_end(text: &str, room: usize) -> usize {
    let mut units = 0;
    let mut end = 0;
    for ch in text.chars() {
        units += ch.len_utf16();
        if units > room {
            break;
        }
        end += ch.len_utf8();
    }
    if end == text.len() {
        return end;
    }
    let (head, rest) = text.split_at(end);
    if rest.starts_with(char::is_whitespace) {
        return end;
    }
    let mut tail = head.char_indices().rev().take(LONGEST_WORD);
    if let Some((space, _)) = tail.find(|(_, ch)| ch.is_whitespace()) {
        return space;
    }
    let mut at = end;
    for _ in 0..LONGEST_SIGN {
        let (head, rest) = text.split_at(at);
        let (Some(before), Some(after)) = (head.chars().next_back(), rest.chars().next()) else {
            return end;
        };
        let within_flag = is_flag_half(after)
            && head.chars().rev().take_while(|ch| is_flag_half(*ch)).count() % 2 == 1;
        if !(joins(after) || before == '\u{200d}' || within_flag) {
            return at;
        }
        at -= before.len_utf8();
    }
    end
}

/// Whether it belongs to the character before it: accents, skin tones, selectors,
/// tags of flags.
fn joins(ch: char) -> bool {
    matches!(ch,
        '\u{0300}'..='\u{036f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

/// Two of them are a flag.
fn is_flag_half(ch: char) -> bool {
    matches!(ch, '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests;
