//! `restore`: a backup takes the place of the database.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::backends::{RestoreFrom, RestoreReport};
use crate::failure::{ApiFailure, exit};
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Checks a backup, shows what it would change, and swaps it with the database. On a
/// terminal it is asked first, unless `sure`.
pub(crate) async fn restore(
    context: &Context<'_>,
    source: &OsStr,
    dry_run: bool,
    sure: bool,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    context.beside_database("restore")?;
    let prepared = context.backends.prepare_restore(parse(source)?).await?;
    let asks = context.asks && !context.global.json && !sure;
    if dry_run || asks {
        shown(prepared.report(), terminal, context.global.json && dry_run)?;
    }
    if dry_run {
        return Ok(exit::DONE);
    }
    if asks && !terminal.agreed("Restore it?")? {
        writeln!(terminal.err, "nothing was changed")?;
        return Ok(exit::DONE);
    }
    let report = prepared.carry_out().await?;
    if context.global.json {
        render::json(terminal, &report)?;
        return Ok(exit::DONE);
    }
    writeln!(terminal.out, "restored from {}", clean(&report.source))?;
    if report.lost_downloads > 0 {
        let lost = render::count(report.lost_downloads, "download");
        writeln!(terminal.err, "{lost} of the former database are not in it")?;
    }
    if let Some(aside) = &report.former_database {
        writeln!(terminal.err, "the former database is {}", aside.display())?;
    }
    Ok(exit::DONE)
}

/// A file of that name, or else an id.
fn parse(source: &OsStr) -> Result<RestoreFrom, ApiFailure> {
    let path = PathBuf::from(source);
    if path.exists() {
        return Ok(RestoreFrom::File(path));
    }
    let text = source.to_string_lossy();
    match text.trim().parse::<tracker_ident::AnyId>() {
        Ok(id) => Ok(RestoreFrom::Backup(id.typed())),
        Err(_) => Err(ApiFailure::not_found(format!(
            "{text:?} is neither a file nor the id of a backup; `tracker backup list` shows ids"
        ))),
    }
}

fn shown(report: &RestoreReport, terminal: &mut Terminal<'_>, as_json: bool) -> Result<(), Stop> {
    if as_json {
        return render::json(terminal, report);
    }
    let newest = report.newest_entry.as_deref().unwrap_or("never");
    writeln!(
        terminal.out,
        "{}: sound, version {}, last change {newest}",
        clean(&report.source),
        report.schema_version
    )?;
    if let Some(why) = &report.unreadable {
        writeln!(terminal.out, "the database that is there cannot be read: {}", clean(why))?;
    }
    let rows = report.tables.iter().map(|table| {
        let number = |count: Option<i64>| count.map_or_else(|| "-".to_owned(), |n| n.to_string());
        vec![table.table.clone(), number(table.now), number(table.then)]
    });
    render::table(terminal, &["TABLE", "NOW", "THEN"], rows.collect(), Overflow::Wrap)?;
    if report.lost_downloads > 0 {
        let lost = render::count(report.lost_downloads, "download");
        writeln!(terminal.out, "{lost} would be gone, the newest:")?;
        for name in &report.lost {
            writeln!(terminal.out, "  {}", clean(name))?;
        }
    }
    Ok(())
}
