//! The recipes that a target of a makefile runs, with those of what it needs. Pattern rules and included files are
//! left out, and of a condition both sides are taken.

use super::make_text::{Rule, Variables, lines, without_comment};
use super::source::{Asked, TEXTS, first, text};
use countersign_policy::path::AbsPath;
use countersign_policy::project::ScriptText;
use std::collections::BTreeMap;

/// The names in the order in which make looks for them.
const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

pub(super) fn look(asked: &Asked<'_>) -> Result<Option<ScriptText>, String> {
    let (file, text) = match asked.file {
        Some(file) => match text(file)? {
            Some(text) => (file.clone(), text),
            None => return Ok(None),
        },
        None => match first(asked.directory, &NAMES)? {
            Some(source) => (source.file, source.text),
            None => return Ok(None),
        },
    };
    let makefile = Makefile::parse(&text);
    Ok(makefile
        .texts(asked.name)
        .map(|texts| script(file, asked.directory, texts)))
}

fn script(file: AbsPath, directory: &AbsPath, texts: Vec<String>) -> ScriptText {
    ScriptText {
        file,
        directory: directory.clone(),
        texts,
    }
}

/// What a makefile says.
#[derive(Debug, Default)]
struct Makefile {
    variables: Variables,
    targets: BTreeMap<String, Target>,
    /// What runs where no target is named.
    default: Option<String>,
}

/// What is said of a target, in all of its rules.
#[derive(Debug, Default)]
struct Target {
    needs: String,
    recipe: Vec<String>,
}

impl Makefile {
    fn parse(text: &str) -> Self {
        let mut out = Self::default();
        let mut current: Vec<String> = Vec::new();
        let mut define: Option<(String, Vec<String>)> = None;
        for line in lines(text) {
            if let Some((name, body)) = &mut define {
                if line.trim() == "endef" {
                    out.variables.define(name, &body.join("\n"));
                    define = None;
                } else {
                    body.push(line.trim_start_matches('\t').to_owned());
                }
                continue;
            }
            if let Some(recipe) = line.strip_prefix('\t') {
                out.recipe(&current, recipe);
                continue;
            }
            let line = without_comment(&line);
            if let Some(name) = line.strip_prefix("define ") {
                let name = name.trim_end_matches(['=', ':', ' ']).trim();
                define = Some((name.to_owned(), Vec::new()));
            } else if !out.variables.take(line)
                && let Some(targets) = out.rule(line)
            {
                current = targets;
            }
        }
        out
    }

    /// Takes a line that names targets and what they need.
    fn rule(&mut self, line: &str) -> Option<Vec<String>> {
        let (front, back) = line.split_once(':')?;
        let names = self.variables.expanded(front, &Rule::default());
        let (needs, recipe) = match back.split_once(';') {
            Some((needs, recipe)) => (needs, Some(recipe)),
            None => (back, None),
        };
        let needs = needs.trim_start_matches(':').replace('|', " ");
        let needs = self.variables.expanded(&needs, &Rule::default());
        let names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        // A variable of a target's own.
        let needs = if needs.contains('=') {
            ""
        } else {
            needs.trim()
        };
        for name in &names {
            if self.default.is_none() && !name.starts_with('.') && !name.contains('%') {
                self.default = Some(name.clone());
            }
            let target = self.targets.entry(name.clone()).or_default();
            target.needs.push(' ');
            target.needs.push_str(needs);
        }
        if let Some(recipe) = recipe {
            self.recipe(&names, recipe);
        }
        Some(names)
    }

    fn recipe(&mut self, targets: &[String], line: &str) {
        for name in targets {
            if let Some(target) = self.targets.get_mut(name) {
                target.recipe.push(line.to_owned());
            }
        }
    }

    /// What runs for a target; nothing where there is no such target.
    fn texts(&self, name: Option<&str>) -> Option<Vec<String>> {
        let goal = name.or(self.default.as_deref())?;
        self.targets.get(goal)?;
        let mut out = self.variables.at_once.clone();
        let mut seen: Vec<&str> = Vec::new();
        let mut ahead = vec![goal];
        while let Some(name) = ahead.pop() {
            if seen.contains(&name) || out.len() >= TEXTS {
                continue;
            }
            seen.push(name);
            let Some(target) = self.targets.get(name) else {
                continue;
            };
            ahead.extend(target.needs.split_whitespace().rev());
            let rule = Rule {
                target: name,
                needs: target.needs.trim(),
            };
            for line in &target.recipe {
                let text = self.variables.expanded(line, &rule);
                let text = text.trim_start_matches(['@', '-', '+', ' ', '\t']);
                if !text.trim().is_empty() {
                    out.push(text.to_owned());
                }
            }
        }
        Some(out)
    }
}
