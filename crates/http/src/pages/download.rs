//! One download: where it is, what it became, its story, and what can be done.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::str::FromStr;

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use tracker_app::{
    BatchLinkView, BatchView, CancelRequest, CandidateView, DownloadView, EventQuery, EventView,
    FieldError, OtherNames, RecognitionView, RemoveRequest,
};
use tracker_domain::ask::AskScope;
use tracker_domain::recognised::{Fields, RecognitionState};
use tracker_domain::{DownloadId, DownloadState};

use crate::extract::{Caller, Parsed, ParsedPair};
use crate::pages::form::Posted;
use crate::pages::inbox::is_for_review;
use crate::pages::library;
use crate::pages::review::asking;
use crate::pages::shell::{Page, Place, Reader, shown};
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
    let page = Page::inside(&shared, reader, Place::Inbox).await?;
    shown(&Download {
        page,
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
    view.attention.is_some_and(is_for_review) || recognition.state == RecognitionState::Proposed
}

/// What can be done with it in this state, as the words of the addresses.
fn actions(view: &DownloadView, batches: &[BatchView]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let can_retry = matches!(view.state, DownloadState::Failed | DownloadState::Cancelled)
        || (view.state.is_active() && view.attention.is_some());
    if can_retry {
        found.push("retry");
    }
    if view.state == DownloadState::Done {
        found.push("relink");
        if !batches.is_empty() {
            found.push("verify");
        }
    }
    if view.state.is_active() || view.state == DownloadState::Done {
        found.push(if view.paused { "resume" } else { "pause" });
        found.push("rerun");
    }
    found
}

fn files(recognition: &RecognitionView, batches: &[BatchView]) -> Vec<FileRow> {
    let standing = batches.iter().find(|batch| batch.state == "applied");
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
    let app = &shared.app;
    let revision = form.revision()?;
    match what {
        Act::Retry => drop(app.intake.retry(id, None, revision, &actor).await?),
        Act::Pause => drop(app.intake.pause(id, revision, &actor).await?),
        Act::Resume => drop(app.intake.resume(id, revision, &actor).await?),
        Act::Rerun => drop(app.review.rerun(id, revision, &actor).await?),
        Act::Relink => drop(app.library.relink(id, revision, &actor).await?),
        Act::Verify => drop(app.library.verify(Some(id)).await?),
        Act::Ask(scope) => drop(app.review.ask(id, scope, revision, &actor).await?),
        Act::AskNoMore(scope) => {
            drop(app.review.ask_no_more(id, scope, revision, &actor).await?);
        }
        Act::Cancel => {
            let request = CancelRequest {
                remove_torrent: form.is_ticked("remove_torrent"),
                delete_data: form.is_ticked("delete_data"),
            };
            if request.delete_data {
                name_is_typed(&shared, id, &form).await?;
            }
            drop(app.intake.cancel(id, request, revision, &actor).await?);
        }
        Act::Remove => {
            let request = RemoveRequest {
                links: form.is_ticked("links"),
                remove_torrent: form.is_ticked("remove_torrent"),
                delete_data: form.is_ticked("delete_data"),
            };
            if request.delete_data {
                name_is_typed(&shared, id, &form).await?;
            }
            let left = app.removal.remove(id, request, revision, &actor).await?.left;
            if !left.is_empty() {
                return library::undone(&shared, reader, left, Some(id)).await;
            }
            return Ok(form.back(&shared, "/").into_response());
        }
    }
    Ok(form.back(&shared, &format!("/download/{id}")).into_response())
}

/// Data is deleted only where the name of the download was typed.
async fn name_is_typed(shared: &Shared, id: DownloadId, form: &Posted) -> Result<(), Problem> {
    let name = shared.app.intake.show(id).await?.name;
    if form.get("typed") == Some(name.trim()) {
        return Ok(());
    }
    let detail = format!("to delete its data, type the name: {name}");
    Err(Problem::fields(vec![FieldError::body("/typed", detail)]))
}
