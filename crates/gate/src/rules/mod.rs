//! The rule files from their places: the administrator's, the user's own and the project's; what is in them is parsed
//! in policy. A file that cannot be read whole never loosens anything.

pub(crate) mod source;
pub mod trust;

use crate::ground;
use crate::world::environment::Environment;
use countersign_policy::action::Action;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::layer::{Layer, RuleSet};
use countersign_policy::rules::parse::diagnostic::Diagnostic;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::rule::Authority;
use countersign_policy::session::Session;
use source::Keeper;
pub use source::MOST_BYTES;
use std::path::{Path, PathBuf};
use trust::{Fingerprint, Trust};

/// The project's file, below the root of the workspace.
pub const PROJECT: &str = ".countersign/rules.toml";

/// The rules in force, with what is to be said of their files.
#[derive(Debug)]
pub struct Rules {
    /// The layers.
    pub set: RuleSet,
    /// The files in the order of their authority; one that is absent is not among them.
    pub files: Vec<RuleFile>,
}

/// A rule file that was found.
#[derive(Debug)]
pub struct RuleFile {
    /// Its rank.
    pub authority: Authority,
    /// Where it lies.
    pub path: PathBuf,
    /// How it counts.
    pub standing: Standing,
    /// What is wrong with it, line by line.
    pub diagnostics: Vec<Diagnostic>,
}

/// How a rule file counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// All of it.
    InForce,
    /// A project's file that nobody trusts as it is: it only tightens.
    Untrusted {
        /// What it holds now.
        fingerprint: Fingerprint,
        /// The allows that are not in force.
        allows: usize,
        /// Whether another content of it was trusted.
        changed: bool,
    },
    /// It cannot be read whole: what can be read of it only tightens, and no allow counts without a person.
    Broken(String),
}

/// Reads the rules in force. `user` stands in for the user's own file where it is given, and must then exist.
pub fn load(user: Option<&Path>, session: &Session, environment: &Environment) -> Rules {
    let reader = Reader {
        session,
        environment,
    };
    let mut found = vec![reader.managed(), reader.project()];
    found.push(match user {
        Some(path) => reader.named(path),
        None => reader.user(),
    });
    collected(found)
}

/// The built-in rules, and those of a file that is named; no place is looked at.
pub fn alone(file: Option<&Path>, session: &Session) -> Rules {
    let environment = Environment::default();
    let reader = Reader {
        session,
        environment: &environment,
    };
    collected(file.map(|path| reader.named(path)).into_iter().collect())
}

type Found = Option<(Layer, RuleFile)>;

fn collected(found: Vec<Found>) -> Rules {
    let (layers, mut files): (Vec<Layer>, Vec<RuleFile>) = found.into_iter().flatten().unzip();
    files.sort_by_key(|file| file.authority);
    let layers = std::iter::once(builtin()).chain(layers).collect();
    Rules {
        set: RuleSet::new(layers),
        files,
    }
}

struct Reader<'a> {
    session: &'a Session,
    environment: &'a Environment,
}

impl Reader<'_> {
    /// The administrator's file.
    fn managed(&self) -> Found {
        let managed = self.environment.managed.as_ref()?;
        let keeper = Keeper::Administrator(managed.owner);
        self.file(
            source::file(&managed.file),
            keeper,
            Authority::Managed,
            false,
        )
    }

    /// The user's own file.
    fn user(&self) -> Found {
        let path = self.environment.config_dir()?.join("rules.toml");
        self.file(source::file(&path), Keeper::User, Authority::User, false)
    }

    /// A file in place of the user's own.
    fn named(&self, path: &Path) -> Found {
        self.file(path, Keeper::Caller, Authority::User, true)
    }

    /// The project's file: without its allows, unless the user trusts what it holds.
    fn project(&self) -> Found {
        let path = self.session.workspace.as_ref()?.join(PROJECT);
        let at = source::file(&path);
        let text = match source::read(at, Keeper::Project) {
            Ok(text) => text?,
            Err(why) => return Some(broken(at, Authority::Project, &why)),
        };
        let (layer, mut file) = self.parsed(at, &text, Authority::Project);
        let fingerprint = Fingerprint::of(&text);
        let trust = Trust::load(self.environment);
        if trust.holds(&path, fingerprint) {
            return Some((layer, file));
        }
        if file.standing == Standing::InForce {
            let allows = layer.rules.iter();
            file.standing = Standing::Untrusted {
                fingerprint,
                allows: allows.filter(|rule| rule.action == Action::Allow).count(),
                changed: trust.knows(&path),
            };
        }
        Some((layer.without_allows(), file))
    }

    fn file(&self, path: &Path, keeper: Keeper, authority: Authority, required: bool) -> Found {
        match source::read(path, keeper) {
            Ok(Some(text)) => Some(self.parsed(path, &text, authority)),
            Ok(None) if !required => None,
            Ok(None) => Some(broken(path, authority, "there is no such file")),
            Err(why) => Some(broken(path, authority, &why)),
        }
    }

    fn parsed(&self, path: &Path, text: &str, authority: Authority) -> (Layer, RuleFile) {
        let origin = path.display().to_string();
        let mut parsed = parse(text, &origin, authority);
        parsed.check_examples(self.session, &|text| {
            let cwd = self.session.workspace.clone();
            let cwd = cwd.unwrap_or_else(AbsPath::root);
            ground::requests_of_text(text, cwd, self.session, self.environment)
        });
        let standing = match &parsed.layer.broken {
            Some(why) => Standing::Broken(why.clone()),
            None => Standing::InForce,
        };
        let file = RuleFile {
            authority,
            path: path.to_owned(),
            standing,
            diagnostics: parsed.diagnostics,
        };
        (parsed.layer, file)
    }
}

/// A file of which nothing can be read.
fn broken(path: &Path, authority: Authority, why: &str) -> (Layer, RuleFile) {
    let layer = Layer::unreadable(authority, &path.display().to_string(), why);
    let file = RuleFile {
        authority,
        path: path.to_owned(),
        standing: Standing::Broken(why.to_owned()),
        diagnostics: Vec::new(),
    };
    (layer, file)
}
