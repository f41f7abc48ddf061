//! What is left of imported rules once they stand in one file of ours: an allow that would lift what forbids there is
//! left out, and an allow of a tool does not serve what that tool cannot do.

use super::imported::{Imported, ImportedRule, Remark};
use countersign_policy::action::Action;
use countersign_policy::mode::Mode;
use countersign_policy::request::Kind;
use countersign_policy::rules::builtin::builtin;
use countersign_policy::rules::parse::parse;
use countersign_policy::rules::pattern::{Pattern, contained, covered};
use countersign_policy::rules::rule::{Authority, Rule};

/// Which of several rules decides there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precedence {
    /// The strictest that matches.
    Strictest,
    /// The last that matches.
    Last,
}

/// Commands that are asked by the host alone, so that what allows the host allows them, and that can send something.
const SENDERS: [&str; 4] = ["curl *", "curlie *", "wget *", "openssl s_client *"];

/// A rule with the form in which it would be read from a file.
struct Entry {
    own: ImportedRule,
    read: Vec<Rule>,
}

/// The rules as they can stand in one file.
pub(super) fn settled(imported: Imported, precedence: Precedence) -> Imported {
    let mut out = Imported {
        rules: Vec::new(),
        ..imported
    };
    let mut entries: Vec<Entry> = Vec::new();
    // What is not translated may have been about a server's tools, and an allow of them would let through what it
    // forbade.
    let doubt = out.untranslated.first().map(|remark| remark.what.clone());
    for own in imported.rules {
        if let (Some(doubt), Action::Allow, Kind::Mcp) = (&doubt, own.action, own.kind) {
            let why = format!("left out: `{doubt}` is not translated and may be about it");
            out.warn(&own.from, why);
            continue;
        }
        let same = |entry: &Entry| {
            let known = &entry.own;
            (known.action, known.kind, &known.pattern, &known.with)
                == (own.action, own.kind, &own.pattern, &own.with)
        };
        match read(&own) {
            // Where the last one decides, a rule that is said again is said there.
            _ if precedence == Precedence::Strictest && entries.iter().any(same) => {}
            Ok(read) => entries.push(Entry { own, read }),
            Err(why) => out.leave(&own.from, why),
        }
    }
    let idle: Vec<Option<String>> = (0..entries.len())
        .map(|at| {
            covering(&entries, at, precedence).or_else(|| overtaking(&entries, at, precedence))
        })
        .collect();
    let mut kept = Vec::new();
    for (entry, by) in entries.into_iter().zip(idle) {
        match by {
            None => kept.push(entry),
            Some(by) => out.warnings.push(Remark {
                why: format!("left out, as `{by}` stands in front of it there too"),
                what: entry.own.from,
            }),
        }
    }
    for entry in &kept {
        if let Some(id) = lifted(entry) {
            let why = format!(
                "it is an exception to the built-in question `{id}`; take it out to be asked"
            );
            out.warn(&entry.own.from, why);
        }
    }
    let mut guards = guards(&kept, out.mode);
    out.rules = kept.into_iter().map(|entry| entry.own).collect();
    out.rules.append(&mut guards);
    out.rules.append(&mut out.behind);
    out
}

/// The rule as it is read from a file, or what is wrong with it there.
fn read(own: &ImportedRule) -> Result<Vec<Rule>, String> {
    let parsed = parse(&super::file::entry(own), "import", Authority::User);
    match parsed.diagnostics.first() {
        Some(diagnostic) => Err(diagnostic.message.clone()),
        None => Ok(parsed.layer.rules),
    }
}

/// The ask or deny because of which an allow never decides anything there, and which it might lift here.
fn covering(entries: &[Entry], at: usize, precedence: Precedence) -> Option<String> {
    let allow = entries
        .get(at)
        .filter(|entry| entry.own.action == Action::Allow)?;
    let others = entries.iter().enumerate();
    let mut others = others.filter(|(other, entry)| {
        let decides = match precedence {
            Precedence::Strictest => true,
            Precedence::Last => *other > at,
        };
        decides && entry.own.action != Action::Allow && entry.own.kind == allow.own.kind
    });
    let covers = |entry: &Entry| {
        allow.read.iter().any(|own| {
            let strict = entry.read.iter();
            let mut over = strict.filter(|rule| {
                let all = rule.terms.with.is_empty() && covered(&own.pattern, &rule.pattern);
                own.lifts(rule) || all
            });
            over.next().is_some()
        })
    };
    let (_, entry) = others.find(|(_, entry)| covers(entry))?;
    Some(entry.own.from.clone())
}

/// The later rule because of which an ask or deny never decides anything there, where the last one that matches does.
fn overtaking(entries: &[Entry], at: usize, precedence: Precedence) -> Option<String> {
    let strict = entries
        .get(at)
        .filter(|entry| entry.own.action != Action::Allow)?;
    if precedence == Precedence::Strictest {
        return None;
    }
    let mut later = entries
        .iter()
        .skip(at + 1)
        .filter(|entry| entry.own.kind == strict.own.kind && entry.own.with.is_empty());
    let covers = |entry: &&Entry| {
        let wide = |own: &Rule| {
            let mut rules = entry.read.iter();
            rules.any(|rule| contained(&own.pattern, &rule.pattern))
        };
        strict.read.iter().all(wide)
    };
    let found = later.find(covers)?;
    Some(found.own.from.clone())
}

/// The built-in rule about a path to which an allow is an exception.
fn lifted(entry: &Entry) -> Option<String> {
    let layer = builtin();
    let about_path = |rule: &&Rule| matches!(rule.pattern, Pattern::Path(_)) && rule.is_strict();
    let mut rules = layer.rules.iter().filter(about_path);
    let found = rules.find(|rule| entry.read.iter().any(|own| own.lifts(rule)))?;
    // The one about whatever lies outside has no name, and is what such an allow is for.
    found.terms.id.clone()
}

/// Rules beside those that were imported, so that an allow means no more than there.
fn guards(entries: &[Entry], mode: Option<Mode>) -> Vec<ImportedRule> {
    let mut out: Vec<ImportedRule> = Vec::new();
    let allows = |kind| {
        let own = move |entry: &&Entry| entry.own.action == Action::Allow && entry.own.kind == kind;
        entries.iter().filter(own)
    };
    if let Some(first) = allows(Kind::Net).next() {
        for pattern in SENDERS {
            let guard =
                ImportedRule::plain(Action::Ask, Kind::Shell, pattern, &so(&first.own.from));
            if !is_allowed(&guard, allows(Kind::Shell)) {
                out.push(guard);
            }
        }
    }
    for entry in allows(Kind::Read).chain(allows(Kind::Edit)) {
        let ImportedRule {
            kind,
            pattern,
            from,
            ..
        } = &entry.own;
        if !pattern.starts_with(['~', '/'])
            || (pattern.starts_with('/') && !pattern.starts_with("//"))
        {
            continue;
        }
        // Whoever may change a file there may read it.
        let outside = Kind::ExternalDirectory;
        out.push(ImportedRule::plain(
            Action::Allow,
            outside,
            pattern,
            &so(from),
        ));
        if *kind == Kind::Read && mode != Some(Mode::Open) {
            let guard = ImportedRule::plain(Action::Ask, Kind::Edit, pattern, &so(from));
            if !is_allowed(&guard, allows(Kind::Edit)) {
                out.push(guard);
            }
        }
    }
    let strict = |rule: &ImportedRule| entries.iter().any(|entry| is_over(entry, rule));
    out.retain(|rule| rule.action != Action::Allow || !strict(rule));
    out
}

/// From what a guard comes.
fn so(from: &str) -> String {
    format!("so that it means no more and no less: {from}")
}

/// Whether an imported allow says the same as a guard, or more.
fn is_allowed<'a>(guard: &ImportedRule, mut allows: impl Iterator<Item = &'a Entry>) -> bool {
    let Ok(guards) = read(guard) else {
        return false;
    };
    allows.any(|allow| {
        let wide = |narrow: &Rule| {
            let mut own = allow.read.iter();
            own.any(|own| contained(&narrow.pattern, &own.pattern))
        };
        guards.iter().all(wide)
    })
}

/// Whether an imported ask or deny is about all of a rule.
fn is_over(entry: &Entry, rule: &ImportedRule) -> bool {
    let strict = entry.own.action != Action::Allow && entry.own.kind == rule.kind;
    strict
        && read(rule).is_ok_and(|rules| {
            let over = |own: &Rule| {
                let mut wide = entry.read.iter();
                wide.any(|wide| covered(&own.pattern, &wide.pattern))
            };
            rules.iter().any(over)
        })
}
