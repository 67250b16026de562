//! `search`: whatever a text may mean.

use tracker_wire::SearchDto;

use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Prints what was found: what has the id, downloads, then works of the sources.
pub(crate) async fn search(
    context: &Context<'_>,
    words: &[String],
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let found = context.api(Access::Read).await?.search(&words.join(" ")).await?;
    if context.global.json {
        render::json(terminal, &found)?;
        return Ok(exit::DONE);
    }
    if let Some(entity) = &found.entity {
        writeln!(terminal.out, "{}\t{}", entity.kind, entity.id)?;
    }
    if !found.downloads.is_empty() {
        render::downloads(terminal, &found.downloads)?;
    }
    works(terminal, &found)?;
    for cause in &found.causes {
        let (source, detail) = (clean(&cause.source), clean(&cause.detail));
        writeln!(terminal.err, "{source} gave no answer ({}): {detail}", clean(&cause.cause))?;
    }
    let count = usize::from(found.entity.is_some()) + found.downloads.len() + found.works.len();
    render::nothing_found(terminal, count)?;
    Ok(exit::DONE)
}

fn works(terminal: &mut Terminal<'_>, found: &SearchDto) -> Result<(), Stop> {
    if found.works.is_empty() {
        return Ok(());
    }
    let rows = found.works.iter().map(|work| {
        let original = work.original_title.as_ref().filter(|title| **title != work.title);
        let title = match original {
            Some(original) => format!("{} ({original})", work.title),
            None => work.title.clone(),
        };
        vec![
            clean(&work.work),
            work.kind.clone(),
            work.year.map(|year| year.to_string()).unwrap_or_default(),
            if work.in_library { "in the library".to_owned() } else { String::new() },
            clean(&title),
        ]
    });
    render::table(
        terminal,
        &["WORK", "KIND", "YEAR", "HERE", "TITLE"],
        rows.collect(),
        Overflow::Wrap,
    )
}
