//! One download: where it is, what it became, its story, and what can be done.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::str::FromStr;

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{
    BatchLinkView, BatchView, CancelRequest, CandidateView, DownloadView, EventQuery, EventView,
    Expected, FieldError, LeftView, OtherNames, RecognitionView, RemoveRequest,
};
use tracker_domain::ask::AskScope;
use tracker_domain::recognised::{Fields, RecognitionState};
use tracker_domain::unseen::{as_it_looks, on_one_line};
use tracker_domain::{Actor, DownloadId, DownloadState, Remark};

use crate::extract::{Caller, Parsed, ParsedPair};
use crate::pages::form::Posted;
use crate::pages::library;
use crate::pages::refusal::{Refused, is_for_its_page};
use crate::pages::review::asking;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::told::{Deed, Told};
use crate::problem::Problem;
use crate::shared::Shared;

/// How many entries of the story the page shows.
const EVENTS: u32 = 100;

#[derive(Template)]
#[template(path = "download.html")]
struct Download {
    page: Page,
    view: DownloadView,
    recognition: RecognitionView,
    matched: Option<String>,
    best: Option<CandidateView>,
    files: Vec<FileRow>,
    batches: Vec<BatchView>,
    events: Vec<EventView>,
    actions: Vec<&'static str>,
    needs_review: bool,
    /// Whether it can be given up.
    is_open: bool,
    /// The other names of its files, where it can be removed and they can be told.
    names: Option<OtherNames>,
    refusal: Option<Refused>,
    /// What was filled in, where that was refused.
    filled: Filled,
    /// What is typed to delete its data.
    to_type: String,
}

/// What stands in the form that gives it up or removes it.
#[derive(Default)]
struct Filled {
    links: bool,
    remove_torrent: bool,
    delete_data: bool,
    typed: String,
    /// What is wrong with the name that was typed.
    wrong: Option<String>,
}

impl Filled {
    fn of(form: &Posted, problem: &Problem) -> Filled {
        let errors = &problem.body().errors;
        let wrong = errors.iter().find(|error| error.pointer == TYPED);
        Filled {
            links: form.is_ticked("links"),
            remove_torrent: form.is_ticked("remove_torrent"),
            delete_data: form.is_ticked("delete_data"),
            typed: form.get("typed").unwrap_or_default().to_owned(),
            wrong: wrong.map(|error| error.detail.clone()),
        }
    }

    /// Whether the form was the one that is refused.
    const fn is_sent(&self) -> bool {
        self.links || self.remove_torrent || self.delete_data || !self.typed.is_empty()
    }
}

impl Download {
    /// Whether the score says something: not where the work was named, whatever the names
    /// say.
    fn says_score(&self, best: &CandidateView) -> bool {
        best.score > 0.0 || !self.recognition.has_taken(best.id)
    }
}

/// A file and what it became.
struct FileRow {
    path: String,
    size_bytes: Option<u64>,
    role: &'static str,
    target: Option<String>,
    state: String,
    health: Option<String>,
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Html<String>, Problem> {
    download(&shared, reader, id, None).await
}

/// The page again, with why a form of it was refused. What the page cannot tell is told
/// by a page of its own.
pub(crate) async fn refused(
    shared: &Shared,
    reader: Reader,
    id: Option<DownloadId>,
    form: &Posted,
    problem: Problem,
) -> Result<Response, Problem> {
    match id.filter(|_| is_for_its_page(&problem)) {
        Some(id) => {
            let page = download(shared, reader, id, Some((form, &problem))).await?;
            Ok((problem.status(), page).into_response())
        }
        None => Err(problem),
    }
}

/// From the address of a form to its page.
pub(crate) async fn home(
    State(shared): State<Shared>,
    ParsedPair(id, _): ParsedPair<DownloadId, Act>,
) -> Redirect {
    Redirect::to(&shared.url(&format!("/download/{id}")))
}

async fn download(
    shared: &Shared,
    reader: Reader,
    id: DownloadId,
    refusal: Option<(&Posted, &Problem)>,
) -> Result<Html<String>, Problem> {
    let app = &shared.app;
    let view = app.intake.show(id).await?;
    let recognition = app.review.recognition(id).await?;
    let candidates = app.review.candidates(id).await?.items;
    let query = EventQuery { download_id: Some(id), limit: Some(EVENTS), ..EventQuery::default() };
    let events = app.journal.events(query).await?.items;
    let batches = app.library.batches(id).await?;
    let best = chosen(&recognition, candidates);
    let can_go = !view.state.is_active() && view.hidden_at.is_none();
    let names = if can_go { app.removal.names(id).await? } else { None };
    let page = Page::inside(shared, reader, Place::Inbox).await?;
    let filled = refusal.map(|(form, problem)| Filled::of(form, problem)).unwrap_or_default();
    let refusal = refusal.map(|(_, problem)| Refused::new(&page, problem));
    shown(&Download {
        page,
        refusal,
        filled,
        to_type: to_type(&view),
        matched: matched(&recognition.fields),
        best,
        files: files(&recognition, &batches),
        actions: actions(&view, &batches).into_iter().chain(asking(&view, &recognition)).collect(),
        needs_review: needs_review(&view, &recognition),
        is_open: view.state.is_active(),
        names,
        batches,
        events,
        recognition,
        view,
    })
}

/// The candidate that counts: the one that was taken, else the best.
fn chosen(recognition: &RecognitionView, candidates: Vec<CandidateView>) -> Option<CandidateView> {
    let taken = recognition.candidate_id;
    match taken {
        Some(id) => candidates.into_iter().find(|candidate| candidate.id == id),
        None => candidates.into_iter().next(),
    }
}

/// What it is taken for, in one line.
fn matched(fields: &Fields) -> Option<String> {
    let title = fields.title.as_deref()?;
    Some(match fields.year {
        Some(year) => format!("{title} ({year})"),
        None => title.to_owned(),
    })
}

fn needs_review(view: &DownloadView, recognition: &RecognitionView) -> bool {
    view.is_for_review() || recognition.state == RecognitionState::Proposed
}

/// What can be done with it in this state, as the words of the addresses.
fn actions(view: &DownloadView, batches: &[BatchView]) -> Vec<&'static str> {
    let mut found = Vec::new();
    if view.may_be_retried() {
        found.push("retry");
    }
    if view.state == DownloadState::Done {
        found.push("relink");
        if !batches.is_empty() {
            found.push("verify");
        }
    }
    if view.may_be_said() {
        found.push(if view.paused { "resume" } else { "pause" });
        found.push("rerun");
    }
    found
}

fn files(recognition: &RecognitionView, batches: &[BatchView]) -> Vec<FileRow> {
    let standing = batches.iter().find(|batch| batch.stands());
    let mut links: HashMap<&OsStr, Vec<&BatchLinkView>> = HashMap::new();
    for link in standing.iter().flat_map(|batch| &batch.links) {
        links.entry(link.source.file_name().unwrap_or_default()).or_default().push(link);
    }
    let mut rows: Vec<FileRow> = recognition
        .files
        .iter()
        .map(|file| {
            let path = file.path.clone().unwrap_or_else(|| file.index.to_string());
            let name = Path::new(&path).file_name().unwrap_or_default();
            // The path of a link is whole, that of a file begins at the save path.
            let link = links
                .get(name)
                .and_then(|of_name| of_name.iter().find(|link| link.source.ends_with(&path)));
            FileRow {
                size_bytes: file.size_bytes,
                role: file.role.as_str(),
                target: link.map(|link| link.target.display().to_string()),
                state: link.map(|link| link.state.clone()).unwrap_or_default(),
                health: link.and_then(|link| link.health.clone()),
                path,
            }
        })
        .collect();
    rows.sort_by(|one, other| one.path.cmp(&other.path));
    rows
}

/// Whether an entry says no more than its message.
pub(crate) fn is_plain(event: &EventView) -> bool {
    event.data.as_object().is_none_or(serde_json::Map::is_empty)
}

/// The details of an entry, for people.
pub(crate) fn pretty(event: &EventView) -> String {
    serde_json::to_string_pretty(&event.data).unwrap_or_default()
}

/// What a button of the page asks for.
pub(crate) enum Act {
    Retry,
    Pause,
    Resume,
    Rerun,
    Relink,
    Verify,
    Ask(AskScope),
    AskNoMore(AskScope),
    Cancel,
    Remove,
}

impl FromStr for Act {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Ok(match word {
            "retry" => Act::Retry,
            "pause" => Act::Pause,
            "resume" => Act::Resume,
            "rerun" => Act::Rerun,
            "relink" => Act::Relink,
            "verify" => Act::Verify,
            "ask-title" => Act::Ask(AskScope::Title),
            "ask-download" => Act::Ask(AskScope::Download),
            "ask-title-off" => Act::AskNoMore(AskScope::Title),
            "ask-download-off" => Act::AskNoMore(AskScope::Download),
            "cancel" => Act::Cancel,
            "remove" => Act::Remove,
            _ => return Err("nothing of this name can be done with a download"),
        })
    }
}

/// One thing to be done with it.
pub(crate) async fn act(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    ParsedPair(id, what): ParsedPair<DownloadId, Act>,
    form: Posted,
) -> Result<Response, Problem> {
    let (told, home) = match carry_out(&shared, &actor, id, what, &form).await {
        Ok(Done::Told(told)) => (told, format!("/download/{id}")),
        Ok(Done::Removed(left)) if left.is_empty() => (Told::of(Deed::Removed), "/".to_owned()),
        Ok(Done::Removed(left)) => return library::undone(&shared, reader, left, Some(id)).await,
        Err(problem) => return refused(&shared, reader, Some(id), &form, problem).await,
    };
    Ok(told.about(Some(id)).after(form.back(&shared, &home)))
}

/// What came of a form.
enum Done {
    Told(Told),
    /// It is out of the lists, and these of its links stay.
    Removed(Vec<LeftView>),
}

async fn carry_out(
    shared: &Shared,
    actor: &Actor,
    id: DownloadId,
    what: Act,
    form: &Posted,
) -> Result<Done, Problem> {
    let app = &shared.app;
    let revision = form.revision()?;
    let deed = match what {
        Act::Retry => {
            app.intake.retry(id, None, revision, actor).await?;
            Deed::Retried
        }
        Act::Pause => {
            app.intake.pause(id, revision, actor).await?;
            Deed::Paused
        }
        Act::Resume => {
            app.intake.resume(id, revision, actor).await?;
            Deed::Resumed
        }
        Act::Rerun => {
            app.review.rerun(id, revision, actor).await?;
            Deed::AskedAgain
        }
        Act::Relink => {
            let batch = app.library.relink(id, revision, actor).await?;
            return Ok(Done::Told(Told::of(Deed::Linked).many(batch.links.len())));
        }
        Act::Verify => {
            let links = app.library.verify(Some(id)).await?.items;
            let amiss = links.iter().filter(|link| link.health != "present").count();
            return Ok(Done::Told(match amiss {
                0 => Told::of(Deed::LinksFine).many(links.len()),
                _ => Told::of(Deed::LinksAmiss).many(amiss),
            }));
        }
        Act::Ask(scope) => {
            app.review.ask(id, scope, revision, actor).await?;
            Deed::Asks
        }
        Act::AskNoMore(scope) => {
            app.review.ask_no_more(id, scope, revision, actor).await?;
            Deed::AsksNoMore
        }
        Act::Remove => return Ok(Done::Removed(remove(shared, actor, id, form, revision).await?)),
        Act::Cancel => {
            let request = CancelRequest {
                remove_torrent: form.is_ticked("remove_torrent"),
                delete_data: form.is_ticked("delete_data"),
            };
            if request.delete_data {
                name_is_typed(shared, id, form).await?;
            }
            app.intake.cancel(id, request, revision, actor).await?;
            Deed::GivenUp
        }
    };
    Ok(Done::Told(Told::of(deed).many(1)))
}

/// Removes it, and tells which links stay.
async fn remove(
    shared: &Shared,
    actor: &Actor,
    id: DownloadId,
    form: &Posted,
    revision: Expected,
) -> Result<Vec<LeftView>, Problem> {
    let request = RemoveRequest {
        links: form.is_ticked("links"),
        remove_torrent: form.is_ticked("remove_torrent"),
        delete_data: form.is_ticked("delete_data"),
    };
    if request.delete_data {
        name_is_typed(shared, id, form).await?;
    }
    Ok(shared.app.removal.remove(id, request, revision, actor).await?.left)
}

/// Where the name is typed that data is deleted by.
const TYPED: &str = "/typed";

/// What is typed to delete the data of a download: its name as a field of one line can
/// hold it, or its id where nothing of the name is seen.
fn to_type(view: &DownloadView) -> String {
    if as_it_looks(&view.name).is_empty() { view.id.to_string() } else { on_one_line(&view.name) }
}

/// Data is deleted only where the name of the download was typed.
async fn name_is_typed(shared: &Shared, id: DownloadId, form: &Posted) -> Result<(), Problem> {
    let wanted = to_type(&shared.app.intake.show(id).await?);
    if as_it_looks(form.get("typed").unwrap_or_default()) == as_it_looks(&wanted) {
        return Ok(());
    }
    let missing = Remark::NameNotTyped.to_string();
    Err(Problem::fields(vec![FieldError::body(TYPED, missing)]))
}
