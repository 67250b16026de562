//! Language and theme, as the browser is to remember them.

use axum::extract::{Extension, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use tracker_domain::Actor;
use tracker_domain::access::{Language, Theme};

use crate::auth::Visitor;
use crate::forwarded::Sent;
use crate::pages::form::Posted;
use crate::pages::shell::{LANGUAGE, THEME};
use crate::problem::Problem;
use crate::shared::Shared;
use crate::{cookie, site};

/// A year, in seconds.
const KEPT: i64 = 365 * 24 * 3600;

/// Sets what the form names, for the person and for this browser, where they are before
/// they log in; what is no choice changes nothing.
pub(crate) async fn set(
    State(shared): State<Shared>,
    Extension(sent): Extension<Sent>,
    visitor: Option<Extension<Visitor>>,
    form: Posted,
) -> Result<Response, Problem> {
    let language = form.get("language").and_then(|word| word.parse::<Language>().ok());
    let theme = form.get("theme").and_then(|word| word.parse::<Theme>().ok());
    if let Some(user) = visitor.and_then(|Extension(visitor)| visitor.user) {
        let mut preferences = user.preferences;
        preferences.language = language.or(preferences.language);
        preferences.theme = theme.or(preferences.theme);
        let actor = Actor::Web(user.name);
        shared.app.access.set_preferences(user.id, preferences, &actor).await?;
    }
    let cookies: Vec<(HeaderName, HeaderValue)> = [
        language.map(|language| (LANGUAGE, language.as_str())),
        theme.map(|theme| (THEME, theme.as_str())),
    ]
    .into_iter()
    .flatten()
    .filter_map(|(name, value)| {
        let cookie = cookie::text(name, value, shared.base(), sent.is_https, KEPT);
        Some((header::SET_COOKIE, cookie.parse().ok()?))
    })
    .collect();
    // The login is a page to come back to here, unlike after anything else.
    let next = form.get("next").map_or("/", site::on_site);
    Ok((AppendHeaders(cookies), Redirect::to(&shared.url(next))).into_response())
}
