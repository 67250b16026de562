//! Killed at random moments, a share of the next starts too.

use std::time::Duration;

use tracker_domain::library::LinkMode;
use tracker_testkit::spec;

use crate::child::{Child, End, Task, is_inner};
use crate::phase::Tally;
use crate::scene::Scene;
use crate::world::Shape;
use tracker_testkit::Dice;

/// So many rounds should not all end in one phase.
const ENOUGH: usize = 30;

#[test]
fn a_thousand_hard_links() {
    spec!("file-layout#killed-at-any-moment/at-random-moments");
    spec!("file-layout#killed-at-any-moment/given-up-meanwhile");
    spec!("file-layout#killed-at-any-moment/killed-again-at-the-next-start");
    let shape = Shape { mode: LinkMode::Hardlink, files: 1_000, seasons: 40, one_in: 20 };
    if !is_inner(shape) {
        rounds("random::a_thousand_hard_links", shape, if soak() { 1_000 } else { 30 });
    }
}

#[test]
fn two_hundred_copies() {
    spec!("file-layout#killed-at-any-moment/copies-at-random-moments");
    let shape = Shape { mode: LinkMode::Copy, files: 200, seasons: 40, one_in: 20 };
    if !is_inner(shape) {
        rounds("random::two_hundred_copies", shape, if soak() { 100 } else { 5 });
    }
}

fn soak() -> bool {
    std::env::var_os("TRACKER_SOAK").is_some()
}

/// How long the parts of a run take.
#[derive(Clone, Copy, Debug)]
struct Times {
    to_stage: Duration,
    rest: Duration,
}

impl Times {
    fn whole(self) -> Duration {
        self.to_stage + self.rest
    }
}

#[expect(clippy::print_stderr, reason = "what the kills met, and with which seed")]
fn rounds(test: &str, shape: Shape, rounds: usize) {
    let (mut dice, mut scene) = (Dice::of_this_test(), Scene::new(shape));
    let mut times = not_killed(test, &mut scene);
    let (mut met, mut again) = (Tally::default(), 0);
    for round in 0..rounds {
        let moment = kill(test, &scene, &mut dice, &mut times, round.is_multiple_of(2));
        let phase = scene.phase();
        met.count(phase);
        if round % 4 == 1 {
            scene.give_up();
        }
        if round % 3 == 2 {
            let child = Child::start(test, &scene.world, Task::StartAgain, None);
            let end = child.kill_after(dice.within(times.whole() / 2));
            again += usize::from(end == End::Killed);
        }
        scene.settle(&format!("round {round}, {moment}, {phase:?}"));
    }
    eprintln!("{test}: {rounds} kills, last {times:?}: {met}; {again} killed again");
    assert!(rounds < ENOUGH || met.different() >= 2, "all kills met one phase: {met}");
}

/// A batch that is not killed.
fn not_killed(test: &str, scene: &mut Scene) -> Times {
    let child = Child::start(test, &scene.world, Task::Apply, None);
    let to_stage = child.staged();
    let End::ByItself(took) = child.end() else { panic!("nobody killed it") };
    scene.settle("not killed");
    Times { to_stage, rest: took - to_stage }
}

/// Kills a batch at a moment of its whole run, or of what follows staging, which
/// takes most of the time. How busy the machine is changes, so the times are
/// measured again where they can be.
fn kill(test: &str, scene: &Scene, dice: &mut Dice, times: &mut Times, anywhere: bool) -> String {
    let child = Child::start(test, &scene.world, Task::Apply, None);
    if anywhere {
        let moment = dice.within(times.whole());
        child.kill_after(moment);
        return format!("killed after {moment:?}");
    }
    times.to_stage = child.staged();
    // A little more, or a longer time would never be measured.
    let moment = dice.within(times.rest + times.rest / 4);
    if let End::ByItself(took) = child.kill_after(moment) {
        times.rest = took - times.to_stage;
    }
    format!("killed {moment:?} after it was staged")
}
