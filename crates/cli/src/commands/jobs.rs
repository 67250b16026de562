//! `jobs`: long work, and its end.

use tracker_app::PageQuery;
use tracker_wire::JobDto;

use crate::args::{JobCommand, PageArgs};
use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Lists jobs or ends one.
pub(crate) async fn jobs(
    context: &Context<'_>,
    page: PageArgs,
    command: Option<JobCommand>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    match command {
        None => list(context, page, terminal).await,
        Some(JobCommand::Cancel { id }) => {
            let id = parse_id(&id)?.typed();
            let job = context.api(Access::Write).await?.cancel_job(id).await?;
            if context.global.json {
                render::json(terminal, &job)?;
            } else {
                writeln!(terminal.out, "{}\t{}", job.id, word(&job))?;
            }
            Ok(exit::DONE)
        }
    }
}

async fn list(context: &Context<'_>, page: PageArgs, terminal: &mut Terminal<'_>) -> Outcome {
    let query = page.query()?;
    let page = context.api(Access::Read).await?.jobs(query).await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    let rows = page.items.iter().map(row).collect();
    let header = ["ID", "KIND", "STATE", "STEP", "CREATED", "ACTOR", "WHY"];
    render::table(terminal, &header, rows, Overflow::Cut)?;
    render::nothing_found(terminal, page.items.len())?;
    render::next_page(terminal, page.next.as_deref())?;
    Ok(exit::DONE)
}

fn word(job: &JobDto) -> &str {
    if job.cancelling { "cancelling" } else { &job.state }
}

fn row(job: &JobDto) -> Vec<String> {
    let step = match (&job.stage, job.is_open()) {
        (Some(stage), true) => match (job.progress_done, job.progress_total) {
            (Some(done), Some(total)) if total > done => format!("{stage} {done}/{total}"),
            _ => stage.clone(),
        },
        _ => String::new(),
    };
    let why = job.error.as_ref().map(|error| clean(&error.detail)).unwrap_or_default();
    vec![
        job.id.clone(),
        job.kind.clone(),
        word(job).to_owned(),
        step,
        job.created_at.clone(),
        clean(&job.actor),
        why,
    ]
}

impl PageArgs {
    /// What was typed, checked.
    pub(crate) fn query(self) -> Result<PageQuery, Stop> {
        let before = self.before.as_deref().map(parse_id).transpose()?;
        Ok(PageQuery { limit: self.limit, before })
    }
}
