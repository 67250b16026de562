//! What a code means and what to do about it.

use askama::Template;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use tracker_app::InboxGroup;
use tracker_domain::Attention;
use tracker_domain::health::CHECKS;
use tracker_wire::ProblemPageDto;

use crate::auth::Visitor;
use crate::code::{Code, text_of};
use crate::openapi::NoSuchCode;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

/// What a code means and what to do about it.
///
/// For every code of a refusal, an attention, a failed download or the state of
/// the program. A page, or JSON for a caller that asks for nothing else.
#[utoipa::path(
    get,
    path = "/problems/{code}",
    operation_id = "problem_page",
    tag = "problems",
    security(()),
    params(("code" = String, Path, description = "The code.")),
    responses(
        (
            status = 200,
            description = "Its meaning.",
            content((String = "text/html"), (ProblemPageDto = "application/json"))
        ),
        NoSuchCode
    )
)]
pub(crate) async fn page(
    State(shared): State<Shared>,
    visitor: Option<Extension<Visitor>>,
    reader: Reader,
    code: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let none = || Problem::new(Code::NotFound).detail("there is no such code");
    let Path(code) = code.map_err(|_| none())?;
    let text = text_of(&code).ok_or_else(none)?;
    let dto = ProblemPageDto {
        title: text.title.to_owned(),
        meaning: text.meaning.to_owned(),
        remedy: text.remedy.to_owned(),
        code,
    };
    if wants_json(&headers) {
        return Ok(Json(dto).into_response());
    }
    // Everybody may read it; who has access finds the way on.
    let page = match visitor {
        Some(_) => Page::inside(&shared, reader, Place::Other).await?,
        None => Page::outside(&shared, reader, Place::Other),
    };
    let way = page.is_inside().then(|| way_on(&dto.code));
    Ok(shown(&ProblemPage { text: translated(&page, dto), way, page })?.into_response())
}

/// The page on which something can be done about it, and the key of its text.
fn way_on(code: &str) -> (String, &'static str) {
    if code.parse::<Attention>().is_ok() {
        let group = InboxGroup::NeedsYou.as_str();
        return (format!("/?group={group}&only={code}"), "downloads-of-mark");
    }
    if CHECKS.contains(&code) {
        return ("/health".to_owned(), "to-health");
    }
    ("/".to_owned(), "back-to-inbox")
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("json") && !accept.contains("text/html"))
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    page: Page,
    text: ProblemPageDto,
    way: Option<(String, &'static str)>,
}

/// The texts in the language of the reader. The English ones are those of REST, and
/// stand beside the codes.
fn translated(page: &Page, dto: ProblemPageDto) -> ProblemPageDto {
    let key = format!("problem-{}", dto.code);
    let said = |part: &str| page.translated(&format!("{key}{part}"));
    ProblemPageDto {
        title: said("").unwrap_or(dto.title),
        meaning: said("-meaning").unwrap_or(dto.meaning),
        remedy: said("-remedy").unwrap_or(dto.remedy),
        code: dto.code,
    }
}
