//! The tokens of programs.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use tracker_app::TokenView;
use tracker_domain::Actor;
use tracker_domain::access::Scope;

use crate::extract::Caller;
use crate::pages::form::Posted;
use crate::pages::refusal::{Refused, is_for_its_page};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "keys.html")]
struct Keys {
    page: Page,
    tokens: Vec<TokenView>,
    /// The secret of a token that was made just now.
    secret: Option<String>,
    refusal: Option<Refused>,
    /// The name that was written, where it was refused.
    name: String,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
) -> Result<Response, Problem> {
    keys(&shared, reader, None, None, "").await
}

async fn keys(
    shared: &Shared,
    reader: Reader,
    secret: Option<String>,
    refusal: Option<&Problem>,
    name: &str,
) -> Result<Response, Problem> {
    let mut tokens = shared.app.access.tokens().await?;
    tokens.retain(|token| token.revoked_at.is_none());
    let page = Page::inside(shared, reader, Place::Settings).await?;
    let name = name.to_owned();
    let refusal = refusal.map(|problem| Refused::new(&page, problem));
    Ok(shown(&Keys { page, tokens, secret, refusal, name })?.into_response())
}

/// What a form of the page asks for.
pub(crate) async fn change(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    form: Posted,
) -> Result<Response, Problem> {
    match carry_out(&shared, &actor, &form).await {
        Ok(None) => {
            let page = Redirect::to(&shared.url("/settings/keys"));
            Ok(Told::of(Deed::TokenRevoked).after(page))
        }
        // Shown this once, so there is nothing to go back to.
        Ok(secret) => keys(&shared, reader, secret, None, "").await,
        Err(problem) if is_for_its_page(&problem) => {
            let name = form.get("name").unwrap_or_default();
            let mut answer = keys(&shared, reader, None, Some(&problem), name).await?;
            *answer.status_mut() = problem.status();
            Ok(answer)
        }
        Err(problem) => Err(problem),
    }
}

/// The secret of a new token, where one was made.
async fn carry_out(
    shared: &Shared,
    actor: &Actor,
    form: &Posted,
) -> Result<Option<String>, Problem> {
    let access = &shared.app.access;
    let name = form.get("name").unwrap_or_default();
    match form.get("do").unwrap_or_default() {
        "new" => {
            let scope = form.id::<Scope>("scope")?.unwrap_or(Scope::Read);
            Ok(Some(access.token_new(name, scope, actor).await?.1))
        }
        "revoke" => {
            access.token_revoke(name, actor).await?;
            Ok(None)
        }
        other => Err(Problem::unknown_act(other)),
    }
}
