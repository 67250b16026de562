//! `seeding`: what seeds, and what its policy would do.

use tracker_wire::{SeedingDto, SeedingPolicyDto};

use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Terminal, clean};

/// Lists the torrents of ours that are done.
pub(crate) async fn seeding(context: &Context<'_>, terminal: &mut Terminal<'_>) -> Outcome {
    let page = context.api(Access::Read).await?.seeding().await?;
    if context.global.json {
        render::json(terminal, &page)?;
        return Ok(exit::DONE);
    }
    render::nothing_found(terminal, page.items.len())?;
    let header = ["ID", "CLIENT", "RATIO", "SEEDED", "POLICY", "NOW", "NAME"];
    let rows = page.items.into_iter().map(row).collect();
    render::table(terminal, &header, rows, Overflow::Cut)?;
    Ok(exit::DONE)
}

fn row(item: SeedingDto) -> Vec<String> {
    vec![
        item.download_id.clone(),
        item.client.clone(),
        item.ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default(),
        item.seeding_seconds.map(render::duration).unwrap_or_default(),
        policy(&item.policy),
        now(&item),
        clean(&item.name),
    ]
}

fn policy(policy: &SeedingPolicyDto) -> String {
    let ends: Vec<String> =
        [policy.ratio.map(|ratio| format!("ratio {ratio}")), policy.seconds.map(render::duration)]
            .into_iter()
            .flatten()
            .collect();
    if ends.is_empty() {
        return "none".to_owned();
    }
    format!("{} → {}", ends.join(" or "), policy.action)
}

/// What follows, in words.
fn now(item: &SeedingDto) -> String {
    let left = |what: &str| match item.seconds_left {
        Some(seconds) => format!("{what}, {} left", render::duration(seconds)),
        None => what.to_owned(),
    };
    match item.verdict.as_str() {
        "end" => {
            let reached = item.reached.as_deref().unwrap_or_default();
            let dry = if item.policy.dry_run { " (dry run)" } else { "" };
            format!("{reached} reached: {}{dry}", item.policy.action)
        }
        "ended" => "ended".to_owned(),
        "no-limit" => "goes on".to_owned(),
        "linked" => "goes on while linked".to_owned(),
        "min-time" => left("least time"),
        "underway" => left("goes on"),
        "incomplete" => "not whole, or busy".to_owned(),
        "not-shown" => "not in its client".to_owned(),
        "not-marked" => "left alone: no tag".to_owned(),
        other => other.to_owned(),
    }
}
