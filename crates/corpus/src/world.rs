//! The made-up machine of a case, and the answers that it gives to grounding; nothing real is looked at.

use countersign_policy::path::AbsPath;
use countersign_policy::project::{Runner, ScriptText};
use countersign_policy::rules::protected::Protected;
use countersign_policy::session::Session;
use countersign_policy::world::{FileKind, Found, Lookup};
use std::collections::BTreeMap;

/// The most links that are followed on one path, as in the Linux kernel.
const LINKS: usize = 40;

/// A machine. What is not listed is missing and leads to itself; a program that is not listed is `/usr/bin/NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The session's places.
    pub session: Session,
    files: BTreeMap<AbsPath, FileKind>,
    scripts: BTreeMap<(Runner, String), ScriptText>,
    links: BTreeMap<AbsPath, String>,
    failing: Vec<AbsPath>,
    aliases: BTreeMap<String, String>,
    named: Vec<String>,
    programs: BTreeMap<String, Option<AbsPath>>,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            session: Session::example("/repo"),
            files: BTreeMap::new(),
            scripts: BTreeMap::new(),
            links: BTreeMap::new(),
            failing: Vec::new(),
            aliases: BTreeMap::new(),
            named: Vec::new(),
            programs: BTreeMap::new(),
        }
    }
}

impl Machine {
    /// Adds what one line of a `world` block says, or tells what is wrong with it.
    pub fn add(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        if rest.is_empty() {
            return Err(format!("`{word}` needs more words"));
        }
        match word {
            "file" => self.kind(rest, FileKind::File),
            "script" => self.script(rest)?,
            "dir" => self.kind(rest, FileKind::Directory),
            "device" => self.kind(rest, FileKind::Device),
            "fails" => self.failing.push(self.path(rest)),
            "link" => {
                let (path, target) = rest
                    .split_once(" -> ")
                    .ok_or("a link is `PATH -> TARGET`")?;
                self.links.insert(self.path(path), target.to_owned());
            }
            "alias" => {
                let (name, text) = rest.split_once(" = ").ok_or("an alias is `NAME = WORDS`")?;
                self.aliases.insert(name.to_owned(), text.to_owned());
            }
            "git-names" => self.named.push(self.path(rest).as_str().to_owned()),
            "program" => {
                let path = self.path(rest);
                self.programs.insert(path.name().to_owned(), Some(path));
            }
            "no-program" => {
                self.programs.insert(rest.to_owned(), None);
            }
            "workspace" => self.session.workspace = AbsPath::parse(rest),
            _ => return Err(format!("`{word}` is nothing that a world has")),
        }
        Ok(())
    }

    /// The answer to a question of grounding.
    pub fn look(&self, lookup: &Lookup) -> Found {
        match lookup {
            Lookup::Path(path) => self.resolve(path),
            Lookup::Program(name) => Found::Program(match self.programs.get(name) {
                Some(listed) => listed.clone(),
                None => Some(AbsPath::root().join("usr/bin").join(name)),
            }),
            Lookup::Script {
                runner, name, file, ..
            } => {
                let name = file.as_ref().map(AbsPath::as_str).or(name.as_deref());
                let key = (*runner, name.unwrap_or_default().to_owned());
                Found::Script(self.scripts.get(&key).cloned())
            }
            Lookup::BareRepository(path) => self.bare_repository(path),
            Lookup::NamedByGit(_) => Found::Names(self.named.clone()),
            Lookup::Protected(path) => Found::Names(self.protected(path)),
            Lookup::GitAlias { name, .. } => Found::Text(self.aliases.get(name).cloned()),
        }
    }

    /// `RUNNER NAME = TEXT`: a script of the project; for a file that a shell reads its path is the name.
    fn script(&mut self, rest: &str) -> Result<(), String> {
        let (head, text) = rest
            .split_once(" = ")
            .ok_or("a script is `RUNNER NAME = TEXT`")?;
        let (runner, name) = head.split_once(' ').unwrap_or((head, ""));
        let (runner, file, name) = match runner {
            "package" => (Runner::Package, "package.json", name.to_owned()),
            "make" => (Runner::Make, "Makefile", name.to_owned()),
            "just" => (Runner::Just, "justfile", name.to_owned()),
            "cargo" => (Runner::Cargo, ".cargo/config.toml", name.to_owned()),
            "shell" => (Runner::Shell, name, self.path(name).as_str().to_owned()),
            _ => return Err(format!("`{runner}` starts no script")),
        };
        let script = ScriptText {
            file: self.path(file),
            directory: self.path("."),
            texts: Vec::new(),
        };
        let known = self.scripts.entry((runner, name)).or_insert(script);
        known.texts.push(text.to_owned());
        Ok(())
    }

    /// A path of the block: `~` is the home directory, a relative one lies in the workspace.
    fn path(&self, text: &str) -> AbsPath {
        let root = AbsPath::root();
        match (text.strip_prefix("~/"), &self.session.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.session.workspace.as_ref().unwrap_or(&root).join(text),
        }
    }

    fn kind(&mut self, text: &str, kind: FileKind) {
        self.files.insert(self.path(text), kind);
    }

    /// Follows links as the kernel would, component by component.
    fn resolve(&self, path: &AbsPath) -> Found {
        let mut at = AbsPath::root();
        let mut links = 0;
        let mut ahead: Vec<String> = reversed(path.as_str());
        while let Some(name) = ahead.pop() {
            let next = at.join(&name);
            if self.failing.contains(&next) || is_of_whoever_looks(&next) {
                return Found::Failed(format!("`{next}` cannot be looked up"));
            }
            let Some(target) = self.links.get(&next) else {
                at = next;
                continue;
            };
            links += 1;
            if links > LINKS {
                return Found::Failed(format!("`{path}`: more than {LINKS} links"));
            }
            if target.starts_with('/') {
                at = AbsPath::root();
            }
            ahead.extend(reversed(target));
        }
        let kind = self.kind_of(&at);
        Found::Path { resolved: at, kind }
    }

    /// The repository that git would find from a path upward, where it is not called `.git`.
    fn bare_repository(&self, path: &AbsPath) -> Found {
        let mut at = match self.resolve(path) {
            Found::Path { resolved, .. } => resolved,
            other @ (Found::Program(_)
            | Found::Text(_)
            | Found::Script(_)
            | Found::Names(_)
            | Found::Failed(_)) => {
                return other;
            }
        };
        let nothing = Found::Path {
            resolved: path.clone(),
            kind: FileKind::Missing,
        };
        let is_there = |path: &AbsPath| self.kind_of(path) != FileKind::Missing;
        loop {
            if at.components().any(|name| name == ".git") {
                return nothing;
            }
            let of_its_own = is_there(&at.join(".git"));
            let plain = ["HEAD", "objects", "refs"];
            if of_its_own || plain.iter().all(|name| is_there(&at.join(name))) {
                return Found::Path {
                    resolved: at,
                    kind: if of_its_own {
                        FileKind::Missing
                    } else {
                        FileKind::Directory
                    },
                };
            }
            if at == AbsPath::root() {
                return nothing;
            }
            at = at.parent();
        }
    }

    /// What is listed below a directory and protected.
    fn protected(&self, directory: &AbsPath) -> Vec<String> {
        let Found::Path { resolved, .. } = self.resolve(directory) else {
            return Vec::new();
        };
        let protected = Protected::builtin();
        let listed = self.files.keys().chain(self.links.keys());
        listed
            .filter(|path| protected.holds(path))
            .filter_map(|path| path.below(&resolved).filter(|below| !below.is_empty()))
            .map(str::to_owned)
            .collect()
    }

    fn kind_of(&self, path: &AbsPath) -> FileKind {
        let listed = self.files.get(path).copied();
        let mut known = self.files.keys().chain(self.links.keys());
        // What holds something that is listed is a directory.
        let holds = known.any(|other| other != path && other.is_within(path));
        listed.unwrap_or(if holds {
            FileKind::Directory
        } else {
            FileKind::Missing
        })
    }
}

/// Links in a process's directory lead to another place for every process, as the gate's own looks know.
fn is_of_whoever_looks(path: &AbsPath) -> bool {
    let mut components = path.components();
    components.next() == Some("proc")
        && components.next().is_some()
        && matches!(
            components.next(),
            Some("cwd" | "root" | "exe" | "fd" | "map_files" | "ns")
        )
}

/// The components that mean something, the first one last.
fn reversed(text: &str) -> Vec<String> {
    let named = text
        .rsplit('/')
        .filter(|name| !name.is_empty() && *name != ".");
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::Machine;
    use countersign_policy::path::AbsPath;
    use countersign_policy::world::{FileKind, Found, Lookup};

    fn machine(lines: &[&str]) -> Machine {
        let mut machine = Machine::default();
        for line in lines {
            machine.add(line).unwrap();
        }
        machine
    }

    fn resolved(machine: &Machine, path: &str) -> (String, FileKind) {
        match machine.look(&Lookup::Path(AbsPath::parse(path).unwrap())) {
            Found::Path { resolved, kind } => (resolved.as_str().to_owned(), kind),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn links_are_followed_through_directories() {
        let machine = machine(&[
            "link a -> ../home/u",
            "link ~/b -> /etc",
            "file /etc/passwd",
        ]);
        assert_eq!(
            resolved(&machine, "/repo/a/b/passwd"),
            ("/etc/passwd".to_owned(), FileKind::File)
        );
        assert_eq!(resolved(&machine, "/etc").1, FileKind::Directory);
        assert_eq!(resolved(&machine, "/repo/x").1, FileKind::Missing);
    }

    #[test]
    fn a_circle_of_links_fails() {
        let machine = machine(&["link a -> b", "link b -> a"]);
        let path = AbsPath::parse("/repo/a").unwrap();
        assert!(matches!(
            machine.look(&Lookup::Path(path)),
            Found::Failed(_)
        ));
    }

    #[test]
    fn nonsense_is_refused() {
        for line in ["file", "link a", "alias x", "moon full"] {
            assert!(Machine::default().add(line).is_err(), "{line}");
        }
    }
}
