//! What a form did, told once on the page that follows it.
//!
//! A form answers with a redirect, which says nothing. A cookie says it to the next page:
//! a word, a number and an id, none of which is trusted any further.

use std::fmt;
use std::str::FromStr;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracker_domain::DownloadId;

use crate::cookie;
use crate::forwarded::Sent;
use crate::shared::Shared;

/// The cookie between the two.
const NAME: &str = "tracker_told";

/// Seconds: the next page comes at once or not at all.
const KEPT: i64 = 60;

/// The header of what asks for parts of a page that is shown already.
const FRAGMENT: &str = "hx-request";

/// Declares each deed with its word: `undone` is said by the text `told-undone`, which
/// may count things as `n`.
macro_rules! deeds {
    ($($name:ident = $word:literal;)+) => {
        /// What can have been done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Deed {
            $($name,)+
        }

        impl Deed {
            pub(crate) const ALL: &'static [Deed] = &[$(Deed::$name,)+];

            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Deed::$name => $word,)+
                }
            }
        }
    };
}

deeds! {
    Undone = "undone";
    Removed = "removed";
    GivenUp = "given-up";
    Retried = "retried";
    AskedAgain = "asked-again";
    Paused = "paused";
    Resumed = "resumed";
    Linked = "linked";
    LinksFine = "links-fine";
    LinksAmiss = "links-amiss";
    Asks = "asks";
    AsksNoMore = "asks-no-more";
    NothingChosen = "nothing-chosen";
    Password = "password";
    NoPassword = "no-password";
    Zone = "zone";
    BrowserOut = "browser-out";
    TokenRevoked = "token-revoked";
    Forgotten = "forgotten";
    JobEnds = "job-ends";
    BackupBegun = "backup-begun";
    VerifyBegun = "verify-begun";
    Looked = "looked";
}

/// One thing that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) deed: Deed,
    /// With how many.
    pub(crate) count: u64,
    /// The download that it was done with.
    pub(crate) about: Option<DownloadId>,
}

impl Told {
    pub(crate) const fn of(deed: Deed) -> Self {
        Told { deed, count: 0, about: None }
    }

    pub(crate) fn many(mut self, count: usize) -> Self {
        self.count = count.try_into().unwrap_or(u64::MAX);
        self
    }

    pub(crate) const fn about(mut self, id: Option<DownloadId>) -> Self {
        self.about = id;
        self
    }

    /// The answer, with this for the page that follows.
    pub(crate) fn after(self, answer: impl IntoResponse) -> Response {
        (Extension(self), answer).into_response()
    }

    /// What the page that is asked for has to tell.
    pub(crate) fn read(headers: &HeaderMap) -> Option<Told> {
        if headers.contains_key(FRAGMENT) {
            return None;
        }
        cookie::value(headers, NAME)?.parse().ok()
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.deed.as_str(), self.count)?;
        self.about.map_or(Ok(()), |id| write!(f, ".{id}"))
    }
}

impl FromStr for Told {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.splitn(3, '.');
        let (word, count) = (parts.next().ok_or(())?, parts.next().ok_or(())?);
        let deed = Deed::ALL.iter().find(|deed| deed.as_str() == word).ok_or(())?;
        let about = parts.next().map(|id| id.parse().map_err(|_| ())).transpose()?;
        Ok(Told { deed: *deed, count: count.parse().map_err(|_| ())?, about })
    }
}

/// Hands on what a form did, and takes it away once a page has told it.
pub(crate) async fn hand_on(
    State(shared): State<Shared>,
    Extension(sent): Extension<Sent>,
    request: Request,
    next: Next,
) -> Response {
    let is_read = request.method() == Method::GET && Told::read(request.headers()).is_some();
    let mut response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let (value, seconds) = match response.extensions_mut().remove::<Told>() {
        Some(told) => (told.to_string(), KEPT),
        None if is_read && is_page => (String::new(), 0),
        None => return response,
    };
    let cookie = cookie::text(NAME, &value, shared.base(), sent.is_https, seconds);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use tracker_i18n::{Catalogue, Language};

    use super::*;

    #[test]
    fn every_deed_has_a_text_and_is_read_back() {
        let texts = Catalogue::new().unwrap_or_else(|error| panic!("{error}"));
        for deed in Deed::ALL {
            for language in Language::ALL {
                assert!(texts.has(*language, &format!("told-{}", deed.as_str())), "{deed:?}");
            }
            let about = "01jzabcdefghjkmnpqrstvwxyz".parse().ok();
            for told in [Told::of(*deed), Told::of(*deed).many(3).about(about)] {
                assert_eq!(told.to_string().parse(), Ok(told));
            }
        }
    }

    #[test]
    fn what_else_stands_in_the_cookie_tells_nothing() {
        for text in ["", "undone", "undone.", "undone.x", "gone.1", "undone.1.x", "undone.-1"] {
            assert_eq!(text.parse::<Told>(), Err(()), "{text}");
        }
    }
}
