//! Habits of the code that no lint knows: what a file opens with, how long it
//! is, what must not be left in it. Shares and sizes are printed as figures.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;
use syn::visit::Visit;

use crate::violation::Violation;
use crate::workspace::{Layer, RustFile, Workspace, files_under, is_test_path, relative};

const RULE: &str = "tidy";
const LONGEST: usize = 600;
const DOCUMENTED: usize = 90;
const CONFIG: &str = "xtask/tidy.toml";

/// A file that may do what others may not, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// Relative to the root.
    pub path: String,
    /// Why it may.
    pub reason: String,
}

/// The exceptions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Files that may be longer than the cap.
    #[serde(default)]
    pub long: Vec<Exception>,
    /// Tests in which time itself is the subject.
    #[serde(default)]
    pub sleep: Vec<Exception>,
}

/// What was measured.
#[derive(Debug, Default)]
pub struct Figures {
    sizes: Vec<usize>,
    production: usize,
    test: usize,
    comments: usize,
    core_lines: usize,
    unwraps: usize,
    public: usize,
    documented: usize,
}

impl Figures {
    /// The figures as lines for a person.
    pub fn render(&self) -> String {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let at = |share: usize| sizes.get(sizes.len() * share / 100).copied().unwrap_or_default();
        let percent = |part: usize, whole: usize| part * 100 / whole.max(1);
        format!(
            "files: {} · production lines a file: median {}, p90 {}, most {}\n\
             test : production lines: {} : {} ({} %)\n\
             core: {} % comment lines, {} of {} public items documented ({} %)\n\
             unwrap and expect: {} in production, {}.{} a thousand lines",
            sizes.len(),
            at(50),
            at(90),
            sizes.last().copied().unwrap_or_default(),
            self.test,
            self.production,
            percent(self.test, self.production),
            percent(self.comments, self.core_lines),
            self.documented,
            self.public,
            percent(self.documented, self.public),
            self.unwraps,
            self.unwraps * 1000 / self.production.max(1),
            self.unwraps * 10_000 / self.production.max(1) % 10,
        )
    }
}

/// Checks and measures the workspace.
pub fn run(workspace: &Workspace) -> Result<(Vec<Violation>, Figures)> {
    let text = fs::read_to_string(workspace.root.join(CONFIG)).unwrap_or_default();
    let config: Config = toml::from_str(&text).with_context(|| format!("reading {CONFIG}"))?;
    let mut found = Vec::new();
    let mut figures = Figures::default();
    for file in &workspace.files {
        found.extend(check(file, &config));
        measure(file, &mut figures);
    }
    for entry in config.long.iter().chain(&config.sleep) {
        if !workspace.files.iter().any(|file| file.path == entry.path)
            || entry.reason.trim().is_empty()
        {
            let message = format!("`{}` is no file or has no reason", entry.path);
            found.push(Violation::new(CONFIG, 1, RULE, message));
        }
    }
    found.extend(check_documented(&figures));
    for path in files_under(&workspace.root, "") {
        let name = relative(&workspace.root, &path);
        // What is no text, like an image, names no paths either.
        if let Ok(text) = fs::read_to_string(&path)
            && name != "Cargo.lock"
        {
            found.extend(machine_paths(&name, &text));
        }
    }
    found.sort();
    Ok((found, figures))
}

/// What is wrong with a Rust file.
pub fn check(file: &RustFile, config: &Config) -> Vec<Violation> {
    let excepted = |list: &[Exception]| list.iter().any(|entry| entry.path == file.path);
    let mut found = Vec::new();
    let mut wrong =
        |line, message: String| found.push(Violation::new(&file.path, line, RULE, message));
    if !file.text.trim_start_matches('\u{feff}').starts_with("//!") {
        wrong(1, "does not open with `//!`".to_owned());
    }
    let lines = production_lines(file);
    if lines > LONGEST && !excepted(&config.long) {
        wrong(1, format!("{lines} production lines, more than {LONGEST}"));
    }
    let tokens = &file.tokens;
    // A bench measures over a time that it has to let pass.
    let may_sleep = file.file_name() == "eventually.rs"
        || file.path.contains("/benches/")
        || excepted(&config.sleep);
    for (at, token) in tokens.0.iter().enumerate() {
        let ignored = tokens.matches(at, &["#", "["])
            && (tokens.is(at + 2, "ignore") || tokens.matches(at + 2, &["should_panic"]));
        let unfinished = tokens.is(at + 1, "!") && (token.is("todo") || token.is("unimplemented"));
        let sleeps = token.test && token.is("sleep") && tokens.is(at + 1, "(") && !may_sleep;
        if ignored {
            wrong(token.line, format!("`#[{}]`", tokens.0[at + 2].text));
        } else if unfinished {
            wrong(token.line, format!("`{}!`", token.text));
        } else if sleeps && !(at > 0 && tokens.is(at - 1, "fn")) {
            wrong(token.line, "a test that sleeps; wait for what should happen".to_owned());
        }
    }
    found
}

/// The lines that no test owns.
fn production_lines(file: &RustFile) -> usize {
    if is_test_path(&file.path)
        || file.tokens.0.first().is_some_and(|token| token.test)
            && file.tokens.0.iter().all(|token| token.test)
    {
        return 0;
    }
    let lines = file.text.lines().count();
    let mut test_lines = 0;
    let mut at = 0;
    let tokens = &file.tokens.0;
    while at < tokens.len() {
        if !tokens[at].test {
            at += 1;
            continue;
        }
        let first = tokens[at].line;
        while tokens.get(at + 1).is_some_and(|next| next.test) {
            at += 1;
        }
        test_lines += tokens[at].line - first + 1;
        at += 1;
    }
    lines.saturating_sub(test_lines)
}

/// Whether enough of the core is documented.
pub fn check_documented(figures: &Figures) -> Option<Violation> {
    (figures.documented * 100 < figures.public * DOCUMENTED).then(|| {
        let share = figures.documented * 100 / figures.public.max(1);
        let message = format!(
            "{share} % of the core's public items have a doc comment, less than {DOCUMENTED} %"
        );
        Violation::new("crates", 1, RULE, message)
    })
}

/// The paths that exist on one machine only.
pub fn machine_paths(path: &str, text: &str) -> Vec<Violation> {
    // Put together, so that this file is not found itself.
    let folders = ["work", "root", "farm"].map(|name| format!("/{name}/"));
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for folder in &folders {
            let absolute = line.match_indices(folder.as_str()).any(|(start, _)| {
                let before = line[..start].chars().next_back();
                // After a name it is a part of a longer path.
                !before.is_some_and(|sign| sign.is_alphanumeric() || "._-~}>)]$*".contains(sign))
            });
            if absolute {
                found.push(Violation::new(
                    path,
                    at + 1,
                    RULE,
                    format!("a path of one machine: `{folder}…`"),
                ));
            }
        }
    }
    found
}

/// Adds a file to the figures.
pub fn measure(file: &RustFile, figures: &mut Figures) {
    let lines = production_lines(file);
    let all = file.text.lines().count();
    figures.production += lines;
    figures.test += all - lines;
    if lines > 0 {
        figures.sizes.push(lines);
    }
    let tokens = &file.tokens;
    figures.unwraps += tokens
        .production()
        .filter(|&at| {
            tokens.is(at, ".") && (tokens.is(at + 1, "unwrap") || tokens.is(at + 1, "expect"))
        })
        .filter(|&at| tokens.is(at + 2, "("))
        .count();
    if !matches!(file.layer, Layer::Ident | Layer::Core) || lines == 0 {
        return;
    }
    let filled = file.text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in filled.take(lines) {
        figures.core_lines += 1;
        figures.comments += usize::from(line.starts_with("//"));
    }
    if let Ok(tree) = syn::parse_file(&file.text) {
        let mut items = PublicItems::default();
        items.visit_file(&tree);
        figures.public += items.documented.values().sum::<usize>();
        figures.documented += items.documented.get(&true).copied().unwrap_or_default();
    }
}

/// Counts the public items by whether they have a doc comment.
#[derive(Default)]
struct PublicItems {
    documented: BTreeMap<bool, usize>,
}

impl PublicItems {
    fn count(&mut self, visibility: &syn::Visibility, attributes: &[syn::Attribute]) {
        if matches!(visibility, syn::Visibility::Public(_)) {
            let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
            *self.documented.entry(documented).or_default() += 1;
        }
    }
}

impl<'ast> Visit<'ast> for PublicItems {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Fn(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Struct(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Enum(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Trait(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Const(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Type(item) => self.count(&item.vis, &item.attrs),
            syn::Item::Mod(item)
                if item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) =>
            {
                return;
            }
            _ => {}
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.count(&item.vis, &item.attrs);
    }
}
