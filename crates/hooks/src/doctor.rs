//! Whether what is installed holds: a closed list of promises, each looked into, none repaired. Of foreign programs
//! only our own hook is run, by the very command that the host would use.

mod canary;
pub mod finding;
mod version;

use self::canary::{Heard, SESSION};
use self::finding::{Finding, Promise};
use crate::entry::{self, Entry, Switch};
use crate::hooked::Hooked;
use countersign_gate::journal::verify::verify;
use countersign_gate::journal::{Journal, Options};
use countersign_gate::rules;
use countersign_gate::world::environment::Environment;
use countersign_gate::world::session::session;
use countersign_policy::path::AbsPath;
use countersign_policy::rules::parse::diagnostic::Severity;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

const INSTALL: &str = "run `countersign install claude-code`";

/// Looks into every promise, for the settings file of the host and for a session that begins in `cwd`.
///
/// Two calls are put to the installed hook; it judges and records them in a session of their own, and nothing runs.
pub fn examine(settings: &Path, environment: &Environment, cwd: &AbsPath) -> Vec<Finding> {
    let text = fs::read_to_string(settings);
    let (entry, mut findings) = settings_findings(settings, text);
    findings.push(version::look(environment));
    findings.extend(canaries(entry.as_ref()));
    findings.push(rule_files(environment, cwd));
    findings.push(journal(environment));
    findings
}

/// What the settings promise, with the entry by which the hook can be tried.
fn settings_findings(
    settings: &Path,
    text: std::io::Result<String>,
) -> (Option<Entry>, Vec<Finding>) {
    let place = settings.display();
    let looked = text.map_err(|error| error.to_string()).and_then(|text| {
        let read = entry::entries(&text).and_then(|found| Ok((found, entry::switch(&text)?)));
        read.map_err(|error| error.to_string())
    });
    let (entries, switch) = match looked {
        Ok(looked) => looked,
        Err(why) => {
            let words = format!("`{place}`: {why}");
            return (
                None,
                vec![
                    Finding::broken(Promise::Entry, words.clone(), INSTALL),
                    Finding::unknown(Promise::SwitchedOn, words.clone(), INSTALL),
                    Finding::unknown(Promise::Program, words, INSTALL),
                ],
            );
        }
    };
    let (best, found) = entry_finding(&place.to_string(), &entries);
    let switched = match switch {
        Switch::On => Finding::holds(Promise::SwitchedOn, format!("`{place}` leaves hooks on")),
        Switch::Off => Finding::broken(
            Promise::SwitchedOn,
            format!("`{place}` says `disableAllHooks`"),
            "remove `disableAllHooks` from the settings",
        ),
    };
    let program = match best {
        None => Finding::unknown(Promise::Program, "no program is named", INSTALL),
        Some(entry) => program(Path::new(&entry.program)),
    };
    (best.cloned(), vec![found, switched, program])
}

/// Whether the entries do what they have to, with the one by which the hook can be tried.
fn entry_finding<'e>(place: &str, entries: &'e [Entry]) -> (Option<&'e Entry>, Finding) {
    let gates = || {
        entries
            .iter()
            .filter(|entry| entry.event == Hooked::PreToolUse)
    };
    let best = gates().find(|entry| entry.is_whole()).or(gates().next());
    let whole = |event: &Hooked| {
        let mut of_event = entries.iter().filter(|entry| entry.event == *event);
        of_event.any(Entry::is_whole)
    };
    let missing: Vec<&str> = Hooked::ALL
        .into_iter()
        .filter(|event| !whole(event))
        .map(Hooked::name)
        .collect();
    let found = match best {
        None => Finding::broken(
            Promise::Entry,
            format!("`{place}` has no entry of ours"),
            INSTALL,
        ),
        Some(entry) if !entry.every_tool => Finding::broken(
            Promise::Entry,
            format!("the entry in `{place}` is narrowed to some calls, or not waited for"),
            INSTALL,
        ),
        Some(entry) if !entry.blocks_on_failure => Finding::broken(
            Promise::Entry,
            format!("the entry in `{place}` lets calls run where the hook fails, or hardly waits"),
            INSTALL,
        ),
        Some(_) if !missing.is_empty() => Finding::broken(
            Promise::Entry,
            format!(
                "`{place}` has no whole entry of ours for {}",
                missing.join(", ")
            ),
            INSTALL,
        ),
        Some(_) => Finding::holds(
            Promise::Entry,
            format!("`{place}` names the hook for every tool"),
        ),
    };
    (best, found)
}

/// Whether the program is there, and only its owner and root can change it or what leads to it.
fn program(named: &Path) -> Finding {
    let broken = |words: String, remedy| Finding::broken(Promise::Program, words, remedy);
    if !named.is_absolute() {
        let words = format!("`{}` is not an absolute path", named.display());
        return broken(words, INSTALL);
    }
    let found = fs::canonicalize(named).and_then(|path| Ok((fs::metadata(&path)?, path)));
    let (metadata, path) = match found {
        Ok(found) => found,
        Err(error) => return broken(format!("`{}`: {error}", named.display()), INSTALL),
    };
    if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
        return broken(format!("`{}` is not a program", path.display()), INSTALL);
    }
    let own = own_uid();
    let open = std::iter::once(path.as_path())
        .chain(path.ancestors().skip(1))
        .chain(named.ancestors())
        .find(|place| fs::metadata(place).is_ok_and(|found| is_open_to_others(&found, own)));
    match open {
        Some(place) => broken(
            format!("others can change `{}`", place.display()),
            "move the program to where only you or root can write, then install again",
        ),
        None => Finding::holds(Promise::Program, format!("`{}`", path.display())),
    }
}

/// The user under whom we run, by a file of the process's own.
fn own_uid() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|process| process.uid())
}

/// Whether somebody beside us and root can change a file, or put another in its place. In a directory with the sticky
/// bit only owners can.
fn is_open_to_others(metadata: &Metadata, own: Option<u32>) -> bool {
    let foreign = metadata.uid() != 0 && own.is_some_and(|own| own != metadata.uid());
    let sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
    foreign || (metadata.mode() & 0o022 != 0 && !sticky)
}

/// What the installed hook says to a call that must never run and to a harmless one.
fn canaries(entry: Option<&Entry>) -> [Finding; 2] {
    let Some(entry) = entry else {
        let words = "no hook is installed that could be tried";
        return [Promise::Refuses, Promise::Allows]
            .map(|promise| Finding::unknown(promise, words, INSTALL));
    };
    let report = "run the entry's command by hand with a call on stdin, and see what it says";
    let refuses = match canary::fire(entry, "rm -rf /") {
        Ok(Heard::Denied { code: Some(2) }) => {
            Finding::holds(Promise::Refuses, "`rm -rf /` was denied, with exit code 2")
        }
        Ok(heard) => {
            let words = format!("`rm -rf /` was not refused as it has to be: {heard}");
            Finding::broken(Promise::Refuses, words, report)
        }
        Err(why) => Finding::broken(Promise::Refuses, why, report),
    };
    let allows = match canary::fire(entry, "true") {
        Ok(Heard::Allowed) => Finding::holds(Promise::Allows, "`true` was allowed"),
        Ok(heard @ (Heard::Asked | Heard::Silent)) => Finding::unknown(
            Promise::Allows,
            format!("`true` was left to the host: {heard}"),
            "see whether your rules or your mode ask about everything",
        ),
        Ok(heard @ (Heard::Denied { .. } | Heard::Nonsense { .. })) => {
            let words = format!("`true` was not allowed: {heard}");
            Finding::broken(
                Promise::Allows,
                words,
                "see what the hook says on stderr, and your rules",
            )
        }
        Err(why) => Finding::broken(Promise::Allows, why, report),
    };
    [refuses, allows]
}

/// Whether the rule files can be read whole.
pub(crate) fn rule_files(environment: &Environment, cwd: &AbsPath) -> Finding {
    let session = session(cwd, environment);
    let rules = rules::load(None, &session, environment);
    let remedy = "put the file in order; until then nothing is allowed without you";
    if let Some(broken) = rules.set.broken().next() {
        return Finding::broken(Promise::Rules, broken, remedy);
    }
    let all = rules.files.iter().flat_map(|file| &file.diagnostics);
    let warnings = all
        .filter(|found| found.severity == Severity::Warning)
        .count();
    let layers = rules.set.layers().len();
    Finding::holds(
        Promise::Rules,
        format!("{layers} layers of rules, {warnings} warnings"),
    )
}

/// The most journals that are checked, the newest first.
const JOURNALS: usize = 32;

/// Whether the journal takes a record, and the newest journals hold together.
fn journal(environment: &Environment) -> Finding {
    let Some(state) = environment.state_dir() else {
        let remedy = "set `HOME` to an absolute path";
        return Finding::broken(
            Promise::Journal,
            "there is no place for the journal",
            remedy,
        );
    };
    let remedy = "see that the state directory is yours and the disk has space; keep a journal that does not hold together, and move it away";
    let opened = Journal::open(Path::new(state.as_str()), SESSION, Options::default());
    let journal = match opened {
        Ok(journal) => journal,
        Err(error) => return Finding::broken(Promise::Journal, error.to_string(), remedy),
    };
    let mut checked = 0;
    for path in newest(journal.path().parent().unwrap_or(Path::new("/"))) {
        if let Err(error) = verify(&path) {
            return Finding::broken(Promise::Journal, error.to_string(), remedy);
        }
        checked += 1;
    }
    Finding::holds(
        Promise::Journal,
        format!("{checked} journals hold together"),
    )
}

/// The newest journals of a directory.
fn newest(directory: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<_> = files
        .map(|file| file.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    found.sort();
    found
        .into_iter()
        .rev()
        .take(JOURNALS)
        .map(|(_, path)| path)
        .collect()
}
