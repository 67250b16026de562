//! What a button carries: what is to be done, to which download, and the revision
//! that its reader saw. Everything else is in the database.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use tracker_domain::DownloadId;
use tracker_domain::recognised::TitleKind;

/// The most that a button may carry, in bytes.
const MAX_BYTES: usize = 64;

/// The form of today. Buttons outlive the program that made them, so that another
/// form begins with another digit.
const FORM: char = '1';

/// Form, verb, its number, a point, the id, a point, the revision.
const LONGEST: usize = 1 + 1 + DIGITS_U32 + 1 + ID + 1 + DIGITS_U64;
const ID: usize = 26;
const DIGITS_U32: usize = 10;
const DIGITS_U64: usize = 20;

// Whatever a verb says fits into a button: nothing is left to be found out there.
const _: () = assert!(LONGEST <= MAX_BYTES);

/// What a press asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Show the download as it is now.
    Show,
    /// Show the candidate of this place.
    Candidate(u16),
    /// It is the candidate of this place.
    Accept(u16),
    /// It is none of the candidates.
    NoneFits,
    /// It is of this kind.
    Kind(TitleKind),
    /// It is this season.
    Season(u16),
    /// Show what would be laid out.
    Plan,
    /// Lay it out, where the plan still begins so.
    Apply(PlanMark),
    /// Take back what was laid out.
    Undo,
    /// Try again.
    Retry,
    /// Ask whether to give up.
    Cancel,
    /// Give up.
    CancelSurely,
}

/// The beginning of the digest of a plan: enough to tell that it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanMark(pub u32);

impl PlanMark {
    /// The mark of a plan with this digest in hex.
    #[must_use]
    pub fn of(digest: &str) -> Self {
        let digits = digest.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        // A digest always has them; what has none is told apart from what has.
        PlanMark(digits.unwrap_or_default())
    }
}

/// The content of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Callback {
    /// What is asked for.
    pub verb: Verb,
    /// The download it is about.
    pub download: DownloadId,
    /// The revision that the reader of the button saw.
    pub revision: u64,
}

/// Why the content of a button cannot be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCallbackError {
    /// It is of another version of the program.
    #[error("the button is of another version")]
    OtherForm,
    /// It asks for what this version does not know.
    #[error("the button asks for something unknown")]
    UnknownVerb,
    /// No version of the program made it.
    #[error("the button is malformed")]
    Malformed,
}

impl Verb {
    /// Whether it changes anything, or asks whether to.
    #[must_use]
    pub const fn changes(self) -> bool {
        match self {
            Verb::Show | Verb::Candidate(_) | Verb::Plan => false,
            Verb::Accept(_)
            | Verb::NoneFits
            | Verb::Kind(_)
            | Verb::Season(_)
            | Verb::Apply(_)
            | Verb::Undo
            | Verb::Retry
            | Verb::Cancel
            | Verb::CancelSurely => true,
        }
    }

    fn letter(self) -> char {
        match self {
            Verb::Show => 's',
            Verb::Candidate(_) => 'c',
            Verb::Accept(_) => 'a',
            Verb::NoneFits => 'n',
            Verb::Kind(_) => 'k',
            Verb::Season(_) => 'e',
            Verb::Plan => 'p',
            Verb::Apply(_) => 'l',
            Verb::Undo => 'u',
            Verb::Retry => 'r',
            Verb::Cancel => 'x',
            Verb::CancelSurely => 'y',
        }
    }

    fn number(self) -> Option<u32> {
        match self {
            Verb::Candidate(number) | Verb::Accept(number) | Verb::Season(number) => {
                Some(number.into())
            }
            Verb::Apply(PlanMark(mark)) => Some(mark),
            Verb::Kind(kind) => Some(kind_number(kind)),
            _ => None,
        }
    }

    fn read(letter: char, number: Option<u32>) -> Result<Self, ParseCallbackError> {
        let small = |number| u16::try_from(number).map_err(|_| ParseCallbackError::Malformed);
        Ok(match (letter, number) {
            ('s', None) => Verb::Show,
            ('c', Some(place)) => Verb::Candidate(small(place)?),
            ('a', Some(place)) => Verb::Accept(small(place)?),
            ('n', None) => Verb::NoneFits,
            ('k', Some(number)) => {
                Verb::Kind(kind_of(number).ok_or(ParseCallbackError::UnknownVerb)?)
            }
            ('e', Some(season)) => Verb::Season(small(season)?),
            ('p', None) => Verb::Plan,
            ('l', Some(mark)) => Verb::Apply(PlanMark(mark)),
            ('u', None) => Verb::Undo,
            ('r', None) => Verb::Retry,
            ('x', None) => Verb::Cancel,
            ('y', None) => Verb::CancelSurely,
            (letter, _) if letter.is_ascii_lowercase() => {
                return Err(ParseCallbackError::UnknownVerb);
            }
            _ => return Err(ParseCallbackError::Malformed),
        })
    }
}

fn kind_number(kind: TitleKind) -> u32 {
    match kind {
        TitleKind::Movie => 0,
        TitleKind::Series => 1,
        TitleKind::Anime => 2,
        TitleKind::Other => 3,
    }
}

fn kind_of(number: u32) -> Option<TitleKind> {
    use TitleKind::{Anime, Movie, Other, Series};
    [Movie, Series, Anime, Other].into_iter().find(|kind| kind_number(*kind) == number)
}

impl fmt::Display for Callback {
    /// The content of the button, of at most 64 bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(FORM)?;
        f.write_char(self.verb.letter())?;
        if let Some(number) = self.verb.number() {
            write!(f, "{number}")?;
        }
        write!(f, ".{}.{}", self.download, self.revision)
    }
}

impl FromStr for Callback {
    type Err = ParseCallbackError;

    /// Strict: what is read is written the same again.
    fn from_str(text: &str) -> Result<Self, ParseCallbackError> {
        let malformed = ParseCallbackError::Malformed;
        if text.len() > MAX_BYTES {
            return Err(malformed);
        }
        let mut letters = text.chars();
        match letters.next() {
            Some(FORM) => {}
            Some(digit) if digit.is_ascii_digit() => return Err(ParseCallbackError::OtherForm),
            _ => return Err(malformed),
        }
        let letter = letters.next().ok_or(malformed)?;
        let mut parts = letters.as_str().split('.');
        let (Some(number), Some(id), Some(revision), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(malformed);
        };
        let number = match number {
            "" => None,
            digits => Some(digits.parse().map_err(|_| malformed)?),
        };
        let read = Callback {
            download: id.parse().map_err(|_| malformed)?,
            revision: revision.parse().map_err(|_| malformed)?,
            verb: Verb::read(letter, number)?,
        };
        if read.to_string() == text { Ok(read) } else { Err(malformed) }
    }
}

#[cfg(test)]
mod tests;
