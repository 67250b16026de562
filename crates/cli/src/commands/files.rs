//! `files`: the files of a download, and which of them are wanted.

use tracker_domain::DownloadId;
use tracker_wire::{ChosenFileDto, Page};

use crate::api::Api;
use crate::backends::Access;
use crate::failure::{ApiFailure, exit};
use crate::indexes::Indexes;
use crate::render::{self, Overflow};
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// What a person wants of the files.
pub(crate) enum Choice {
    /// To see them.
    Look,
    /// These and no others.
    Only(Indexes),
    /// All but these.
    Skip(Indexes),
}

/// Lists the files, after the choice where one was made.
pub(crate) async fn files(
    context: &Context<'_>,
    id: &str,
    choice: Choice,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let skip = match choice {
        Choice::Look => {
            let page = context.api(Access::Read).await?.files(id).await?;
            shown(context, &page, terminal)?;
            return Ok(exit::DONE);
        }
        Choice::Skip(indexes) => Ok(indexes),
        Choice::Only(indexes) => Err(indexes),
    };
    let services = context.working().await?;
    let skip: Vec<u32> = match skip {
        Ok(indexes) => indexes.0.into_iter().collect(),
        Err(only) => all_but(&*services.api, id, &only).await?,
    };
    let page = services.api.choose(id, skip).await?;
    shown(context, &page, terminal)?;
    services.tell(terminal)?;
    Ok(exit::DONE)
}

/// The files that are not among these.
async fn all_but(api: &dyn Api, id: DownloadId, only: &Indexes) -> Result<Vec<u32>, ApiFailure> {
    let files = api.files(id).await?.items;
    let is_one = |index: &&u32| files.iter().any(|file| file.index == **index);
    if let Some(unknown) = only.0.iter().find(|index| !is_one(index)).filter(|_| !files.is_empty())
    {
        return Err(ApiFailure::usage(format!("--only: it has no file {unknown}")));
    }
    let indexes = files.iter().map(|file| file.index);
    Ok(indexes.filter(|index| !only.0.contains(index)).collect())
}

fn shown(
    context: &Context<'_>,
    page: &Page<ChosenFileDto>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Stop> {
    if context.global.json {
        return render::json(terminal, page);
    }
    if page.items.is_empty() {
        writeln!(terminal.err, "its files are not known yet")?;
    }
    let rows = page.items.iter().map(|file| {
        let wanted = if file.wanted { "yes" } else { "no" };
        vec![file.index.to_string(), wanted.to_owned(), render::size(file.size), clean(&file.path)]
    });
    render::table(terminal, &["INDEX", "WANTED", "SIZE", "PATH"], rows.collect(), Overflow::Wrap)
}
