//! A reader of bencode that keeps byte ranges.
//!
//! An infohash is the hash of the raw bytes of `info`: a value that was decoded
//! and encoded again can have another one without anyone noticing.

use std::ops::Range;

/// Deeper nesting than this is refused; real torrents stay below 20 plus the
/// depth of their folders.
const MAX_DEPTH: usize = 256;

/// More values than this are refused: an empty list takes two bytes of input
/// and some forty of memory, and the largest real torrents have about a million.
const MAX_VALUES: usize = 2_000_000;

/// Why bytes are not bencode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BencodeError {
    /// The bytes end inside a value.
    #[error("the data ends at byte {0}, inside a value")]
    Truncated(usize),
    /// The byte at this offset cannot stand there.
    #[error("byte {0} cannot stand where it does")]
    Unexpected(usize),
    /// A number has leading zeros, a lone minus or too many digits.
    #[error("the number at byte {0} is malformed")]
    Number(usize),
    /// Lists and dictionaries are nested too deep.
    #[error("values are nested deeper than {MAX_DEPTH} levels at byte {0}")]
    Depth(usize),
    /// More values than any real torrent has.
    #[error("there are more than {MAX_VALUES} values before byte {0}")]
    TooMany(usize),
    /// There is something after the value.
    #[error("{0} bytes follow after the end of the value")]
    Trailing(usize),
}

/// One value, borrowed from the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number.
    Int(i64),
    /// Bytes; text is not assumed.
    Bytes(&'a [u8]),
    /// A list.
    List(Vec<Value<'a>>),
    /// A dictionary, in the order of the input.
    Dict(Dict<'a>),
}

/// A dictionary that knows where it stood in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dict<'a> {
    entries: Vec<(&'a [u8], Value<'a>)>,
    range: Range<usize>,
}

impl<'a> Dict<'a> {
    /// The first value under the key.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<&Value<'a>> {
        self.entries.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Keys and values, in the order of the input.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [u8], &Value<'a>)> {
        self.entries.iter().map(|(name, value)| (*name, value))
    }

    /// Where the dictionary stood, its `d` and `e` included.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl<'a> Value<'a> {
    /// The number, when it is one.
    #[must_use]
    pub const fn int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The bytes, when they are.
    #[must_use]
    pub const fn bytes(&self) -> Option<&'a [u8]> {
        match self {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The items, when it is a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The dictionary, when it is one.
    #[must_use]
    pub const fn dict(&self) -> Option<&Dict<'a>> {
        match self {
            Value::Dict(dict) => Some(dict),
            _ => None,
        }
    }
}

/// Reads one value that fills the input.
///
/// # Errors
/// When the bytes are not bencode, or something follows the value.
pub fn parse(input: &[u8]) -> Result<Value<'_>, BencodeError> {
    let mut reader = Reader { input, at: 0, values: 0 };
    let value = reader.value(0)?;
    match input.len() - reader.at {
        0 => Ok(value),
        more => Err(BencodeError::Trailing(more)),
    }
}

struct Reader<'a> {
    input: &'a [u8],
    at: usize,
    values: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Result<u8, BencodeError> {
        self.input.get(self.at).copied().ok_or(BencodeError::Truncated(self.at))
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, BencodeError> {
        if depth > MAX_DEPTH {
            return Err(BencodeError::Depth(self.at));
        }
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(BencodeError::TooMany(self.at));
        }
        match self.peek()? {
            b'i' => {
                self.at += 1;
                let number = self.number(b'e')?;
                Ok(Value::Int(number))
            }
            b'0'..=b'9' => self.bytes().map(Value::Bytes),
            b'l' => {
                self.at += 1;
                let mut items = Vec::new();
                while self.peek()? != b'e' {
                    items.push(self.value(depth + 1)?);
                }
                self.at += 1;
                Ok(Value::List(items))
            }
            b'd' => self.dict(depth).map(Value::Dict),
            _ => Err(BencodeError::Unexpected(self.at)),
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Dict<'a>, BencodeError> {
        let start = self.at;
        self.at += 1;
        let mut entries = Vec::new();
        while self.peek()? != b'e' {
            let key = self.bytes()?;
            entries.push((key, self.value(depth + 1)?));
        }
        self.at += 1;
        Ok(Dict { entries, range: start..self.at })
    }

    fn bytes(&mut self) -> Result<&'a [u8], BencodeError> {
        let start = self.at;
        if !self.peek()?.is_ascii_digit() {
            return Err(BencodeError::Unexpected(start));
        }
        let length =
            usize::try_from(self.number(b':')?).map_err(|_| BencodeError::Number(start))?;
        let end = self.at.checked_add(length).ok_or(BencodeError::Number(start))?;
        let bytes =
            self.input.get(self.at..end).ok_or(BencodeError::Truncated(self.input.len()))?;
        self.at = end;
        Ok(bytes)
    }

    /// Digits with an optional minus, up to `end`.
    fn number(&mut self, end: u8) -> Result<i64, BencodeError> {
        let start = self.at;
        while self.peek()? != end {
            // 20 characters hold every i64; more would only cost time.
            if self.at - start >= 20 {
                return Err(BencodeError::Number(start));
            }
            self.at += 1;
        }
        let digits = &self.input[start..self.at];
        self.at += 1;
        let unsigned = digits.strip_prefix(b"-").unwrap_or(digits);
        let plain = unsigned.iter().all(u8::is_ascii_digit)
            && !unsigned.is_empty()
            && (unsigned == b"0" && unsigned.len() == digits.len() || unsigned[0] != b'0');
        std::str::from_utf8(digits)
            .ok()
            .filter(|_| plain)
            .and_then(|text| text.parse().ok())
            .ok_or(BencodeError::Number(start))
    }
}

#[cfg(test)]
mod tests;
