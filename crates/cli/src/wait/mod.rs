//! `ingest --wait`: follows downloads until each rests.
//!
//! It only looks: what happens is done by workers, of a daemon or of this process,
//! and goes on when nobody waits any more.

mod rest;
mod screen;

#[cfg(test)]
mod tests;

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tracker_app::EventQuery;
use tracker_domain::DownloadId;
use tracker_domain::event::EventType;
use tracker_wire::{DownloadDto, FieldsDto, HealthDto};

use crate::api::Api;
use crate::failure::{ApiFailure, exit};
use crate::journal;
use crate::render::count;
use crate::run::{Context, Runs, Working, parse_id};
use crate::terminal::{Stop, Terminal, clean};
use rest::{Rest, advice, passes, rest_of};
use screen::Screen;

/// The pause between two looks.
const LOOK: Duration = Duration::from_millis(500);
/// So much longer for each download, so that many do not keep the daemon busy.
const EACH: Duration = Duration::from_millis(10);
/// Every so many looks clients, and workers that ended, are asked about.
const ROUND: u32 = 4;
/// Looks in a row without an answer after which the wait is given up: a daemon
/// that restarts is back before.
const PATIENCE: u32 = 60;

/// One download that is followed.
pub(crate) struct Followed {
    id: DownloadId,
    /// As it was seen last.
    pub shown: DownloadDto,
    /// Bytes that are there and that are wanted, as they were told last.
    pub bytes: (u64, u64),
    /// What it is taken for.
    pub title: Option<String>,
    /// What it waits for beyond itself, such as its client.
    pub note: Option<String>,
    /// Why it is not followed any more.
    pub rest: Option<Rest>,
}

impl Followed {
    fn new(shown: DownloadDto) -> Result<Self, ApiFailure> {
        let id = parse_id(&shown.id)?.typed();
        Ok(Followed { id, shown, bytes: (0, 0), title: None, note: None, rest: None })
    }

    async fn look(&mut self, api: &dyn Api) -> Result<(), ApiFailure> {
        self.shown = api.download(self.id).await?;
        while let Some(winner) = self.shown.merged_into.clone() {
            self.id = parse_id(&winner)?.typed();
            self.shown = api.download(self.id).await?;
        }
        let recognition = api.recognition(self.id).await?;
        self.title = title(&recognition.fields);
        self.rest = rest_of(&self.shown, passes(&recognition.waiting));
        let progress = self.shown.progress.unwrap_or_default();
        if let (Some(done), Some(total)) = (progress.bytes_done, progress.bytes_total) {
            self.bytes = (done, total);
        }
        if self.rest == Some(Rest::Done) {
            // The last look may have been before the last byte.
            self.bytes = (self.bytes.1.max(1), self.bytes.1.max(1));
        }
        if self.rest.is_some() || self.shown.progress.is_some() {
            self.note = None;
        }
        Ok(())
    }
}

/// Follows them to where they rest; the exit code is the highest of theirs.
pub(crate) async fn until_rest(
    context: &Context<'_>,
    mut services: Working,
    accepted: Vec<DownloadDto>,
    terminal: &mut Terminal<'_>,
) -> Result<u8, Stop> {
    let mut followed: Vec<Followed> = Vec::new();
    for download in accepted {
        // The same torrent twice is one download.
        if followed.iter().all(|one| one.shown.id != download.id) {
            followed.push(Followed::new(download)?);
        }
    }
    let mut screen = Screen::new(followed.len(), context.global.json, terminal.bars);
    let broken_off = tokio::select! {
        followed = follow(context, &mut services, &mut followed, &mut screen, terminal) => {
            followed.map(|()| false)
        }
        signal = interrupted() => signal.map(|()| true),
    };
    screen.end();
    if broken_off? {
        tell_how_to_go_on(services.runs, &followed, terminal)?;
        return Ok(exit::INTERRUPTED);
    }
    if !context.global.json {
        for one in &followed {
            tell(&*services.api, one, terminal).await?;
        }
        if services.runs == Runs::Here {
            writeln!(
                terminal.err,
                "nothing is seeded while no tracker runs; `tracker serve` goes on"
            )?;
        }
    }
    let codes = followed.iter().filter_map(|one| one.rest).map(Rest::exit);
    Ok(codes.max().unwrap_or(exit::DONE))
}

async fn follow(
    context: &Context<'_>,
    services: &mut Working,
    followed: &mut [Followed],
    screen: &mut Screen,
    terminal: &mut Terminal<'_>,
) -> Result<(), Stop> {
    let pause = LOOK + EACH * u32::try_from(followed.len()).unwrap_or(u32::MAX);
    let (mut round, mut silent) = (0_u32, 0);
    loop {
        match look(services, followed, round.is_multiple_of(ROUND)).await {
            Ok(()) => silent = 0,
            Err(failure) if failure.exit == exit::UNREACHABLE && silent < PATIENCE => silent += 1,
            Err(failure) => return Err(failure.into()),
        }
        screen.show(followed, terminal)?;
        if followed.iter().all(|one| one.rest.is_some()) {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
        round = round.wrapping_add(1);
        if services.runs == Runs::Elsewhere
            && round.is_multiple_of(ROUND)
            && let Some(api) = context.backends.begin_work().await?
        {
            // The process that was at it has ended.
            *services = Working { api, runs: Runs::Here };
        }
    }
}

async fn look(
    services: &Working,
    followed: &mut [Followed],
    asks_health: bool,
) -> Result<(), ApiFailure> {
    for one in followed.iter_mut().filter(|one| one.rest.is_none()) {
        one.look(&*services.api).await?;
    }
    let silent = |one: &Followed| one.rest.is_none() && one.shown.progress.is_none();
    if asks_health && followed.iter().any(silent) {
        let health = services.api.health().await?;
        for one in followed.iter_mut().filter(|one| silent(one)) {
            one.note = trouble(&health, one.shown.client.as_deref());
        }
    }
    Ok(())
}

/// What health says of a client that is not well.
fn trouble(health: &HealthDto, client: Option<&str>) -> Option<String> {
    let ill = |level: &str| matches!(level, "warning" | "error");
    let checks = health.checks.iter().filter(|check| ill(&check.level));
    let mut ours = checks.filter(|check| match client {
        Some(name) => check.code.starts_with("client-") && check.subject == name,
        None => check.code == "no-client",
    });
    ours.next().map(|check| format!("{}: {}", check.subject, check.detail))
}

fn title(fields: &FieldsDto) -> Option<String> {
    let title = fields.title.as_ref()?;
    Some(match fields.year {
        Some(year) => format!("{title} ({year})"),
        None => title.clone(),
    })
}

/// Until somebody asks this process to end.
async fn interrupted() -> Result<(), Stop> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    }
}

/// Nothing is lost by not waiting; says who goes on and how to look again.
fn tell_how_to_go_on(
    runs: Runs,
    followed: &[Followed],
    terminal: &mut Terminal<'_>,
) -> Result<(), Stop> {
    let left = followed.iter().filter(|one| one.rest.is_none());
    let left = count(u64::try_from(left.count()).unwrap_or(u64::MAX), "download");
    let goes_on = match runs {
        Runs::Daemon => "the daemon goes on with it; `tracker list --active` shows how far it is",
        Runs::Elsewhere => "another tracker goes on with it; `tracker list --active` shows it",
        Runs::Here | Runs::Nowhere => {
            "nothing is lost: `tracker serve`, or the same command again, goes on with it"
        }
    };
    writeln!(terminal.err, "stopped waiting for {left}: {goes_on}")?;
    Ok(())
}

/// How it ended, and what to type.
async fn tell(api: &dyn Api, one: &Followed, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let (id, name) = (&one.shown.id, clean(&one.shown.name));
    match one.rest {
        Some(Rest::Done) => {
            writeln!(terminal.err, "{name}: done")?;
            for target in linked(api, one.id).await? {
                writeln!(terminal.err, "  {}", clean(&target))?;
            }
        }
        Some(Rest::Person(code)) => {
            let detail = one.shown.attention_detail.as_deref().unwrap_or_default();
            writeln!(terminal.err, "{name}: needs you, {code}: {}", clean(detail))?;
            writeln!(terminal.err, "  {}", advice(code, id))?;
        }
        Some(Rest::Paused) => {
            writeln!(terminal.err, "{name}: paused\n  tracker resume {id}")?;
        }
        Some(Rest::Ended) => {
            let why = one.shown.error.as_ref().map(|error| clean(&error.detail));
            let why = why.unwrap_or_else(|| "it was given up".to_owned());
            writeln!(terminal.err, "{name}: {}, {why}", clean(&one.shown.state))?;
            writeln!(terminal.err, "  tracker retry {id}")?;
        }
        None => {}
    }
    Ok(())
}

/// The names that its last batch has in the library, as the journal tells them.
async fn linked(api: &dyn Api, id: DownloadId) -> Result<Vec<String>, ApiFailure> {
    let query = EventQuery {
        types: vec![EventType::BatchApplied],
        download_id: Some(id),
        limit: Some(1),
        ..EventQuery::default()
    };
    let page = api.events(query).await?;
    Ok(page.items.first().map(|event| journal::words(&event.data).below).unwrap_or_default())
}
