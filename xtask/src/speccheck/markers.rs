//! The marks by which tests name their scenarios: `spec!("…")` in Rust,
//! `# spec: …` in Python. Those in comments and strings do not count.

use crate::tokens::{Kind, Tokens};
use crate::violation::Violation;

const RULE: &str = "spec-marker";

/// A test that names a scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The scenario it names.
    pub scenario: String,
    /// The file of the test.
    pub path: String,
    /// The name of the test.
    pub test: String,
    /// The line of the mark.
    pub line: usize,
}

/// The marks of a Rust file, and the marks that stand in no test.
pub fn of_rust(path: &str, tokens: &Tokens) -> (Vec<Marker>, Vec<Violation>) {
    let mut markers = Vec::new();
    let mut violations = Vec::new();
    let functions = functions(tokens);
    for at in 0..tokens.0.len() {
        if !tokens.matches(at, &["spec", "!", "("]) {
            continue;
        }
        let line = tokens.0[at].line;
        let Some(scenario) = tokens.0[at + 3].string() else {
            continue;
        };
        // The innermost function around the mark is the last that begins before it.
        let around =
            functions.iter().rfind(|function| function.body.0 < at && at < function.body.1);
        if !tokens.0[at].test {
            violations.push(Violation::new(
                path,
                line,
                RULE,
                "a `spec!` mark that stands in no test",
            ));
            continue;
        }
        // A function that tests call may carry the mark; that a test calls it, the compiler's dead-code lint sees to.
        let test = around.map_or("a macro", |function| function.name.as_str()).to_owned();
        markers.push(Marker { scenario, path: path.to_owned(), test, line });
    }
    (markers, violations)
}

struct Function {
    name: String,
    body: (usize, usize),
}

fn functions(tokens: &Tokens) -> Vec<Function> {
    let mut found = Vec::new();
    for at in 0..tokens.0.len() {
        let named = tokens.is(at, "fn")
            && tokens.0.get(at + 1).is_some_and(|token| token.kind == Kind::Ident);
        if !named {
            continue;
        }
        let Some(open) = body_after(tokens, at) else { continue };
        found.push(Function {
            name: tokens.0[at + 1].text.clone(),
            body: (open, tokens.0[open].partner),
        });
    }
    found
}

/// The `{` of the function whose `fn` is at `at`; a declaration in a trait has none.
fn body_after(tokens: &Tokens, mut at: usize) -> Option<usize> {
    loop {
        let token = tokens.0.get(at)?;
        match token.kind {
            Kind::Open if token.text == "{" => return Some(at),
            Kind::Open => at = token.partner + 1,
            Kind::Close => return None,
            Kind::Punct if token.text == ";" => return None,
            _ => at += 1,
        }
    }
}

/// The marks of a Python file: each belongs to the next test below it, or to the one around it.
pub fn of_python(path: &str, text: &str) -> Vec<Marker> {
    let lines: Vec<&str> = text.lines().collect();
    let name_of = |line: &str| {
        let rest = line.trim_start().strip_prefix("def ")?;
        Some(rest.split('(').next().unwrap_or(rest).trim().to_owned())
    };
    let mut markers = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(scenario) = line.trim_start().strip_prefix("# spec:") else {
            continue;
        };
        let below = lines[at + 1..].iter().take(5).find_map(|line| name_of(line));
        let around = lines[..at].iter().rev().find_map(|line| name_of(line));
        let inside = line.starts_with(' ');
        let test = if inside { around.or(below) } else { below.or(around) };
        markers.push(Marker {
            scenario: scenario.trim().to_owned(),
            path: path.to_owned(),
            test: test.unwrap_or_else(|| "the file".to_owned()),
            line: at + 1,
        });
    }
    markers
}
