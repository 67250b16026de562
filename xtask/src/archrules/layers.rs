//! Which of our packages may depend on which: the table of the architecture.

use crate::violation::Violation;
use crate::workspace::{Edge, EdgeKind, Layer, Package};

const RULE: &str = "layer-edge";
const IDENT: &str = "tracker-ident";
const DOMAIN: &str = "tracker-domain";
const TESTKIT: &str = "tracker-testkit";

/// The edges that point where they must not.
pub fn check(packages: &[Package]) -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages {
        let manifest = format!("{}/Cargo.toml", package.dir);
        let Some(layer) = package.layer else {
            let message = "`[package.metadata.tracker] layer` is missing or is no layer";
            found.push(Violation::new(&manifest, 1, RULE, message));
            continue;
        };
        if !named_after_folder(package, layer) {
            let message = format!("`{}` is not named `tracker-<folder>`", package.name);
            found.push(Violation::new(&manifest, 1, RULE, message));
        }
        if layer == Layer::Core && core_edges(&package.name).is_none() {
            let message = format!("the core crate `{}` is not in the table", package.name);
            found.push(Violation::new(&manifest, 1, RULE, message));
        }
        for edge in &package.edges {
            let Some(target) = packages.iter().find(|other| other.name == edge.to) else {
                continue;
            };
            if !allowed(package, layer, edge, target) {
                let kind = match edge.kind {
                    EdgeKind::Normal => "depends on",
                    EdgeKind::Dev => "has the dev-dependency",
                };
                let message = format!("`{}` {kind} `{}`", package.name, target.name);
                found.push(Violation::new(&manifest, 1, RULE, message));
            }
        }
    }
    found
}

fn named_after_folder(package: &Package, layer: Layer) -> bool {
    let folder = package.dir.rsplit('/').next().unwrap_or_default();
    layer == Layer::Bin || package.name == format!("tracker-{folder}")
}

fn allowed(package: &Package, layer: Layer, edge: &Edge, target: &Package) -> bool {
    if target.name == TESTKIT {
        return edge.kind == EdgeKind::Dev;
    }
    let to = target.name.as_str();
    match layer {
        Layer::Ident => false,
        Layer::Core => core_edges(&package.name).is_some_and(|edges| edges.contains(&to)),
        Layer::App => matches!(target.layer, Some(Layer::Ident | Layer::Core)),
        Layer::Adapter | Layer::Test => {
            to == IDENT
                || to == DOMAIN
                || acts_on_real_disks(package, edge)
                || backs_up_to_real_stores(package, edge)
        }
        Layer::Shared => to == IDENT || to == DOMAIN || to == "tracker-app",
        Layer::Transport => {
            [IDENT, DOMAIN, "tracker-app"].contains(&to) || target.layer == Some(Layer::Shared)
        }
        // `xtask` stays free of the product, so that it builds fast and runs when the product does not build.
        Layer::Bin => package.name != "xtask" && target.layer != Some(Layer::Bin),
    }
}

/// What acting on files does is decided by filesystems, so its tests and its
/// bench stand beside the adapter that reaches them.
fn acts_on_real_disks(package: &Package, edge: &Edge) -> bool {
    package.name == "tracker-system" && edge.to == "tracker-layout" && edge.kind == EdgeKind::Dev
}

/// What becomes of a backup is decided by the store as well, so a whole one is tried
/// beside the adapter that reaches it.
fn backs_up_to_real_stores(package: &Package, edge: &Edge) -> bool {
    package.name == "tracker-objectstore"
        && ["tracker-backup", "tracker-store"].contains(&edge.to.as_str())
        && edge.kind == EdgeKind::Dev
}

/// What a core crate may use; `None` for a crate that is not in the table.
fn core_edges(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "tracker-domain" => &[IDENT],
        "tracker-store" | "tracker-recognize" | "tracker-layout" | "tracker-reconcile" => {
            &[IDENT, DOMAIN]
        }
        "tracker-ingest" | "tracker-backup" => &[IDENT, DOMAIN, "tracker-store"],
        _ => return None,
    })
}
