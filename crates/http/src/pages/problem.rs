//! What a code means and what to do about it.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse, Response};
use tracker_wire::ProblemPageDto;

use crate::code::{Code, text_of};
use crate::html::{document, escaped, paragraph};
use crate::openapi::NoSuchCode;
use crate::problem::Problem;

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
    Ok(if wants_json(&headers) { Json(dto).into_response() } else { shown(&dto).into_response() })
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("json") && !accept.contains("text/html"))
}

fn shown(dto: &ProblemPageDto) -> Html<String> {
    let code = escaped(&dto.code);
    let body = format!(
        "<p><code>{code}</code></p>\n{}<h2>What to do</h2>\n{}",
        paragraph(&dto.meaning),
        paragraph(&dto.remedy)
    );
    Html(document(&dto.title, &body))
}
