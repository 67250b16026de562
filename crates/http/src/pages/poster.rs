//! Posters of candidates, and a card with the title where there is none.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tracker_app::{Poster, PosterView};
use tracker_domain::entity::CandidateId;

use crate::code::Code;
use crate::extract::Parsed;
use crate::problem::Problem;
use crate::shared::Shared;

/// A line of a card holds so many letters, at its size of type.
const LETTERS: usize = 14;

/// A card has so many lines; the rest of a title is left away.
const LINES: usize = 6;

/// The picture of a candidate is kept by the browser for a day, and asked for by its
/// `ETag` afterwards. A card is asked for again each time: the picture may come.
pub(crate) async fn poster(
    State(shared): State<Shared>,
    Parsed(id): Parsed<CandidateId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let found = shared.app.posters.poster(id).await?;
    let view = found
        .ok_or_else(|| Problem::new(Code::NotFound).detail("there is no candidate with that id"))?;
    match view.picture {
        Some(picture) => picture_of(picture, &headers),
        None => card(&view),
    }
}

fn picture_of(picture: Poster, headers: &HeaderMap) -> Result<Response, Problem> {
    let Poster { bytes, media_type, etag } = picture;
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == etag.as_str());
    let etag = HeaderValue::from_str(&etag)
        .map_err(|error| Problem::fault(format!("a tag cannot be sent: {error}")))?;
    let kept = HeaderValue::from_static("private, max-age=86400");
    let about = [(header::ETAG, etag), (header::CACHE_CONTROL, kept)];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))];
    Ok((about, kind, bytes).into_response())
}

#[derive(Template)]
#[template(path = "card.svg")]
struct Card {
    /// Each line with its distance from the top.
    lines: Vec<(usize, String)>,
    year: Option<i32>,
}

fn card(view: &PosterView) -> Result<Response, Problem> {
    let lines = lines_of(&view.title).into_iter().enumerate();
    let lines = lines.map(|(place, line)| (40 + 22 * place, line)).collect();
    let svg = Card { lines, year: view.year }
        .render()
        .map_err(|error| Problem::fault(format!("a card cannot be drawn: {error}")))?;
    let about = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((about, svg).into_response())
}

/// The words of a title in lines that fit; a word that is longer is cut. What is no
/// letter for XML separates words.
fn lines_of(title: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let ends = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}')
    };
    for word in title.split(ends).filter(|word| !word.is_empty()) {
        let word: String = word.chars().take(LETTERS).collect();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LETTERS => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::{LETTERS, LINES, lines_of};

    #[test]
    fn a_title_fits_into_its_card() {
        spec!("web-ui#posters-are-ours/a-title-card");
        assert_eq!(lines_of("Москва слезам не верит"), ["Москва слезам", "не верит"]);
        assert_eq!(lines_of("one\u{0}two\u{FFFE}three"), ["one two three"]);
        assert!(lines_of("").is_empty());
        proptest!(|(title in "\\PC{0,200}")| {
            let lines = lines_of(&title);
            prop_assert!(lines.len() <= LINES);
            for line in &lines {
                prop_assert!((1..=LETTERS + 1).contains(&line.chars().count()), "{line:?}");
            }
        });
    }
}
