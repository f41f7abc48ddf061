//! The alias that git would know by a name in a directory, and the files that its settings name, read from the files
//! that git would read; git is not run.

use super::config::{Setting, parse};
use super::environment::Environment;
use super::regular;
use super::repository::{Repository, walk};
use countersign_policy::path::AbsPath;
use countersign_policy::world::Found;
use std::collections::BTreeSet;
use std::fs;

/// The most bytes of one file that are read.
const FILE_BYTES: u64 = 1024 * 1024;
/// The most files that are read for one question.
const FILES: usize = 64;
/// The most files inside one another, as in git.
const DEPTH: usize = 10;

/// Answers the question for an alias.
pub(super) fn look(directory: &AbsPath, name: &str, environment: &Environment) -> Found {
    if environment.git_redirected {
        return Found::Failed("a variable sends git to another configuration".to_owned());
    }
    match value(directory, name, environment) {
        Ok(Some(value)) if value.contains('\u{fffd}') => {
            Found::Failed(format!("alias `{}` is not UTF-8", name.escape_debug()))
        }
        Ok(value) => Found::Text(value),
        Err(why) => Found::Failed(why),
    }
}

/// The files and directories that git's settings name for a working tree: its hooks, files that are included, and
/// whatever a value names that is there. Where a file of settings cannot be read git does nothing either, and none is
/// told.
pub(super) fn named(directory: &AbsPath, environment: &Environment) -> Found {
    let mut search = Search::new("", environment);
    search.top = Some(directory);
    let _unread = search.files(directory, environment);
    for file in &environment.git_system {
        let _unread = search.file(Some(file), Told::Certainly, 0);
    }
    let named = search.named.iter().map(|path| path.as_str().to_owned());
    Found::Names(named.collect())
}

/// The last value in the order in which git reads its files, which is the one that counts.
fn value(
    directory: &AbsPath,
    name: &str,
    environment: &Environment,
) -> Result<Option<String>, String> {
    let mut search = Search::new(name, environment);
    search.files(directory, environment)?;
    match search.value {
        Some(value) => Ok(Some(value)),
        None => system(search, environment),
    }
}

/// The system's value, where nothing else says one. Which of the places is the system's was decided when git was built:
/// where those that exist do not agree it cannot be told.
fn system(mut search: Search, environment: &Environment) -> Result<Option<String>, String> {
    let mut agreed: Option<Option<String>> = None;
    let exists = |file: &&AbsPath| fs::symlink_metadata(file.as_str()).is_ok();
    for file in environment.git_system.iter().filter(exists) {
        search.value = None;
        search.file(Some(file), Told::Certainly, 0)?;
        match &agreed {
            Some(agreed) if *agreed != search.value => {
                return Err("there are several system configurations of git".to_owned());
            }
            Some(_) | None => agreed = Some(search.value.take()),
        }
    }
    Ok(agreed.flatten())
}

/// Whether git certainly reads a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Certainly,
    /// Only under a condition that is not followed here.
    Perhaps,
}

/// The search for an alias through several files.
struct Search<'a> {
    name: &'a str,
    home: Option<&'a AbsPath>,
    value: Option<String>,
    worktree_config: bool,
    files: usize,
    /// The working tree whose files are looked for among the values, where they are.
    top: Option<&'a AbsPath>,
    named: BTreeSet<AbsPath>,
}

impl<'a> Search<'a> {
    fn new(name: &'a str, environment: &'a Environment) -> Self {
        Self {
            name,
            home: environment.home.as_ref(),
            value: None,
            worktree_config: false,
            files: 0,
            top: None,
            named: BTreeSet::new(),
        }
    }

    /// Reads the files of the user and of the repository, in the order in which they count.
    fn files(&mut self, directory: &AbsPath, environment: &Environment) -> Result<(), String> {
        let home_config = || environment.home.as_ref().map(|home| home.join(".config"));
        let config_home = environment.config_home.clone().or_else(home_config);
        for file in [
            config_home.map(|config| config.join("git/config")),
            environment
                .home
                .as_ref()
                .map(|home| home.join(".gitconfig")),
        ] {
            self.file(file.as_ref(), Told::Certainly, 0)?;
        }
        if let Some(repository) = Repository::find(directory)? {
            self.worktree_config = false;
            self.file(Some(&repository.common.join("config")), Told::Certainly, 0)?;
            if self.worktree_config {
                self.file(
                    Some(&repository.own.join("config.worktree")),
                    Told::Certainly,
                    0,
                )?;
            }
        }
        Ok(())
    }

    /// Reads a file and what it includes; a missing one is passed over, as git does.
    fn file(&mut self, file: Option<&AbsPath>, told: Told, depth: usize) -> Result<(), String> {
        let Some(file) = file else {
            return Ok(());
        };
        self.files += 1;
        if depth > DEPTH || self.files > FILES {
            return Err(format!("`{file}`: too many files that include one another"));
        }
        let bytes = match regular::read(file, FILE_BYTES + 1) {
            Ok(bytes) => bytes,
            Err(error) if regular::is_missing(&error) => return Ok(()),
            Err(error) => return Err(format!("`{file}`: {error}")),
        };
        if bytes.len() as u64 > FILE_BYTES {
            return Err(format!("`{file}` is too long"));
        }
        let settings = parse(&String::from_utf8_lossy(&bytes));
        for setting in settings.map_err(|why| format!("`{file}`: {why}"))? {
            self.setting(setting, file, told, depth)?;
        }
        Ok(())
    }

    fn setting(
        &mut self,
        setting: Setting,
        file: &AbsPath,
        told: Told,
        depth: usize,
    ) -> Result<(), String> {
        self.names(&setting, file);
        match (
            setting.section.as_str(),
            &setting.subsection,
            setting.key.as_str(),
        ) {
            ("alias", _, _) => self.alias(setting, file, told),
            ("include", None, "path") => {
                let included = self.included(setting.value, file)?;
                self.file(Some(&included), told, depth + 1)
            }
            ("includeif", Some(_), "path") => {
                let included = self.included(setting.value, file)?;
                self.file(Some(&included), Told::Perhaps, depth + 1)
            }
            ("extensions", None, "worktreeconfig") => {
                self.worktree_config = is_true(setting.value.as_deref());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn alias(&mut self, setting: Setting, file: &AbsPath, told: Told) -> Result<(), String> {
        let name = match &setting.subsection {
            None => setting.key.clone(),
            Some(subsection) => format!("{subsection}.{}", setting.key),
        };
        let subsection = setting.subsection.as_deref();
        let newer = setting.key == "command"
            && subsection.is_some_and(|name| name.eq_ignore_ascii_case(self.name));
        if !newer && !name.eq_ignore_ascii_case(self.name) {
            return Ok(());
        }
        if newer {
            return Err(format!(
                "`{file}` has the alias in a form that not every git reads"
            ));
        }
        if told == Told::Perhaps {
            return Err(format!(
                "`{file}` has the alias and is included under a condition"
            ));
        }
        let value = setting
            .value
            .ok_or(format!("`{file}` has the alias without a value"))?;
        self.value = Some(value);
        Ok(())
    }

    /// Takes down what a setting names in the working tree.
    fn names(&mut self, setting: &Setting, file: &AbsPath) {
        let (Some(top), Some(value)) = (self.top, &setting.value) else {
            return;
        };
        if matches!(setting.section.as_str(), "include" | "includeif") {
            let included = self.included(Some(value.clone()), file);
            self.named.extend(included);
            return;
        }
        let is_hooks = setting.section == "core" && setting.key == "hookspath";
        let words = value.split(|c: char| c.is_whitespace() || "'\"!;&|()=".contains(c));
        for word in words.filter(|word| !word.is_empty()) {
            let path = match (word.strip_prefix("~/"), self.home) {
                (Some(rest), Some(home)) => walk(home, rest),
                // Most values are words of their own, in a place to which no link leads.
                (None, _) if !word.contains('/') && word != ".." => Ok(top.join(word)),
                (Some(_) | None, _) => walk(top, word),
            };
            let Ok(path) = path else { continue };
            let is_file = || fs::metadata(path.as_str()).is_ok_and(|found| found.is_file());
            if is_hooks || path.is_within(top) && is_file() {
                self.named.insert(path);
            }
        }
    }

    /// The file that an include names.
    fn included(&self, value: Option<String>, file: &AbsPath) -> Result<AbsPath, String> {
        let untold = || format!("`{file}` includes a file that cannot be told");
        let value = value.ok_or_else(untold)?;
        if value.contains('\u{fffd}') {
            return Err(untold());
        }
        if let Some(rest) = value.strip_prefix("~/") {
            return walk(self.home.ok_or_else(untold)?, rest);
        }
        if value.is_empty() || value.starts_with('~') || value.starts_with("%(") {
            return Err(untold());
        }
        walk(&file.parent(), &value)
    }
}

fn is_true(value: Option<&str>) -> bool {
    let Some(value) = value else {
        return true;
    };
    let named = ["true", "yes", "on"]
        .iter()
        .any(|name| value.eq_ignore_ascii_case(name));
    named || value.parse::<i64>().is_ok_and(|number| number != 0)
}
