//! The inbox: every download, ordered by who must act.

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{CancelRequest, GroupView, InboxGroup, InboxOrder, InboxQuery, RowView};
use tracker_domain::{BatchId, DownloadId, DownloadState};
use url::form_urlencoded;

use crate::extract::Caller;
use crate::pages::form::{Asked, Posted};
use crate::pages::refusal::Refused;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

/// How many rows of one group a page of it has.
const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "inbox.html")]
struct Inbox {
    page: Page,
    groups: Vec<Section>,
    /// Whether it is one group alone.
    is_part: bool,
    /// What a form of it could not do with some.
    report: Option<Report>,
}

/// What became of many, where some of them were refused.
struct Report {
    /// With how many it was done.
    done: String,
    /// The others by their names.
    refused: Vec<(String, Refused)>,
}

/// One group with its words.
struct Section {
    id: &'static str,
    title: &'static str,
    empty: &'static str,
    total: Option<u64>,
    rows: Vec<RowView>,
    next: Option<DownloadId>,
    /// What it can be narrowed to.
    words: Vec<Word>,
    /// The orders it can be in.
    orders: Vec<Word>,
    /// The word of both in an address, to go on with.
    chosen: String,
}

/// One word of a list.
struct Word {
    /// As an address has it.
    value: &'static str,
    /// The group of texts it is of.
    of: &'static str,
    is_chosen: bool,
}

/// The one thing that a row offers.
pub(crate) enum Act {
    Review,
    Retry,
    Undo(BatchId),
    Nothing,
}

/// What a person would most likely do with it.
pub(crate) fn action(row: &RowView) -> Act {
    let download = &row.download;
    match (download.attention, download.state) {
        _ if download.is_for_review() => Act::Review,
        (Some(_), _) | (None, DownloadState::Failed | DownloadState::Cancelled) => Act::Retry,
        (None, _) => row.batch.map_or(Act::Nothing, Act::Undo),
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    let Some(group) = asked.one_of("group", &InboxGroup::ALL, InboxGroup::as_str)? else {
        return whole(&shared, reader, |_| None).await;
    };
    let only = asked.one_of("only", &group.words(), |word| word)?;
    let order = asked.one_of("order", &InboxOrder::ALL, InboxOrder::as_str)?.unwrap_or_default();
    let wanted = InboxQuery { order, only: only.map(str::to_owned), behind: asked.id("behind")? };
    let found = shared.app.inbox.page(group, wanted.clone(), Some(ROWS)).await?;
    let page = Page::inside(&shared, reader, Place::Inbox).await?;
    let groups = vec![section(group, &wanted, found)];
    shown(&Inbox { page, groups, is_part: true, report: None })
}

/// All three groups, with what is to be said above them.
async fn whole(
    shared: &Shared,
    reader: Reader,
    report: impl FnOnce(&Page) -> Option<Report>,
) -> Result<Html<String>, Problem> {
    let all = shared.app.inbox.overview().await?;
    let needs_you = all.needs_you.total.unwrap_or_default();
    let whole = InboxQuery::default();
    let groups = vec![
        section(InboxGroup::NeedsYou, &whole, all.needs_you),
        section(InboxGroup::Active, &whole, all.active),
        section(InboxGroup::Done, &whole, all.done),
    ];
    let page = Page::counting(shared, reader, Place::Inbox, needs_you).await;
    let report = report(&page);
    shown(&Inbox { page, groups, is_part: false, report })
}

/// From the address of the form to its page.
pub(crate) async fn home(State(shared): State<Shared>) -> Redirect {
    Redirect::to(&shared.url("/"))
}

fn section(group: InboxGroup, wanted: &InboxQuery, found: GroupView) -> Section {
    let (title, empty, of) = match group {
        InboxGroup::NeedsYou => ("needs-you-title", "needs-you-empty", "attention"),
        InboxGroup::Active => ("active-title", "active-empty", "state"),
        InboxGroup::Done => ("done-title", "done-empty", "state"),
    };
    let empty = if wanted.only.is_some() { "none-of-these" } else { empty };
    let word = |value| Word { value, of, is_chosen: wanted.only.as_deref() == Some(value) };
    let order = |order: InboxOrder| Word {
        value: order.as_str(),
        of: "order",
        is_chosen: wanted.order == order,
    };
    let mut chosen = form_urlencoded::Serializer::new(String::new());
    chosen.append_pair("group", group.as_str()).append_pair("order", wanted.order.as_str());
    if let Some(only) = &wanted.only {
        chosen.append_pair("only", only);
    }
    Section {
        id: group.as_str(),
        title,
        empty,
        total: found.total,
        rows: found.rows,
        next: found.next,
        words: group.words().into_iter().map(word).collect(),
        orders: InboxOrder::ALL.map(order).into(),
        chosen: chosen.finish(),
    }
}

/// The same for many: what one of them refuses does not stop the others, and is told of
/// each.
pub(crate) async fn bulk(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    form: Posted,
) -> Result<Response, Problem> {
    let app = &shared.app;
    let what = form.get("do").unwrap_or_default();
    let deed = match what {
        "retry" => Deed::Retried,
        "rerun" => Deed::AskedAgain,
        "cancel" => Deed::GivenUp,
        other => return Err(Problem::unknown_act(other)),
    };
    let mut done = 0;
    let mut refused: Vec<(DownloadId, Problem)> = Vec::new();
    for id in form.ids::<DownloadId>("chosen")? {
        let outcome = match deed {
            Deed::Retried => app.intake.retry(id, None, None, &actor).await.map(drop),
            Deed::AskedAgain => app.review.rerun(id, None, &actor).await.map(drop),
            _ => app.intake.cancel(id, CancelRequest::default(), None, &actor).await.map(drop),
        };
        match outcome {
            Ok(()) => done += 1,
            Err(error) => refused.push((id, error.into())),
        }
    }
    let Some(status) = refused.last().map(|(_, problem)| problem.status()) else {
        let deed = if done == 0 { Deed::NothingChosen } else { deed };
        return Ok(Told::of(deed).many(done).after(Redirect::to(&shared.url("/"))));
    };
    let mut named = Vec::new();
    for (id, problem) in refused {
        // What is not there has no name but its id.
        let name = app.intake.show(id).await.map_or_else(|_| id.to_string(), |view| view.name);
        named.push((name, problem));
    }
    let report = |page: &Page| {
        let done = page.many(&format!("told-{}", deed.as_str()), done);
        let refused =
            named.iter().map(|(name, problem)| (name.clone(), Refused::new(page, problem)));
        Some(Report { done, refused: refused.collect() })
    };
    Ok((status, whole(&shared, reader, report).await?).into_response())
}
