//! `adopt --all`: moving in with clients that are in use.

use tracker_app::MAX_ADOPTED;
use tracker_domain::Infohash;
use tracker_wire::{AdoptionDto, DiscoveredDto, ErrorDto, IngestDto, Problem};

use super::lifecycle::{DISCOVERED, discovered_row, parse_infohash};
use crate::api::Api;
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Shows what would be taken over, and what not and why; nothing is changed.
pub(crate) async fn rehearse(
    context: &Context<'_>,
    client: Option<String>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let page = context.api(Access::Read).await?.adoption(client).await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return told_failures(&page.items, terminal);
    }
    shown(&page.items, terminal)?;
    for of_client in page.items.iter().filter(|of_client| of_client.error.is_none()) {
        for line in summary(of_client) {
            writeln!(terminal.out, "{line}")?;
        }
    }
    told_failures(&page.items, terminal)
}

/// Takes over each torrent that is nobody's. On a terminal they are shown and it
/// is asked first, unless `sure`.
pub(crate) async fn adopt_all(
    context: &Context<'_>,
    client: Option<String>,
    sure: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let services = context.working().await?;
    let found = services.api.adoption(client).await?.items;
    let mut worst = told_failures(&found, terminal)?;
    for of_client in found.iter().filter(|of_client| of_client.error.is_none()) {
        for line in summary(of_client) {
            writeln!(terminal.err, "{line}")?;
        }
    }
    let count: usize = found.iter().map(|of_client| of_client.torrents.len()).sum();
    let asks = context.asks && !context.global.json && !sure;
    if count > 0 && asks && !agreed(&found, count, terminal)? {
        return Ok(worst);
    }
    let mut any = false;
    for of_client in found {
        let AdoptionDto { client, torrents, .. } = of_client;
        for some in torrents.chunks(MAX_ADOPTED) {
            let (code, done) = taken(context, &*services.api, &client, some, terminal).await?;
            worst = worst.max(code);
            any |= done;
        }
    }
    if any {
        services.tell(terminal)?;
    }
    Ok(worst)
}

/// Takes some of one client over: the exit code, and whether anything was noted.
async fn taken(
    context: &Context<'_>,
    api: &dyn Api,
    client: &str,
    torrents: &[DiscoveredDto],
    terminal: &mut Terminal<'_>,
) -> Result<(u8, bool), Stop> {
    let named: Result<Vec<Infohash>, ApiFailure> = torrents.iter().filter_map(name_of).collect();
    let adopted = match api.adopt_many(client.to_owned(), named?).await {
        Ok(page) => page.items,
        Err(failure) => {
            let text = format!("{client}: {} torrents: {failure}", torrents.len());
            writeln!(terminal.err, "tracker: {}", clean(&text))?;
            return Ok((failure.exit, false));
        }
    };
    let (mut worst, mut any) = (exit::DONE, false);
    for one in adopted {
        match (one.download, one.error) {
            (Some(download), _) => {
                any = true;
                let answer = IngestDto { created: one.created, download };
                render::ingested(terminal, context.global.json, &answer)?;
            }
            (None, error) => {
                let failure = failure_of(error.unwrap_or_else(|| ErrorDto {
                    code: "not-found".to_owned(),
                    detail: "the daemon has not said what became of it".to_owned(),
                }));
                worst = worst.max(failure.exit);
                let text = format!("{}: {failure}", one.infohash);
                writeln!(terminal.err, "tracker: {}", clean(&text))?;
            }
        }
    }
    Ok((worst, any))
}

/// A v2 where there is one: by a v1 a client does not find each hybrid, and would
/// have to list everything.
fn name_of(torrent: &DiscoveredDto) -> Option<Result<Infohash, ApiFailure>> {
    let longest = torrent.infohashes.iter().max_by_key(|text| text.len())?;
    Some(parse_infohash(longest))
}

fn failure_of(error: ErrorDto) -> ApiFailure {
    let problem = Problem { code: error.code, detail: Some(error.detail), ..Problem::default() };
    ApiFailure::of_problem(problem)
}

/// Clients of which nothing is known, on the standard error: the exit code.
fn told_failures(found: &[AdoptionDto], terminal: &mut Terminal<'_>) -> Outcome {
    let mut worst = exit::DONE;
    for of_client in found {
        if let Some(error) = of_client.error.clone() {
            let failure = failure_of(error);
            worst = worst.max(failure.exit);
            let text = format!("{}: {failure}", of_client.client);
            writeln!(terminal.err, "tracker: {}", clean(&text))?;
        }
    }
    Ok(worst)
}

/// How much of a client is nobody's, and how much is known; then, a line each, what
/// it has beside another client.
fn summary(of_client: &AdoptionDto) -> Vec<String> {
    let torrents = &of_client.torrents;
    let bytes: u64 = torrents.iter().filter_map(|torrent| torrent.size).sum();
    let number = u64::try_from(torrents.len()).unwrap_or(u64::MAX);
    let mut lines = vec![format!(
        "{}: {} to adopt, {}; {} known already",
        of_client.client,
        render::count(number, "torrent"),
        render::size(bytes),
        of_client.known
    )];
    lines.extend(of_client.twins.iter().map(|twin| {
        format!(
            "{}: {} is in {:?} too; it stays one download, {}",
            of_client.client, twin.name, twin.client, twin.download_id
        )
    }));
    lines.iter().map(|line| clean(line)).collect()
}

/// The torrents, a line each, with what a person should know.
fn shown(found: &[AdoptionDto], terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let torrents = found.iter().flat_map(|of_client| &of_client.torrents);
    let rows = torrents.map(|torrent| {
        let mut name = clean(&torrent.name);
        if let Some(note) = &torrent.note {
            name.push_str(&format!("\n({})", clean(note)));
        }
        discovered_row(torrent, name)
    });
    render::table(terminal, &DISCOVERED, rows.collect(), Overflow::Wrap)
}

/// Shows them and asks; whatever is not a yes is a no.
fn agreed(found: &[AdoptionDto], count: usize, terminal: &mut Terminal<'_>) -> Result<bool, Stop> {
    shown(found, terminal)?;
    terminal.agreed(&format!("Adopt {count}? They stay where they are."))
}
