//! Killed before each step in turn; the next start too, at another one.

use tracker_domain::library::LinkMode;
use tracker_testkit::spec;

use crate::child::{Child, End, Task, is_inner};
use crate::phase::Tally;
use crate::scene::Scene;
use crate::world::Shape;

#[test]
fn hard_links_at_every_step() {
    spec!("file-layout#killed-at-any-moment/at-every-step");
    spec!("file-layout#killed-at-any-moment/given-up-meanwhile");
    spec!("file-layout#killed-at-any-moment/killed-again-at-the-next-start");
    let shape = Shape { mode: LinkMode::Hardlink, files: 20, seasons: 5, one_in: 10 };
    if !is_inner(shape) {
        each_step("every_step::hard_links_at_every_step", shape);
    }
}

#[test]
fn copies_at_every_step() {
    spec!("file-layout#killed-at-any-moment/at-every-step");
    let shape = Shape { mode: LinkMode::Copy, files: 20, seasons: 5, one_in: 10 };
    if !is_inner(shape) {
        each_step("every_step::copies_at_every_step", shape);
    }
}

#[expect(clippy::print_stderr, reason = "what the kills met")]
fn each_step(test: &str, shape: Shape) {
    let (mut scene, mut count) = (Scene::new(shape), Count::default());
    for step in 1.. {
        match killed_at(step, false, test, &mut scene, &mut count) {
            Killed::No => break,
            Killed::BeforeIdentities => {}
            // From here on there are two ways to go.
            Killed::WithIdentities => {
                killed_at(step, true, test, &mut scene, &mut count);
            }
        }
    }
    let Count { met, again } = count;
    eprintln!("{test}: {met}; {again} killed again");
    assert!(met.met_all(), "some phase was not met: {met}");
    assert!(again > 50, "only {again} next starts were killed");
}

#[derive(Default)]
struct Count {
    met: Tally,
    again: usize,
}

enum Killed {
    /// It has fewer steps.
    No,
    BeforeIdentities,
    WithIdentities,
}

fn killed_at(step: u64, give_up: bool, test: &str, scene: &mut Scene, count: &mut Count) -> Killed {
    let end = Child::start(test, &scene.world, Task::Apply, Some(step)).end();
    count.met.count(scene.phase());
    if end != End::Killed {
        scene.settle("not killed");
        return Killed::No;
    }
    let killed = if scene.is_staged() { Killed::WithIdentities } else { Killed::BeforeIdentities };
    if give_up {
        scene.give_up();
    }
    let next = step * 7 % 160 + 1;
    let end = Child::start(test, &scene.world, Task::StartAgain, Some(next)).end();
    count.again += usize::from(end == End::Killed);
    scene.settle(&format!(
        "killed at step {step}, and at step {next} of the next start, given up: {give_up}"
    ));
    killed
}
