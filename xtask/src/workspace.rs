//! The workspace as the checkers see it: packages with their layers and
//! declared dependencies, and every Rust file of ours as tokens.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::tokens::Tokens;

/// The layers of the architecture, from the inside out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The single maker of ids.
    Ident,
    /// Knows the ports, never an adapter.
    Core,
    /// What a person can ask for, and what happens by itself.
    App,
    /// Shapes that transports share.
    Shared,
    /// One port each, met only in `bins/`.
    Adapter,
    /// HTTP, command line, bots.
    Transport,
    /// Composition roots and tools.
    Bin,
    /// Fakes and fixtures; a dev-dependency only.
    Test,
}

impl Layer {
    /// The layer of that name in `[package.metadata.tracker]`.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "ident" => Layer::Ident,
            "core" => Layer::Core,
            "app" => Layer::App,
            "shared" => Layer::Shared,
            "adapter" => Layer::Adapter,
            "transport" => Layer::Transport,
            "bin" => Layer::Bin,
            "test" => Layer::Test,
            _ => return None,
        })
    }
}

/// How one package depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// In the product (also as a build dependency).
    Normal,
    /// In its tests only.
    Dev,
}

/// A declared dependency.
#[derive(Debug, Clone)]
pub struct Edge {
    /// The package it names.
    pub to: String,
    /// In the product or in tests.
    pub kind: EdgeKind,
}

/// A package of the workspace.
#[derive(Debug, Clone)]
pub struct Package {
    /// `tracker-store`, `tracker`, `xtask`.
    pub name: String,
    /// As its manifest says; `None` where it says nothing or nonsense.
    pub layer: Option<Layer>,
    /// The folder, relative to the root.
    pub dir: String,
    /// What its manifest depends on, ours and others'.
    pub edges: Vec<Edge>,
}

/// A Rust file of ours.
pub struct RustFile {
    /// Relative to the root.
    pub path: String,
    /// The package it belongs to.
    pub package: String,
    /// The layer of that package.
    pub layer: Layer,
    /// What is in it.
    pub tokens: Tokens,
    /// As it was read.
    pub text: String,
}

impl RustFile {
    /// A file made from text, for tests of the rules.
    #[cfg(test)]
    pub fn fixture(path: &str, layer: Layer, text: &str) -> Self {
        RustFile {
            path: path.to_owned(),
            package: path.split('/').nth(1).unwrap_or("fixture").to_owned(),
            layer,
            tokens: Tokens::parse(text, is_test_path(path)).expect("the fixture parses"),
            text: text.to_owned(),
        }
    }

    /// The last part of the path.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// All that the checkers look at.
pub struct Workspace {
    /// The folder with the root `Cargo.toml`.
    pub root: PathBuf,
    /// The packages.
    pub packages: Vec<Package>,
    /// The Rust files of all packages.
    pub files: Vec<RustFile>,
}

/// The folder with the root `Cargo.toml`: the one around the current directory.
/// A checkout may be moved or copied after this program was built, so where it
/// was built counts only when it is started from elsewhere.
pub fn root() -> PathBuf {
    let built = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::current_dir()
        .ok()
        .and_then(|here| root_above(&here))
        .unwrap_or_else(|| built.parent().unwrap_or(built).to_path_buf())
}

/// The nearest folder from here upwards that is a workspace with `xtask/`.
fn root_above(here: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        text.lines().any(|line| line.trim() == "[workspace]") && folder.join("xtask").is_dir()
    };
    here.ancestors().find(is_root).map(Path::to_path_buf)
}

impl Workspace {
    /// Reads the workspace that this program was built from.
    pub fn load() -> Result<Self> {
        let root = root();
        let packages = load_packages(&root)?;
        let files = load_files(&root, &packages)?;
        Ok(Workspace { root, packages, files })
    }
}

fn load_packages(root: &Path) -> Result<Vec<Package>> {
    // Without dependencies cargo needs neither the network nor a lock.
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("reading the workspace with `cargo metadata`")?;
    let mut packages = Vec::new();
    for package in metadata.packages {
        let dir = package.manifest_path.parent().context("a manifest without a folder")?;
        let dir = dir
            .as_std_path()
            .strip_prefix(root)
            .with_context(|| format!("{dir} is outside the workspace"))?;
        let layer = package.metadata["tracker"]["layer"].as_str().and_then(Layer::parse);
        let edges = package.dependencies.iter().map(|dependency| Edge {
            to: dependency.name.clone(),
            kind: match dependency.kind {
                DependencyKind::Development => EdgeKind::Dev,
                _ => EdgeKind::Normal,
            },
        });
        packages.push(Package {
            name: package.name.to_string(),
            layer,
            dir: dir.to_string_lossy().into_owned(),
            edges: edges.collect(),
        });
    }
    Ok(packages)
}

fn load_files(root: &Path, packages: &[Package]) -> Result<Vec<RustFile>> {
    let mut files = Vec::new();
    let mut test_modules = BTreeSet::new();
    for package in packages {
        for path in files_under(&root.join(&package.dir), "rs") {
            let relative = relative(root, &path);
            let text = fs::read_to_string(&path).with_context(|| format!("reading {relative}"))?;
            let tokens = Tokens::parse(&text, is_test_path(&relative))
                .map_err(|err| anyhow!("{relative}: {err}"))?;
            test_modules.extend(test_modules_of(&relative, &tokens));
            files.push(RustFile {
                path: relative,
                package: package.name.clone(),
                layer: package.layer.unwrap_or(Layer::Core),
                tokens,
                text,
            });
        }
    }
    for file in &mut files {
        let stem = file.path.trim_end_matches(".rs").trim_end_matches("/mod");
        if test_modules.iter().any(|module| {
            stem == module
                || file.path.strip_prefix(module).is_some_and(|rest| rest.starts_with('/'))
        }) {
            file.tokens.mark_all();
        }
    }
    Ok(files)
}

/// Where the `#[cfg(test)] mod name;` lines of a file point, without `.rs`.
fn test_modules_of(path: &str, tokens: &Tokens) -> Vec<String> {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.trim_end_matches(".rs");
    let base = match stem {
        "lib" | "main" | "mod" => dir.to_owned(),
        _ => format!("{dir}/{stem}"),
    };
    (0..tokens.0.len())
        .filter(|&at| tokens.0[at].test && tokens.is(at, "mod") && tokens.is(at + 2, ";"))
        .map(|at| format!("{base}/{}", tokens.0[at + 1].text))
        .collect()
}

/// Whether a file is test code by where it stands.
pub fn is_test_path(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests" || part == "benches")
}

/// The files with this extension below a folder, sorted, without build output.
pub fn files_under(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let skipped = [".git", ".venv", "node_modules", "__pycache__"];
    let mut found: Vec<PathBuf> = walkdir::WalkDir::new(dir)
        .into_iter()
        .filter_entry(|entry| {
            let named = skipped.iter().any(|name| entry.file_name().to_str() == Some(name));
            // Cargo marks the folder that it builds in, whatever its name.
            let built = entry.path().join("CACHEDIR.TAG").exists();
            !(entry.file_type().is_dir() && (named || built))
        })
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| extension.is_empty() || path.extension().is_some_and(|end| end == extension))
        .collect();
    found.sort();
    found
}

/// A path relative to the root, with `/` between its parts.
pub fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_found_from_below() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let root = folder.path();
        let below = root.join("crates/a/src");
        fs::create_dir_all(&below).expect("a folder can be made");
        fs::write(root.join("crates/a/Cargo.toml"), "[package]\n").expect("it can be written");
        fs::write(root.join("Cargo.toml"), "[workspace]\n").expect("it can be written");
        assert_eq!(root_above(&below), None, "a workspace of somebody else");
        fs::create_dir(root.join("xtask")).expect("a folder can be made");
        assert_eq!(root_above(&below).as_deref(), Some(root));
    }
}
