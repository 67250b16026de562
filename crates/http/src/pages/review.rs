//! What a download is taken for: the works that may be meant, what a person sets
//! against the names, and what would be linked.

use std::path::PathBuf;

use askama::Template;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use tracker_app::{
    Action, ApplyRequest, BatchView, CandidateView, DownloadView, Expected, FieldError, FileView,
    NoRelease, NoWorks, OverrideView, PlanView, RecognitionView, ReleaseView, Resolution, Said,
    SkippedView,
};
use tracker_domain::ask::AskScope;
use tracker_domain::entity::CandidateId;
use tracker_domain::metadata::WorkKind;
use tracker_domain::recognised::{RecognitionState, Role};
use tracker_domain::{Actor, DownloadId, DownloadState, Remark};

use crate::code::Code;
use crate::extract::{Caller, Parsed};
use crate::pages::form::Posted;
use crate::pages::refusal::Refused;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::pages::stale::Stale;
use crate::problem::Problem;
use crate::shared::Shared;

#[derive(Template)]
#[template(path = "review.html")]
struct Review {
    page: Page,
    view: DownloadView,
    recognition: RecognitionView,
    candidates: Vec<CandidateView>,
    chosen: Option<CandidateId>,
    fields: Vec<Field>,
    files: Vec<FileRow>,
    overrides: Vec<OverrideView>,
    /// Which release it is, or why nothing can be remembered for it.
    release: Result<ReleaseView, NoRelease>,
    /// Whether the box to remember it was ticked in a form that was refused.
    is_to_remember: bool,
    plan: Result<PlanView, Refused>,
    /// What can be done about the plan.
    step: Step,
    /// Why there are no candidates, where there are none.
    without_works: NoWorks,
    /// What can be said of being asked, as the words of the buttons.
    asking: Vec<&'static str>,
    /// The newest entry of the journal that the page knows of.
    seen: String,
    /// What changed, where the form that was sent belonged to something older.
    stale: Option<Stale>,
    refusal: Option<Refused>,
    /// What a search for another work begins with.
    sought: String,
}

/// What can be done about a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Nothing: it was.
    Stands,
    /// Nothing: no file gets a link.
    Nothing,
    /// It is carried out.
    Apply,
    /// It is carried out, and the match is taken with it.
    TakeAndApply,
    /// A match has to be taken first.
    Match,
    /// The match is kept until it is complete.
    Keep,
}

fn step_of(
    view: &DownloadView,
    recognition: &RecognitionView,
    plan: &PlanView,
    batches: &[BatchView],
) -> Step {
    if plan.stands(batches) {
        return Step::Stands;
    }
    if plan.has_nothing() {
        return Step::Nothing;
    }
    if !matches!(view.state, DownloadState::Downloaded | DownloadState::Done) {
        return Step::Keep;
    }
    match recognition.state {
        RecognitionState::Accepted => Step::Apply,
        RecognitionState::Proposed => Step::TakeAndApply,
        RecognitionState::Pending
        | RecognitionState::Waiting
        | RecognitionState::Rejected
        | RecognitionState::Superseded => Step::Match,
    }
}

impl Review {
    /// What the button says that carries the plan out.
    fn apply_words(&self, plan: &PlanView) -> String {
        let is_taken = self.step == Step::TakeAndApply;
        match (plan.links.len(), is_taken) {
            (0, false) => self.page.say("apply-choice"),
            (0, true) => self.page.say("take-and-choose"),
            (links, false) => self.page.many("apply-links", links),
            (links, true) => self.page.many("take-and-link", links),
        }
    }

    fn stands(&self) -> bool {
        self.step == Step::Stands
    }

    /// Whether the score says something: not where the work was named, whatever the names
    /// say.
    fn says_score(&self, candidate: &CandidateView) -> bool {
        candidate.score > 0.0 || !self.recognition.has_taken(candidate.id)
    }

    fn is_chosen(&self, candidate: &CandidateView) -> bool {
        self.chosen == Some(candidate.id)
    }

    /// Whether a file that gets no link gets one where a person wants it.
    fn can_be_included(&self, skipped: &SkippedView) -> bool {
        let mut files = self.recognition.files.iter();
        files.any(|file| file.index == skipped.file && file.can_be_included)
    }

    /// Why there is no box to remember what is set.
    fn no_release(&self, why: &NoRelease) -> String {
        self.page.say(match why {
            NoRelease::NoGroup => "remember-no-group",
            NoRelease::NoTitle => "remember-no-title",
        })
    }

    /// The word of a field; of one of a file with its path.
    fn named(&self, field: &str) -> String {
        let Some((index, name)) =
            field.strip_prefix("file.").and_then(|of_file| of_file.split_once('.'))
        else {
            return self.page.word("field", field);
        };
        let word = self.page.word("field", name);
        match self.files.iter().find(|file| file.index.to_string() == index) {
            Some(file) => format!("{word} ({})", file.path),
            None => word,
        }
    }
}

/// The word of a kind of work.
pub(crate) const fn kind_word(kind: &WorkKind) -> &'static str {
    match kind {
        WorkKind::Movie => "movie",
        WorkKind::Series => "series",
    }
}

/// What a person can say of being asked first, of a download whose match matters.
pub(crate) fn asking(view: &DownloadView, recognition: &RecognitionView) -> Vec<&'static str> {
    if !view.may_be_said() {
        return Vec::new();
    }
    let for_title = recognition.asks_of.as_ref().map(|_| "ask-title");
    match recognition.asks {
        Some(AskScope::Title) => vec!["ask-title-off"],
        Some(AskScope::Download) => for_title.into_iter().chain(["ask-download-off"]).collect(),
        None => for_title.into_iter().chain(["ask-download"]).collect(),
    }
}

/// What the button of a file says that is to be taken in after all, before its index.
const INCLUDE: &str = "include.";

/// One field of the whole that can be set.
struct Field {
    name: &'static str,
    value: String,
    /// What it is now, where the person wrote something else that was refused.
    was: String,
    /// Why it was refused.
    wrong: Option<String>,
    is_set: bool,
    /// Whether that is remembered of another release.
    is_remembered: bool,
    choices: Vec<Choice>,
}

struct Choice {
    value: String,
    text: String,
}

/// One file whose numbers can be set.
struct FileRow {
    index: u32,
    path: String,
    role: &'static str,
    is_editable: bool,
    season: Written,
    episodes: Written,
    is_skipped: bool,
}

/// What stands in a field of a file.
struct Written {
    value: String,
    was: String,
    is_wrong: bool,
}

/// A form that was refused: what was written, and what is wrong with it.
#[derive(Clone, Copy, Default)]
struct Typed<'a> {
    form: Option<&'a Posted>,
    problem: Option<&'a Problem>,
}

impl Typed<'_> {
    /// What was written into a field; `None` where no such form was sent.
    fn value(&self, field: &str) -> Option<String> {
        let form = self.form?;
        form.whole(&format!("was.{field}"))?;
        Some(form.get(&format!("field.{field}")).unwrap_or_default().to_owned())
    }

    fn wrong(&self, field: &str) -> Option<String> {
        let errors = &self.problem?.body().errors;
        let pointer = format!("/{field}");
        errors.iter().find(|error| error.pointer == pointer).map(|error| error.detail.clone())
    }

    fn written(&self, field: &str, was: String) -> Written {
        let value = self.value(field).unwrap_or_else(|| was.clone());
        Written { value, was, is_wrong: self.wrong(field).is_some() }
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    Parsed(id): Parsed<DownloadId>,
) -> Result<Html<String>, Problem> {
    review(&shared, reader, id, None, Typed::default()).await
}

async fn review(
    shared: &Shared,
    reader: Reader,
    id: DownloadId,
    stale: Option<&Posted>,
    typed: Typed<'_>,
) -> Result<Html<String>, Problem> {
    let app = &shared.app;
    // Before everything that is shown, so that no change is taken for seen.
    let seen = app.journal.newest().await?.map(|id| id.to_string()).unwrap_or_default();
    let view = app.intake.show(id).await?;
    let recognition = app.review.recognition(id).await?;
    let candidates = app.review.candidates(id).await?.items;
    let overrides = app.review.overrides(id).await?.items;
    let release = app.review.release(id).await?;
    // That there is no plan yet is a part of the page, not a refusal of it.
    let plan = app.library.plan(id).await.map_err(Problem::from);
    let stale = match stale {
        Some(form) => Some(Stale::since(shared, id, form, plan.as_ref().ok()).await?),
        None => None,
    };
    let page = Page::inside(shared, reader, Place::Inbox).await?;
    let chosen = recognition.candidate_id.or(candidates.first().map(|best| best.id));
    let batches = app.library.batches(id).await?;
    let step =
        plan.as_ref().map_or(Step::Nothing, |plan| step_of(&view, &recognition, plan, &batches));
    shown(&Review {
        fields: fields(&page, &recognition, &overrides, app.intake.libraries(), typed),
        files: recognition.files.iter().map(|file| row(file, &overrides, typed)).collect(),
        refusal: typed.problem.map(|problem| Refused::new(&page, problem)),
        plan: plan.map_err(|problem| Refused::new(&page, &problem)),
        sought: recognition.fields.title.clone().unwrap_or_default(),
        without_works: recognition.without_works(&view, app.search.has_sources()),
        step,
        asking: asking(&view, &recognition),
        page,
        view,
        recognition,
        candidates,
        chosen,
        overrides,
        release,
        is_to_remember: typed.form.is_some_and(|form| form.is_ticked("remember")),
        seen,
        stale,
    })
}

fn fields(
    page: &Page,
    recognition: &RecognitionView,
    overrides: &[OverrideView],
    libraries: &[String],
    typed: Typed<'_>,
) -> Vec<Field> {
    let found = &recognition.fields;
    let words = |group: &str, words: &[&str]| {
        words
            .iter()
            .map(|word| Choice { value: (*word).to_owned(), text: page.word(group, word) })
            .collect::<Vec<_>>()
    };
    let field = |name: &'static str, read: String, choices: Vec<Choice>| {
        let set = overrides.iter().find(|set| set.field == name);
        let was = set.map_or(read, |set| set.value.clone());
        let Written { value, was, .. } = typed.written(name, was);
        let is_remembered = set.is_some_and(|set| set.remembered_at.is_some());
        let (is_set, wrong) = (set.is_some(), typed.wrong(name));
        Field { name, value, was, wrong, is_set, is_remembered, choices }
    };
    let season = found.seasons.first().map(u32::to_string).unwrap_or_default();
    let kinds = words("work", &["movie", "series", "anime", "other"]);
    let numbering = words("numbering", &["aired", "absolute"]);
    let homes =
        libraries.iter().map(|name| Choice { value: name.clone(), text: name.clone() }).collect();
    vec![
        field("title", found.title.clone().unwrap_or_default(), Vec::new()),
        field("year", found.year.map(|year| year.to_string()).unwrap_or_default(), Vec::new()),
        field("kind", found.kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default(), kinds),
        field("season", season, Vec::new()),
        field("episode_offset", String::new(), Vec::new()),
        field("numbering", String::new(), numbering),
        field("edition", found.edition.join(", "), Vec::new()),
        field("library", String::new(), homes),
    ]
}

fn row(file: &FileView, overrides: &[OverrideView], typed: Typed<'_>) -> FileRow {
    let set = |name: &str| {
        let field = format!("file.{}.{name}", file.index);
        overrides.iter().find(|set| set.field == field).map(|set| set.value.clone())
    };
    let read = &file.fields;
    let season = read.seasons.first().map(u32::to_string).unwrap_or_default();
    let episodes = read.episodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let written = |name: &str, read: String| {
        typed.written(&format!("file.{}.{name}", file.index), set(name).unwrap_or(read))
    };
    FileRow {
        index: file.index,
        path: file.path.clone().unwrap_or_else(|| file.index.to_string()),
        role: file.role.as_str(),
        // What a file is may not be known for want of the very numbers.
        is_editable: matches!(file.role, Role::Main | Role::Subtitle | Role::Audio | Role::Unknown),
        season: written("season", season),
        episodes: written("episodes", episodes),
        is_skipped: set("skip").is_some_and(|value| value == "true"),
    }
}

/// What a person decided on the page. A refusal is told on the page, with everything
/// as it is now.
pub(crate) async fn decide(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    Parsed(id): Parsed<DownloadId>,
    form: Posted,
) -> Result<Response, Problem> {
    let revision = form.revision()?;
    let problem = match carry_out(&shared, &actor, id, &form, revision).await {
        Ok(Done::Linked) => {
            return Ok(Redirect::to(&shared.url(&format!("/download/{id}"))).into_response());
        }
        Ok(Done::Here) => {
            return Ok(Redirect::to(&shared.url(&format!("/download/{id}/review"))).into_response());
        }
        Err(problem) => problem,
    };
    let status = problem.status();
    if !status.is_client_error() || status.as_u16() == 404 {
        return Err(problem);
    }
    let stale = [Code::Stale, Code::PlanChanged, Code::Superseded];
    let is_stale = stale.iter().any(|code| problem.body().code == code.as_str());
    let (stale, typed) = if is_stale {
        (Some(&form), Typed::default())
    } else {
        (None, Typed { form: Some(&form), problem: Some(&problem) })
    };
    let html = review(&shared, reader, id, stale, typed).await?;
    Ok((status, html).into_response())
}

/// Where the person goes on.
enum Done {
    Here,
    Linked,
}

async fn carry_out(
    shared: &Shared,
    actor: &Actor,
    id: DownloadId,
    form: &Posted,
    revision: Expected,
) -> Result<Done, Problem> {
    let review = &shared.app.review;
    match form.get("do").unwrap_or_default() {
        "accept" => {
            let candidate: Option<CandidateId> = form.id("candidate")?;
            review.accept(id, candidate, revision, actor).await?;
        }
        "ask-title" => drop(review.ask(id, AskScope::Title, revision, actor).await?),
        "ask-download" => drop(review.ask(id, AskScope::Download, revision, actor).await?),
        "ask-title-off" => {
            review.ask_no_more(id, AskScope::Title, revision, actor).await?;
        }
        "ask-download-off" => {
            review.ask_no_more(id, AskScope::Download, revision, actor).await?;
        }
        "as-read" => drop(review.accept(id, None, revision, actor).await?),
        "reject" => drop(review.reject(id, revision, actor).await?),
        "rerun" => drop(review.rerun(id, revision, actor).await?),
        "pin" => {
            let pin = form.get("pin").unwrap_or_default();
            review.set_override(id, "candidate", pin, revision, actor).await?;
        }
        "take-back" => {
            let field = form.get("field").unwrap_or_default();
            review.remove_override(id, field, revision, actor).await?;
        }
        "shift" => {
            let none = Remark::ShiftByNothing.to_string();
            let wrong = |_| Problem::fields(vec![FieldError::body("/by", none)]);
            let by: i32 = form.get("by").unwrap_or_default().parse().map_err(wrong)?;
            review.shift(id, by, revision, actor).await?;
        }
        word if word.starts_with(INCLUDE) => {
            // What is no index is no field, and told as that.
            let field = format!("file.{}.skip", word.trim_start_matches(INCLUDE));
            review.set_override(id, &field, "false", revision, actor).await?;
        }
        "adjust" => adjust(shared, actor, id, form, revision).await?,
        "apply" => {
            apply(shared, actor, id, form, revision).await?;
            return Ok(Done::Linked);
        }
        other => return Err(Problem::unknown_act(other)),
    }
    Ok(Done::Here)
}

/// Sets what differs from what was shown, and takes back what was emptied: all of it or
/// nothing.
async fn adjust(
    shared: &Shared,
    actor: &Actor,
    id: DownloadId,
    form: &Posted,
    revision: Expected,
) -> Result<(), Problem> {
    let mut said = Said {
        hint: form.get("hint").map(str::to_owned),
        remember: form.is_ticked("remember"),
        ..Said::default()
    };
    let shown = form.pairs().filter_map(|(name, was)| Some((name.strip_prefix("was.")?, was)));
    for (field, was) in shown {
        // A box that is not ticked is not sent.
        let value = form.get(&format!("field.{field}"));
        if value.unwrap_or_default() != was.trim() {
            said.fields.push((field.to_owned(), value.map(str::to_owned)));
        }
    }
    Ok(shared.app.review.say(id, said, revision, actor).await?)
}

/// Carries out the plan that was shown. Where the match was not taken yet, taking it is
/// part of that, and is left where the plan cannot be carried out.
async fn apply(
    shared: &Shared,
    actor: &Actor,
    id: DownloadId,
    form: &Posted,
    revision: Expected,
) -> Result<(), Problem> {
    let mut resolve = Vec::new();
    for (target, action) in form.all("target").zip(form.all("action")) {
        if action.is_empty() {
            continue;
        }
        let action: Action = action.parse().map_err(|error: tracker_app::ParseActionError| {
            Problem::fields(vec![FieldError::body("/action", error.to_string())])
        })?;
        resolve.push(Resolution { target: PathBuf::from(target), action });
    }
    let plan = form.get("plan").map(str::to_owned);
    let request = ApplyRequest { plan, resolve, take: true };
    shared.app.library.apply(id, request, revision, actor).await?;
    Ok(())
}
