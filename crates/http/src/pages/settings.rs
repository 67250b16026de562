//! The account of whoever looks, their browsers, and the tokens of programs.

use askama::Template;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use tracker_app::{SessionView, TokenView, UserView};
use tracker_domain::access::Scope;
use tracker_domain::entity::SessionId;
use tracker_domain::{Actor, Secret};

use crate::auth::Visitor;
use crate::extract::Caller;
use crate::pages::form::Posted;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "settings.html")]
struct Settings {
    page: Page,
    /// The person; `None` where nobody has to log in.
    user: Option<UserView>,
    sessions: Vec<Browser>,
    tokens: Vec<TokenView>,
    /// The secret of a token that was made just now.
    secret: Option<String>,
    refusal: Option<String>,
}

/// A browser that is logged in.
struct Browser {
    session: SessionView,
    is_this: bool,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    visitor: Option<Extension<Visitor>>,
    reader: Reader,
) -> Result<Response, Problem> {
    let visitor = visitor.map(|Extension(visitor)| visitor).unwrap_or_default();
    settings(&shared, visitor, reader, None, None).await
}

async fn settings(
    shared: &Shared,
    visitor: Visitor,
    reader: Reader,
    secret: Option<String>,
    refusal: Option<String>,
) -> Result<Response, Problem> {
    let access = &shared.app.access;
    let sessions = match &visitor.user {
        Some(user) => access.sessions(Some(user.id)).await?,
        None => Vec::new(),
    };
    let sessions = sessions
        .into_iter()
        .filter(|session| session.revoked_at.is_none())
        .map(|session| Browser { is_this: visitor.session == Some(session.id), session })
        .collect();
    let mut tokens = access.tokens().await?;
    tokens.retain(|token| token.revoked_at.is_none());
    let page = Page::inside(shared, reader, Place::Settings).await?;
    let user = visitor.user;
    Ok(shown(&Settings { page, user, sessions, tokens, secret, refusal })?.into_response())
}

/// What a form of the page asks for.
pub(crate) async fn change(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    visitor: Option<Extension<Visitor>>,
    reader: Reader,
    form: Posted,
) -> Result<Response, Problem> {
    let visitor = visitor.map(|Extension(visitor)| visitor).unwrap_or_default();
    match carry_out(&shared, &actor, &visitor, &form).await {
        Ok(None) => Ok(Redirect::to(&shared.url("/settings")).into_response()),
        // Shown this once, so there is nothing to go back to.
        Ok(secret) => settings(&shared, visitor, reader, secret, None).await,
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let said = problem.said();
            let mut answer = settings(&shared, visitor, reader, None, Some(said)).await?;
            *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(answer)
        }
        Err(problem) => Err(problem),
    }
}

/// The secret of a new token, where one was made.
async fn carry_out(
    shared: &Shared,
    actor: &Actor,
    visitor: &Visitor,
    form: &Posted,
) -> Result<Option<String>, Problem> {
    let access = &shared.app.access;
    match form.get("do").unwrap_or_default() {
        "password" => {
            let Some(user) = &visitor.user else { return Ok(None) };
            // Spaces at the ends of a password are a part of it.
            let field = |name| form.whole(name).filter(|text| !text.is_empty()).map(Secret::new);
            let (former, new) = (field("former"), field("new"));
            let new = new.unwrap_or_else(|| Secret::new(""));
            access.own_password(user.id, visitor.session, former.as_ref(), &new, actor).await?;
        }
        "end-session" => {
            if let Some(id) = form.id::<SessionId>("session")? {
                access.session_revoke(id, actor).await?;
            }
        }
        "new-token" => {
            let scope = form.id::<Scope>("scope")?.unwrap_or(Scope::Read);
            let name = form.get("name").unwrap_or_default();
            return Ok(Some(access.token_new(name, scope, actor).await?.1));
        }
        "revoke-token" => {
            access.token_revoke(form.get("name").unwrap_or_default(), actor).await?;
        }
        _ => {}
    }
    Ok(None)
}
