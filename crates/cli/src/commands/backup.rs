//! `backup`: copies of the database.

use std::time::Duration;

use tokio::time::sleep;
use tracker_app::PageQuery;
use tracker_domain::BackupId;
use tracker_wire::{BackupDto, JobDto, ReconciledDto};

use crate::api::Api;
use crate::args::{BackupCommand, PageArgs};
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow};
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// How often a job of a daemon is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// The newest backups are looked through for the one that a job made.
const NEWEST: u32 = 50;

/// Makes a backup, or does what the subcommand says.
pub(crate) async fn backup(
    context: &Context<'_>,
    command: Option<BackupCommand>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    match command {
        None => make(context, terminal).await,
        Some(BackupCommand::List(page)) => list(context, page, terminal).await,
        Some(BackupCommand::Verify { id }) => verify(context, id, terminal).await,
        Some(BackupCommand::Delete { id }) => {
            let id = parse_id(&id)?.typed();
            let backup = context.api(Access::Links).await?.delete_backup(id).await?;
            if context.global.json {
                render::json(terminal, &backup)?;
            } else {
                writeln!(terminal.out, "{}\t{}", backup.id, backup.state)?;
            }
            Ok(exit::DONE)
        }
        Some(BackupCommand::Reconcile) => {
            let found = context.api(Access::Links).await?.reconcile_backups().await?;
            if context.global.json {
                render::json(terminal, &found)?;
            } else {
                reconciled(&found, terminal)?;
            }
            Ok(exit::DONE)
        }
    }
}

async fn make(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let api = context.api(Access::Links).await?;
    let job = ended(&*api, api.make_backup().await?, terminal).await?;
    if let Some(failure) = failed(&job) {
        return Err(failure.into());
    }
    let newest = PageQuery { limit: Some(NEWEST), before: None };
    let page = api.backups(newest).await?;
    let made = page.items.into_iter().find(|one| one.job_id.as_deref() == Some(job.id.as_str()));
    let Some(made) = made else {
        return Err(ApiFailure::failed("the backup that was made is not listed").into());
    };
    if context.global.json {
        render::json(terminal, &made)?;
        return Ok(exit::DONE);
    }
    writeln!(terminal.out, "{}\t{}\t{}", made.id, made.state, place(&made))?;
    let size = made.size_bytes.map(render::size).unwrap_or_default();
    let rows: i64 = made.row_counts.values().sum();
    writeln!(terminal.err, "{size}, {rows} rows, version {}", version(&made))?;
    Ok(exit::DONE)
}

async fn verify(context: &Context<'_>, id: Option<String>, terminal: &mut Terminal<'_>) -> Outcome {
    let id: Option<BackupId> =
        id.as_deref().map(parse_id).transpose()?.map(tracker_ident::AnyId::typed);
    let api = context.api(Access::Links).await?;
    let job = ended(&*api, api.verify_backup(id).await?, terminal).await?;
    if context.global.json {
        render::json(terminal, &job)?;
        return Ok(if job.error.is_some() { exit::FAILED } else { exit::DONE });
    }
    if let Some(failure) = failed(&job) {
        return Err(failure.into());
    }
    writeln!(terminal.out, "{}\tverified", job.subject_id.unwrap_or_default())?;
    Ok(exit::DONE)
}

/// Waits for the end of a job; each step of it goes to the standard error.
async fn ended(api: &dyn Api, job: JobDto, terminal: &mut Terminal<'_>) -> Result<JobDto, Stop> {
    let mut job = job;
    let mut told = None;
    while job.is_open() {
        if job.stage != told
            && let Some(stage) = &job.stage
        {
            writeln!(terminal.err, "{stage} …")?;
            told = job.stage.clone();
        }
        sleep(LOOK_EVERY).await;
        let id = parse_id(&job.id)?.typed();
        job = api.job(id).await?;
    }
    Ok(job)
}

/// Why a job failed, in the words of a command.
fn failed(job: &JobDto) -> Option<ApiFailure> {
    let error = job.error.as_ref()?;
    Some(ApiFailure::failed(format!(
        "{} ({}); `tracker show {}` tells the whole story",
        clean(&error.detail),
        error.code,
        job.id
    )))
}

async fn list(context: &Context<'_>, page: PageArgs, terminal: &mut Terminal<'_>) -> Outcome {
    let query = page.query()?;
    let page = context.api(Access::Read).await?.backups(query).await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    let rows = page.items.iter().map(row).collect();
    let header = ["ID", "STATE", "SIZE", "VERSION", "CREATED", "VERIFIED", "OBJECT"];
    render::table(terminal, &header, rows, Overflow::Cut)?;
    render::nothing_found(terminal, page.items.len())?;
    render::next_page(terminal, page.next.as_deref())?;
    Ok(exit::DONE)
}

fn row(backup: &BackupDto) -> Vec<String> {
    vec![
        backup.id.clone(),
        backup.state.clone(),
        backup.size_bytes.map(render::size).unwrap_or_default(),
        version(backup),
        backup.created_at.clone(),
        backup.verified_at.clone().unwrap_or_else(|| "never".to_owned()),
        clean(&place(backup)),
    ]
}

fn place(backup: &BackupDto) -> String {
    format!("{}/{}", backup.target.trim_end_matches('/'), backup.object)
}

fn version(backup: &BackupDto) -> String {
    backup.schema_version.map(|version| format!("V{version}")).unwrap_or_default()
}

fn reconciled(found: &ReconciledDto, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    let groups = [
        ("found", &found.adopted),
        ("missing", &found.missing),
        ("back", &found.back),
        ("failed", &found.failed),
        ("removed", &found.removed),
        ("left alone", &found.refused),
    ];
    for (word, which) in groups {
        for one in which {
            writeln!(terminal.out, "{}\t{word}", clean(one))?;
        }
    }
    if groups.iter().all(|(_, which)| which.is_empty()) {
        writeln!(terminal.out, "rows and objects agree")?;
    }
    Ok(())
}
