//! The table of layers.

use super::package;
use crate::archrules::layers;
use crate::spec;
use crate::workspace::{EdgeKind, Package};

/// The messages about one edge in a workspace with one package of each kind.
fn edge(from: &str, to: &str, kind: EdgeKind) -> Vec<String> {
    let layers = [
        ("tracker-ident", "ident"),
        ("tracker-domain", "core"),
        ("tracker-store", "core"),
        ("tracker-recognize", "core"),
        ("tracker-layout", "core"),
        ("tracker-ingest", "core"),
        ("tracker-backup", "core"),
        ("tracker-reconcile", "core"),
        ("tracker-app", "app"),
        ("tracker-pipeline", "app"),
        ("tracker-wire", "shared"),
        ("tracker-i18n", "shared"),
        ("tracker-qbittorrent", "adapter"),
        ("tracker-system", "adapter"),
        ("tracker-objectstore", "adapter"),
        ("tracker-http", "transport"),
        ("tracker-cli", "transport"),
        ("tracker", "bin"),
        ("xtask", "bin"),
        ("tracker-testkit", "test"),
    ];
    let packages: Vec<Package> = layers
        .iter()
        .map(|(name, layer)| {
            let edges = [(to, kind)];
            package(name, layer, if *name == from { &edges } else { &[] })
        })
        .collect();
    layers::check(&packages).into_iter().map(|found| found.message).collect()
}

#[test]
fn edges_that_point_up_or_sideways_are_caught() {
    spec!("architecture-rules#layers-point-inwards/an-edge-that-points-outwards");
    for (from, to) in [
        ("tracker-ident", "tracker-domain"),
        ("tracker-domain", "tracker-store"),
        ("tracker-store", "tracker-http"),
        ("tracker-store", "tracker-qbittorrent"),
        ("tracker-reconcile", "tracker-store"),
        ("tracker-layout", "tracker-store"),
        ("tracker-recognize", "tracker-store"),
        ("tracker-ingest", "tracker-recognize"),
        ("tracker-app", "tracker-pipeline"),
        ("tracker-app", "tracker-wire"),
        ("tracker-pipeline", "tracker-qbittorrent"),
        ("tracker-qbittorrent", "tracker-store"),
        ("tracker-qbittorrent", "tracker-system"),
        ("tracker-system", "tracker-layout"),
        ("tracker-objectstore", "tracker-backup"),
        ("tracker-wire", "tracker-store"),
        ("tracker-http", "tracker-cli"),
        ("tracker-cli", "tracker-http"),
        ("tracker-http", "tracker-store"),
        ("tracker-http", "tracker-qbittorrent"),
        ("tracker-testkit", "tracker-store"),
        ("xtask", "tracker-domain"),
        ("tracker-store", "tracker-testkit"),
        ("tracker", "tracker-testkit"),
        ("tracker-cli", "tracker"),
    ] {
        assert_eq!(edge(from, to, EdgeKind::Normal), [format!("`{from}` depends on `{to}`")]);
    }
    for (from, to) in [
        ("tracker-app", "tracker-qbittorrent"),
        ("tracker-http", "tracker-system"),
        ("tracker-qbittorrent", "tracker-layout"),
        ("tracker-qbittorrent", "tracker-backup"),
        ("tracker-reconcile", "tracker-store"),
        ("tracker-testkit", "tracker-app"),
    ] {
        assert_eq!(
            edge(from, to, EdgeKind::Dev),
            [format!("`{from}` has the dev-dependency `{to}`")]
        );
    }
}

#[test]
fn edges_of_the_table_pass() {
    spec!("architecture-rules#layers-point-inwards/an-edge-of-the-table");
    for (from, to) in [
        ("tracker-domain", "tracker-ident"),
        ("tracker-ingest", "tracker-store"),
        ("tracker-app", "tracker-layout"),
        ("tracker-pipeline", "tracker-reconcile"),
        ("tracker-qbittorrent", "tracker-domain"),
        ("tracker-wire", "tracker-app"),
        ("tracker-http", "tracker-wire"),
        ("tracker-cli", "tracker-i18n"),
        ("tracker", "tracker-qbittorrent"),
        ("tracker", "tracker-http"),
    ] {
        assert_eq!(edge(from, to, EdgeKind::Normal), [""; 0], "{from} -> {to}");
    }
    for from in ["tracker-ident", "tracker-store", "tracker-http", "tracker-qbittorrent", "tracker"]
    {
        assert_eq!(edge(from, "tracker-testkit", EdgeKind::Dev), [""; 0], "{from}");
    }
    // Links are tried on real disks beside the adapter that reaches them.
    assert_eq!(edge("tracker-system", "tracker-layout", EdgeKind::Dev), [""; 0]);
    // So are backups in real stores.
    for to in ["tracker-backup", "tracker-store"] {
        assert_eq!(edge("tracker-objectstore", to, EdgeKind::Dev), [""; 0]);
    }
}

#[test]
fn a_package_without_a_layer_is_caught() {
    spec!("architecture-rules#layers-point-inwards/a-package-without-a-layer");
    let found = layers::check(&[
        package("tracker-thing", "middle", &[]),
        package("tracker-other", "core", &[]),
        Package { dir: "crates/elsewhere".to_owned(), ..package("tracker-app", "app", &[]) },
    ]);
    let places: Vec<&str> = found.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(
        places,
        ["crates/thing/Cargo.toml", "crates/other/Cargo.toml", "crates/elsewhere/Cargo.toml"]
    );
}
