//! `db`: the schema and the health of the database.

use crate::args::DbCommand;
use crate::backends::MigrateRequest;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Terminal, clean};

/// Migrates or checks.
pub(crate) async fn db(
    context: &Context<'_>,
    command: DbCommand,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    context.beside_database("db")?;
    match command {
        DbCommand::Migrate { to, dry_run } => {
            migrate(context, MigrateRequest { to, dry_run }, terminal).await
        }
        DbCommand::Check => check(context, terminal).await,
    }
}

async fn migrate(
    context: &Context<'_>,
    request: MigrateRequest,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let report = context.backends.db_migrate(request).await?;
    let code = if report.problems.is_empty() { exit::DONE } else { exit::FAILED };
    if context.global.json {
        render::json(terminal, &report)?;
        return Ok(code);
    }
    for step in &report.steps {
        writeln!(terminal.out, "V{}  {}", step.version, step.name)?;
    }
    let rows = report
        .tables
        .iter()
        .map(|table| vec![table.table.clone(), table.before.to_string(), table.after.to_string()]);
    render::table(terminal, &["TABLE", "BEFORE", "AFTER"], rows.collect(), Overflow::Wrap)?;
    for note in &report.notes {
        writeln!(terminal.out, "{}: {}", note.what, note.count)?;
    }
    if report.dry_run && report.problems.is_empty() {
        writeln!(terminal.out, "counts and relations agree")?;
    }
    for problem in &report.problems {
        writeln!(terminal.out, "{}: {}", problem.check, clean(&problem.detail))?;
    }
    if let Some(copy) = &report.copy {
        writeln!(terminal.err, "A copy from before is {}", copy.display())?;
    }
    let verb = match (report.steps.is_empty(), report.dry_run) {
        (true, _) => "nothing to do at",
        (false, true) => "would be",
        (false, false) => "now at",
    };
    writeln!(terminal.out, "{verb} version {} (was {})", report.to, report.from)?;
    Ok(code)
}

async fn check(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let report = context.backends.db_check().await?;
    let code = if report.findings.is_empty() { exit::DONE } else { exit::FAILED };
    if context.global.json {
        render::json(terminal, &report)?;
        return Ok(code);
    }
    for finding in &report.findings {
        writeln!(terminal.out, "{}: {}", finding.check, clean(&finding.detail))?;
    }
    if report.findings.is_empty() {
        writeln!(terminal.out, "ok, version {}", report.version)?;
    }
    Ok(code)
}
