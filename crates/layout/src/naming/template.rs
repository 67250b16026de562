//! A pattern for names: read once, refused with the place of the mistake, and
//! filled for each file.
//!
//! `{token}` is a value, `<…>` vanishes when a value in it is missing, `|` in it
//! parts what is tried in order, `/` parts folders. `<`, `>` and `|` stand in no
//! name of a file, so they need no escape; a brace is doubled.

use std::fmt::Write;

/// A value that a pattern can ask for. Numbers have a least width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The title.
    Title,
    /// The title in its own language, or the title.
    OriginalTitle,
    /// The year of release.
    Year,
    /// The cut, such as `Director's Cut`.
    Edition,
    /// `1080p`.
    Resolution,
    /// `BluRay`.
    Source,
    /// Who made the release.
    Group,
    /// The season; the year of a daily programme.
    Season(usize),
    /// The episode, `01-E02` for a run, `01E03` for others.
    Episode(usize),
    /// The number through all seasons.
    Absolute(usize),
    /// The name of the episode.
    EpisodeTitle,
    /// The day of a daily programme.
    Date,
    /// The part of a film.
    Part,
    /// The number at a source of titles, as the policy writes it.
    Id,
}

/// What a name is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A film.
    Movie,
    /// An episode of a series.
    Episode,
    /// An episode of an anime.
    Anime,
}

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {column}: {message}")]
pub struct TemplateError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What is wrong and what to write.
    pub message: String,
}

/// A pattern that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Token(Token),
    Choice(Vec<Vec<Piece>>),
}

/// Gives values to a pattern.
pub trait Values {
    /// The value of a token; `None` where it is not known.
    fn value(&self, token: Token) -> Option<String>;
}

/// What a part of a pattern became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// The text.
    pub text: String,
    /// How often a title stands in it.
    pub titles: usize,
    /// A number or a day of an episode stands in it.
    pub numbered: bool,
}

/// Groups in groups: more than these nobody reads.
const DEEPEST: usize = 4;

const WORDS: &[(&str, Token)] = &[
    ("title", Token::Title),
    ("original_title", Token::OriginalTitle),
    ("year", Token::Year),
    ("edition", Token::Edition),
    ("resolution", Token::Resolution),
    ("source", Token::Source),
    ("group", Token::Group),
    ("season", Token::Season(1)),
    ("episode", Token::Episode(1)),
    ("absolute", Token::Absolute(1)),
    ("episode_title", Token::EpisodeTitle),
    ("date", Token::Date),
    ("part", Token::Part),
    ("id", Token::Id),
];

impl Token {
    /// Whether names of this use know the value.
    const fn is_for(self, for_use: Use) -> bool {
        let of_episode = matches!(
            self,
            Token::Season(_)
                | Token::Episode(_)
                | Token::Absolute(_)
                | Token::EpisodeTitle
                | Token::Date
        );
        match for_use {
            Use::Movie => !of_episode,
            Use::Episode | Use::Anime => !matches!(self, Token::Part),
        }
    }

    const fn is_title(self) -> bool {
        matches!(self, Token::Title | Token::OriginalTitle)
    }

    const fn is_number(self) -> bool {
        matches!(self, Token::Episode(_) | Token::Absolute(_) | Token::Date)
    }
}

/// The tokens of a use, as a person writes them.
fn allowed(for_use: Use) -> String {
    let mut list = String::new();
    for (word, _) in WORDS.iter().filter(|(_, token)| token.is_for(for_use)) {
        let gap = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{gap}{{{word}}}");
    }
    if for_use != Use::Movie {
        list.push_str("; numbers with zeros in front as {episode:00}");
    }
    list
}

impl Template {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn parse(text: &str, for_use: Use) -> Result<Self, TemplateError> {
        let mut reader = Reader { chars: text.chars().collect(), at: 0, for_use };
        let mut parts = vec![reader.sequence(0)?];
        while reader.peek() == Some('/') {
            reader.at += 1;
            parts.push(reader.sequence(0)?);
        }
        if let Some(empty) = parts.iter().position(|part| is_blank(part)) {
            let what = if empty + 1 == parts.len() { "file" } else { "folder" };
            return Err(reader.error(format!(
                "the name of a {what} is empty; write no / at the ends and none beside another"
            )));
        }
        let template = Template { parts };
        template.check(for_use).map_err(|message| reader.error(message))?;
        Ok(template)
    }

    /// Whether names of it can be told from each other.
    fn check(&self, for_use: Use) -> Result<(), String> {
        let Some((file, _)) = self.parts.split_last() else {
            return Err("it is empty".to_owned());
        };
        let has = |wanted: fn(Token) -> bool| file.iter().any(|piece| piece.has(wanted));
        match for_use {
            Use::Movie if !has(Token::is_title) => {
                Err("the name of the file needs {title} or {original_title}".to_owned())
            }
            Use::Episode | Use::Anime if !has(Token::is_number) => {
                Err("the name of the file needs {episode}, {absolute} or {date}: \
                 without it all episodes have one name"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The number of folders and the file.
    pub fn depth(&self) -> usize {
        self.parts.len()
    }

    /// How many of its folders are of the title as a whole, not of a season.
    pub fn title_depth(&self) -> usize {
        let of_season = |token: Token| matches!(token, Token::Season(_) | Token::EpisodeTitle);
        let folders = self.parts.len().saturating_sub(1);
        let season = self.parts.iter().take(folders).position(|part| {
            part.iter().any(|piece| piece.has(of_season) || piece.has(Token::is_number))
        });
        season.unwrap_or(folders)
    }

    /// Fills one part. A label comes before the part of a film, or last: stacked
    /// parts are told by what ends their names.
    pub fn fill(&self, part: usize, values: &dyn Values, label: Option<&str>) -> Filled {
        let Some(pieces) = self.parts.get(part) else {
            return Filled::default();
        };
        let is_part = |token: Token| token == Token::Part;
        let at = pieces.iter().rposition(|piece| piece.has(is_part)).unwrap_or(pieces.len());
        let (front, back) = pieces.split_at_checked(at).unwrap_or((pieces, &[]));
        let mut filled = Filled::default();
        fill(front, values, &mut filled);
        if let Some(label) = label {
            let _ = write!(filled.text, " - {label}");
        }
        fill(back, values, &mut filled);
        filled
    }
}

impl Piece {
    fn has(&self, wanted: fn(Token) -> bool) -> bool {
        match self {
            Piece::Text(_) => false,
            Piece::Token(token) => wanted(*token),
            Piece::Choice(ways) => ways.iter().flatten().any(|piece| piece.has(wanted)),
        }
    }
}

fn is_blank(part: &[Piece]) -> bool {
    part.iter().all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty()))
}

/// Fills pieces; whether every value in them was there, and one at all.
fn fill(pieces: &[Piece], values: &dyn Values, into: &mut Filled) -> bool {
    let (mut all, mut any) = (true, false);
    for piece in pieces {
        match piece {
            Piece::Text(text) => into.text.push_str(text),
            Piece::Token(token) => match values.value(*token) {
                Some(value) => {
                    any = true;
                    into.titles += usize::from(token.is_title());
                    into.numbered |= token.is_number();
                    into.text.push_str(&value);
                }
                None => all = false,
            },
            Piece::Choice(ways) => {
                for way in ways {
                    let mut tried = Filled::default();
                    if fill(way, values, &mut tried) {
                        any = true;
                        into.text.push_str(&tried.text);
                        into.titles += tried.titles;
                        into.numbered |= tried.numbered;
                        break;
                    }
                }
            }
        }
    }
    all && any
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    for_use: Use,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn error(&self, message: impl Into<String>) -> TemplateError {
        TemplateError { column: self.at + 1, message: message.into() }
    }

    /// Everything up to what ends it: `/` outside of groups, `|` or `>` inside.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Piece>, TemplateError> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        while let Some(next) = self.peek() {
            let doubled = self.chars.get(self.at + 1) == Some(&next);
            match next {
                '/' if depth == 0 => break,
                '/' => return Err(self.error("a / cannot stand between < and >")),
                '|' | '>' if depth > 0 => break,
                '|' | '>' => return Err(self.error(format!("there is a {next} without a <"))),
                '<' => {
                    push_text(&mut pieces, &mut text);
                    pieces.push(self.choice(depth + 1)?);
                }
                '{' | '}' if doubled => {
                    text.push(next);
                    self.at += 2;
                }
                '{' => {
                    push_text(&mut pieces, &mut text);
                    pieces.push(Piece::Token(self.token()?));
                }
                '}' => return Err(self.error("there is a } without a {; a brace is written }}")),
                ':' | '"' | '\\' | '?' | '*' => {
                    return Err(self.error(format!(
                        "{next:?} cannot stand in the name of a file on every filesystem"
                    )));
                }
                _ if next.is_control() => {
                    return Err(self.error("a control character cannot stand in a name"));
                }
                _ => {
                    text.push(next);
                    self.at += 1;
                }
            }
        }
        push_text(&mut pieces, &mut text);
        Ok(pieces)
    }

    /// `<one|other>`.
    fn choice(&mut self, depth: usize) -> Result<Piece, TemplateError> {
        let opened = self.at;
        if depth > DEEPEST {
            return Err(self.error(format!("more than {DEEPEST} < are open at once")));
        }
        let mut ways = Vec::new();
        loop {
            self.at += 1;
            let way = self.sequence(depth)?;
            if !way.iter().any(|piece| piece.has(|_| true)) {
                return Err(self.error("no {token} stands here, so it would never be written"));
            }
            ways.push(way);
            match self.peek() {
                Some('|') => {}
                Some(_) => break,
                None => {
                    self.at = opened;
                    return Err(self.error("there is a < without a >"));
                }
            }
        }
        self.at += 1;
        Ok(Piece::Choice(ways))
    }

    /// `{season:00}`.
    fn token(&mut self) -> Result<Token, TemplateError> {
        let rest = self.chars.get(self.at + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|one| *one == '}') else {
            return Err(self.error("there is a { without a }; a brace is written {{"));
        };
        let inner: String = rest.iter().take(length).collect();
        let (word, zeros) = match inner.split_once(':') {
            Some((word, zeros)) => (word, Some(zeros)),
            None => (inner.as_str(), None),
        };
        let known = WORDS.iter().find(|(name, _)| *name == word).map(|(_, token)| *token);
        let Some(token) = known.filter(|token| token.is_for(self.for_use)) else {
            let message =
                format!("{{{inner}}} is not known here; write one of {}", allowed(self.for_use));
            return Err(self.error(message));
        };
        let width = match zeros {
            None => 1,
            Some(zeros)
                if (1..=6).contains(&zeros.len()) && zeros.bytes().all(|one| one == b'0') =>
            {
                zeros.len()
            }
            Some(_) => 0,
        };
        let token = match token {
            _ if width == 0 => None,
            Token::Season(_) => Some(Token::Season(width)),
            Token::Episode(_) => Some(Token::Episode(width)),
            Token::Absolute(_) => Some(Token::Absolute(width)),
            other => zeros.is_none().then_some(other),
        };
        let token = token.ok_or_else(|| {
            self.error(format!(
                "{{{inner}}}: behind the : stand zeros, and only for numbers, as {{episode:00}}"
            ))
        })?;
        self.at += length + 2;
        Ok(token)
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &mut String) {
    if !text.is_empty() {
        pieces.push(Piece::Text(std::mem::take(text)));
    }
}
