//! Handing over: links, hashes and files, several at once.

use askama::Template;
use axum::extract::State;
use axum::response::Html;
use tracker_app::{AppError, IngestOptions, IngestRequest, Source};
use tracker_domain::{Magnet, Torrent, TorrentError};

use crate::extract::Caller;
use crate::pages::form::{Asked, Posted, SentFile};
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
    /// What was not looked at.
    rest: Rest,
    pin: String,
    hint: String,
    library: String,
    client: String,
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

/// What came behind as many as are taken at once.
#[derive(Default)]
struct Rest {
    /// So many lines, which stay in the field.
    lines: usize,
    /// The names of the files, which have to be chosen anew: no page can keep a file.
    files: Vec<String>,
}

impl Rest {
    const fn is_empty(&self) -> bool {
        self.lines == 0 && self.files.is_empty()
    }
}

/// One of what was sent.
struct Given {
    what: String,
    /// Whether it goes back into the field of the links.
    is_line: bool,
    source: Result<Source, AppError>,
}

impl Given {
    fn line(line: String) -> Given {
        let source = Magnet::parse(&line).map(|it| Source::Magnet(Box::new(it)));
        Given { what: line, is_line: true, source: source.map_err(AppError::from) }
    }

    fn file(file: &SentFile) -> Given {
        let torrent = match &file.bytes {
            Ok(bytes) => Torrent::parse(bytes),
            Err(size) => Err(TorrentError::TooLarge(*size)),
        };
        let source = torrent.map(|it| Source::Torrent(Box::new(it)));
        Given { what: file.name.clone(), is_line: false, source: source.map_err(AppError::from) }
    }
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
    let mut lines = form.all("magnet").flat_map(lines);
    let links: Vec<Given> = lines.by_ref().take(MAX_LINES).map(Given::line).collect();
    let rest_lines: Vec<String> = lines.collect();
    let mut files = form.files("torrent");
    let torrents: Vec<Given> = files.by_ref().take(MAX_LINES).map(Given::file).collect();
    let rest = Rest { lines: rest_lines.len(), files: files.map(|it| it.name.clone()).collect() };
    let mut outcomes = Vec::new();
    let mut kept = Vec::new();
    for Given { what, is_line, source } in links.into_iter().chain(torrents) {
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
    kept.extend(rest_lines);
    answer(&shared, reader, Some((outcomes, rest)), kept.join("\n"), &options).await
}

async fn answer(
    shared: &Shared,
    reader: Reader,
    became: Option<(Vec<Outcome>, Rest)>,
    kept: String,
    options: &IngestOptions,
) -> Result<Html<String>, Problem> {
    let page = Page::inside(shared, reader, Place::Add).await?;
    // Something was sent, and there was nothing in it.
    let is_empty = became.as_ref().is_some_and(|(outcomes, _)| outcomes.is_empty());
    let (outcomes, rest) = became.unwrap_or_default();
    let taken = |outcome: &Outcome| matches!(outcome, Outcome::Taken { .. });
    // What was taken needs its options no longer.
    let is_open = outcomes.is_empty() || !rest.is_empty() || !outcomes.iter().all(taken);
    let keep = |value: &Option<String>| value.clone().filter(|_| is_open).unwrap_or_default();
    let (pin, hint) = (keep(&options.pin), keep(&options.hint));
    let (library, client) = (keep(&options.library), keep(&options.client));
    let filled = [&pin, &hint, &library, &client];
    shown(&Add {
        page,
        outcomes,
        kept,
        is_empty,
        rest,
        has_options: filled.iter().any(|value| !value.is_empty()),
        pin,
        hint,
        library,
        client,
        libraries: shared.app.intake.libraries().to_vec(),
        clients: shared.app.intake.client_names(),
    })
}

/// One link or hash a line, without what is between them.
fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned)
}
