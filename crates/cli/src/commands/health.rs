//! `doctor` and `healthcheck`.

use tracker_wire::{CheckDto, HealthDto};

use crate::failure::{ApiFailure, exit};
use crate::remote::RemoteApi;
use crate::render;
use crate::run::{Context, remote};
use crate::target::{Target, live_daemon, named};
use crate::terminal::{Outcome, Terminal};

/// Every health check, by the daemon that runs or here.
pub(crate) async fn doctor(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let health = match context.target().await? {
        Target::Local => {
            context.own_data_dir()?;
            alone(context.backends.doctor().await?)
        }
        other => remote(&other)?.examine().await?,
    };
    if context.global.json {
        render::json(terminal, &health)?;
    } else {
        render::health(terminal, &health)?;
    }
    Ok(if health.status == "error" { exit::FAILED } else { exit::DONE })
}

/// Adds that no daemon runs. It is as old as the checks that were made with it.
fn alone(mut health: HealthDto) -> HealthDto {
    let checked_at = health.checks.first().map(|check| check.checked_at.clone());
    let check = CheckDto {
        code: "no-daemon".to_owned(),
        subject: String::new(),
        level: "notice".to_owned(),
        detail: "no daemon runs on this data directory".to_owned(),
        remedy: "start `tracker serve`".to_owned(),
        checked_at: checked_at.unwrap_or_default(),
    };
    health.checks.insert(0, check);
    if health.status == "ok" {
        health.status = "notice".to_owned();
    }
    health
}

/// Whether the daemon is alive: 0 or 1 and nothing else, as containers expect.
pub(crate) async fn healthcheck(context: &Context<'_>, terminal: &mut Terminal<'_>) -> u8 {
    match is_alive(context).await {
        Ok(true) => exit::DONE,
        Ok(false) => {
            // The code is the answer; a message that cannot be written changes nothing.
            let _ = writeln!(terminal.err, "tracker: the daemon does not answer");
            exit::FAILED
        }
        Err(failure) => {
            let _ = writeln!(terminal.err, "tracker: {failure}");
            exit::FAILED
        }
    }
}

async fn is_alive(context: &Context<'_>) -> Result<bool, ApiFailure> {
    match named(context.global, context.surroundings)?.0 {
        Some(url) => Ok(RemoteApi::new(&url, None, false)?.is_alive().await),
        None => Ok(live_daemon(&context.backends.data_dir()?).await?.is_some()),
    }
}
