//! Handing over: links, hashes and files, several at once.

use askama::Template;
use axum::extract::State;
use axum::response::Html;
use tracker_app::{AppError, IngestOptions, IngestRequest, Source};
use tracker_domain::{Magnet, Torrent};

use crate::extract::Caller;
use crate::pages::form::{Asked, Posted};
use crate::pages::refusal::Refused;
use crate::pages::shell::{Page, Place, Reader, shown};
use crate::problem::Problem;
use crate::shared::Shared;

/// So many at once; a list that is longer is a mistake more often than a wish.
const MAX_LINES: usize = 200;

#[derive(Template)]
#[template(path = "add.html")]
struct Add {
    page: Page,
    outcomes: Vec<Outcome>,
    /// What stays in the field: the lines that were refused.
    kept: String,
    pin: String,
    hint: String,
    has_options: bool,
    /// Whether it was sent with nothing in it.
    is_empty: bool,
    libraries: Vec<String>,
    clients: Vec<String>,
}

/// What became of one of them.
enum Outcome {
    Taken {
        created: bool,
        id: String,
        name: String,
        state: &'static str,
    },
    /// The line, or the name of the file.
    Refused {
        what: String,
        problem: Problem,
    },
}

/// One of what was sent.
struct Given {
    what: String,
    /// Whether it goes back into the field of the links.
    is_line: bool,
    source: Result<Source, AppError>,
}

impl Add {
    fn refused(&self, problem: &Problem) -> Refused {
        Refused::new(&self.page, problem)
    }
}

pub(crate) async fn page(
    State(shared): State<Shared>,
    reader: Reader,
    asked: Asked,
) -> Result<Html<String>, Problem> {
    // A handler of `magnet:` links and a phone that shares send one of these.
    let given = ["magnet", "url", "text"].into_iter().filter_map(|name| asked.get(name));
    let kept = given.flat_map(lines).collect::<Vec<_>>().join("\n");
    let option = |name| asked.get(name).map(str::to_owned);
    let options =
        IngestOptions { pin: option("pin"), hint: option("hint"), ..IngestOptions::default() };
    answer(&shared, reader, None, kept, &options).await
}

pub(crate) async fn add(
    State(shared): State<Shared>,
    Caller(actor): Caller,
    reader: Reader,
    form: Posted,
) -> Result<Html<String>, Problem> {
    let option = |name| form.get(name).map(str::to_owned);
    let options = IngestOptions {
        hint: option("hint"),
        pin: option("pin"),
        library: option("library"),
        client: option("client"),
    };
    let links = form.all("magnet").flat_map(lines).take(MAX_LINES).map(|line| {
        let source = Magnet::parse(&line).map(|it| Source::Magnet(Box::new(it)));
        Given { what: line, is_line: true, source: source.map_err(AppError::from) }
    });
    let files = form.files("torrent").take(MAX_LINES).map(|file| {
        let source = Torrent::parse(&file.bytes).map(|it| Source::Torrent(Box::new(it)));
        let what = file.name.clone();
        Given { what, is_line: false, source: source.map_err(AppError::from) }
    });
    let mut outcomes = Vec::new();
    let mut kept = Vec::new();
    for Given { what, is_line, source } in links.chain(files) {
        let taken = match source {
            Ok(source) => {
                let request = IngestRequest { source, options: options.clone() };
                shared.app.intake.ingest(request, &actor).await
            }
            Err(error) => Err(error),
        };
        outcomes.push(match taken {
            Ok(answer) => Outcome::Taken {
                created: answer.created,
                id: answer.download.id.to_string(),
                name: answer.download.name,
                state: answer.download.state.as_str(),
            },
            Err(error) => {
                if is_line {
                    kept.push(what.clone());
                }
                Outcome::Refused { what, problem: error.into() }
            }
        });
    }
    let outcomes = Some(outcomes);
    answer(&shared, reader, outcomes, kept.join("\n"), &options).await
}

async fn answer(
    shared: &Shared,
    reader: Reader,
    outcomes: Option<Vec<Outcome>>,
    kept: String,
    options: &IngestOptions,
) -> Result<Html<String>, Problem> {
    let page = Page::inside(shared, reader, Place::Add).await?;
    // Something was sent, and there was nothing in it.
    let is_empty = outcomes.as_ref().is_some_and(Vec::is_empty);
    let outcomes = outcomes.unwrap_or_default();
    let taken = |outcome: &Outcome| matches!(outcome, Outcome::Taken { .. });
    // What was taken needs its options no longer.
    let is_open = outcomes.is_empty() || !outcomes.iter().all(taken);
    let keep = |value: &Option<String>| value.clone().filter(|_| is_open).unwrap_or_default();
    let (pin, hint) = (keep(&options.pin), keep(&options.hint));
    shown(&Add {
        page,
        outcomes,
        kept,
        is_empty,
        has_options: !pin.is_empty() || !hint.is_empty(),
        pin,
        hint,
        libraries: shared.app.intake.libraries().to_vec(),
        clients: shared.app.intake.client_names(),
    })
}

/// One link or hash a line, without what is between them.
fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned)
}
