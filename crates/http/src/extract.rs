//! Extractors whose rejections are problems.

use std::fmt::Display;
use std::str::FromStr;

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use tracker_app::{Expected, FieldError};
use tracker_domain::Actor;

use crate::body::{Body, FromBody};
use crate::code::Code;
use crate::params::{FromParams, Reader};
use crate::problem::Problem;

/// The one segment of the path that varies. What does not parse is a thing that
/// does not exist: 404, and nothing is asked of the database.
pub(crate) struct Parsed<T>(pub(crate) T);

impl<S: Send + Sync, T> FromRequestParts<S> for Parsed<T>
where
    T: FromStr<Err: Display>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let none = |detail: String| Problem::new(Code::NotFound).detail(detail);
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| none("the path is not UTF-8".to_owned()))?;
        text.parse().map(Parsed).map_err(|error: T::Err| none(format!("this is no id: {error}")))
    }
}

/// The two segments of the path that vary, in their order.
pub(crate) struct ParsedPair<A, B>(pub(crate) A, pub(crate) B);

impl<S: Send + Sync, A, B> FromRequestParts<S> for ParsedPair<A, B>
where
    A: FromStr<Err: Display>,
    B: FromStr<Err: Display>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let none = |detail: String| Problem::new(Code::NotFound).detail(detail);
        let Path((first, second)) = Path::<(String, String)>::from_request_parts(parts, state)
            .await
            .map_err(|_| none("the path is not UTF-8".to_owned()))?;
        let first = first.parse().map_err(|error: A::Err| none(format!("this is no id: {error}")));
        let second =
            second.parse().map_err(|error: B::Err| none(format!("this is no id: {error}")));
        Ok(ParsedPair(first?, second?))
    }
}

/// Who asks, as the token says.
pub(crate) struct Caller(pub(crate) Actor);

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let actor = parts.extensions.get::<Actor>().cloned();
        actor.map(Caller).ok_or_else(|| Problem::fault("a handler without a caller".to_owned()))
    }
}

/// The query of a list.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: FromParams> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Reader::read(parts.uri.query(), T::PARAMS, T::read).map(Params)
    }
}

/// A change of something that exists: the revision it was made for, and how.
pub(crate) struct Change<T> {
    pub(crate) expected: Expected,
    pub(crate) body: T,
}

impl<S: Send + Sync, T: FromBody> FromRequest<S> for Change<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let expected = if_match(request.headers())?;
        let Body(body) = Body::from_request(request, state).await?;
        Ok(Change { expected, body })
    }
}

/// A change that says no more than its address: the revision it was made for.
pub(crate) struct Seen(pub(crate) Expected);

impl<S: Send + Sync> FromRequestParts<S> for Seen {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        if_match(&parts.headers).map(Seen)
    }
}

/// The revision in `If-Match`: `"7"`, also weak, or `*` for any.
fn if_match(headers: &HeaderMap) -> Result<Expected, Problem> {
    let mut given = headers.get_all(header::IF_MATCH).iter();
    let (Some(value), None) = (given.next(), given.next()) else {
        return if headers.contains_key(header::IF_MATCH) { Err(no_revision()) } else { Ok(None) };
    };
    let text = value.to_str().map_err(|_| no_revision())?.trim();
    if text == "*" {
        return Ok(None);
    }
    let digits = text
        .strip_prefix("W/")
        .unwrap_or(text)
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(no_revision)?;
    digits.parse().map(Some).map_err(|_| no_revision())
}

fn no_revision() -> Problem {
    Problem::fields(vec![FieldError::query(
        "If-Match",
        "this is no revision; write the number in double quotes, such as \"7\"",
    )])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::http::{HeaderMap, header};
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::if_match;

    fn read(values: &[&str]) -> Option<Option<u64>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_MATCH, value.parse().unwrap());
        }
        if_match(&headers).ok()
    }

    #[test]
    fn a_revision_is_a_number_in_quotes() {
        assert_eq!(read(&[]), Some(None));
        assert_eq!(read(&["*"]), Some(None));
        assert_eq!(read(&["\"7\""]), Some(Some(7)));
        assert_eq!(read(&["W/\"7\""]), Some(Some(7)));
        for wrong in
            ["7", "\"\"", "\"x\"", "\"7", "\"-1\"", "\"7\", \"8\"", "\"99999999999999999999\""]
        {
            assert_eq!(read(&[wrong]), None, "{wrong}");
        }
        assert_eq!(read(&["\"7\"", "\"8\""]), None);
    }

    proptest! {
        #[test]
        fn every_revision_is_read_back(revision: u64, weak: bool) {
            let front = if weak { "W/" } else { "" };
            let text = format!("{front}\"{revision}\"");
            prop_assert_eq!(read(&[text.as_str()]), Some(Some(revision)));
        }

        #[test]
        fn other_text_is_refused_and_never_taken_for_a_number(text in "[ -~]{0,12}") {
            let found = read(&[text.as_str()]);
            let digits = text.trim().trim_start_matches("W/").trim_matches('"');
            if let Some(Some(revision)) = found {
                prop_assert_eq!(digits.parse::<u64>().ok(), Some(revision));
            } else if found == Some(None) {
                prop_assert_eq!(text.trim(), "*");
            }
        }
    }
}
