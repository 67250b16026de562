//! What forms and queries of pages say.

use std::fmt::Display;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Redirect;
use percent_encoding::percent_decode;
use tracker_app::{Expected, FieldError};
use tracker_domain::torrent::MAX_TORRENT_BYTES;

use crate::body::{read, too_large};
use crate::problem::Problem;
use crate::shared::Shared;
use crate::site;

/// Room for what a form says: with every number of a torrent of very many files in it.
const MAX_FORM_BYTES: usize = MAX_TORRENT_BYTES + 256 * 1024;

/// The most that is taken at once, which is held in memory: each file has its own limit.
pub(crate) const MAX_SENT_BYTES: usize = 128 * 1024 * 1024;

/// The pairs of a query.
pub(crate) struct Asked(Pairs);

/// The pairs of a form that was sent.
pub(crate) struct Posted {
    pairs: Pairs,
    /// The files of it, whole.
    files: Vec<SentFile>,
}

/// One file of a form.
pub(crate) struct SentFile {
    /// The field that it was chosen in.
    field: String,
    /// What it is called where it comes from.
    pub(crate) name: String,
    /// The whole of it; of one that is too large how many bytes it has.
    pub(crate) bytes: Result<Bytes, usize>,
}

/// Names and values in their order; a name may stand more than once.
#[derive(Default)]
struct Pairs(Vec<(String, String)>);

impl Pairs {
    fn read(text: &str) -> Pairs {
        Pairs(url::form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The same of a form, which nobody sends but a program where it is no UTF-8.
    fn written(bytes: &[u8]) -> Result<Pairs, Problem> {
        percent_decode(bytes).decode_utf8().map_err(|_| not_text())?;
        Ok(Pairs(url::form_urlencoded::parse(bytes).into_owned().collect()))
    }

    /// The first value of a name that is not blank.
    fn get(&self, name: &str) -> Option<&str> {
        let named = self.0.iter().filter(|(key, _)| key == name);
        named.map(|(_, value)| value.trim()).find(|value| !value.is_empty())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Asked(Pairs::read(parts.uri.query().unwrap_or_default())))
    }
}

impl Asked {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    /// The id in a value; `None` where there is none.
    pub(crate) fn id<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        let read = |value: &str| value.parse().map_err(|error: T::Err| asked_wrongly(name, error));
        self.get(name).map(read).transpose()
    }

    /// Which of these a value is by its word; `None` where there is none.
    pub(crate) fn one_of<T: Copy>(
        &self,
        name: &str,
        all: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let found = all.iter().copied().find(|one| word(*one) == value);
        found.map(Some).ok_or_else(|| {
            let words: Vec<_> = all.iter().map(|one| word(*one)).collect();
            asked_wrongly(name, format!("{value:?} is none of {}", words.join(", ")))
        })
    }
}

impl<S: Send + Sync> FromRequest<S> for Posted {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let is_multipart = kind
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.starts_with("multipart/form-data"));
        if is_multipart {
            return in_parts(request, state).await;
        }
        let bytes = read(request, MAX_FORM_BYTES).await?;
        Ok(Posted { pairs: Pairs::written(&bytes)?, files: Vec::new() })
    }
}

/// A form with files. One that is too large is none; the others are taken all the same.
async fn in_parts<S: Send + Sync>(request: Request, state: &S) -> Result<Posted, Problem> {
    let broken = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(MAX_SENT_BYTES),
        _ => Problem::unreadable(format!("the form broke off: {}", error.body_text())),
    };
    let parts = Multipart::from_request(request, state).await;
    let mut parts = parts.map_err(|error| Problem::unreadable(error.body_text()))?;
    let mut posted = Posted { pairs: Pairs::default(), files: Vec::new() };
    while let Some(mut part) = parts.next_field().await.map_err(broken)? {
        let field = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(str::to_owned);
        let limit = if file.is_some() { MAX_TORRENT_BYTES } else { MAX_FORM_BYTES };
        let bytes = whole(&mut part, limit).await.map_err(broken)?;
        match file {
            Some(name) => posted.files.push(SentFile { field, name, bytes }),
            None => {
                let bytes = bytes.map_err(|_| too_large(MAX_FORM_BYTES))?;
                let text = str::from_utf8(&bytes).map_err(|_| not_text())?;
                posted.pairs.0.push((field, text.to_owned()));
            }
        }
    }
    Ok(posted)
}

/// A part of a form, up to a limit; of a larger one its size, so that what follows it can
/// be read.
async fn whole(part: &mut Field<'_>, limit: usize) -> Result<Result<Bytes, usize>, MultipartError> {
    let (mut bytes, mut size) = (Vec::new(), 0);
    while let Some(chunk) = part.chunk().await? {
        size += chunk.len();
        if size > limit {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(if size > limit { Err(size) } else { Ok(bytes.into()) })
}

fn not_text() -> Problem {
    Problem::unreadable("a form has to be in UTF-8")
}

impl Posted {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.pairs.get(name)
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.all(name)
    }

    /// The first value of a name with everything at its ends.
    pub(crate) fn whole<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Every pair, in the order of the form.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The files that were chosen under a name; a field without one is sent empty.
    pub(crate) fn files<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a SentFile> {
        let is_one = |file: &SentFile| {
            !file.name.is_empty() || !file.bytes.as_ref().is_ok_and(|bytes| bytes.is_empty())
        };
        self.files.iter().filter(move |file| file.field == name && is_one(file))
    }

    /// The ids under a name.
    pub(crate) fn ids<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Vec<T>, Problem> {
        self.all(name).map(|value| parsed(name, value)).collect()
    }

    /// One id.
    pub(crate) fn id<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Problem> {
        self.get(name).map(|value| parsed(name, value)).transpose()
    }

    /// The revision that the form was made for.
    pub(crate) fn revision(&self) -> Result<Expected, Problem> {
        self.id("revision")
    }

    /// Where the person came from, else `path`: a page of ours.
    pub(crate) fn back(&self, shared: &Shared, path: &str) -> Redirect {
        let wanted = self.get("next").map_or(path, site::local);
        Redirect::to(&shared.url(wanted))
    }
}

fn asked_wrongly(name: &str, why: impl Display) -> Problem {
    Problem::fields(vec![FieldError::query(name, why.to_string())])
}

fn parsed<T: FromStr<Err: Display>>(name: &str, value: &str) -> Result<T, Problem> {
    value.trim().parse().map_err(|error: T::Err| {
        Problem::fields(vec![FieldError::body(&format!("/{name}"), error.to_string())])
    })
}
