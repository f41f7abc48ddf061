//! The recipes of a justfile that a name runs, with those of what it needs. Expressions in `{{…}}` are left untold,
//! but for variables with a plain value.

use super::shell::is_for_a_shell;
use super::source::{Asked, TEXTS, nearest, text};
use countersign_policy::project::ScriptText;
use std::collections::BTreeMap;

/// What stands for a value that only just can tell: a variable that no shell has set.
const UNTOLD: &str = "${untold_by_just}";

pub(super) fn look(asked: &Asked<'_>) -> Result<Option<ScriptText>, String> {
    let (file, text) = match asked.file {
        Some(file) => match text(file)? {
            Some(text) => (file.clone(), text),
            None => return Ok(None),
        },
        None => match nearest(asked.directory, &["justfile", "Justfile", ".justfile"])? {
            Some(source) => (source.file, source.text),
            None => return Ok(None),
        },
    };
    let justfile = Justfile::parse(&text);
    Ok(justfile.texts(asked.name).map(|texts| ScriptText {
        directory: file.parent(),
        file,
        texts,
    }))
}

/// What a justfile says.
#[derive(Debug, Default)]
struct Justfile {
    values: BTreeMap<String, String>,
    recipes: BTreeMap<String, Recipe>,
    aliases: BTreeMap<String, String>,
    default: Option<String>,
    /// Commands that run before any recipe, to find a value.
    at_once: Vec<String>,
    /// Whether recipes go to another kind of shell.
    other_shell: bool,
}

#[derive(Debug, Default)]
struct Recipe {
    needs: Vec<String>,
    lines: Vec<String>,
}

impl Justfile {
    fn parse(text: &str) -> Self {
        let mut out = Self::default();
        let mut current: Option<String> = None;
        for line in text.lines() {
            let indented = line.starts_with([' ', '\t']);
            if indented || line.trim().is_empty() {
                let recipe = current.as_ref().and_then(|name| out.recipes.get_mut(name));
                if let Some(recipe) = recipe {
                    recipe.lines.push(line.trim().to_owned());
                }
                continue;
            }
            if line.starts_with(['#', '[']) {
                continue;
            }
            current = out.statement(line);
        }
        out
    }

    /// Takes a line that is not indented; the name where it begins a recipe.
    fn statement(&mut self, line: &str) -> Option<String> {
        if let Some(setting) = line.strip_prefix("set ") {
            let shells = ["\"sh\"", "\"bash\"", "\"zsh\"", "'sh'", "'bash'", "'zsh'"];
            let chooses = setting.starts_with("shell") && setting.contains('[');
            self.other_shell |= chooses && !shells.iter().any(|name| setting.contains(name));
            return None;
        }
        if let Some((name, value)) = line.split_once(":=") {
            self.assign(name, value.trim());
            return None;
        }
        let (head, needs) = line.split_once(':')?;
        let name = head
            .trim_start_matches('@')
            .split_whitespace()
            .next()?
            .to_owned();
        let needs = needs.split('#').next().unwrap_or_default();
        let needs = needs
            .split(|c: char| c.is_whitespace() || "()&".contains(c))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        if self.default.is_none() {
            self.default = Some(name.clone());
        }
        let recipe = Recipe {
            needs,
            lines: Vec::new(),
        };
        self.recipes.insert(name.clone(), recipe);
        Some(name)
    }

    fn assign(&mut self, name: &str, value: &str) {
        let name = name.trim();
        if let Some(alias) = name.strip_prefix("alias ") {
            self.aliases
                .insert(alias.trim().to_owned(), value.to_owned());
            return;
        }
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        let within = |quote: char| {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains([quote, '\\'])).then_some(inner)
        };
        if let Some(command) = within('`') {
            self.at_once.push(command.to_owned());
        } else if let Some(plain) = within('"').or_else(|| within('\'')) {
            self.values.insert(name.to_owned(), plain.to_owned());
        }
    }

    /// What runs for a name; nothing where there is no such recipe.
    fn texts(&self, name: Option<&str>) -> Option<Vec<String>> {
        let goal = name.or(self.default.as_deref())?;
        let goal = self.aliases.get(goal).map_or(goal, String::as_str);
        self.recipes.get(goal).filter(|_| !self.other_shell)?;
        let mut out = self.at_once.clone();
        let mut seen: Vec<&str> = Vec::new();
        let mut ahead = vec![goal];
        while let Some(name) = ahead.pop() {
            if seen.contains(&name) || out.len() >= TEXTS {
                continue;
            }
            seen.push(name);
            // Among what a recipe needs stand arguments as well, which name no recipe.
            if let Some(recipe) = self.recipes.get(name) {
                ahead.extend(recipe.needs.iter().rev().map(String::as_str));
                self.lines(recipe, &mut out);
            }
        }
        Some(out)
    }

    /// The texts of one recipe: each line is a shell's own, but for a recipe that is a whole script.
    fn lines(&self, recipe: &Recipe, out: &mut Vec<String>) {
        if recipe
            .lines
            .first()
            .is_some_and(|line| line.starts_with("#!"))
        {
            let whole = recipe.lines.join("\n");
            if is_for_a_shell(&whole) {
                out.push(self.expanded(&whole));
            }
            return;
        }
        let mut joined = String::new();
        for line in &recipe.lines {
            joined.push_str(line);
            if joined.ends_with('\\') {
                joined.push('\n');
                continue;
            }
            let text = self.expanded(joined.trim_start_matches(['@', '-']));
            if !text.trim().is_empty() {
                out.push(text);
            }
            joined.clear();
        }
    }

    fn expanded(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((front, back)) = rest.split_once("{{") {
            out.push_str(front);
            if let Some(after) = back.strip_prefix("{{") {
                out.push_str("{{");
                rest = after;
                continue;
            }
            let (inner, after) = back.split_once("}}").unwrap_or((back, ""));
            let value = self.values.get(inner.trim());
            out.push_str(value.map_or(UNTOLD, String::as_str));
            rest = after;
        }
        out.push_str(rest);
        out
    }
}
