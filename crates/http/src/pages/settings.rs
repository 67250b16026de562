//! The account of whoever looks, their browsers and preferences, and the settings that
//! hold.

use askama::Template;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Redirect, Response};
use tracker_app::{
    Connection, FieldError, SessionView, SettingsSection, SettingsView, TrialView, UserView,
};
use tracker_domain::entity::SessionId;
use tracker_domain::{Actor, Secret};

use crate::auth::Visitor;
use crate::extract::Caller;
use crate::pages::form::Posted;
use crate::pages::refusal::{Refused, is_for_its_page};
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "settings.html")]
struct Settings {
    page: Page,
    /// The person; `None` where nobody has to log in.
    user: Option<UserView>,
    sessions: Vec<Browser>,
    settings: std::sync::Arc<SettingsView>,
    trial: Option<TrialView>,
    refusal: Option<Refused>,
    /// The time zone that was written, where it was refused.
    zone: Option<String>,
}

impl Settings {
    /// Whether the section speaks to something that can be tried.
    fn can_be_tried(&self, section: &SettingsSection) -> bool {
        let known = Connection::of_section(&section.name);
        known.is_some_and(|known| {
            let stands_alone = matches!(known, Connection::Metadata | Connection::Backups);
            stands_alone || section.item.is_some()
        })
    }
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
    trial: Option<TrialView>,
    refusal: Option<(&Posted, &Problem)>,
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
    let page = Page::inside(shared, reader, Place::Settings).await?;
    let (user, settings) = (visitor.user, shared.app.settings.clone());
    let zone = refusal.and_then(|(form, _)| form.get("timezone")).map(str::to_owned);
    let refusal = refusal.map(|(_, problem)| Refused::new(&page, problem));
    Ok(shown(&Settings { page, user, sessions, settings, trial, refusal, zone })?.into_response())
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
        Ok(Done::Nothing) => Ok(Redirect::to(&shared.url("/settings")).into_response()),
        Ok(Done::Deed(deed)) => Ok(Told::of(deed).after(Redirect::to(&shared.url("/settings")))),
        Ok(Done::Trial(trial)) => settings(&shared, visitor, reader, Some(trial), None).await,
        Err(problem) if is_for_its_page(&problem) => {
            let refusal = Some((&form, &problem));
            let mut answer = settings(&shared, visitor, reader, None, refusal).await?;
            *answer.status_mut() = problem.status();
            Ok(answer)
        }
        Err(problem) => Err(problem),
    }
}

/// What came of a form.
enum Done {
    /// It asks for nothing.
    Nothing,
    Deed(Deed),
    Trial(TrialView),
}

async fn carry_out(
    shared: &Shared,
    actor: &Actor,
    visitor: &Visitor,
    form: &Posted,
) -> Result<Done, Problem> {
    let access = &shared.app.access;
    match form.get("do").unwrap_or_default() {
        "password" => {
            let user = visitor.user.as_ref().ok_or_else(no_account)?;
            // Spaces at the ends of a password are a part of it.
            let field = |name| form.whole(name).filter(|text| !text.is_empty()).map(Secret::new);
            let (former, new) = (field("former"), field("new"));
            let new = new.unwrap_or_else(|| Secret::new(""));
            access.own_password(user.id, visitor.session, former.as_ref(), &new, actor).await?;
            Ok(Done::Deed(Deed::Password))
        }
        "zone" => {
            let user = visitor.user.as_ref().ok_or_else(no_account)?;
            let mut preferences = user.preferences.clone();
            preferences.timezone = form.get("timezone").map(str::to_owned);
            access.set_preferences(user.id, preferences, actor).await?;
            Ok(Done::Deed(Deed::Zone))
        }
        "end-session" => {
            let Some(id) = form.id::<SessionId>("session")? else { return Ok(Done::Nothing) };
            access.session_revoke(id, actor).await?;
            Ok(Done::Deed(Deed::BrowserOut))
        }
        "try" => {
            let section = form.get("section").unwrap_or_default();
            let connection = Connection::of_section(section)
                .ok_or_else(|| Problem::unknown_act(&format!("trying of {section}")))?;
            let item = form.get("item").unwrap_or_default();
            Ok(Done::Trial(shared.app.try_connection(connection, item, actor).await?))
        }
        other => Err(Problem::unknown_act(other)),
    }
}

/// Whoever needs no login has no account, and neither has a token.
fn no_account() -> Problem {
    let detail = "nobody is logged in, so there is no account to set this for";
    Problem::fields(vec![FieldError::body("/do", detail)])
}
