//! A refusal, where a browser asks: what it is by its code, in the language of the page,
//! and behind that what was said of it.

use askama::Template;
use axum::http::Method;
use tracing::error;
use tracker_wire::Problem;

use crate::auth::Visitor;
use crate::code::{Text, text_of};
use crate::pages::shell::{Page, Place, Reader};
use crate::shared::Shared;

/// A refusal as a part of a page that goes on.
pub(crate) struct Refused {
    pub(crate) title: String,
    /// The words of the core, where it has any.
    pub(crate) detail: Option<String>,
    /// Whether they name what to correct, so that nobody should have to look for them.
    pub(crate) is_open: bool,
    /// The page of the download that is in the way.
    pub(crate) owner: Option<String>,
}

impl Refused {
    pub(crate) fn new(page: &Page, problem: &crate::problem::Problem) -> Refused {
        let body = problem.body();
        Refused {
            title: title(page, body),
            detail: problem.said(),
            is_open: !body.errors.is_empty(),
            owner: owner(page, body),
        }
    }
}

/// Whether the page of a form can tell why it was refused: what is not there has no page,
/// and what is a fault of ours might befall the page as well.
pub(crate) fn is_for_its_page(problem: &crate::problem::Problem) -> bool {
    let status = problem.status();
    status.is_client_error() && status.as_u16() != 404
}

fn title(page: &Page, problem: &Problem) -> String {
    let title = page.translated(&format!("problem-{}", problem.code));
    title.unwrap_or_else(|| problem.title.clone())
}

fn owner(page: &Page, problem: &Problem) -> Option<String> {
    problem.owner_id.as_ref().map(|id| page.url(&format!("/download/{id}")))
}

/// For whom a refusal becomes a page, and where they came from.
#[derive(Clone, Debug)]
pub(crate) struct Comer {
    pub(crate) visitor: Visitor,
    /// The page of ours that the request was sent from.
    pub(crate) from: Option<String>,
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct Refusal<'a> {
    page: Page,
    title: String,
    problem: &'a Problem,
    owner: Option<String>,
    /// Where to go on: an address of ours, and the key of its text.
    back: Option<(String, &'static str)>,
    /// What it means and what to do, where nothing else is told.
    general: Option<General>,
}

struct General {
    meaning: String,
    remedy: String,
}

fn general(page: &Page, problem: &Problem) -> Option<General> {
    if problem.detail.is_some() || !problem.errors.is_empty() {
        return None;
    }
    let Text { meaning, remedy, .. } = text_of(&problem.code)?;
    let said = |part: &str, english: &str| {
        let translated = page.translated(&format!("problem-{}-{part}", problem.code));
        translated.unwrap_or_else(|| english.to_owned())
    };
    Some(General { meaning: said("meaning", meaning), remedy: said("remedy", remedy) })
}

/// The refusal as a page. Nothing where it cannot be written: then it is told as to a
/// program, since a fault of ours must not hide another.
pub(crate) async fn page(
    shared: &Shared,
    reader: Reader,
    method: &Method,
    comer: Option<Comer>,
    problem: &Problem,
) -> Option<String> {
    let here = reader.path().to_owned();
    let looks = matches!(*method, Method::GET | Method::HEAD);
    let page = match &comer {
        Some(_) => Page::inside_whatever(shared, reader, Place::Other).await,
        None => Page::outside(shared, reader, Place::Other),
    };
    let from = comer.and_then(|comer| comer.from).filter(|from| *from != here || !looks);
    let back = page.is_inside().then(|| way_back(from));
    // What changes something cannot be asked for again, in another language say.
    let page = match &back {
        Some((path, _)) if !looks => page.at(path.clone()),
        _ => page,
    };
    let (title, owner) = (title(&page, problem), owner(&page, problem));
    let general = general(&page, problem);
    Refusal { page, title, problem, owner, back, general }
        .render()
        .inspect_err(|error| error!(%error, "a refusal cannot be written as a page"))
        .ok()
}

/// To the page that it came from, else to the first one.
fn way_back(from: Option<String>) -> (String, &'static str) {
    match from {
        Some(from) if from.starts_with("/download/") => (from, "back-to-download"),
        Some(from) if from != "/" => (from, "go-back"),
        _ => ("/".to_owned(), "back-to-inbox"),
    }
}
