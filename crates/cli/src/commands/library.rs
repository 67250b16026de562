//! `plan`, `apply`, `relink`, `undo`, `verify`: what is linked.

use tracker_domain::{BatchId, DownloadId};
use tracker_wire::{ApplyBody, BatchDto, PlanDto, ResolveBody};

use crate::args::OnConflict;
use crate::backends::Access;
use crate::failure::exit;
use crate::render;
use crate::run::{Context, parse_id};
use crate::terminal::{Outcome, Stop, Terminal, clean};

/// Shows what would be linked; exits 4 where something is in the way.
pub(crate) async fn plan(context: &Context<'_>, id: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let plan = context.api(Access::Read).await?.plan(id).await?;
    if context.global.json {
        render::json(terminal, &plan)?;
    } else {
        print_plan(&plan, terminal)?;
    }
    Ok(if plan.conflicts.is_empty() { exit::DONE } else { exit::NEEDS_PERSON })
}

fn print_plan(plan: &PlanDto, terminal: &mut Terminal<'_>) -> Result<(), Stop> {
    for link in &plan.links {
        writeln!(terminal.out, "+ {} -> {}", clean(&link.source), clean(&link.target))?;
    }
    for skipped in &plan.skipped {
        let (source, reason) = (clean(&skipped.source), clean(&skipped.reason));
        writeln!(terminal.out, "- {source} (skipped: {reason})")?;
    }
    for conflict in &plan.conflicts {
        let (source, target) = (clean(&conflict.source), clean(&conflict.target));
        writeln!(terminal.out, "! {source} -> {target} ({})", clean(&conflict.kind))?;
    }
    let (links, skipped) = (plan.links.len(), plan.skipped.len());
    let conflicts = plan.conflicts.len();
    writeln!(terminal.out, "{links} links, {skipped} skipped, {conflicts} conflicts")?;
    writeln!(terminal.out, "plan {}", clean(&plan.id))?;
    if conflicts > 0 {
        writeln!(
            terminal.err,
            "say what to do about the conflicts: \
             `tracker apply ID --on-conflict keep|replace|other-name`"
        )?;
    }
    Ok(())
}

/// Carries a plan out; every conflict is answered in one way.
pub(crate) async fn apply(
    context: &Context<'_>,
    id: &str,
    plan: Option<String>,
    on_conflict: Option<OnConflict>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let api = context.api(Access::Links).await?;
    let mut body = ApplyBody { plan, resolve: Vec::new() };
    if let Some(action) = on_conflict {
        let shown = api.plan(id).await?;
        body.plan.get_or_insert(shown.id);
        let one = |target: String| ResolveBody { target, action: action.as_str().to_owned() };
        body.resolve = shown.conflicts.into_iter().map(|conflict| one(conflict.target)).collect();
        body.resolve.dedup_by(|one, other| one.target == other.target);
    }
    let batch = api.apply(id, body).await?;
    told(context, &batch, terminal)
}

/// Links it anew, after a correction.
pub(crate) async fn relink(
    context: &Context<'_>,
    id: &str,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id: DownloadId = parse_id(id)?.typed();
    let batch = context.api(Access::Links).await?.relink(id).await?;
    told(context, &batch, terminal)
}

/// Undoes a batch.
pub(crate) async fn undo(context: &Context<'_>, id: &str, terminal: &mut Terminal<'_>) -> Outcome {
    let id: BatchId = parse_id(id)?.typed();
    let batch = context.api(Access::Links).await?.undo(id).await?;
    told(context, &batch, terminal)
}

/// The batch as it is now, and what Undo left.
fn told(context: &Context<'_>, batch: &BatchDto, terminal: &mut Terminal<'_>) -> Outcome {
    if context.global.json {
        render::json(terminal, batch)?;
        return Ok(ended(batch));
    }
    writeln!(terminal.out, "{}\t{}", clean(&batch.id), clean(&batch.state))?;
    if batch.state == "applied" {
        for link in &batch.links {
            writeln!(terminal.out, "  {}", clean(&link.target))?;
        }
    }
    for left in &batch.left {
        writeln!(terminal.err, "left: {} ({})", clean(&left.target), clean(&left.reason))?;
    }
    Ok(ended(batch))
}

/// What can be asked for again needs a person.
fn ended(batch: &BatchDto) -> u8 {
    let again = |reason: &str| matches!(reason, "failed" | "root-missing" | "not-restored");
    let left = batch.left.iter().any(|left| again(&left.reason));
    if left { exit::NEEDS_PERSON } else { exit::DONE }
}

/// Looks whether links still stand; exits 4 where one does not.
pub(crate) async fn verify(
    context: &Context<'_>,
    id: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    let id = id.map(parse_id).transpose()?.map(|id| id.typed());
    let page = context.api(Access::Links).await?.verify(id).await?;
    let fine = |health: &str| health == "present";
    let all = page.items.iter().all(|link| fine(&link.health));
    if context.global.json {
        render::json(terminal, &page)?;
    } else {
        let count = page.items.len();
        for link in page.items.iter().filter(|link| !fine(&link.health)) {
            let (target, health) = (clean(&link.target), clean(&link.health));
            writeln!(terminal.out, "{}\t{health}\t{target}", clean(&link.download_id))?;
        }
        let unknown = page.items.iter().filter(|link| link.health == "unknown").count();
        let off = page.items.iter().filter(|link| !fine(&link.health)).count() - unknown;
        writeln!(terminal.out, "{count} links, {off} not as they were made")?;
        if unknown > 0 {
            writeln!(
                terminal.out,
                "{unknown} unknown: the disk of their library is away, or nothing is known to compare"
            )?;
        }
    }
    Ok(if all { exit::DONE } else { exit::NEEDS_PERSON })
}
