//! Pins: a title of a metadata source that a person names at intake.

use crate::error::AppError;

/// Brings a pin into its canonical form: `tmdb:603`, `tmdb:tv/1399`,
/// `tvmaze:82`, `imdb:tt0133093`.
pub(crate) fn parse_pin(text: &str) -> Result<String, AppError> {
    let refused = || AppError::InvalidPin(text.to_owned());
    let pin = text.trim().to_ascii_lowercase();
    let number = |digits: &str| {
        (!digits.is_empty() && digits.len() <= 10 && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| digits.to_owned())
    };
    let imdb = |id: &str| id.strip_prefix("tt").and_then(number).map(|id| format!("imdb:tt{id}"));
    if let Some(id) = imdb(&pin) {
        return Ok(id);
    }
    let (source, rest) = pin.split_once(':').ok_or_else(refused)?;
    let found = match source {
        "tmdb" => match rest.split_once('/') {
            None => number(rest).map(|id| format!("tmdb:{id}")),
            Some((kind @ ("movie" | "tv"), id)) => number(id).map(|id| format!("tmdb:{kind}/{id}")),
            Some(_) => None,
        },
        "tvmaze" => number(rest).map(|id| format!("tvmaze:{id}")),
        "imdb" => imdb(rest),
        _ => None,
    };
    found.ok_or_else(refused)
}
