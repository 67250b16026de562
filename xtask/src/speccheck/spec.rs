//! A specification as headings and bullets, and what is wrong with its form.

use std::collections::BTreeSet;

use crate::violation::Violation;

const RULE: &str = "spec-form";
const LONGEST_HEADING: usize = 50;

/// One scenario of a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// `<capability>#<requirement-slug>/<scenario-slug>`.
    pub id: String,
    /// The heading of its requirement.
    pub requirement: String,
    /// Its own heading.
    pub name: String,
    /// The specification it stands in.
    pub path: String,
    /// The line of its heading.
    pub line: usize,
}

/// What a specification says, and what is wrong with its form.
pub struct Spec {
    /// Its scenarios, in order.
    pub scenarios: Vec<Scenario>,
    /// What is wrong with its form.
    pub violations: Vec<Violation>,
}

/// A heading as the part of an id: lower case, each run of other characters one `-`.
pub fn slug(heading: &str) -> String {
    let mut slug = String::new();
    for sign in heading.trim().chars() {
        if sign.is_alphanumeric() {
            slug.extend(sign.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Reads `openspec/specs/<capability>/spec.md`.
pub fn read(path: &str, capability: &str, text: &str) -> Spec {
    let mut reader = Reader {
        path,
        capability,
        scenarios: Vec::new(),
        violations: Vec::new(),
        requirements: BTreeSet::new(),
        open: None,
        section: String::new(),
        purpose: false,
        titles: 0,
    };
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            reader.line(at + 1, line);
        }
    }
    reader.finish(text.lines().count().max(1))
}

/// The requirement that is being read.
struct Requirement {
    name: String,
    line: usize,
    obliges: bool,
    scenarios: BTreeSet<String>,
    /// Of the scenario that is being read: its line, whether it has a WHEN, a THEN.
    scenario: Option<(usize, bool, bool)>,
}

struct Reader<'a> {
    path: &'a str,
    capability: &'a str,
    scenarios: Vec<Scenario>,
    violations: Vec<Violation>,
    requirements: BTreeSet<String>,
    open: Option<Requirement>,
    section: String,
    purpose: bool,
    titles: usize,
}

impl Reader<'_> {
    fn wrong(&mut self, line: usize, message: impl Into<String>) {
        self.violations.push(Violation::new(self.path, line, RULE, message));
    }

    fn line(&mut self, number: usize, line: &str) {
        let level = line.chars().take_while(|sign| *sign == '#').count();
        let heading = line[level..].trim();
        if level > 0 && line[level..].starts_with(' ') {
            self.heading(number, level, heading);
        } else if !line.trim().is_empty() {
            self.body(line.trim());
        }
    }

    fn heading(&mut self, number: usize, level: usize, heading: &str) {
        match level {
            1 => {
                self.titles += 1;
                if heading != self.capability {
                    let message = format!("the title is not `# {}`", self.capability);
                    self.wrong(number, message);
                }
            }
            2 => {
                self.close_requirement();
                heading.clone_into(&mut self.section);
            }
            3 => self.requirement(number, heading),
            4 => self.scenario(number, heading),
            _ => self.wrong(number, "a heading deeper than a scenario's four `#`"),
        }
        if level < 4 && heading.starts_with("Scenario:")
            || level == 4 && heading.starts_with("Requirement:")
        {
            self.wrong(number, "a requirement has three `#`, a scenario four");
        }
    }

    fn requirement(&mut self, number: usize, heading: &str) {
        self.close_requirement();
        let Some(name) = heading.strip_prefix("Requirement:").map(str::trim) else {
            return self.wrong(number, "a heading of three `#` is `### Requirement: <name>`");
        };
        if self.section != "Requirements" {
            self.wrong(number, "a requirement stands below `## Requirements`");
        }
        self.check_heading(number, name);
        if !self.requirements.insert(slug(name)) {
            self.wrong(number, format!("a second requirement `{name}`"));
        }
        self.open = Some(Requirement {
            name: name.to_owned(),
            line: number,
            obliges: false,
            scenarios: BTreeSet::new(),
            scenario: None,
        });
    }

    fn scenario(&mut self, number: usize, heading: &str) {
        self.close_scenario();
        let Some(name) = heading.strip_prefix("Scenario:").map(str::trim) else {
            return self.wrong(number, "a heading of four `#` is `#### Scenario: <name>`");
        };
        self.check_heading(number, name);
        let Some(requirement) = &mut self.open else {
            return self.wrong(number, "a scenario without a requirement");
        };
        requirement.scenario = Some((number, false, false));
        let fresh = requirement.scenarios.insert(slug(name));
        let requirement = requirement.name.clone();
        if !fresh {
            self.wrong(number, format!("a second scenario `{name}` of `{requirement}`"));
        }
        self.scenarios.push(Scenario {
            id: format!("{}#{}/{}", self.capability, slug(&requirement), slug(name)),
            requirement,
            name: name.to_owned(),
            path: self.path.to_owned(),
            line: number,
        });
    }

    fn check_heading(&mut self, number: usize, name: &str) {
        if slug(name).is_empty() {
            self.wrong(number, "a heading without a name");
        }
        if name.chars().count() >= LONGEST_HEADING {
            self.wrong(number, format!("a heading of {LONGEST_HEADING} characters or more"));
        }
    }

    fn body(&mut self, line: &str) {
        if self.section == "Purpose" {
            self.purpose = true;
        }
        let Some(requirement) = &mut self.open else {
            return;
        };
        match &mut requirement.scenario {
            Some((_, when, then)) => {
                *when |= line.starts_with("- **WHEN**");
                *then |= line.starts_with("- **THEN**");
            }
            None => {
                requirement.obliges |= line
                    .split(|sign: char| !sign.is_alphanumeric())
                    .any(|word| word == "SHALL" || word == "MUST");
            }
        }
    }

    fn close_scenario(&mut self) {
        let scenario = self.open.as_mut().and_then(|requirement| requirement.scenario.take());
        if let Some((line, when, then)) = scenario {
            if !when {
                self.wrong(line, "a scenario without a `- **WHEN**` bullet");
            }
            if !then {
                self.wrong(line, "a scenario without a `- **THEN**` bullet");
            }
        }
    }

    fn close_requirement(&mut self) {
        self.close_scenario();
        if let Some(requirement) = self.open.take() {
            if !requirement.obliges {
                self.wrong(requirement.line, "a requirement without SHALL or MUST");
            }
            if requirement.scenarios.is_empty() {
                self.wrong(requirement.line, "a requirement without a scenario");
            }
        }
    }

    fn finish(mut self, last: usize) -> Spec {
        self.close_requirement();
        if self.titles != 1 {
            self.wrong(1, "not exactly one title");
        }
        if !self.purpose {
            self.wrong(1, "no `## Purpose` with a text");
        }
        if self.requirements.is_empty() {
            self.wrong(last, "no requirement below `## Requirements`");
        }
        Spec { scenarios: self.scenarios, violations: self.violations }
    }
}
