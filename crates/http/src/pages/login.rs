//! Logging in and out.

use askama::Template;
use axum::Router;
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Extension, Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tracker_app::{AppError, Caller, LoggedIn};
use tracker_domain::{Actor, Secret};
use url::form_urlencoded;

use crate::auth::Visitor;
use crate::forwarded::{Sent, only};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;
use crate::{cookie, site};

/// More than any name, password and address.
const LIMIT_BYTES: usize = 16 * 1024;

pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/login", get(page).post(log_in))
        .route("/logout", post(log_out))
        .layer(DefaultBodyLimit::max(LIMIT_BYTES))
}

/// What the page is asked for with.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    next: String,
    link: String,
}

/// What the form sends.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Filled {
    name: String,
    password: String,
    next: String,
    link: String,
}

#[derive(Template)]
#[template(path = "login.html")]
struct Login {
    page: Page,
    name: String,
    next: String,
    link: String,
    /// What went wrong, beside the field.
    error: Option<String>,
}

/// The form; with a link a button alone, so that whoever only looks at the link, as
/// messengers do, does not use it up.
async fn page(
    State(shared): State<Shared>,
    visitor: Option<Extension<Visitor>>,
    reader: Reader,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let Asked { next, link } = asked.map(|Query(asked)| asked).unwrap_or_default();
    let next = site::local(&next);
    if visitor.is_some() && link.is_empty() {
        return Ok(see(&shared.url(next), None));
    }
    let next = next.to_owned();
    let page = Page::outside(&shared, reader, Place::Other);
    Ok(shown(&Login { page, name: String::new(), next, link, error: None })?.into_response())
}

/// The name and the password, or the link.
async fn log_in(
    State(shared): State<Shared>,
    Extension(sent): Extension<Sent>,
    headers: HeaderMap,
    reader: Reader,
    filled: Result<Form<Filled>, FormRejection>,
) -> Result<Response, Problem> {
    let Filled { name, password, next, link } =
        filled.map(|Form(filled)| filled).unwrap_or_default();
    let agent = only(&headers, header::USER_AGENT.as_str()).map(str::to_owned);
    let caller = Caller { address: sent.address, user_agent: agent };
    let access = &shared.app.access;
    let opened = if link.is_empty() {
        access.login(name.trim(), &Secret::new(password), caller).await
    } else {
        access.login_by_link(&Secret::new(link.as_str()), caller).await
    };
    let next = site::local(&next);
    let refused = match opened {
        Ok(LoggedIn { secret, visitor }) => {
            let cookie = cookie::set(secret.expose(), shared.base(), sent.is_https);
            let answer = see(&shared.url(next), Some(cookie));
            // Else the next login needs a link again.
            let has_password = visitor.user.has_password;
            return Ok(if has_password {
                answer
            } else {
                Told::of(Deed::NoPassword).after(answer)
            });
        }
        Err(refused) => refused,
    };
    // What follows the form is asked for again at its own page.
    let mut here = form_urlencoded::Serializer::for_suffix("/login?".to_owned(), "/login?".len());
    let here = here.append_pair("next", next).finish();
    let page = Page::outside(&shared, reader, Place::Other).at(here);
    let error = match &refused {
        AppError::WrongLogin => page.say("login-wrong"),
        AppError::WrongLink => page.say("login-wrong-link"),
        AppError::TooManyAttempts { retry_after } => {
            page.with("login-too-often", "span", &page.span(&u64::from(*retry_after)))
        }
        other => other.to_string(),
    };
    // A link that does not work leads to the form for name and password.
    let (next, link) = (next.to_owned(), String::new());
    let again = shown(&Login { page, name, next, link, error: Some(error) })?;
    match refused {
        AppError::WrongLogin | AppError::WrongLink => {
            Ok((StatusCode::UNPROCESSABLE_ENTITY, again).into_response())
        }
        AppError::TooManyAttempts { retry_after } => {
            let wait = [(header::RETRY_AFTER, HeaderValue::from(retry_after))];
            Ok((StatusCode::TOO_MANY_REQUESTS, wait, again).into_response())
        }
        other => Err(other.into()),
    }
}

/// Ends the session of this browser.
async fn log_out(
    State(shared): State<Shared>,
    Extension(sent): Extension<Sent>,
    Extension(actor): Extension<Actor>,
    visitor: Option<Extension<Visitor>>,
) -> Result<Response, Problem> {
    let session = visitor.and_then(|Extension(visitor)| visitor.session);
    if let Some(session) = session {
        shared.app.access.logout(session, &actor).await?;
    }
    let cookie = cookie::clear(shared.base(), sent.is_https);
    Ok(see(&shared.url("/login"), Some(cookie)))
}

fn see(url: &str, cookie: Option<String>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    // Both are letters of ASCII: the address was checked, the secret is hexadecimal.
    if let Ok(url) = HeaderValue::from_str(url) {
        headers.insert(header::LOCATION, url);
    }
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}
