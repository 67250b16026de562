//! What the product does with a batch, and what it does at its next start with
//! one that broke off.

use tracker_layout::{
    LinkToMake, RecoveredState, StagedLink, WrittenLink, commit, recover, stage, take_back,
};

use crate::batch_id;
use crate::mortal::Mortal;
use crate::world::World;

/// Intends, stages, writes the identities down, commits, records.
/// Tells between the phases that it is there.
pub fn apply(world: &World, life: &Mortal, is_staged: &dyn Fn()) {
    let (journal, library, links) = (world.journal(), world.library(), world.links());
    journal.write_planned(&links, life);
    let staged = stage(life, &library, &links, &|_| {}).unwrap();
    is_staged();
    journal.write_staged(&staged, life);
    commit(life, &library, batch_id(), &links, &staged).unwrap();
    journal.write_applied(life);
}

/// Finishes a batch that was intended and not recorded when all of it is there
/// and still wanted, else takes it back.
pub fn start_again(world: &World, life: &Mortal) {
    let (journal, root) = (world.journal(), world.root());
    let Some(links) = journal.planned() else { return };
    if journal.is_applied() || journal.is_undone() {
        return;
    }
    let staged = journal.staged();
    let written = written(&links, staged.as_deref());
    let found = recover(life, &root, batch_id(), &written).unwrap();
    let whole = found
        .iter()
        .all(|link| matches!(link.state, RecoveredState::Made(_) | RecoveredState::Staged(_)));
    if let Some(staged) = staged.filter(|_| whole && !journal.is_given_up()) {
        commit(life, &world.library(), batch_id(), &links, &staged).unwrap();
        journal.write_applied(life);
        return;
    }
    let report = take_back(life, &root, batch_id(), &written);
    assert!(report.kept.is_empty() && report.errors.is_empty(), "{report:?}");
    journal.write_undone(life);
}

fn written(links: &[LinkToMake], staged: Option<&[StagedLink]>) -> Vec<WrittenLink> {
    let nothing = |link: &LinkToMake| WrittenLink {
        link_id: link.link_id,
        source: link.source.clone(),
        target: link.target.clone(),
        identity: None,
        replaces: None,
        there_already: false,
    };
    match staged {
        None => links.iter().map(nothing).collect(),
        Some(staged) => links.iter().zip(staged).map(|(link, one)| link.written(one)).collect(),
    }
}
